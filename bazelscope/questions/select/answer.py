"""The answer to `select` as a value."""

from __future__ import annotations

import enum

from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.questions.shared.endpoint_answers import NameAnswer, may_be_there
from bazelscope.questions.shared.envelope import Answer
from bazelscope.questions.shared.nodes import NodeAnswer, OptionNeed
from bazelscope.questions.shared.select_answers import IncompatibleAnswer, SelectAnswer


class WayKind(enum.Enum):
    CONFIG = "named-config"
    FLAGS = "flags"
    LESS = "less"


@dataclass(frozen=True, slots=True)
class Way:
    """A change of the command line under which the branch is taken: it was tried.

    `words` are to be added, `without` to be left out. `location` is the line that a named
    config sets the deciding flag in, `through` the configs between.
    """

    kind: WayKind
    words: tuple[str, ...]
    without: tuple[str, ...] = ()
    location: Location | None = None
    through: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BranchWays:
    """How a branch that is not taken would be.

    `ways` are changes that were tried and do it; where there are none, `needs` are what its
    condition asks for and is not in force, and `obstacles` the conditions whose branches
    win instead of it, or that may not hold beside it.
    """

    condition: Label
    ways: tuple[Way, ...]
    needs: tuple[OptionNeed, ...] = ()
    obstacles: tuple[Label, ...] = ()
    is_contradictory: bool = False
    """Whether no flags at all can have it taken, as far as can be told."""
    is_tried: bool = True
    """Changes are tried for the first branches of a select(), however many it has."""


@dataclass(frozen=True, slots=True)
class Separation:
    """For an ambiguous select(): what `condition` would have to ask for besides, to be more
    specific than every other one that holds."""

    condition: Label
    entries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SelectWays:
    """One select() and, for each branch that is not taken, what would take it."""

    select: SelectAnswer
    others: tuple[BranchWays, ...]
    separations: tuple[Separation, ...] = ()


@dataclass(frozen=True, slots=True)
class SelectsAnswer(Answer):
    """Every select() of one target, or of its attribute `attribute`.

    `problem` says why there is none to show, although the target is known.
    """

    target: NameAnswer
    attribute: str | None
    node: NodeAnswer | None = None
    selects: tuple[SelectWays, ...] = ()
    incompatible: IncompatibleAnswer | None = None
    problem: str = ""

    @property
    def is_negative(self) -> bool:
        return self.node is None or bool(self.problem and self.attribute)

    @property
    def is_open(self) -> bool:
        return may_be_there(self.target)
