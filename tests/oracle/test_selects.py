"""Random selects, config_settings, groups, flags and platforms against `bazel cquery`.

Every package of the generated workspace is a small world of its own; each command line is
one run of Bazel for all of them. Compared are which targets can be analysed at all, the
`srcs` that every select chose, and the configured closure.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.oracle import select_worlds
from tests.oracle.select_oracle import (
    OurAnswers,
    chosen_values,
    configured_nodes,
    values_of_textproto,
)
from tests.support.bazel import Bazel

pytestmark = pytest.mark.oracle

WORLDS = int(os.environ.get("BAZELSCOPE_SELECT_WORLDS", "30"))
FLAG_SETS = int(os.environ.get("BAZELSCOPE_SELECT_FLAG_SETS", "3"))
SEED = int(os.environ.get("BAZELSCOPE_SELECT_SEED", "1"))


@pytest.mark.parametrize("version", ["4.2.3", "2.1.0", "0.24.1"])
def test_selects(version: str, bazel: Callable[[str], Bazel], warm_path: Path) -> None:
    root = warm_path / "w"
    packages = select_worlds.write(root, WORLDS, SEED, version)
    texts = {package.name: package.text for package in packages}
    labels = [label for package in packages for label in package.labels]
    real = bazel(version)
    differences: list[str] = []
    for flags in select_worlds.flag_sets(FLAG_SETS, SEED, version):
        expression = f"set({' '.join(labels)})"
        form = "textproto" if version == "0.24.1" else "build"
        said = real.cquery(root, expression, *flags, f"--output={form}", "--noimplicit_deps")
        expected = (
            values_of_textproto(said.lines)
            if form == "textproto"
            else chosen_values(said.lines, root)
        )
        assert expected, said.stderr[-4000:]
        ours = OurAnswers(root, version, flags)
        good: list[str] = []
        for label in labels:
            problem = ours.problem(label)
            if label not in expected:
                if problem is None:
                    differences.append(f"{flags} {label}: Bazel refuses it")
            elif problem is not None:
                differences.append(f"{flags} {label}: Bazel has {expected[label]}, we {problem}")
            else:
                good.append(label)
        for label, got in ours.srcs(good).items():
            if got != expected[label]:
                differences.append(f"{flags} {label}: {expected[label]}, not {got}")
        closure = f"deps(set({' '.join(good)}))"
        said = real.cquery(root, closure, *flags, "--noimplicit_deps")
        theirs = {n for n in configured_nodes(said.lines) if n[0].startswith("//w")}
        mine = {n for n in ours.nodes(good) if n[0].startswith("//w")}
        differences += [f"{flags} {node}: missing" for node in sorted(theirs - mine)]
        differences += [f"{flags} {node}: too many" for node in sorted(mine - theirs)]
    if differences:
        name = differences[0].split("//")[-1].split(":")[0]
        head = "\n".join(differences[:20])
        pytest.fail(f"{len(differences)} differences:\n{head}\n\n{texts.get(name, '')}")
