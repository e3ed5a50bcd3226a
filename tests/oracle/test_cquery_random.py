"""Random workspaces whose whole configured graph is compared with `bazel cquery` 4.2.3.

Compared are which targets can be analysed, every configured target of their closure with
its kind of configuration and the options of that, and every attribute that is set.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from oracle import configured_worlds
from oracle.configured_oracle import FORMAT, Ours, their_nodes, their_values
from support.bazel import Bazel, Output

pytestmark = pytest.mark.oracle

WORLDS = int(os.environ.get("BAZELSCOPE_CQUERY_WORLDS", "30"))
FLAG_SETS = int(os.environ.get("BAZELSCOPE_CQUERY_FLAG_SETS", "3"))
SEED = int(os.environ.get("BAZELSCOPE_CQUERY_SEED", "1"))
VERSION = "4.2.3"
CRASHED = 37
INCOMPATIBLE = "command succeeded, but not all targets were analyzed"
CULPRIT = re.compile(r"Unrecoverable error while evaluating node '[^']*?label=(//w\d+:)")


def answered(output: Output) -> Output:
    """An answer; Bazel complains of incompatible targets that were asked about by name."""
    return output if INCOMPATIBLE in output.stderr else output.checked()


@pytest.mark.parametrize("mappings", [False, True], ids=["plain", "platform_mappings"])
def test_configured_graph(mappings: bool, bazel: Callable[[str], Bazel], tmp_path: Path) -> None:
    root = tmp_path / "w"
    worlds = configured_worlds.write(root, WORLDS, SEED, mappings=mappings)
    (tmp_path / "format.cquery").write_text(FORMAT)
    labels = [label for world in worlds for label in world.labels]
    real = bazel(VERSION)
    checks = left_out = 0
    differences: list[str] = []
    for flags in configured_worlds.flag_sets(FLAG_SETS, SEED):

        def ask(expression: str, *output: str, flags: list[str] = flags) -> Output:
            return real.cquery(root, expression, *flags, *output, "--noimplicit_deps")

        asked = list(labels)
        said = ask(f"set({' '.join(asked)})")
        while said.exit_code == CRASHED:
            # Bugs of 4.2.3 in rules with several split transitions: leave that world out.
            culprit = CULPRIT.search(said.stderr)
            assert culprit is not None, said.stderr[-4000:]
            asked = [label for label in asked if not label.startswith(culprit[1])]
            left_out += 1
            assert left_out <= len(worlds) // 10, "Bazel crashes on too many worlds"
            said = ask(f"set({' '.join(asked)})")
        analysed = {line.split(" ")[0] for line in said.lines}
        ours = Ours(root, VERSION, flags)
        good: list[str] = []
        for label in asked:
            problem = ours.problem(label)
            checks += 1
            if label in analysed and problem is None:
                good.append(label)
            elif (label in analysed) != (problem is None):
                differences.append(f"{flags} {label}: {label in analysed}, ours {problem}")
        closure = f"deps(set({' '.join(good)}))"
        starlark = ("--output=starlark", f"--starlark:file={tmp_path / 'format.cquery'}")
        expected, got = their_nodes(answered(ask(closure, *starlark)).lines), ours.nodes(good)
        checks += expected.total()
        differences += [f"{flags} {node}: missing" for node in sorted(expected - got)]
        differences += [f"{flags} {node}: too many" for node in sorted(got - expected)]
        values = their_values(answered(ask(closure, "--output=jsonproto")).stdout)
        mine = ours.values(good)
        for label in sorted({*values, *mine}):
            checks += 1
            if values.get(label) != mine.get(label):
                differences.append(f"{flags} {label}: {values.get(label)}, not {mine.get(label)}")
    print(f"{checks} checks, {len(differences)} differences, {left_out} worlds left out")
    if differences:
        differences.sort(key=lambda text: text.partition("//w")[1] == "")
        name = differences[0].split("//")[-1].split(":")[0]
        text = next((world.text for world in worlds if world.name == name), "")
        head = "\n".join(differences[:40])
        pytest.fail(f"{len(differences)} differences of {checks}:\n{head}\n\n{text}")
