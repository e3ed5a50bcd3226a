"""A page of text before it meets a width: blocks of rows, each with an optional aside.

Every text answer is built as a `Document` and laid out once, so that all of them indent,
align and wrap alike. A row's aside is the place or the reason that belongs to it; the
asides of one block stand in one column where they fit, and below their row where not.
Words are never broken: a label or a path stays whole, to be copied from the screen.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.render.visible import visible

INDENT = 2
_HANG = 4
_GAP = 2
_WIDEST_ASIDE_COLUMN = 80
USUAL_WIDTH = 100
"""The columns that answers are made for."""


class Style(enum.Enum):
    """What a piece of text is, for a terminal that has colours."""

    PLAIN = ""
    STRONG = "bold"
    QUIET = "dim"
    GOOD = "green"
    BAD = "red"
    WARNING = "yellow"
    NAME = "cyan"
    TITLE = "bold underline"


class Piece(NamedTuple):
    """Some text of one style."""

    text: str
    style: Style = Style.PLAIN


Part = str | Piece
Line = tuple[Piece, ...]


def strong(text: str) -> Piece:
    return Piece(text, Style.STRONG)


def quiet(text: str) -> Piece:
    return Piece(text, Style.QUIET)


def good(text: str) -> Piece:
    return Piece(text, Style.GOOD)


def bad(text: str) -> Piece:
    return Piece(text, Style.BAD)


def warning(text: str) -> Piece:
    return Piece(text, Style.WARNING)


def name(text: str) -> Piece:
    return Piece(text, Style.NAME)


@dataclass(frozen=True, slots=True)
class Row:
    """One line as the author thinks of it. `verbatim` rows (excerpts) are never wrapped; `guides`
    of a tree stand before its first line, and before each further one."""

    parts: Line
    aside: Line = ()
    indent: int = 0
    verbatim: bool = False
    guides: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class Block:
    """Rows that belong together, under a title or none."""

    title: Line
    rows: tuple[Row, ...]


@dataclass
class Document:
    """Collects blocks in reading order; an empty block (title, no rows) is left out."""

    blocks: list[Block] = field(default_factory=list)

    def add(self, rows: Iterable[Row], title: Iterable[Part] | str = ()) -> None:
        """Appends a block; without rows, nothing; nor what the block before says."""
        listed = tuple(rows)
        if not listed:
            return
        parts = (Piece(title, Style.TITLE),) if isinstance(title, str) else title
        block = Block(pieces(parts), listed)
        if self.blocks[-1:] != [block]:
            self.blocks.append(block)

    def says(self, text: str) -> bool:
        """Whether some row has that text already."""
        return any(
            text in "".join(piece.text for piece in row.parts)
            for block in self.blocks
            for row in block.rows
        )


def pieces(parts: Iterable[Part]) -> Line:
    """The parts as pieces of one line: a text of several lines becomes one, and a control
    character of a name or a value is spelled out."""
    styled = (part if isinstance(part, Piece) else Piece(part) for part in parts)
    return tuple(p if p.text.isprintable() else Piece(_one_line(p.text), p.style) for p in styled)


def _one_line(text: str) -> str:
    return visible(" ".join(text.split("\n")))


def row(*parts: Part, aside: Part | Iterable[Part] = (), indent: int = 0) -> Row:
    """A row of text and styled pieces."""
    if isinstance(aside, str):
        aside = (quiet(aside),) if aside else ()
    elif isinstance(aside, Piece):
        aside = (aside,)
    return Row(pieces(parts), pieces(aside), indent)


def verbatim(*parts: Part, indent: int = 0) -> Row:
    """A row that keeps its spaces and is never wrapped."""
    return Row(pieces(parts), (), indent, verbatim=True)


def branch(first: str, further: str, *parts: Part) -> Row:
    """A row of a tree, behind its guides."""
    return Row(pieces(parts), guides=(first, further))


def lay_out(document: Document, width: int | None) -> Iterator[Line]:
    """The lines of `document` for a terminal of `width` columns; None never wraps."""
    for number, block in enumerate(document.blocks):
        if number:
            yield ()
        base = 0
        if block.title:
            yield from _wrapped(block.title, 0, width)
            base = 1
        column = _aside_column(block, base, width)
        for one in block.rows:
            yield from _row_lines(one, base, column, width)


def lines_taken(rows: Iterable[Row], base: int = 1) -> list[int]:
    """How many lines each of `rows`, so far in, takes on a terminal of the usual width. What an
    answer begins and leaves to another question is measured by it, not by the terminal at hand,
    so that the same question has the same answer everywhere."""
    block = Block((), tuple(rows))
    column = _aside_column(block, base, USUAL_WIDTH)
    return [sum(1 for _ in _row_lines(one, base, column, USUAL_WIDTH)) for one in block.rows]


def height(document: Document) -> int:
    """How many lines `document` takes on a terminal of the usual width."""
    return sum(1 for _ in lay_out(document, USUAL_WIDTH))


def fitting(make: Callable[[int], Document], most: int, briefest: int) -> Document:
    """The least brief of the documents that `make` writes, from 0 to `briefest`, that takes at most
    so many lines on a terminal of the usual width; the briefest if none does."""
    for brevity in range(briefest):
        document = make(brevity)
        if height(document) <= most:
            return document
    return make(briefest)


def plain_text(lines: Iterable[Line]) -> str:
    """`lines` without styles, each ended by a newline."""
    return "".join("".join(piece.text for piece in line).rstrip() + "\n" for line in lines)


def _row_lines(line_row: Row, base: int, column: int, width: int | None) -> Iterator[Line]:
    indent = (base + line_row.indent) * INDENT
    if line_row.verbatim:
        yield (Piece(" " * indent), *line_row.parts)
        return
    if line_row.guides[0]:
        yield from _behind_guides(line_row, width)
        return
    if not line_row.aside:
        yield from _wrapped(line_row.parts, indent, width)
        return
    length = indent + _length(line_row.parts)
    start = max(column, length + _GAP)
    if width is not None and start + _length(line_row.aside) > width:
        start = length + _GAP  # Out of the column, but still beside it.
    if width is None or start + _length(line_row.aside) <= width:
        gap = Piece(" " * (start - length))
        yield (Piece(" " * indent), *line_row.parts, gap, *line_row.aside)
    else:
        yield from _wrapped(line_row.parts, indent, width)
        yield from _wrapped(line_row.aside, indent + _HANG, width)


def _behind_guides(line_row: Row, width: int | None) -> Iterator[Line]:
    first, further = line_row.guides
    # However deep a tree is, half of the line is left to what it says.
    room = None if width is None else max(width - len(first), width // 2)
    for number, line in enumerate(_wrapped(line_row.parts, 0, room)):
        yield (quiet(further if number else first), *line)


def _aside_column(block: Block, base: int, width: int | None) -> int:
    limit = _WIDEST_ASIDE_COLUMN if width is None else min(_WIDEST_ASIDE_COLUMN, width * 3 // 5)
    lengths = (
        (base + one.indent) * INDENT + _length(one.parts) + _GAP for one in block.rows if one.aside
    )
    return max((length for length in lengths if length <= limit), default=0)


def _length(line: Line) -> int:
    return sum(display_width(piece.text) for piece in line)


def display_width(text: str) -> int:
    """The number of terminal columns that `text` takes."""
    if text.isascii():
        return len(text)
    import unicodedata

    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def _wrapped(line: Line, indent: int, width: int | None) -> Iterator[Line]:
    if width is None or indent + _length(line) <= width:
        yield (Piece(" " * indent), *line)
        return
    hanging = min(indent + _HANG, width // 2)
    current: list[Piece] = []
    used = 0
    words = list(_words(line))
    texts = ["".join(piece.text for piece in word) for word in words]
    for number, word in enumerate(words):
        needed = display_width(texts[number].rstrip())
        if number and _breaks(used + needed, width) > _breaks(needed, width):
            yield tuple(current)
            current = []
        elif number and texts[number - 1].endswith(" " * _GAP):
            # A column is not torn apart where it can begin on a line of its own.
            column = _column_width(texts[number:])
            if used + column > width:
                yield tuple(current)
                current = []
        if not current:
            # A word that is too long behind the indent moves to the left, to stay whole; one that
            # no line has room for stays where it is broken no more often.
            room = (_breaks(needed, width) + 1) * width - needed
            used = _start(hanging if number else indent, room)
            current = [Piece(" " * used)]
        current.extend(word)
        used += display_width(texts[number])
    yield tuple(current)


def _breaks(length: int, width: int) -> int:
    """How often a terminal breaks so long a text: a word longer than a line stays where it is
    broken no more often than on lines of its own."""
    return (length - 1) // width


def _column_width(texts: list[str]) -> int:
    """The columns up to the next wide gap."""
    length = 0
    for text in texts:
        length += display_width(text)
        if text.endswith(" " * _GAP):
            break
    return length - (len(text) - len(text.rstrip()))


def _start(wanted: int, room: int) -> int:
    """Where a line starts that has to leave so much room: at an indent like all others."""
    return wanted if wanted <= room else max(0, room - room % INDENT)


def _words(line: Line) -> Iterator[list[Piece]]:
    """`line` cut before every word; each keeps the spaces that follow it. A word may be of
    several pieces: a line is never broken where no space stands."""
    word: list[Piece] = []
    for text, style in line:
        start = 0
        for position in range(len(text)):
            before = text[position - 1] if position else (word[-1].text[-1:] if word else "")
            if before == " " and text[position] != " ":
                if text[start:position]:
                    word.append(Piece(text[start:position], style))
                yield word
                word = []
                start = position
        if text[start:]:
            word.append(Piece(text[start:], style))
    if word:
        yield word
