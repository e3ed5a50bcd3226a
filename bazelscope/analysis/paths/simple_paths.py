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
from typing import Any, Generic, Protocol, TypeVar

from bazelscope.base.budget import current as current_budget
from bazelscope.base.graph_walk import distances
from bazelscope.base.lazy_dataclass import dataclass

State = TypeVar("State", bound=Hashable)
Context = TypeVar("Context")

_Estimate = tuple[int, int]
_FAR: _Estimate = (1 << 60, 0)


class Space(Protocol[State]):
    """The graph that paths are looked for in."""

    def successors(self, state: State, /) -> Iterable[tuple[State, int]]:
        """The states one step on, each once, with the weight that breaks ties of length."""
        ...

    def is_end(self, state: State, /) -> bool: ...

    def site(self, state: State, /) -> Any:
        """What a path may visit only once, ordered and hashable."""
        ...


@dataclass(frozen=True, slots=True)
class FoundPath(Generic[State, Context]):
    """One path, and what the caller's `extend` made of it."""

    states: tuple[State, ...]
    context: Context


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

    @property
    def total(self) -> int | None:
        """How many simple paths there are; None where cycles keep that from being counted."""
        if self._completions is None:
            return None
        return self._completions.get(self._start, 0)

    def completions(self, state: State) -> int | None:
        """How many paths lead on from a state; None where that cannot be counted."""
        return None if self._completions is None else self._completions.get(state, 0)

    def iterate(
        self,
        context: Context,
        extend: Callable[[Context, State, State], Context | None],
        budget: int,
    ) -> Iterator[FoundPath[State, Context]]:
        """The paths, by length, then weight, then the order of their sites.

        `extend` makes the context of a longer prefix; None drops the prefix with all that
        it leads to. Raises `BudgetExceededError` after `budget` prefixes.
        """
        start, space, left, rank = self._start, self._space, self._left, self._rank
        if start not in left:
            return
        first = (rank[start],)
        queue: list[tuple[_Estimate, tuple[int, ...], int, tuple[State, ...], Context]]
        queue = [(left[start], first, 0, (start,), context)]
        serial = 0
        while queue:
            current_budget().check()
            (length, weight), ranks, _, states, so_far = heapq.heappop(queue)
            state = states[-1]
            if space.is_end(state):
                yield FoundPath(states, so_far)
                continue
            budget -= 1
            if budget < 0:
                raise BudgetExceededError
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
        # An end is nearer to itself than what leads to it, but a state may lead to one that
        # is further away; so count depth first.
        stack = [self._start] if self._start in self._left else []
        while stack:
            current_budget().check()
            state = stack[-1]
            if state in counts:
                stack.pop()
                continue
            useful = [after for after, _ in self._next[state] if after in self._left]
            open_ones = [after for after in useful if after not in counts]
            if open_ones:
                stack.extend(open_ones)
                continue
            is_end = self._space.is_end(state)
            counts[state] = 1 if is_end else sum(counts[after] for after in useful)
            stack.pop()
        return counts

    def _has_cycle(self) -> bool:
        """Whether the useful part has a cycle of sites."""
        after: dict[Any, set[Any]] = {}
        arriving: dict[Any, int] = {}
        for state in self._left:
            site = self._space.site(state)
            arriving.setdefault(site, 0)
            known = after.setdefault(site, set())
            for longer, _ in self._next[state]:
                following = self._space.site(longer)
                if longer in self._left and following not in known:
                    known.add(following)
                    arriving[following] = arriving.get(following, 0) + 1
        free = [site for site, count in arriving.items() if not count]
        done = 0
        while free:
            done += 1
            for following in after.get(free.pop(), ()):
                arriving[following] -= 1
                if not arriving[following]:
                    free.append(following)
        return done < len(arriving)


class BudgetExceededError(Exception):
    """The search was given up: there may be further paths."""
