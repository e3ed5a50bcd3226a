"""Names of arguments that a release does not know, of `rule()`, `aspect()`, `attr.*` and the like.

As `StarlarkRuleFunctionsApi` and `StarlarkAttrModuleApi` of Bazel name them; 4.2.3 was measured.
Dormant labels and materializers: as Bazel's `DormantDependencyTest` has them.
"""

from __future__ import annotations

import pytest

from bazelscope.base.unknown import Unknown
from tests.unit.loading.loading_world import Load


def told(load: Load, call: str, version: str, **more: object) -> list[str]:
    bzl = f"def _i(*args, **kwargs):\n    return []\ne = None\nx = {call}\ny = 1\n"
    files = {"WORKSPACE": "", "MODULE.bazel": "", "p/r.bzl": bzl, "p/BUILD": 'load(":r.bzl", "y")'}
    return load(files, version, **more).errors("p")


@pytest.mark.parametrize("version", ["4.2.3", "5.4.1", "6.5.0", "7.4.1", "8.4.0", "9.1.0"])
@pytest.mark.parametrize(
    ("call", "function"),
    [
        ("rule(_i, bogus = 1)", "rule"),
        ("aspect(_i, bogus = 1)", "aspect"),
        ("attr.label(bogus = 1)", "label"),
        ("attr.string_list_dict(bogus = 1)", "string_list_dict"),
        ("exec_group(bogus = 1)", "exec_group"),
        ("provider(bogus = 1)", "provider"),
        ("repository_rule(_i, bogus = 1)", "repository_rule"),
        ("transition(implementation = _i, inputs = [], outputs = [], bogus = 1)", "transition"),
    ],
)
def test_a_name_that_no_release_knows(load: Load, call: str, function: str, version: str) -> None:
    (message,) = told(load, call, version)
    assert message.startswith(f"{function}() got unexpected keyword argument 'bogus'")


@pytest.mark.parametrize(
    ("call", "knows", "lacks"),
    [
        ("rule(_i, initializer = e)", "7.0.0 9.0.0", "4.2.3 6.5.0"),
        ("rule(_i, parent = e)", "7.0.0", "6.5.0"),
        ("rule(_i, extendable = e)", "7.0.0", "6.5.0"),
        ("rule(_i, dependency_resolution_rule = False)", "8.0.0 9.1.0", "6.5.0 7.4.1"),
        ("aspect(_i, requires = [])", "5.0.0 9.0.0", "4.2.3"),
        ("aspect(_i, propagation_predicate = e)", "8.0.0", "7.4.1"),
        ("attr.label(configurable = True)", "8.0.0", "7.4.1"),
        ("attr.label(for_dependency_resolution = True)", "8.0.0", "7.4.1"),
        ("attr.label(flags = [])", "5.0.0 9.1.0", "4.2.3"),
        ("attr.label(skip_validations = True)", "7.0.0", "6.5.0"),
        ("provider(init = _i)", "5.0.0 9.1.0", "4.2.3"),
        ("exec_group(copy_from_rule = True)", "4.2.3 6.5.0", "8.0.0 9.1.0"),
    ],
)
def test_names_that_some_releases_know(load: Load, call: str, knows: str, lacks: str) -> None:
    for version in knows.split():
        assert told(load, call, version) == []
    for version in lacks.split():
        (message,) = told(load, call, version)
        assert "got unexpected keyword argument" in message


@pytest.mark.parametrize("version", ["7.4.1", "8.4.0", "9.1.0"])
def test_dormant_labels_are_not_there_without_their_flag(load: Load, version: str) -> None:
    (message,) = told(load, "attr.dormant_label()", version)
    assert message == "'attr' value has no field or method 'dormant_label'"
    (message,) = told(load, "config.bogus()", version)
    assert message == "'config' value has no field or method 'bogus'"


_DEPENDS = """
def _i(ctx):
    return []
r = rule(_i, attrs = {"_chosen": attr.label_list(materializer = _i)})
"""


def test_what_a_materializer_chooses_is_unknown(load: Load) -> None:
    files = {"MODULE.bazel": "", "p/r.bzl": _DEPENDS, "p/BUILD": 'load(":r.bzl", "r")\nr(name="x")'}
    loaded = load(files, "9.1.0", facts={"dormant_labels": True})
    attribute = loaded.rule("//p:x").attribute("_chosen")
    assert attribute is not None
    assert isinstance(attribute.value, Unknown)
    assert told(load, "attr.dormant_label()", "9.1.0", facts={"dormant_labels": True}) == []


def test_materializers_need_their_flag(load: Load) -> None:
    (message,) = told(load, "attr.label_list(materializer = _i)", "9.1.0")
    assert message == (
        "in call to label_list(), parameter 'materializer' is experimental and thus unavailable"
        " with the current flags. It may be enabled by setting --experimental_dormant_deps"
    )
