"""`refines_constraint_value` of a constraint_setting, in Bazel 9.2.0.

Bazel: `ConstraintSettingInfo`, `ConstraintTest`, `ConfigMatchingProvider.refines`; bazel#29655,
bazel#29727.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.analysis.conditions.select_choice import Ambiguous, Chosen
from bazelscope.api import Workspace
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.bazel.attribute_types import SelectorList, selectors_of
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Rule

BUILD = """\
constraint_setting(name = "libc")
constraint_value(name = "glibc", constraint_setting = ":libc")
constraint_value(name = "musl", constraint_setting = ":libc")
alias(name = "glibc_alias", actual = ":glibc")
constraint_setting(name = "version", refines_constraint_value = ":glibc_alias")
constraint_value(name = "2.42", constraint_setting = ":version")
constraint_setting(name = "patch", refines_constraint_value = ":2.42")
constraint_value(name = "2.42.1", constraint_setting = ":patch")
platform(name = "new", constraint_values = [":glibc", ":2.42", ":2.42.1"])
platform(name = "child", parents = [":base"], constraint_values = [":2.42", ":2.42.1"])
platform(name = "base", constraint_values = [":glibc"])
platform(name = "wrong", constraint_values = [":musl", ":2.42"])
config_setting(name = "is_glibc", constraint_values = [":glibc"])
config_setting(name = "is_new", constraint_values = [":2.42"])
filegroup(name = "values", srcs = select({":glibc": ["1"], ":2.42": ["2"]}))
filegroup(name = "settings", srcs = select({":is_new": ["2"], ":is_glibc": ["1"]}))
filegroup(name = "chain", srcs = select({":glibc": ["1"], ":2.42": ["2"], ":2.42.1": ["3"]}))
"""


def label(text: str) -> Label:
    return parse_label(f"//:{text}", PackageId("", ""))


CHOICES = [
    # version, platform, filegroup, the file
    ("9.2.0", "new", "values", "2"),
    ("9.2.0", "new", "settings", "2"),
    ("9.2.0", "new", "chain", "3"),
    ("9.2.0", "child", "chain", "3"),
    ("9.2.0", "base", "chain", "1"),
    ("9.1.0", "new", "values", Ambiguous),
]


@pytest.mark.parametrize(("version", "platform", "target", "expected"), CHOICES)
def test_the_refining_value_is_more_specific(
    tmp_path: Path, version: str, platform: str, target: str, expected: str | type
) -> None:
    (tmp_path / "MODULE.bazel").write_text("", encoding="utf-8")
    (tmp_path / "BUILD").write_text(BUILD, encoding="utf-8")
    workspace = Workspace.open(tmp_path, bazel_version=version)
    world = workspace.configure([f"--platforms=//:{platform}"]).world
    rule = world.graph.node(label(target))
    assert isinstance(rule, Rule)
    value = rule.attributes["srcs"].value
    assert isinstance(value, SelectorList)
    (selector,) = selectors_of(value)
    chosen = world.conditions.resolve(selector)
    if isinstance(expected, str):
        assert isinstance(chosen, Chosen)
        assert chosen.branch.value == (label(expected),)
    else:
        assert type(chosen) is expected


def test_a_platform_has_what_its_values_refine(tmp_path: Path) -> None:
    (tmp_path / "MODULE.bazel").write_text("", encoding="utf-8")
    (tmp_path / "BUILD").write_text(BUILD, encoding="utf-8")
    workspace = Workspace.open(tmp_path, bazel_version="9.2.0")
    for name, problem in (("new", None), ("child", None), ("wrong", "which that refines")):
        world = workspace.configure([f"--platforms=//:{name}"]).world
        unknown = world.conditions.platform.unknown
        assert (unknown is None) if problem is None else unknown and problem in unknown.detail
    package = world.loader.package(PackageId("", ""))
    assert isinstance(package, Package)
    assert not package.diagnostics
