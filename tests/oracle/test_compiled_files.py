"""Which rule a real Bazel builds for a file: the table that ours is held to."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.bazel import Bazel
from tests.support.compiled_files import FILES, MEASURED
from tests.support.files import write_files

pytestmark = pytest.mark.oracle

_CONFIGURED = re.compile(r'target_configured \{\s*label: "([^"]+)"')


def test_the_table_is_as_measured(warm_root: Path, bazel: Callable[[str], Bazel]) -> None:
    write_files(warm_root, FILES)
    events = warm_root.parent / "events"
    different = {}
    for file, expected in MEASURED.items():
        # Most cannot be analysed here, for want of what Bazel downloads: the events come before.
        told = ("--nobuild", f"--build_event_text_file={events}", "--compile_one_dependency")
        result = bazel("4.2.3").run(warm_root, "build", *told, file)
        configured = set(_CONFIGURED.findall(events.read_text(encoding="utf-8")))
        if configured != {expected} and f"ERROR: {expected}" not in result.errors:
            different[file] = sorted(configured), result.stderr
    assert not different
