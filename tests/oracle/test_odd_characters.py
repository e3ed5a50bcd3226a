"""Quotes, markup and control characters in every format of `query`, as real Bazels write them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from bazelscope.cli import main
from tests.support.bazel import Bazel
from tests.support.files import write_files
from tests.unit.query.test_odd_characters import BUILD

_COLUMN = re.compile(r"(?<=/BUILD:\d):\d+")
"""Of a call: its bracket, in older Bazels its beginning."""

pytestmark = pytest.mark.oracle


@pytest.mark.parametrize("version", ["0.24.1", "2.1.0", "4.2.3"])
def test_odd_characters(
    version: str,
    warm_root: Path,
    bazel: Callable[[str], Bazel],
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    write_files(warm_root, {"WORKSPACE": "", "BUILD": BUILD})
    for output in ("build", "xml", "label_kind", "location"):
        words = ("//:all", f"--output={output}", "--order_output=full")
        theirs = bazel(version).query(warm_root, *words).checked().stdout
        own = ("-w", str(warm_root), "--bazel-version", version, "--no-cache")
        assert main(["query", *words, *own]) == 0
        ours = capfdbinary.readouterr().out.decode("utf-8", "surrogateescape")
        assert _COLUMN.sub("", ours) == _COLUMN.sub("", theirs), output
