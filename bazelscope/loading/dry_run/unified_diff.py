"""Unified diffs, as patches of repositories and of MODULE.bazel are written.

Bazel: `PatchUtil`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from bazelscope.base.lazy_pattern import lazy_pattern

_HUNK = lazy_pattern(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@")
_NO_FILE = "/dev/null"


class FileDiff(NamedTuple):
    """What a diff does to the file at `path`, which it calls by both `names`, before and after.
    `hunks` have the first line that each is about, and its lines with their marks."""

    path: str
    names: tuple[str, str]
    creates: bool
    hunks: list[tuple[int, list[str]]]

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
        index += 1
        hunks: list[tuple[int, list[str]]] = []
        while index < len(lines) and (hunk := _HUNK.match(lines[index])):
            index, body = _body(lines, index + 1, hunk)
            hunks.append((int(hunk[1]), body))
        before, after = (line[4:].split("\t")[0].strip() for line in (old, new))
        names = _stripped(before, strip), _stripped(after, strip)
        yield FileDiff(names[after != _NO_FILE], names, before == _NO_FILE, hunks)


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
