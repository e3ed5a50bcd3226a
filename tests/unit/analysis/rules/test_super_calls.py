"""`ctx.super()` of rules that extend others, as Bazel's `StarlarkRuleContext.callParent` has it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from tests.support.files import write_files

_RULES = """
P = provider()

def _parent(ctx):
    made = ctx.actions.declare_file(ctx.label.name + ".p")
    ctx.actions.write(made, ctx.attr.x)
    return [DefaultInfo(files = depset([made])), P(value = ctx.attr.x)]

parent = rule(_parent, attrs = {"x": attr.string()})

def _child(ctx):
    infos = ctx.super()
    if len(infos) != 2 or infos[1].value != "hello":
        fail("super gave", infos)
    return infos

child = rule(_child, parent = parent)

def _grand(ctx):
    return ctx.super()

grand = rule(_grand, parent = child)

def _twice(ctx):
    ctx.super()
    return ctx.super()

twice = rule(_twice, parent = parent)

def _never(ctx):
    return []

never = rule(_never, parent = parent)
below_never = rule(_grand, parent = never)
orphan = rule(_grand)

def _user(ctx):
    for dep in ctx.attr.deps:
        if dep[P].value != "hello":
            fail("no hello")

user = rule(_user, attrs = {"deps": attr.label_list()})
"""


@pytest.mark.parametrize(
    ("build", "problem"),
    [
        ('child(name = "low", x = "hello")\nuser(name = "t", deps = [":low"])', ""),
        ('grand(name = "low", x = "hello")\nuser(name = "t", deps = [":low"])', ""),
        ('child(name = "t", x = "bye")', "super gave"),
        ('grand(name = "t", x = "bye")', "super gave"),
        ('twice(name = "t")', "'super' called the second time."),
        ('never(name = "t")', "'super' was not called."),
        ('below_never(name = "t")', "in never rule: 'super' was not called."),
        ('orphan(name = "t")', "Can't use 'super' call, the rule has no parent."),
    ],
)
def test_what_super_gives_and_refuses(tmp_path: Path, build: str, problem: str) -> None:
    names = ("child", "grand", "twice", "never", "below_never", "orphan", "user")
    loads = ", ".join(f'"{name}"' for name in names)
    files = {"MODULE.bazel": "", "d.bzl": _RULES, "BUILD": f'load(":d.bzl", {loads})\n{build}\n'}
    write_files(tmp_path, files)
    refused = Workspace.open(tmp_path, bazel_version="9.0.0").configure([]).refusals("//:t")
    assert len(refused) == bool(problem)
    assert all(problem in one.message for one in refused)
