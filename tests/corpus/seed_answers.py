"""What bazelscope answers on a whole tree of TensorFlow, in the blocks that goldens keep."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from bazelscope.cli import main
from tests.support.parts import need_tensorflow


def answer_blocks(
    release: str,
    version: str,
    words: Sequence[str],
    trees_cache: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> list[str]:
    """The blocks of the answer to `words` under Bazel `version`, for a user without rc files and
    without a compiler of their own."""
    root = need_tensorflow(release)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("CC", "BAZEL_CXXOPTS"):
        monkeypatch.delenv(name, raising=False)
    line = [*words, "-w", str(root), "--host", "linux", f"--bazel-version={version}"]
    assert main([*line, "--cache-dir", str(trees_cache)]) in (0, 3)
    return [block.rstrip() for block in capsys.readouterr().out.split("\n\n")]
