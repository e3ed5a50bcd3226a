"""A command line that Bazel refuses is told first, and nothing of the tree is blamed for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.analysis.refusals.refusal import RefusalKind
from bazelscope.api import Workspace
from bazelscope.cli import main

_BUILD = """
filegroup(name = "top", srcs = select({":a": [], "//conditions:default": [":leaf"]}))
filegroup(name = "leaf")
filegroup(name = "lacks", srcs = ["//nowhere:x"])
config_setting(name = "a", values = {"compilation_mode": "dbg"})
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text(_BUILD)
    return tmp_path


@pytest.mark.parametrize("words", [("explain", "//:top"), ("deps", "//:lacks"), ("explain",)])
def test_it_comes_first(
    root: Path, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--workspace", str(root), "--bazel-version", "4.2.3", "--no-cache"]
    line = [*words, *options, "--compilation_mode=fast"]
    assert main(line) == 2
    begun = capsys.readouterr().out.splitlines()
    assert begun[0] == "Bazel refuses this: 1 error."
    assert "in `--compilation_mode=fast`, `fast` is none of" in begun[3]


def test_nothing_else_is_refused(root: Path) -> None:
    workspace = Workspace.open(root, bazel_version="4.2.3", host="linux")
    asked = workspace.configure(["--compilation_mode=fast", "--stamp=perhaps"])
    assert [one.kind for one in asked.refusals("//:top")] == [RefusalKind.COMMAND_LINE] * 2
    sound = workspace.configure(["--compilation_mode=opt"])
    assert sound.refusals("//:top") == ()
