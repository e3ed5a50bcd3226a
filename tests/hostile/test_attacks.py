"""Every attack ends in its sentence, and touches nothing (see attacks.py)."""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.hostile.attacks import CANARY, names
from tests.hostile.programs import PROGRAMS

_MEMORY = 1 << 30
_SECONDS = 60

_SENTENCES = {
    "dot": r"x:\d+:\d+: '\w+' value has no field or method '",
    "getattr": r"x:\d+:\d+: '\w+' value has no field or method '",
    "name": r"x:1:\d+: (name '\w+' is not defined|identifier `)",
    "while": r"x:4:\d+: (list|dict) value is temporarily immutable due to active for-loop",
    "load": r"load-[\w-]+/BUILD:1: ",
    "build": r"build-[\w-]+/BUILD:\d: ",
    "extension": r"extension-[\w-]+/(BUILD|x\.bzl):\d: ",
    "rule": r"(@rule-[\w-]+//:BUILD\.bazel: its repository rule stops here"
    r"|no such package '@rule-[\w-]+//'): ",
    "query": r"error: [^\n]+\n  --> <query>:\d:\d+\n",
}
"""How the sentence of a class begins; that of a program with its place."""

_PYTHON = re.compile(
    r"Traceback|internal error|error of bazelscope|<(class|module|function|frame|code) |0x7f"
)
_OF_A_TERMINAL = re.compile("[\0\a\b\x1b\x7f]")


@pytest.fixture(scope="module")
def endings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    directory = tmp_path_factory.mktemp("attacks").resolve()
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": str(root), "HOME": f"/home/{CANARY}"}
    done = subprocess.run(
        [sys.executable, str(Path(__file__).parent / "attacks.py"), str(directory)],
        env={**environment, "PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY)),
        capture_output=True,
        text=True,
        timeout=10 * _SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found = {ending["name"]: ending for ending in map(json.loads, done.stdout.splitlines())}
    for name in ("canary", "canary.bzl"):
        assert (directory / "outside" / name).read_text() == f'secret = "{CANARY}"\n'
    assert sorted(path.name for path in (directory / "outside").iterdir()) == [
        "canary",
        "canary.bzl",
    ]
    assert sorted(path.name for path in directory.iterdir()) == ["outside", "w"]
    return found


def test_there_are_three_hundred() -> None:
    every = list(names())
    assert len(every) == len(set(every)) >= 300


@pytest.mark.parametrize("name", list(names()))
def test_an_attack_ends_in_its_sentence(name: str, endings: dict[str, dict[str, Any]]) -> None:
    ending = endings[name]
    beginning = _SENTENCES.get(name.split("-")[0], r"x:\d+:\d+: ")
    assert ending["said"], ending
    assert re.match(beginning, ending["said"][0]), ending
    if name in PROGRAMS:
        assert ending["ending"] == "refused", ending
    said = json.dumps(ending)
    assert CANARY not in said
    assert not _PYTHON.search(said)


def test_nothing_is_touched(endings: dict[str, dict[str, Any]]) -> None:
    """Nothing outside the workspace was opened, nothing written, started or called."""
    assert endings["touched"]["seen"] == []
    assert endings["touched"]["seconds"] < _SECONDS


def test_nothing_is_told_to_the_terminal(endings: dict[str, dict[str, Any]]) -> None:
    told = [ending["all"] for ending in endings.values() if "all" in ending]
    assert len(told) > 20
    for text in told:
        assert CANARY not in text
        assert not _OF_A_TERMINAL.search(text)


def test_a_touch_is_seen(tmp_path: Path) -> None:
    """The look-out itself: what is opened, listed or started elsewhere does not escape it."""
    (tmp_path / "own").mkdir()
    program = (
        "import os, subprocess, sys\n"
        "from pathlib import Path\n"
        "from tests.hostile.attacks import Touches\n"
        f"touches = Touches(Path({str(tmp_path / 'own')!r}))\n"
        "touches.is_on = True\n"
        f"Path({str(tmp_path / 'x')!r}).write_text('')\n"
        f"Path({str(tmp_path / 'x')!r}).read_text()\n"
        f"os.listdir({str(tmp_path)!r})\n"
        f"os.listdir({str(tmp_path / 'own')!r})\n"
        f"Path({str(tmp_path / 'own/y')!r}).write_text('')\n"
        "os.system('true')\n"
        "touches.is_on = False\n"
        "print(*(seen.split()[0] for seen in touches.seen))\n"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["open", "open", "os.listdir", "open", "os.system"]
