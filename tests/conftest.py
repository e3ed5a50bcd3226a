"""Fixtures for every tier, and the line about what was not tested."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support import parts
from tests.support.bazel import Bazel


@pytest.fixture(scope="session")
def bazel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Bazel]]:
    """`bazel("4.2.3")`: a real Bazel whose servers live as long as the test run."""
    running: dict[str, Bazel] = {}

    def of_version(version: str) -> Bazel:
        if version not in running:
            scratch: Path = tmp_path_factory.mktemp(f"bazel-{version}")
            running[version] = Bazel(version, scratch)
        return running[version]

    yield of_version
    for real in running.values():
        real.shutdown()


@pytest.fixture(scope="session")
def trees_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that all processes of a run share, for tests of large trees that are not about what
    a first run finds: the trees are loaded once."""
    is_worker = "PYTEST_XDIST_WORKER" in os.environ
    base = tmp_path_factory.getbasetemp()
    return (base.parent if is_worker else base) / "trees-cache"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says loudly which tiers were not, or not wholly, tested."""
    for tier, absent in sorted(parts.missing.items()):
        terminalreporter.write_line(
            f"!!! NOT TESTED: parts of the tier `{tier}` are missing: {', '.join(sorted(absent))}",
            red=True,
            bold=True,
        )
