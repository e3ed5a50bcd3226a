"""One rc file: its text becomes lines of words, each with its place.

Bazel: `RcFile::ParseFile` and `blaze_util::Tokenize` in the client. What the words mean is
not decided here; `rc_search.py` and `expansion.py` do that.
"""

from __future__ import annotations

import json
import re
from array import array
from bisect import bisect_right
from functools import cache
from pathlib import Path

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.source import SourceFile, Span

TABLES = Path(__file__).with_name("rc_tables.json")
"""What Lark makes of `grammars/bazelrc.lark`; `scripts/make_rc_tables.py` writes it, so that no run
needs Lark to read an rc file."""
_STRIPPED = " \t\r\n\v\f"
"""What Bazel strips off both ends of a line; more than what separates words."""

_NEEDS_DECODING = lazy_pattern(r"[\\'\"]")


class RcWord(NamedTuple):
    """One word of an rc file: its meaning after quotes and escapes, and where it stands."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class RcLine:
    """One line that has at least one word; `words[0]` names the section, or `import`."""

    words: tuple[RcWord, ...]

    @property
    def head(self) -> RcWord:
        return self.words[0]

    @property
    def span(self) -> Span:
        first, last = self.words[0].span, self.words[-1].span
        return Span(first.path, first.line, first.column, last.end_line, last.end_column)


class JoinedText:
    """A text without its continuations, that still knows the lines of the original."""

    __slots__ = ("_offsets", "_path", "_starts", "text")

    def __init__(self, source: SourceFile) -> None:
        self._path = source.path
        self._offsets: array[int] | None = None
        text = source.text
        # Bazel deletes the two forms one after the other: a backslash that the first pass
        # moves to the front of a line end goes in the second.
        for continuation in ("\\\r\n", "\\\n"):
            if continuation in text:
                text = self._delete(text, continuation)
        self.text = text
        starts = [0]
        append, find = starts.append, source.text.find
        position = find("\n")
        while position >= 0:
            append(position + 1)
            position = find("\n", position + 1)
        self._starts = starts

    def _delete(self, text: str, what: str) -> str:
        old = self._offsets if self._offsets is not None else array("L", range(len(text)))
        new = array("L")
        position = 0
        for piece in text.split(what):
            new.extend(old[position : position + len(piece)])
            position += len(piece) + len(what)
        self._offsets = new
        return text.replace(what, "")

    def span(self, start: int, end: int) -> Span:
        """The span in the original file of the non-empty `text[start:end]`."""
        first, last = start, end
        if self._offsets is not None:
            first, last = self._offsets[start], self._offsets[end - 1] + 1
        starts = self._starts
        line = end_line = bisect_right(starts, first)
        if line < len(starts) and last > starts[line]:
            end_line = bisect_right(starts, last - 1)
        column = first - starts[line - 1] + 1
        return Span(self._path, line, column, end_line, last - starts[end_line - 1] + 1)


def decode(raw: str) -> str:
    """The word that `raw` stands for: quotes removed, escapes resolved.

    A quote that is never closed ends where Bazel's stripped line ends. `decode('""')` is
    the empty string, which is no word.
    """
    if not _NEEDS_DECODING.search(raw):
        return raw
    text, closed = _decode(raw)
    if not closed:
        text, _ = _decode(raw.rstrip(_STRIPPED))
    return text


def _decode(raw: str) -> tuple[str, bool]:
    output: list[str] = []
    quote = ""
    position, end = 0, len(raw)
    while position < end:
        character = raw[position]
        position += 1
        if character == "\\":
            if position < end:
                output.append(raw[position])
                position += 1
        elif quote:
            if character == quote:
                quote = ""
            else:
                output.append(character)
        elif character in "'\"":
            quote = character
        else:
            output.append(character)
    return "".join(output), not quote


Places = list[list[tuple[int, int]]]
"""Line by line, where in a text each word begins and ends."""


def places(text: str) -> Places:
    """Returns where the words of an rc file are, whose continuations are gone. None is refused."""
    lines: Places = [[]]
    for match in _scanner().finditer(text):
        if match.lastgroup == "WORD":
            lines[-1].append(match.span())
        elif match.lastgroup == "_LINE_END" and lines[-1]:
            lines.append([])
    return [line for line in lines if line]


@cache
def _scanner() -> re.Pattern[str]:
    return re.compile(json.loads(TABLES.read_text("utf-8"))["scanner"])


def parse(source: SourceFile) -> tuple[RcLine, ...]:
    """Returns the lines of an rc file that have words, in order. Every text is a valid rc file."""
    joined = JoinedText(source)
    text = joined.text
    if not text:
        return ()
    edges = "\v" in text or "\f" in text
    lines: list[RcLine] = []
    for line in places(text):
        words: list[RcWord] = []
        tokens = [(text[start:end], start) for start, end in line]
        if edges or tokens[-1][0][-1] in _STRIPPED:
            tokens = _strip_ends(text, tokens)
        for raw, start in tokens:
            word = decode(raw)
            if word:
                words.append(RcWord(word, joined.span(start, start + len(raw))))
        if words:
            lines.append(RcLine(tuple(words)))
    return tuple(lines)


def _strip_ends(text: str, tokens: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Drops from the two ends of a line what Bazel strips and the lexer sees as words."""
    while tokens:
        raw, start = tokens[0]
        line_start = text.rfind("\n", 0, start) + 1
        stripped = raw.lstrip(_STRIPPED)
        if stripped == raw or text[line_start:start].strip(_STRIPPED):
            break
        if stripped:
            tokens[0] = (stripped, start + len(raw) - len(stripped))
            break
        del tokens[0]
    while tokens:
        raw, start = tokens[-1]
        line_end = text.find("\n", start)
        after = text[start + len(raw) : line_end if line_end >= 0 else len(text)]
        stripped = raw.rstrip(_STRIPPED)
        if stripped == raw or after.strip(_STRIPPED):
            break
        if stripped:
            tokens[-1] = (stripped, start)
            break
        del tokens[-1]
    return tokens
