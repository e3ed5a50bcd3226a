"""What Bazel 4.2.3 was measured to refuse of `.bzl` files, and 7 to 9 refuse, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.base.label import PackageId
from bazelscope.loading.packages.package import Package
from tests.support.files import write_files

_HEAD = """
def _i(ctx):
    return []
def _t(settings, attr):
    return {"//:s": settings["@//:s"] + "x"}
t = transition(implementation = _t, inputs = ["@//:s"], outputs = ["//:s"])
a = aspect(_i)
def vis():
    visibility("public")
"""
_REFUSED = (
    "rule(1)",
    "rule(_i, test = 1)",
    "rule(_i, executable = 1)",
    'rule(_i, fragments = "cpp")',
    "rule(_i, doc = 1)",
    "rule(_i, build_setting = 1)",
    "rule(_i, outputs = 1)",
    'rule(_i, cfg = "t")',
    'rule(_i, cfg = "exec")',
    "rule(_i, cfg = 1)",
    "rule(_i, cfg = t, build_setting = config.string())",
    'rule(_i, attrs = {"a": attr.int(default = None)})',
    'rule(_i, attrs = {"a": attr.int(mandatory = "yes")})',
    'rule(_i, attrs = {"a": attr.string(values = "a")})',
    'rule(_i, attrs = {"a": attr.string_list(default = "a")})',
    'rule(_i, attrs = {"a": attr.string_list(default = [1])})',
    'rule(_i, attrs = {"a": attr.label(allow_files = 1)})',
    'rule(_i, attrs = {"a": attr.label(providers = "P")})',
    'rule(_i, attrs = {"a": attr.label(aspects = "a")})',
    "provider(fields = 1)",
    "aspect(1)",
    "aspect(_i, attrs = [])",
    "transition(implementation = 1, inputs = [], outputs = [])",
    'aspect(_i, attrs = {"p": attr.label()})',
    'rule(_i, attrs = {"a": attr.label_list(aspects = [a, a])})',
    "vis()",
)
_TAKEN = (
    "rule(_i, doc = None)",
    "rule(_i, cfg = None)",
    "rule(_i, cfg = config.target())",
    'rule(_i, toolchains = [Label("//:ty")])',
    'rule(_i, attrs = {"a": attr.label(default = Label("//:f"), allow_files = [".c"])})',
    'rule(_i, attrs = {"a": attr.label_list(default = ["//:f"])})',
    'rule(_i, attrs = {"a": attr.string(default = "x", values = ["x"])})',
    'provider("doc", fields = {"a": "b"})',
    "provider(doc = None)",
    'aspect(_i, attr_aspects = ["deps"], doc = None)',
    'aspect(_i, attrs = {"p": attr.int(values = [1], default = 1)})',
    'rule(_i, attrs = {"a": attr.label_list(aspects = [a])})',
)


@pytest.mark.parametrize("version", ["7.4.1", "8.2.0", "9.0.0"])
def test_calls_of_makers(version: str, tmp_path: Path) -> None:
    files = {"MODULE.bazel": "", "BUILD": ""}
    for number, text in enumerate((*_REFUSED, *_TAKEN)):
        files[f"p{number}/d.bzl"] = f"{_HEAD}x = {text}\n"
        files[f"p{number}/BUILD"] = 'load(":d.bzl", "x")\nfilegroup(name = "y")\n'
    write_files(tmp_path, files)
    workspace = Workspace.open(tmp_path, bazel_version=version, host="linux")
    loader = workspace.configure([]).loader
    calls = (*_REFUSED, *_TAKEN)
    refused = {
        call
        for number, call in enumerate(calls)
        if not isinstance(loader.package(PackageId("", f"p{number}")), Package)
    }
    assert refused == {*_REFUSED}


def test_a_transition_reads_a_setting_as_it_names_it(tmp_path: Path) -> None:
    build = """
load(":d.bzl", "r", "sf")
sf(name = "s", build_setting_default = "cow")
r(name = "x", dep = select({":set": ":there", "//conditions:default": ":not_there"}))
config_setting(name = "set", flag_values = {":s": "cowx"})
filegroup(name = "there")
"""
    rules = (
        _HEAD + "sf = rule(_i, build_setting = config.string(flag = True))\n"
        'r = rule(_i, cfg = t, attrs = {"dep": attr.label()})\n'
    )
    write_files(tmp_path, {"MODULE.bazel": "", "BUILD": build, "d.bzl": rules})
    workspace = Workspace.open(tmp_path, bazel_version="8.2.0", host="linux")
    assert workspace.configure([]).refusals("//:x") == ()


@pytest.mark.parametrize("text", [":::", "//a//b:c", "//a/...", "@@:::"])
def test_options_of_labels_hold_labels(text: str, tmp_path: Path) -> None:
    write_files(tmp_path, {"MODULE.bazel": "", "BUILD": 'filegroup(name = "x")'})
    workspace = Workspace.open(tmp_path, bazel_version="8.2.0", host="linux")
    asked = workspace.configure([f"--platforms={text}", "//:x"])
    kinds = {one.kind.value for one in asked.explain().envelope.refusals}
    assert "command-line" in kinds


_WRITES = """
    made = ctx.actions.declare_file("made")
    ctx.actions.write(made, "one")
    ctx.actions.write(made, "%s")
"""


@pytest.mark.parametrize(
    ("body", "more", "kind"),
    [
        (_WRITES % "two", "", "output-conflict"),
        (_WRITES % "one", "", ""),
        ("    ctx.fragments.cpp", "", "implementation-failed"),
        ("    ctx.fragments.cpp", ', fragments = ["cpp"]', ""),
        ("    ctx.super().append(ctx.fragments.cpp.copts)", ", parent = base", ""),
    ],
)
@pytest.mark.parametrize("version", ["8.2.0", "9.0.0"])
def test_implementations(body: str, more: str, kind: str, version: str, tmp_path: Path) -> None:
    rules = f"""
def _base(ctx):
    return []
base = rule(_base, fragments = ["cpp"], extendable = True)
def _i(ctx):
{body}
    return []
r = rule(_i{more})
"""
    build = 'load(":d.bzl", "r")\nr(name = "x")\n'
    write_files(tmp_path, {"MODULE.bazel": "", "BUILD": build, "d.bzl": rules})
    workspace = Workspace.open(tmp_path, bazel_version=version, host="linux")
    told = [one.kind.value for one in workspace.configure([]).refusals("//:x")]
    assert told == ([kind] if kind else [])
