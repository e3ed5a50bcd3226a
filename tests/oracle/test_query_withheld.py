"""What `query` and `cquery` print, and their exit codes, where a question meets what is in error:
beside a real Bazel, told to go on and not.

    BAZELSCOPE_WITHHELD=1 python -m pytest tests/oracle/test_query_withheld.py

asks all 327 questions; by default every tenth is asked.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from bazelscope.cli.entry import cli
from tests.oracle.withheld_world import FLAGS, cqueries, queries, write_world
from tests.support.bazel import Bazel

pytestmark = [pytest.mark.oracle, pytest.mark.slow]

_EVERY = int(os.environ.get("BAZELSCOPE_WITHHELD", "10"))
_ASKED = {"query": (*queries(),)[::_EVERY], "cquery": (*cqueries(),)[::_EVERY]}
_WORDS = {"query": ("--noimplicit_deps",), "cquery": ("--noimplicit_deps", *FLAGS)}
_CRASHED = 37
_ODD = {("0.24.1", "//unloaded/...")}
"""0.24.1 counts no package that a pattern of many passes over; it is told here as later ones do."""
_APART = {"0.24.1": {"//:t", "//syntax:x"}}
"""0.24.1 goes on behind a syntax error, and its tests want Java tools that it would download."""


@pytest.mark.parametrize("version", ["4.2.3", "2.1.0", "0.24.1"])
@pytest.mark.parametrize("command", ["query", "cquery"])
@pytest.mark.parametrize("going_on", [(), ("--keep_going",)], ids=["", "going-on"])
def test_what_is_withheld(
    command: str,
    version: str,
    going_on: tuple[str, ...],
    warm_root: Path,
    bazel: Callable[[str], Bazel],
) -> None:
    write_world(warm_root)
    apart = _APART.get(version, set())
    words = (*_WORDS[command], *going_on)
    mine, theirs = {}, {}
    for expression in _ASKED[command]:
        answer = bazel(version).run(warm_root, command, "--noshow_progress", *words, expression)
        if answer.exit_code == _CRASHED or (version, expression) in _ODD:
            continue
        theirs[expression] = (answer.exit_code, _labels(answer.stdout) - apart)
        line = [command, "--workspace", str(warm_root), "--bazel-version", version]
        done = CliRunner().invoke(cli, [*line, *words, expression], standalone_mode=False)
        mine[expression] = (done.return_value, _labels(done.stdout) - apart)
    assert len(theirs) > len(_ASKED[command]) // 2
    differing = {
        asked: (mine[asked], theirs[asked]) for asked in theirs if mine[asked] != theirs[asked]
    }
    assert not differing


def _labels(text: str) -> set[str]:
    return {line.partition(" (")[0] for line in text.splitlines()}
