"""The answer to `graph` as a value."""

from __future__ import annotations

import enum

from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.questions.shared.endpoint_answers import NameAnswer, PathOutcome, UnknownBelow
from bazelscope.questions.shared.envelope import Answer
from bazelscope.questions.shared.nodes import EdgeAnswer, NodeAnswer


class Collapse(enum.Enum):
    """What stands for one node of a graph."""

    NOTHING = "target"
    PACKAGE = "package"
    REPOSITORY = "repository"


NOUNS = {
    Collapse.NOTHING: ("target", "targets"),
    Collapse.PACKAGE: ("package", "packages"),
    Collapse.REPOSITORY: ("repository", "repositories"),
}
"""What one node of a graph is called, and several."""


@dataclass(frozen=True, slots=True)
class GroupAnswer:
    """The targets of one package or repository in a collapsed graph. `name` is
    `//core`, `@eigen//`, or `@eigen`; `location` is what defines the repository, or the
    first of the targets. `holds_end`: one of the two targets asked about is among them."""

    name: str
    repository: str
    targets: int
    location: Location | None = None
    holds_end: bool = False


@dataclass(frozen=True, slots=True)
class GroupLink:
    """The edges from one group to another: how many, how many of them hang on a select(),
    how many are for the execution platform, and the first few."""

    source: str
    target: str
    edges: int
    conditional: int = 0
    tools: int = 0
    examples: tuple[EdgeAnswer, ...] = ()


@dataclass(frozen=True, slots=True)
class GraphAnswer(Answer):
    """The targets and edges between two targets, or below one. In a collapsed graph there
    are `groups` and `links` instead. `hidden_nodes` counts what was left out because there
    is more than asked for, `hidden_levels` the targets that are further away than asked.
    `folded`: so many targets were too many to draw, and have packages or repositories in their
    place. `never`: the targets that edges lead to which no flags take, and that are not drawn; None
    if there are too many cases to tell. `unknown_below`: no path is known, but there may be one."""

    source: NameAnswer
    target: NameAnswer | None
    outcome: PathOutcome
    configured: bool
    nodes: tuple[NodeAnswer, ...] = ()
    edges: tuple[EdgeAnswer, ...] = ()
    hidden_nodes: int = 0
    collapse: Collapse = Collapse.NOTHING
    groups: tuple[GroupAnswer, ...] = ()
    links: tuple[GroupLink, ...] = ()
    hidden_levels: int = 0
    folded: int = 0
    never: tuple[Label, ...] | None = ()
    unknown_below: UnknownBelow | None = None

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to draw."""
        return not self.nodes and not self.groups

    @property
    def is_negative(self) -> bool:
        return self.is_empty

    @property
    def is_open(self) -> bool:
        return self.unknown_below is not None

    @property
    def is_partial(self) -> bool:
        return self.never is None
