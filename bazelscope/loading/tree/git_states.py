"""The states of a git repository: its commits, its index, its work tree."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from bazelscope.base.errors import Diagnostic, UsageError
from bazelscope.loading.tree.disk import MACHINE, Disk
from bazelscope.loading.tree.git_disk import GitDisk
from bazelscope.loading.tree.git_snapshots import (
    SUBMODULE,
    Held,
    IndexSnapshot,
    Snapshot,
    TreeSnapshot,
)

INDEX, WORK_TREE = ":index", ":worktree"
"""How the two states are named that are no revisions; no revision begins with a colon alone."""

_IGNORED = 1 << 14


class GitStates:
    """The states of the git repository that a directory is in: revisions, the index, the work
    tree. Raises `UsageError` where there is no repository, or where pygit2 is not installed."""

    def __init__(self, root: Path) -> None:
        try:
            import pygit2
        except ImportError:
            raise UsageError(
                Diagnostic(
                    "no-pygit2",
                    "reading git's objects needs pygit2, which is not installed",
                    hint="pip install 'bazelscope[git]'",
                )
            ) from None
        self._root = root
        try:
            place = pygit2.discover_repository(str(root))
            if place is None:
                raise _unusable(f"`{root}` is in no git repository")
            self._repository = pygit2.Repository(place)
        except (pygit2.GitError, KeyError, ValueError) as error:
            raise _unusable(f"git's repository of `{root}` cannot be read: {error}") from None
        if self._repository.is_bare or not self._repository.workdir:
            raise _unusable(f"git's repository of `{root}` has no work tree")
        self._snapshots: dict[str, Snapshot] = {}

    @cached_property
    def status(self) -> Mapping[str, int]:
        """What differs between the last commit, the index and the work tree, by path."""
        import pygit2

        try:
            flags_of = self._repository.status(untracked_files="all", ignored=True)
        except (pygit2.GitError, OSError) as error:
            raise _unusable(f"git's state of `{self._root}` cannot be read: {error}") from None
        return {path: int(flags) for path, flags in flags_of.items()}

    def disk(self, state: str) -> Disk:
        """The disk of a state. Raises `UsageError` for a revision that is not there."""
        if state == WORK_TREE:
            return MACHINE
        ignored = [path for path, flags in self.status.items() if flags & _IGNORED]
        if state == INDEX:
            snapshot: Snapshot = IndexSnapshot(self._repository.index)
        else:
            snapshot = TreeSnapshot(self._repository, self._tree(state))
        return GitDisk(self._repository, snapshot, ignored, self._root)

    def name(self, state: str) -> str:
        """A name of what a state holds that another state does not have, empty for one that
        may change at any time."""
        if state in (INDEX, WORK_TREE):
            return ""
        ignored = sorted(path for path, flags in self.status.items() if flags & _IGNORED)
        digest = hashlib.sha256(repr(ignored).encode("utf-8", "surrogateescape")).hexdigest()
        return f"{self._tree(state).id} {digest}"

    def candidates(self, since: str, until: str) -> set[str]:
        """The paths, from the top of the repository, of which some may hold something else in
        one state than in the other: all others do not."""
        import pygit2

        first, second = (self._last_commit(state) for state in (since, until))
        paths: set[str] = set()
        if first.id != second.id:
            for delta in first.diff_to_tree(second, pygit2.enums.DiffOption.NORMAL, 0, 0).deltas:
                paths.update((delta.old_file.path, delta.new_file.path))
        if INDEX in (since, until) or WORK_TREE in (since, until):
            paths.update(path for path, flags in self.status.items() if not flags & _IGNORED)
        return paths

    def submodules(self, since: str, until: str) -> dict[str, tuple[str, str]]:
        """The submodules that another commit of theirs is meant by, and both commits."""
        changed = {}
        for path in self.candidates(since, until):
            path = path.rstrip("/")
            held = [self._entry(state, path) for state in (since, until)]
            if any(one is not None and one.mode == SUBMODULE for one in held):
                changed[path] = (_id(held[0]), _id(held[1]))
        return changed

    def _entry(self, state: str, path: str) -> Held | None:
        """What a state tracks at a path; of the work tree, the index tells."""
        if state in (INDEX, WORK_TREE):
            index = self._repository.index
            return Held(index[path].mode, str(index[path].id)) if path in index else None
        if state not in self._snapshots:
            self._snapshots[state] = TreeSnapshot(self._repository, self._tree(state))
        return self._snapshots[state].entry(path)

    def _last_commit(self, state: str) -> Any:
        return self._tree("HEAD" if state in (INDEX, WORK_TREE) else state)

    def _tree(self, revision: str) -> Any:
        import pygit2

        try:
            return self._repository.revparse_single(revision).peel(pygit2.Tree)
        except (KeyError, ValueError, pygit2.GitError, TypeError):
            known = sorted(self._repository.branches)[:3]
            hint = f"branches: {', '.join(known)}" if known else "there is no commit yet"
            raise _unusable(f"git knows no revision `{revision}` here", hint) from None


def _id(held: Held | None) -> str:
    return held.id[:12] if held is not None else "none"


def _unusable(message: str, hint: str = "") -> UsageError:
    return UsageError(Diagnostic("git", message, hint=hint))
