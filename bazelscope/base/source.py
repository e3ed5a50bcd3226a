"""Where a fact stands: files, locations, spans and call frames.

Paths are the ones a user reads: relative to the workspace for its own files
(`tensorflow/BUILD`), `external/NAME/...` for files of another repository,
`<builtin>/...` for files that bazelscope ships, absolute for anything else.
Lines and columns are counted from 1, as Bazel prints them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from functools import cached_property

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.named_tuple import NamedTuple

SHIPPED = "<builtin>/"
"""How the shown paths of files begin that bazelscope ships."""


class Location(NamedTuple):
    """One point in a file. A named tuple, because every target and edge carries some."""

    path: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"

    @property
    def short(self) -> str:
        """The location without its column, as people quote it: `.bazelrc:160`."""
        return f"{self.path}:{self.line}"

    @property
    def is_shipped(self) -> bool:
        """Whether bazelscope ships the file, as Bazel does or in the place of one."""
        return self.path.startswith(SHIPPED)

    @property
    def span(self) -> Span:
        """The character at the location."""
        return Span(self.path, self.line, self.column, self.line, self.column + 1)


class Span(NamedTuple):
    """A range of a file; `end_column` is the column after the last character."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"

    @property
    def start(self) -> Location:
        return Location(self.path, self.line, self.column)


class Frame(NamedTuple):
    """One entry of a Starlark call stack: the function, and where in it the call stands."""

    function: str
    location: Location


ReadSource = Callable[[str], "SourceFile | None"]
"""Reads the file that users know by a path; None where that cannot be read."""

CallStack = tuple[Frame, ...]
"""A call stack, outermost frame first, as Bazel prints it."""


@dataclass(frozen=True)
class SourceFile:
    """The text of one file under the path that users know it by; or the lines of it from
    `first_line` on, with offsets of their own."""

    path: str
    text: str
    first_line: int = 1

    @cached_property
    def line_starts(self) -> tuple[int, ...]:
        """The offset at which each line begins."""
        starts = [0]
        find = self.text.find
        position = find("\n")
        while position >= 0:
            starts.append(position + 1)
            position = find("\n", position + 1)
        return tuple(starts)

    def location(self, offset: int) -> Location:
        """The location of the character at `offset` (0 <= offset <= len(text))."""
        line = bisect_right(self.line_starts, offset)
        column = offset - self.line_starts[line - 1] + 1
        return Location(self.path, line + self.first_line - 1, column)

    def offset(self, place: Location) -> int:
        """The offset of a place in the text."""
        return self.line_starts[place.line - self.first_line] + place.column - 1

    def span(self, start: int, end: int) -> Span:
        """The span of `text[start:end]`."""
        first = self.location(start)
        last = self.location(end)
        return Span(self.path, first.line, first.column, last.line, last.column)

    def line(self, number: int) -> str:
        """The text of line `number` without its end; empty past the last line."""
        index = number - self.first_line
        if not 0 <= index < len(self.line_starts):
            return ""
        start = self.line_starts[index]
        end = self.text.find("\n", start)
        return self.text[start : end if end >= 0 else len(self.text)].rstrip("\r")
