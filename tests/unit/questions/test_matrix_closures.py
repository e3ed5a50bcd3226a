"""Lines of a matrix share what is the same, and nothing else: packages and closures."""

from __future__ import annotations

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
    "mid/BUILD": '[filegroup(name = n) for n in ("same", "one")]',
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
    assert sorted(evaluated) == ["BUILD", "BUILD", "mid/BUILD"]
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
        ("modify_execution_info", '"x=+y"', 2, ["3", "3", "4"]),
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
