"""The words of a workspace's Starlark files by which others are named, kept file by file: a file
is read again only when it has changed, so that to find every place costs no look at the texts."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from sys import intern

from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.source import SourceFile, Span
from bazelscope.editor.quoted import Token, tokens


class Said(NamedTuple):
    """One place of a file: its text, whether it is a string, and of those whether load() has it."""

    text: str
    line: int
    column: int
    is_string: bool
    is_loaded: bool

    def span(self, path: str) -> Span:
        """The place in the file at `path`."""
        return Span(path, self.line, self.column, self.line, self.column + len(self.text))


class Load(NamedTuple):
    """One load() of a file: the module as it is written, and by local name what it is there."""

    module: str
    names: Mapping[str, str]


class Words(NamedTuple):
    """What a file says: its load() calls, and its places by the last word of a label's text, by
    `@repository`, and by name."""

    loads: tuple[Load, ...]
    places: Mapping[str, tuple[Said, ...]]

    def of(self, word: str) -> tuple[Said, ...]:
        """The places under a word."""
        return self.places.get(word, ())


class SaidWords:
    """What the files of a workspace say, each with the state in which it was read."""

    def __init__(self) -> None:
        self._files: dict[str, tuple[object, Words]] = {}

    def known(self, path: str, state: object) -> Words | None:
        """What a file says that was last read in that state."""
        kept = self._files.get(path)
        return kept[1] if kept is not None and kept[0] == state else None

    def read(self, path: str, state: object, source: SourceFile) -> Words:
        """Takes in the text that a file has in that state."""
        words = words_of(source)
        self._files[path] = state, words
        return words


_VALUES = frozenset({"define_values", "values"})
"""Attributes of config_setting that hold names which are no labels."""
_OPENED = lazy_pattern(r"\s*=\s*\{")


def words_of(source: SourceFile) -> Words:
    """The strings of a text, and the names that its load() calls bring."""
    by_word: dict[str, list[Said]] = {}
    starts, text = source.line_starts, source.text
    loads: list[Load] = []
    loaded: set[str] = set()
    begun: list[Token] = []
    end_of_load = end_of_values = 0
    for token in tokens(text):
        if token.text in _VALUES and _OPENED.match(text, token.end):
            end_of_values = text.find("}", token.end)
        elif token.is_string and token.start < end_of_values and token.text.isidentifier():
            continue  # A define or an option, and what it is to be.
        if token.text == "load" and not token.is_string:
            loads += _load_of(begun)
            begun, end_of_load = [], text.find(")", token.end)
            continue
        in_load = token.start < end_of_load
        if in_load:
            begun.append(token)
            loaded.add(token.text)
        if token.is_string or token.text in loaded:
            line = bisect_right(starts, token.start)
            column = token.start - starts[line - 1] + 1
            said = Said(intern(token.text), line, column, token.is_string, in_load)
            for word in _words(token.text) if token.is_string else (said.text,):
                by_word.setdefault(intern(word), []).append(said)
    loads += _load_of(begun)
    return Words(tuple(loads), {word: tuple(places) for word, places in by_word.items()})


def _load_of(parts: list[Token]) -> Iterator[Load]:
    """The load() that has these strings and names."""
    if not parts or not parts[0].is_string:
        return
    names: dict[str, str] = {}
    local = ""
    for part in parts[1:]:
        if part.is_string:
            names[intern(local or part.text)] = intern(part.text)
        local = "" if part.is_string else part.text
    yield Load(intern(parts[0].text), names)


def _words(text: str) -> set[str]:
    """The words under which a string is looked for: the last one of a label's text, and the
    repository that it begins with."""
    last = text.rpartition(":")[2].rpartition("/")[2]
    if not text.startswith("@"):
        return {last}
    repository = text.lstrip("@").partition("//")[0]
    return {last.lstrip("@"), f"@{repository}"}
