"""Values of build settings, as command lines set them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.analysis.conditions.match_result import Match
from bazelscope.analysis.configuration.build_settings import current_value
from bazelscope.api import Workspace
from bazelscope.base.label import PackageId, parse_label
from bazelscope.loading.packages.targets import Rule
from tests.support.files import write_files

REPEATED = [
    "--//:many=a,b",
    "--//:many=c",
    "--//:words=a,b",
    "--//:words=c",
    "--//:one=a",
    "--//:one=c",
]


@pytest.mark.parametrize("version", ["5.4.1", "6.5.0", "7.7.1"])
def test_a_repeatable_flag_has_every_value_whole(version: str, tmp_path: Path) -> None:
    write_files(
        tmp_path,
        {
            "WORKSPACE": "",
            "r.bzl": """\
def _impl(ctx):
    return []

many = rule(_impl, build_setting = config.string(flag = True, allow_multiple = True))
words = rule(_impl, build_setting = config.string_list(flag = True, repeatable = True))
one = rule(_impl, build_setting = config.string_list(flag = True))
""",
            "BUILD": """\
load(":r.bzl", "many", "one", "words")
many(name = "many", build_setting_default = "x")
words(name = "words", build_setting_default = ["x", "y"])
one(name = "one", build_setting_default = [])
config_setting(name = "many_c", flag_values = {":many": "c"})
config_setting(name = "many_a", flag_values = {":many": "a"})
config_setting(name = "words_c", flag_values = {":words": "c"})
config_setting(name = "one_a", flag_values = {":one": "a"})
""",
        },
    )
    asked = Workspace.open(tmp_path, bazel_version=version).configure(REPEATED)

    def value(name: str) -> tuple[str, ...]:
        rule = asked.loader.target(parse_label(f"//:{name}", PackageId("", "")))
        assert isinstance(rule, Rule)
        return current_value(rule, asked.world.configuration, rule.label).texts

    assert value("many") == value("words") == ("a,b", "c")
    assert value("one") == ("c",)
    matched = [
        name
        for name in ("many_c", "many_a", "words_c", "one_a")
        if isinstance(
            asked.world.conditions.match(parse_label(f"//:{name}", PackageId("", ""))), Match
        )
    ]
    assert matched == ["many_c", "words_c"]


TYPES = {
    "WORKSPACE": "",
    "p/r.bzl": """\
def _impl(ctx):
    return []

bool_flag = rule(_impl, build_setting = config.bool(flag = True))
int_flag = rule(_impl, build_setting = config.int(flag = True))
string_flag = rule(_impl, build_setting = config.string(flag = True))
""",
    "p/BUILD": """\
load(":r.bzl", "bool_flag", "int_flag", "string_flag")
bool_flag(name = "b", build_setting_default = False)
int_flag(name = "i", build_setting_default = 1)
string_flag(name = "s", build_setting_default = "x")
label_flag(name = "l", build_setting_default = ":one")
filegroup(name = "one")
""",
}
# What 2.1.0 was seen to do with a line: the flags' values, and the targets that are left.
TWO_WORDS: list[tuple[str, dict[str, str], list[str]]] = [
    ("--//p:b //p:one", {"//p:b": "true"}, ["//p:one"]),
    ("--//p:b true //p:one", {"//p:b": "true"}, ["true", "//p:one"]),
    ("--//p:b false", {"//p:b": "true"}, ["false"]),
    ("--//p:i 3 //p:one", {"//p:i": "3"}, ["//p:one"]),
    ("--//p:s //p:one", {"//p:s": "//p:one"}, []),
    ("--//p:s -c opt y //p:one", {"//p:s": "y"}, ["//p:one"]),
    ("--//p:l //p:one //p:one", {"//p:l": "//p:one"}, ["//p:one"]),
    ("--//p:s --//p:b //p:one", {"//p:s": "--//p:b"}, ["//p:one"]),
    ("--//p:b --//p:s=y //p:one", {"//p:b": "true", "//p:s": "y"}, ["//p:one"]),
]


@pytest.mark.parametrize(("line", "settings", "targets"), TWO_WORDS)
def test_before_bazel_4_all_but_booleans_take_the_next_word(
    line: str, settings: dict[str, str], targets: list[str], tmp_path: Path
) -> None:
    write_files(tmp_path, TYPES)
    asked = Workspace.open(tmp_path, bazel_version="2.1.0").configure(line.split())
    found = {name: value.value for name, value in asked.flags.starlark_flags.items()}
    assert (found, [target.text for target in asked.flags.targets]) == (settings, targets)
    assert not asked.errors


@pytest.mark.parametrize("line", ["//p:one --//p:s", "--//p:s -- //p:one"])
def test_a_value_that_does_not_come(line: str, tmp_path: Path) -> None:
    write_files(tmp_path, TYPES)
    asked = Workspace.open(tmp_path, bazel_version="2.1.0").configure(line.split())
    assert [error.message for error in asked.errors] == ["`--//p:s` expects a value"]


_OWN_NAME = {
    "MODULE.bazel": 'module(name = "mine")\n',
    "BUILD": """
label_flag(name = "backend", build_setting_default = "//a:none")
config_setting(name = "is_a", flag_values = {":backend": "//a:a"})
filegroup(name = "top", srcs = [":backend"] + select({":is_a": ["//a:chosen"],
                                                      "//conditions:default": []}))
""",
    "a/BUILD": """
package(default_visibility = ["//visibility:public"])
filegroup(name = "a")
filegroup(name = "none")
filegroup(name = "chosen")
""",
}


@pytest.mark.parametrize("value", ["//a:a", "@mine//a:a", "@//a:a", "@@//a:a", "a:a", "a"])
def test_a_label_flag_is_given_a_target_by_the_names_of_the_command_line(
    tmp_path: Path, value: str
) -> None:
    """Seen on pigweed, whose rc file calls its own targets `@pigweed//...`: they were loaded a
    second time, as those of another repository, with providers of their own."""
    write_files(tmp_path, _OWN_NAME)
    workspace = Workspace.open(tmp_path, bazel_version="8.1.0", host="linux")
    line = workspace.configure([f"--//:backend={value}"])
    reached = {str(target.label) for target in line.cquery("deps(//:top)").targets}
    assert {"//a:a", "//a:chosen"} <= reached
    assert not any("mine" in one for one in reached)
    assert "//a:none" not in reached
