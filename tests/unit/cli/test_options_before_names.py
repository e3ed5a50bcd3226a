"""Options of Bazel's with their value in the next word, where a command wants a NAME first."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from bazelscope.cli.entry import cli
from tests.support.files import write_files

FILES = {
    "WORKSPACE": "",
    "BUILD": """
config_setting(name = "optimised", values = {"compilation_mode": "opt"})
filegroup(name = "x", srcs = select({":optimised": ["a"], "//conditions:default": ["b"]}))
""",
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("named")
    write_files(root, FILES)
    return root


def _told(root: Path, command: str, *words: str) -> str:
    own = ["-w", str(root), "--bazel-version=4.2.3", "--no-cache"]
    return CliRunner().invoke(cli, [command, *own, *words]).output


@pytest.mark.parametrize("command", ["why", "flag", "effects"])
@pytest.mark.parametrize("target", [(), ("//:x",)])
@pytest.mark.parametrize("option", ["-c", "--compilation_mode"])
def test_a_value_is_no_target(root: Path, command: str, option: str, target: tuple[str]) -> None:
    if command == "flag" and target:
        return
    told = _told(root, command, option, "opt", *target)
    assert "opt'" not in told
    assert "expected" not in told
    assert told == _told(root, command, option, *target)


def test_the_value_is_not_in_force(root: Path) -> None:
    assert "--compilation_mode=fastbuild" in _told(root, "why", "-c", "opt")
    assert "--compilation_mode=fastbuild" in _told(root, "flag", "-c", "opt")
    assert "set by -c opt" in _told(root, "why", "compilation_mode", "-c", "opt")


def test_options_before_a_name(root: Path) -> None:
    assert "Set by" in _told(root, "flag", "-c", "opt", "compilation_mode")


def test_a_label_is_a_target(root: Path) -> None:
    assert _told(root, "why", "--copt", "//:x") == _told(root, "why", "copt", "//:x")


def test_our_own_option_as_a_value(root: Path) -> None:
    # What stands behind --copt is its value, whatever it looks like.
    told = _told(root, "flag", "copt", "--copt", "--full")
    assert "--copt=--full" in told or "--copt --full" in told
