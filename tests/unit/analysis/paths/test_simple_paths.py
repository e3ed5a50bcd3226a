"""Listing and counting the simple paths of plain graphs."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

from bazelscope.analysis.paths.simple_paths import SimplePaths


class Plain:
    """A graph of numbers; an edge to an odd number weighs one."""

    def __init__(self, edges: dict[int, list[int]], end: int) -> None:
        self.edges = edges
        self.end = end

    def successors(self, state: int) -> Iterable[tuple[int, int]]:
        return [(after, after % 2) for after in self.edges.get(state, ())]

    def is_end(self, state: int) -> bool:
        return state == self.end

    def site(self, state: int) -> int:
        return state


def listed(space: Plain) -> list[tuple[int, ...]]:
    walks = SimplePaths(space, 0)
    paths = [states for states, _ in walks.shortest(100_000, 0, lambda *_: 0)]
    assert walks.is_complete
    return paths


def by_hand(space: Plain) -> list[tuple[int, ...]]:
    """Every simple path by trying them all: by length, odd numbers, then numbers."""
    found = []
    stack = [(0,)]
    while stack:
        path = stack.pop()
        if path[-1] == space.end:
            found.append(path)
            continue
        stack += [(*path, after) for after in space.edges.get(path[-1], ()) if after not in path]
    return sorted(found, key=lambda path: (len(path), sum(n % 2 for n in path), path))


def ladder(rungs: int) -> Plain:
    """Two ways at each rung: 2**rungs paths."""
    edges: dict[int, list[int]] = {}
    for rung in range(rungs):
        at = 3 * rung
        edges[at] = [at + 1, at + 2]
        edges[at + 1] = edges[at + 2] = [at + 3]
    return Plain(edges, 3 * rungs)


@pytest.mark.parametrize("seed", range(200))
def test_every_simple_path_comes_once_in_order(seed: int) -> None:
    choose = random.Random(seed)
    size = choose.randint(2, 8)
    edges = {at: choose.sample(range(size), choose.randint(0, min(size, 4))) for at in range(size)}
    space = Plain(edges, size - 1)
    assert listed(space) == by_hand(space)
    total = SimplePaths(space, 0).total
    # With cycles there may be no count; a count is never wrong.
    assert total in (None, len(by_hand(space)))


@pytest.mark.parametrize("seed", range(50))
def test_without_cycles_all_are_counted(seed: int) -> None:
    choose = random.Random(seed)
    edges = {at: [n for n in range(at + 1, 9) if choose.random() < 0.5] for at in range(9)}
    space = Plain(edges, 8)
    assert SimplePaths(space, 0).total == len(by_hand(space))


def test_paths_beyond_counting_are_counted_and_the_first_come_at_once() -> None:
    walks = SimplePaths(ladder(200), 0)
    assert walks.total == 2**200
    found = walks.shortest(3, 0, lambda *_: 0, budget=2000)
    assert [len(states) for states, _ in found] == [401, 401, 401]
    assert not walks.is_complete


def test_a_dropped_prefix_is_not_walked_on() -> None:
    walks = SimplePaths(ladder(3), 0)
    kept = walks.shortest(100, 0, lambda context, _, after: None if after == 1 else context)
    assert {states[1] for states, _ in kept} == {2}
    assert walks.is_complete
    assert walks.completions(1) == 4


def test_the_search_says_that_it_gave_up() -> None:
    walks = SimplePaths(ladder(12), 0)
    assert len(list(walks.shortest(5000, 0, lambda *_: 0, budget=100))) < 2**12
    assert not walks.is_complete


def test_no_way_is_no_path() -> None:
    space = Plain({0: [1], 1: [0]}, 5)
    assert listed(space) == []
    assert SimplePaths(space, 0).total == 0
