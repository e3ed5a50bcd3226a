"""Edges as `bazel query --noimplicit_deps` has them."""

from __future__ import annotations

from bazelscope.analysis.conditions.edges import EdgeKind
from bazelscope.analysis.graph.dependency_edges import unknown_edges_of
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.base.label import Label
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import RuleClass
from tests.unit.analysis.analysis_world import Select, World, label, select

DEFAULT = "//conditions:default"


def arrows(world: World, at: Label, *kinds: EdgeKind) -> list[tuple[str, str]]:
    wanted = kinds or (EdgeKind.ATTRIBUTE, EdgeKind.CONDITION, EdgeKind.GENERATED_BY)
    graph = TargetGraph(world, world.bazel_version, implicit=True)
    return [(e.attribute, str(e.target)) for e in graph.edges(at) if e.kind in wanted]


def test_every_branch_and_the_conditions() -> None:
    world = World()
    at = world.rule(
        "cc_library",
        "//p:lib",
        deps=Select([":a"]) + select({"//c:x": [":b"], "//c:y": [":b"], DEFAULT: [":c"]}),
        copts=select({"//c:z": ["-O3"], DEFAULT: []}),
    )
    assert arrows(world, at) == [
        ("deps", "//p:a"),
        ("deps", "//p:b"),
        ("deps", "//p:b"),
        ("deps", "//p:c"),
        ("deps", "//c:x"),
        ("deps", "//c:y"),
        ("copts", "//c:z"),
    ]
    branches = [e.branch for e in TargetGraph(world).edges(at)[:4]]
    assert branches[0] is None
    assert [b.branch.condition.name for b in branches[1:] if b] == ["x", "y", "default"]


def test_outputs_are_no_dependencies_and_depend_on_their_rule() -> None:
    world = World()
    at = world.rule("genrule", "//p:g", srcs=["in"], outs=["out"], tools=[":t"], cmd="")
    assert arrows(world, at) == [("srcs", "//p:in"), ("tools", "//p:t")]
    assert [e.is_tool for e in TargetGraph(world).edges(at)] == [False, True]
    assert arrows(world, label("//p:out")) == [("", "//p:g")]


def test_dictionaries_keyed_by_labels() -> None:
    world = World()
    at = world.rule(
        "config_setting", "//p:c", flag_values={"//f:f": "x"}, constraint_values=["//c:red"]
    )
    assert arrows(world, at) == [("flag_values", "//f:f"), ("constraint_values", "//c:red")]


def test_defaults_are_implicit() -> None:
    world = World()
    at = world.rule("genrule", "//p:g", outs=["out"], cmd="")
    implicit = arrows(world, at, EdgeKind.IMPLICIT)
    assert ("$genrule_setup", "@bazel_tools//tools/genrule:genrule-setup.sh") in implicit
    assert TargetGraph(world).edges(at) == ()


def test_visibility_counts_for_package_groups_only() -> None:
    world = World()
    world.default_visibility[label("//p:x").package_id] = (
        label("//g:friends"),
        label("//visibility:public"),
        label("//q:__pkg__"),
    )
    own = world.rule("filegroup", "//p:own", visibility=["//g:mine", "//q:__subpackages__"])
    default = world.rule("genrule", "//p:gen", outs=["out"], cmd="")
    file = world.file("//p:file")
    exported = world.file("//p:exported", is_exported=True)
    group = world.group("//g:mine", ":friends")
    kind = EdgeKind.PACKAGE_GROUP
    assert arrows(world, own, kind) == [("visibility", "//g:mine")]
    assert arrows(world, default, kind) == []
    assert arrows(world, label("//p:out"), kind) == [("visibility", "//g:friends")]
    assert arrows(world, file, kind) == [("visibility", "//g:friends")]
    assert arrows(world, exported, kind) == []
    assert arrows(world, group, kind) == [("includes", "//g:friends")]


def test_a_test_suite_without_tests_has_those_of_its_package() -> None:
    tests = RuleClass("sh_test", {}, is_test=True)
    for version, expected in (("4.2.3", ["a", "b"]), ("7.0.0", ["a"])):
        world = World(version)
        world.rule(tests, "//p:a", tags=["slow"])
        world.rule(tests, "//p:b")
        world.rule(tests, "//p:c", tags=["slow", "manual"])
        suite = world.rule("test_suite", "//p:suite", tags=["slow"])
        listed = world.rule("test_suite", "//p:listed", tests=[":a"])
        found = TargetGraph(world, version).edges(suite)
        assert [e.target.name for e in found] == expected
        assert [e.target.name for e in TargetGraph(world, version).edges(listed)] == ["a"]


def test_a_rule_of_unknown_kind_keeps_its_labels() -> None:
    world = World()
    kind = RuleClass("mystery", {}, is_known=False)
    at = world.rule(kind, "//p:m", deps=["//a:b"], outs=["o"], note="text")
    assert arrows(world, at, EdgeKind.ASSUMED) == [("deps", "//a:b")]


def test_unknown_values_are_told() -> None:
    world = World()
    unknown = Unknown(Reason.NOT_FETCHED, "@x//:deps.bzl")
    at = world.rule("cc_library", "//p:lib", deps=Select([":a"], unknown), copts=[unknown])
    target = world.target(at)
    (found,) = unknown_edges_of(target)  # type: ignore[arg-type]
    assert (found.attribute, found.unknown) == ("deps", unknown)
    assert [str(e.target) for e in TargetGraph(world).edges(at)] == ["//p:a"]


def chain() -> World:
    world = World()
    for here, there in (("a", "b"), ("b", "c"), ("c", "a"), ("x", "c")):
        world.rule("filegroup", f"//:{here}", srcs=[f":{there}"])
    world.rule("filegroup", "//:d", srcs=[":gone", "@unknown//:z"])
    world.unknown_packages.add(label("@unknown//:z").package_id)
    return world


def test_closures_end_at_cycles_and_count_distances() -> None:
    graph = TargetGraph(chain())
    a, b, c, x = (label(f"//:{name}") for name in "abcx")
    assert graph.deps([a]) == {a: 0, b: 1, c: 2}
    assert graph.deps([a], depth=1) == {a: 0, b: 1}
    assert graph.arrivals(a).distances() == {a: 0, b: 1, c: 2}
    assert graph.arrivals(x).leading({str(b): 0}) == {str(b): 0, str(a): 1, str(c): 2, str(x): 3}
    assert graph.arrivals(x).leading({str(b): 2, str(c): 0}) == {
        str(c): 0, str(b): 1, str(a): 2, str(x): 1
    }  # fmt: skip
    assert graph.arrivals(x).leading({"//:d": 0}) == {}


def test_what_does_not_exist_is_a_node() -> None:
    graph = TargetGraph(chain())
    closure = graph.deps([label("//:d")])
    missing = {str(at): type(why).__name__ for at, why in graph.missing(closure).items()}
    assert missing == {"//:gone": "NoSuchTarget", "@unknown//:z": "UnknownTarget"}
