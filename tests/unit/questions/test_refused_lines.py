"""A command line that Bazel would refuse is refused by every question, with the reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.cli import main

_FILES = {
    "WORKSPACE": "",
    **dict.fromkeys("hbg", ""),
    ".bazelversion": "4.2.3\n",
    "settings.bzl": """
def _nothing(ctx):
    return []

hidden = rule(_nothing, build_setting = config.string())
flag = rule(_nothing, build_setting = config.string(flag = True))
number = rule(_nothing, build_setting = config.int(flag = True))
""",
    "BUILD": """
load(":settings.bzl", "flag", "hidden", "number")
hidden(name = "hidden", build_setting_default = "a")
flag(name = "color", build_setting_default = "a")
number(name = "number", build_setting_default = 1)
alias(name = "colour", actual = ":color")
alias(name = "ring", actual = ":round")
alias(name = "round", actual = ":ring")
label_flag(name = "label", build_setting_default = ":color")
config_setting(name = "is_hidden", flag_values = {":hidden": "b"})
config_setting(name = "is_blue", flag_values = {":color": "blue"})
config_setting(name = "is_gcc", flag_values = {"@bazel_tools//tools/cpp:compiler": "gcc"})
filegroup(name = "x", srcs = select({
    ":is_hidden": ["h"],
    ":is_blue": ["b"],
    ":is_gcc": ["g"],
    "//conditions:default": [],
}))
""",
}


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for path, text in _FILES.items():
        (tmp_path / path).write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path


@pytest.mark.parametrize(
    "question",
    [
        ["path", "//:x", "//:is_blue"],
        ["path", "//:x", "//:is_blue", "--all-paths"],
        ["deps", "//:x"],
        ["rdeps", "//:color"],
        ["select", "//:x"],
        ["settings"],
        ["graph", "//:x"],
        ["explain", "//:x"],
        ["explain", "--why", "//:is_blue", "//:x"],
        ["repos"],
        ["cquery", "//:x"],
        ["query", "//:x"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize(
    ("word", "told"),
    [
        # The message before the colon is what 4.2.3 says of the first three as well.
        ("--confg=mkl", "unrecognized option: `--confg`"),
        ("--//:hidden=b", "unrecognized option `--//:hidden=b`: `//:hidden` is a build setting"),
        ("--//:x=b", "unrecognized option `--//:x=b`: `//:x` is no build setting"),
        ("--//:colr=blue", "did you mean `--//:color`?"),
        (
            "--//:ring=b",
            "unrecognized option `--//:ring=b`: `//:ring` is an alias in a cycle of aliases",
        ),
    ],
)
def test_every_question_refuses(
    question: list[str],
    word: str,
    told: str,
    workspace: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([*question, word, "--no-cache"]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    "question",
    [["path", "//:x", "//:is_blue"], ["deps", "//:x", "-c", "opt"], ["select", "//:x"],
     ["explain", "//:x"], ["explain", "--why", "//:is_blue", "//:x"], ["cquery", "//:x"]],
    ids=" ".join,
)  # fmt: skip
def test_platform_mappings_that_cannot_be_read_are_refused(
    question: list[str], workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (workspace / "platform_mappings").write_text("garbage\n")
    assert main([*question, "--no-cache"]) == 2
    # 4.2.3: "Expected 'platforms:' or 'flags:' but got garbage".
    told = capsys.readouterr().err
    assert "expected `platforms:` or `flags:`, got `garbage`" in told
    assert "platform_mappings:1:1" in told


def test_a_query_reads_no_platform_mappings(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (workspace / "platform_mappings").write_text("garbage\n")
    assert main(["query", "//:x", "--no-cache"]) == 0
    assert capsys.readouterr().err == ""


def test_a_graph_says_which_config_is_undefined(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["graph", "//:x", "--config=mlk", "--no-cache"]) == 2
    assert "config `mlk` is not defined for `build`" in capsys.readouterr().err


@pytest.mark.parametrize("word", ["--//:color=blue", "--//:number=0x7", "--//:label=//:number"])
def test_flags_are_accepted(word: str, workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deps", "//:x", word, "--no-cache"]) == 0
    assert capsys.readouterr().err == ""


def test_a_value_that_is_none(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deps", "//:x", "--//:number=many", "--no-cache"]) == 2
    assert "`many` is not an int" in capsys.readouterr().err


def test_only_flags_are_proposed(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["select", "//:x", "--no-cache"]) == 0
    out = capsys.readouterr().out
    assert "taken with --//:color=blue" in out
    assert "--//:hidden" not in out
    assert "needs //:hidden=b (which no flag sets)" in out
    assert "needs @bazel_tools//tools/cpp:compiler=gcc\n" in out
    main(["path", "//:x", "//:h", "--no-cache"])
    out = capsys.readouterr().out
    assert "No flags take any path there" in out
    assert "//:hidden=b (which no flag sets)" in out


@pytest.mark.parametrize("command", ("query", "cquery"))
def test_a_refused_line_is_not_told_of_files_that_need_not_be_there(
    command: str, workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (workspace / ".bazelrc").write_text("try-import %workspace%/own.rc\n")
    assert main([command, "//:x", "--confg=mkl", "--no-cache"]) == 2
    told = capsys.readouterr().err
    assert "unrecognized option: `--confg`" in told
    assert "own.rc" not in told


def test_who_may_define_a_config_is_told_where_it_is_refused(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (workspace / ".bazelrc").write_text("try-import %workspace%/made.bazelrc\n")
    assert main(["explain", "--config=fuzz", "//:x", "-w", str(workspace)]) == 2
    refused = capsys.readouterr().out.split("What follows")[0]
    assert "`made.bazelrc` could define it, but was not found  .bazelrc:1" in refused
