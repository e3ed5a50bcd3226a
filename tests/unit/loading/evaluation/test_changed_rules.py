"""Attributes of native rules that went, or are called otherwise, since the newest table."""

from __future__ import annotations

import pytest

from bazelscope.analysis.graph.dependency_edges import edges_of
from tests.unit.loading.loading_world import Load

GENRULE = {"p/BUILD": 'genrule(name = "g", outs = ["o"], cmd = "x", exec_tools = ["t"])'}


@pytest.mark.parametrize(("version", "is_refused"), [("6.5.0", False), ("7.0.0", True)])
def test_an_attribute_that_went_is_refused(load: Load, version: str, is_refused: bool) -> None:
    refusal = "//p:g: no such attribute 'exec_tools' in 'genrule' rule"
    assert load(GENRULE, version=version).errors("p") == ([refusal] if is_refused else [])


def test_a_platform_takes_no_select_from_7_on(load: Load) -> None:
    files = {
        "p/BUILD": 'platform(name = "x", parents = select({"//conditions:default": [":y"]}))',
    }
    assert load(files, version="6.0.0").errors("p") == []
    assert load(files, version="7.0.0").errors("p") != []


@pytest.mark.parametrize(
    ("version", "attribute"), [("7.0.0", "applicable_licenses"), ("8.0.0", "package_metadata")]
)
def test_metadata_have_one_name(load: Load, version: str, attribute: str) -> None:
    files = {
        "p/BUILD": """
            package(default_package_metadata = [":all"])
            filegroup(name = "x")
            filegroup(name = "y", applicable_licenses = [":own"])
        """,
    }
    loaded = load(files, version=version)
    assert loaded.errors("p") == []
    assert loaded.value("//p:x", attribute) == ["//p:all"]
    assert loaded.value("//p:y", attribute) == ["//p:own"]


def test_a_dictionary_of_lists_of_labels(load: Load) -> None:
    files = {
        "p/rules.bzl": """
            probe = rule(
                implementation = lambda ctx: [],
                attrs = {"groups": attr.label_list_dict(default = {"d": ["//q:e"]})},
            )
        """,
        "p/BUILD": """
            load("rules.bzl", "probe")
            probe(name = "x", groups = {"a": [":b", "//q:c"]})
            probe(name = "y")
            genrule(
                name = "g",
                outs = ["o"],
                cmd = "",
                exec_group_compatible_with = {"test": ["//q:only"]},
            )
        """,
    }
    loaded = load(files, version="9.0.0")
    assert loaded.errors("p") == []
    found = [
        (name, edge.attribute, str(edge.target))
        for name in ("x", "g")
        for edge in edges_of(loaded.package("p"), name, implicit=False)
    ]
    assert found == [
        ("x", "groups", "//p:b"),
        ("x", "groups", "//q:c"),
        ("g", "exec_group_compatible_with", "//q:only"),
    ]
    assert "//q:e" in [str(edge.target) for edge in edges_of(loaded.package("p"), "y")]
    assert load(files, version="8.0.0").errors("p") != []
