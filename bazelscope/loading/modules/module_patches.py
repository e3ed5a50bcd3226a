"""Patches of `single_version_override`, as far as they change the MODULE.bazel of the module.

Bazel: `ModuleFileFunction.maybePatchModuleFile`, `PatchUtil.applyToSingleFile`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.loading.dry_run.unified_diff import Hunk, PatchError, file_diffs, patched

_NAME = "MODULE.bazel"
_RENAMED = lazy_pattern(r"^rename (?:from|to) (\S+)$", re.MULTILINE)


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
    return patched(text, _hunks(patch, strip))


def _refuse_renaming(patch: str, strip: int) -> None:
    # These lines of git have no `a/` before the path.
    if strip < 2 and _NAME in _RENAMED.findall(patch):
        raise PatchError(
            f"Renaming /module/{_NAME} while applying patches to it as a single file is not"
            " supported."
        )


def _hunks(patch: str, strip: int) -> Iterator[Hunk]:
    """The first line and the lines, with their marks, of each hunk about MODULE.bazel."""
    for diff in file_diffs(patch, strip):
        if _NAME in diff.names:
            yield from diff.hunks
