"""Cuts Starlark text into the grammar's terminals, and lays out lines and blocks.

One regular expression, made of the terminals that `grammars/starlark.lark` defines, finds
the tokens; what a context-free grammar cannot say (newlines inside brackets, indentation)
is done here.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import NoReturn

from bazelscope.base import budget
from bazelscope.base.errors import Diagnostic, LimitError, StarlarkError
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.source import SourceFile
from bazelscope.starlark.syntax.parse_tables import Tables

RESERVED = frozenset({
    "as", "assert", "async", "await", "class", "del", "except", "finally", "from", "global",
    "import", "is", "nonlocal", "raise", "try", "while", "with", "yield",
})  # fmt: skip

MAX_NESTING = 200
"""How deep brackets and blocks may nest; real files stay below 20."""

_BLOCK = 10_000
"""After so many tokens it is seen whether there are too many."""

_NEWLINE, _END, _OTHER, _LIST = -1, -2, -3, -4
_STRING = r"""(?:"[^"\\\n]*"|'[^'\\\n]*')"""
_SPACE = r"[ \t\r\f\n]*"
_STRING_LIST = rf"(?<=[=+(] )\[{_SPACE}(?>(?:{_STRING}{_SPACE},{_SPACE})*)(?:{_STRING}{_SPACE})?\]"
"""A list of plain strings where no index can stand: a third of what BUILD files are made of."""
_LEAST_ELEMENT = 4
"""Letters of a string and a comma that have two tokens, if it were not for such lists."""
strings_in = lazy_pattern(_STRING).finditer


class Tokens(NamedTuple):
    """The tokens of a file as three parallel lists; the last one is the end of the file."""

    kinds: list[int]
    starts: list[int]
    texts: list[str]


class Lexer:
    """Built once from the tables; `tokens` reads one file."""

    def __init__(self, tables: Tables) -> None:
        symbols = "|".join(re.escape(text) for text in tables.punctuation)
        groups = [f"({part})" for part in tables.patterns]
        every = "|".join([*groups, f"({symbols})", r"(\n)", r"(\Z)", r"(.)"])
        before = r"[ \t\r\f]*(?:\\\r?\n[ \t\r\f]*)*(?:#[^\n]*)?"
        self._pattern = f"{before}(?:({_STRING_LIST})|{every})"
        self._plain_pattern = f"{before}(?:((?!))|{every})"
        kinds = [0, _LIST, *(tables.kinds[name] for name in tables.groups)]
        self._group_kinds = (*kinds, 0, _NEWLINE, _END, _OTHER)
        self._words = {**tables.keywords, **tables.punctuation}
        self._words.update(dict.fromkeys(RESERVED, _OTHER))
        self._string = tables.kinds["STRING"]
        self._name = tables.kinds["NAME"]
        self._layout = tuple(tables.kinds[name] for name in ("_NEWLINE", "_INDENT", "_DEDENT"))
        self._opening = {tables.punctuation[text] for text in "([{"}
        self._closing = {tables.punctuation[text] for text in ")]}"}

    def tokens(self, source: SourceFile, *, with_lists: bool = True) -> Tokens:
        """The tokens of `source`; StarlarkError where its text or its layout is malformed.
        `with_lists`: most lists of plain strings are one token, of the kind of a string."""
        text = source.text
        kinds: list[int] = []
        starts: list[int] = []
        texts: list[str] = []
        add_kind, add_start, add_text = kinds.append, starts.append, texts.append
        group_kinds, words = self._group_kinds, self._words
        name_kind = self._name
        newline, _, dedent = self._layout
        opening, closing = self._opening, self._closing
        depth = 0
        fresh = True  # nothing of this logical line has been read yet
        indents = [0]
        most = budget.current().limits.file_tokens
        matches = re.compile(self._pattern if with_lists else self._plain_pattern).finditer(text)
        hidden = 0  # tokens that are inside of lists, about
        is_through = False
        while not is_through:
            if most is not None and len(kinds) + hidden > most:
                self._too_long(source, starts[-1], most)
            for match in islice(matches, _BLOCK):
                group = match.lastindex
                assert group is not None
                kind = group_kinds[group]
                lexeme = match[group]
                if kind == name_kind:
                    kind = words.get(lexeme, name_kind)
                elif kind == 0:
                    kind = words[lexeme]
                    if kind in opening:
                        depth += 1
                        if depth > MAX_NESTING:
                            at = match.start(group)
                            self._fail(source, at, at + 1, "brackets are nested too deeply")
                    elif kind in closing and depth:
                        depth -= 1
                if kind < 0:
                    if kind == _NEWLINE:
                        if fresh or depth:
                            continue
                        add_kind(newline)
                        add_start(match.start(group))
                        add_text("")
                        fresh = True
                        continue
                    if kind == _END:
                        is_through = True
                        break
                    if kind == _LIST and depth < MAX_NESTING:
                        kind = self._string
                        hidden += len(lexeme) // _LEAST_ELEMENT
                        if most is not None and len(kinds) + hidden > most:
                            self._too_long(source, match.start(group), most)
                    else:
                        self._unexpected(source, match.start(group), lexeme)
                start = match.start(group)
                if fresh:
                    fresh = False
                    if (start and text[start - 1] != "\n") or indents[-1]:
                        self._block(source, start, indents, kinds, starts, texts)
                add_kind(kind)
                add_start(start)
                add_text(lexeme)
        end = len(text)
        if not fresh and not depth:
            add_kind(newline)
            add_start(end)
            add_text("")
        for _ in indents[1:]:
            add_kind(dedent)
            add_start(end)
            add_text("")
        add_kind(0)
        add_start(end)
        add_text("")
        return Tokens(kinds, starts, texts)

    def _block(
        self,
        source: SourceFile,
        start: int,
        indents: list[int],
        kinds: list[int],
        starts: list[int],
        texts: list[str],
    ) -> None:
        """Opens or closes blocks before the first token of a line."""
        _, indent, dedent = self._layout
        line = source.text.rfind("\n", 0, start) + 1
        margin = source.text[line:start]
        if "\t" in margin:
            self._fail(
                source, line, start, "tab characters are not allowed for indentation",
                hint="indent with spaces",
            )  # fmt: skip
        width = len(margin) if not margin.strip(" \r\f") else 0
        if width > indents[-1]:
            indents.append(width)
            if len(indents) > MAX_NESTING:
                self._fail(source, start, start + 1, "blocks are nested too deeply")
            kinds.append(indent)
            starts.append(start)
            texts.append("")
            return
        while width < indents[-1]:
            indents.pop()
            kinds.append(dedent)
            starts.append(start)
            texts.append("")
        if width != indents[-1]:
            self._fail(source, line, start, "indentation matches no enclosing block")

    def _unexpected(self, source: SourceFile, start: int, text: str) -> NoReturn:
        if text in RESERVED:
            message = f"`{text}` is a reserved word, without a meaning in Starlark"
            self._fail(source, start, start + len(text), message)
        if text in "\"'":
            line_end = source.text.find("\n", start)
            end = line_end if line_end >= 0 else len(source.text)
            self._fail(source, start, end, "string literal is not closed")
        if text == "!":
            self._fail(source, start, start + 1, "unexpected `!`", hint="negation is `not`")
        if text == "\\":
            message = "unexpected `\\`: only the end of a line may follow it"
            self._fail(source, start, start + 1, message)
        if start == 0 and text == "\ufeff":
            hint = "it is a byte order mark; save the file as UTF-8 without one"
            self._fail(source, start, start + 1, f"invalid character {text!r}", hint=hint)
        self._fail(source, start, start + 1, f"invalid character {text!r}")

    @staticmethod
    def _too_long(source: SourceFile, at: int, most: int) -> NoReturn:
        message = f"the file has more than {most} tokens: --max-memory raises the limit"
        raise LimitError(Diagnostic(budget.LIMIT, message, source.span(at, at + 1)))

    @staticmethod
    def _fail(
        source: SourceFile, start: int, end: int, message: str, hint: str | None = None
    ) -> NoReturn:
        span = source.span(start, end)
        raise StarlarkError(Diagnostic("starlark-syntax", message, span, hint=hint))
