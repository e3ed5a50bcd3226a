"""A search for a path in which every formula answers as in an earlier one is not made again."""

from __future__ import annotations

import random

import pytest

from bazelscope.analysis.conditions.formulas import Formulas
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.analysis.paths.path_finder import shortest_steps
from bazelscope.analysis.paths.reach import Reaches
from bazelscope.base.label import Label
from tests.unit.analysis.analysis_world import label
from tests.unit.analysis.paths.path_worlds import path_world

START = label("//t:n0")


def _reaches(seed: int) -> Reaches:
    world = path_world(seed, cycles=True)
    graph = TargetGraph(world, world.bazel_version)
    return Reaches(graph, Formulas(ConfiguredGraph(graph, world.configuration()).conditions()))


def _found(reaches: Reaches, end: Label, taken: set[int]) -> list[str] | None:
    steps = shortest_steps(reaches, reaches.start(START), [end], lambda one: one in taken)
    return None if steps is None else [str(step.edge) for step in steps]


@pytest.mark.parametrize("seed", range(10))
def test_a_search_finds_what_a_first_one_finds(seed: int) -> None:
    chance, reaches = random.Random(seed), _reaches(seed)
    reached = reaches.of(START).arrival
    formulas = sorted({step.formula for state in reached for step in reaches.steps(state)})
    sets = [{one for one in formulas if chance.random() < 0.7} for _ in range(4)]
    for _ in range(20):
        taken, end = chance.choice(sets), label(f"//t:n{chance.randrange(4, 7)}")
        fresh = _reaches(seed)
        fresh.of(START)  # So that formulas have the same numbers.
        assert _found(reaches, end, taken) == _found(fresh, end, taken)
    assert sum(map(len, reaches.searches.values())) <= 4 * 3


def test_formulas_that_answer_alike_are_searched_once() -> None:
    reaches = _reaches(1)
    every = {step.formula for state in reaches.of(START).arrival for step in reaches.steps(state)}
    first = shortest_steps(reaches, reaches.start(START), [label("//t:n3")], every.__contains__)
    again = shortest_steps(reaches, reaches.start(START), [label("//t:n3")], lambda one: True)
    assert again is first
    assert sum(map(len, reaches.searches.values())) == 1
