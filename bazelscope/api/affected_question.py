"""How `affected` is asked: the same command line in two states of a git repository."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from bazelscope.base.errors import Diagnostic, UsageError
from bazelscope.loading.tree.git_disk import GitDisk, GitStates
from bazelscope.questions.affected.changed_files import changed_files
from bazelscope.questions.affected.find import EVERYTHING, State, affected_targets, prints_of

if TYPE_CHECKING:
    from bazelscope.api.questions import ConfiguredWorkspace
    from bazelscope.questions.affected.answer import AffectedAnswer


def affected(
    asked: ConfiguredWorkspace, since: str, until: str, tests: bool = False
) -> tuple[AffectedAnswer, ConfiguredWorkspace]:
    """What `until` changes for the targets that the line of `asked` names (by default: all),
    and the line as it is in that state. Raises `UsageError`."""
    workspace = asked.workspace
    states = GitStates(workspace.root)
    disks = [states.disk(state) for state in (since, until)]
    lines = [
        asked if not isinstance(disk, GitDisk) else type(asked)(workspace.on(disk), asked.line)
        for disk in disks
    ]
    for state, line in zip((since, until), lines, strict=True):
        if not any(line.workspace.files.is_file(name) for name in _MARKERS):
            raise UsageError(
                Diagnostic("git", f"there is no Bazel workspace here in git's `{state}`")
            )
    before, after = (
        State(state, line.world) for state, line in zip((since, until), lines, strict=True)
    )
    root = os.path.realpath(workspace.root)
    links = [link for disk in disks if isinstance(disk, GitDisk) for link in disk.links()]
    changed = changed_files(states, root, since, until, disks[0], disks[1], links)
    patterns = lines[1].target_patterns or EVERYTHING
    old = prints_of(before, patterns, asked.directory_package)
    new = prints_of(after, patterns, asked.directory_package)
    envelope = replace(
        lines[1].envelope,
        line_diagnostics=tuple(dict.fromkeys((*lines[0].errors, *lines[1].errors))),
    )
    answer = affected_targets(envelope, before, after, old, new, changed, tests)
    for line in lines:
        if line is not asked:
            line.save()
    return answer, lines[1]


_MARKERS = ("WORKSPACE", "WORKSPACE.bazel", "MODULE.bazel")
