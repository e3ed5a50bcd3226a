"""Lines of a matrix share what is the same, and nothing else: packages and closures."""

from __future__ import annotations

import itertools
import random
import time
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.loading.evaluation.build_files.package_evaluation import PackageEvaluator
from bazelscope.questions.matrix import closures
from tests.support.files import write_files

_READS_ENVIRONMENT = {
    "WORKSPACE": 'load("//:rules.bzl", "first")\nfirst(name = "first")\n',
    ".bazelrc": "\n".join(
        ["build:one --repo_env=A=one", "build:other --repo_env=B=any", "build:copt --copt=-O3"]
    ),
    "rules.bzl": """
def _first(ctx):
    ctx.file("defs.bzl", 'A = "%s"' % ctx.os.environ.get("A", "none"))
    ctx.file("BUILD", "")

first = repository_rule(_first, environ = ["A"])
""",
    "BUILD": """
load("@first//:defs.bzl", "A")
filegroup(name = "top", srcs = ["//mid:" + x for x in ["same"] + ([A] if A == "one" else [])])
""",
    "mid/BUILD": """
package(default_visibility = ["//visibility:public"])
[filegroup(name = n) for n in ("same", "one")]
""",
}
_SETTLING = 0.06
"""Nothing is kept of files that changed only just now."""


def _opened(root: Path, files: dict[str, str]) -> Workspace:
    write_files(root / "w", files)
    time.sleep(_SETTLING)
    return Workspace.open(root / "w", bazel_version="4.2.3", cache_dir=root / "cache")


def test_lines_whose_rules_of_repositories_see_other_variables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = _opened(tmp_path, _READS_ENVIRONMENT)
    evaluated: list[str] = []
    evaluate = PackageEvaluator.evaluate
    monkeypatch.setattr(
        PackageEvaluator,
        "evaluate",
        lambda self, file: evaluated.append(file.source.path) or evaluate(self, file),
    )
    over = ["configs=,one,other,copt,one+copt"]
    sizes = [cell.outcome for cell in opened.matrix("size", "//:top", over=over).cells]
    assert sizes == ["2 targets", "3 targets", "2 targets", "2 targets", "3 targets"]
    own = [path for path in evaluated if not path.startswith("<builtin>")]
    assert sorted(own) == ["BUILD", "BUILD", "mid/BUILD"]
    reached = opened.matrix("needs", "//:top", "//mid:one", over=over).cells
    assert [cell.outcome for cell in reached] == ["no", "yes", "no", "no", "yes"]


def _with_transition(option: str, value: str) -> dict[str, str]:
    return {
        "WORKSPACE": "",
        ".bazelrc": "build:fast --copt=-O3\nbuild:dbg -c dbg\n",
        "rules.bzl": f"""
def _changed(settings, attr):
    return {{"//command_line_option:{option}": {value}}}

def _impl(ctx):
    return []

_to = transition(
    implementation = _changed,
    inputs = [],
    outputs = ["//command_line_option:{option}"],
)
r = rule(
    _impl,
    attrs = {{
        "dep": attr.label(cfg = _to),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    }},
)
""",
        "BUILD": """
load("//:rules.bzl", "r")
config_setting(name = "is_dbg", values = {"compilation_mode": "dbg"})
r(name = "top", dep = ":mid")
filegroup(name = "mid", srcs = select({":is_dbg": [":x"], "//conditions:default": []}))
filegroup(name = "x")
""",
    }


@pytest.mark.parametrize(
    ("option", "value", "walks", "sizes"),
    [
        ("modify_execution_info", '"x=+y"', 1, ["3", "3", "4"]),
        ("compilation_mode", '"dbg"', 3, ["4", "4", "4"]),
        ("compilation_mode", '"opt"', 3, ["3", "3", "3"]),
    ],
)
def test_a_closure_serves_where_transitions_decide_nothing_of_it(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    option: str,
    value: str,
    walks: int,
    sizes: list[str],
) -> None:
    opened = _opened(tmp_path, _with_transition(option, value))
    walked = []
    walk = closures._walked
    monkeypatch.setattr(closures, "_walked", lambda *asked: walked.append(asked) or walk(*asked))
    answer = opened.matrix("size", "//:top", over=["configs=,fast,dbg"])
    assert [cell.outcome.split()[0] for cell in answer.cells] == sizes
    assert len(walked) == walks


_SETTINGS = "abcd"


def _world_of_selects(seed: int) -> dict[str, str]:
    """Targets that turn on settings in every way: files, tools, aliases, generated files, and
    packages that a rule of a repository makes by its environment."""
    chance = random.Random(seed)
    lines = ['load("@first//:defs.bzl", "A")']
    for name in _SETTINGS:
        lines.append(f'config_setting(name = "{name}", define_values = {{"{name}": "1"}})')
    lines.append('alias(name = "any", actual = select({":a": ":b", "//conditions:default": ":c"}))')

    def near(number: int) -> str:
        return f":t{chance.randrange(number + 1, min(number + 6, 30))}"

    for number in range(28):
        key = chance.choice([*(f":{name}" for name in _SETTINGS), ":any", "//mid:is_d"])
        ends = f'"{key}": "{near(number)}", "//conditions:default": "{near(number)}"'
        branches = f"select({{{ends}}})"
        listed = branches.replace(': "', ': ["').replace('", ', '"], ').replace('"}', '"]}')
        choice = f'["{near(number)}"] * {chance.randrange(2)} + {listed}'
        kind = chance.choice(["filegroup", "filegroup", "tool", "alias"])
        if kind == "tool":
            lines.append(
                f'genrule(name = "t{number}", outs = ["t{number}.h"], cmd = "", tools = {choice})'
            )
        elif kind == "alias":
            lines.append(f'alias(name = "t{number}", actual = {branches})')
        else:
            lines.append(f'filegroup(name = "t{number}", srcs = {choice})')
    lines.append(
        'filegroup(name = "t28", srcs = ["//mid:" + x for x in ["same"] + [A][:A=="one"]])'
    )
    lines.append('filegroup(name = "t29")')
    mid = '[filegroup(name = n) for n in ("same", "one")]\n'
    mid += 'config_setting(name = "is_d", define_values = {"d": "1"})\n'
    configs = [f"build:{name} --define={name}=1" for name in _SETTINGS]
    return {
        **_READS_ENVIRONMENT,
        "BUILD": "\n".join(lines),
        "mid/BUILD": mid,
        ".bazelrc": "\n".join([*configs, "build:one --repo_env=A=one"]),
    }


@pytest.mark.parametrize("seed", range(4))
def test_what_is_taken_over_from_another_line_is_what_a_walk_finds(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = _opened(tmp_path, _world_of_selects(seed))
    lines = [
        "+".join(chosen)
        for count in range(6)
        for chosen in itertools.combinations((*_SETTINGS, "one"), count)
    ]
    over = [f"configs={','.join(lines)}", "hosts=linux,windows"]
    taken_over = opened.matrix("size", "//:t0", over=over)
    paths = opened.matrix("needs", "//:t0", "//mid:same", over=over)
    monkeypatch.setattr(closures, "_walked_near", lambda *asked: None)
    assert opened.matrix("size", "//:t0", over=over) == taken_over
    assert opened.matrix("needs", "//:t0", "//mid:same", over=over) == paths
    assert len(taken_over.groups) > 2
