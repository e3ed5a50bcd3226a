"""`cquery --keep_going` goes on without what Bazel refuses, as 4.2.3 was measured to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.cli import main

_BUILD = """
filegroup(name = "sound", srcs = ["x"])
filegroup(name = "refused", srcs = ["//lib:private"])
filegroup(name = "above", srcs = [":refused"])
"""


@pytest.mark.parametrize(
    ("words", "labels", "code"),
    [
        (("//:all",), set(), 1),
        (("//:all", "--keep_going"), {"//:sound"}, 1),
        (("deps(//:above)", "-k"), set(), 1),
        (("//:sound + //:above", "-k"), {"//:sound"}, 1),
        (("//:sound + //:none", "-k"), set(), 1),
        (("//:sound", "-k"), {"//:sound"}, 0),
        (("//:sound + //:none", "-k", "--bazel-version=2.1.0"), {"//:sound"}, 1),
        (("//...", "-k"), {"//:sound", "//lib:private", "//in/error/not:x"}, 1),
        (("//...",), set(), 1),
        (("//in/...", "-k"), {"//in/error/not:x"}, 1),
    ],
)
def test_what_is_refused_is_left_out(
    tmp_path: Path,
    words: tuple[str, ...],
    labels: set[str],
    code: int,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "x").touch()
    (tmp_path / "BUILD").write_text(_BUILD)
    (tmp_path / "in/error/not").mkdir(parents=True)
    (tmp_path / "in/error/BUILD").write_text('load(":none.bzl", "x")\n')
    (tmp_path / "in/error/not/BUILD").write_text('filegroup(name = "x")\n')
    (tmp_path / "lib/BUILD").write_text('filegroup(name = "private")\n')
    line = ["cquery", "--workspace", str(tmp_path), "--bazel-version", "4.2.3", *words]
    assert main(line) == code
    said = capsys.readouterr().out.splitlines()
    assert {text.partition(" ")[0] for text in said} == labels


_RULES = """
def _none(ctx):
    return []
def _fails(ctx):
    fail("no")
_attrs = {"tool": attr.label(cfg = "host"), "word": attr.string()}
fails = rule(_fails, attrs = _attrs)
passes = rule(_none, attrs = _attrs)
"""
_FAILING = """
load(":rules.bzl", "fails", "passes")
filegroup(name = "tool")
fails(name = "late", tool = ":tool")
passes(name = "early", tool = ":tool", word = select({":never": "x"}))
passes(name = "above", tool = ":late")
config_setting(name = "never", define_values = {"never": "1"})
"""


@pytest.mark.parametrize(
    ("failing", "found"),
    [
        ("late", {"//:tool (target)", "//:tool (host)"}),
        ("above", {"//:tool (target)", "//:tool (host)"}),
        ("early", {"//:tool (target)"}),
    ],
)
def test_what_was_analysed_before_a_target_failed(
    failing: str, found: set[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text(_FAILING)
    (tmp_path / "rules.bzl").write_text(_RULES)
    line = ["cquery", "--workspace", str(tmp_path), "--bazel-version", "4.2.3", "-k"]
    assert main([*line, "--noimplicit_deps", f"//:tool + //:{failing}"]) == 1
    assert set(capsys.readouterr().out.splitlines()) == found
