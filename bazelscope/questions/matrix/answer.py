"""The answer to `matrix` as a value: a cell for each line, and the cells that agree."""

from __future__ import annotations

import enum

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.questions.shared.envelope import Answer


class MatrixQuestion(enum.Enum):
    """What can be asked of every line."""

    NEEDS = "needs"
    HOLDS = "holds"
    FLAG = "flag"
    CHECK = "check"
    REFUSED = "refused"
    SIZE = "size"


UNKNOWN_NAME, NO_FLAG = "unknown name", "no such flag"
NO_SUCH = frozenset({UNKNOWN_NAME, NO_FLAG})
"""What comes of a cell where a name means nothing, or too much."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One direction of the table: `configs`, `hosts` or `versions`, and its values."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """One line: its value on each axis, in their order, and what came of the question there,
    in a few words; `group` is the number of the group of cells that agree with it. `problem`:
    the question could not be answered as asked, and why."""

    at: tuple[str, ...]
    outcome: str
    group: int
    problem: str = ""
    refused: str | None = None


@dataclass(frozen=True, slots=True)
class CellGroup:
    """Cells that agree in everything. `where` says which they are; the first group is the
    largest that has an answer, and of the others `more` and `fewer` are the details that it has
    not, or alone has. `details` are those of the first: targets, findings, refusals, places."""

    outcome: str
    where: str
    cells: int
    details: tuple[str, ...] = ()
    more: tuple[str, ...] = ()
    fewer: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MatrixAnswer(Answer):
    """What came of one question over all lines. `notes` are what was met on the way: workers
    that do not see the tree, or that were lost."""

    question: MatrixQuestion
    arguments: tuple[str, ...]
    axes: tuple[Axis, ...]
    cells: tuple[MatrixCell, ...]
    groups: tuple[CellGroup, ...]
    notes: tuple[str, ...] = ()

    @property
    def is_negative(self) -> bool:
        return all(cell.outcome in NO_SUCH for cell in self.cells)

    @property
    def is_partial(self) -> bool:
        return any(cell.problem or cell.refused for cell in self.cells)
