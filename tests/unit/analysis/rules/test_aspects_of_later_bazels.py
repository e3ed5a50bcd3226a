"""Aspects as Bazels after 4.2.3 have them: by their sources and their tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import ConfiguredWorkspace, Workspace
from bazelscope.base.label import PackageId
from tests.support.files import write_files


def _asked(root: Path, bzl: str, build: str, *words: str, version: str) -> ConfiguredWorkspace:
    files = {"MODULE.bazel": "", "d.bzl": bzl, "BUILD": build}
    write_files(root, files)
    return Workspace.open(root, bazel_version=version).configure([*words])


_PARAMETERS = """
def _a(target, ctx):
    return []
a = aspect(_a, attrs = {{"p": {parameter}}})
def _r(ctx):
    return []
r = rule(_r, attrs = {{{own} "deps": attr.label_list(aspects = [a])}})
"""


@pytest.mark.parametrize(
    ("parameter", "own", "given", "problem"),
    [
        ("attr.string()", '"p": attr.string(),', "", "'p' must use the 'values' restriction."),
        ("attr.int(values = [1])", "", "", "rule r to specify attribute 'p' with type int."),
        ("attr.bool()", "", "", "rule r to specify attribute 'p' with type boolean."),
        ("attr.bool(default = True)", "", "", ""),
        ("attr.int(values = [1])", '"p": attr.int(),', ", p = 2", "has to be one of '1' instead"),
        ("attr.int(values = [1])", '"p": attr.int(),', ", p = 1", ""),
    ],
)
def test_what_a_rule_tells_an_aspect(
    tmp_path: Path, parameter: str, own: str, given: str, problem: str
) -> None:
    bzl = _PARAMETERS.format(parameter=parameter, own=own)
    asked = _asked(tmp_path, bzl, f'load(":d.bzl", "r")\nr(name = "t"{given})\n', version="7.4.1")
    package = asked.world.loader.package(PackageId("", ""))
    told = [one.message for one in package.diagnostics]
    assert len(told) == bool(problem)
    assert all(problem in one for one in told)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ('attr_aspects = ["*", "x"]', "'*' must be the only string in 'attr_aspects' list"),
        (
            "required_providers = [P], apply_to_generating_rules = True",
            "An aspect cannot simultaneously have required providers and apply to generating",
        ),
        ('attr_aspects = ["*"]', ""),
    ],
)
def test_options_of_aspects_that_exclude_each_other(
    tmp_path: Path, options: str, problem: str
) -> None:
    bzl = f"P = provider()\ndef _a(target, ctx):\n    return []\na = aspect(_a, {options})\n"
    asked = _asked(tmp_path, bzl, 'load(":d.bzl", "a")\n', version="7.4.1")
    told = [one.message for one in asked.world.loader.package(PackageId("", "")).diagnostics]
    assert len(told) == bool(problem)
    assert all(problem in one for one in told)


def test_where_a_function_chooses_targets_nobody_can_tell_where_an_aspect_goes(
    tmp_path: Path,
) -> None:
    bzl = """
def _never(ctx):
    return False
def _a(target, ctx):
    fail("met")
a = aspect(_a, attr_aspects = ["deps"], propagation_predicate = _never)
def _r(ctx):
    return []
r = rule(_r, attrs = {"deps": attr.label_list(aspects = [a])})
"""
    build = 'load(":d.bzl", "r")\nr(name = "low")\nr(name = "t", deps = [":low"])\n'
    asked = _asked(tmp_path, bzl, build, "--aspects=//:d.bzl%a", version="9.0.0")
    assert asked.refusals("//:t") == ()


def test_a_rule_that_materializes_is_unknown_not_refused(tmp_path: Path) -> None:
    bzl = """
m = materializer_rule(implementation = lambda ctx: MaterializedDepsInfo(deps = []))
def _b(ctx):
    return []
b = rule(_b, attrs = {"deps": attr.label_list()})
"""
    build = 'load(":d.bzl", "b", "m")\nm(name = "m")\nb(name = "t", deps = [":m"])\n'
    asked = _asked(tmp_path, bzl, build, "--experimental_dormant_deps", version="9.0.0")
    assert asked.refusals("//:t") == ()
    plain = _asked(tmp_path, bzl, build, version="9.0.0")
    assert plain.world.loader.package(PackageId("", "")).diagnostics
