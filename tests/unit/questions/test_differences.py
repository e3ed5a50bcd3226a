"""`diff`: what one command line changes, compared with another."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.cli import main
from bazelscope.loading.evaluation.build_files.package_evaluation import (
    BuildFile,
    Evaluation,
    PackageEvaluator,
)
from bazelscope.questions.diff.answer import DependencyDifference, DifferenceAnswer
from bazelscope.questions.shared.completeness import Completeness

_FILES = {
    "WORKSPACE": """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "gpu", urls = ["https://example.com/gpu.zip"], build_file = "//:gpu.BUILD")
http_archive(name = "blas", urls = ["https://example.com/blas.zip"], build_file = "//:gpu.BUILD")
""",
    ".bazelversion": "4.2.3\n",
    ".bazelrc": "build:gpu --define=gpu=yes\nbuild:gpu --copt=-DGPU\nbuild --copt=-Wall\n",
    "gpu.BUILD": 'cc_library(name = "lib", deps = [":inner"], visibility = ["//visibility:public"])'
    '\ncc_library(name = "inner")\n',
    "BUILD": """
config_setting(name = "has_gpu", define_values = {"gpu": "yes"})
config_setting(name = "debug", values = {"compilation_mode": "dbg"})
cc_library(name = "app", deps = [":mid", ":always"] + select({
    ":debug": [":checks"],
    "//conditions:default": [],
}))
cc_library(name = "mid", deps = select({
    ":has_gpu": ["@gpu//:lib"],
    "//conditions:default": ["@blas//:lib"],
}))
cc_library(name = "always")
cc_library(name = "checks")
""",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for path, text in _FILES.items():
        (tmp_path / path).write_text(text)
    return tmp_path


def _differences(root: Path, before: list[str], after: list[str]) -> DifferenceAnswer:
    workspace = Workspace.open(root, environment={}, cache_dir=None)
    first = workspace.configure([*before, "//:app"])
    return workspace.configure([*after, "//:app"]).differences(first)


def _parting(found: tuple[DependencyDifference, ...]) -> list[tuple[str, str, int]]:
    return [(str(one.edge.source), str(one.node.label), one.brings) for one in found]


def test_a_config(root: Path) -> None:
    answer = _differences(root, [], ["--config=gpu"])
    assert [
        (found.name, [s.text for s in found.before], [s.text for s in found.after])
        for found in answer.options
    ] == [("copt", [], ["--copt=-DGPU"]), ("define=gpu", [], ["--define=gpu=yes"])]
    assert [str(found.condition) for found in answer.conditions] == ["//:has_gpu"]
    assert answer.conditions[0].begins_to_hold
    assert _parting(answer.gained) == [("//:mid", "@gpu//:lib", 2)]
    assert _parting(answer.lost) == [("//:mid", "@blas//:lib", 2)]
    assert (answer.more, answer.fewer) == (2, 2)
    assert [need.name for need in answer.repositories_gained] == ["gpu"]
    assert [need.name for need in answer.repositories_lost] == ["blas"]
    assert answer.selects == ()  # The target's own select() takes the same branch.
    setting = answer.options[1].after[0]
    assert setting.location is not None
    assert setting.location.short == ".bazelrc:1"
    assert [cause.text for cause in setting.chain[:-1]] == ["--config=gpu"]


def test_the_other_way_round(root: Path) -> None:
    answer = _differences(root, ["--config=gpu"], [])
    assert not answer.conditions[0].begins_to_hold
    assert _parting(answer.lost) == [("//:mid", "@gpu//:lib", 2)]


def test_a_branch_of_the_target_itself(root: Path) -> None:
    answer = _differences(root, ["-c", "opt"], ["-c", "dbg"])
    (found,) = answer.selects
    chosen = [one.chosen for one in (found.before, found.after)]
    assert [str(one.condition.condition) for one in chosen if one] == [
        "//conditions:default",
        "//:debug",
    ]
    assert _parting(answer.gained) == [("//:app", "//:checks", 1)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["--config=gpu"], ["--copt=-DGPU", "--define=gpu=yes"]),
        (["-c", "dbg"], ["--compilation_mode=dbg"]),
        (["--define=gpu=no", "--define=gpu=yes"], ["--define=gpu=yes"]),
    ],
)
def test_lines_that_mean_the_same(root: Path, before: list[str], after: list[str]) -> None:
    answer = _differences(root, before, after)
    # The order of values that accumulate is a difference; nothing else is.
    assert [found.name for found in answer.options] in ([], ["copt"])
    assert not answer.conditions
    assert (answer.more, answer.fewer) == (0, 0)


LINES = [
    (
        ["//:app", "--after", "--config=gpu"],
        0,
        "2 options and 1 condition differ; 2 more and 2 fewer",
    ),
    (["//:app", "--before", "-c opt", "--after=-c opt"], 0, "Nothing differs"),
    (["app", "--after", "--config=gpu"], 0, "+ @gpu//:lib"),
    (["--after", "--config=gpu"], 0, "+ --define=gpu=yes"),
    (["//:app", "--after", "--config=gpo"], 2, "config `gpo` is not defined"),
    (["//:app", "--after", "--nosuch"], 2, "unrecognized option: `--nosuch`"),
    (["//:ap", "--after", "--config=gpu"], 1, "no such target '//:ap'"),
    (["//:app"], 2, "say what changes"),
    (["//:app", "--after", "'a"], 2, "--after: No closing quotation"),
]


@pytest.mark.parametrize(("words", "code", "told"), LINES)
def test_command(
    words: list[str],
    code: int,
    told: str,
    root: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(root)
    monkeypatch.setenv("HOME", str(root / "home"))
    assert main(["diff", *words, "--no-cache"]) == code
    assert told in "".join(capsys.readouterr())


def test_json(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)
    main(["diff", "//:app", "--after", "--config=gpu", "--format", "json", "--no-cache"])
    answer = json.loads(capsys.readouterr().out)
    assert (answer["answer"], answer["more"], answer["fewer"]) == ("diff", 2, 2)
    assert answer["gained"][0]["node"]["label"] == "@gpu//:lib"


@pytest.mark.parametrize(
    ("after", "evaluations"),
    [
        pytest.param(["--config=gpu"], 1, id="both-lines-load-alike"),
        pytest.param(["--repo_env=GPU=1"], 2, id="a-flag-that-repository-rules-see"),
    ],
)
def test_packages_are_evaluated_once_for_both_lines(
    root: Path, monkeypatch: pytest.MonkeyPatch, after: list[str], evaluations: int
) -> None:
    evaluated: list[str] = []
    evaluate = PackageEvaluator.evaluate

    def counted(evaluator: PackageEvaluator, file: BuildFile) -> Evaluation:
        evaluated.append(file.source.path)
        return evaluate(evaluator, file)

    monkeypatch.setattr(PackageEvaluator, "evaluate", counted)
    _differences(root, [], after)
    assert evaluated.count("BUILD") == evaluations


def test_what_the_other_line_needs_does_not_count_as_needed(root: Path) -> None:
    """The answer's last lines are about the second line: `@gpu` is a package of the first."""
    (root / "BUILD").write_text(
        'config_setting(name = "has_gpu", define_values = {"gpu": "yes"})\n'
        'filegroup(name = "gpus", srcs = ["@gpu//:lib"])\n'
        'alias(name = "mid", actual = select({\n'
        '    ":has_gpu": ":gpus", "//conditions:default": ":no"\n'
        "}))\n"
        'filegroup(name = "no")\n'
        'filegroup(name = "app", srcs = [":mid"])\n'
    )
    answer = _differences(root, ["--config=gpu"], [])
    alone = Workspace.open(root, environment={}, cache_dir=None).configure(["//:app"])
    assert [str(one.node.label) for one in answer.lost] == ["//:gpus"]
    assert _counted(answer.envelope.completeness, "packages") == 1
    assert _counted(alone.deps("//:app", configured=True).envelope.completeness, "packages") == 1


def _counted(found: Completeness, what: str) -> int:
    return next(count.total for count in found.counts if count.what == what)
