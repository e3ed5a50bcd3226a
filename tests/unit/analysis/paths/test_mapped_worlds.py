"""Conditions where platform mappings are applied again, to tools and behind transitions, beside
the configured graph. The worlds are those that real Bazels are asked about."""

from __future__ import annotations

from pathlib import Path

from bazelscope.analysis.conditions.diagrams import FALSE, TRUE
from bazelscope.analysis.conditions.formulas import Formulas
from bazelscope.analysis.paths.reach import Reaches
from bazelscope.api import Workspace
from bazelscope.base.graph_walk import distances
from bazelscope.base.label import PackageId, parse_label
from tests.oracle import configured_worlds, select_worlds
from tests.support.when_lines import refuses

SEEDS = (7, 10, 17, 21, 30)
"""Worlds with tools or transitions whose selects look at what a platform sets."""
LINES = 40


def test_platforms_set_their_flags_again(tmp_path: Path) -> None:
    root = tmp_path / "w"
    configured_worlds.write_shared(root, mappings=True)
    worlds = [configured_worlds.World(f"w{seed}", 100_019 + seed) for seed in SEEDS]
    select_worlds.write_packages(root, worlds)
    workspace = Workspace.open(root, environment={}, cache_dir=None, bazel_version="4.2.3")
    plain = workspace.configure([])
    world = plain.world
    mapped = world.mappings_of(world.configuration)
    values = ("//con:one", "//con:two", "//con:always", "//con:other")
    formulas = Formulas(world.conditions, label_values=lambda _: values, mappings=mapped)
    reaches = Reaches(world.graph, formulas, may_share_host=True)
    labels = [parse_label(text, PackageId("", "")) for one in worlds for text in one.labels]
    reach = {label: reaches.of(label) for label in labels}
    decided = 0
    for words in configured_worlds.flag_sets(LINES, 1):
        asked = workspace.configure(words)
        asked.load_like(plain)
        graph = asked.world.configured
        for label in labels:
            top = graph.top(label)
            nodes = list(
                distances([top], lambda node, at=graph: [e.target for e in at.taken(node)])
            )
            refused = any(refuses(graph, node) for node in nodes)
            said = formulas.atoms.in_force(reach[label].refused, graph.conditions())
            assert said not in (TRUE, FALSE) or (said == TRUE) == refused, (words, label)
            there = {node.label for node in nodes}
            for end in () if refused else there:
                formula = reaches.labels(reach[label], [end])
                said = formulas.atoms.in_force(formula, graph.conditions())
                decided += said == TRUE
                assert said != FALSE, (words, label, end)
    assert decided > 1000
