"""Which toolchain a rule gets, and the edges that this makes.

The choices without further toolchains were seen in real Bazels (4.2.3, 2.1.0, and 0.24.1 in part)
for such a workspace; that `--extra_toolchains` go first is from their documentation.
"""

from __future__ import annotations

import pytest

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.analysis.refusals.kept_refusals import refusals_of
from bazelscope.analysis.refusals.refusal import RefusalKind
from bazelscope.base.source import Frame, Location
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import RuleClass, ToolchainRequirement
from tests.unit.analysis.analysis_world import World, label

DEFINED = (Frame("<toplevel>", Location("rules.bzl", 1, 1)),)
UNKNOWN = Unknown(Reason.NOT_FETCHED, "@far", "not here")


def asking(*wanted: ToolchainRequirement | Unknown) -> RuleClass:
    return RuleClass("lib", {}, DEFINED, toolchains=wanted)


def world(version: str = "4.2.3", mandatory: bool = True, asks: bool = True) -> World:
    made = World(version)
    made.rule("constraint_setting", "//:color")
    for color in ("red", "blue"):
        made.rule("constraint_value", f"//:{color}", constraint_setting="//:color")
        for use in ("exec", "for"):
            made.rule("platform", f"//:{use}_{color}", constraint_values=[f"//:{color}"])
    made.rule("toolchain_type", "//tc:type")
    compatible = {
        "first": {"target_compatible_with": ["//:red"]},
        "second": {
            "target_compatible_with": ["//:blue"],
            "exec_compatible_with": ["//:blue"],
        },
        "third": {},
    }
    for name, constraints in compatible.items():
        made.rule("filegroup", f"//tc:{name}_impl")
        made.rule(
            "toolchain", f"//tc:{name}", toolchain_type=":type", toolchain=f":{name}_impl",
            **constraints,
        )  # fmt: skip
    if asks:
        made.rule(asking(ToolchainRequirement(label("//tc:type"), mandatory)), "//:lib")
    made.registrations = {
        "register_toolchains": tuple(label(f"//tc:{name}") for name in compatible),
        "register_execution_platforms": (label("//:exec_red"), label("//:exec_blue")),
    }
    return made


def graph_of(made: World, *flags: str, implicit: bool = True) -> ConfiguredGraph:
    graph = TargetGraph(made, made.bazel_version, implicit=implicit)
    return ConfiguredGraph(graph, made.configuration(*flags))


def found(made: World, *flags: str, implicit: bool = True) -> set[tuple[str, str]]:
    graph = graph_of(made, *flags, implicit=implicit)
    edges = graph.taken(graph.top(label("//:lib")))
    return {
        (str(edge.target.label), edge.target.description)
        for edge in edges
        if edge.edge.attribute == "toolchains"
    }


TYPE = ("//tc:type", "target")


@pytest.mark.parametrize(
    ("flags", "chosen"),
    [
        ((), "third"),
        (("--platforms=//:for_red",), "first"),
        (("--platforms=//:for_blue",), "third"),
        (("--platforms=//:for_blue", "--extra_execution_platforms=//:exec_blue"), "second"),
        (("--platforms=//:for_red", "--extra_toolchains=//tc:third"), "third"),
    ],
)
def test_the_first_that_suits_both_platforms(flags: tuple[str, ...], chosen: str) -> None:
    for version in ("2.1.0", "4.2.3"):
        assert found(world(version), *flags) == {TYPE, (f"//tc:{chosen}_impl", "host")}
    # 0.24.1 shows no toolchain type.
    assert found(world("0.24.1"), *flags) == {(f"//tc:{chosen}_impl", "host")}


def test_without_implicit_dependencies_only_some_bazels_show_them() -> None:
    shown = {TYPE, ("//tc:third_impl", "host")}
    for version, wanted in (("0.24.1", set()), ("2.1.0", shown), ("4.2.3", set())):
        assert found(world(version), implicit=False) == wanted, version


def test_target_settings_must_hold() -> None:
    made = world()
    made.rule("config_setting", "//:opt", values={"compilation_mode": "opt"})
    made.rule("filegroup", "//tc:opt_impl")
    made.rule(
        "toolchain", "//tc:opt", toolchain_type=":type", toolchain=":opt_impl",
        target_settings=["//:opt"],
    )  # fmt: skip
    made.registrations["register_toolchains"] = (label("//tc:opt"), label("//tc:third"))
    assert ("//tc:opt_impl", "host") in found(made, "--compilation_mode=opt")
    assert ("//tc:third_impl", "host") in found(made)


def without_toolchain(graph: ConfiguredGraph, node: ConfiguredNode) -> bool:
    """Whether Bazel refuses the target since no toolchain suits it."""
    return any(one.kind is RefusalKind.TOOLCHAIN for one in refusals_of(graph, [node]))


@pytest.mark.parametrize(("mandatory", "is_refused"), [(True, True), (False, False)])
@pytest.mark.parametrize("version", ["2.1.0", "4.2.3"])
def test_a_mandatory_type_without_a_toolchain_is_an_error(
    version: str, mandatory: bool, is_refused: bool
) -> None:
    made = world(version, mandatory)
    made.registrations["register_toolchains"] = (label("//tc:first"),)
    # Bazel refuses such a rule, whether its toolchains are shown or not.
    for implicit in (True, False):
        graph = graph_of(made, implicit=implicit)
        assert without_toolchain(graph, graph.top(label("//:lib"))) == is_refused
    assert found(made) == {TYPE}


CC_TYPE = "@bazel_tools//tools/cpp:toolchain_type"


@pytest.mark.parametrize(
    ("version", "rule", "configuration"),
    [
        ("2.1.0", "cc_library", "host"),
        ("2.1.0", "cc_import", "host"),
        ("4.2.3", "cc_library", "host"),
        ("4.2.3", "cc_import", "target"),
        ("4.2.3", "java_library", "target"),
        ("6.5.0", "cc_library", "target"),
    ],
)
def test_toolchains_of_native_rules(version: str, rule: str, configuration: str) -> None:
    made = World(version)
    made.rule(rule, "//:lib")
    made.rule("toolchain_type", CC_TYPE)
    made.rule("filegroup", "@local_config_cc//:compiler")
    made.rule(
        "toolchain", "@local_config_cc_toolchains//:cc", toolchain_type=CC_TYPE,
        toolchain="@local_config_cc//:compiler",
    )  # fmt: skip
    made.registered_by_bazel = (label("@local_config_cc_toolchains//:cc"),)
    assert found(made, implicit=False) == set()
    assert found(made) == {(CC_TYPE, "target"), ("@local_config_cc//:compiler", configuration)}


def test_native_rules_whose_toolchain_cannot_be_told() -> None:
    made = World()
    made.rule("cc_library", "//:lib")
    made.rule("cc_toolchain_suite", "//:suite")
    made.rule("toolchain_type", CC_TYPE)
    made.registered_by_bazel = (UNKNOWN,)
    graph = graph_of(made)
    top = graph.top(label("//:lib"))
    shown = [e for e in graph.taken(top) if e.edge.attribute == "toolchains"]
    assert [(str(e.target.label), e.unknown) for e in shown] == [(CC_TYPE, UNKNOWN)]
    assert not without_toolchain(graph, top)
    suite = graph.taken(graph.top(label("//:suite")))
    assert CC_TYPE not in {str(edge.target.label) for edge in suite}


def test_what_may_come_before_is_a_doubt_and_no_error() -> None:
    made = world()
    made.registrations["register_toolchains"] = (UNKNOWN, label("//tc:third"))
    graph = graph_of(made)
    edges = graph.taken(graph.top(label("//:lib")))
    resolved = [edge for edge in edges if edge.edge.attribute == "toolchains"]
    doubts = {str(edge.target.label): edge.unknown for edge in resolved}
    assert doubts == {"//tc:type": None, "//tc:third_impl": UNKNOWN}
    made.registrations["register_toolchains"] = (UNKNOWN,)
    graph = graph_of(made)
    top = graph.top(label("//:lib"))
    resolved = [edge for edge in graph.taken(top) if edge.edge.attribute == "toolchains"]
    assert [edge.unknown for edge in resolved] == [UNKNOWN]
    assert not without_toolchain(graph, top)


def test_types_that_cannot_be_told_are_hidden_dependencies() -> None:
    made = World()
    made.rule(asking(UNKNOWN), "//:lib")
    graph = TargetGraph(made, "4.2.3")
    hidden = [(entry.attribute, entry.unknown) for entry in graph.unknown_edges(label("//:lib"))]
    assert hidden == [("toolchains", UNKNOWN)]


def world_of_genrule(version: str) -> World:
    made = world(version, asks=False)
    made.rule("genrule", "//:lib", outs=["made"], cmd="echo $(TOOL)", toolchains=["//tc:type"])
    return made


def test_a_genrule_names_toolchain_types() -> None:
    made = world_of_genrule("8.3.0")
    assert found(made) == {TYPE, ("//tc:third_impl", "target")}
    assert found(made, "--platforms=//:for_red") == {TYPE, ("//tc:first_impl", "target")}
    del made.registrations["register_toolchains"]
    assert found(made) == {TYPE}
    assert RefusalKind.TOOLCHAIN in kinds_of_refusals(made)
    assert RefusalKind.MISSING_PROVIDER not in kinds_of_refusals(made)


def test_a_genrule_could_not_always_name_toolchain_types() -> None:
    made = world_of_genrule("8.2.1")
    assert found(made) == {TYPE}
    assert RefusalKind.MISSING_PROVIDER in kinds_of_refusals(made)


@pytest.mark.parametrize("type", ["@far//:type", "//tc:type"])
def test_modules_that_cannot_be_read_may_register_for_their_types_alone(type: str) -> None:
    """As of a module of which only the registry's index is known; of the root's types no other
    module knows."""
    made = world("8.3.0", asks=False)
    made.rule("toolchain_type", "@far//:type")
    made.rule(asking(ToolchainRequirement(label(type))), "//:lib")
    del made.registrations["register_toolchains"]
    assert RefusalKind.TOOLCHAIN in kinds_of_refusals(made)
    made.registrations["unread modules"] = (UNKNOWN,)
    assert (RefusalKind.TOOLCHAIN in kinds_of_refusals(made)) is (type == "//tc:type")


def kinds_of_refusals(made: World) -> set[RefusalKind]:
    graph = graph_of(made)
    return {one.kind for one in refusals_of(graph, [graph.top(label("//:lib"))])}
