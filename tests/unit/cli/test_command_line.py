"""Pasted Bazel command lines: where the startup options end, and which word is the command."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.base.errors import UsageError
from bazelscope.bazel import flag_catalog
from bazelscope.bazel.release import known_releases
from bazelscope.cli import main
from bazelscope.flags.commandline import CommandLine
from bazelscope.questions.shared.command_line import split_command_line
from tests.support.files import write_files

WHOLE_LINES = {
    "bazel build //a": CommandLine("build", ("//a",), program="bazel"),
    "-- bazel --output_user_root=x build --config=mkl -s //t:x": CommandLine(
        "build", ("--config=mkl", "-s", "//t:x"), ("--output_user_root=x",), "bazel"
    ),
    "-- bazel --output_user_root x --nohome_rc test //t": CommandLine(
        "test", ("//t",), ("--output_user_root", "x", "--nohome_rc"), "bazel"
    ),
    "tools/bazel-4.2.3 query deps(//a)": CommandLine(
        "query", ("deps(//a)",), program="tools/bazel-4.2.3"
    ),
    "bazelisk.exe run //a -- --flag": CommandLine(
        "run", ("//a", "--", "--flag"), program="bazelisk.exe"
    ),
    "$ CC=clang bazel build //a": CommandLine(
        "build", ("//a",), program="bazel", environment={"CC": "clang"}
    ),
    "--config=a -- //x -//y": CommandLine("build", ("--config=a", "--", "//x", "-//y")),
    "-- bazelrc": CommandLine("build", ("--", "bazelrc")),
    "//bazel": CommandLine("build", ("//bazel",)),
    "test run": CommandLine("build", ("test", "run")),
    "": CommandLine("build", ()),
}


@pytest.mark.parametrize("line", WHOLE_LINES)
def test_split(line: str) -> None:
    assert split_command_line(tuple(line.split()), flag_catalog.load("4.2.3")) == WHOLE_LINES[line]


def test_every_command_of_every_version_is_taken() -> None:
    for version in map(str, known_releases()):
        table = flag_catalog.load(version)
        for command in table.commands:
            assert split_command_line(("bazel", command), table).command == command


@pytest.mark.parametrize(
    ("line", "code", "hint"),
    [
        ("bazel", "no-bazel-command", "behind the startup options"),
        ("bazel --output_user_root=x", "no-bazel-command", "behind the startup options"),
        ("bazel buidl //a", "unknown-command-word", "did you mean `build`?"),
    ],
)
def test_refused(line: str, code: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        split_command_line(tuple(line.split()), flag_catalog.load("4.2.3"))
    assert caught.value.diagnostic.code == code
    assert hint in (caught.value.diagnostic.hint or "")


_STARTUP = ["--nohome_rc", "--output_base", "/b"]


@pytest.mark.parametrize("command", ["query", "cquery", "deps", "flag", "mod"])
def test_startup_options_stand_before_our_command_as_before_bazels(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"BUILD": 'filegroup(name = "a")\n', "own.rc": "import %workspace%/gone.rc\n"}
    write_files(tmp_path, {"WORKSPACE": "", "MODULE.bazel": "", ".bazelversion": "7.0.0", **files})
    asked = {"flag": ["copt"], "mod": ["graph"]}.get(command, ["//:a"])
    line = [command, *asked, "-w", str(tmp_path), "--no-cache"]
    assert main([*_STARTUP, *line]) != 2
    assert main([*_STARTUP, f"--bazelrc={tmp_path}/own.rc", *line]) == 2
    assert "gone.rc" in capsys.readouterr().err


@pytest.mark.parametrize("word", ["--copt=-g", "--nosuch", "--batc"])
def test_other_options_before_the_command_are_refused(
    word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([word, "query", "//:a"]) == 2
    said = capsys.readouterr().err
    assert f"no such option: {word}, before the command" in said
    assert f"`bazelscope query {word} ...`" in said


def test_a_command_that_has_no_line_takes_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--batch", "schema"]) == 2
    assert "`schema` takes no startup options" in capsys.readouterr().err


@pytest.mark.parametrize(
    "line",
    ["copt --copt=-g", "--copt=-g copt", "--copt -g copt", "copt bazel build //:a --copt=-g"],
)
def test_flag_takes_its_name_before_or_behind_options(
    line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "WORKSPACE").write_text("")
    assert main(["flag", "-w", str(tmp_path), "--no-cache", *line.split()]) == 0
    assert "--copt=-g\n" in capsys.readouterr().out
