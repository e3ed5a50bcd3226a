"""Compares the configured targets that a real Bazel lists with ours."""

from __future__ import annotations

from pathlib import Path

from tests.support import ours, query_output
from tests.support.bazel import Bazel
from tests.support.query_output import differences


def compare(real: Bazel, root: Path, target: str, *flags: str) -> None:
    """Every configured target that Bazel lists, platforms and toolchains among them."""
    asked = real.cquery(root, f"deps({target})", "--noimplicit_deps", *flags).checked()
    bazels = query_output.configured_nodes(asked.lines)
    found = ours.configured_nodes(root, real.version, (*flags, target))
    difference = differences(found, bazels)
    assert not difference, (target, flags, difference)
