"""The regular expressions that `filter`, `kind` and `attr` look for.

The module `regex` has, other than `re`, a limit of time: `(a+)+$` would take for ever.
"""

from __future__ import annotations

import time

import regex

from bazelscope.base import budget
from bazelscope.base.budget import BudgetError
from bazelscope.base.errors import Diagnostic
from bazelscope.base.java_regex import PatternError, to_python
from bazelscope.query.language.query_parser import QueryError
from bazelscope.query.language.query_syntax import Word


class Pattern:
    """A pattern of a query; all of its searches together may take as long as a file may."""

    def __init__(self, word: Word, translated: str) -> None:
        self._word = word
        self._compiled = regex.compile(translated, regex.ASCII)
        self._left = budget.current().limits.file_seconds

    def search(self, text: str) -> bool:
        """Whether the pattern is found in a text. Raises `BudgetError`."""
        if self._left is None:
            return self._compiled.search(text) is not None
        began = time.monotonic()
        try:
            match = self._compiled.search(text, timeout=max(self._left, 0.01))
        except TimeoutError:
            message = f"`{self._word.text}` takes too long to be looked for in `{text[:60]}`"
            hint = "--max-seconds gives a pattern a fifteenth of what it says"
            raise BudgetError(
                Diagnostic(budget.LIMIT, message, self._word.span, (), hint)
            ) from None
        self._left -= time.monotonic() - began
        return match is not None


def compile_pattern(function: str, word: Word) -> Pattern:
    """The pattern of a word. Raises `QueryError` for one that is none."""
    try:
        return Pattern(word, to_python(word.text))
    except (PatternError, regex.error, OverflowError, RecursionError) as error:
        message = f"`{word.text}` is no regular expression that `{function}` can use: {error}"
        raise QueryError(Diagnostic("query-pattern", message, word.span)) from error
