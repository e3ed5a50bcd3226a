"""`when TARGET --repositories`: under which flags each external repository is needed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.cli import main
from bazelscope.questions.shared.conditions.flag_conditions import Now, Verdict
from bazelscope.questions.when.text_repositories import repositories_document
from bazelscope.render.console import to_text
from tests.support.files import write_files
from tests.unit.questions.when_world import said

_BUILD = """
config_setting(name = "a", define_values = {"a": "1"})
config_setting(name = "b", define_values = {"b": "1"})
filegroup(name = "top", srcs = ["@plain//:x", ":mid"] + select({
    ":a": ["@ra//:x"],
    "//conditions:default": [],
}))
filegroup(name = "mid", srcs = select({
    ":b": ["@rb//:x"],
    "//conditions:default": ["@rc//:x"],
}) + select({":a": ["@rb//:y"], "//conditions:default": []}) + ["@rc//:y"])
filegroup(name = "alone")
filegroup(name = "refusing", srcs = select({":a": ["@ra//:x"], ":b": ["@rb//:x"]}))
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    names = ("plain", "ra", "rb", "rc", "unused")
    repositories = [f'local_repository(name = "{name}", path = "r/{name}")' for name in names]
    files = {
        "WORKSPACE": "\n".join(repositories),
        ".bazelversion": "4.2.3\n",
        ".bazelrc": "build:with_a --define=a=1\n",
        "BUILD": _BUILD,
    }
    for name in names:
        files[f"r/{name}/WORKSPACE"] = ""
        files[f"r/{name}/BUILD"] = 'filegroup(name = "x")\nfilegroup(name = "y")\n'
    write_files(tmp_path / "w", files)
    return tmp_path / "w"


def opened(root: Path) -> Workspace:
    return Workspace.open(root, environment={}, cache_dir=None)


def test_repositories_of_one_condition_are_told_together(root: Path) -> None:
    answer = opened(root).when_repositories("//:top")
    always, only_a, a_or_b = answer.groups
    assert always.repositories == ("plain", "rc")
    assert always.condition.verdict is Verdict.ALWAYS
    assert only_a.repositories == ("ra",)
    assert said(only_a.condition.alternatives) == ["--define=a=1"]
    assert only_a.condition.now is Now.NO
    assert a_or_b.repositories == ("rb",)
    assert said(a_or_b.condition.alternatives) == ["--define=a=1", "--define=b=1"]
    text = to_text(repositories_document(answer), None, False)
    assert text.splitlines()[:7] == [
        "//:top needs 4 external repositories, 2 of them under some flags only.",
        "",
        "Needed whatever the flags: @plain, @rc",
        "",
        "Not needed now: @ra; only with:",
        "  --define=a=1              BUILD:2",
        "    set by --config=with_a  .bazelrc:1",
    ]


def test_each_says_what_when_says_of_it_alone(root: Path) -> None:
    line = opened(root).configure(["--define=b=1"])
    for group in line.when_repositories("//:top").groups:
        for name in group.repositories:
            alone = line.when("//:top", f"@{name}").condition
            assert alone is not None
            assert said(alone.alternatives) == said(group.condition.alternatives)
            assert (alone.verdict, alone.now) == (group.condition.verdict, group.condition.now)


def test_on_the_command_line(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def run(*words: str) -> int:
        return main(["when", *words, "--repositories", "-w", str(root), "--no-cache"])

    assert run("//:refusing") == 0
    out = capsys.readouterr().out
    assert "Bazel refuses --define=a=1 together with --define=b=1" in out
    assert run("//:alone") == 1
    assert (
        "needs no external repository by dependencies that are written, whatever the flags"
        in capsys.readouterr().out
    )
    assert run("//:tip") == 1
    assert "did you mean" in capsys.readouterr().out
    assert run("//:top", "//:mid") == 2
    assert run("//:top", "--format", "json") == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["answer"] == "when-repositories"
    assert answer["groups"][0]["repositories"] == ["plain", "rc"]
