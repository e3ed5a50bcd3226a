"""The answers to `deps` and `rdeps` as values."""

from __future__ import annotations

import enum

from bazelscope.analysis.conditions.edges import UnknownEdges
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.questions.shared.endpoint_answers import NameAnswer, may_be_there
from bazelscope.questions.shared.envelope import Answer
from bazelscope.questions.shared.nodes import EdgeAnswer, NodeAnswer
from bazelscope.questions.shared.select_answers import IncompatibleAnswer

_MISSING = frozenset({"no-such-package", "no-such-target"})
"""Dependencies that are not there: Bazel would not build what asks for them."""


class Direction(enum.Enum):
    DEPENDENCIES = "deps"
    DEPENDENTS = "rdeps"


@dataclass(frozen=True, slots=True)
class Dependency:
    """A target that was reached, `distance` edges away, and the edge that it was first
    reached by. `configuration` is `target`, `exec`, `host` or `source`; None where every
    branch counts."""

    node: NodeAnswer
    distance: int
    edge: EdgeAnswer
    configuration: str | None = None


@dataclass(frozen=True, slots=True)
class TreeRow:
    """A line of the tree, in the order of reading. `depth` counts from the target that was asked
    about; `is_last`: of those below the same one. `is_shown`: what is below it stands further up;
    `hidden` counts the edges that lead on from it beyond the levels that were asked for."""

    node: NodeAnswer
    depth: int
    is_last: bool
    edge: EdgeAnswer | None = None
    configuration: str | None = None
    is_shown: bool = False
    hidden: int = 0


@dataclass(frozen=True, slots=True)
class DependenciesAnswer(Answer):
    """What a target depends on, or what depends on it.

    `configured`: only the branches that the flags choose count. `dependencies` go as far as
    `levels` (None: all the way), nearest first; `total` counts the targets that
    are reached, each once in however many configurations. Of what depends on a target, only
    that is looked at which `within` depends on, or the workspace's own packages; `never` are
    targets whose edges lead to it, but no flags take these together, None if there are too many
    cases to tell. Implicit
    dependencies do not count.
    """

    target: NameAnswer
    direction: Direction
    configured: bool
    levels: int | None
    within: NameAnswer | None = None
    node: NodeAnswer | None = None
    dependencies: tuple[Dependency, ...] = ()
    total: int = 0
    direct: int = 0
    never: tuple[Label, ...] | None = ()
    hidden: tuple[UnknownEdges, ...] = ()
    incompatible: IncompatibleAnswer | None = None
    tree: tuple[TreeRow, ...] = ()
    """Where a tree was asked for: as far as `tree_levels`."""
    tree_levels: int | None = None

    @property
    def is_negative(self) -> bool:
        return self.node is None

    @property
    def is_open(self) -> bool:
        return may_be_there(self.target, self.within)

    @property
    def is_partial(self) -> bool:
        is_forward, node = self.direction is Direction.DEPENDENCIES, self.node
        is_unknown = is_forward and node is not None and node.unknown is not None
        return (
            is_unknown
            or self.never is None
            or any(d.code in _MISSING for d in self.envelope.diagnostics)
        )
