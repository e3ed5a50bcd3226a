"""What stands for the C++ toolchain, and select keys before Bazel 1.0, as cquery has them."""

from __future__ import annotations

import pytest

from bazelscope.analysis.graph.aliases import cquery_label
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.base.source import Frame, Location
from bazelscope.bazel.attribute_types import AttributeDefinition, AttributeType, RuleClass
from tests.unit.analysis.analysis_world import World, label, select

TOOLS = "@bazel_tools//tools/cpp"
PLATFORMS = "@bazel_tools//platforms"


def shown(world: World, start: str, *flags: str) -> set[tuple[str, str]]:
    graph = ConfiguredGraph(TargetGraph(world, world.bazel_version), world.configuration(*flags))
    nodes = graph.deps([label(start)])
    return {(str(cquery_label(graph, node)), node.description) for node in nodes}


def tools(version: str) -> World:
    world = World(version)
    world.rule("cc_toolchain_alias", f"{TOOLS}:current_cc_toolchain")
    world.rule("cc_host_toolchain_alias", f"{TOOLS}:current_cc_host_toolchain")
    world.rule("cc_libc_top_alias", f"{TOOLS}:current_libc_top")
    world.rule("filegroup", f"{TOOLS}:toolchain")
    for name in ("host_platform", "target_platform"):
        world.rule("platform", f"{PLATFORMS}:{name}")
    return world


def test_the_current_toolchain_is_the_crosstool_and_its_platforms() -> None:
    found = shown(tools("0.24.1"), f"{TOOLS}:current_cc_toolchain")
    assert found == {
        (f"{TOOLS}:toolchain", "target"),
        (f"{PLATFORMS}:host_platform", "target"),
        (f"{PLATFORMS}:target_platform", "target"),
    }


def test_flags_choose_the_toolchain_and_the_platforms() -> None:
    world = tools("0.24.1")
    world.rule("filegroup", "//my:crosstool")
    world.rule("platform", "//my:platform")
    flags = ("--crosstool_top=//my:crosstool", "--platforms=//my:platform")
    assert shown(world, f"{TOOLS}:current_cc_toolchain", *flags) == {
        ("//my:crosstool", "target"),
        ("//my:platform", "target"),
        (f"{PLATFORMS}:host_platform", "target"),
    }


def test_the_host_toolchain_is_the_crosstool_of_the_host() -> None:
    world = tools("0.24.1")
    world.rule("filegroup", "//my:crosstool")
    platforms = {
        (f"{PLATFORMS}:host_platform", "target"),
        (f"{PLATFORMS}:target_platform", "target"),
    }
    top = f"{TOOLS}:current_cc_host_toolchain"
    assert shown(world, top) == {
        (f"{TOOLS}:toolchain", "target"),  # the alias itself, under its target's name
        (f"{TOOLS}:toolchain", "host"),
        *platforms,
    }
    found = shown(world, top, "--host_crosstool_top=//my:crosstool")
    assert found == {("//my:crosstool", "target"), ("//my:crosstool", "host"), *platforms}


def test_since_bazel_1_the_automatic_platform_is_both() -> None:
    world = tools("4.2.3")
    automatic = "@local_config_platform//:host"
    world.rule("platform", automatic)
    top = f"{TOOLS}:current_cc_toolchain"
    assert shown(world, top) == {
        (top, "target"),
        (f"{TOOLS}:toolchain", "target"),
        (automatic, "target"),
    }
    world.rule("platform", "//my:platform")
    assert ("//my:platform", "target") in shown(world, top, "--host_platform=//my:platform")
    assert (automatic, "target") not in shown(world, top, "--host_platform=//my:platform")


def test_a_binding_brings_its_platforms_along_and_an_alias_does_not() -> None:
    world = tools("0.24.1")
    world.rule("filegroup", "//p:files")
    world.rule("bind", "//external:files", actual="//p:files")
    world.rule("alias", "//p:alias", actual="//p:files")
    assert shown(world, "//external:files") == {
        ("//p:files", "target"),
        (f"{PLATFORMS}:host_platform", "target"),
        (f"{PLATFORMS}:target_platform", "target"),
    }
    assert shown(world, "//p:alias") == {("//p:files", "target")}


def test_newer_bazels_have_rules_in_starlark_for_it() -> None:
    top = f"{TOOLS}:current_cc_toolchain"
    assert shown(tools("7.4.0"), top) == {(top, "target")}


def test_no_libc_is_no_alias() -> None:
    world = tools("0.24.1")
    world.rule("filegroup", "//libc:everything")
    top = f"{TOOLS}:current_libc_top"
    assert shown(world, top) == {(top, "target")}
    assert ("//libc:everything", "target") in shown(world, top, "--grte_top=//libc")
    assert (top, "target") not in shown(world, top, "--grte_top=//libc")


def test_a_crosstool_that_is_no_label_makes_no_edge() -> None:
    top = f"{TOOLS}:current_cc_toolchain"
    assert shown(tools("0.24.1"), top, "--crosstool_top=//a:b:c") == {(top, "target")}


def starlark_rule() -> RuleClass:
    attributes = {"srcs": AttributeDefinition("srcs", AttributeType.LABEL_LIST)}
    return RuleClass(
        "mine", attributes, defined_at=(Frame("<toplevel>", Location("p/mine.bzl", 1, 1)),)
    )


@pytest.mark.parametrize(
    ("version", "native", "starlark", "alias"),
    [
        ("0.24.1", set(), {"//p:key"}, {"//p:key"}),
        ("2.1.0", {"//p:key"}, {"//p:key"}, {"//p:key"}),
        ("4.2.3", {"//p:key"}, {"//p:key"}, {"//p:key"}),
    ],
)
def test_keys_of_selects(
    version: str, native: set[str], starlark: set[str], alias: set[str]
) -> None:
    world = World(version)
    world.rule("config_setting", "//p:key", values={"cpu": "k8"})
    world.rule("filegroup", "//p:files")
    world.rule("filegroup", "//p:native", srcs=select({":key": []}))
    world.rule(starlark_rule(), "//p:starlark", srcs=select({":key": []}))
    world.rule("alias", "//p:alias", actual=select({":key": ":files"}))
    for name, wanted in (("native", native), ("starlark", starlark), ("alias", alias)):
        keys = {text for text, _ in shown(world, f"//p:{name}") if text == "//p:key"}
        assert keys == wanted, name
