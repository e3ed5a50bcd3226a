"""Package groups that see rules by what their package says, and what `cquery` says of doubts."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bazelscope.cli.entry import cli
from tests.support.files import write_files

_GROUPED = """
package(default_visibility = [":pg"])
package_group(name = "pg", packages = ["//..."])
filegroup(name = "f")
alias(name = "al", actual = ":f")
filegroup(name = "seen", visibility = ["//visibility:public"])
"""


def _ask(root: Path, *words: str, version: str = "4.2.3") -> Result:
    line = [words[0], "--workspace", str(root), "--bazel-version", version, "--no-cache"]
    return CliRunner().invoke(cli, [*line, *words[1:]], standalone_mode=False)


def _labels(text: str) -> list[str]:
    """The labels of the workspace in an answer."""
    return sorted(line.partition(" ")[0] for line in text.splitlines() if line.startswith("//"))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (("deps(//:f)",), ["//:f", "//:pg"]),
        (("deps(//:f)", "--noimplicit_deps"), ["//:f"]),
        (("deps(//:al)",), ["//:al", "//:f", "//:pg"]),
        (("deps(//:al)", "--noimplicit_deps"), ["//:al", "//:f", "//:pg"]),
        (("deps(//:seen)",), ["//:seen"]),
    ],
)
def test_cquery_shows_default_groups_as_bazel_does(
    line: tuple[str, ...], expected: list[str], tmp_path: Path
) -> None:
    """Measured: 0.24.1, 2.1.0 and 4.2.3."""
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": _GROUPED})
    assert _labels(_ask(tmp_path, "cquery", *line).stdout) == expected


def test_a_target_that_an_error_keeps_away_is_told_with_the_error(tmp_path: Path) -> None:
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": 'x = "a\\;b"\nfilegroup(name = "a")\n'})
    done = _ask(tmp_path, "query", "//:a")
    assert done.return_value == 7
    assert "no such target '//:a'" in done.stderr
    assert "note: invalid escape sequence" in done.stderr


def test_what_is_refused_of_a_transition_is_told_once(tmp_path: Path) -> None:
    bzl = """
def _t(settings, attr):
    return {"//command_line_option:define": ["a=1"]}
t = transition(implementation = _t, inputs = [], outputs = ["//command_line_option:define"])
def _i(ctx):
    return []
r = rule(_i, attrs = {
    "dep": attr.label(cfg = t),
    "_allowlist_function_transition": attr.label(
        default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
    ),
})
"""
    build = 'load(":r.bzl", "r")\nfilegroup(name = "f")\nr(name = "x", dep = ":f")\n'
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": build, "r.bzl": bzl})
    done = _ask(tmp_path, "cquery", "deps(//:x)")
    assert done.stderr.count("transition on --define not supported") == 1


def test_all_that_may_register_toolchains_is_one_warning(tmp_path: Path) -> None:
    workspace = """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "one", urls = ["https://example.com/1.zip"])
http_archive(name = "two", urls = ["https://example.com/2.zip"])
load("@one//:w.bzl", "register_one_toolchain")
register_one_toolchain()
load("@two//:w.bzl", "register_two_toolchain")
register_two_toolchain()
"""
    write_files(tmp_path, {"WORKSPACE": workspace, "BUILD": 'cc_library(name = "x")\n'})
    told = _ask(tmp_path, "cquery", "deps(//:x)", version="7.4.1").stderr
    assert told.count("other toolchains than known may be registered") <= 1
    assert "made by Bazel itself" not in told
