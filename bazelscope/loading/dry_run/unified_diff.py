"""Unified diffs, as patches of repositories and of MODULE.bazel are written.

Bazel: `PatchUtil`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bazelscope import starlark
from bazelscope.base.lazy_pattern import lazy_pattern

_HUNK = lazy_pattern(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@")
_NO_FILE = "/dev/null"
Hunk = tuple[int, list[str]]
"""The first line that a hunk is about, from 1 on, and its lines with their marks."""


class PatchError(Exception):
    """Why a patch cannot be applied to a file."""


class FileDiff(NamedTuple):
    """What a diff does to the file at `path`, which it calls by both `names`, before and after, in
    its line `line` and the next."""

    path: str
    names: tuple[str, str]
    creates: bool
    deletes: bool
    line: int
    hunks: list[Hunk]

    @property
    def added(self) -> str:
        """The lines that it adds."""
        lines = (line for _, hunk in self.hunks for line in hunk)
        return "".join(f"{line[1:]}\n" for line in lines if line.startswith("+"))


def file_diffs(patch: str, strip: int) -> Iterator[FileDiff]:
    """Yields what a unified diff does to each file; `strip` parts of each path do not count."""
    lines = re.split("\r\n|[\r\n]", patch)
    index = 0
    while index + 1 < len(lines):
        old, new = lines[index], lines[index + 1]
        index += 1
        if not (old.startswith("--- ") and new.startswith("+++ ")):
            continue
        line = index
        index += 1
        hunks: list[Hunk] = []
        while index < len(lines) and (hunk := _HUNK.match(lines[index])):
            index, body = _body(lines, index + 1, hunk)
            hunks.append((int(hunk[1]), body))
        before, after = (name[4:].split("\t")[0].strip() for name in (old, new))
        names = _stripped(before, strip), _stripped(after, strip)
        creates, deletes = before == _NO_FILE, after == _NO_FILE
        yield FileDiff(names[not deletes], names, creates, deletes, line, hunks)


def patched(text: str, hunks: Iterable[Hunk]) -> str:
    """Returns `text` after the hunks, each where it fits the nearest to where it is said to.
    Raises `PatchError`."""
    lines = text.splitlines()
    offset = 0
    for first, hunk in hunks:
        before = [line[1:] for line in hunk if line[:1] != "+"]
        after = [line[1:] for line in hunk if line[:1] != "-"]
        place = _place_of(before, lines, first - 1 + offset)
        size = len(before)
        lines[place : place + size] = after
        offset += len(after) - size
    return "".join(f"{line}\n" for line in lines)


def _place_of(wanted: list[str], lines: list[str], near: int) -> int:
    """Where `wanted` stands in `lines`, the nearest to `near`. Raises `PatchError`."""
    size = len(wanted)
    last = len(lines) - size
    near = min(max(near, 0), max(last, 0))
    if not wanted:
        return near
    for distance in range(max(near, last - near) + 1):
        for at in (near - distance, near + distance):
            if 0 <= at <= last and lines[at : at + 1] == wanted[:1]:
                starlark.charge(size)  # A hostile patch nearly fits everywhere.
                if lines[at : at + size] == wanted:
                    starlark.charge(distance)
                    return at
    raise PatchError("Incorrect Chunk: the chunk content doesn't match the target")


def _stripped(name: str, strip: int) -> str:
    return "/".join(name.split("/")[strip:])


def _body(lines: list[str], index: int, hunk: re.Match[str]) -> tuple[int, list[str]]:
    """The lines of a hunk, and where the next one may begin."""
    old, new = int(hunk[2] or "1"), int(hunk[3] or "1")
    body: list[str] = []
    while index < len(lines) and (old > 0 or new > 0):
        line = lines[index]
        index += 1
        if not line.startswith("\\"):
            old -= not line.startswith("+")
            new -= not line.startswith("-")
            body.append(line)
    return index, body
