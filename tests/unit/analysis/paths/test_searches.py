"""A search for a path in which every formula answers as in an earlier one is not made again."""

from __future__ import annotations

import itertools
import random

import pytest

from bazelscope.analysis.conditions.diagrams import TRUE
from bazelscope.analysis.conditions.formulas import Formulas
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.analysis.paths.edges_of_flags import Closures
from bazelscope.analysis.paths.reach import Reaches
from bazelscope.analysis.paths.shortest_steps import plain_steps, shortest_steps
from bazelscope.base.label import Label
from bazelscope.questions.shared.conditions.line_finder import holds_now
from tests.unit.analysis.analysis_world import label
from tests.unit.analysis.paths.found_paths import Found
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


def test_a_way_without_conditions_is_the_one_that_a_whole_search_finds() -> None:
    found = 0
    for seed in range(20):
        chance, every = random.Random(seed), _reaches(seed)
        reached = every.of(START).arrival
        formulas = sorted({step.formula for state in reached for step in every.steps(state)})
        closures = Closures(every.graph, every.formulas, every.graph.arrivals(START))
        for end in (label(f"//t:n{number}") for number in range(1, 7)):
            some = Reaches(every.graph, every.formulas, allowed=closures.leading([end]))
            taken = {one for one in formulas if one == TRUE or chance.random() < 0.7}
            steps = plain_steps(some, some.start(START), {end}, taken.__contains__)
            if steps is not None:
                found += 1
                assert [str(step.edge) for step in steps] == _found(every, end, taken)
    assert found > 20


def test_what_is_always_reached_is_told_as_if_all_that_is_reached_were_known() -> None:
    ends = [label(f"//t:n{number}") for number in range(1, 7)]
    shorter = 0
    for seed, end in itertools.product(range(40), ends):
        world = path_world(seed)
        graph = TargetGraph(world, world.bazel_version)
        found = Found(graph, START, end, world.configuration())
        short, whole = found.finder.reach(), found.reaches.of(START)
        assert short is not None
        shorter += len(short.arrival) < len(whole.arrival)
        told = [
            found.dependences.of(found.reaches.labels(reach, [end]), reach.refused)
            for reach in (short, whole)
        ]
        assert told[0].alternatives == told[1].alternatives
        assert told[0].exceptions == told[1].exceptions
        atoms, conditions = found.reaches.formulas.atoms, found.conditions
        assert holds_now(atoms, told[0].formula, short.refused, conditions) == holds_now(
            atoms, told[1].formula, whole.refused, conditions
        )
    assert shorter > 5
