"""Conditions beside the configured graph of random workspaces with all that can decide one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bazelscope.analysis.conditions.diagrams import FALSE, TRUE
from bazelscope.analysis.graph.compatibility import why_incompatible
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.paths.dependence import Dependences
from bazelscope.analysis.paths.reach import Reaches
from bazelscope.analysis.refusals.kept_refusals import refusals_of
from bazelscope.api import Workspace
from bazelscope.base.graph_walk import distances
from bazelscope.base.label import PackageId, parse_label
from bazelscope.loading.packages.package import Package
from tests.support.condition_worlds import NODES, lines, write_world

WORLDS = int(os.environ.get("BAZELSCOPE_CONDITION_WORLDS", "12"))
FIRST = int(os.environ.get("BAZELSCOPE_CONDITION_SEED", "0"))
LINES = int(os.environ.get("BAZELSCOPE_CONDITION_LINES", "96"))
"""Random workspaces, and command lines of each that are asked."""
ROOT = PackageId("", "")
ENDS = [parse_label(f"//w:n{number}", ROOT) for number in range(1, NODES)]
START = parse_label("//w:n0", ROOT)


NESTED = 1199
"""A world where a transition that cannot be told leads through another one of its kind."""


@pytest.mark.parametrize("seed", [*range(FIRST, FIRST + WORLDS), NESTED])
def test_a_formula_says_what_the_configured_graph_says(seed: int, tmp_path: Path) -> None:
    root = write_world(tmp_path, seed)
    asked = Workspace.open(root, environment={}, cache_dir=None).configure([])
    world = asked.world
    package = world.loader.package(START.package_id)
    assert isinstance(package, Package)
    assert not package.diagnostics
    formulas = world.formulas()
    dependences = Dependences(Reaches(world.graph, formulas), world.conditions)
    reach = dependences.reaches.of(START)
    atoms = formulas.atoms
    found = {
        end: dependences.of(dependences.reaches.labels(reach, [end]), reach.refused) for end in ENDS
    }
    incompatible = dependences.reaches.incompatible(reach)
    decided = is_open = 0
    for line in lines(seed, LINES):
        configuration = world.configure(asked.world.resolve_words(line))
        graph = ConfiguredGraph(world.graph, configuration, world.mappings_of(configuration))
        conditions = graph.conditions()
        nodes = list(
            distances([graph.top(START)], lambda node, at=graph: [e.target for e in at.taken(node)])
        )
        is_refused = bool(refusals_of(graph, nodes))
        said = atoms.in_force(reach.refused, conditions)
        assert said not in (TRUE, FALSE) or (said == TRUE) == is_refused, (line, "refused")
        if is_refused or said not in (TRUE, FALSE):
            continue
        lacking = atoms.in_force(incompatible, conditions)
        if lacking in (TRUE, FALSE):
            why = why_incompatible(graph, graph.top(START))
            assert (lacking == TRUE) == (why is not None), (line, "incompatible")
        there = {node.label for node in nodes}
        for end, dependence in found.items():
            value = atoms.in_force(dependence.formula, conditions)
            decided += 1
            if value not in (TRUE, FALSE):
                is_open += 1
                continue
            assert (value == TRUE) == (end in there), (line, end)
    print(f"{decided} decided, {is_open} open")
