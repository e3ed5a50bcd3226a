"""Execution groups: each runs on a platform of its own, and has its own toolchains."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from tests.support.files import write_files
from tests.unit.analysis.graph.exec_group_cases import CASES, FILES, FLAGS, OLD, GroupCase

_ALL = [(case, version) for case in CASES for version in case.versions.split()]


@pytest.mark.parametrize(
    ("case", "version"), _ALL, ids=[f"{case.name}-{version}" for case, version in _ALL]
)
def test_what_is_refused(case: GroupCase, version: str, tmp_path: Path) -> None:
    is_old = version == "4.2.3"
    write_files(tmp_path, {**FILES, **case.files(), **({"WORKSPACE": ""} if is_old else {})})
    workspace = Workspace.open(tmp_path, bazel_version=version, host="linux")
    asked = workspace.configure([*FLAGS, *(OLD if is_old else ()), *case.flags, "//t:all"])
    told = [one.message for one in asked.explain().envelope.refusals]
    if case.refused:
        assert any(case.refused in one for one in told), told
    else:
        assert told == []


@pytest.mark.parametrize("version", ["4.2.3", "8.2.0"])
def test_tools_of_a_group_are_built_for_its_platform(version: str, tmp_path: Path) -> None:
    rules = """
def _i(ctx):
    return []
r = rule(
    _i,
    attrs = {"near": attr.label(cfg = "exec"), "far": attr.label(cfg = config.exec("far"))},
    exec_groups = {"far": exec_group(toolchains = ["//tc:other"])},
    toolchains = ["//tc:own"],
)
tool = rule(_i, attrs = {"dep": attr.label()})
"""
    build = """
load(":r.bzl", "r", "tool")
r(name = "x", near = ":one", far = ":two")
[tool(
    name = name,
    dep = select({"//p:for_mac": ":%s_mac" % name, "//conditions:default": ":%s_linux" % name}),
) for name in ("one", "two")]
[filegroup(name = name) for name in ("one_mac", "one_linux", "two_mac", "two_linux")]
"""
    more = {"t/r.bzl": rules, "t/BUILD": build}
    is_old = version == "4.2.3"
    write_files(tmp_path, {**FILES, **more, **({"WORKSPACE": ""} if is_old else {})})
    asked = Workspace.open(tmp_path, bazel_version=version, host="linux").configure(
        [*FLAGS, *(OLD if is_old else ())]
    )
    labels = {str(one.label) for one in asked.cquery("deps(//t:x)").targets}
    assert {"//t:one_linux", "//t:two_mac"} <= labels
    assert not {"//t:one_mac", "//t:two_linux"} & labels


@pytest.mark.parametrize("version", ["7.4.1", "9.0.0"])
def test_a_test_has_a_group_to_run_in(version: str, tmp_path: Path) -> None:
    rules = """
def _i(ctx):
    made = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.write(made, "", is_executable = True)
    return [DefaultInfo(executable = made)]
a_test = rule(
    _i,
    test = True,
    attrs = {"_g": attr.label(default = ":f", cfg = config.exec("test"))},
)
"""
    build = """
load(":r.bzl", "a_test")
a_test(name = "x", exec_properties = {"test.a": "b"})
filegroup(name = "f")
"""
    write_files(tmp_path, {**FILES, "t/r.bzl": rules, "t/BUILD": build})
    workspace = Workspace.open(tmp_path, bazel_version=version, host="linux")
    assert workspace.configure(FLAGS).refusals("//t:x") == ()


_AUTOMATIC = """
def _i(ctx):
    if ctx.toolchains["//tc:own"].name + ctx.toolchains["//tc:other"].name != "for_ownfor_other":
        fail("others")
    return []
r = rule(
    _i,
    attrs = {{"tool": attr.label(cfg = "exec"){attribute}}},
    toolchains = ["//tc:own", "//tc:other"],
)
tool = rule(lambda ctx: [], attrs = {{"dep": attr.label()}})
"""
_WITH_TOOL = """
load(":r.bzl", "r", "tool")
r(name = "x", tool = ":one")
tool(name = "one", dep = select({"//p:for_mac": ":mac", "//conditions:default": ":linux"}))
[filegroup(name = name) for name in ("mac", "linux")]
"""
_NO_PLATFORM = "Unable to find an execution platform for toolchains [//tc:own, //tc:other]"


@pytest.mark.parametrize(
    ("said", "flag", "version", "is_automatic"),
    [
        (None, "", "7.4.1", False),
        (None, "--incompatible_auto_exec_groups", "7.4.1", True),
        (True, "", "8.2.0", True),
        (True, "--noincompatible_auto_exec_groups", "9.0.0", True),
        (False, "--incompatible_auto_exec_groups", "9.0.0", False),
        (True, "", "6.5.0", False),
    ],
)
def test_each_type_has_a_platform_where_groups_are_automatic(
    said: bool | None, flag: str, version: str, is_automatic: bool, tmp_path: Path
) -> None:
    """The two toolchains run on one platform each. Bazel's own tests of automatic execution groups
    expect the groups; that a rule itself then asks for no toolchain is read from its sources."""
    attribute = "" if said is None else f', "_use_auto_exec_groups": attr.bool(default = {said})'
    files = {"t/r.bzl": _AUTOMATIC.format(attribute=attribute), "t/BUILD": _WITH_TOOL}
    write_files(tmp_path, {**FILES, **files})
    workspace = Workspace.open(tmp_path, bazel_version=version, host="linux")
    asked = workspace.configure([*FLAGS, *filter(None, (flag,))])
    told = [one.message for one in asked.refusals("//t:x")]
    if not is_automatic:
        assert told and _NO_PLATFORM in told[0]
        return
    assert told == []
    labels = {str(one.label) for one in asked.cquery("deps(//t:x)").targets}
    assert {"//tc:for_own", "//tc:for_other", "//t:linux"} <= labels
    assert "//t:mac" not in labels
