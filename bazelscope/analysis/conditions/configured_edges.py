"""Nodes and edges of the configured graph.

A node is a label in a configuration. An edge says whether its branch is taken: the branches
that a configuration does not choose are kept too, so that a search can tell what cuts a path.
"""

from __future__ import annotations

import enum

from bazelscope.analysis.conditions.edges import Edge
from bazelscope.analysis.conditions.select_choice import Chosen, SelectResult, UnknownChoice
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import Branch, Selector


@dataclass(slots=True, eq=False)
class ConfiguredNode:
    """A target under a configuration; None for files and package groups.

    `ConfiguredGraph.node` makes one per target and configuration: nodes are compared, and
    hashed, by identity, since graphs look them up hundreds of thousands of times.
    """

    label: Label
    configuration: Configuration | None

    @property
    def description(self) -> str:
        """`target`, `exec`, `host` or `source`."""
        return "source" if self.configuration is None else self.configuration.kind.value

    @property
    def configuration_name(self) -> str:
        """What we print for Bazel's hash: `target`, `exec`, `host`, or `null` for none."""
        return "null" if self.configuration is None else self.description


class Taken(enum.Enum):
    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"
    """The select's choice cannot be told and this branch is a possible one."""


class ConfiguredEdge(NamedTuple):
    """An edge of one configured node. `choice` is the select it hangs on, if any;
    `unknown` says what about the edge cannot be told (its configuration, for one)."""

    edge: Edge
    target: ConfiguredNode
    taken: Taken
    choice: SelectResult | None = None
    unknown: Unknown | None = None

    @property
    def uncertain(self) -> Unknown | None:
        """Why it cannot be told whether the edge is taken, or how its target is built."""
        if self.taken is Taken.UNKNOWN and isinstance(self.choice, UnknownChoice):
            return self.choice.unknowns[0]
        return self.unknown


@dataclass(frozen=True, slots=True)
class SelectChoice:
    """One select of a target, and what became of it."""

    attribute: str
    index: int
    selector: Selector
    result: SelectResult


def is_taken(choice: SelectResult, wanted: Branch) -> Taken:
    """Whether a branch of a select() is the one that was chosen."""
    if isinstance(choice, Chosen):
        # Two spellings of one label merge into the later branch: compare the branches.
        return Taken.YES if choice.branch is wanted else Taken.NO
    if isinstance(choice, UnknownChoice):
        possible = any(branch.condition == wanted.condition for branch in choice.possible)
        return Taken.UNKNOWN if possible else Taken.NO
    return Taken.NO
