"""Positions in texts: as editors count them, and from a text to a later one."""

from __future__ import annotations

import enum
from functools import cached_property

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location, SourceFile


class Units(enum.Enum):
    """What an editor counts characters of a line in."""

    UTF_8 = "utf-8"
    UTF_16 = "utf-16"
    UTF_32 = "utf-32"

    def width(self, text: str) -> int:
        """How many units a text has."""
        if text.isascii() or self is Units.UTF_32:
            return len(text)
        if self is Units.UTF_16:
            return len(text) + sum(character > "\uffff" for character in text)
        return len(text.encode("utf-8", "surrogatepass"))

    def characters(self, line: str, units: int) -> int:
        """How many characters of a line those units are; the whole line if it is shorter. Inside
        of a character, those before it."""
        if line.isascii() or self is Units.UTF_32:
            return min(units, len(line))
        for number, character in enumerate(line):
            units -= self.width(character)
            if units < 0:
                return number
        return len(line)


def offset_at(source: SourceFile, line: int, units: int, counted: Units) -> int | None:
    """The offset of a position as editors count it: line and unit from 0. None past the text."""
    starts = source.line_starts
    if line < 0 or units < 0 or line >= len(starts):
        return None
    return starts[line] + counted.characters(source.line(line + 1), units)


@dataclass(frozen=True)
class Shift:
    """Where lines of the text `good` stand in a later text `now`: what was added or taken away
    is one stretch of lines between a common beginning and a common end."""

    good: str
    now: str

    @cached_property
    def _stretch(self) -> tuple[int, int, int]:
        """The lines that both begin with, and the first line behind the stretch in each."""
        before, after = self.good.split("\n"), self.now.split("\n")
        most = min(len(before), len(after))
        same = 0
        while same < most and before[same] == after[same]:
            same += 1
        end = 0
        while end < most - same and before[-1 - end] == after[-1 - end]:
            end += 1
        return same, len(before) - end, len(after) - end

    def line_now(self, line: int) -> int:
        """The line, from 1, where line `line` of the good text stands now."""
        if self.good is self.now:
            return line
        same, end_before, end_now = self._stretch
        if line <= same:
            return line
        if line > end_before:
            return line - end_before + end_now
        return min(line, max(end_now, 1))

    def line_then(self, line: int) -> int:
        """The line of the good text that line `line` of the text of now was."""
        return Shift(self.now, self.good).line_now(line)

    def location(self, place: Location) -> Location:
        return place._replace(line=self.line_now(place.line))
