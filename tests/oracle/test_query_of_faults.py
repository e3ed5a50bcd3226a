"""What `query` and `cquery` print of packages with planted faults, and their exit codes: beside a
real Bazel, told to go on and not.

    BAZELSCOPE_RANDOM_WORLDS=100 python -m pytest tests/oracle/test_query_of_faults.py

asks of a hundred packages; by default of a few.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from bazelscope.cli.entry import cli
from tests.oracle.refusals.worlds import FLAGS, make_world
from tests.support.bazel import Bazel

pytestmark = [pytest.mark.oracle, pytest.mark.slow]

_SEED = int(os.environ.get("BAZELSCOPE_RANDOM_SEED", "71"))
_PACKAGES = int(os.environ.get("BAZELSCOPE_RANDOM_WORLDS", "4"))
_WORDS = {"query": ("--noimplicit_deps",), "cquery": ("--noimplicit_deps", *FLAGS)}


@pytest.mark.parametrize("version", ["4.2.3", "2.1.0"])
@pytest.mark.parametrize("command", ["query", "cquery"])
@pytest.mark.parametrize("going_on", [(), ("--keep_going",)], ids=["", "going-on"])
def test_the_same_is_printed(
    command: str,
    version: str,
    going_on: tuple[str, ...],
    warm_root: Path,
    bazel: Callable[[str], Bazel],
) -> None:
    make_world(_SEED, _PACKAGES).write(warm_root)
    words = (*_WORDS[command], *going_on)
    different = {}
    for number in range(1, _PACKAGES + 1):
        expression = f"deps(//p{number}:all)"
        answer = bazel(version).run(warm_root, command, "--noshow_progress", *words, expression)
        theirs = (answer.exit_code, _labels(answer.stdout))
        line = [command, "--workspace", str(warm_root), "--bazel-version", version]
        done = CliRunner().invoke(cli, [*line, *words, expression], standalone_mode=False)
        mine = (done.return_value, _labels(done.stdout))
        if mine != theirs:
            different[expression] = (mine, theirs)
    assert not different


def _labels(text: str) -> set[str]:
    # What @local_config_cc holds depends on the machine.
    labels = {line.partition(" (")[0] for line in text.splitlines()}
    return {label for label in labels if not label.startswith("@local_config_cc")}
