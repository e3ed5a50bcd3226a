"""The formula of a dependency where configurations change on the way, against `bazel cquery`.

The worlds are those of the configured graph: transitions of rules and attributes, tools, lists
of values, label flags, constraints, platform mappings. One formula is made for each pair, under
no flags; every command line then asks it, and Bazel, whether it holds.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from bazelscope.analysis.conditions.diagrams import FALSE, TRUE
from bazelscope.analysis.conditions.formulas import Formulas
from bazelscope.analysis.paths.reach import Reaches
from bazelscope.api import Workspace
from bazelscope.loading.packages.targets import Rule
from tests.oracle import configured_worlds, select_worlds
from tests.oracle.configured_comparison import CRASHED, CULPRIT
from tests.support.bazel import Bazel
from tests.support.ours import label

pytestmark = pytest.mark.oracle

WORLDS = int(os.environ.get("BAZELSCOPE_WHEN_WORLDS", "20"))
FLAG_SETS = int(os.environ.get("BAZELSCOPE_WHEN_FLAG_SETS", "3"))
SEED = int(os.environ.get("BAZELSCOPE_WHEN_SEED", "1"))
VERSION = "4.2.3"
LABEL_VALUES = ("//con:one", "//con:two", "//con:always", "//con:other")
STAND_INS = {"alias", "label_flag", "label_setting"}
"""cquery shows what they stand for."""
MOST_OPEN = 0.05
"""The share of answers that may hang on what a transition makes of flags."""


class World(configured_worlds.World):
    """A package some of whose targets depend on what a label flag stands for."""

    def label(self) -> str:
        if self._random.random() < 0.08:
            return self._random.choice(["//flags:pick", "//flags:fixed_pick"])
        return super()._label()


@pytest.mark.parametrize("mappings", [False, True], ids=["plain", "platform_mappings"])
def test_when(mappings: bool, bazel: Callable[[str], Bazel], warm_path: Path) -> None:
    root = warm_path / "w"
    configured_worlds.write_shared(root, mappings=mappings)
    worlds = [World(f"w{index}", SEED * 100_019 + index) for index in range(WORLDS)]
    select_worlds.write_packages(root, worlds)
    labels = [label for world in worlds for label in world.labels]
    workspace = Workspace.open(root, environment={}, cache_dir=None, bazel_version=VERSION)
    plain = workspace.configure([])
    world = plain.world
    mapped = world.mappings_of(world.configuration)
    formulas = Formulas(world.conditions, label_values=lambda _: LABEL_VALUES, mappings=mapped)
    reaches = Reaches(world.graph, formulas, may_share_host=True)
    reach = {text: reaches.of(label(text)) for text in labels}
    counts: Counter[str] = Counter()
    differences: list[str] = []
    for words in configured_worlds.flag_sets(FLAG_SETS, SEED):
        asked = workspace.configure(words)
        asked.load_like(plain)
        conditions = asked.world.conditions
        analysed = _analysed(bazel(VERSION), root, labels, words)
        for text in analysed:
            if formulas.atoms.in_force(reach[text].refused, conditions) == TRUE:
                differences.append(f"{words} {text}: refused")
        starts = list({text.partition(":")[0]: text for text in analysed}.values())
        theirs = _shown(bazel(VERSION), root, f"deps(set({' '.join(starts)}))", words)
        for start in starts:
            package = start.partition(":")[0]
            reached = {
                label: reaches.labels(reach[start], [label]) for label in reach[start].labels()
            }
            for end, formula in reached.items():
                node = world.graph.node(end)
                is_shown = not (isinstance(node, Rule) and node.rule_class.name in STAND_INS)
                if not str(end).startswith(f"{package}:") or not is_shown:
                    continue
                said = formulas.atoms.in_force(formula, conditions)
                counts["open" if said not in (TRUE, FALSE) else "decided"] += 1
                if said in (TRUE, FALSE) and (said == TRUE) != (str(end) in theirs):
                    differences.append(f"{words} {start} {end}: {said == TRUE}")
            known = {str(label) for label in reached}
            for end in theirs - known:
                if end.startswith(f"{package}:"):
                    differences.append(f"{words} {start} {end}: not known")
    print(counts, len(differences))
    assert not differences, f"{len(differences)} of {counts}:\n" + "\n".join(differences[:20])
    assert counts["decided"] > 100
    assert counts["open"] < MOST_OPEN * counts["decided"]


def _analysed(real: Bazel, root: Path, labels: Iterable[str], words: list[str]) -> list[str]:
    """The targets that Bazel can analyse; a world whose transitions crash it is left out."""
    asked = list(labels)
    while True:
        said = real.cquery(root, f"set({' '.join(asked)})", *words, "--noimplicit_deps")
        if said.exit_code != CRASHED:
            shown = {line.split(" ")[0] for line in said.lines}
            assert shown, said.stderr[-4000:]
            return [label for label in asked if label in shown]
        culprit = CULPRIT.search(said.stderr)
        assert culprit is not None, said.stderr[-4000:]
        asked = [label for label in asked if not label.startswith(culprit[1])]


def _shown(real: Bazel, root: Path, expression: str, words: list[str]) -> set[str]:
    said = real.cquery(root, expression, *words, "--noimplicit_deps")
    assert said.lines, said.stderr[-4000:]
    return {line.split(" ")[0] for line in said.lines}
