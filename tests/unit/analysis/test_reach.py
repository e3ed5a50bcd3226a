"""Under which flags a target is reached, against every configuration of random worlds."""

from __future__ import annotations

import pytest
from analysis_world import label
from path_worlds import configurations, path_world

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.conditions.diagrams import TRUE
from bazelscope.analysis.conditions.formulas import Formulas
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.target_errors import errors_of
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.analysis.paths.reach import Reaches
from bazelscope.base.graph_walk import distances

START = label("//t:n0")


def reached(graph: ConfiguredGraph) -> list[ConfiguredNode]:
    return list(distances([graph.top(START)], lambda n: [e.target for e in graph.taken(n)]))


@pytest.mark.parametrize("cycles", [False, True])
@pytest.mark.parametrize("seed", range(60))
def test_a_target_is_reached_where_its_formula_holds(seed: int, cycles: bool) -> None:
    world = path_world(seed, cycles=cycles)
    graph = TargetGraph(world, world.bazel_version)
    formulas = Formulas(ConfiguredGraph(graph, world.configuration()).conditions())
    reaches = Reaches(graph, formulas)
    reach = reaches.of(START)
    ends = [label(f"//t:n{number}") for number in range(7)]
    for configuration in configurations(world):
        configured = ConfiguredGraph(graph, configuration)
        conditions = configured.conditions()
        nodes = reached(configured)
        refused = [node for node in nodes if errors_of(configured, node)]
        assert (formulas.atoms.in_force(reach.refused, conditions) == TRUE) == bool(refused)
        if refused:
            continue
        there = {node.label for node in nodes}
        for end in ends:
            formula = reaches.labels(reach, [end])
            assert (formulas.atoms.in_force(formula, conditions) == TRUE) == (end in there), end
