"""Transitions, platform mappings and compatibility: what they do to the configured graph."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from bazelscope.analysis.graph.compatibility import why_incompatible
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.api import Workspace
from bazelscope.base.label import Label, PackageId, parse_label
from tests.unit.analysis.graph import transition_worlds as worlds


def graph_of(root: Path, *flags: str) -> ConfiguredGraph:
    return Workspace.open(root, bazel_version="4.2.3").configure(flags).world.configured


def label(text: str) -> Label:
    return parse_label(text, PackageId("", ""))


def leaves(graph: ConfiguredGraph, start: str, leaf: str = "//p:leaf") -> list[list[str]]:
    """What `leaf` takes, once for each configuration that `start` reaches it in."""
    found = []
    for node in graph.deps([label(start)]):
        if node.label == label(leaf):
            edges = [e for e in graph.taken(node) if e.edge.attribute == "srcs"]
            kept = [e.edge.target.name for e in edges if e.edge.kind.value == "attribute"]
            found.append(sorted(kept))
    return sorted(found)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return worlds.write(tmp_path, worlds.TRANSITIONS)


CLOSURES = [
    # target, flags, what //p:leaf takes in each of its configurations
    ("//p:attribute", (), [["b"], ["b", "x.txt"]]),
    ("//p:attribute", ("--cpu=arm",), [["b", "x.txt"]]),
    ("//p:own", (), [["b", "d", "y.txt"]]),
    ("//p:own_same", (), [["b", "d"]]),
    ("//p:own_same", ("--//p:color=blue",), [["b", "d", "y.txt"]]),
    ("//p:two", (), [["b", "d"], ["b", "d", "y.txt"]]),
    ("//p:splits", (), [["a"], ["b"], ["b"], ["b", "c"]]),
    ("//p:splits", ("--compilation_mode=opt",), [["a", "c"], ["b"], ["b", "c"]]),
    ("//p:platforms", (), [["b", "d", "f", "y.txt"], ["b", "f"]]),
    ("//p:through_alias", (), [["b", "d", "y.txt"]]),
    ("//p:tools", (), [["b", "c"]]),
    # Then tools share the top-level configuration, and the transition of `own` is left out.
    ("//p:tools", ("--nodistinct_host_configuration",), [["b"], ["b", "x.txt"]]),
]


@pytest.mark.parametrize(("target", "flags", "expected"), CLOSURES)
def test_transitions_make_configurations(
    root: Path, target: str, flags: Sequence[str], expected: list[list[str]]
) -> None:
    assert leaves(graph_of(root, *flags), target) == sorted(expected)


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("//bad:lying", "undeclared output `//command_line_option:copt`"),
        ("//bad:looping", "takes more than 200000 steps"),
        ("//bad:prying", "//command_line_option:host_cpu"),
    ],
)
def test_a_transition_that_fails_is_told_and_the_rest_stands(
    root: Path, target: str, reason: str
) -> None:
    graph = graph_of(root)
    (edge,) = [e for e in graph.edges(graph.top(label(target))) if e.edge.attribute == "bad_deps"]
    assert edge.unknown is not None
    assert reason in str(edge.unknown)
    assert leaves(graph, target) == [["b"]]


def test_what_a_transition_set_says_so(root: Path) -> None:
    graph = graph_of(root)
    (edge,) = [
        e for e in graph.edges(graph.top(label("//p:attribute"))) if e.edge.attribute == "arm_deps"
    ]
    assert edge.target.configuration is not None
    (instance,) = edge.target.configuration.value("cpu").instances
    assert instance.text == "transition arm"
    assert instance.location is not None
    assert instance.location.short == "p/defs.bzl:7"


def test_old_packages_of_the_cache_find_their_transitions(root: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    for _ in range(2):
        workspace = Workspace.open(root, bazel_version="4.2.3", cache_dir=cache)
        asked = workspace.configure(())
        assert leaves(asked.world.configured, "//p:own") == [["b", "d", "y.txt"]]
        asked.save()


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


ANALYSIS_TESTS = [
    # What //p:leaf takes in each configuration; that of a tested target is another one even
    # where all options that can be set are the same.
    ("//p:strict_test", [["a", "c", "d"]]),
    ("//p:same_test", [["b"], ["b"]]),
    ("//p:empty_test", [["b"], ["b"]]),
    (
        "//p:user_test",
        [["a", "c", "d"], ["b"], ["b"], ["b"], ["b"], ["b"], ["b", "c"]],
    ),
]


@pytest.mark.parametrize(("target", "expected"), ANALYSIS_TESTS)
def test_transitions_of_analysis_tests(
    tmp_path: Path, target: str, expected: list[list[str]]
) -> None:
    graph = graph_of(worlds.write(tmp_path, worlds.ANALYSIS_TESTS))
    assert leaves(graph, target) == expected


SAME = {
    "WORKSPACE": "",
    "r.bzl": """\
CPU = "//command_line_option:cpu"

def _impl(ctx):
    return []

def _same(settings, attr):
    return {CPU: settings[CPU]}

def _arm(settings, attr):
    return {CPU: "arm"}

same = transition(implementation = _same, inputs = [CPU], outputs = [CPU])
arm = transition(implementation = _arm, inputs = [], outputs = [CPU])
leaf = rule(_impl)
tool_of = rule(_impl, attrs = {"tool": attr.label(cfg = "exec")})

def _to(cfg):
    return rule(_impl, attrs = {
        "dep": attr.label(cfg = cfg),
        "deps": attr.label_list(),
        "_whitelist_function_transition": attr.label(
            default = "@bazel_tools//tools/whitelists/function_transition_whitelist",
        ),
    })

to_same = _to(same)
to_arm = _to(arm)
""",
    "BUILD": """\
load(":r.bzl", "leaf", "to_arm", "to_same", "tool_of")
leaf(name = "leaf")
tool_of(name = "tools", tool = ":leaf")
to_same(name = "same", dep = ":leaf", deps = [":leaf"])
to_arm(name = "arm", dep = ":tools", deps = [":tools"])
""",
}


@pytest.mark.parametrize(
    ("version", "target", "count"),
    [
        ("2.1.0", "//:same", 2),
        ("4.2.3", "//:same", 1),
        ("2.1.0", "//:arm", 1),
        ("4.2.3", "//:arm", 2),
    ],
)
def test_what_a_transition_leaves_behind(
    tmp_path: Path, version: str, target: str, count: int
) -> None:
    """In 2.1.0 an option that is set to what it was makes another configuration, and tools
    forget what was set before them; in 4.2.3 it is the other way round (measured)."""
    for name, text in SAME.items():
        (tmp_path / name).write_text(text)
    asked = Workspace.open(tmp_path, bazel_version=version).configure([])
    reached = asked.world.configured.deps([label(target)])
    assert sum(node.label == label("//:leaf") for node in reached) == count


@pytest.mark.parametrize(
    ("target", "flags", "expected"),
    [
        ("//:plain", (), [["d"], ["m"]]),
        ("//:o2", ("--apple_platform_type=ios", "--ios_multi_cpus=arm64,armv7"), [["a"]]),
        ("//:of_eleven", ("--ios_multi_cpus=arm64,x86_64,armv7",), [["a"], ["i"]]),
        ("//:f", ("--noexperimental_enable_objc_cc_deps",), [["d"]]),
        ("//:s", ("--macos_cpus=arm64,x86_64",), [["d"], ["m"]]),
    ],
)
def test_transitions_of_bazels_own_for_apple(
    target: str, flags: tuple[str, ...], expected: list[list[str]], tmp_path: Path
) -> None:
    graph = graph_of(worlds.write(tmp_path, worlds.APPLE), *flags)
    assert leaves(graph, target, "//:x") == expected
