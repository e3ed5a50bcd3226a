"""What an rc file says of its lines: the comment above them."""

from __future__ import annotations

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location, SourceFile


@dataclass(frozen=True, slots=True)
class RcComment:
    """The lines of a comment without their marks, and where it begins."""

    lines: tuple[str, ...]
    location: Location


def comment_above(source: SourceFile, line: int) -> RcComment | None:
    """The comment that ends right above a line of an rc file; None if there is none."""
    texts = source.text.split("\n")
    start = line - 1
    while start > 0 and texts[start - 1].lstrip().startswith("#"):
        start -= 1
    lines = tuple(text.strip().lstrip("#").strip() for text in texts[start : line - 1])
    if not any(lines):
        return None
    return RcComment(lines, Location(source.path, start + 1, 1))
