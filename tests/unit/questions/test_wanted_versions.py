"""The Bazel that a tree's own files ask for is assumed where no `.bazelversion` says one."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.cli import main

_CONFIGURE = "_X_MIN_BAZEL_VERSION = '3.1.0'\n_X_MAX_BAZEL_VERSION = '3.99.0'\n"

# Files: the assumed release, and who asks for it.
_CASES = {
    "a call with both": (
        {"configure.py": "def check_bazel_version(a, b):\n  pass\n\n"
         "x = check_bazel_version('0.24.1', '0.25.2')\n"},
        "0.25.2",
        "0.24.1 to 0.25.2 (configure.py:4)",
    ),
    "constants with an open end": (
        {"configure.py": _CONFIGURE},
        "3.1.0",
        "3.1.0 to 3.99.0 (configure.py:1)",
    ),
    "skylib, with a newest": (
        {"WORKSPACE": 'versions.check(minimum_bazel_version = "2.0.0",\n'
         '    maximum_bazel_version = "4.0.0")\n'},
        "4.0.0",
        "2.0.0 to 4.0.0 (WORKSPACE:1)",
    ),
    "the newest will do": (
        {"WORKSPACE": 'check_bazel_version_at_least("0.19.0")\n'},
        "7.7.1",
        "",
    ),
    "a comment": ({"WORKSPACE": '# versions.check("99.0.0")\n'}, "7.7.1", ""),
    "a version of its own": (
        {"configure.py": _CONFIGURE, ".bazelversion": "6.5.0\n"},
        "6.5.0",
        "",
    ),
    "nothing": ({}, "7.7.1", ""),
}  # fmt: skip


@pytest.mark.parametrize(("files", "release", "asks"), _CASES.values(), ids=_CASES.keys())
def test_assumed_release(tmp_path: Path, files: dict[str, str], release: str, asks: str) -> None:
    for path, text in {"WORKSPACE": "", **files}.items():
        (tmp_path / path).write_text(text)
    setup = Workspace.open(tmp_path).configure([]).setup
    assert setup.bazel_version == release
    assert setup.hint == (f"this tree asks for Bazel {asks}" if asks else "")


@pytest.mark.parametrize(
    "words",
    [
        ["path", "//:a", "//:b"],
        ["path", "//:a", "//:b", "--all-paths"],
        ["deps", "//:a"],
        ["rdeps", "//:b"],
        ["graph", "//:a"],
        ["select", "//:a"],
        ["settings"],
        ["repos"],
        ["diff", "//:a", "--after=-c dbg"],
        ["explain", "//:a"],
        ["explain", "--why", "//:b", "//:a"],
        ["flag", "copt"],
        ["query", "//:a"],
        ["cquery", "//:a"],
    ],
    ids=" ".join,
)
def test_every_answer_tells_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    (tmp_path / "WORKSPACE").write_text("")
    (tmp_path / "BUILD").write_text(
        """filegroup(name = "a", srcs = [":b"])\nfilegroup(name = "b")\n"""
    )
    (tmp_path / "configure.py").write_text(_CONFIGURE)
    main([*words, "-w", str(tmp_path)])
    told = "".join(capsys.readouterr())
    assert "this tree asks for Bazel 3.1.0 to 3.99.0 (configure.py:1)" in told
    (tmp_path / ".bazelversion").write_text("3.1.0")
    main([*words, "-w", str(tmp_path)])
    assert "asks for Bazel" not in "".join(capsys.readouterr())
