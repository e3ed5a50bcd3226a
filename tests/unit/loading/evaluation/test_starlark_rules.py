"""Rules that `.bzl` files define, and values that nobody knows."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.analysis.graph.dependency_edges import edges_of
from bazelscope.api import Workspace
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import Configured, SelectorList
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import InputFile, Rule, UnknownTarget
from tests.support.files import write_files
from tests.unit.loading.loading_world import Load, shown

DEFINITION = """
    def _impl(ctx):
        fail("never run")

    def _computed(deps):
        return Label("//p:one") if deps else None

    def _outs(name, kind):
        return {"out": "%{name}." + kind}

    thing = rule(
        implementation = _impl,
        attrs = {
            "deps": attr.label_list(cfg = "host"),
            "kind": attr.string(default = "txt"),
            "out": attr.output(),
            "_tool": attr.label(default = "//p:tool.sh", executable = True, cfg = "exec"),
            "_late": attr.label(default = _computed),
        },
        outputs = {"log": "%{name}-%{kind}.log"},
    )
    other = rule(implementation = _impl, attrs = {"kind": attr.string()}, outputs = _outs)
    flag = rule(implementation = _impl, build_setting = config.string(flag = True))
    check_test = rule(implementation = _impl, test = True)
"""


def test_attributes_outputs_and_defaults(load: Load) -> None:
    loaded = load(
        {
            "p/BUILD": """
                load(":r.bzl", "check_test", "flag", "other", "thing")
                thing(name = "t", deps = ["a"], out = "o", kind = "k")
                other(name = "u", kind = "h")
                flag(name = "f", build_setting_default = "x")
                check_test(name = "c")
            """,
            "p/r.bzl": DEFINITION,
        }
    )
    assert loaded.errors("p") == []
    assert loaded.kinds("p") == {
        "a": "source file",
        "c": "check_test rule",
        "f": "flag rule",
        "o": "generated file",
        "one": "source file",
        "t": "thing rule",
        "t-k.log": "generated file",
        "tool.sh": "source file",
        "u": "other rule",
        "u.h": "generated file",
    }
    thing = loaded.rule("//p:t").rule_class
    assert thing.defined_at[-1].location.short == "p/r.bzl:10"
    assert thing.attributes["deps"].configured is Configured.HOST
    assert thing.attributes["_tool"].is_implicit
    assert loaded.value("//p:t", "_tool") == "//p:tool.sh"
    assert loaded.value("//p:t", "_late") == "//p:one"
    assert loaded.rule("//p:f").rule_class.is_build_setting
    assert loaded.value("//p:f", "build_setting_default") == "x"
    check = loaded.rule("//p:c").rule_class
    assert check.is_test and check.is_executable and "timeout" in check.attributes


def test_labels_in_a_default_belong_to_the_file_that_calls_attr(load: Load) -> None:
    loaded = load(
        {
            "q/BUILD": 'load("//p:r.bzl", "thing")\nthing(name = "t")\n',
            "p/BUILD": "",
            "p/r.bzl": """
                thing = rule(
                    implementation = print,
                    attrs = {"tool": attr.label(default = ":tool.sh")},
                )
            """,
        }
    )
    assert loaded.value("//q:t", "tool") == "//p:tool.sh"


UNKNOWN_LOAD = {
    "WORKSPACE": """
        load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
        http_archive(name = "nowhere", urls = ["https://example.com/nowhere.zip"])
    """,
    "p/BUILD": """
        load("@nowhere//:defs.bzl", "if_there", "make")
        load(":m.bzl", "wrap")
        make(name = "m", srcs = ["a.cc"], deps = ["//q:r", ":lib"])
        filegroup(name = "f", srcs = ["a"] + if_there(["b"]) + ["c"])
        wrap(name = "w")
        filegroup(name = if_there("x"))
        filegroup(name = "g", srcs = ["y"] if if_there() else ["z"])
    """,
    "p/m.bzl": """
        load("@nowhere//:defs.bzl", "struct_of")

        def wrap(name):
            struct_of.things[0].make(name = name, deps = [":f"])
            for x in struct_of.list:
                native.filegroup(name = x)
    """,
}


def test_symbols_of_unknown_files(load: Load) -> None:
    loaded = load(UNKNOWN_LOAD)
    package = loaded.package("p")
    made = loaded.rule("//p:m")
    assert (made.kind, made.rule_class.is_known) == ("make rule", False)
    assert loaded.value("//p:m", "deps") == ["//q:r", "//p:lib"]
    assert loaded.rule("//p:w").kind == "make rule"
    attribute = loaded.rule("//p:f").attribute("srcs")
    assert attribute is not None and isinstance(attribute.value, SelectorList)
    known, unknown, rest = attribute.value.parts
    assert (shown(known), shown(rest)) == (["//p:a"], ["//p:c"])
    assert isinstance(unknown, Unknown) and unknown.reason is Reason.DEPENDS_ON_UNKNOWN
    assert not package.is_complete
    assert {str(load.label): load.unknown is None for load in package.loads} == {
        "@nowhere//:defs.bzl": False,
        "//p:m.bzl": True,
    }
    assert isinstance(loaded.loader.target(made.label.sibling("perhaps")), UnknownTarget)


def test_what_rules_of_unknown_classes_depend_on(load: Load) -> None:
    files = {
        "WORKSPACE": UNKNOWN_LOAD["WORKSPACE"],
        "p/a.go": "",
        "p/BUILD": """
            load("@nowhere//:defs.bzl", "go_library", "go_test")
            go_library(
                name = "lib",
                srcs = ["a.go"],
                embed = [":other", "//q:all", "//q/..."],
                importpath = "k8s.io/x//y",
                main = "no label: spaces",
                of = {"k": "@r//:x", "//a:b": "v"},
                deps = select({"//c:on": ["//q:r"], "//conditions:default": []}),
                tags = ["//not:one"],
                visibility = ["//visibility:public"],
            )
            go_test(name = "some_test", size = "small", deps = ["lib", 5])
            load("@nowhere//:cc.bzl", "cc_library")
            cc_library(name = "cc", copts = ["//I"], linkstamp = "stamp.cc", of = ":lib")
        """,
    }
    loaded = load(files)
    assert loaded.rule("//p:lib").rule_class.is_test is False
    assert loaded.value("//p:lib", "srcs") == ["//p:a.go"]
    assert loaded.value("//p:lib", "embed") == ["//p:other", "//q:all", "//q/..."]
    assert loaded.value("//p:lib", "importpath") == "k8s.io/x//y"
    assert loaded.value("//p:lib", "tags") == ["//not:one"]
    found = {
        (edge.attribute, str(edge.target), edge.kind.value)
        for edge in edges_of(loaded.package("p"), "lib", implicit=False)
    }
    assert found == {
        ("srcs", "//p:a.go", "assumed"),
        ("embed", "//p:other", "assumed"),
        ("embed", "//q:all", "assumed"),
        ("of", "@r//:x", "assumed"),
        ("of", "//a:b", "assumed"),
        ("deps", "//q:r", "assumed"),
        ("deps", "//c:on", "condition"),
    }
    assert isinstance(loaded.loader.target(parse_label("//p:a.go", PackageId("", ""))), InputFile)
    test = loaded.rule("//p:some_test")
    assert test.rule_class.is_test
    like_native = edges_of(loaded.package("p"), "cc", implicit=False)
    assert [(edge.attribute, str(edge.target)) for edge in like_native] == [
        ("linkstamp", "//p:stamp.cc"),
        ("of", "//p:lib"),
    ]
    # `5` is no label, so these are no labels; neither is a word that only might be one.
    assert not list(edges_of(loaded.package("p"), "some_test", implicit=False))


def test_a_condition_on_an_unknown_value_is_noted(load: Load) -> None:
    subjects = [item.subject for item in load(UNKNOWN_LOAD).package("p").unknowns]
    assert "if_there()" in subjects
    assert "struct_of.list" in subjects


def test_depsets_are_flattened_in_order(load: Load) -> None:
    loaded = load(
        {
            "p/BUILD": 'load(":m.bzl", "m")\nm()\n',
            "p/m.bzl": """
                def m():
                    low = depset(["a"])
                    mid = depset(["b"], transitive = [low])
                    top = depset(["c"], transitive = [mid, low])
                    pre = depset(["c"], transitive = [mid], order = "preorder")
                    native.sh_binary(name = "post", srcs = [], args = top.to_list())
                    native.sh_binary(name = "pre", srcs = [], args = pre.to_list())
            """,
        }
    )
    assert loaded.value("//p:post", "args") == ["a", "b", "c"]
    assert loaded.value("//p:pre", "args") == ["c", "a", "b"]


_PRIVATE = """
def _outputs(name, _x):
    return {"out": name + "_" + _x}

def _impl(ctx):
    return []

r = rule(
    _impl,
    attrs = {"_x": attr.string(default = "d"), "_to": attr.label(default = ":g")},
    outputs = _outputs,
)

def m(name, **kwargs):
    r(name = name, **kwargs)

def made():
    m("x", **{"$x": "set", "$to": "//:f"})

def by_its_name():
    m("x", _x = "set")

def of_none():
    m("x", **{"$y": "set"})
"""


@pytest.mark.parametrize(
    ("macro", "problems"),
    [
        ("made", []),
        ("by_its_name", ["//:x: no such attribute '_x' in 'r' rule"]),
        ("of_none", ["//:x: no such attribute '$y' in 'r' rule"]),
    ],
)
@pytest.mark.parametrize("version", ["0.24.1", "4.2.3", "9.1.0"])
def test_macros_set_private_attributes_by_the_names_that_bazel_gives_them(
    tmp_path: Path, version: str, macro: str, problems: list[str]
) -> None:
    build = f'load("//:r.bzl", "{macro}")\nfilegroup(name = "f")\n{macro}()\n'
    write_files(tmp_path, {"WORKSPACE": "", "MODULE.bazel": "", "r.bzl": _PRIVATE, "BUILD": build})
    workspace = Workspace.open(tmp_path, bazel_version=version)
    package = workspace.configure(()).world.loader.package(PackageId("", ""))
    assert isinstance(package, Package)
    assert [problem.message for problem in package.diagnostics] == problems
    rule = package.targets.get("x")
    if not problems:
        assert isinstance(rule, Rule)
        assert rule.outputs == (Label("", "", "x_set"),)
        label = rule.attribute("_to")
        assert label is not None
        assert label.value == Label("", "", "f")
