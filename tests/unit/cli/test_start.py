"""What begins at once: the version, help, and kept answers need nothing but Python itself."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import bazelscope
from tests.support.files import write_files

_PROGRAM = """
import sys
before = set(sys.modules)
def told():
    sys.stderr.write("\\n" + " ".join(sorted(set(sys.modules) - before)) + "\\n")
exit_process = sys.exit
def exit_telling(code):
    told()
    exit_process(code)
sys.exit = exit_telling
from bazelscope.cli import run
run()
"""
_DEAR = ("click", "typing", "pathlib", "re", "enum", "hashlib", "contextlib", "collections")


def run(root: Path, *words: str, columns: int = 80) -> tuple[str, str, list[str]]:
    """What a process writes, and what it has imported besides Python's own start."""
    environment = {
        **os.environ,
        "XDG_CACHE_HOME": str(root.parent / "cache"),
        "COLUMNS": str(columns),
    }
    line = [sys.executable, "-c", _PROGRAM, *words]
    done = subprocess.run(line, cwd=root, capture_output=True, text=True, env=environment)
    errors, _, modules = done.stderr.rstrip("\n").rpartition("\n")
    return done.stdout, errors.rstrip("\n"), modules.split()


def click_says(root: Path, *words: str, columns: int = 80) -> str:
    program = "import sys; from bazelscope.cli import main; sys.exit(main(sys.argv[1:]))"
    line = [sys.executable, "-c", program, *words]
    environment = {**os.environ, "COLUMNS": str(columns)}
    return subprocess.run(line, cwd=root, capture_output=True, text=True, env=environment).stdout


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "w"
    write_files(root, {"WORKSPACE": "", "BUILD": 'filegroup(name = "a")\n', "deep/BUILD": ""})
    time.sleep(0.06)  # What was written just now might be written again without a trace.
    return root


def test_the_version_is_what_click_would_say(root: Path) -> None:
    said, errors, modules = run(root, "--version")
    assert said == click_says(root, "--version") == f"bazelscope {bazelscope.__version__}\n"
    assert not errors
    assert not set(modules).intersection(_DEAR)
    assert [name for name in modules if name.startswith("bazelscope.")] == [
        "bazelscope.cli",
        "bazelscope.cli.interrupts",
    ]


@pytest.mark.skipif(os.name == "nt", reason="nothing is kept there")
@pytest.mark.parametrize("words", [("--help",), ("path", "--help"), ("why", "--help")])
def test_help_is_what_click_says_for_each_width(root: Path, words: tuple[str, ...]) -> None:
    for columns in (80, 120):
        whole = click_says(root, *words, columns=columns)
        assert whole
        for place in (root, root / "deep"):
            environment = {"XDG_CACHE_HOME": str(root.parent / "cache")}
            program = "from bazelscope.cli import run; run()"
            done = subprocess.run(
                [sys.executable, "-c", program, *words],
                cwd=place,
                capture_output=True,
                text=True,
                env={**os.environ, **environment, "COLUMNS": str(columns)},
            )
            assert (done.stdout, done.stderr, done.returncode) == (whole, "", 0)
    assert run(root, *words)[0] == click_says(root, *words)
    assert run(root, *words)[2] == run(root, *words)[2]


@pytest.mark.skipif(os.name == "nt", reason="nothing is kept there")
@pytest.mark.parametrize(
    "words", [("--help",), ("deps", "--help"), ("flag", "define"), ("deps", "//:a")]
)
def test_a_kept_answer_is_printed_without_what_answers(root: Path, words: tuple[str, ...]) -> None:
    first, second = run(root, *words), run(root, *words)
    assert second[:2] == first[:2]
    assert "click" in first[2]
    assert not set(second[2]).intersection(_DEAR)


def test_help_of_no_command_is_no_help(root: Path) -> None:
    for _ in range(2):
        said, errors, modules = run(root, "nocommand", "--help")
        assert not said
        assert "no such command" in errors
        assert "click" in modules
