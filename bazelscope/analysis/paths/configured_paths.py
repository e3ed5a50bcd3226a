"""Why one target depends on another under given flags, or what stands in the way.

A path costs first the branches that are not chosen (its cuts), then the values that their
conditions miss, then the choices that cannot be told, then its length. Without a cut it is
a path of `cquery`; with cuts it is the best there would be, and they are what the flags
would have to change.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from itertools import pairwise, starmap

from bazelscope.analysis.conditions.configured_edges import ConfiguredEdge, ConfiguredNode, Taken
from bazelscope.analysis.conditions.match_result import MatchResult, NoMatch
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.paths.routes import FREE_ROUTE, Route, RoutedEdges
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.memoized import memoized
from bazelscope.base.named_tuple import NamedTuple

_Cost = tuple[int, int, int, int]
_Item = tuple[_Cost, int, "_Place", "_Place | None", ConfiguredEdge | None]
_Arrivals = dict["_Place", "tuple[_Place | None, ConfiguredEdge | None]"]


@dataclass(frozen=True, slots=True)
class ConfiguredStep:
    """One edge of a configured path, from `source` to `edge.target`."""

    source: ConfiguredNode
    edge: ConfiguredEdge


@dataclass(frozen=True, slots=True)
class Cut:
    """A branch on a path that is not taken: `index` of its step, its condition's match
    (None: it is the default branch, and another one is taken)."""

    index: int
    step: ConfiguredStep
    match: MatchResult | None


@dataclass(frozen=True, slots=True)
class ConfiguredPath:
    """A path under a configuration; `cuts` are what stands in its way, if anything."""

    source: Label
    target: Label
    steps: tuple[ConfiguredStep, ...]
    cuts: tuple[Cut, ...] = ()

    @property
    def exists(self) -> bool:
        return not self.cuts

    @property
    def labels(self) -> tuple[Label, ...]:
        return (self.source, *(step.edge.edge.target for step in self.steps))

    def nodes(self, graph: ConfiguredGraph) -> list[ConfiguredNode]:
        """What is on the way, as it is configured there: up to where the flags cut it."""
        nodes = [graph.top(self.source)]
        for step in self.steps:
            if step.edge.taken is Taken.NO:
                break
            nodes.append(step.edge.target)
        return nodes

    @property
    def uncertain(self) -> tuple[ConfiguredStep, ...]:
        """The steps whose branch may or may not be taken."""
        return tuple(step for step in self.steps if step.edge.taken is Taken.UNKNOWN)


@dataclass(frozen=True, slots=True)
class ConfiguredPaths:
    """The shortest paths under a configuration. `more` is the number of those that were
    not looked at, None if it cannot be told; `is_complete` says that there are none."""

    paths: tuple[ConfiguredPath, ...] = ()
    more: int | None = 0
    is_complete: bool = True


class _Place(NamedTuple):
    node: ConfiguredNode
    done: int


class _ConfiguredSpace:
    """The configured graph along one route, as `SimplePaths` walks it."""

    def __init__(self, graph: ConfiguredGraph, source: Label, target: Label, route: Route) -> None:
        self._graph = graph
        self._route = route
        self._target = target
        self._allows = RoutedEdges(graph.graph, route, source, target).allows
        self.start = _Place(graph.top(source), route.behind(source, 0))

    def leaving(self, place: _Place) -> Iterator[tuple[ConfiguredEdge, _Place]]:
        """Every edge that the route allows, taken or not, and where it leads."""
        is_free = self._route.is_free
        for edge in self._graph.edges(place.node):
            if is_free or self._allows(edge.edge):
                yield edge, _Place(edge.target, self._route.behind(edge.target.label, place.done))

    def successors(self, place: _Place) -> Iterator[tuple[_Place, int]]:
        weights: dict[_Place, int] = {}
        if place.node.label == self._target:
            return iter(())
        for edge, after in self.leaving(place):
            if edge.taken is not Taken.NO:
                weight = int(edge.taken is Taken.UNKNOWN)
                weights[after] = min(weight, weights.get(after, 1))
        return iter(weights.items())

    def step(self, place: _Place, after: _Place) -> ConfiguredStep:
        """The surest edge between two places."""
        edges = [e for e, to in self.leaving(place) if to == after and e.taken is not Taken.NO]
        edge = min(edges, key=lambda e: (e.taken is Taken.UNKNOWN, e.edge.branch is not None))
        return ConfiguredStep(place.node, edge)

    def is_end(self, place: _Place) -> bool:
        return place.node.label == self._target and place.done == self._route.length

    def site(self, place: _Place) -> tuple[Label, str]:
        return place.node.label, self._name(place.node.configuration)

    @memoized
    def _name(self, configuration: Configuration | None) -> str:
        return repr(configuration.key) if configuration is not None else ""


def list_configured_paths(
    graph: ConfiguredGraph, source: Label, target: Label, route: Route = FREE_ROUTE, most: int = 10
) -> ConfiguredPaths:
    """The shortest simple paths of branches that are taken or may be, at most so many."""
    from bazelscope.analysis.paths.simple_paths import SimplePaths

    space = _ConfiguredSpace(graph, source, target, route)
    walks = SimplePaths(space, space.start)
    paths = tuple(
        ConfiguredPath(source, target, tuple(starmap(space.step, pairwise(places))))
        for places, _ in walks.shortest(most, True, lambda *_: True)
    )
    total = walks.total
    more = 0 if walks.is_complete else None if total is None else total - len(paths)
    return ConfiguredPaths(paths, more, walks.is_complete)


def find_configured_path(
    graph: ConfiguredGraph, source: Label, target: Label, route: Route = FREE_ROUTE
) -> ConfiguredPath | None:
    """The best path under the graph's configuration, with its cuts if it is cut.

    None if not even the unconfigured graph has a path along that route.
    """
    space = _ConfiguredSpace(graph, source, target, route)
    serial = 0
    queue: list[_Item] = [((0, 0, 0, 0), 0, space.start, None, None)]
    arrived: _Arrivals = {}
    while queue:
        (cuts, missed, uncertain, length), _, place, parent, by = heapq.heappop(queue)
        if place in arrived:
            continue
        arrived[place] = (parent, by)
        if space.is_end(place):
            return _configured_path(graph, source, target, place, arrived)
        if place.node.label == target:
            continue
        for edge, after in space.leaving(place):
            if after in arrived or (after.done and _repeats(after.node, place, arrived)):
                continue
            serial += 1
            is_cut = edge.taken is Taken.NO
            cost = (
                cuts + is_cut,
                missed + (_missed(graph, place.node, edge) if is_cut else 0),
                uncertain + (edge.taken is Taken.UNKNOWN),
                length + 1,
            )
            heapq.heappush(queue, (cost, serial, after, place, edge))
    # Where targets depend on each other, the cheapest way to a `via` may bar the way on.
    listed = list_configured_paths(graph, source, target, route, most=1).paths
    return listed[0] if route.via and listed else None


def follow(graph: ConfiguredGraph, labels: tuple[Label, ...]) -> Taken:
    """Whether the path over these targets exists under the graph's configuration. Of the edges on
    the way, no others are configured."""
    sure, possible = {graph.top(labels[0])}, {graph.top(labels[0])}
    for label in labels[1:]:
        sure = _onward(graph, sure, label, (Taken.YES,))
        possible = _onward(graph, possible, label, (Taken.YES, Taken.UNKNOWN))
    return Taken.YES if sure else Taken.UNKNOWN if possible else Taken.NO


def _onward(
    graph: ConfiguredGraph, nodes: set[ConfiguredNode], label: Label, taken: tuple[Taken, ...]
) -> set[ConfiguredNode]:
    return {
        edge.target
        for node in nodes
        for edge in graph.taken_among(node, lambda edge: edge.target == label)
        if edge.taken in taken
    }


def _repeats(node: ConfiguredNode, place: _Place, arrived: _Arrivals) -> bool:
    """Whether the path to `place` has come by `node` already."""
    at: _Place | None = place
    while at is not None:
        if at.node == node:
            return True
        at = arrived[at][0]
    return False


def _missed(graph: ConfiguredGraph, node: ConfiguredNode, edge: ConfiguredEdge) -> int:
    """How many values of its condition keep a branch from being taken."""
    branch = edge.edge.branch
    if branch is None or branch.branch.is_default:
        return 1
    match = graph.conditions(node.configuration).match(branch.branch.condition)
    return len(match.diffs) if isinstance(match, NoMatch) else 1


def _configured_path(
    graph: ConfiguredGraph, source: Label, target: Label, end: _Place, arrived: _Arrivals
) -> ConfiguredPath:
    steps: list[ConfiguredStep] = []
    place = end
    while True:
        parent, edge = arrived[place]
        if parent is None or edge is None:
            break
        steps.append(ConfiguredStep(parent.node, edge))
        place = parent
    steps.reverse()
    cuts: list[Cut] = []
    for index, step in enumerate(steps):
        branch = step.edge.edge.branch
        if step.edge.taken is not Taken.NO or branch is None:
            continue
        match: MatchResult | None = None
        if not branch.branch.is_default:
            conditions = graph.conditions(step.source.configuration)
            match = conditions.match(branch.branch.condition)
        cuts.append(Cut(index, step, match))
    return ConfiguredPath(source, target, tuple(steps), tuple(cuts))
