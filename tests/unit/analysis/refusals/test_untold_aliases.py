"""Aliases of which it cannot be told what they stand for: neither is what they provide refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from tests.support.files import write_files
from tests.unit.analysis.refusals.closure_world import FAR

_DEFS = """
Info = provider()
def _made(ctx):
    return [Info()]
made = rule(implementation = _made)
def _plain(ctx):
    return []
plain = rule(implementation = _plain)
def _taker(ctx):
    return [DefaultInfo(files = depset(ctx.files.file))]
taker = rule(implementation = _taker, attrs = {
    "dep": attr.label(providers = [Info]),
    "file": attr.label(allow_single_file = [".c"]),
    "tool": attr.label(executable = True, cfg = "exec"),
})
"""
_BUILD = """
load(":defs.bzl", "made", "plain", "taker")
made(name = "a")
made(name = "b")
plain(name = "p")
taker(name = "dep", dep = ":{a}")
taker(name = "file", file = ":{c}")
taker(name = "tool", tool = ":{sh}")
cc_library(name = "lib", srcs = [":{c}"], deps = [":{lib}"])
genrule(name = "g", srcs = [":{c}"], tools = [":{sh}"], outs = ["o"], cmd = "$(location :{sh}) $<")
sh_binary(name = "program", srcs = [":{c}"])
java_proto_library(name = "protos", deps = [":{proto}"])
"""
_FAR_KEYS = """
alias(name = "_a", actual = select({"@far//:x": ":a", "//conditions:default": ":b"}))
alias(name = "_c", actual = select({"@far//:x": "a.c", "//conditions:default": "b.c"}))
alias(name = "_sh", actual = select({"@far//:x": ":s1", "//conditions:default": ":s2"}))
alias(name = "_lib", actual = select({"@far//:x": ":l1", "//conditions:default": ":l2"}))
alias(name = "_proto", actual = select({"@far//:x": ":p1", "//conditions:default": ":p2"}))
cc_library(name = "l1")
cc_library(name = "l2")
proto_library(name = "p1")
proto_library(name = "p2")
sh_binary(name = "s1", srcs = ["s.sh"])
sh_binary(name = "s2", srcs = ["s.sh"])
"""
_TARGETS = ("dep", "file", "tool", "lib", "g", "program", "protos")
_NEAR = {"a": "p", "c": "s.sh", "sh": "p", "lib": "s1", "proto": "l1"}
"""Targets that none of the attributes takes but where files are concerned."""


def _world(root: Path, names: dict[str, str]) -> Workspace:
    build = _BUILD.format(**names) + _FAR_KEYS
    files = dict.fromkeys(("a.c", "b.c", "s.sh"), "")
    write_files(root, {"WORKSPACE": FAR, "BUILD": build, "defs.bzl": _DEFS, **files})
    return Workspace.open(root, bazel_version="7.7.1", host="linux")


def test_what_an_untold_alias_provides_is_not_refused(tmp_path: Path) -> None:
    build = _world(tmp_path, {name: f"_{name}" for name in _NEAR}).configure([])
    for target in _TARGETS:
        assert build.refusals(f"//:{target}") == (), target


@pytest.mark.parametrize("target", ["dep", "file", "tool", "lib", "protos"])
def test_what_is_told_to_lack_it_is_refused(tmp_path: Path, target: str) -> None:
    assert _world(tmp_path, _NEAR).configure([]).refusals(f"//:{target}")


def test_an_untold_alias_may_be_run(tmp_path: Path) -> None:
    workspace = _world(tmp_path, {name: f"_{name}" for name in _NEAR})
    asked = workspace.configure(["//:_sh"], command="run").explain()
    assert not asked.envelope.refusals
    asked = workspace.configure(["//:l1"], command="run").explain()
    assert asked.envelope.refusals
