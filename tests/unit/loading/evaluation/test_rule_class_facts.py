"""What whole trees and one target of each rule class showed us to see otherwise than Bazel.

The oracle tests `test_query_trees` and `test_query_rule_classes` ask real Bazels the same.
"""

from __future__ import annotations

import pytest

from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.base.label import PackageId
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Rule
from tests.unit.loading.loading_world import Load, label


def _inputs(load: Load, text: str, name: str, version: str = "4.2.3") -> set[str]:
    loaded = load({"p/BUILD": text}, version)
    graph = TargetGraph(loaded.loader, version, implicit=True)
    return {str(edge.target) for edge in graph.edges(label(name))}


@pytest.mark.parametrize(
    ("rule", "inputs"),
    [
        ("proto_library", {"@com_google_protobuf//:protoc"}),
        ("java_runtime_alias", {"@bazel_tools//tools/jdk:jdk"}),
        ("java_toolchain_alias", {"@bazel_tools//tools/jdk:toolchain"}),
        ("xcode_config_alias", {"@bazel_tools//tools/objc:host_xcodes"}),
    ],
)
def test_late_bound_attributes_have_the_default_of_their_default(
    load: Load, rule: str, inputs: set[str]
) -> None:
    assert inputs <= _inputs(load, f'{rule}(name = "x")', "//p:x")


@pytest.mark.parametrize(
    ("deps", "inputs"),
    [
        ('[":l"]', {"//p:l", "//p:tool"}),
        ('[":f.txt"]', {"//p:f.txt"}),
        ("[]", set()),
    ],
)
def test_aspects_bring_their_own_dependencies_where_they_meet_a_rule(
    load: Load, deps: str, inputs: set[str]
) -> None:
    loaded = load(
        {
            "p/BUILD": f"""
                load(":r.bzl", "r")
                filegroup(name = "l")
                filegroup(name = "tool")
                r(name = "x", deps = {deps})
                """,
            "p/r.bzl": """
                def _i(ctx):
                    pass
                a = aspect(implementation = _i, attrs = {"_t": attr.label(default = ":tool")})
                r = rule(implementation = _i, attrs = {"deps": attr.label_list(aspects = [a])})
                """,
        }
    )
    graph = TargetGraph(loaded.loader, "4.2.3", implicit=True)
    assert {str(edge.target) for edge in graph.edges(label("//p:x"))} == inputs
    rule = loaded.loader.target(label("//p:x"))
    assert isinstance(rule, Rule)
    assert [str(found) for found in rule.rule_class.aspect_labels] == ["//p:tool"]


def test_a_field_of_the_configuration_is_a_late_bound_attribute(load: Load) -> None:
    loaded = load(
        {
            "p/BUILD": 'load(":r.bzl", "r")\nr(name = "x")',
            "p/r.bzl": """
                r = rule(
                    implementation = print,
                    attrs = {
                        "_c": attr.label(default = configuration_field("cpp", "cc_toolchain")),
                    },
                )
                """,
        }
    )
    assert loaded.value("//p:x", ":c") == "@bazel_tools//tools/cpp:crosstool"
    rule = loaded.loader.target(label("//p:x"))
    assert isinstance(rule, Rule)
    assert rule.attribute("_c") is None


@pytest.mark.parametrize(
    ("call", "attribute", "value"),
    [
        ('cc_test(name = "x")', "stamp", 0),
        ('cc_binary(name = "x")', "stamp", -1),
        ('genrule(name = "x", outs = ["o"], executable = 1)', "$is_executable", True),
        ('genrule(name = "x", outs = ["o", "p"], executable = 1)', "$is_executable", False),
        ('java_binary(name = "x")', "$is_executable", True),
        ('java_binary(name = "x", create_executable = 0)', "$is_executable", False),
        ('java_test(name = "x")', "$testsupport", "@bazel_tools//tools/jdk:TestRunner"),
        ('java_test(name = "x", use_testrunner = 0)', "$testsupport", None),
        ('java_binary(name = "x")', "$testsupport", None),
        (
            'java_binary(name = "x", use_testrunner = 1)',
            "$testsupport",
            "@bazel_tools//tools/jdk:TestRunner",
        ),
        ('objc_library(name = "x", hdrs = ["z", "a"])', "hdrs", ["//p:z", "//p:a"]),
        ('java_library(name = "x", srcs = ["z/a", "b"])', "srcs", ["//p:b", "//p:z/a"]),
        ('platform(name = "x", tags = ["z", "a"])', "tags", ["z", "a"]),
    ],
)
def test_values_that_no_file_sets(load: Load, call: str, attribute: str, value: object) -> None:
    assert load({"p/BUILD": call}).value("//p:x", attribute) == value


def test_the_attributes_that_starlark_tests_have_and_lack(load: Load) -> None:
    loaded = load(
        {
            "p/BUILD": 'load(":r.bzl", "r_test")\nr_test(name = "x")',
            "p/r.bzl": "r_test = rule(implementation = print, test = True)",
        }
    )
    rule = loaded.loader.target(label("//p:x"))
    assert isinstance(rule, Rule)
    assert rule.attribute("$collect_cc_coverage") is None
    assert rule.attribute("env_inherit") is None
    assert loaded.value("//p:x", "testonly") is True
    assert loaded.value("//p:x", "$is_executable") is True


@pytest.mark.parametrize("version", ["0.24.1", "2.1.0", "4.2.3"])
def test_libraries_of_java_name_their_files_after_the_whole_name(load: Load, version: str) -> None:
    loaded = load({"p/BUILD": 'java_library(name = "a/b")'}, version)
    package = loaded.loader.package(PackageId("", "p"))
    assert isinstance(package, Package)
    assert {"liba/b.jar", "liba/b-src.jar"} <= set(package.targets)


def test_an_output_whose_name_no_file_can_have_is_left_out(load: Load) -> None:
    loaded = load(
        {
            "p/BUILD": 'load(":r.bzl", "r")\nr(name = "a/b")',
            "p/r.bzl": """
                r = rule(
                    implementation = print,
                    outputs = {"x": "%{dirname}/%{basename}.x", "y": "%{name}.y"},
                )
                """,
        }
    )
    package = loaded.loader.package(PackageId("", "p"))
    assert isinstance(package, Package)
    assert set(package.targets) == {"BUILD", "a/b", "a/b.y"}
    (problem,) = package.diagnostics
    assert problem.message.startswith("illegal output file name 'a//b.x' in rule //p:a/b due to:")


def test_functions_tell_which_file_they_are_from(load: Load) -> None:
    loaded = load(
        {
            "p/BUILD": 'load("//q:f.bzl", "NAME")\nfilegroup(name = "x", tags = [NAME])',
            "q/BUILD": "",
            "q/f.bzl": "def f():\n    pass\nNAME = str(f)",
        }
    )
    assert loaded.value("//p:x", "tags") == ["<function f from //q:f.bzl>"]


@pytest.mark.parametrize(("version", "seen_by"), [("2.1.0", "private"), ("4.2.3", "public")])
def test_since_when_config_settings_are_public(load: Load, version: str, seen_by: str) -> None:
    loaded = load({"p/BUILD": 'config_setting(name = "c", values = {"cpu": "x"})'}, version)
    assert loaded.value("//p:c", "visibility") == [f"//visibility:{seen_by}"]


def test_a_workspace_file_alone_does_not_stop_globs(load: Load) -> None:
    """Neither does it where a `local_repository` makes a repository of the directory; BUILD
    files in it do."""
    loaded = load(
        {
            "WORKSPACE": 'local_repository(name = "r", path = "p/r")',
            "p/BUILD": 'filegroup(name = "all", srcs = glob(["**"]))',
            "p/r/WORKSPACE": "",
            "p/r/a.txt": "",
            "p/r/deep/BUILD": "",
            "p/r/deep/b.txt": "",
        }
    )
    assert loaded.value("//p:all", "srcs") == ["//p:BUILD", "//p:r/WORKSPACE", "//p:r/a.txt"]
    assert PackageId("", "p/r/deep") not in loaded.loader.trees.packages()


def test_repositories_are_targets_of_the_package_external(load: Load) -> None:
    loaded = load(
        {
            "WORKSPACE": """
                load("//:r.bzl", "vendored")
                vendored(name = "v", relpath = "third_party/v")
                local_repository(name = "l", path = "l")
                bind(name = "b", actual = "//:x")
                """,
            "BUILD": "",
            "r.bzl": """
                vendored = repository_rule(
                    implementation = print, attrs = {"relpath": attr.string()}
                )
                """,
        }
    )
    kinds = loaded.kinds("external")
    assert {name: kinds[name] for name in ("WORKSPACE", "b", "l", "v")} == {
        "WORKSPACE": "source file",
        "b": "bind rule",
        "l": "local_repository rule",
        "v": "vendored rule",
    }
    assert loaded.value("//external:v", "relpath") == "third_party/v"


def test_a_directory_of_another_workspace_is_a_package_like_any_other(load: Load) -> None:
    """A WORKSPACE file makes no difference where no `local_repository` names the directory:
    TensorFlow's `third_party/xla`, whose repository a rule of its own makes."""
    loaded = load(
        {
            "BUILD": "",
            "third_party/xla/WORKSPACE": "",
            "third_party/xla/xla/BUILD": 'load("//xla:d.bzl", "d")\nfilegroup(name = "x")',
            "third_party/xla/xla/d.bzl": "d = 1",
        }
    )
    assert PackageId("", "third_party/xla/xla") in loaded.loader.trees.packages()
    (message,) = loaded.errors("third_party/xla/xla")
    assert message == (
        "Label '//xla:d.bzl' is invalid because 'xla' is not a package; perhaps you meant to put"
        " the colon here: '//:xla/d.bzl'?"
    )
