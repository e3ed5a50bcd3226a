"""What lies on paths that some flags take, beside every assignment of random worlds."""

from __future__ import annotations

import os

import pytest

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.conditions.formulas import Formulas
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.analysis.paths.passable import passable
from bazelscope.analysis.paths.reach import Reaches
from bazelscope.base.graph_walk import distances
from bazelscope.base.label import Label
from tests.unit.analysis.paths.small_worlds import ENDS, START, SmallWorld

WORLDS = int(os.environ.get("BAZELSCOPE_SMALL_WORLDS", "8"))
FIRST = int(os.environ.get("BAZELSCOPE_SMALL_SEED", "0"))

Pair = tuple[Label, Label]


def on_paths(graph: ConfiguredGraph, end: Label | None) -> set[Pair]:
    """The edges on paths that a configuration takes, by their ends."""
    arriving: dict[ConfiguredNode, list[ConfiguredNode]] = {}
    top = graph.top(START)
    nodes = distances([top], lambda node: [edge.target for edge in graph.taken(node)])
    for node in nodes:
        for edge in graph.taken(node):
            arriving.setdefault(edge.target, []).append(node)
    ends = [node for node in nodes if end is None or node.label == end]
    back = distances(ends, lambda node: arriving.get(node, ()))
    return {(source.label, node.label) for node in back for source in arriving.get(node, ())}


@pytest.mark.parametrize("seed", range(FIRST, FIRST + WORLDS))
def test_an_edge_is_there_if_some_flags_take_a_path_over_it(seed: int) -> None:
    small = SmallWorld(seed)
    graph = TargetGraph(small.world, small.world.bazel_version)
    formulas = Formulas(ConfiguredGraph(graph, small.world.configuration()).conditions())
    reaches = Reaches(graph, formulas)
    lines = [ConfiguredGraph(graph, one) for one in small.configurations()]
    for end in (None, *ENDS):
        ways = passable(reaches, [START], None if end is None else [end])
        told = {(e.source, e.target) for label in ways.scopes for e in ways.edges(label)}
        wanted = set[Pair]().union(*(on_paths(one, end) for one in lines))
        assert told == wanted, (end, told ^ wanted)
        assert not ways.never & set(ways.scopes)


def test_what_only_untaken_edges_lead_to_is_told() -> None:
    """Worlds have such edges at all."""
    never = 0
    for seed in range(8):
        small = SmallWorld(seed)
        graph = TargetGraph(small.world, small.world.bazel_version)
        formulas = Formulas(ConfiguredGraph(graph, small.world.configuration()).conditions())
        for end in ENDS:
            never += len(passable(Reaches(graph, formulas), [START], [end]).never)
    assert never


@pytest.mark.parametrize("seed", range(FIRST, FIRST + WORLDS))
def test_edges_that_count_are_those_of_all_that_are_taken(seed: int) -> None:
    small = SmallWorld(seed)
    graph = TargetGraph(small.world, small.world.bazel_version)
    for one in small.configurations():
        whole, part = ConfiguredGraph(graph, one), ConfiguredGraph(graph, one)
        taken, among = whole.taken, part.taken_among
        for end in graph.deps([START]):
            told = {
                node.label: [edge.edge for edge in taken(node) if edge.edge.target == end]
                for node in map(whole.top, graph.deps([START]))
            }
            assert told == {
                node.label: [edge.edge for edge in among(node, lambda e, end=end: e.target == end)]
                for node in map(part.top, graph.deps([START]))
            }
