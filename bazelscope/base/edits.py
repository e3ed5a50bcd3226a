"""Edits of files: what would mend a problem, as a value that an editor or a patch applies.

Nothing here writes a file.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from itertools import islice

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.source import ReadSource, SourceFile, Span


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """A span of a file, and the text that is to stand there; a span without characters is where
    the text is put in."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """What would mend a problem: `title` says it as a command, as `Write "--jobs"`. `is_safe` where
    no build changes by it, but for what is refused before."""

    title: str
    edits: tuple[Edit, ...]
    is_safe: bool = False


def fixes(title: str, edits: Iterable[Edit], is_safe: bool = False) -> tuple[Fix, ...]:
    """Returns the fix that some edits are, under a title that begins large; nothing without any."""
    made = tuple(edits)
    return (Fix(title[:1].upper() + title[1:], made, is_safe),) if made else ()


def edited(source: SourceFile, edits: Iterable[Edit]) -> str:
    """Returns the text of a file with edits of it made, none of which overlaps another."""
    parts: list[str] = []
    end = 0
    for edit in sorted(edits):
        start = _offset(source, edit.span.line, edit.span.column)
        parts += (source.text[end:start], edit.text)
        end = _offset(source, edit.span.end_line, edit.span.end_column)
    return "".join((*parts, source.text[end:]))


def compatible(proposed: Iterable[Fix]) -> dict[str, list[Edit]]:
    """Returns the edits of as many fixes as go together, by file and in order; one that overlaps an
    earlier one is left out whole. An edit that several fixes have is made once."""
    taken: dict[str, list[Edit]] = {}
    known: set[Edit] = set()
    for fix in proposed:
        new = [edit for edit in fix.edits if edit not in known]
        if not any(_overlaps_one(edit, taken.get(edit.span.path, ())) for edit in new):
            known.update(new)
            for edit in new:
                insort(taken.setdefault(edit.span.path, []), edit)
    return taken


def _overlaps_one(edit: Edit, others: Sequence[Edit]) -> bool:
    """Whether an edit touches the characters of one of `others`, which touch none of each other's
    and are in order. Texts that are put in at one place stand there one after the other."""
    start, end = _range(edit)
    place = bisect_left(others, edit)
    if place and _range(others[place - 1])[1] > start:
        return True
    for other in islice(others, place, None):
        other_start, other_end = _range(other)
        if other_start >= end:
            break
        if other_end > start:
            return True
    return False


def _range(edit: Edit) -> tuple[tuple[int, int], tuple[int, int]]:
    span = edit.span
    return (span.line, span.column), (span.end_line, span.end_column)


def patch(proposed: Iterable[Fix], read: ReadSource) -> str:
    """Returns a unified diff, as `git apply` takes it, that makes the fixes in the files of the
    workspace. What lies outside of it is left alone, and so is a file with a name that no line of
    a diff can hold."""
    import difflib  # An editor that asks for fixes makes no diff.

    parts: list[str] = []
    for path, edits in sorted(compatible(proposed).items()):
        is_elsewhere = path.startswith(("/", "external/", "<"))
        source = None if is_elsewhere or _UNQUOTABLE.search(path) is not None else read(path)
        if source is not None:
            old, new = map(_LINES.findall, (source.text, edited(source, edits)))
            lines = difflib.unified_diff(old, new, f"a/{path}", f"b/{path}")
            parts += (line if line.endswith("\n") else f"{line}\n{_NO_END}\n" for line in lines)
    return "".join(parts)


_UNQUOTABLE = lazy_pattern(r"[\x00-\x1f\x7f\"\\]")
_LINES = lazy_pattern(r"[^\n]*\n|[^\n]+")
_NO_END = "\\ No newline at end of file"


def whole_lines(source: SourceFile, first: int, last: int) -> Span:
    """Returns the span of some lines with their ends, counted from 1."""
    if last < len(source.line_starts):
        return Span(source.path, first, 1, last + 1, 1)
    return Span(source.path, first, 1, last, len(source.line(last)) + 1)


def lines_above(source: SourceFile, line: int, text: str) -> Edit:
    """Returns the edit that puts whole lines above line `line`, which may be the one behind the
    last."""
    count = len(source.line_starts)
    if line <= count:
        return Edit(Span(source.path, line, 1, line, 1), text)
    end = len(source.line(count)) + 1
    return Edit(Span(source.path, count, end, count, end), f"{line_end(source)}{text}")


def appended(source: SourceFile, last: tuple[int, int], texts: Iterable[str]) -> Edit:
    """Returns the edit that puts more elements behind the last one of a list, whose offsets these
    are; each on a line of its own where that one is."""
    place = source.location(last[0])
    before = source.line(place.line)[: place.column - 1]
    between = f",{line_end(source)}{before}" if not before.strip() else ", "
    return Edit(source.span(last[1], last[1]), "".join(f"{between}{text}" for text in texts))


def line_end(source: SourceFile) -> str:
    """Returns what a line of the file ends with."""
    end = source.text.find("\n")
    return "\r\n" if end > 0 and source.text[end - 1] == "\r" else "\n"


def _offset(source: SourceFile, line: int, column: int) -> int:
    start = source.line_starts[line - 1]
    return min(start + column - 1, len(source.text))
