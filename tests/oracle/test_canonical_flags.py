"""Canonical forms of command lines, beside `canonicalize-flags` of real Bazels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.bazel import Bazel
from tests.support.canonical_lines import LINES

pytestmark = pytest.mark.oracle


@pytest.mark.parametrize("version", ["4.2.3", "2.1.0", "0.24.1"])
def test_canonical_flags(version: str, bazel: Callable[[str], Bazel], warm_root: Path) -> None:
    (warm_root / "WORKSPACE").write_text("")
    real = bazel(version)
    found = {}
    for line in LINES:
        said = real.canonicalize_flags(warm_root, *line, command="test")
        found[line] = list(said.lines) if said.exit_code == 0 else None
    assert found == LINES
