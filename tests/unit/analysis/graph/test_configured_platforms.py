"""Platforms of configured targets: what mappings make of them, what is incompatible with them,
which one a transition finds or sets, and what stands for their constraint values."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from bazelscope.analysis.configuration.platforms import platform_of
from bazelscope.analysis.graph.compatibility import why_incompatible
from tests.support.ours import label
from tests.unit.analysis.graph import transition_worlds as worlds
from tests.unit.analysis.graph.transition_worlds import graph_of, leaves

MAPPED = [
    ((), ["e"], ["b"]),
    (("--platforms=//p:west",), ["a", "b", "c", "d"], ["b"]),
    (("--platforms=//p:east",), ["f"], ["b"]),
    (("--cpu=aarch64",), ["a", "b", "c", "d"], ["b"]),
    (("--cpu=aarch64", "--compilation_mode=dbg"), ["f"], ["b"]),
    # Tools get what the mapping makes of the top-level options: its defines, and no others.
    (
        ("--platforms=//p:south", "--define=given=1", "--host_cpu=k8", "--host_copt=-g"),
        ["c", "h"],
        ["a", "b", "h", "i"],
    ),
]


@pytest.mark.parametrize(("flags", "target", "tool"), MAPPED)
def test_platform_mappings(
    tmp_path: Path, flags: Sequence[str], target: list[str], tool: list[str]
) -> None:
    graph = graph_of(worlds.write(tmp_path, worlds.MAPPINGS), *flags)
    assert leaves(graph, "//p:app") == [[name for name in target if name != "e"]]
    assert leaves(graph, "//p:tools") == [tool]
    assert leaves(graph, "//p:exec_tools") == [tool]


INCOMPATIBLE = [
    ("", ("only_w by_output exec_user gen host_user needs needs_more only_w_by_alias plain_w "
         "needs_alias group tool_user")),
    ("--platforms=//p:west", "gen by_output exec_user host_user tool_user"),
    ("--platforms=//p:east", ("only_w only_w_by_alias plain_w needs needs_more exec_user host_user "
                             "needs_alias group tool_user")),
    ("--platforms=//p:west --compilation_mode=opt",
     "gen by_output selected exec_user host_user tool_user"),
]  # fmt: skip


@pytest.mark.parametrize(("flags", "expected"), INCOMPATIBLE)
def test_incompatible_targets(tmp_path: Path, flags: str, expected: str) -> None:
    graph = graph_of(worlds.write(tmp_path, worlds.COMPATIBILITY), *flags.split())
    found = {
        target.removeprefix("//p:")
        for target in worlds.COMPATIBILITY_TARGETS
        if why_incompatible(graph, graph.top(label(target))) is not None
    }
    assert found == set(expected.split())


def test_the_reason_of_an_incompatibility(tmp_path: Path) -> None:
    graph = graph_of(worlds.write(tmp_path, worlds.COMPATIBILITY), "--platforms=//p:east")
    found = why_incompatible(graph, graph.top(label("//p:needs_more")))
    assert found is not None
    names = [node.label.name for node in found.chain]
    assert names == ["needs_more", "needs", "only_w"]
    (missing,) = found.missing
    assert (missing.what, missing.wanted, missing.got) == ("//p:side", "//p:w", "//p:e")
    assert missing.set_by is not None
    assert missing.set_by.text == "--platforms=//p:east"


_PLATFORM = "//command_line_option:platforms"
SEES_PLATFORM = {
    "WORKSPACE": "",
    "BUILD": "",
    "r.bzl": f"""\
CPU = "//command_line_option:cpu"

def _by_platform(settings, attr):
    return {{CPU: settings["{_PLATFORM}"][0].name}}

def _stay(settings, attr):
    return {{"{_PLATFORM}": settings["{_PLATFORM}"]}}

by_platform = transition(implementation = _by_platform, inputs = ["{_PLATFORM}"], outputs = [CPU])
stay = transition(implementation = _stay, inputs = ["{_PLATFORM}"], outputs = ["{_PLATFORM}"])

def _to(cfg):
    return rule(lambda ctx: [], attrs = {{
        "dep": attr.label(cfg = cfg),
        "deps": attr.label_list(),
        "_whitelist_function_transition": attr.label(
            default = "@bazel_tools//tools/whitelists/function_transition_whitelist",
        ),
    }})

to_platform = _to(by_platform)
to_same = _to(stay)
""".replace("lambda ctx: []", "_impl").replace(
        "def _to", "def _impl(ctx): return []\n\ndef _to", 1
    ),
    "p/BUILD": """\
load("//:r.bzl", "to_platform", "to_same")
config_setting(name = "host", values = {"cpu": "host"})
config_setting(name = "own", values = {"cpu": "mine"})
platform(name = "mine")
filegroup(
    name = "leaf",
    srcs = select({":host": [":a"], ":own": [":b"], "//conditions:default": [":c"]}),
)
[filegroup(name = name) for name in ["a", "b", "c"]]
to_platform(name = "of_platform", dep = ":leaf")
to_same(name = "twice", dep = ":leaf", deps = [":leaf"])
""",
}


@pytest.mark.parametrize(
    ("flags", "target", "expected"),
    [
        ((), "//p:of_platform", [["a"]]),
        (("--platforms=//p:mine",), "//p:of_platform", [["b"]]),
        # What is set to the platform that is built for anyway is no change.
        ((), "//p:twice", [["c"]]),
    ],
)
def test_a_transition_finds_the_platform_that_is_built_for(
    tmp_path: Path, flags: tuple[str, ...], target: str, expected: list[list[str]]
) -> None:
    assert leaves(graph_of(worlds.write(tmp_path, SEES_PLATFORM), *flags), target) == expected


OF_ANDROID = {
    "MODULE.bazel": "",
    "BUILD": "",
    "r.bzl": """\
def _both(settings, attr):
    return {"//command_line_option:android_platforms": "//p:a,//p:b"}

def _each(settings, attr):
    if settings["//command_line_option:Android configuration distinguisher"] != "main":
        fail("it was main")
    return {
        one.name: {
            "//command_line_option:platforms": str(one),
            "//command_line_option:Android configuration distinguisher": "android",
        }
        for one in settings["//command_line_option:android_platforms"]
    }

_ANDROID = "//command_line_option:Android configuration distinguisher"
_PLATFORMS = "//command_line_option:android_platforms"
both = transition(implementation = _both, inputs = [], outputs = [_PLATFORMS])
each = transition(
    implementation = _each,
    inputs = [_ANDROID, _PLATFORMS],
    outputs = [_ANDROID, "//command_line_option:platforms"],
)

def _impl(ctx):
    return []

split = rule(_impl, attrs = {"dep": attr.label(cfg = each)})
top = rule(_impl, cfg = both, attrs = {"dep": attr.label()})
""",
    "p/BUILD": """\
load("//:r.bzl", "split", "top")
constraint_setting(name = "which")
[constraint_value(name = "is_" + one, constraint_setting = ":which") for one in ["a", "b"]]
[platform(name = one, constraint_values = [":is_" + one]) for one in ["a", "b"]]
[filegroup(name = name) for name in ["of_a", "of_b", "neither"]]
filegroup(
    name = "leaf",
    srcs = select({":is_a": [":of_a"], ":is_b": [":of_b"], "//conditions:default": [":neither"]}),
)
split(name = "split", dep = ":leaf")
top(name = "top", dep = ":split")
""",
}


@pytest.mark.parametrize("version", ["7.7.0", "9.1.0"])
def test_a_text_with_commas_is_a_list_of_platforms(tmp_path: Path, version: str) -> None:
    graph = graph_of(worlds.write(tmp_path, OF_ANDROID), version=version)
    assert leaves(graph, "//p:top") == [["of_a"], ["of_b"]]


BEHIND_SETTINGS = {
    "WORKSPACE": "",
    "BUILD": "",
    "r.bzl": """\
def _set(settings, attr):
    return {"//command_line_option:platforms": "//p:of_setting", "//p:which": "//p:b"}

to_b = transition(
    implementation = _set,
    inputs = [],
    outputs = ["//command_line_option:platforms", "//p:which"],
)

def _impl(ctx):
    return []

above = rule(
    _impl,
    attrs = {
        "dep": attr.label(cfg = to_b),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
)
""",
    "p/BUILD": """\
load("//:r.bzl", "above")
constraint_setting(name = "kind")
[constraint_value(name = one, constraint_setting = ":kind") for one in ["a", "b", "c"]]
label_setting(name = "which", build_setting_default = ":c")
label_flag(name = "flag", build_setting_default = ":a")
platform(name = "of_setting", constraint_values = [":which"])
platform(name = "of_flag", constraint_values = [":flag"])
[filegroup(name = "of_" + one) for one in ["a", "b", "c"]]
filegroup(name = "leaf", srcs = select({":a": [":of_a"], ":b": [":of_b"], ":c": [":of_c"]}))
above(name = "above", dep = ":leaf")
""",
}


@pytest.mark.parametrize(
    ("target", "flags", "expected"),
    [
        ("//p:leaf", ("--platforms=//p:of_setting",), "of_c"),
        ("//p:leaf", ("--platforms=//p:of_flag",), "of_a"),
        ("//p:leaf", ("--platforms=//p:of_flag", "--//p:flag=//p:b"), "of_b"),
        ("//p:above", (), "of_b"),
    ],
)
def test_a_platform_has_the_constraint_values_behind_label_settings(
    tmp_path: Path, target: str, flags: tuple[str, ...], expected: str
) -> None:
    # The leaves are those of 4.2.3.
    graph = graph_of(worlds.write(tmp_path, BEHIND_SETTINGS), *flags)
    assert leaves(graph, target) == [[expected]]


@pytest.mark.parametrize(("version", "is_known"), [("6.5.0", True), ("7.0.0", False)])
def test_a_platform_has_nothing_behind_label_settings_since_7(
    version: str, is_known: bool, tmp_path: Path
) -> None:
    graph = graph_of(worlds.write(tmp_path, BEHIND_SETTINGS), version=version)
    found = platform_of(graph.graph.source, graph.configuration, label("//p:of_flag"))
    assert (found.unknown is None) == is_known
    lacks = "'//p:flag' does not have mandatory providers: 'ConstraintValueInfo'"
    assert is_known or lacks in str(found.unknown)
