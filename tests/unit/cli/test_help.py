"""The help of every command: an example that can be tried, and what the exit codes mean."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from bazelscope.cli.entry import cli

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
    assert "..." not in text.partition("Commands:")[2], "a sentence is cut"


@pytest.mark.parametrize("words", [[], *([name] for name in _COMMANDS)], ids=" ".join)
@pytest.mark.parametrize("width", [80, 160])
def test_help_keeps_to_the_width(words: list[str], width: int) -> None:
    text = CliRunner().invoke(cli, [*words, "--help"], terminal_width=width).output
    assert text
    assert [line for line in text.splitlines() if len(line) > width] == []
