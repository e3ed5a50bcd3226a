"""What a run imports: no more than what it uses. Counted are modules, since time depends on the
machine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.files import write_files

_PROGRAM = """
import sys
from bazelscope.cli import main
main(sys.argv[1:])
print(*sorted(sys.modules), file=sys.stderr)
"""
_FILES = {
    "WORKSPACE": "",
    ".bazelrc": "build:on --define=on=1\n",
    "BUILD": 'filegroup(name = "a", srcs = [":b"])\nfilegroup(name = "b")\n',
}
_DEAR = (
    "networkx", "rich", "lark", "wasmtime", "graphviz", "asyncio", "multiprocessing",
    "importlib.metadata", "bazelscope.questions.drawn",
)  # fmt: skip


def imported(root: Path, *words: str) -> list[str]:
    """The modules that a second run has imported when it ends."""
    line = [sys.executable, "-c", _PROGRAM, *words]
    if not words[0].startswith("--"):
        line += ["--cache-dir", str(root.parent / "cache")]
    for _ in range(2):
        done = subprocess.run(line, cwd=root, capture_output=True, text=True, check=True)
    return done.stderr.splitlines()[-1].split()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_files(tmp_path / "w", _FILES)
    return tmp_path / "w"


@pytest.mark.parametrize(
    ("words", "most"),
    [
        (("--version",), 10),
        (("--help",), 30),
        (("flag", "--config=on"), 140),
        (("path", "//:a", "//:b"), 366),
        (("query", "deps(//:a)"), 343),
    ],
)
def test_a_run_imports_what_it_uses(root: Path, words: tuple[str, ...], most: int) -> None:
    modules = imported(root, *words)
    own = [name for name in modules if name.startswith("bazelscope")]
    assert len(own) <= most
    assert not [name for name in modules if name.startswith(_DEAR)]


def test_to_begin_is_to_import_click_and_the_command(root: Path) -> None:
    own = [name for name in imported(root, "--version") if name.startswith("bazelscope.")]
    assert not [name for name in own if name.split(".")[1] != "cli" or "command" in name]
