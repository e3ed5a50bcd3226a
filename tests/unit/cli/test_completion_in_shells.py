"""The completion scripts in the shells themselves: what a Tab makes of a line."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.files import write_files
from tests.support.parts import CHECKOUT, give_up
from tests.support.terminal import Terminal

_FILES = {
    "WORKSPACE": 'local_repository(name = "extern", path = "ext")\n',
    ".bazelversion": "4.2.3\n",
    ".bazelrc": "build:mkl --define=a=b\nbuild:mkl_threads --config=mkl\n",
    "app/BUILD": 'filegroup(name = "front", srcs = ["x"])\nfilegroup(name = "frame")\n',
    "app/sub/BUILD": "",
    "lib/BUILD": 'filegroup(name = "lone")\n',
    "set/BUILD": 'config_setting(name = "with_mkl", define_values = {"a": "b"})\n',
    "ext/WORKSPACE": "",
    "ext/pkg/BUILD": 'filegroup(name = "inner")\n',
}

# What is typed, and what Tab makes of it. `|` stands where the line ends.
_TABS = [
    ("bazelscope expl", "bazelscope explain |"),
    ("bazelscope explain //ap", "bazelscope explain //app|"),
    ("bazelscope explain //app:fro", "bazelscope explain //app:front |"),
    ("bazelscope explain //app:fr", "bazelscope explain //app:fr|"),
    ("bazelscope explain //l", "bazelscope explain //lib:|"),
    ("bazelscope explain @ext", "bazelscope explain @extern//|"),
    ("bazelscope explain @extern//pkg:in", "bazelscope explain @extern//pkg:inner |"),
    ("bazelscope explain --config=mkl_", "bazelscope explain --config=mkl_threads |"),
    ("bazelscope explain --config mkl_", "bazelscope explain --config mkl_threads |"),
    ("bazelscope explain --compilation_m", "bazelscope explain --compilation_mode=|"),
    ("bazelscope explain --compilation_mode=d", "bazelscope explain --compilation_mode=dbg |"),
    ("bazelscope explain --nostam", "bazelscope explain --nostamp |"),
    ("bazelscope explain --cache-d", "bazelscope explain --cache-dir |"),
    ("bazelscope explain -w ap", "bazelscope explain -w app/|"),
    ("bazelscope query 'somep", "bazelscope query 'somepath(|"),
    ("bazelscope query 'deps(//app:fro", "bazelscope query 'deps(//app:front|"),
    ("bazelscope query 'a + //app:fro", "bazelscope query 'a + //app:front|"),
    ("bazelscope query --output=min", "bazelscope query --output=minrank |"),
    ("bazelscope configs mkl_", "bazelscope configs mkl_threads |"),
    ("bazelscope repos ext", "bazelscope repos extern |"),
    ("bazelscope path fro", "bazelscope path front |"),
    ("bazelscope settings with_", "bazelscope settings with_mkl |"),
    ("bazelscope select //app:front.sr", "bazelscope select //app:front.srcs |"),
    ("bazelscope select front.sr", "bazelscope select front.srcs |"),
    ("bazelscope explain --sections sel", "bazelscope explain --sections selects |"),
    ("bazelscope explain --why mkl_", "bazelscope explain --why mkl_threads |"),
    ("bazelscope why compilation_m", "bazelscope why compilation_mode |"),
    ("bazelscope graph front --as sv", "bazelscope graph front --as svg |"),
    ("bazelscope nosuch //a", "bazelscope nosuch //a|"),
]
_START = {
    "bash": ["--norc", "--noprofile", "-i"],
    "zsh": ["-f", "-i"],
    "fish": ["--no-config", "-i"],
}
_SET_UP = {
    # A key that tells what is on the line.
    "bash": """bind -x '"\\C-t": printf "\\nLINE<%s|>\\n" "$READLINE_LINE"'; """
    "source <(bazelscope completion bash)",
    "zsh": "autoload -U compinit && compinit -u -D; "
    'show() { print -r -- "LINE<$BUFFER|>" }; zle -N show; bindkey "^T" show; '
    "unsetopt beep; source <(bazelscope completion zsh)",
    "fish": 'bind \\ct \'echo "LINE<"(commandline | string collect)"|>"\'; '
    "bazelscope completion fish | source",
}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("workspace")
    write_files(root, _FILES)
    return root


@pytest.fixture(scope="module", params=list(_START))
def shell(
    request: pytest.FixtureRequest, workspace: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Terminal]:
    name: str = request.param
    program = shutil.which(name)
    if program is None:
        give_up("shells", name)
    home = tmp_path_factory.mktemp("home")
    started = home / "bazelscope"
    started.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m bazelscope "$@"\n')
    started.chmod(0o755)
    environment = {
        "BAZELSCOPE_COMPLETION_SECONDS": "20",
        "HOME": str(home),
        "LC_ALL": "C.UTF-8",
        "PATH": f"{home}:{os.environ['PATH']}",
        "PYTHONPATH": str(CHECKOUT),
        "TERM": "dumb" if name == "zsh" else "xterm",
    }
    terminal = Terminal([program, *_START[name]], workspace, environment, columns=200)
    terminal.type(f"{_SET_UP[name]}\n echo READ''Y\n")
    terminal.read_until("READY")
    yield terminal
    terminal.close()


@pytest.mark.parametrize(("typed", "line"), _TABS, ids=[typed for typed, _ in _TABS])
def test_tab(shell: Terminal, typed: str, line: str) -> None:
    shell.type(f"{typed}\t\x14")
    found = shell.read_until(r"LINE<([^\r\n]*\|)>")
    shell.type("\x15")
    assert found[1] == line
