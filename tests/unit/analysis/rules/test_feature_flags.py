"""Rules that act as settings, as a real 4.2.3 takes them: a `config_common.FeatureFlagInfo` from an
implementation decides conditions; a rule without one is no build setting."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.analysis.conditions.match_result import Match, NoMatch, UnknownMatch
from bazelscope.api import Workspace
from bazelscope.base.label import Label
from tests.support.files import write_files

FILES = {
    "WORKSPACE": "",
    "d.bzl": """
def _flag(ctx):
    return [config_common.FeatureFlagInfo(value = ctx.attr.value)]

def _none(ctx):
    return []

def _unknown(ctx):
    return [config_common.FeatureFlagInfo(value = str(ctx.created_actions()))]

flag = rule(_flag, attrs = {"value": attr.string()})
none = rule(_none)
unknown = rule(_unknown)
""",
    "BUILD": """
load(":d.bzl", "flag", "none", "unknown")
flag(name = "set", value = select({":dbg": "no", "//conditions:default": "yes"}))
none(name = "none")
unknown(name = "unknown")
alias(name = "also", actual = ":set")
config_setting(name = "dbg", values = {"compilation_mode": "dbg"})
config_setting(name = "yes", flag_values = {":set": "yes"})
config_setting(name = "no", flag_values = {":set": "no"})
config_setting(name = "aliased", flag_values = {":also": "yes"})
config_setting(name = "of_none", flag_values = {":none": "yes"})
config_setting(name = "of_unknown", flag_values = {":unknown": "True"})
filegroup(name = "top", srcs = select({":of_none": [], "//conditions:default": []}))
filegroup(name = "open", srcs = select({":of_unknown": [], "//conditions:default": []}))
""",
}


@pytest.mark.parametrize(
    ("condition", "flags", "expected"),
    [
        ("yes", [], Match),
        ("no", [], NoMatch),
        ("aliased", [], Match),
        ("no", ["-c", "dbg"], Match),
        ("of_none", [], UnknownMatch),
        ("of_unknown", [], UnknownMatch),
    ],
)
def test_what_an_implementation_provides_decides(
    tmp_path: Path, condition: str, flags: list[str], expected: type
) -> None:
    write_files(tmp_path, FILES)
    asked = Workspace.open(tmp_path, bazel_version="4.2.3", host="linux").configure(flags)
    assert isinstance(asked.world.conditions.match(Label("", "", condition)), expected)


def test_only_what_provides_no_setting_is_refused(tmp_path: Path) -> None:
    write_files(tmp_path, FILES)
    asked = Workspace.open(tmp_path, bazel_version="4.2.3", host="linux").configure([])
    refused = asked.world.refusals_below([Label("", "", "top"), Label("", "", "open")])
    assert [(str(one.target), one.message) for one in refused if not one.also] == [
        ("//:of_none", "`//:none` in `flag_values` is no build setting")
    ]
