"""What is made anew of a few packages is what a walk over everything makes."""

from __future__ import annotations

import pytest

from tests.support.repositories import Repository
from tests.unit.questions.affected_ways import LIKE, WALK, Places, committed, way_taken

FILES = {
    "WORKSPACE": 'register_toolchains("//tc:all")\n',
    "BUILD": "",
    "defs.bzl": """
def _impl(ctx):
    return []
def _change(settings, attr):
    return {"//command_line_option:cpu": attr.cpu}
_to_cpu = transition(implementation = _change, inputs = [],
                     outputs = ["//command_line_option:cpu"])
moved = rule(implementation = _impl, cfg = _to_cpu, attrs = {
    "cpu": attr.string(default = "arm"),
    "deps": attr.label_list(),
    "_allowlist_function_transition": attr.label(
        default = "@bazel_tools//tools/allowlists/function_transition_allowlist"),
})
user = rule(implementation = _impl, attrs = {
    "deps": attr.label_list(allow_files = True),
    "tool": attr.label(cfg = "exec"),
}, toolchains = ["//tc:type"])
flag = rule(implementation = _impl, build_setting = config.string(flag = True))
""",
    "tc/BUILD": """
toolchain_type(name = "type", visibility = ["//visibility:public"])
toolchain(name = "one", toolchain = "//lib:tc", toolchain_type = ":type")
""",
    "keys/BUILD": """
load("//:defs.bzl", "flag")
flag(name = "f", build_setting_default = "a")
config_setting(name = "is_a", flag_values = {":f": "a"})
alias(name = "key", actual = ":is_a", visibility = ["//visibility:public"])
filegroup(name = "beside")
""",
    "lib/BUILD": """
load("//:defs.bzl", "moved")
package(default_visibility = ["//visibility:public"])
filegroup(name = "tc")
filegroup(name = "a", srcs = ["a.txt"])
filegroup(name = "b", srcs = [":a", "c"])
moved(name = "m", deps = [":b"])
exports_files(["c"])
""",
    "app/BUILD": """
load("//:defs.bzl", "user")
user(name = "u", deps = ["//lib:b", "//lib:m", "//lib:c"] + select({
    "//keys:key": ["//lib:a"],
    "//conditions:default": ["//lib:missing"],
}), tool = "//lib:b")
genrule(name = "f", outs = ["p"], cmd = "", tools = ["//lib:tc"])
genrule(name = "g", outs = ["o"], cmd = "", tools = [":u"])
sh_test(name = "t", srcs = ["t.sh"])
test_suite(name = "suite")
""",
    "lib/a.txt": "",
    "lib/c": "",
}

ANOTHER = 'toolchain(name = "0", toolchain_type = ":type", toolchain = "//lib:a")\n'
EDITS: dict[str, tuple[Places, bool]] = {
    "an attribute": ({"lib/BUILD": ('"a.txt"', '"c"')}, LIKE),
    "a dependency that is new": ({"app/BUILD": ('deps = ["', 'deps = ["//tc:one", "')}, LIKE),
    "a rule that is gone": ({"lib/BUILD": ('filegroup(name = "b"', 'filegroup(name = "z"')}, LIKE),
    "a file that becomes a rule": (
        {"lib/BUILD": ('exports_files(["c"])', 'filegroup(name = "c")')}, LIKE,
    ),
    "a target that comes": (
        {"lib/BUILD": ('exports_files(["c"])', 'filegroup(name = "missing")')}, LIKE,
    ),
    "a transition": ({"lib/BUILD": ('"m",', '"m", cpu = "ppc",')}, LIKE),
    "a rule without its transition": ({"lib/BUILD": ("moved(", "filegroup(srcs = [], ")}, LIKE),
    "two packages": (
        {"lib/BUILD": ('"a.txt"', '"c"'), "app/BUILD": ('tools = [":u"', 'exec_tools = [":u"')},
        LIKE,
    ),
    "beside a setting": ({"keys/BUILD": ('"beside"', '"elsewhere"')}, LIKE),
    "a setting": ({"keys/BUILD": ('{":f": "a"}', '{":f": "b"}')}, WALK),
    "an alias of a setting": ({"keys/BUILD": ('":is_a"', '":beside"')}, WALK),
    "a default": ({"keys/BUILD": ('default = "a"', 'default = "b"')}, WALK),
    "a toolchain that is new": (
        {"tc/BUILD": ("toolchain(", f"{ANOTHER}toolchain(")}, WALK,
    ),
    "what a setting is made by": ({"defs.bzl": ("_impl", "_done")}, WALK),
    "lines of a .bzl file": ({"defs.bzl": ("def _change", "# why\n\ndef _change")}, LIKE),
    "what a transition does": ({"defs.bzl": ("attr.cpu}", "attr.cpu + \"\"}")}, LIKE),
    "a transition that comes": (
        {"defs.bzl": ("flag = rule(", "flag2 = rule("), "keys/BUILD": ("beside", "b")}, WALK,
    ),
    "a test that comes": ({"app/BUILD": ("genrule(", 'sh_test(name = "t2")\ngenrule(')}, LIKE),
    "an error": ({"app/BUILD": ("genrule(", "fail()\ngenrule(")}, LIKE),
}  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    return committed(tmp_path_factory.mktemp("made") / "w", FILES)


@pytest.mark.parametrize("edit", EDITS)
def test_both_ways_give_the_same(
    edit: str, made: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    places, way = EDITS[edit]
    assert way_taken(made, places, monkeypatch) == way
