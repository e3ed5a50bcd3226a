"""Generated programs, run by bazelscope and by a real Bazel, must mean the same.

Each program is a .bzl file of its own package, all of one workspace, so that one query runs
hundreds of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from bazelscope.base.errors import StarlarkError
from tests.conformance.program_generator import program
from tests.conformance.test_differential import ours
from tests.support.bazel import Bazel

pytestmark = pytest.mark.oracle

COUNT = 300
_PRINTED = re.compile(r"/s(\d+)/x\.bzl:\d+:\d+: <<<(.*?)>>>\n", re.DOTALL)
_STATIC = re.compile(r"ERROR: \S*?/s(\d+)/x\.bzl:\d+:\d+: (.*)")
_TRACEBACK = re.compile(r"ERROR: Traceback.*\n((?:\t.*\n)*)Error.*?: (.*)\n")
_NOT_YET = ("dict | dict", "is not defined", "no field or method", "not supported")
"""What Bazel 4.2.3 says to things that newer Bazels have."""


@pytest.fixture(scope="module")
def outcomes(
    bazel: Callable[[str], Bazel], tmp_path_factory: pytest.TempPathFactory
) -> tuple[dict[int, str], dict[int, str]]:
    """What Bazel printed, and what it complained of, by the program's seed."""
    root: Path = tmp_path_factory.mktemp("programs")
    (root / "WORKSPACE").write_text("")
    for seed in range(COUNT):
        package = root / f"s{seed}"
        package.mkdir()
        text = program(seed, old=True) + 'print("<<<" + repr(result) + ">>>")\n'
        (package / "x.bzl").write_text(text)
        (package / "BUILD").write_text('load(":x.bzl", "result")\n')
    said = bazel("4.2.3").query(root, "//...").stderr
    printed = {int(match[1]): match[2] for match in _PRINTED.finditer(said)}
    failed = {int(match[1]): match[2] for match in _STATIC.finditer(said)}
    for match in _TRACEBACK.finditer(said):
        if seed_found := re.search(r"/s(\d+)/x\.bzl", match[1]):
            failed[int(seed_found[1])] = match[2]
    return printed, failed


def test_programs_mean_what_bazel_says(
    outcomes: tuple[dict[int, str], dict[int, str]],
) -> None:
    printed, failed = outcomes
    assert set(printed) | set(failed) == set(range(COUNT))
    disagreements = []
    for seed in range(COUNT):
        text = program(seed, old=True)
        found = ours(text)
        if isinstance(found, StarlarkError):
            agreed = seed in failed
        elif seed in printed:
            agreed = found == printed[seed]
        else:
            agreed = any(words in failed[seed] for words in _NOT_YET)
        if not agreed:
            theirs = printed.get(seed) or failed.get(seed)
            disagreements.append(f"seed {seed}:\n{text}\nBazel: {theirs}\nours: {found}")
    assert not disagreements, "\n\n".join(disagreements)
    assert len(printed) > COUNT // 2
