"""What stands at a position of an rc file, or on a `bazel` line of a script."""

from __future__ import annotations

import re

from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.source import SourceFile, Span
from bazelscope.editor.pointed import ConfigAt, Pointed, RcImportAt, RcOptionAt, ScriptFlagAt
from bazelscope.flags.rcfile import RcLine, RcWord, parse

_IMPORTS = frozenset({"import", "try-import", "try-import-if-bazel-version"})
_CONFIG = "--config"
_CONTINUED = ("\\\n", "\\\r\n")
_BAZEL = lazy_pattern(r"(?:^|[\s;&|(`/\"'])(bazel(?:isk)?)(?=\s)")
_SCRIPT_WORD = lazy_pattern(r"(?:[^\s\"'\\;&|()<>`#]|\\.|\"(?:[^\"\\]|\\.)*\"|'[^']*')+")


def pointed_at(source: SourceFile, offset: int) -> Pointed | None:
    """What word of an rc file stands at `offset`; None between words and in comments."""
    place = source.location(offset)
    for line in parse(source):
        if not line.span.line <= place.line <= line.span.end_line:
            continue
        for number, word in enumerate(line.words):
            if _covers(word.span, place.line, place.column):
                return _of_word(line, number)
    return None


def _of_word(line: RcLine, number: int) -> Pointed | None:
    word, head = line.words[number], line.head.text
    if number == 0:
        _, colon, name = head.partition(":")
        return ConfigAt(_end_of(word.span, len(name)), name) if colon and name else None
    if head in _IMPORTS:
        return RcImportAt(word.span, word.text)
    before = line.words[number - 1] if number > 1 else None
    if before is not None and before.text == _CONFIG:
        return ConfigAt(word.span, word.text)
    if word.text.startswith(f"{_CONFIG}="):
        return ConfigAt(word.span, word.text.partition("=")[2])
    return RcOptionAt(word.span, word.text, _beginning(line.words, number).span, head)


def _beginning(words: tuple[RcWord, ...], number: int) -> RcWord:
    """The word that begins the option that a word is part of: a value may stand by itself."""
    word = words[number]
    if word.text.startswith("-") or number < 2 or not words[number - 1].text.startswith("-"):
        return word
    return words[number - 1]


def _covers(span: Span, line: int, column: int) -> bool:
    return (span.line, span.column) <= (line, column) <= (span.end_line, span.end_column)


def _end_of(span: Span, length: int) -> Span:
    if span.line != span.end_line:
        return span
    return span._replace(column=span.end_column - length)


def pointed_in_script(source: SourceFile, offset: int) -> Pointed | None:
    """The flag of a `bazel` line at `offset` of a script; lines may go on behind a backslash."""
    text = source.text
    start, end = _line_around(text, offset)
    line = text[start:end]
    for match in _BAZEL.finditer(line):
        words: list[str] = []
        spans: list[tuple[int, int]] = []
        position = match.start(1)
        for word in _SCRIPT_WORD.finditer(line, position):
            between = line[position : word.start()]
            if between.replace("\\\n", "").replace("\\\r\n", "").strip():
                break  # The command ends here: a semicolon, a pipe, a comment.
            if word[0] != "\\":
                words.append(_plain(word[0]))
                spans.append((start + word.start(), start + word.end()))
            position = word.end()
        for index, (first, last) in enumerate(spans):
            if first <= offset <= last and words[index].startswith("-"):
                return ScriptFlagAt(source.span(first, last), words[index], tuple(words), index)
    return None


def _line_around(text: str, offset: int) -> tuple[int, int]:
    """Where the line of a shell begins and ends that is around an offset."""
    start = text.rfind("\n", 0, offset) + 1
    while text.endswith(_CONTINUED, 0, start):
        start = text.rfind("\n", 0, start - 1) + 1
    end = text.find("\n", offset)
    while end >= 0 and text.endswith(_CONTINUED, 0, end + 1):
        end = text.find("\n", end + 1)
    return start, end if end >= 0 else len(text)


def _plain(word: str) -> str:
    """The word without the quotes and backslashes of a shell."""
    return re.sub(r"\\(.)|[\"']", r"\1", word)
