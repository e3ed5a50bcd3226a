"""Paths against brute force: every path, every configuration, on random worlds."""

from __future__ import annotations

import random

import pytest

from bazelscope.analysis.conditions.atoms import FlagRequirement, in_force
from bazelscope.analysis.conditions.configured_edges import Taken
from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.analysis.paths.configured_paths import (
    find_configured_path,
    follow,
    list_configured_paths,
)
from bazelscope.analysis.paths.dependence import Alternative
from bazelscope.analysis.paths.routes import Route
from bazelscope.analysis.paths.witnesses import other_values
from bazelscope.base.label import Label, PackageId, parse_pattern
from tests.unit.analysis.analysis_world import World, label
from tests.unit.analysis.paths.found_paths import Found
from tests.unit.analysis.paths.path_worlds import configurations, path_world, simple_paths

SEEDS = range(24)
START, END = label("//t:n0"), label("//t:n6")


def feasible(world: World, graph: TargetGraph) -> list[tuple[Label, ...]]:
    """The simple paths that exist under some configuration, shortest first."""
    every = simple_paths(graph, START, END)
    graphs = [ConfiguredGraph(graph, one) for one in configurations(world)]
    return [path for path in every if any(follow(g, path) is Taken.YES for g in graphs)]


@pytest.mark.parametrize("cycles", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_listed_paths_are_those_that_some_flags_make(seed: int, cycles: bool) -> None:
    world = path_world(seed, cycles=cycles)
    graph = TargetGraph(world, world.bazel_version)
    expected = feasible(world, graph)
    found = Found(graph, START, END, world.configuration()).every(10_000)
    assert found.is_complete
    assert {path.labels for path in found.paths} == set(expected)
    assert [len(path.labels) for path in found.paths] == [len(labels) for labels in expected]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_stated_flags_make_each_listed_path(seed: int) -> None:
    world = path_world(seed, cycles=True)
    graph = TargetGraph(world, world.bazel_version)
    reference = world.configuration("--define=a=1", "--compilation_mode=dbg")
    found = Found(graph, START, END, reference)
    for path in found.every(40).paths:
        for way in found.ways(path):
            words = flags_of(way, found.conditions)
            flags = world.configuration("--define=a=1", "--compilation_mode=dbg", *words)
            assert follow(ConfiguredGraph(graph, flags), path.labels) is Taken.YES, words


def flags_of(way: Alternative, conditions: Conditions) -> list[str]:
    """Flags that make a way so, the values of single flags as the way says."""
    words = []
    asked = [(word.asked, word.is_so) for word in way]
    chosen = {one.key for one, is_so in asked if is_so and isinstance(one, FlagRequirement)}
    for word in way:
        assert isinstance(word.asked, FlagRequirement)
        if word.is_so:
            words.append(str(word.asked.flag))
        elif word.asked.key not in chosen and in_force(word.asked, conditions).holds:
            against = {one.asked for one in way if not one.is_so}
            other = next(v for v in other_values(word.asked, conditions) if v not in against)
            words.append(str(other.flag))
    return words


@pytest.mark.parametrize("seed", SEEDS)
def test_the_best_path_needs_the_fewest_flags(seed: int) -> None:
    world = path_world(seed)
    graph = TargetGraph(world, world.bazel_version)
    found = Found(graph, START, END, world.configuration())
    every = found.every(10_000).paths
    best = found.best()
    if not every:
        assert best is None or best.clash is not None
        return
    assert best is not None
    assert best.labels in {path.labels for path in every}
    changes = found.finder.witnesses.changes
    assert changes(best.formula) == min(changes(path.formula) for path in every)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_route_is_kept_to(seed: int) -> None:
    choose = random.Random(f"route {seed}")
    world = path_world(seed, cycles=seed % 2 == 1)
    graph = TargetGraph(world, world.bazel_version)
    inner = [label(f"//t:n{number}") for number in range(1, 6)]
    via = tuple(choose.sample(inner, choose.randint(0, 2)))
    avoid = tuple(choose.sample(inner, choose.randint(0, 1)))
    route = Route(tuple(parse_pattern(str(one), PackageId("", "")) for one in avoid), via)
    expected = [
        path
        for path in feasible(world, graph)
        if not set(avoid) & set(path[1:-1]) and [at for at in path if at in via] == list(via)
    ]
    searched = Found(graph, START, END, world.configuration(), route)
    found = searched.every(10_000)
    assert {path.labels for path in found.paths} == set(expected)
    best = searched.best()
    assert (best is not None and best.clash is None) == bool(expected)
    if best is not None and best.clash is None:
        assert best.labels in set(expected)


@pytest.mark.parametrize("seed", SEEDS)
def test_configured_paths_are_those_of_the_chosen_branches(seed: int) -> None:
    choose = random.Random(f"flags {seed}")
    world = path_world(seed, cycles=seed % 2 == 1)
    graph = TargetGraph(world, world.bazel_version)
    flags = choose.choice(list(configurations(world)))
    configured = ConfiguredGraph(graph, flags)
    expected = [p for p in simple_paths(graph, START, END) if follow(configured, p) is Taken.YES]
    found = list_configured_paths(configured, START, END, most=10_000)
    # A path may come by one label twice, in two configurations.
    once = [path.labels for path in found.paths if len(set(path.labels)) == len(path.labels)]
    assert set(once) == set(expected)
    lengths = [len(path.labels) for path in found.paths]
    assert lengths == sorted(lengths)
    best = find_configured_path(configured, START, END)
    assert (best is not None and best.exists) == bool(found.paths)
