"""Why one target depends on another: the path to show, or every path, and what each takes.

The one path to show costs first the flags that it needs and that are not in force, then
its conditional edges, then its length: an unconditional path is always preferred to a
conditional one, and a default branch to one that wants a flag. All paths come shortest
first. Requirements add up along a path; one that contradicts itself (`cpu` both `k8` and
`arm`) is no path: it is left out of the list, and shown only where there is no other.
"""

from __future__ import annotations

import heapq
from collections.abc import Container, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from bazelscope.analysis.conditions.atoms import FlagRequirement, sorted_needs
from bazelscope.analysis.conditions.edges import Edge
from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.analysis.paths.alternatives import FREE
from bazelscope.analysis.paths.clashes import Clash
from bazelscope.analysis.paths.path_prefixes import (
    PathStep,
    Situation,
    Situations,
    clash_of,
    without_dominated,
)
from bazelscope.analysis.paths.routes import FREE_ROUTE, Route, RoutedEdges
from bazelscope.analysis.paths.simple_paths import BudgetExceededError, SimplePaths
from bazelscope.analysis.paths.transition_scopes import TOP, Scope
from bazelscope.base.label import Label

# States kept per target: further ones need supersets of flags or cost more, and are rare.
_STATES_PER_TARGET = 8
# The same for each prefix of a listed path, which is one way among others between places.
_SITUATIONS_PER_PREFIX = 32
# Prefixes looked at before a list is called incomplete: seconds, whatever the graph.
_BUDGET = 200_000


@dataclass(frozen=True, slots=True)
class Path:
    """A path of the unconfigured graph, and everything it needs together.

    `needs` are the flags (and constraints) without which it does not exist; those of
    `unmet` are not in force in the configuration that the search took as its reference.
    `forbids` are combinations that must not hold beside the needs. `clash`: requirements
    that exclude each other; then no configuration that we can tell has it. `is_sure` is
    false where some of what it takes could not be told.
    """

    source: Label
    target: Label
    steps: tuple[PathStep, ...]
    needs: tuple[FlagRequirement, ...] = ()
    unmet: tuple[FlagRequirement, ...] = ()
    forbids: tuple[tuple[FlagRequirement, ...], ...] = ()
    clash: Clash | None = None
    is_sure: bool = True

    @property
    def labels(self) -> tuple[Label, ...]:
        return (self.source, *(step.edge.target for step in self.steps))

    @property
    def contradiction(self) -> tuple[FlagRequirement, ...]:
        return self.clash.needs if self.clash else ()


@dataclass(frozen=True, slots=True)
class Paths:
    """Paths between two targets, shortest first.

    `left_out` are contradictions with the number of paths that each rules out (None where
    cycles keep that from being counted). `more` is the number of paths that were not
    looked at, contradictory ones among them, None if it cannot be told; `is_complete`
    says that there are none.
    """

    paths: tuple[Path, ...] = ()
    left_out: tuple[tuple[Clash, int | None], ...] = ()
    more: int | None = 0
    is_complete: bool = True


class Place(NamedTuple):
    """A target on a path, and how many of the route's `via` lie behind."""

    label: Label
    done: int


class PathSpace:
    """The unconfigured graph along one route, as `SimplePaths` walks it."""

    def __init__(self, graph: TargetGraph, source: Label, target: Label, route: Route) -> None:
        self.route = route
        self.target = target
        self.start = Place(source, route.behind(source, 0))
        self.edges = RoutedEdges(graph, route, source, target).edges

    def successors(self, place: Place) -> Iterator[tuple[Place, int]]:
        weights: dict[Place, int] = {}
        if place.label == self.target:
            return iter(())
        for edge, after in self.leaving(place):
            weight = int(edge.branch is not None)
            weights[after] = min(weight, weights.get(after, 1))
        return iter(weights.items())

    def leaving(self, place: Place) -> Iterator[tuple[Edge, Place]]:
        """The edges from a place that the route allows, and where they lead."""
        for edge in self.edges(place.label):
            yield edge, Place(edge.target, self.route.behind(edge.target, place.done))

    def between(self, place: Place, after: Place) -> list[Edge]:
        return [edge for edge, to in self.leaving(place) if to == after]

    def is_end(self, place: Place) -> bool:
        return place.label == self.target and place.done == self.route.length

    def site(self, place: Place) -> Label:
        return place.label


class _Prefix(NamedTuple):
    situations: tuple[Situation, ...]
    is_complete: bool


_Cost = tuple[int, int, int]


class PathFinder:
    """Searches the unconfigured graph; `reference` says which flags are in force anyway."""

    def __init__(self, graph: TargetGraph, reference: Configuration) -> None:
        self._graph = graph
        self._situations = Situations(graph, Conditions(graph.source, reference))

    def find(self, source: Label, target: Label, route: Route = FREE_ROUTE) -> Path | None:
        """The best path, or None if no path leads from `source` to `target` that way."""
        space = PathSpace(self._graph, source, target, route)
        leading = _leading(self._graph, source, target)
        if not leading:
            return None
        found = self._search(space, leading, consistent=True)
        if found is None:
            # Either every path contradicts itself, or the search kept too few states.
            listed = self.every(source, target, route, most=1)
            if listed.paths:
                return listed.paths[0]
            if listed.is_complete and not listed.left_out:
                return None
            found = self._search(space, leading, consistent=False)
            if found is not None:
                path = self._path(source, target, found)
                return replace(path, clash=self._situations.first_clash(source, found.edges()))
        return self._path(source, target, found) if found is not None else None

    def every(
        self, source: Label, target: Label, route: Route = FREE_ROUTE, most: int = 10
    ) -> Paths:
        """The shortest paths that do not contradict themselves, at most so many."""
        space = PathSpace(self._graph, source, target, route)
        walks = SimplePaths(space, space.start)
        left_out: dict[Clash, int | None] = {}

        def extend(prefix: _Prefix, place: Place, after: Place) -> _Prefix | None:
            clashes: list[Clash] = []
            edges = space.between(place, after)
            found = [
                situation
                for before in prefix.situations
                for edge in edges
                for situation in self._situations.forward(before, edge, clashes)
            ]
            if not found and not prefix.is_complete:
                # What was dropped might have fitted: let it through, unsettled.
                found = list(self._situations.forward(prefix.situations[0], edges[0]))
                for situation in found:
                    situation.is_sure = False
            kept, is_complete = without_dominated(found, _SITUATIONS_PER_PREFIX)
            if not kept:
                ruled_out = walks.completions(after)
                before_that = left_out.get(clashes[0], 0)
                is_known = ruled_out is not None and before_that is not None
                left_out[clashes[0]] = (before_that or 0) + (ruled_out or 0) if is_known else None
                return None
            return _Prefix(tuple(kept), prefix.is_complete and is_complete)

        first = _Prefix((self._situations.start(source),), True)
        paths: list[Path] = []
        is_complete = True
        try:
            for found in walks.iterate(first, extend, _BUDGET):
                if len(paths) == most:
                    is_complete = False
                    break
                best = min(found.context.situations, key=self._price)
                paths.append(self._path(source, target, best))
        except BudgetExceededError:
            is_complete = False
        reasons = tuple(sorted(left_out.items(), key=lambda one: (-(one[1] or 0), str(one[0]))))
        total, gone = walks.total, [count for _, count in reasons]
        more: int | None = None
        if is_complete:
            more = 0
        elif total is not None:
            more = total - len(paths) - sum(count or 0 for count in gone)
        return Paths(tuple(paths), reasons, more, is_complete)

    def step(self, edge: Edge, scope: Scope = TOP) -> PathStep:
        """What one edge takes."""
        return self._situations.step(edge, scope)

    def seen(self) -> tuple[FlagRequirement, ...]:
        """Every requirement that was met with in the searches so far."""
        return self._situations.requirements.seen()

    def seen_below(self, source: Label) -> tuple[FlagRequirement, ...]:
        """Every requirement of the branches in all that `source` depends on."""
        requirements = self._situations.requirements
        for label in self._graph.deps([source]):
            for edge in self._graph.edges(label):
                if edge.branch is not None:
                    requirements.of_branch(edge.branch.selector, edge.branch.branch)
        return requirements.seen()

    def _price(self, situation: Situation) -> tuple[int, int]:
        return len(self._situations.unmet(situation.alternative)), situation.conditional

    def _search(
        self, space: PathSpace, leading: Container[Label], consistent: bool
    ) -> Situation | None:
        """The cheapest way; `leading` are the targets that lead to the end at all."""
        situations, route, edges_at = self._situations, space.route, space.edges
        start, done = space.start
        queue: list[tuple[_Cost, int, int, Situation]]
        queue = [((0, 0, 0), 0, done, situations.start(start))]
        accepted: list[dict[Label, list[Situation]]] = [{} for _ in range(route.length + 1)]
        serial = 0
        while queue:
            (needs, _, length), _, done, situation = heapq.heappop(queue)
            label = situation.edge.target if situation.edge is not None else start
            if not self._accept(accepted[done], label, situation):
                continue
            if label == space.target:
                if done == route.length:
                    return situation
                continue
            for edge in edges_at(label):
                target = edge.target
                if target not in leading:
                    continue
                behind = route.behind(target, done) if route.via else 0
                before = accepted[behind].get(target)
                if before is not None and before[0].alternative is FREE:
                    continue
                if behind and _repeats(situation, target, start):
                    continue
                for reached in situations.forward(situation, edge, [] if consistent else None):
                    serial += 1
                    wanted = needs
                    if reached.alternative is not situation.alternative:
                        wanted = len(situations.unmet(reached.alternative))
                    cost = (wanted, reached.conditional, length + 1)
                    heapq.heappush(queue, (cost, serial, behind, reached))
        return None

    @staticmethod
    def _accept(accepted: dict[Label, list[Situation]], label: Label, situation: Situation) -> bool:
        """Whether a state is worth expanding: none before it needs less at no more cost.

        In another scope less may be asked further on. To tell them apart everywhere costs
        three times as much; `every` does so, where nothing is found this way.
        """
        before = accepted.get(label)
        if before is None:
            accepted[label] = [situation]
            return True
        if len(before) >= _STATES_PER_TARGET or any(
            s.alternative.covers(situation.alternative) for s in before
        ):
            return False
        before.append(situation)
        return True

    def _path(self, source: Label, target: Label, end: Situation) -> Path:
        whole = end.alternative
        forbids = sorted((sorted_needs(f) for f in whole.left_to_forbid()), key=str)
        return Path(
            source,
            target,
            self._situations.steps(source, end.edges()),
            sorted_needs(whole.needs),
            self._situations.unmet(whole),
            tuple(forbids),
            clash_of(whole),
            end.is_sure,
        )


def _leading(graph: TargetGraph, source: Label, target: Label) -> set[Label]:
    """The targets on all ways from `source` to `target`; empty if there is no way."""
    before: dict[Label, list[Label]] = {source: []}
    pending = [source]
    while pending:
        label = pending.pop()
        for edge in graph.edges(label):
            known = before.get(edge.target)
            if known is None:
                before[edge.target] = [label]
                pending.append(edge.target)
            else:
                known.append(label)
    leading = {target} if target in before else set()
    pending.extend(leading)
    while pending:
        for label in before[pending.pop()]:
            if label not in leading:
                leading.add(label)
                pending.append(label)
    return leading


def _repeats(situation: Situation, label: Label, start: Label) -> bool:
    """Whether a path has come by `label` already."""
    return label == start or any(edge.target == label for edge in situation.edges())


def find_path(
    graph: TargetGraph,
    source: Label,
    target: Label,
    reference: Configuration,
    route: Route = FREE_ROUTE,
) -> Path | None:
    """The best path of the unconfigured graph from `source` to `target`; None for none.

    `reference` is the configuration of the plain rc lines: what is in force anyway.
    """
    return PathFinder(graph, reference).find(source, target, route)


def list_paths(
    graph: TargetGraph,
    source: Label,
    target: Label,
    reference: Configuration,
    route: Route = FREE_ROUTE,
    most: int = 10,
) -> Paths:
    """The shortest simple paths of the unconfigured graph that flags can make."""
    return PathFinder(graph, reference).every(source, target, route, most)
