"""Under which flags a target is reached, against every configuration of random worlds."""

from __future__ import annotations

import os
from collections.abc import Iterable

import pytest

from bazelscope.analysis.conditions.atoms import FlagRequirement, in_force
from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.conditions.diagrams import TRUE
from bazelscope.analysis.conditions.formulas import Formulas
from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.analysis.paths.dependence import Dependences, Word
from bazelscope.analysis.paths.reach import Reaches
from bazelscope.analysis.refusals.kept_refusals import refusals_of
from bazelscope.base.graph_walk import distances
from tests.unit.analysis.analysis_world import World, label, select
from tests.unit.analysis.paths.path_worlds import configurations, path_world

WORLDS = int(os.environ.get("BAZELSCOPE_REACH_WORLDS", "40"))
"""Random worlds, each with and without cycles, whose every configuration is asked."""
START = label("//t:n0")
ENDS = [label(f"//t:n{number}") for number in range(7)]


def reached(graph: ConfiguredGraph) -> list[ConfiguredNode]:
    return list(distances([graph.top(START)], lambda n: [e.target for e in graph.taken(n)]))


def holds(words: Iterable[Word], conditions: Conditions) -> bool:
    for word in words:
        assert isinstance(word.asked, FlagRequirement)
        if in_force(word.asked, conditions).holds != word.is_so:
            return False
    return True


@pytest.mark.parametrize("cycles", [False, True])
@pytest.mark.parametrize("seed", range(WORLDS))
def test_a_target_is_reached_where_its_formula_holds(seed: int, cycles: bool) -> None:
    world = path_world(seed, cycles=cycles)
    graph = TargetGraph(world, world.bazel_version)
    formulas = Formulas(ConfiguredGraph(graph, world.configuration()).conditions())
    dependences = Dependences(Reaches(graph, formulas), formulas.conditions)
    reach = dependences.reaches.of(START)
    found = {
        end: dependences.of(dependences.reaches.labels(reach, [end]), reach.refused) for end in ENDS
    }
    accepted: list[tuple[Conditions, dict[object, bool]]] = []
    for configuration in configurations(world):
        configured = ConfiguredGraph(graph, configuration)
        conditions = configured.conditions()
        nodes = reached(configured)
        is_refused = bool(refusals_of(configured, nodes))
        assert (formulas.atoms.in_force(reach.refused, conditions) == TRUE) == is_refused
        if is_refused:
            continue
        there = {node.label for node in nodes}
        accepted.append((conditions, {end: end in there for end in ENDS}))
        for end, dependence in found.items():
            assert (formulas.atoms.in_force(dependence.formula, conditions) == TRUE) == (
                end in there
            )
            ways = [holds(words, conditions) for words in dependence.alternatives]
            others = [holds(words, conditions) for words in dependence.exceptions]
            assert any(ways) == (end in there)
            assert any(others) == (end not in there)
            assert not any(holds(words, conditions) for words in dependence.conflicts)
    for end, dependence in found.items():
        for words in dependence.alternatives:
            for word in words:
                rest = [other for other in words if other is not word]
                wrong = (c for c, there in accepted if not there[end] and holds(rest, c))
                assert next(wrong, None) is not None, "a word that can go"


@pytest.mark.parametrize(
    ("flags", "is_reached"),
    [
        ([], False),
        (["--crosstool_top=//x:y"], True),
        (["--crosstool_top=//x:y", "--host_crosstool_top=//x:z"], False),
        (["--host_crosstool_top=//x:y"], True),
    ],
)
def test_tools_take_the_first_option_that_has_a_value(flags: list[str], is_reached: bool) -> None:
    world = World("4.2.3")
    world.rule("config_setting", "//c:y", values={"crosstool_top": "//x:y"})
    chosen = select({"//c:y": ["//t:n2"], "//conditions:default": []})
    world.rule("genrule", "//t:n0", outs=["out"], cmd="", tools=["//t:n1"])
    world.rule("filegroup", "//t:n1", srcs=chosen)
    world.rule("filegroup", "//t:n2")
    graph = TargetGraph(world, world.bazel_version)
    formulas = Formulas(ConfiguredGraph(graph, world.configuration()).conditions())
    dependences = Dependences(Reaches(graph, formulas), formulas.conditions)
    reach = dependences.reaches.of(START)
    arrival = dependences.reaches.labels(reach, [label("//t:n2")])
    dependence = dependences.of(arrival, reach.refused)
    configured = ConfiguredGraph(graph, world.configuration(*flags))
    assert (label("//t:n2") in {node.label for node in reached(configured)}) == is_reached
    found = formulas.atoms.in_force(dependence.formula, configured.conditions())
    assert (found == TRUE) == is_reached
