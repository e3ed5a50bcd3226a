"""Dependency edges between targets, each with the attribute and the branch that made it."""

from __future__ import annotations

import enum
from collections.abc import Iterator

from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import Branch, Selector


class EdgeKind(enum.Enum):
    ATTRIBUTE = "attribute"
    """A label that a BUILD file or a macro put into an attribute."""
    ASSUMED = "assumed"
    """A label in an attribute of a rule whose class is not known: most likely the same."""
    IMPLICIT = "implicit"
    """A label that comes from the rule class's defaults."""
    ASPECT = "aspect"
    """A label that an aspect of one of the rule's attributes depends on."""
    CONDITION = "condition"
    """A rule depends on the config_settings that are keys of its selects."""
    GENERATED_BY = "generated-by"
    """A generated file depends on the rule that generates it."""
    TOOLCHAIN = "toolchain"
    """A toolchain type that a rule asks for, and what resolution chooses; what stands for the
    C++ toolchain depends on what flags choose."""
    PACKAGE_GROUP = "package-group"
    """A package group includes another."""


WRITTEN = frozenset({EdgeKind.ATTRIBUTE, EdgeKind.ASSUMED})
"""Edges of labels that somebody wrote into an attribute."""

_ASSUMED = EdgeKind.ASSUMED
_NAMES_OF_DEPENDENCIES = frozenset(
    {"data", "deps", "embed", "exports", "hdrs", "runtime_deps", "srcs", "tools"}
)
"""What rules call their dependencies: what an unknown one makes of others need be none."""


@dataclass(frozen=True, slots=True)
class ChosenBranch:
    """The branch of one select() that an edge hangs on. `under`: the one that it stands in
    itself, in a default that is computed from several select()s."""

    selector: Selector
    branch: Branch
    under: ChosenBranch | None = None

    def chain(self) -> Iterator[ChosenBranch]:
        """All branches that have to be taken, the innermost first."""
        chosen: ChosenBranch | None = self
        while chosen is not None:
            yield chosen
            chosen = chosen.under


class Edge(NamedTuple):
    """`source` depends on `target`. `branch` is None where the edge is unconditional.

    A named tuple, as labels are: a graph has tens of thousands.
    """

    source: Label
    target: Label
    attribute: str
    kind: EdgeKind = EdgeKind.ATTRIBUTE
    branch: ChosenBranch | None = None
    is_tool: bool = False
    """The target is built for the execution platform."""

    @property
    def is_of_default(self) -> bool:
        """Whether it leads to the attribute's default, for which its branch, None, stands; it
        is an implicit dependency of a configured target, though not to a query."""
        return self.branch is not None and self.branch.branch.value is None

    @property
    def may_be_none(self) -> bool:
        """Whether it comes of a text that may be no label at all: one in an attribute of an
        unknown rule that is not called as rules call their dependencies."""
        return self.kind is _ASSUMED and self.attribute not in _NAMES_OF_DEPENDENCIES


@dataclass(frozen=True, slots=True)
class UnknownEdges:
    """Dependencies that an attribute may have and the files do not tell."""

    source: Label
    attribute: str
    unknown: Unknown
