"""Our own options beside Bazel's: no name is taken twice, and every word goes to its owner."""

from __future__ import annotations

import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from bazelscope.bazel import flag_catalog
from bazelscope.bazel.release import known_releases
from bazelscope.cli import main
from bazelscope.cli.bazel_line import OF_SOME_COMMANDS, BazelLine
from bazelscope.cli.entry import cli
from tests.support.files import write_files

COMMANDS = [command for command in cli.every_command().values() if isinstance(command, BazelLine)]


def own_names() -> set[str]:
    """Every spelling of an option of ours, of whichever command; help and version aside."""
    return {
        name
        for command in (cli, *cli.every_command().values())
        for option in command.params
        if isinstance(option, click.Option)
        for name in (*option.opts, *option.secondary_opts)
    }


def test_there_are_commands_and_options_to_check() -> None:
    names = {command.name for command in COMMANDS}
    assert names >= {"explain", "path", "graph", "flag", "select", "settings", "deps", "rdeps"}
    assert {"-w", "--workspace", "--format", "-o"} <= own_names()


@pytest.mark.parametrize("version", [release.text for release in known_releases()])
def test_no_own_option_has_the_name_of_one_of_bazels(version: str) -> None:
    table = flag_catalog.load(version)
    for name in own_names():
        plain = name.lstrip("-").replace("-", "_")
        for spelling in (plain, plain.replace("_", "")):
            # As it stands, as the `no` form of one of Bazel's, and with one of its own.
            for taken in (spelling, spelling.removeprefix("no").lstrip("_"), f"no{spelling}"):
                assert table.find(taken) is None, f"{name} is --{taken} of Bazel {version}"
        if len(plain) == 1:
            assert table.find_abbreviation(plain) is None, f"{name} of Bazel {version}"


@pytest.mark.parametrize("name", ["--host-cpu", "--no-keep-going", "--keep_going", "-c"])
def test_what_the_test_above_would_find(name: str) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(globals(), "own_names", lambda: {name})
        with pytest.raises(AssertionError, match=name):
            test_no_own_option_has_the_name_of_one_of_bazels("4.2.3")


def split(*args: str) -> tuple[list[str], list[str]]:
    command = cli.every_command()["graph"]
    assert isinstance(command, BazelLine)
    return command._split(args)


@pytest.mark.parametrize(
    ("args", "own", "words"),
    [
        ("a b --config=x", "", "a b --config=x"),
        ("a b -o x.svg --config=x", "-o x.svg", "a b --config=x"),
        ("--format=json a -w dir b", "--format=json -w dir", "a b"),
        ("--copt -o a", "", "--copt -o a"),
        ("-c -w -w dir", "-w dir", "-c -w"),
        ("-s -o x.svg", "-o x.svg", "-s"),
        ("a -- -o x.svg", "", "a -- -o x.svg"),
        ("--full=1 a", "--full=1", "a"),
        ("a --formatted", "", "a --formatted"),
        ("-k --color=no --output=x", "", "-k --color=no --output=x"),
    ],
)
def test_words_go_to_their_owner(args: str, own: str, words: str) -> None:
    assert split(*args.split()) == (own.split(), words.split())


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("explain --sectons rc //:x", "--sections"),
        ("diff //:x --befor '' --after --config=mkl", "--before"),
        ("deps //:x --tre", "--tree"),
        ("graph //:x --ass svg", "--as"),
        ("page //:x --aganst ''", "--against"),
    ],
)
def test_a_misspelt_option_of_ours_is_none_of_bazels(line: str, meant: str) -> None:
    done = CliRunner().invoke(cli, shlex.split(line))
    assert done.exit_code == 2
    assert f"Did you mean {meant}?" in done.output


def test_options_that_not_every_command_has_are_listed() -> None:
    of_all = set.intersection(*(_options_of(command) for command in COMMANDS))
    some = set.union(*(_options_of(command) for command in COMMANDS)) - of_all
    # `lsp` shows nothing.
    assert some - _options_of(cli.every_command()["deps"]) - OF_SOME_COMMANDS == set()
    assert some >= OF_SOME_COMMANDS


def _options_of(command: click.Command) -> set[str]:
    return {name for option in command.params for name in option.opts if name.startswith("-")}


@pytest.mark.parametrize(
    ("line", "having"),
    [
        ("deps //:x -o x.svg", "`compile`, `configs`, `diff`, `graph`, `page`, `path`, `when`"),
        ("explain //:x --levels=2", "`deps`, `graph`, `rdeps`"),
    ],
)
def test_an_option_of_another_command_is_told_as_such(line: str, having: str) -> None:
    done = CliRunner().invoke(cli, shlex.split(line))
    assert done.exit_code == 2
    assert f"It is an option of {having}." in done.output


@pytest.mark.parametrize("word", ["--copts=-g", "--host_cup=k8", "--@a//b:sections=1"])
def test_other_words_are_bazels(word: str) -> None:
    for command in COMMANDS:
        own, words = command._split([word])
        assert (own, words) == ([], [word])


def test_a_config_may_be_named_as_on_other_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, {"WORKSPACE": "", ".bazelrc": "build:one -c opt\nbuild:two --copt=-g\n"})
    for word, code, told in (
        ("--config=one", 0, "--config=one  for build"),
        ("one", 0, "--config=one  for build"),
        ("--config=on", 1, "did you mean --config=one?"),
        ("--confg=one", 2, "no such option"),
        ("-x", 2, "no such option"),
    ):
        assert main(["configs", word, "-w", str(tmp_path), "--no-cache"]) == code
        out, err = capsys.readouterr()
        assert told in out + err
        assert "two" not in out
