"""Why one target depends on another: the path to show, and what it takes.

A path costs first the flags that it needs and that are not in force, then
its conditional edges, then its length: an unconditional path is always preferred to a
conditional one, and a default branch to one that wants a flag. Requirements add up along
a path; one that contradicts itself (`cpu` both `k8` and `arm`) is no path, unless there
is no other.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass

from bazelscope.analysis.conditions import Conditions
from bazelscope.analysis.configuration import Configuration
from bazelscope.analysis.edges import Edge
from bazelscope.analysis.graph import TargetGraph
from bazelscope.analysis.requirements import (
    FREE,
    Alternative,
    FlagRequirement,
    Requirements,
    in_force,
    sorted_needs,
)
from bazelscope.analysis.selects import distinct_branches
from bazelscope.label import Label
from bazelscope.unknown import Unknown

# States kept per node: further ones need supersets of flags or cost more, and are rare.
_STATES_PER_NODE = 8


@dataclass(frozen=True, slots=True)
class PathStep:
    """One edge of a path and what it takes.

    `alternatives` are the ways to have its branch taken, `excluded` the conditions of the
    same select that must not match for that. `unknown`: what it takes cannot be told.
    """

    edge: Edge
    alternatives: tuple[Alternative, ...] = ()
    excluded: tuple[Label, ...] = ()
    unknown: Unknown | None = None

    @property
    def is_conditional(self) -> bool:
        return self.edge.branch is not None


@dataclass(frozen=True, slots=True)
class Path:
    """A path of the unconfigured graph, and everything it needs together.

    `needs` are the flags (and constraints) without which it does not exist; those of
    `unmet` are not in force in the configuration that the search took as its reference.
    `forbids` are combinations that must not hold beside the needs. `contradiction`:
    requirements that exclude each other; then no configuration that we can tell has it.
    """

    source: Label
    target: Label
    steps: tuple[PathStep, ...]
    needs: tuple[FlagRequirement, ...] = ()
    unmet: tuple[FlagRequirement, ...] = ()
    forbids: tuple[tuple[FlagRequirement, ...], ...] = ()
    contradiction: tuple[FlagRequirement, ...] = ()

    @property
    def labels(self) -> tuple[Label, ...]:
        return (self.source, *(step.edge.target for step in self.steps))


_Cost = tuple[int, int, int]


class _State:
    """A node reached with some requirements, by an edge from another state."""

    __slots__ = ("alternative", "edge", "label", "parent")

    def __init__(
        self, label: Label, alternative: Alternative, parent: _State | None, edge: Edge | None
    ) -> None:
        self.label = label
        self.alternative = alternative
        self.parent = parent
        self.edge = edge

    def edges(self) -> list[Edge]:
        edges: list[Edge] = []
        state: _State | None = self
        while state is not None and state.edge is not None:
            edges.append(state.edge)
            state = state.parent
        edges.reverse()
        return edges


class PathFinder:
    """Searches the unconfigured graph; `reference` says which flags are in force anyway."""

    def __init__(self, graph: TargetGraph, reference: Configuration) -> None:
        self._graph = graph
        self._conditions = Conditions(graph.source, reference)
        self._requirements = Requirements(self._conditions)
        self._met: dict[FlagRequirement, bool] = {}

    def find(self, source: Label, target: Label) -> Path | None:
        """The best path, or None if `target` is not in `deps(source)`."""
        if target not in self._graph.deps([source]):
            return None
        state = self._search(source, target, consistent=True)
        if state is None:
            state = self._search(source, target, consistent=False)
        assert state is not None
        return self._path(source, target, state)

    def step(self, edge: Edge) -> PathStep:
        """What one edge takes."""
        if edge.branch is None:
            return PathStep(edge, (FREE,))
        selector, branch = edge.branch.selector, edge.branch.branch
        found = self._requirements.of_branch(selector, branch)
        excluded = tuple(
            other.condition
            for other in distinct_branches(selector)
            if other.condition != branch.condition
            and not other.is_default
            and not (
                not branch.is_default
                and self._conditions.refines(branch.condition, other.condition)
            )
        )
        if isinstance(found, Unknown):
            return PathStep(edge, (FREE,), excluded, found)
        return PathStep(edge, found, excluded)

    def _is_met(self, need: FlagRequirement) -> bool:
        met = self._met.get(need)
        if met is None:
            met = self._met[need] = in_force(need, self._conditions).holds
        return met

    def _search(self, source: Label, target: Label, consistent: bool) -> _State | None:
        queue: list[tuple[_Cost, int, _State]] = [((0, 0, 0), 0, _State(source, FREE, None, None))]
        accepted: dict[Label, list[Alternative]] = {}
        serial = 0
        while queue:
            (needs, conditional, length), _, state = heapq.heappop(queue)
            label, alternative = state.label, state.alternative
            if not self._accept(accepted, label, alternative):
                continue
            if label == target:
                return state
            for edge in self._graph.edges(label):
                before = accepted.get(edge.target)
                if before is not None and before[0] is FREE:
                    continue
                for merged in self._merged(alternative, edge, consistent):
                    serial += 1
                    cost = (needs, conditional, length + 1)
                    if edge.branch is not None:
                        wanted = needs
                        if merged is not alternative:
                            wanted = sum(not self._is_met(n) for n in merged.needs)
                        cost = (wanted, conditional + 1, length + 1)
                    heapq.heappush(queue, (cost, serial, _State(edge.target, merged, state, edge)))
        return None

    @staticmethod
    def _accept(
        accepted: dict[Label, list[Alternative]], label: Label, alternative: Alternative
    ) -> bool:
        """Whether a state is worth expanding: none before it needs less at no more cost."""
        before = accepted.get(label)
        if before is None:
            accepted[label] = [alternative]
            return True
        if len(before) >= _STATES_PER_NODE or any(a.covers(alternative) for a in before):
            return False
        before.append(alternative)
        return True

    def _merged(
        self, alternative: Alternative, edge: Edge, consistent: bool
    ) -> Iterator[Alternative]:
        if edge.branch is None:
            yield alternative
            return
        found = self._requirements.of_branch(edge.branch.selector, edge.branch.branch)
        if isinstance(found, Unknown) or (not found and not consistent):
            yield alternative
            return
        for option in found:
            if option.covers(alternative):
                yield alternative
                continue
            merged = alternative.merge(option)
            if not consistent or not merged.contradiction():
                yield merged

    def _path(self, source: Label, target: Label, state: _State) -> Path:
        whole = state.alternative
        forbids = sorted((sorted_needs(f) for f in _left_to_forbid(whole)), key=str)
        return Path(
            source,
            target,
            tuple(self.step(edge) for edge in state.edges()),
            sorted_needs(whole.needs),
            sorted_needs(n for n in whole.needs if not self._is_met(n)),
            tuple(forbids),
            whole.contradiction(),
        )


def _left_to_forbid(whole: Alternative) -> set[frozenset[FlagRequirement]]:
    """What the needs leave to be forbidden: combinations that they do not exclude anyway,
    without the members that they ask for."""
    needed = {need.what: need for need in whole.needs if not need.accumulates}
    left: set[frozenset[FlagRequirement]] = set()
    for combination in whole.forbids:
        excluded = any(needed.get(member.what, member) != member for member in combination)
        if not excluded:
            left.add(combination - whole.needs)
    return {one for one in left if not any(other < one for other in left)}


def find_path(
    graph: TargetGraph, source: Label, target: Label, reference: Configuration
) -> Path | None:
    """The best path of the unconfigured graph from `source` to `target`; None for none.

    `reference` is the configuration of the plain rc lines: what is in force anyway.
    """
    return PathFinder(graph, reference).find(source, target)
