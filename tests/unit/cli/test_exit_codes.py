"""Exit code 3 is for what Bazel would refuse, and somebody is told what that is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bazelscope.cli import main, session
from bazelscope.questions.shared.envelope import ExitCode
from tests.support.files import write_files

_FILES = {
    "WORKSPACE": "",
    ".bazelversion": "6.5.0\n",
    "well/BUILD": 'filegroup(name = "x")\n',
    # Nobody knows whether 6.5.0 has it: there is no table of its rules.
    "newer/BUILD": 'filegroup(name = "x", from_the_future = "a")\n',
    **{f"wrong/{name}/BUILD": "nosuchrule()\n" for name in "abcd"},
    "wrong/BUILD": 'filegroup(name = "x")\nnosuchrule(name = "y")\n',
}


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_files(tmp_path, _FILES)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["query", "//well:all"], 0, ""),
        (["query", "//newer:all"], 0, "warning: //newer:x: attribute 'from_the_future'"),
        (["deps", "//newer:x"], 0, "warning: //newer:x: attribute 'from_the_future'"),
        (["query", "kind(filegroup, //wrong:all)"], 7, "error: name 'nosuchrule' is not defined"),
        (["query", "//well:x + //wrong:all"], 7, "error: name 'nosuchrule' is not defined"),
        (["query", "//..."], 7, "In error: //wrong, //wrong/a, //wrong/b and 2 more"),
        (["query", "-k", "//..."], 3, "In error: //wrong, //wrong/a, //wrong/b and 2 more"),
    ],
)
def test_exit_code(
    words: list[str], code: int, told: str, workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--no-cache"]) == code
    assert told in capsys.readouterr().err


def test_the_program_and_the_answers_have_the_same_exit_codes() -> None:
    for code in ExitCode:
        assert getattr(session, f"EXIT_{code.name}") == code


@pytest.mark.parametrize("question", [("query", "//well:x"), ("explain", "//well:x")])
def test_a_line_that_says_nothing_is_told_in_full_alone(
    question: tuple[str, ...], workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (workspace / ".bazelrc").write_text("build:osx\n")
    told = "`build:osx` alone sets nothing"
    main([*question, "--no-cache"])
    assert told not in capsys.readouterr().err
    main([*question, "--no-cache", "--full"])
    assert told in capsys.readouterr().err


def test_an_answer_after_a_limit_says_which(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    billion = "range(1000000000)"
    endless = f"def f():\n    for x in {billion}:\n        for y in {billion}:\n            pass\n"
    files = {"WORKSPACE": "", "b/f.bzl": f"{endless}x = f()\n", "a/BUILD": 'filegroup(name = "a")'}
    files["b/BUILD"] = 'load(":f.bzl", "x")\nfilegroup(name = "b")\n'
    write_files(tmp_path, files)
    line = ["-w", str(tmp_path), "--no-cache", "--max-seconds=3"]
    assert main(["explain", "//a", "//b", *line, "--format=json"]) == 3
    document = json.loads(capsys.readouterr().out)
    assert document["exit_code"] == 3
    (why,) = document["completeness"]["cut_short"]
    limit = "evaluation takes more than 300000 steps (--max-seconds raises the limit)"
    assert why == f"b/f.bzl was left: {limit}"
    assert main(["query", "//a + //b", *line, "--keep_going"]) == 3
    assert f"warning: {why}" in capsys.readouterr().err
