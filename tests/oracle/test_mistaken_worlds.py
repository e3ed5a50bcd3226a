"""Random mistakes: what real Bazels refuse of `mistaken_worlds`, we refuse, and nothing that they
take."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from bazelscope.api.workspace import Workspace
from bazelscope.questions.affected import refused
from tests.oracle.compile_worlds import write_stubs
from tests.oracle.mistaken_worlds import write_world
from tests.support.bazel import Bazel
from tests.support.repositories import Repository

pytestmark = pytest.mark.oracle

_LABEL = r"(//[^\s:']+:[^\s:'.]+)"
_ABOUT = re.compile(rf"ERROR: (?:\S+ )?in (?:\S+ attribute of )?\S+ rule '?{_LABEL}")
_RESOLVING = re.compile(rf"ERROR: (?:\S+ )?While resolving [a-z ]* for (?:target )?{_LABEL}")
_REFERENCE = re.compile(rf"ERROR: .* and referenced by '{_LABEL}'$")
_KEY = re.compile(
    rf"ERROR: .* is not a valid (?:select\(\) condition|configuration key) for {_LABEL}"
)
_NOT_BUILT = re.compile(r"WARNING: errors encountered while analyzing target '(\S+)'")
_FLAGS = ("--nobuild", "--keep_going", "--color=no", "--noshow_progress")


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("version", ["4.2.3", "2.1.0", "0.24.1"])
def test_refused_targets(
    version: str, seed: int, warm_path: Path, bazel: Callable[[str], Bazel]
) -> None:
    root = warm_path / "w"
    write_world(root, seed)
    stubs = write_stubs(warm_path / "stubs")
    lines = bazel(version).run(root, "build", *_FLAGS, *stubs, "//...").stderr.splitlines()
    told = _matched(lines, _ABOUT, _RESOLVING, _REFERENCE, _KEY)
    assert len(told) > 10
    workspace = Workspace.open(root, bazel_version=version, host="linux")
    answer = workspace.configure([*stubs, "//..."]).explain()
    ours = {str(one.target): one for one in answer.envelope.refusals if one.target is not None}
    assert sorted(told - ours.keys()) == []
    first = {label for label, one in ours.items() if not one.also}
    assert sorted(first - told - _matched(lines, _NOT_BUILT)) == []


@pytest.mark.parametrize("seed", range(6, 9))
def test_which_affected_targets_are_refused(
    seed: int, warm_path: Path, bazel: Callable[[str], Bazel], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All targets are affected by an option, and marked if the build of all leaves them out."""
    monkeypatch.setattr(refused, "_MOST_BELOW", 1_000_000)
    root = warm_path / "w"
    write_world(root, seed)
    Repository(root).commit()
    (root / ".bazelrc").write_text("build --define=any=1\n")
    stubs = write_stubs(warm_path / "stubs")
    lines = bazel("4.2.3").run(root, "build", *_FLAGS, *stubs, "//...").stderr.splitlines()
    workspace = Workspace.open(root, bazel_version="4.2.3", host="linux")
    answer = workspace.configure([*stubs, "//..."]).affected()
    ours = {str(one.label) for one in answer.targets if one.is_refused}
    assert len(ours) > 10
    assert ours == _matched(lines, _NOT_BUILT)


def _matched(lines: list[str], *patterns: re.Pattern[str]) -> set[str]:
    matches = (pattern.match(line) for line in lines for pattern in patterns)
    return {match[1] for match in matches if match is not None}
