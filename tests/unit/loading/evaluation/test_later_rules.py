"""Native rules of Bazels that are newer than the newest table."""

from __future__ import annotations

import pytest

from bazelscope.analysis.graph.dependency_edges import edges_of
from bazelscope.base.errors import Severity
from tests.unit.loading.loading_world import Load

BUILD = {
    "p/BUILD": """
        cc_library(
            name = "lib",
            implementation_deps = ["inner"],
            local_defines = ["A"],
            aspect_hints = [":hint"],
        )
        cc_shared_library(
            name = "shared",
            deps = ["lib"],
            exports_filter = ["//q:__subpackages__"],
            visibility = ["//visibility:public"],
        )
        cc_library(name = "newest", from_the_future = [":x", "y"], linkstatic = 1)
    """
}


def test_later_attributes_and_rules(load: Load) -> None:
    loaded = load(BUILD, version="8.0.0")
    found = [
        (edge.attribute, str(edge.target), edge.kind.value)
        for edge in edges_of(loaded.package("p"), "lib", implicit=False)
    ]
    assert found == [
        ("implementation_deps", "//p:inner", "attribute"),
        ("aspect_hints", "//p:hint", "attribute"),
    ]
    shared = loaded.rule("//p:shared")
    assert shared.rule_class.is_known
    edges = [
        (e.attribute, str(e.target))
        for e in edges_of(loaded.package("p"), "shared", implicit=False)
    ]
    assert edges == [("deps", "//p:lib")]
    assert loaded.value("//p:shared", "exports_filter") == ["//q:__subpackages__"]
    assert loaded.value("//p:shared", "visibility") == ["//visibility:public"]


def test_an_attribute_that_may_be_newer_than_the_table(load: Load) -> None:
    loaded = load(BUILD, version="8.0.0")
    (diagnostic,) = loaded.package("p").diagnostics
    assert (diagnostic.code, diagnostic.severity) == ("unlisted-attribute", Severity.WARNING)
    found = [
        (e.attribute, str(e.target), e.kind.value)
        for e in edges_of(loaded.package("p"), "newest", implicit=False)
    ]
    assert found == [("from_the_future", "//p:x", "assumed")]


def test_every_rule_is_for_platforms_since_5(load: Load) -> None:
    files = {"p/BUILD": 'filegroup(name = "x", target_compatible_with = [":only"])'}
    loaded = load(files, version="5.0.0")
    assert loaded.errors("p") == []
    assert loaded.value("//p:x", "target_compatible_with") == ["//p:only"]
    assert load(files, version="4.2.3").errors("p") == [
        "//p:x: no such attribute 'target_compatible_with' in 'filegroup' rule"
    ]


def test_build_settings_have_a_scope(load: Load) -> None:
    build = """
        load("@bazel_skylib//rules:common_settings.bzl", "bool_flag", "string_flag")
        bool_flag(name = "b", build_setting_default = True, scope = "universal")
        string_flag(name = "s", build_setting_default = "", make_variable = "S", scope = "target")
    """
    module = 'bazel_dep(name = "bazel_skylib", version = "1.8.1")\n'
    loaded = load({"MODULE.bazel": module, "p/BUILD": build}, version="8.0.0")
    assert loaded.errors("p") == []
    assert loaded.value("//p:b", "scope") == "universal"


@pytest.mark.parametrize("version", ["0.24.1", "2.1.0", "4.2.3"])
def test_a_version_with_a_table_of_its_own_knows_all_attributes(load: Load, version: str) -> None:
    files = {"p/BUILD": 'cc_library(name = "lib", implementation_deps = ["inner"])'}
    (message,) = load(files, version=version).errors("p")
    assert message == "//p:lib: no such attribute 'implementation_deps' in 'cc_library' rule"


def test_an_attribute_that_a_model_lacks(load: Load) -> None:
    files = {
        "p/BUILD": """
            load("@bazel_skylib//rules:common_settings.bzl", "string_flag")
            string_flag(name = "flag", build_setting_default = "x", from_the_future = ":y")
        """,
        "WORKSPACE": """
            load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
            http_archive(name = "bazel_skylib", urls = ["https://example.com/skylib.zip"])
        """,
    }
    loaded = load(files)
    (diagnostic,) = loaded.package("p").diagnostics
    assert (diagnostic.code, diagnostic.severity) == ("unlisted-attribute", Severity.WARNING)
    assert "bazelscope has only a model of the rule" in diagnostic.message
    found = [
        (e.attribute, e.kind.value) for e in edges_of(loaded.package("p"), "flag", implicit=False)
    ]
    assert found == [("from_the_future", "assumed")]


@pytest.mark.parametrize(("version", "is_refused"), [("7.0.0", True), ("7.1.0", False)])
def test_a_genrule_is_stamped_as_the_line_says_from_7_1_on(
    load: Load, version: str, is_refused: bool
) -> None:
    build = 'genrule(name = "g", outs = ["o"], cmd = "x", stamp = -1)\n'
    package = load({"p/BUILD": build}, version=version).package("p")
    assert ["boolean is not one of [0, 1]" in str(one) for one in package.diagnostics] == (
        [True] if is_refused else []
    )
    if not is_refused:
        files = {"q/BUILD": build + 'genrule(name = "d", outs = ["p"], cmd = "x")'}
        loaded = load(files, version=version)
        assert loaded.value("//q:g", "stamp") == -1
        assert loaded.rule("//q:d").rule_class.attributes["stamp"].default == 0
