"""Exit code 3 is for what Bazel would refuse, and somebody is told what that is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bazelscope.cli import main, session
from bazelscope.json_format.answer_schema import shipped_schema
from bazelscope.questions.shared.envelope import ExitCode
from tests.support.files import write_files
from tests.unit.questions.json_schema import violations

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


@pytest.mark.parametrize(
    ("line", "answer", "code", "told"),
    [
        ("query //well:none", "query", 7, "no such target '//well:none'"),
        ("query )(", "query", 2, "unexpected `)`"),
        ("query //well:x --bogus", "query", 2, "unrecognized option: `--bogus`"),
        ("query //well:x --output=none", "query", 2, "none"),
        ("cquery //well:none", "query", 1, "no such target '//well:none'"),
        ("cquery //well:x --bogus", "query", 2, "unrecognized option: `--bogus`"),
        ("path //well:x", "error", 2, "expected FROM and TO"),
        ("path //well:x //well:x --max-seconds=none", "error", 2, "--max-seconds"),
        ("deps -w nowhere //well:x", "error", 2, "nowhere"),
        ("deps //well:x --all-branches --configured", "error", 2, "exclude each other"),
        ("check --codes NONE", "error", 2, "`NONE` begins no code"),
        ("check //well:none", "error", 2, "//well:none"),
        ("matrix none", "error", 2, "no question `none`"),
        ("affected --since none", "error", 2, "git"),
        ("mod none", "error", 2, "expected one of"),
        ("diff //well:x", "error", 2, ""),
        ("paths //well:x", "error", 2, "no such command `paths`"),
        ("schema", "error", 2, "no such option"),
    ],
)
@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_what_has_no_answer_is_a_document_too(
    line: str,
    answer: str,
    code: int,
    told: str,
    form: str,
    workspace: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([*line.split(), f"--format={form}"]) == code
    document = json.loads(capsys.readouterr().out)
    assert (document["answer"], document["exit_code"]) == (answer, code)
    if form == "json":
        schema = json.loads(shipped_schema())
        assert violations(document, schema, schema) == []
        messages = (*document["diagnostics"], *document.get("line_diagnostics", ()))
        assert told in " ".join(one["message"] for one in messages)


def test_a_defect_of_ours_is_a_document_where_none_is_out_yet(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("ours")

    line = ["deps", "//well:x", "--no-cache", "--format", "json"]
    with monkeypatch.context() as patch:
        patch.setattr(session.Session, "close", fail)
        assert main(line) == 70
        assert json.loads(capsys.readouterr().out)["answer"] == "deps"
        patch.setattr(session.Session, "show", fail)
        assert main(line) == 70
        document = json.loads(capsys.readouterr().out)
    assert (document["answer"], document["exit_code"]) == ("error", 70)
    assert "KeyError" in document["diagnostics"][0]["message"]


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
    # No Bazel refuses the package for a limit of ours.
    assert document["completeness"]["packages_in_error"] == []
    assert main(["explain", "//a", "//b", *line]) == 3
    told = capsys.readouterr()
    assert why in told.out and "in error" not in told.out
    assert limit in told.err
    assert main(["query", "//a + //b", *line, "--keep_going"]) == 3
    assert f"warning: {why}" in capsys.readouterr().err


def test_what_a_limit_leaves_out_is_not_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    billion = "range(1000000000)"
    build = f'filegroup(name = "early")\n[[y for y in {billion}] for x in {billion}]\n'
    files = {"WORKSPACE": "", "b/BUILD": f'{build}filegroup(name = "late")\n'}
    files["a/BUILD"] = 'filegroup(name = "a", srcs = ["//b:late", "//b:x.txt"])\n'
    write_files(tmp_path, files)
    for target in ("//a", "//..."):
        line = ["explain", target, "-w", str(tmp_path), "--no-cache", "--max-seconds=1"]
        assert main([*line, "--format=json"]) == 3
        document = json.loads(capsys.readouterr().out)
        assert document["refusals"] == []
        assert document["completeness"]["cut_short"]
