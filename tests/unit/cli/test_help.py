"""The help of every command: an example that can be tried, and what the exit codes mean."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from bazelscope.cli.entry import cli, main
from bazelscope.cli.session import EXIT_UNASKABLE

_COMMANDS = [name for name, command in cli.every_command().items() if not command.hidden]


@pytest.mark.parametrize("name", _COMMANDS)
def test_help(name: str) -> None:
    text = CliRunner().invoke(cli, [name, "--help"]).output
    usage, _, rest = text.partition("\n")
    assert usage.startswith("Usage: ")
    assert f"bazelscope {name}" in rest, "no example"
    if name != "completion":
        assert "Exit codes:" in rest
        assert name in ("lsp", "schema") or "--no-pager" in rest


def test_help_of_the_whole_names_every_command() -> None:
    text = CliRunner().invoke(cli, ["--help"]).output
    for name in _COMMANDS:
        assert f"\n  {name} " in text
    assert "\n  complete " not in text
    assert "..." not in text.partition("Options:")[2], "a sentence is cut"


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        (["help"], ["--help"]),
        (["-h"], ["--help"]),
        (["help", "path"], ["path", "--help"]),
        (["help", "why"], ["why", "--help"]),
        (["version"], ["--version"]),
    ],
)
def test_bazels_words_for_help_and_version(line: list[str], meant: list[str]) -> None:
    said = CliRunner().invoke(cli, line)
    assert (said.exit_code, said.output) == (0, CliRunner().invoke(cli, meant).output)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ([], "Usage: bazelscope [OPTIONS] COMMAND"),
        (["--"], "error: missing command"),
        (["--", "x"], "error: no such command `x`"),
        (["--format"], "error: no such option `--format`"),
        (["help", "nothing"], "error: no such command `nothing`"),
    ],
)
def test_a_line_without_a_command_is_no_fault(
    line: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(line) == EXIT_UNASKABLE
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(told)


@pytest.mark.parametrize("words", [[], *([name] for name in _COMMANDS)], ids=" ".join)
@pytest.mark.parametrize("width", [80, 160])
def test_help_keeps_to_the_width(words: list[str], width: int) -> None:
    text = CliRunner().invoke(cli, [*words, "--help"], terminal_width=width).output
    assert text
    assert [line for line in text.splitlines() if len(line) > width] == []
