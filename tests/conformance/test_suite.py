"""The chunks of bazelbuild/starlark's test suite, for Bazel's dialect and for Go's.

A checkout of that repository is looked for beside ours, or where BAZELSCOPE_STARLARK_SUITE
says. The suite's own driver ignores what a chunk prints if it exits with 0; here a chunk that
prints that something differs has failed.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bazelscope.starlark.__main__ import run_file
from tests.support.parts import need_sibling

PRELUDE = """
def assert_eq(x, y):
  if x != y:
    print("%r != %r" % (x, y))

def assert_ne(x, y):
  if x == y:
    print("%r == %r" % (x, y))

def assert_(cond, msg="assertion failed"):
  if not cond:
    print(msg)
"""

EXCUSED = {
    # Words of starlark-go's own: it says that a comparison is "not implemented", that a
    # value is "got X, want iterable"; the chunks fail here as they should, in Bazel's words.
    **{f"misc.star:{line}": "not implemented" for line in (1, 9, 14, 19, 24, 29, 34, 39)},
    **{f"string.star:{line}": "got string, want iterable" for line in (475, 481, 490)},
    "tuple.star:39": "want iterable",
    # starlark-go reads `{-1}` as a position, Bazel as a name.
    "string.star:226": "(not found|no replacement found)",
    # Bazel's strings are bytes, and only the letters of ASCII have a case; the specification
    # leaves the elements of a string to the implementation.
    "string.star:541": "prints",
}
"""Chunks of the go set whose error is worded otherwise: file and line -> their words."""

CHUNKS = {"java": 147, "go": 260}


@dataclass(frozen=True)
class Chunk:
    name: str
    text: str
    errors: tuple[str, ...]


def suite() -> Path:
    return need_sibling("BAZELSCOPE_STARLARK_SUITE", "trees/starlark-spec", "starlark")


def chunks(path: Path, implementation: str) -> Iterator[Chunk]:
    """The chunks of a file, as the suite's driver cuts them."""
    lines: list[str] = []
    errors: list[str] = []
    start = 1
    for number, raw in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        line = raw.rstrip()
        if line == "---":
            yield Chunk(f"{path.name}:{start}", "\n".join(lines) + "\n", tuple(errors))
            lines, errors, start = [], [], number + 1
            continue
        match = re.fullmatch("(.*?) *### *((go|java|rust):)? *(.*)", line)
        if match:
            line = match[1]
            if match[3] in (None, implementation):
                errors.append(match[4])
        lines.append(line)
    yield Chunk(f"{path.name}:{start}", "\n".join(lines) + "\n", tuple(errors))


def judge(chunk: Chunk) -> str | None:
    """What is wrong with how a chunk ends; None if nothing is."""
    printed: list[str] = []
    error = run_file("chunk.star", PRELUDE + chunk.text, printed.append)
    if printed:
        return f"{chunk.name} prints {printed}"
    if error is None:
        return f"{chunk.name} should fail: {chunk.errors}" if chunk.errors else None
    if not chunk.errors:
        return f"{chunk.name} fails: {error}"
    shown = error.lower()
    for expected in map(str.lower, chunk.errors):
        if expected not in shown and not re.search(expected, shown):
            return f"{chunk.name} should fail with {expected}, but: {error}"
    return None


@pytest.mark.parametrize("implementation", CHUNKS)
def test_chunks(implementation: str) -> None:
    folder = suite() / "test_suite" / "testdata" / implementation
    found = [chunk for path in sorted(folder.glob("*.star")) for chunk in
             chunks(path, implementation)]  # fmt: skip
    assert len(found) == CHUNKS[implementation]
    problems = {chunk.name: judge(chunk) for chunk in found}
    excused = EXCUSED if implementation == "go" else {}
    wrong = [text for name, text in problems.items() if text and name not in excused]
    assert not wrong, "\n".join(wrong)
    for name in excused:  # an excuse must be needed, and the chunk must fail all the same
        assert problems[name] is not None
        assert "should fail" in str(problems[name]) or "prints" in str(problems[name])


@pytest.mark.slow
def test_the_suites_own_driver(tmp_path: Path) -> None:
    folder = suite() / "test_suite"
    program = tmp_path / "starlark"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m bazelscope.starlark "$@"\n')
    program.chmod(0o755)
    for path in sorted((folder / "testdata" / "java").glob("*.star")):
        command = [sys.executable, str(folder / "starlark_test.py"), "java", program, path]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
