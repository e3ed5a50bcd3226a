"""Which paths count: targets to avoid, targets to come by, attributes to keep to.

A place on a path is a node and the number of `via` targets that lie behind it, so that a
search over places needs to know nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence

from bazelscope.analysis.conditions.edges import Edge, EdgeKind
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.base.label import Label, PatternKind, TargetPattern
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.memoized import memoized
from bazelscope.loading.packages.targets import Rule

_STAND_INS = frozenset({"alias", "bind"})


@dataclass(frozen=True, slots=True)
class Route:
    """What is asked of a path beside its ends.

    `avoid`: no target of the path, its ends excepted, may be one that these patterns
    mean. `via`: the targets that it must come by, in this order. `through`: the attributes
    that its edges may take; empty means all. An edge that no attribute makes (from a
    generated file to its rule) is always allowed, and so is what an alias stands for.
    """

    avoid: tuple[TargetPattern, ...] = ()
    via: tuple[Label, ...] = ()
    through: frozenset[str] = frozenset()

    @property
    def is_free(self) -> bool:
        return not self.avoid and not self.via and not self.through

    def avoids(self, label: Label) -> bool:
        """Whether a path may not come by `label`."""
        return any(covers(pattern, label) for pattern in self.avoid)

    def behind(self, label: Label, done: int) -> int:
        """How many of `via` lie behind once a path has come to `label`."""
        while done < len(self.via) and self.via[done] == label:
            done += 1
        return done

    @property
    def length(self) -> int:
        return len(self.via)


FREE_ROUTE = Route()


def covers(pattern: TargetPattern, label: Label) -> bool:
    """Whether a target pattern means `label`. Files count wherever their package does:
    who avoids a package wants nothing of it on the path."""
    wanted = pattern.label
    if wanted.repository != label.repository:
        return False
    if pattern.kind is PatternKind.TARGET:
        return wanted == label
    if wanted.package == label.package:
        return True
    below = f"{wanted.package}/" if wanted.package else ""
    return pattern.recursive and label.package.startswith(below)


class RoutedEdges:
    """The edges of a target graph that a route allows between two targets."""

    def __init__(self, graph: TargetGraph, route: Route, source: Label, target: Label) -> None:
        self._graph = graph
        self._route = route
        self._ends = (source, target)

    @property
    def is_every(self) -> bool:
        """Whether a path may take every edge."""
        return not self._route.avoid and not self._route.through

    def allows(self, edge: Edge) -> bool:
        """Whether a path may take the edge."""
        return self._is_through(edge) and not self._is_avoided(edge.target)

    def edges(self, label: Label) -> Sequence[Edge]:
        """The edges that leave `label` and may be taken."""
        edges = self._graph.edges(label)
        return edges if self.is_every else [edge for edge in edges if self.allows(edge)]

    def _is_through(self, edge: Edge) -> bool:
        wanted = self._route.through
        if not wanted or edge.attribute in wanted or edge.kind is EdgeKind.GENERATED_BY:
            return True
        if edge.attribute != "actual":
            return False
        source = self._graph.node(edge.source)
        return isinstance(source, Rule) and source.rule_class.name in _STAND_INS

    @memoized
    def _is_avoided(self, label: Label) -> bool:
        return label not in self._ends and self._route.avoids(label)
