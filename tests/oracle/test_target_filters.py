"""Which targets a real Bazel configures for a line with filters: the table that ours is held to."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.bazel import Bazel
from tests.support.files import write_files
from tests.support.target_filters import FILES, MEASURED

pytestmark = pytest.mark.oracle

_CONFIGURED = re.compile(r'target_configured \{\s*label: "//:([^"]+)"')


def test_the_table_is_as_measured(warm_root: Path, bazel: Callable[[str], Bazel]) -> None:
    write_files(warm_root, FILES)
    events = warm_root.parent / "events"
    different = {}
    for line, expected in MEASURED.items():
        command, *words = line.split()
        # Tests cannot be analysed here, for want of what Bazel downloads: the events come before.
        told = ("--nobuild", "--keep_going", f"--build_event_text_file={events}")
        result = bazel("4.2.3").run(warm_root, command, *told, *words)
        configured = set(_CONFIGURED.findall(events.read_text(encoding="utf-8")))
        if configured != set(expected.split()):
            different[line] = sorted(configured), result.stderr
    assert not different
