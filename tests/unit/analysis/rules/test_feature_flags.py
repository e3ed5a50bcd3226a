"""Rules that act as settings, as a real 4.2.3 takes them: a `config_common.FeatureFlagInfo` from an
implementation decides conditions; a rule without one is no build setting."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.analysis.conditions.match_result import Match, NoMatch, UnknownMatch
from bazelscope.api import Workspace
from bazelscope.base.label import Label
from bazelscope.questions.when.text import when_document
from bazelscope.questions.why.text import why_document
from bazelscope.render.console import to_text
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
        ("//:of_none", "`//:none` in `flag_values` is no build setting"),
        (
            "//:top",
            "While resolving configuration keys for //:top: Analysis of target '//:of_none' failed",
        ),
    ]


OF_ANOTHER = {
    "WORKSPACE": "",
    "d.bzl": """
VersionInfo = provider(fields = ["value"])

def _version(ctx):
    return [VersionInfo(value = ctx.build_setting_value)]

def _major_minor(ctx):
    version = ctx.attr._version[VersionInfo].value
    return [config_common.FeatureFlagInfo(value = ".".join(version.split(".")[:2]))]

version = rule(_version, build_setting = config.string(flag = True))
major_minor = rule(
    _major_minor,
    build_setting = config.string(flag = False),
    attrs = {"_version": attr.label(default = "//:version")},
)
""",
    "BUILD": """
load(":d.bzl", "major_minor", "version")
version(name = "version", build_setting_default = "3.12.1")
major_minor(name = "major_minor", build_setting_default = "")
config_setting(name = "is_312", flag_values = {":major_minor": "3.12"})
config_setting(name = "is_311", flag_values = {":major_minor": "3.11"})
filegroup(
    name = "top",
    srcs = select({":is_312": [":a"], ":is_311": [":b"], "//conditions:default": []}),
)
[filegroup(name = name) for name in ("a", "b")]
""",
}
"""A build setting whose implementation says another value than its own: rules_python's
`python_version_major_minor`."""


@pytest.fixture
def of_another(tmp_path: Path) -> Workspace:
    write_files(tmp_path, OF_ANOTHER)
    return Workspace.open(tmp_path, bazel_version="4.2.3", host="linux")


@pytest.mark.parametrize(
    ("flags", "taken"), [([], "//:a"), (["--//:version=3.11.4"], "//:b"), (["--//:version=3"], "")]
)
def test_what_it_says_counts_before_its_value_as_a_build_setting(
    of_another: Workspace, flags: list[str], taken: str
) -> None:
    asked = of_another.configure(flags)
    below = {str(one.node.label) for one in asked.deps("//:top", configured=True).dependencies}
    assert below & {"//:a", "//:b"} == ({taken} if taken else set())


def _when(opened: Workspace, target: str, *flags: str) -> str:
    return to_text(when_document(opened.configure(list(flags)).when("//:top", target)))


def test_when_says_what_decides_and_where_it_is_said(of_another: Workspace) -> None:
    told = _when(of_another, "//:a")
    assert "only with:\n  //:major_minor=3.12 (which its implementation says)" in told
    assert "So now: //:major_minor is 3.12 (by its implementation, BUILD:4)" in told
    told = _when(of_another, "//:b")
    assert "Not so now: //:major_minor is 3.12 (by its implementation, BUILD:4)" in told
    assert "--//:major_minor" not in told
    told = _when(of_another, "//:b", "--//:version=3.11")
    assert "So now: //:major_minor is 3.11 (by its implementation, BUILD:4)" in told


def test_a_condition_is_explained_by_the_implementation(of_another: Workspace) -> None:
    told = to_text(why_document(of_another.configure([]).why("//:is_312")))
    assert "its implementation says //:major_minor=3.12  BUILD:4" in told
