"""What the transition of a rule itself sees of attributes with a select(): since Bazel 7 the value,
unless a key asks about what the transition may set (rules_go, rules_python and rules_rust rely on
it)."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import ConfiguredWorkspace, Workspace
from bazelscope.base.label import Label
from tests.support.files import write_files

FILES = {
    "WORKSPACE": "",
    "d.bzl": """
def _flag(ctx):
    return []

flag = rule(_flag, build_setting = config.string(flag = True))

def _changed(settings, attr):
    return {"//:mode": attr.mode}

def _if_there(settings, attr):
    return {"//:mode": getattr(attr, "mode", "none")}

def _impl(ctx):
    return []

changed = transition(implementation = _changed, inputs = [], outputs = ["//:mode"])
if_there = transition(implementation = _if_there, inputs = [], outputs = ["//:mode"])
attrs = {
    "mode": attr.string(),
    "srcs": attr.label_list(),
    "_allowlist_function_transition": attr.label(
        default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
    ),
}
reads = rule(_impl, cfg = changed, attrs = attrs)
asks = rule(_impl, cfg = if_there, attrs = attrs)
""",
    "BUILD": """
load(":d.bzl", "asks", "flag", "reads")
flag(name = "mode", build_setting_default = "slow")
alias(name = "also", actual = ":mode")
[config_setting(name = "is_" + m, flag_values = {":mode": m}) for m in ("fast", "slow", "none")]
config_setting(name = "also_slow", flag_values = {":also": "slow"})
config_setting(name = "dbg", values = {"compilation_mode": "dbg"})
filegroup(
    name = "below",
    srcs = select({":is_fast": [":f"], ":is_none": [":n"], "//conditions:default": [":s"]}),
)
[filegroup(name = n) for n in ("f", "n", "s")]
by_dbg = select({":dbg": "fast", "//conditions:default": "slow"})
reads(name = "reads", mode = by_dbg, srcs = [":below"])
asks(name = "asks", mode = by_dbg, srcs = [":below"])
asks(name = "own", mode = select({":is_slow": "fast", "//conditions:default": "slow"}),
     srcs = [":below"])
asks(name = "aliased", mode = select({":also_slow": "fast", "//conditions:default": "slow"}),
     srcs = [":below"])
reads(name = "fails", mode = select({":is_slow": "fast", "//conditions:default": "slow"}),
      srcs = [":below"])
""",
}


_OLD_WHY = "Starlark rule transitions currently cannot read attributes behind selects."
_WHY = (
    "the attribute was not resolved because it is set by a select that reads flags the transition"
    " may set."
)


def _asked(root: Path, release: str, flags: list[str]) -> ConfiguredWorkspace:
    write_files(root, FILES)
    return Workspace.open(root, bazel_version=release, host="linux").configure(flags)


@pytest.mark.parametrize(
    ("release", "flags", "name", "taken"),
    [
        ("9.1.0", [], "reads", "s"),
        ("9.1.0", ["-c", "dbg"], "reads", "f"),
        ("7.0.0", ["-c", "dbg"], "asks", "f"),
        ("6.5.0", ["-c", "dbg"], "asks", "n"),
        ("4.2.3", ["-c", "dbg"], "asks", "n"),
        ("9.1.0", [], "own", "n"),
        ("9.1.0", [], "aliased", "n"),
    ],
)
def test_the_branch_that_counts_below(
    tmp_path: Path, release: str, flags: list[str], name: str, taken: str
) -> None:
    asked = _asked(tmp_path, release, flags)
    below = {str(one.node.label) for one in asked.deps(f"//:{name}", configured=True).dependencies}
    assert below & {"//:f", "//:n", "//:s"} == {f"//:{taken}"}


def test_config_target_is_no_transition_of_a_rule(tmp_path: Path) -> None:
    own = "cfg = config.target(), attrs = {k: v for k, v in attrs.items() if k[0] != '_'}"
    rules = FILES["d.bzl"].replace("cfg = if_there, attrs = attrs", own)
    write_files(tmp_path, {**FILES, "d.bzl": rules})
    asked = Workspace.open(tmp_path, bazel_version="9.1.0", host="linux").configure([])
    below = {str(one.node.label) for one in asked.deps("//:asks", configured=True).dependencies}
    assert "//:s" in below
    assert asked.world.refusals_below([Label("", "", "asks")]) == ()


@pytest.mark.parametrize(
    ("release", "name", "why"),
    [
        ("4.2.3", "reads", f"is set by a select. {_OLD_WHY}"),
        ("9.1.0", "reads", ""),
        ("9.1.0", "fails", _WHY),
    ],
)
def test_reading_what_is_not_there_is_refused(
    tmp_path: Path, release: str, name: str, why: str
) -> None:
    asked = _asked(tmp_path, release, [])
    refused = [one.message for one in asked.world.refusals_below([Label("", "", name)])]
    words = f"No attribute 'mode'. Either this attribute does not exist for this rule or {why}"
    assert refused == ([words] if why else [])


def test_a_platform_of_a_module_that_is_not_here_is_no_error(tmp_path: Path) -> None:
    """A transition of rules_apple sets `str(Label("@apple_support//platforms:..."))`."""
    rules = """
def _changed(settings, attr):
    return {"//command_line_option:platforms": "@@far+//platforms:p"}

def _impl(ctx):
    return []

changed = transition(
    implementation = _changed,
    inputs = [],
    outputs = ["//command_line_option:platforms"],
)
reads = rule(_impl, cfg = changed, toolchains = ["//:type"])
"""
    files = {
        "MODULE.bazel": 'bazel_dep(name = "far", version = "1.0")\n',
        "d.bzl": rules,
        "BUILD": 'load(":d.bzl", "reads")\ntoolchain_type(name = "type")\nreads(name = "top")\n',
    }
    write_files(tmp_path, files)
    asked = Workspace.open(tmp_path, bazel_version="9.1.0", host="linux").configure([])
    messages = [one.message for one in asked.world.refusals_below([Label("", "", "top")])]
    assert not [one for one in messages if "far" in one], messages
