"""Every simple path of a finite graph, shortest first, one at a time.

The graph is explored once, forwards from the start and backwards from the end, so that
the distance to the end is known at every state. Prefixes then wait in a queue ordered by
the length of the shortest path that they can become (A* with an exact heuristic): in a
graph without cycles each prefix that is taken leads to a path, so the next path costs no
more than its length times the edges that leave it, however many paths there are.
Where there are no cycles the paths can be counted without being listed.

States may be finer than what may not repeat: `site` says what a path visits once only.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable, Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from typing import Any, Generic, Protocol, TypeVar

from bazelscope.base.budget import current as current_budget
from bazelscope.base.graph_walk import distances, post_order

State = TypeVar("State", bound=Hashable)
Context = TypeVar("Context")

_Estimate = tuple[int, int]
_FAR: _Estimate = (1 << 60, 0)
_BUDGET = 200_000
"""Prefixes looked at before a list is called incomplete: seconds, whatever the graph."""


class Space(Protocol[State]):
    """The graph that paths are looked for in."""

    def successors(self, state: State, /) -> Iterable[tuple[State, int]]:
        """The states one step on, each once, with the weight that breaks ties of length."""
        ...

    def is_end(self, state: State, /) -> bool: ...

    def site(self, state: State, /) -> Any:
        """What a path may visit only once, ordered and hashable."""
        ...


class SimplePaths(Generic[State]):
    """The simple paths of a space from one state to its ends."""

    def __init__(self, space: Space[State], start: State) -> None:
        self._space = space
        self._start = start
        self._next: dict[State, tuple[tuple[State, int], ...]] = {}
        self._explore()
        self._left = self._distances()
        self._rank = self._ranks()
        self._completions = self._count()
        self.is_complete = False
        """Whether all paths were listed."""

    @property
    def total(self) -> int | None:
        """How many simple paths there are; None where cycles keep that from being counted."""
        if self._completions is None:
            return None
        return self._completions.get(self._start, 0)

    def completions(self, state: State) -> int | None:
        """How many paths lead on from a state; None where that cannot be counted."""
        return None if self._completions is None else self._completions.get(state, 0)

    def shortest(
        self,
        most: int,
        context: Context,
        extend: Callable[[Context, State, State], Context | None],
        budget: int = _BUDGET,
    ) -> Iterator[tuple[tuple[State, ...], Context]]:
        """The paths, by length, then weight, then the order of their sites, each with what
        `extend` has made of it; at most so many, and none after `budget` prefixes.

        `extend` makes the context of a longer prefix; None drops the prefix with all that
        it leads to.
        """
        start, space, left, rank = self._start, self._space, self._left, self._rank
        queue: list[tuple[_Estimate, tuple[int, ...], int, tuple[State, ...], Context]] = []
        if start in left:
            queue.append((left[start], (rank[start],), 0, (start,), context))
        serial = 0
        while queue:
            current_budget().check()
            (length, weight), ranks, _, states, so_far = heapq.heappop(queue)
            state = states[-1]
            if space.is_end(state):
                if not most:
                    return
                most -= 1
                yield states, so_far
                continue
            if not budget:
                return
            budget -= 1
            done = length - left[state][0], weight - left[state][1]
            visited = {space.site(one) for one in states}
            for after, cost in self._next[state]:
                if after not in left or space.site(after) in visited:
                    continue
                longer = extend(so_far, state, after)
                if longer is None:
                    continue
                estimate = (done[0] + 1 + left[after][0], done[1] + cost + left[after][1])
                serial += 1
                path = (*states, after)
                heapq.heappush(queue, (estimate, (*ranks, rank[after]), serial, path, longer))
        self.is_complete = True

    def _explore(self) -> None:
        def following(state: State) -> list[State]:
            ends = self._space.is_end(state)
            successors = self._next[state] = () if ends else tuple(self._space.successors(state))
            return [after for after, _ in successors]

        distances([self._start], following)

    def _distances(self) -> dict[State, _Estimate]:
        """For each state that leads to an end, the least (length, weight) that is left."""
        before: dict[State, list[tuple[State, int]]] = {}
        for state, successors in self._next.items():
            for after, cost in successors:
                before.setdefault(after, []).append((state, cost))
        left: dict[State, _Estimate] = {}
        best = {state: (0, 0) for state in self._next if self._space.is_end(state)}
        queue = [(estimate, index, state) for index, (state, estimate) in enumerate(best.items())]
        serial = len(queue)
        while queue:
            current_budget().check()
            estimate, _, state = heapq.heappop(queue)
            if state in left:
                continue
            left[state] = estimate
            for earlier, cost in before.get(state, ()):
                longer = (estimate[0] + 1, estimate[1] + cost)
                if earlier not in left and longer < best.get(earlier, _FAR):
                    best[earlier] = longer
                    serial += 1
                    heapq.heappush(queue, (longer, serial, earlier))
        return left

    def _ranks(self) -> dict[State, int]:
        """A number for each useful state, in the order of their sites."""
        sites = sorted({self._space.site(state) for state in self._left})
        order = {site: number for number, site in enumerate(sites)}
        return {state: order[self._space.site(state)] for state in self._left}

    def _count(self) -> dict[State, int] | None:
        """The number of paths from each useful state; None if a walk may visit a site twice."""
        if self._has_cycle():
            return None
        counts: dict[State, int] = {}
        for state in post_order([self._start] if self._start in self._left else [], self._useful):
            ways = (counts[after] for after in self._useful(state))
            counts[state] = 1 if self._space.is_end(state) else sum(ways)
        return counts

    def _useful(self, state: State) -> list[State]:
        """The states one step on that lead to an end."""
        return [after for after, _ in self._next[state] if after in self._left]

    def _has_cycle(self) -> bool:
        """Whether the useful part has a cycle of sites."""
        following: dict[Any, set[Any]] = {}
        for state in self._left:
            sites = following.setdefault(self._space.site(state), set())
            sites.update(map(self._space.site, self._useful(state)))
        try:
            TopologicalSorter(following).prepare()
        except CycleError:
            return True
        return False
