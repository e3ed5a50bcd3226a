"""Which toolchains targets get, and what is refused, as later Bazels choose them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from tests.support.files import write_files
from tests.unit.analysis.graph.toolchain_choices import CHOICES, Choice

_CASES = [(choice, version) for choice in CHOICES for version in choice.versions.split()]


@pytest.mark.parametrize(
    ("choice", "version"), _CASES, ids=[f"{choice.name}-{version}" for choice, version in _CASES]
)
def test_choices(choice: Choice, version: str, tmp_path: Path) -> None:
    write_files(tmp_path, choice.all_files())
    workspace = Workspace.open(tmp_path, bazel_version=version, host="linux")
    asked = workspace.configure(choice.flags.split())
    told = [one for one in asked.refusals("//t:x") if not one.also]
    if choice.refused:
        assert any(choice.refused in f"{one.message} {one.remedy}" for one in told), told
        return
    assert told == []
    labels = {str(one.label) for one in asked.cquery("deps(//t:x, 1)").targets}
    chosen = {label for label in labels if label.startswith("//tc:")}
    assert chosen == {f"//tc:{name}_impl" for name in choice.gets}
