"""Flags of the project's own on the command line: what a real Bazel makes of each line."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.bazel import Bazel
from tests.support.build_setting_lines import BY_RELEASE, FILES
from tests.support.files import write_files

pytestmark = pytest.mark.oracle


@pytest.mark.parametrize("version", BY_RELEASE)
def test_what_lines_come_to(version: str, bazel: Callable[[str], Bazel], warm_path: Path) -> None:
    root = warm_path / "w"
    write_files(root, FILES)
    real = bazel(version)
    found: dict[str, str | None] = {}
    for line in BY_RELEASE[version]:
        said = real.run(root, "cquery", "--noshow_progress", "deps(//f:t)", *line.split())
        chosen = re.search(r"//f:(\w+)\.txt", said.stdout)
        value = chosen[1].replace("empty", "") if chosen else ""
        found[line] = value if said.exit_code == 0 else None
    assert found == BY_RELEASE[version]
