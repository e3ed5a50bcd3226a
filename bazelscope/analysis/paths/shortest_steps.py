"""The steps from a target to another by edges that are taken, with the fewest conditional ones,
then the fewest."""

from __future__ import annotations

from collections.abc import Callable, Collection

from bazelscope.analysis.paths.reach import Reaches, State, Step
from bazelscope.analysis.paths.routes import FREE_ROUTE, Route
from bazelscope.base.budget import current as current_budget
from bazelscope.base.label import Label

_FAR = (1 << 60, 0)
_LONGER = (0, 2)
"""By how many edges a way without conditions may be longer than any, so that it is looked for
first."""

Taken = Callable[[int], bool]
"""Whether an edge of that formula counts."""
_Key = int | tuple[int, int]
"""What a state is known by on a walk, and on a route how many of its `via` lie behind."""
_At = tuple[_Key, State, int]
"""A target on the way, and how many of the route's `via` lie behind."""


def shortest_steps(
    reaches: Reaches,
    start: State,
    ends: Collection[Label],
    is_taken: Taken,
    route: Route = FREE_ROUTE,
) -> tuple[Step, ...] | None:
    """Returns the steps to one of `ends` by edges that are taken, with the fewest conditional
    ones, then the fewest; None if there is no such path. Where formulas answer as in an earlier
    search, it found the same."""
    searches = reaches.searches.setdefault((start, frozenset(ends), route), [])
    for answers, found in searches:
        if all(is_taken(formula) == answer for formula, answer in answers.items()):
            return found
    found = plain_steps(reaches, start, ends, is_taken) if route == FREE_ROUTE else None
    if found is not None:
        return found
    answers = {}
    found = _searched(reaches, reaches.shared(start), ends, is_taken, route, answers)
    searches.append((answers, found))
    return found


def plain_steps(
    reaches: Reaches, start: State, ends: Collection[Label], is_taken: Taken
) -> tuple[Step, ...] | None:
    """Returns what `shortest_steps` does where no edge on the way is conditional, and it is about
    as short as any could be: looks only at targets that are near enough to the ends."""
    far = reaches.far
    if far is None or any(far.get(str(end)) != 0 for end in ends):
        return None
    start = reaches.shared(start)
    account = current_budget()
    for longer in _LONGER:
        most = far.get(str(start.label), 0) + longer
        before: dict[_Key, tuple[_Key, Step]] = {}
        seen = {id(start)}
        level, length = [start], 0
        while level:
            length += 1
            following: list[State] = []
            for state in level:
                account.check()
                if state.label in ends:
                    return _back(before, id(start), id(state))
                for step in reaches.steps(state):
                    edge, target, formula = step
                    if (
                        edge.branch is None
                        and id(target) not in seen
                        and length + far[str(target.label)] <= most
                        and is_taken(formula)
                    ):
                        seen.add(id(target))
                        before[id(target)] = (id(state), step)
                        following.append(target)
            level = following
    return None


def _searched(
    reaches: Reaches,
    start: State,
    ends: Collection[Label],
    is_taken: Taken,
    route: Route,
    answers: dict[int, bool],
) -> tuple[Step, ...] | None:
    """What `shortest_steps` returns; notes what each formula has answered."""
    behind, via = route.behind, route.via
    number = behind(start.label, 0)
    first: _Key = (id(start), number) if via else id(start)
    before: dict[_Key, tuple[_Key, Step]] = {}
    account = current_budget()
    # By turns: all that so many conditional edges lead to, nearest first; what one more leads to
    # is put off, by the number of edges.
    later: list[list[_At]] = [[(first, start, number)]]
    costs: dict[_Key, tuple[int, int]] = {first: (0, 0)}
    conditional = 0
    while any(later):
        level, later, length = later, [], 0
        while length < len(level):
            price = conditional, length
            free, dear = (conditional, length + 1), (conditional + 1, length + 1)
            for at, state, number in level[length]:
                if costs[at] != price:
                    continue  # A cheaper way was found after it had been put here.
                account.check()
                if state.label in ends:
                    if number == route.length:
                        return _back(before, first, at)
                    continue
                for step in reaches.steps(state):
                    edge, target, formula = step
                    taken = answers.get(formula)
                    if taken is None:
                        taken = answers[formula] = is_taken(formula)
                    if not taken:
                        continue
                    after: _Key = id(target)
                    reached = number
                    if via:
                        reached = behind(target.label, number)
                        after = (id(target), reached)
                    own = free if edge.branch is None else dear
                    if own < costs.get(after, _FAR):
                        costs[after] = own
                        before[after] = (at, step)
                        _put(level if own is free else later, length + 1, (after, target, reached))
            length += 1
        conditional += 1
    return None


def _put(levels: list[list[_At]], length: int, at: _At) -> None:
    while len(levels) <= length:
        levels.append([])
    levels[length].append(at)


def _back(before: dict[_Key, tuple[_Key, Step]], start: _Key, end: _Key) -> tuple[Step, ...]:
    steps: list[Step] = []
    while end != start:
        end, step = before[end]
        steps.append(step)
    return tuple(reversed(steps))
