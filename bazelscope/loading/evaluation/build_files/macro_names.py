"""The `name` that a macro was called with, read off the text of the BUILD file.

Bazel: `PackageFactory.checkBuildSyntax` keeps, for each call of the file, its argument
`name = "..."` if that is a string literal; it becomes `generator_name` of the macro's rules.
"""

from __future__ import annotations

import re

from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.source import SourceFile

_FIRST = lazy_pattern(r"""\(\s*name\s*=\s*(?:"([^"\\\n]*)"|'([^'\\\n]*)')\s*[,)]""")
_TOKEN = lazy_pattern(
    r"""#[^\n]*|[rb]{0,2}(?:\"{3}(?:[^\\]|\\.)*?\"{3}|'{3}(?:[^\\]|\\.)*?'{3}"""
    r"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|[A-Za-z_]\w*|==|[^\s]""",
    re.DOTALL,
)
_LITERAL = lazy_pattern(r"""("|')(?P<text>[^\\]*)\1\Z""")
_MAXIMUM_TOKENS = 200_000


class MacroNames:
    """Finds the literal `name` argument of calls in one file."""

    def __init__(self, source: SourceFile) -> None:
        self._text = source.text
        self._starts: list[int] | None = None
        self._known: dict[tuple[int, int], str | None] = {}

    def at(self, line: int, column: int) -> str | None:
        """The literal name given to the call whose parenthesis opens at that place."""
        key = (line, column)
        if key not in self._known:
            self._known[key] = self._find(line, column)
        return self._known[key]

    def _find(self, line: int, column: int) -> str | None:
        if self._starts is None:
            self._starts = [0, *(match.end() for match in re.finditer("\n", self._text))]
        if not 1 <= line <= len(self._starts):
            return None
        offset = self._starts[line - 1] + column - 1
        if self._text[offset : offset + 1] != "(":
            return None
        first = _FIRST.match(self._text, offset)
        if first is not None:
            return first[1] if first[1] is not None else first[2]
        return _scan(self._text, offset)


def _scan(text: str, offset: int) -> str | None:
    """Looks through the arguments of the call whose `(` is at `offset`."""
    depth = 0
    before: list[str] = ["", ""]
    literal = ""
    expects_literal = expects_end = False
    for count, match in enumerate(_TOKEN.finditer(text, offset)):
        token = match[0]
        if token[0] == "#":
            continue
        if count > _MAXIMUM_TOKENS:
            return None
        if expects_end:
            if token in (",", ")"):
                return literal
            if token != "+":
                return None
            expects_end, expects_literal = False, True
            continue
        if expects_literal or (depth == 1 and before == ["name", "="]):
            literal_token = _LITERAL.match(token)
            if literal_token is None:
                return None
            # Bazel's parser joins `"a" + "b"` to one literal.
            literal += literal_token["text"]
            expects_end = True
        elif token in "([{":
            depth += 1
        elif token in ")]}":
            depth -= 1
            if depth == 0:
                return None
        before = [before[1], token]
    return None
