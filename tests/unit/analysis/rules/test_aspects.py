"""What rules see of their dependencies through aspects."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bazelscope.analysis.rules.aspects import AspectNode
from bazelscope.analysis.rules.aspects_on_targets import AspectsOnTargets, Node
from bazelscope.analysis.rules.implementations import Implementations
from bazelscope.api import Workspace
from bazelscope.base.label import PackageId, parse_label
from bazelscope.base.unknown import Unknown
from tests.support.files import write_files
from tests.unit.analysis.rules.rules_world import known, paths, ran

_COLLECT = """
Found = provider()

def _collect(target, ctx):
    deps = getattr(ctx.rule.attr, "deps", [])
    made = ctx.actions.declare_file(ctx.label.name + ".x")
    ctx.actions.write(made, "")
    return [Found(files = depset([made], transitive = [d[Found].files for d in deps]))]

collect = aspect(_collect, attr_aspects = ["deps"])

def _r(ctx):
    return [DefaultInfo(files = depset(transitive = [d[Found].files for d in ctx.attr.deps]))]

r = rule(_r, attrs = {"deps": attr.label_list(aspects = [collect])})
"""
_DIAMOND = """
cc_library(name = "low")
cc_library(name = "left", deps = [":low"])
cc_library(name = "right", deps = [":low"])
r(name = "top", deps = [":left", ":right"])
"""


def test_files_that_aspects_make_are_those_of_the_rule(tmp_path: Path) -> None:
    result = ran(tmp_path, _COLLECT, _DIAMOND)
    names = [path.rpartition("/")[2] for path in paths(result)]
    assert sorted(names) == ["left.x", "low.x", "right.x"]


def test_what_an_aspect_collects_of_runfiles_is_unknown_not_nothing(tmp_path: Path) -> None:
    rules = """
Found = provider()

def _a(target, ctx):
    return [Found(runfiles = ctx.runfiles(collect_default = True))]

a = aspect(_a, attr_aspects = ["deps"])

def _r(ctx):
    return [DefaultInfo(files = ctx.attr.deps[0][Found].runfiles.files)]

r = rule(_r, attrs = {"deps": attr.label_list(aspects = [a])})
"""
    build = 'cc_library(name = "low", data = ["x.txt"])\nr(name = "top", deps = [":low"])\n'
    files = known(ran(tmp_path, rules, build)).files()
    assert isinstance(files, Unknown)
    assert "ctx.runfiles" in str(files)


def test_an_aspect_runs_once_for_each_target(tmp_path: Path) -> None:
    build = f'load("//:rules.bzl", "r")\n{_DIAMOND}r(name = "other", deps = [":left"])\n'
    write_files(tmp_path, {"WORKSPACE": "", "rules.bzl": _COLLECT, "BUILD": build})
    graph = Workspace.open(tmp_path, bazel_version="4.2.3").configure([]).world.configured
    implementations = Implementations(graph)
    for name in ("top", "other"):
        known(implementations.run(graph.top(parse_label(f"//:{name}", PackageId("", "")))))
    run = [key.node.label.name for key in implementations.results if isinstance(key, AspectNode)]
    assert sorted(run) == ["left", "low", "right"]


def test_the_error_of_an_aspect_has_its_place_and_its_calls(tmp_path: Path) -> None:
    rules = """
def _helper(name):
    fail("not " + name)

def _a(target, ctx):
    _helper(ctx.label.name)

a = aspect(_a)

def _r(ctx):
    pass

r = rule(_r, attrs = {"dep": attr.label(aspects = [a])})
"""
    result = ran(tmp_path, rules, 'cc_library(name = "l")\nr(name = "top", dep = ":l")\n')
    assert not isinstance(result, Unknown)
    assert result.failure is not None
    assert result.failure.message.endswith("not l")
    places = [frame.location.line for frame in result.failure.call_stack]
    assert places == [6, 3]


def test_an_aspect_that_cannot_be_followed_stops_only_who_asks(tmp_path: Path) -> None:
    rules = """
P = provider()

def _a(target, ctx):
    return [P(a = 1)] if target[CcInfo].linking_context else []

a = aspect(_a)

def _asks(ctx):
    return [DefaultInfo(files = depset([ctx.attr.dep[P].a]))]

def _does_not(ctx):
    return []

r = rule(_asks, attrs = {"dep": attr.label(aspects = [a])})
s = rule(_does_not, attrs = {"dep": attr.label(aspects = [a])})
"""
    build = 'load("//:rules.bzl", "s")\ncc_library(name = "l")\n'
    rest = 's(name = "silent", dep = ":l")\nr(name = "top", dep = ":l")\n'
    files = known(ran(tmp_path, rules, build + rest)).files()
    assert isinstance(files, Unknown)
    assert "CcInfo" in str(files)
    known(ran(tmp_path, rules, build + rest, target="//:silent"))


_REQUIRES = """
Low = provider()
Wanted = provider()

def _low(target, ctx):
    below = [d[Low].names for d in getattr(ctx.rule.attr, "deps", [])]
    return [Low(names = depset([ctx.label.name], transitive = below))]

low = aspect(_low)

def _high(target, ctx):
    made = ctx.actions.declare_file("_".join(sorted(target[Low].names.to_list())))
    ctx.actions.write(made, "")
    return [Files(files = depset([made]))]

Files = provider()
high = aspect(_high, attr_aspects = ["deps"], requires = [low])

def _r(ctx):
    return [DefaultInfo(files = depset(transitive = [d[Files].files for d in ctx.attr.deps]))]

r = rule(_r, attrs = {"deps": attr.label_list(aspects = [high])})
"""


def test_a_required_aspect_goes_where_the_other_goes_and_is_seen_by_it(tmp_path: Path) -> None:
    """Bazel: `StarlarkDefinedAspect.attachToAspectsList`, since 5."""
    result = ran(tmp_path, _REQUIRES, _DIAMOND, version="6.5.0")
    names = [path.rpartition("/")[2] for path in paths(result)]
    assert sorted(names) == ["left_low", "low_right"]


def test_a_required_aspect_is_for_what_the_other_is_for(tmp_path: Path) -> None:
    rules = _REQUIRES.replace(
        "low = aspect(_low)", "low = aspect(_low, required_providers = [Wanted])"
    )
    result = ran(tmp_path, rules, _DIAMOND, version="6.5.0")
    names = [path.rpartition("/")[2] for path in paths(result)]
    assert sorted(names) == ["left_low", "low_right"]


def test_what_is_refused_of_aspects_is_looked_for_once_whoever_carries_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[AspectNode] = []
    needs = AspectsOnTargets.needs

    def counted(self: AspectsOnTargets, key: AspectNode) -> Iterator[Node]:
        asked.append(key)
        return needs(self, key)

    monkeypatch.setattr(AspectsOnTargets, "needs", counted)
    chain = "".join(f'r(name = "t{n + 1}", deps = [":t{n}"])\n' for n in range(40))
    build = f'load("//:rules.bzl", "r")\ncc_library(name = "t0")\n{chain}'
    write_files(tmp_path, {"WORKSPACE": "", "rules.bzl": _COLLECT, "BUILD": build})
    line = Workspace.open(tmp_path, bazel_version="4.2.3").configure([])
    assert line.refusals("//:t40") == ()
    assert len(set(asked)) == 40
    assert len(asked) <= 4 * 40
