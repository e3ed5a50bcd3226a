"""`graph` and `rdeps` without flags: what no flags take together is told, and not shown as if it
could be; what flags name is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.analysis.conditions.diagrams import TooLargeError
from bazelscope.api import ConfiguredWorkspace, Workspace
from bazelscope.base.label import Label
from bazelscope.cli.entry import main
from bazelscope.questions.deps import possible_arrivals
from bazelscope.questions.shared.envelope import ExitCode
from tests.support.files import write_files

FILES = {
    "WORKSPACE": "",
    ".bazelrc": "build:other --//:backend=//:given\n",
    "BUILD": """
_OTHER = "//conditions:default"
config_setting(name = "arm", values = {"cpu": "arm"})
config_setting(name = "k8", values = {"cpu": "k8"})
filegroup(name = "top", srcs = [":always"] + select({":arm": [":on_arm"], _OTHER: []}))
filegroup(name = "on_arm", srcs = [":both"] + select({":k8": [":nowhere"], _OTHER: []}))
filegroup(name = "both")
filegroup(name = "nowhere", srcs = [":below"])
filegroup(name = "below")
filegroup(name = "always", srcs = [":backend"])
label_flag(name = "backend", build_setting_default = ":usual")
filegroup(name = "usual")
filegroup(name = "given")
""",
}


@pytest.fixture
def workspace(tmp_path: Path) -> ConfiguredWorkspace:
    write_files(tmp_path, FILES)
    opened = Workspace.open(tmp_path, environment={}, cache_dir=None, bazel_version="4.2.3")
    return opened.configure([])


def names(labels: tuple[Label, ...] | None) -> list[str]:
    assert labels is not None
    return [label.name for label in labels]


def test_a_graph_leaves_out_what_no_flags_take(workspace: ConfiguredWorkspace) -> None:
    answer = workspace.graph_between("//:top")
    drawn = [node.label.name for node in answer.nodes]
    assert drawn == ["always", "backend", "both", "given", "on_arm", "top", "usual"]
    assert names(answer.never) == ["nowhere"]
    needs = {
        edge.target.name: [need.text for need in edge.needs]
        for edge in answer.edges
        if edge.source.name == "backend"
    }
    assert needs == {"given": ["--//:backend=//:given"], "usual": ["--//:backend=//:usual"]}


def test_a_graph_to_what_no_flags_reach_is_a_no(
    workspace: ConfiguredWorkspace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = workspace.graph_between("//:top", "//:below")
    assert answer.is_empty and names(answer.never) == ["below"]
    assert answer.exit_code is workspace.when("//:top", "//:below").exit_code is ExitCode.NEGATIVE
    words = ["graph", "//:top", "//:below", "-w", str(tmp_path), "--no-cache"]
    assert main([*words, "-o", str(tmp_path / "x.dot")]) == 1
    text = capsys.readouterr().out
    assert text.startswith("No flags take a path from //:top to //:below.\n`path` shows")
    assert not (tmp_path / "x.dot").exists()


def test_a_drawing_says_how_flags_name_a_target(
    tmp_path: Path, workspace: ConfiguredWorkspace, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "x.dot"
    assert main(["graph", "//:top", "-w", str(tmp_path), "--no-cache", "-o", str(out)]) == 0
    assert "not drawn, since no flags take the branches that lead there: //:nowhere" in (
        capsys.readouterr().out
    )
    (edge,) = [line for line in out.read_text().splitlines() if '-> "//:given"' in line]
    assert "dashed" in edge and "if --//:backend=//:given" in edge


@pytest.mark.parametrize("within", [None, "//:top"])
def test_dependents_are_those_of_some_flags(
    workspace: ConfiguredWorkspace, within: str | None
) -> None:
    def users(target: str) -> list[str]:
        answer = workspace.rdeps(target, within)
        return [one.node.label.name for one in answer.dependencies]

    assert users("//:given") == ["backend", "always", "top"]
    assert users("//:both") == ["on_arm", "top"]
    answer = workspace.rdeps("//:below", within)
    if within is None:  # Each target of the workspace may be what one asks to build.
        assert users("//:below") == ["nowhere", "on_arm"]
        assert names(answer.never) == ["top"]
    else:
        assert users("//:below") == []
        assert names(answer.never) == ["nowhere", "on_arm", "top"]


def test_a_tree_of_dependents_has_the_same(
    workspace: ConfiguredWorkspace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["-w", str(tmp_path), "--no-cache", "--bazel-version=4.2.3"]
    assert main(["rdeps", "//:below", "--tree", *words]) == 0
    text = capsys.readouterr().out
    assert text.startswith("2 targets of this workspace depend on //:below under some flags")
    assert "└── //:on_arm  srcs if //:k8 (--cpu=k8)" in text
    assert (
        "1 target is left out, since no flags take the branches that lead from there: //:top"
        in (text)
    )
    assert main(["rdeps", "//:given", "--tree", *words]) == 0
    assert "//:backend  build_setting_default if --//:backend=//:given" in capsys.readouterr().out


def test_too_many_cases_are_said(
    workspace: ConfiguredWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_large(*_: object) -> None:
        raise TooLargeError

    monkeypatch.setattr(possible_arrivals, "passable", too_large)
    answer = workspace.rdeps("//:below")
    assert answer.never is None and answer.is_partial
    assert [one.node.label.name for one in answer.dependencies] == ["nowhere", "on_arm", "top"]
