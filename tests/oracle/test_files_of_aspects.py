"""Files that aspects make, as rules that carry the aspects hand them on, beside what Bazel 4.2.3
prints: parameters, aspects that see aspects, native rules, aliases, generated files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.query.formats.written import ask_query
from tests.oracle.implementation_worlds import write_stubs
from tests.support.bazel import Bazel
from tests.support.files import write_files

pytestmark = pytest.mark.oracle

VERSION = "4.2.3"
_RULES = """
Found = provider()
Tagged = provider()
def _collect(target, ctx):
    deps = getattr(ctx.rule.attr, "deps", []) + getattr(ctx.rule.attr, "srcs", [])
    made = ctx.actions.declare_file(ctx.label.name + "." + ctx.attr.mode)
    ctx.actions.write(made, ctx.rule.kind)
    below = [d[Found].files for d in deps if Found in d]
    return [Found(files = depset([made], transitive = below))]
collect = aspect(
    _collect,
    attr_aspects = ["deps", "srcs"],
    attrs = {
        "mode": attr.string(values = ["x", "y"]),
        "_tool": attr.label(default = "//:tool.sh", allow_single_file = True),
    },
    provides = [Found],
)
def _second(target, ctx):
    made = ctx.actions.declare_file(ctx.label.name + ".second")
    ctx.actions.run_shell(outputs = [made], inputs = target[Found].files, command = "x")
    return [Tagged(files = depset([made], transitive = [target[Found].files]))]
second = aspect(_second, required_aspect_providers = [Found])
def _r(ctx):
    return [DefaultInfo(files = depset(transitive = [d[Found].files for d in ctx.attr.deps]))]
r = rule(_r, attrs = {
    "deps": attr.label_list(aspects = [collect]),
    "mode": attr.string(values = ["x", "y"]),
})
def _s(ctx):
    return [DefaultInfo(files = depset(transitive = [d[Tagged].files for d in ctx.attr.deps]))]
s = rule(_s, attrs = {
    "deps": attr.label_list(aspects = [collect, second]),
    "mode": attr.string(values = ["x", "y"], default = "y"),
})
def _u(ctx):
    return []
u = rule(_u, attrs = {
    "deps": attr.label_list(),
    "srcs": attr.label_list(allow_files = True),
})
"""
_BUILD = """
load(":rules.bzl", "r", "s", "u")
exports_files(["tool.sh", "a.cc"])
cc_library(name = "low", srcs = ["a.cc"])
cc_library(name = "left", deps = [":low"])
u(name = "mid", deps = [":left", ":al"], srcs = ["a.cc", ":gen"])
alias(name = "al", actual = ":low")
genrule(name = "gen", outs = ["gen.txt"], cmd = "touch $@")
filegroup(name = "fg", srcs = [":gen", "gen.txt", ":mid"])
r(name = "t1", deps = [":mid", ":fg"], mode = "x")
r(name = "t2", deps = [":al"], mode = "y")
s(name = "t3", deps = [":mid", ":left"])
s(name = "t4", deps = [":fg"], mode = "x")
"""
_WORDS = (
    "--output=starlark",
    "--starlark:expr=[str(target.label)] + [f.path for f in target.files.to_list()]",
)


def test_files_of_aspects(warm_path: Path, bazel: Callable[[str], Bazel]) -> None:
    root = warm_path / "w"
    empty = dict.fromkeys(("WORKSPACE", "a.cc", "tool.sh"), "")
    write_files(root, {**empty, "rules.bzl": _RULES, "BUILD": _BUILD})
    flags = write_stubs(warm_path / "stubs")
    asked = "set(//:t1 //:t2 //:t3 //:t4)"
    theirs = bazel(VERSION).cquery(root, asked, *_WORDS, *flags)
    workspace = Workspace.open(root, bazel_version=VERSION)
    ours = workspace.configure([*_WORDS, *flags], command="cquery")
    query = ask_query(ours.world, ours.envelope_of_flags, asked, str(root), ours.directory_package)
    assert theirs.stdout.count(".x") > 5, theirs.stderr[-2000:]
    text = query.text()
    assert isinstance(text, str)
    assert sorted(text.splitlines()) == sorted(theirs.stdout.splitlines())
