"""The formula of a dependency, evaluated under many command lines, against `bazel cquery`.

The worlds are those of `test_selects`: refinement, groups, aliases, flags, constraints, sums,
keys that are in error. One formula is made for each pair, once, under no flags; every command
line then asks it, and Bazel, whether it holds.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from bazelscope.analysis.conditions.diagrams import FALSE, TRUE
from bazelscope.analysis.conditions.formulas import Formulas
from bazelscope.analysis.paths.reach import Reach, Reaches
from tests.oracle import select_worlds
from tests.oracle.select_oracle import OurAnswers, chosen_values, configured_nodes
from tests.support import ours
from tests.support.bazel import Bazel

pytestmark = pytest.mark.oracle

WORLDS = int(os.environ.get("BAZELSCOPE_WHEN_WORLDS", "60"))
FLAG_SETS = int(os.environ.get("BAZELSCOPE_WHEN_FLAG_SETS", "8"))
SEED = int(os.environ.get("BAZELSCOPE_WHEN_SEED", "1"))
VERSION = "4.2.3"


def test_when(bazel: Callable[[str], Bazel], warm_path: Path) -> None:
    root = warm_path / "w"
    packages = select_worlds.write(root, WORLDS, SEED, VERSION)
    labels = [label for package in packages for label in package.labels]
    real = bazel(VERSION)
    plain = OurAnswers(root, VERSION, [])
    formulas = Formulas(plain.graph.conditions())
    reaches = Reaches(plain.graph.graph, formulas)
    reach: dict[str, Reach] = {label: reaches.of(ours.label(label)) for label in labels}
    differences: list[str] = []
    decided = 0
    for flags in select_worlds.flag_sets(FLAG_SETS, SEED, VERSION):
        expression = f"set({' '.join(labels)})"
        said = real.cquery(root, expression, *flags, "--output=build", "--noimplicit_deps")
        accepted = chosen_values(said.lines, root)
        assert accepted, said.stderr[-4000:]
        conditions = OurAnswers(root, VERSION, flags, plain.loader).graph.conditions()
        for label in labels:
            refused = formulas.atoms.in_force(reach[label].refused, conditions)
            if (refused == TRUE) == (label in accepted):
                differences.append(f"{flags} {label}: refused is {refused}")
        starts = _one_a_package([label for label in labels if label in accepted])
        closure = f"deps(set({' '.join(starts)}))"
        said = real.cquery(root, closure, *flags, "--noimplicit_deps")
        theirs = {label for label, _ in configured_nodes(said.lines)}
        assert theirs, said.stderr[-4000:]
        for start in starts:
            for end in reach[start].labels():
                if not str(end).startswith("//w"):
                    continue
                found = formulas.atoms.in_force(reaches.labels(reach[start], [end]), conditions)
                decided += 1
                if found not in (TRUE, FALSE) or (found == TRUE) != (str(end) in theirs):
                    differences.append(f"{flags} {start} {end}: {found}, {str(end) in theirs}")
    assert not differences, f"{len(differences)} of {decided}:\n" + "\n".join(differences[:20])
    assert decided > 100


def _one_a_package(labels: list[str]) -> list[str]:
    """The last accepted target of each package: the earlier ones are what it depends on."""
    return list({label.partition(":")[0]: label for label in labels}.values())
