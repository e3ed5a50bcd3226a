"""Patches of `single_version_override`, as far as they change the MODULE.bazel of the module.

Bazel: `ModuleFileFunction.maybePatchModuleFile`, `PatchUtil.applyToSingleFile`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.loading.dry_run.unified_diff import file_diffs

_NAME = "MODULE.bazel"
_RENAMED = lazy_pattern(r"^rename (?:from|to) (\S+)$", re.MULTILINE)


class PatchError(Exception):
    """Why a patch cannot be applied to MODULE.bazel."""


def changes_of_module_file(patch: str, strip: int) -> tuple[str, str]:
    """Returns the lines that a unified diff takes out of MODULE.bazel, and those that it adds.
    Raises `PatchError`."""
    _refuse_renaming(patch, strip)
    lines = [line for _, hunk in _hunks(patch, strip) for line in hunk]
    gone, added = ([line[1:] for line in lines if line[:1] == mark] for mark in "-+")
    return "\n".join(gone), "\n".join(added)


def patched_module_file(text: str, patch: str, strip: int) -> str:
    """Returns `text`, the MODULE.bazel of a module, after a unified diff; other files that the
    diff names do not matter. Raises `PatchError`."""
    _refuse_renaming(patch, strip)
    lines = text.splitlines()
    offset = 0
    for first, hunk in _hunks(patch, strip):
        before = [line[1:] for line in hunk if line[:1] != "+"]
        after = [line[1:] for line in hunk if line[:1] != "-"]
        place = _place(lines, before, max(first - 1, 0) + offset)
        if place is None:
            raise PatchError("Incorrect Chunk: the chunk content doesn't match the target")
        lines[place : place + len(before)] = after
        offset += len(after) - len(before)
    return "".join(f"{line}\n" for line in lines)


def _refuse_renaming(patch: str, strip: int) -> None:
    # These lines of git have no `a/` before the path.
    if strip < 2 and _NAME in _RENAMED.findall(patch):
        raise PatchError(
            f"Renaming /module/{_NAME} while applying patches to it as a single file is not"
            " supported."
        )


def _place(lines: Sequence[str], wanted: Sequence[str], near: int) -> int | None:
    """Where `wanted` stands in `lines`, the next to where it is said to."""
    places = range(len(lines) - len(wanted) + 1)
    found = (at for at in places if list(lines[at : at + len(wanted)]) == list(wanted))
    return min(found, key=lambda at: abs(at - near), default=None)


def _hunks(patch: str, strip: int) -> Iterator[tuple[int, list[str]]]:
    """The first line and the lines, with their marks, of each hunk about MODULE.bazel."""
    for diff in file_diffs(patch, strip):
        if _NAME in diff.names:
            yield from diff.hunks
