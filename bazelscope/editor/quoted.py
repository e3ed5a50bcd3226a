"""The strings and names of a Starlark file, by its text alone: quicker than to parse it, for
searches through thousands of files."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.named_tuple import NamedTuple

_TOKEN = lazy_pattern(
    r"(?P<comment>\#[^\n]*)"
    r"|(?P<long>[rb]{0,2}(?:'''(?:[^\\]|\\.)*?'''|\"\"\"(?:[^\\]|\\.)*?\"\"\"))"
    r"|(?P<string>[rb]{0,2}(?:'(?:[^\\'\n]|\\.)*'|\"(?:[^\\\"\n]|\\.)*\"))"
    r"|(?P<name>[A-Za-z_]\w*)",
    re.DOTALL,
)


class Token(NamedTuple):
    """A string on one line, without its quotes, or a name; and where it stands."""

    text: str
    start: int
    end: int
    is_string: bool


def tokens(text: str) -> Iterator[Token]:
    """The strings and names of a text, in order; comments and long strings are left out."""
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "name":
            yield Token(match[0], match.start(), match.end(), False)
        elif kind == "string":
            quoted = match[0].lstrip("rb")
            start = match.end() - len(quoted) + 1
            yield Token(quoted[1:-1], start, match.end() - 1, True)
