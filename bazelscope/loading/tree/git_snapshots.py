"""The tracked files of a commit, or of the index, as git holds them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from bazelscope.base.named_tuple import NamedTuple

if TYPE_CHECKING:
    import pygit2

LINK, TREE, SUBMODULE = 0o120000, 0o040000, 0o160000
"""The modes of entries that are no plain files."""


class Held(NamedTuple):
    """An entry of a tree: its mode, and the id of its object."""

    mode: int
    id: str


class Snapshot(Protocol):
    """The tracked files of one state, by path from the top of the repository."""

    def directory(self, path: str) -> Mapping[str, Held] | None:
        """The entries of a directory; None where there is none."""

    def entry(self, path: str) -> Held | None:
        """The entry at a path; None where there is none."""


class TreeSnapshot:
    """A commit's."""

    def __init__(self, repository: pygit2.Repository, tree: Any) -> None:
        self._repository = repository
        self._trees: dict[str, Any] = {"": tree}
        self._listed: dict[str, Mapping[str, Held]] = {}

    def _tree(self, path: str) -> Any:
        """The tree of a directory; None where there is none."""
        end = -1
        while (end := path.find("/", end + 1)) >= 0:  # By no recursion: folders may be nested.
            if self._child(path[:end]) is None:
                return None
        return self._child(path)

    def _child(self, path: str) -> Any:
        """The tree of a directory whose parent is known."""
        if path not in self._trees:
            above, _, name = path.rpartition("/")
            entry = self._named(self._trees[above], name)
            is_tree = entry is not None and entry.filemode == TREE
            self._trees[path] = self._repository[entry.id] if is_tree else None
        return self._trees[path]

    def _named(self, tree: Any, name: str) -> Any:
        try:
            return tree[name] if tree is not None else None
        except KeyError:
            return None

    def directory(self, path: str) -> Mapping[str, Held] | None:
        listed = self._listed.get(path)
        if listed is None:
            tree = self._tree(path)
            if tree is None:
                return None
            listed = {os.fsdecode(e.raw_name): Held(e.filemode, str(e.id)) for e in tree}
            self._listed[path] = listed
        return listed

    def entry(self, path: str) -> Held | None:
        above, _, name = path.rpartition("/")
        listed = self._listed.get(above)
        if listed is not None:
            return listed.get(name)
        entry = self._named(self._tree(above), name)
        return None if entry is None else Held(entry.filemode, str(entry.id))


class IndexSnapshot:
    """Git's index: what the next commit will hold."""

    def __init__(self, entries: Iterable[Any]) -> None:
        self._directories: dict[str, dict[str, Held]] = {"": {}}
        for one in entries:
            self._add(one.path, Held(one.mode, str(one.id)))
        for path, held in sorted(self._directories.items(), reverse=True):
            above, _, name = path.rpartition("/")
            if path:
                digest = hashlib.sha1(repr(sorted(held.items())).encode("utf-8", "surrogateescape"))
                self._directories[above][name] = Held(TREE, digest.hexdigest())

    def _add(self, path: str, held: Held) -> None:
        above, _, name = path.rpartition("/")
        while above not in self._directories:
            self._directories[above] = {name: held}
            above, _, name = above.rpartition("/")
            held = Held(TREE, "")
        self._directories[above].setdefault(name, held)

    def directory(self, path: str) -> Mapping[str, Held] | None:
        return self._directories.get(path)

    def entry(self, path: str) -> Held | None:
        above, _, name = path.rpartition("/")
        return self._directories.get(above, {}).get(name)
