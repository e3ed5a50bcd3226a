"""The examples in the help of each command, run: each is answered, in one of the fixtures."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from bazelscope.cli.entry import cli
from tests.support.parts import FIXTURES

_EXAMPLE = re.compile(r"^ +(bazelscope [a-z].*(?:\n {6,}\S.*)*)", re.MULTILINE)
_ELSEWHERE = {"lsp": "waits for an editor", "completion": "speaks of the shell's own files"}


def _examples() -> Iterator[tuple[str, str]]:
    for name, command in cli.every_command().items():
        if not command.hidden and name not in _ELSEWHERE:
            text = CliRunner().invoke(cli, [name, "--help"], terminal_width=200).output
            for example in _EXAMPLE.findall(text.partition("Options:")[0]):
                yield name, re.sub(r"\s+", " ", example)


def test_every_command_has_one() -> None:
    named = {name for name, _ in _examples()}
    shown = {name for name, command in cli.every_command().items() if not command.hidden}
    assert shown - named == set(_ELSEWHERE)


@pytest.fixture(scope="module")
def fixtures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The fixtures, in a git repository of their own."""
    root = tmp_path_factory.mktemp("help") / "fixtures"
    shutil.copytree(FIXTURES, root)
    for fixture in root.iterdir():
        if not fixture.is_dir():
            continue
        git = ["git", "-C", str(fixture), "-c", "user.name=n", "-c", "user.email=e"]
        subprocess.run([*git, "init", "-q", "-b", "main"], check=True)
        subprocess.run([*git, "add", "-A"], check=True)
        subprocess.run([*git, "commit", "-qm", "first"], check=True)
        subprocess.run([*git, "update-ref", "refs/remotes/origin/main", "main"], check=True)
        rc = fixture / ".bazelrc"
        rc.write_text(f"{rc.read_text()}build --define=changed=1 --copt=-g\n")
        subprocess.run([*git, "commit", "-qam", "second"], check=True)
        with fixture.joinpath("known.json").open("w") as known:
            words = [sys.executable, "-m", "bazelscope", "check", "--format=json"]
            subprocess.run(words, cwd=fixture, stdout=known, check=False)
    return root


@pytest.mark.parametrize(("name", "example"), list(_examples()))
def test_an_example_is_answered(
    fixtures: Path, monkeypatch: pytest.MonkeyPatch, name: str, example: str
) -> None:
    words = shlex.split(re.split(r" (?:#|\||>) ", example)[0], comments=True)[1:]
    said = []
    for fixture in sorted(fixtures.iterdir()):
        monkeypatch.chdir(fixture)
        done = CliRunner().invoke(cli, words)
        said.append(f"{fixture.name}: {done.exit_code}\n{done.output[:400]}")
        if done.exit_code == 0:
            return
    raise AssertionError("\n".join(said))
