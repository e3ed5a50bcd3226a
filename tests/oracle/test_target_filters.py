"""Which targets a real Bazel configures for a line with filters, and what `run` and `test` refuse:
the tables that ours are held to."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.bazel import Bazel
from tests.support.files import write_files
from tests.support.target_filters import FILES, MEASURED, RUN_FILES, lines_that_run

pytestmark = pytest.mark.oracle

_TOOLS = """
package(default_visibility = ["//visibility:public"])
filegroup(name = "coverage_report_generator")
filegroup(name = "lcov_merger")
"""
"""What Bazel would download for tests."""
_CONFIGURED = re.compile(r'target_configured \{\s*label: "//:([^"]+)"')


def test_the_table_is_as_measured(warm_root: Path, bazel: Callable[[str], Bazel]) -> None:
    write_files(warm_root, FILES)
    events = warm_root.parent / "events"
    different = {}
    for line, expected in MEASURED.items():
        command, *words = line.split()
        # Tests cannot be analysed so, for want of what Bazel downloads: the events come before.
        told = ("--nobuild", "--keep_going", f"--build_event_text_file={events}")
        result = bazel("4.2.3").run(warm_root, command, *told, *words)
        configured = set(_CONFIGURED.findall(events.read_text(encoding="utf-8")))
        if configured != set(expected.split()):
            different[line] = sorted(configured), result.stderr
    assert not different


@pytest.mark.parametrize("version", ["2.1.0", "4.2.3"])
def test_the_lines_are_refused_as_told(
    version: str, warm_root: Path, bazel: Callable[[str], Bazel]
) -> None:
    tools = warm_root.parent / "tools"
    write_files(tools, {"WORKSPACE": "", "BUILD": _TOOLS})
    write_files(warm_root, RUN_FILES)
    different = []
    for (command, *words), said in lines_that_run():
        own = ["--spawn_strategy=local"]
        if command == "run":
            own = [f"--script_path={warm_root.parent}/script"]
        own.append(f"--override_repository=remote_coverage_tools={tools}")
        told = bazel(version).run(warm_root, command, *own, *words)
        if bool(told.exit_code) != bool(said) or said not in told.stderr:
            different.append((command, words, said, told.stderr))
    assert not different
