"""The answer to `matrix` as text: what differs first, then the table."""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.questions.matrix.answer import CellGroup, MatrixAnswer, MatrixQuestion
from bazelscope.questions.matrix.find import described, shown_value
from bazelscope.questions.shared.text_endpoints import more_rows
from bazelscope.questions.shared.text_envelope import add_head
from bazelscope.render.counting import plural
from bazelscope.render.document import Document, Row, name, quiet, row, strong, verbatim, warning

_SHOWN = 6
_SETS = frozenset({MatrixQuestion.SIZE, MatrixQuestion.CHECK, MatrixQuestion.REFUSED})
"""Questions whose details are sets, of which one may have more than another."""
_OF_BUILDS = frozenset({MatrixQuestion.NEEDS, MatrixQuestion.SIZE})
_NOT_ASKED = (
    "Whether Bazel refuses these builds was not asked where many targets lie below (`matrix refused"
    " TARGET` asks)."
)


def matrix_document(answer: MatrixAnswer, full: bool = False) -> Document:
    """All cells, those that agree told once; `full` lists what is otherwise only counted."""
    document = Document()
    add_head(document, answer.envelope)
    document.add(_verdict(answer))
    for group in answer.groups[1:]:
        document.add(_difference(answer, group, full), heading(answer, group))
    document.add(_table(answer))
    first = answer.groups[0]
    if first.details:
        title = f"{first.outcome}: {first.where or 'in all cells'}"
        document.add(_listed(first.details, full), title)
    document.add(_told_once(answer, "problem"), "Not answered as asked")
    document.add(_told_once(answer, "refused"), "Bazel refuses the build")
    if answer.question in _OF_BUILDS and any(
        cell.refused is None and not cell.problem for cell in answer.cells
    ):
        document.add([row(quiet(_NOT_ASKED))])
    document.add([row(quiet(note)) for note in answer.notes])
    return document


def _told_once(answer: MatrixAnswer, of: str) -> Iterator[Row]:
    """What a member of cells says, each text once with the cells that it is of."""
    cells: dict[str, list[tuple[str, ...]]] = {}
    for cell in answer.cells:
        if text := getattr(cell, of):
            cells.setdefault(text, []).append(cell.at)
    for text, places in cells.items():
        where = described(places, answer.axes)
        yield row(warning(f"{where}: " if where else ""), text)


def _verdict(answer: MatrixAnswer) -> Iterator[Row]:
    asked = " ".join((answer.question.value, *answer.arguments))
    groups = answer.groups
    count = plural(len(answer.cells), "cell")
    if len(groups) == 1:
        yield row(strong(f"{asked}: {groups[0].outcome}"), f" in all of {count}.")
    elif len(groups) == 2:
        other = groups[1]
        told = f"only {other.where} differs: {other.outcome}{_by(answer, other)}"
        yield row(strong(f"{asked}: {groups[0].outcome}"), f"; {told}.")
    else:
        yield row(strong(f"{asked}: {len(groups)} different answers"), f" in {count}.")
        yield row(f"{groups[0].outcome}: {groups[0].where or 'most'}", indent=1)


def _by(answer: MatrixAnswer, group: CellGroup) -> str:
    if answer.question not in _SETS:
        return ""
    told = [f"{len(group.more)} more"] if group.more else []
    told += [f"{len(group.fewer)} fewer"] if group.fewer else []
    return f", by {' and '.join(told)}" if told else ""


def heading(answer: MatrixAnswer, group: CellGroup) -> str:
    """Which cells a group is, what came of them, and how many details it has more and fewer."""
    return f"{group.where}: {group.outcome}{_by(answer, group)}"


def _difference(answer: MatrixAnswer, group: CellGroup, full: bool) -> Iterator[Row]:
    if not group.more and not group.fewer:
        yield row(quiet(plural(group.cells, "cell")))
    if answer.question not in _SETS:
        yield from _listed(group.more, full)
        return
    for sign, lines in (("+ ", group.more), ("- ", group.fewer)):
        yield from _listed(lines, full, sign)


def _listed(lines: tuple[str, ...], full: bool, sign: str = "") -> Iterator[Row]:
    shown = lines if full else lines[:_SHOWN]
    for line in shown:
        yield row(sign, name(line)) if sign else row(name(line))
    yield from more_rows(len(lines) - len(shown))


def _table(answer: MatrixAnswer) -> Iterator[Row]:
    rows = table(answer)
    widths = [max(len(line[column]) for line in rows) for column in range(len(rows[0]))]
    for number, line in enumerate(rows):
        text = "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        yield verbatim(quiet(text.rstrip()) if number == 0 else text.rstrip())


def table(answer: MatrixAnswer) -> list[list[str]]:
    """The cells as rows: the first axis downwards, the others from left to right."""
    first, *others = answer.axes
    columns: dict[tuple[str, ...], None] = dict.fromkeys(cell.at[1:] for cell in answer.cells)
    outcomes = {cell.at: cell.outcome for cell in answer.cells}
    heads = [
        " ".join(shown_value(axis.name, one) for axis, one in zip(others, column, strict=True))
        or answer.question.value
        for column in columns
    ]
    rows = [["", *heads]]
    for value in first.values:
        cells = [outcomes[value, *column] for column in columns]
        rows.append([shown_value(first.name, value), *cells])
    return rows
