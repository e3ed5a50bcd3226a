"""What random workspaces once showed us to see otherwise than `bazel query` of 4.2.3."""

from __future__ import annotations

import pytest

from bazelscope.analysis.graph.dependency_edges import edges_of
from bazelscope.base.label import PackageId
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import InputFile
from tests.unit.loading.loading_world import Load, label

RULE = """
    r = rule(implementation = print, attrs = {"hdrs": attr.label_list()})
    x = rule(implementation = print, executable = True)
    """


def test_a_rule_that_names_no_visibility_is_private(load: Load) -> None:
    loaded = load({"p/BUILD": 'filegroup(name = "f")'})
    assert loaded.value("//p:f", "visibility") == ["//visibility:private"]


def test_a_config_setting_is_public_whatever_its_package_says(load: Load) -> None:
    loaded = load(
        {
            "p/BUILD": """
                package(default_visibility = ["//visibility:private"])
                config_setting(name = "c", values = {"define": "a=b"})
                """
        }
    )
    assert loaded.value("//p:c", "visibility") == ["//visibility:public"]


def test_features_of_a_package_are_not_those_of_its_rules(load: Load) -> None:
    loaded = load({"p/BUILD": 'package(features = ["f"])\nfilegroup(name = "f")'})
    assert loaded.value("//p:f", "features") == []


def test_lists_whose_order_means_nothing_are_sorted(load: Load) -> None:
    loaded = load(
        {
            "p/BUILD": """
                load(":r.bzl", "r")
                cc_library(
                    name = "f",
                    hdrs = ["z.h", "a.h"],
                    srcs = ["z.cc", "a.cc"],
                    tags = ["t", "b"],
                    textual_hdrs = ["y.h", "//a:y.h"],
                    features = ["x", "-y"],
                    visibility = ["//q:__subpackages__", "//p:__pkg__"],
                )
                r(name = "own", hdrs = [":z.h", ":a.h"], tags = ["t", "b"])
                sh_test(name = "t2", srcs = ["t.sh"])
                sh_test(name = "t1", srcs = ["t.sh"])
                test_suite(name = "suite", tests = [":t2", ":t1"])
                """,
            "p/r.bzl": RULE,
        }
    )
    assert loaded.value("//p:f", "hdrs") == ["//p:a.h", "//p:z.h"]
    assert loaded.value("//p:f", "srcs") == ["//p:z.cc", "//p:a.cc"]
    assert loaded.value("//p:f", "tags") == ["b", "t"]
    assert loaded.value("//p:f", "textual_hdrs") == ["//a:y.h", "//p:y.h"]
    assert loaded.value("//p:f", "features") == ["-y", "x"]
    assert loaded.value("//p:f", "visibility") == ["//p:__pkg__", "//q:__subpackages__"]
    assert loaded.value("//p:own", "hdrs") == ["//p:z.h", "//p:a.h"]
    assert loaded.value("//p:own", "tags") == ["b", "t"]
    assert loaded.value("//p:suite", "tests") == ["//p:t1", "//p:t2"]


@pytest.mark.parametrize(
    ("arguments", "timeout"),
    [
        ("", "moderate"),
        ('size = "small"', "short"),
        ('size = "enormous"', "eternal"),
        ('size = "small", timeout = "long"', "long"),
    ],
)
def test_the_timeout_of_a_test_follows_its_size(load: Load, arguments: str, timeout: str) -> None:
    loaded = load({"p/BUILD": f'sh_test(name = "t", srcs = ["t.sh"], {arguments})'})
    assert loaded.value("//p:t", "timeout") == timeout


def test_an_executable_starlark_rule_has_nothing_of_shell_rules(load: Load) -> None:
    loaded = load({"p/BUILD": 'load(":r.bzl", "x")\nx(name = "own")', "p/r.bzl": RULE})
    attributes = loaded.rule("//p:own").rule_class.attributes
    assert "args" in attributes
    assert attributes.keys().isdisjoint({"$launcher", "env"})


def test_defaults_that_bazel_computes_are_implicit_dependencies(load: Load) -> None:
    loaded = load(
        {
            "p/BUILD": """
                cc_library(name = "c")
                sh_test(name = "t", srcs = ["t.sh"])
                """
        }
    )
    library = {str(edge.target) for edge in edges_of(loaded.package("p"), "c")}
    assert "@bazel_tools//tools/cpp:toolchain" in library
    assert "@bazel_tools//tools/def_parser:def_parser" in library
    test = {str(edge.target) for edge in edges_of(loaded.package("p"), "t")}
    assert "@bazel_tools//tools/test:coverage_support" in test
    assert "@bazel_tools//tools/test:coverage_report_generator" in test


def test_an_exported_file_depends_on_the_groups_that_see_it(load: Load) -> None:
    loaded = load(
        {
            "p/BUILD": """
                package_group(name = "group")
                exports_files(["a"], visibility = [":group"])
                exports_files(["b"])
                """
        }
    )
    package = loaded.package("p")
    seen = {name: [str(edge.target) for edge in edges_of(package, name)] for name in ("a", "b")}
    assert seen == {"a": ["//p:group"], "b": []}
    exported = loaded.loader.target(label("//p:a"))
    assert isinstance(exported, InputFile)
    assert exported.visibility == (label("//p:group"),)


def test_a_new_local_repository_is_a_package_with_two_more_files(load: Load) -> None:
    """Bazel writes its BUILD.bazel and a WORKSPACE: globs see them, patterns find them."""
    loaded = load(
        {
            "WORKSPACE": """
                new_local_repository(
                    name = "archive",
                    path = "archive",
                    build_file_content = 'filegroup(name = "all", srcs = glob(["**"]))',
                )
                """,
            "archive/src/one.c": "",
        }
    )
    assert loaded.loader.trees.packages("archive") == (PackageId("archive", ""),)
    found = loaded.value("@archive//:all", "srcs")
    names = ("BUILD.bazel", "WORKSPACE", "src/one.c")
    assert found == [f"@archive//:{name}" for name in names]


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ("relative", "invalid package name 'relative': must start with '//'"),
        ("@x//y", "invalid package name '@x//y': must start with '//'"),
        ("-public", "invalid package name 'public': must start with '//'"),
    ],
)
def test_a_package_group_takes_absolute_packages(load: Load, entry: str, problem: str) -> None:
    loaded = load({"p/BUILD": f'package_group(name = "g", packages = ["{entry}"])'})
    assert loaded.errors("p") == [problem]
    assert isinstance(loaded.package("p"), Package)


@pytest.mark.parametrize("entry", ["//...", "//a", "//a/...", "-//a/b", "//"])
def test_sound_entries_of_a_package_group(load: Load, entry: str) -> None:
    loaded = load({"p/BUILD": f'package_group(name = "g", packages = ["{entry}"])'})
    assert loaded.errors("p") == []


def test_license_types_are_checked(load: Load) -> None:
    loaded = load({"p/BUILD": 'licenses(["notice", "exception=//a"])\nfilegroup(name = "f")'})
    assert loaded.errors("p") == []
    loaded = load({"q/BUILD": 'licenses(["notic"])\nfilegroup(name = "f")'})
    assert loaded.errors("q") == ["licenses(): invalid license type: 'notic'"]
    assert loaded.kinds("q") == {"f": "filegroup rule"}


def test_a_bind_in_a_macro_tells_who_called_it(load: Load) -> None:
    loaded = load(
        {
            "WORKSPACE": """
                load("//:deps.bzl", "deps")
                deps()
                """,
            "BUILD": "",
            "deps.bzl": """
                def deps():
                    native.bind(name = "ssl", actual = "//:ssl")
                """,
        }
    )
    bound = loaded.rule("//external:ssl")
    assert [frame.location.path for frame in bound.call_stack] == ["WORKSPACE", "deps.bzl"]
    assert bound.location in {frame.location for frame in bound.call_stack}
