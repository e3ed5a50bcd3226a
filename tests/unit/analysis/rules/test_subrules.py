"""What subrules come to that implementations call, and which calls Bazel refuses.

As Bazel's `StarlarkSubrule` and the tests of it have it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.analysis.rules.provided import Implemented
from tests.unit.analysis.rules.rules_world import paths, ran

_TOOL = """
def _tool(ctx):
    made = ctx.actions.declare_file(ctx.label.name + ".exe")
    ctx.actions.write(made, "", is_executable = True)
    return [DefaultInfo(executable = made)]

tool = rule(_tool, executable = True)
"""
_MADE = """
def _below(ctx, text):
    made = ctx.actions.declare_file(ctx.label.name + text)
    ctx.actions.write(made, text)
    return made

below = subrule(implementation = _below)

def _above(ctx, text, _tool, _srcs, _one):
    if _tool.executable.basename != "t.exe":
        fail("not the program: %s" % _tool)
    if [one.label.name for one in _srcs] != ["x", "y"] or _one.basename != "x":
        fail("other files: %s %s" % (_srcs, _one))
    if sorted(dir(ctx)) != ["actions", "fragments", "label", "toolchains"]:
        fail(str(dir(ctx)))
    return below(text)

above = subrule(
    implementation = _above,
    attrs = {
        "_tool": attr.label(default = "//:t", cfg = "exec", executable = True),
        "_srcs": attr.label_list(default = ["//:x", "//:y"], allow_files = True),
        "_one": attr.label(default = "//:x", allow_single_file = True),
    },
    subrules = [below],
)

def _r(ctx):
    if [name for name in dir(ctx.attr) if "%" in name]:
        fail("a rule sees nothing of its subrules' attributes")
    return [DefaultInfo(files = depset([above(".a"), above(text = ".b")]))]

r = rule(_r, subrules = [above])
"""


def test_a_subrule_makes_what_its_rule_is_built_of(tmp_path: Path) -> None:
    build = 'load("//:rules.bzl", "tool")\ntool(name = "t")\nr(name = "top")\n'
    for name in ("x", "y"):
        (tmp_path / name).write_text("")
    result = ran(tmp_path, _TOOL + _MADE, build, version="9.0.0")
    assert [one.rpartition("/")[2] for one in paths(result)] == ["top.a", "top.b"]


_SUBRULE = """
def _s(ctx, *words):
    return ctx

s = subrule(implementation = _s)
"""
_REFUSED = {
    "rule 'r' must declare 's' in 'subrules'": """
def _r(ctx):
    s()

r = rule(_r)
""",
    "subrule t must declare s in 'subrules'": """
def _t(ctx):
    s()

t = subrule(implementation = _t)

def _r(ctx):
    t()

r = rule(_r, subrules = [s, t])
""",
    "rule 'r' must declare 't' in 'subrules'": """
t = subrule(implementation = lambda ctx: None)
p = rule(lambda ctx: [], subrules = [t], extendable = True)

def _r(ctx):
    t()

r = rule(_r, parent = p)
""",
    "cannot access field or method 'label' of subrule context outside of its own": """
def _r(ctx):
    s().label

r = rule(_r, subrules = [s])
""",
    "lambda() does not accept positional arguments, but got 1": """
t = subrule(implementation = lambda: 1)

def _r(ctx):
    t()

r = rule(_r, subrules = [t])
""",
    "t has to declare 'cpp' as a required fragment": """
t = subrule(implementation = lambda ctx: ctx.fragments.cpp)

def _r(ctx):
    t()

r = rule(_r, subrules = [t], fragments = ["cpp"])
""",
}


@pytest.mark.parametrize(("words", "rules"), _REFUSED.items())
def test_calls_that_are_refused(tmp_path: Path, words: str, rules: str) -> None:
    result = ran(tmp_path, _SUBRULE + rules, 'r(name = "top")\n', version="9.0.0")
    assert isinstance(result, Implemented)
    assert result.failure is not None
    assert result.failure.message.startswith(words)


def test_an_aspect_calls_the_subrules_that_it_names(tmp_path: Path) -> None:
    rules = """
Found = provider()
s = subrule(implementation = lambda ctx: ctx.actions.declare_file(ctx.label.name + ".s"))

def _a(target, ctx):
    made = s()
    ctx.actions.write(made, "")
    return [Found(made = made)]

a = aspect(_a, subrules = [s])
b = aspect(_a)

def _r(ctx):
    return [DefaultInfo(files = depset([ctx.attr.dep[Found].made]))]

r = rule(_r, attrs = {"dep": attr.label(aspects = [a])})
q = rule(_r, attrs = {"dep": attr.label(aspects = [b])})
"""
    build = """
load("//:rules.bzl", "q")
filegroup(name = "low")
r(name = "top", dep = ":low")
q(name = "other", dep = ":low")
"""
    (path,) = paths(ran(tmp_path, rules, build, version="9.0.0"))
    assert path.endswith("/low.s")
    result = ran(tmp_path, rules, build, target="//:other", version="9.0.0")
    assert "aspect '//:rules.bzl%b' must declare 's' in 'subrules'" in str(result)
