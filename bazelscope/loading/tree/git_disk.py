"""The files of a commit, or of git's index, in the place of those of the work tree.

Nothing is checked out: objects are read by libgit2 (pygit2, an extra). What git ignores belongs
to every state of the repository, as a checkout would leave it where it is; so does what lies
outside of the repository, and what submodules hold.
"""

from __future__ import annotations

import errno
import hashlib
import os
import posixpath
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from bazelscope.base.errors import Diagnostic, UsageError
from bazelscope.base.paths import MAX_FILE_BYTES
from bazelscope.loading.tree.disk import (
    MACHINE,
    Disk,
    Entry,
    EntryKind,
    Stamp,
    cannot_read,
    no_such_file,
)

if TYPE_CHECKING:
    import pygit2

INDEX, WORK_TREE = ":index", ":worktree"
"""How the two states are named that are no revisions; no revision begins with a colon alone."""

_LINK, _TREE, _SUBMODULE = 0o120000, 0o040000, 0o160000
_MOST_LINKS = 40


class _Held(NamedTuple):
    """An entry of a tree: its mode, and the id of its object."""

    mode: int
    id: str


class Snapshot(Protocol):
    """The tracked files of one state, by path from the top of the repository."""

    def directory(self, path: str) -> Mapping[str, _Held] | None:
        """The entries of a directory; None where there is none."""

    def entry(self, path: str) -> _Held | None:
        """The entry at a path; None where there is none."""


class TreeSnapshot:
    """A commit's."""

    def __init__(self, repository: pygit2.Repository, tree: Any) -> None:
        self._repository = repository
        self._trees: dict[str, Any] = {"": tree}
        self._listed: dict[str, Mapping[str, _Held]] = {}

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
            is_tree = entry is not None and entry.filemode == _TREE
            self._trees[path] = self._repository[entry.id] if is_tree else None
        return self._trees[path]

    def _named(self, tree: Any, name: str) -> Any:
        try:
            return tree[name] if tree is not None else None
        except KeyError:
            return None

    def directory(self, path: str) -> Mapping[str, _Held] | None:
        listed = self._listed.get(path)
        if listed is None:
            tree = self._tree(path)
            if tree is None:
                return None
            listed = {os.fsdecode(e.raw_name): _Held(e.filemode, str(e.id)) for e in tree}
            self._listed[path] = listed
        return listed

    def entry(self, path: str) -> _Held | None:
        above, _, name = path.rpartition("/")
        listed = self._listed.get(above)
        if listed is not None:
            return listed.get(name)
        entry = self._named(self._tree(above), name)
        return None if entry is None else _Held(entry.filemode, str(entry.id))


class IndexSnapshot:
    """Git's index: what the next commit will hold."""

    def __init__(self, entries: Iterable[Any]) -> None:
        self._directories: dict[str, dict[str, _Held]] = {"": {}}
        for one in entries:
            self._add(one.path, _Held(one.mode, str(one.id)))
        for path, held in sorted(self._directories.items(), reverse=True):
            above, _, name = path.rpartition("/")
            if path:
                digest = hashlib.sha1(repr(sorted(held.items())).encode("utf-8", "surrogateescape"))
                self._directories[above][name] = _Held(_TREE, digest.hexdigest())

    def _add(self, path: str, held: _Held) -> None:
        above, _, name = path.rpartition("/")
        while above not in self._directories:
            self._directories[above] = {name: held}
            above, _, name = above.rpartition("/")
            held = _Held(_TREE, "")
        self._directories[above].setdefault(name, held)

    def directory(self, path: str) -> Mapping[str, _Held] | None:
        return self._directories.get(path)

    def entry(self, path: str) -> _Held | None:
        above, _, name = path.rpartition("/")
        return self._directories.get(above, {}).get(name)


class GitDisk:
    """The machine's disk, but for the files that git tracks below `top`: those are as
    `snapshot` has them. `ignored` are the paths that git ignores, directories with a slash."""

    space = "git "

    def __init__(
        self,
        repository: pygit2.Repository,
        snapshot: Snapshot,
        ignored: Iterable[str],
        root: Path,
    ) -> None:
        self._repository = repository
        self._snapshot = snapshot
        self.top = os.path.realpath(repository.workdir)
        self._given, self._actual = str(root), os.path.realpath(root)
        self._ignored: dict[str, EntryKind | None] = {}
        self._ignored_in: dict[str, list[str]] = {}
        for path in ignored:
            plain = path.rstrip("/")
            self._ignored[plain] = EntryKind.DIRECTORY if path.endswith("/") else None
            self._ignored_in.setdefault(posixpath.dirname(plain), []).append(
                posixpath.basename(plain)
            )
        self._reals: dict[str, str] = {self.top: self.top}

    # ---- Disk

    def stamp(self, path: str) -> Stamp:
        real = self.real_path(path)
        inside = self.inside(real)
        held = self._held(inside) if inside else None
        if inside == "":
            held = _Held(_TREE, repr(sorted((self._directory("") or {}).items())))
        elif inside is None or held is None or held.mode == _SUBMODULE:
            return MACHINE.stamp(real) if self._is_of_machine(inside) else ()
        if held.mode == _LINK:
            return ()
        names = self._ignored_in.get(inside or "", ()) if held.mode == _TREE else ()
        text = repr((held, sorted(names))).encode("utf-8", "surrogateescape")
        return (0, 0, 0, 0, int.from_bytes(hashlib.blake2b(text, digest_size=15).digest()))

    def kind(self, path: str) -> EntryKind | None:
        real = self.real_path(path)
        inside = self.inside(real)
        if inside == "":
            return EntryKind.DIRECTORY
        held = self._held(inside) if inside is not None else None
        if held is None or held.mode == _SUBMODULE:
            return MACHINE.kind(real) if self._is_of_machine(inside) else None
        if held.mode == _LINK:
            return None  # It never ends.
        return EntryKind.DIRECTORY if held.mode == _TREE else EntryKind.FILE

    def entries(self, directory: str) -> list[Entry]:
        real = self.real_path(directory)
        inside = self.inside(real)
        if self._is_of_machine(inside):
            return MACHINE.entries(real)
        held_here = self._directory(inside or "")
        if held_here is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), directory)
        entries = {name: _entry(name, held.mode) for name, held in held_here.items()}
        wanted = [n for n in self._ignored_in.get(inside or "", ()) if n not in entries]
        if wanted:
            there = {entry.name: entry for entry in MACHINE.entries(real)}
            entries.update((name, there[name]) for name in wanted if name in there)
        return sorted(entries.values())

    def link(self, path: str) -> str:
        above, _, name = path.rpartition("/")
        inside = self.inside(f"{self.real_path(above)}/{name}")
        held = self._held(inside) if inside else None
        if held is None:
            return MACHINE.link(path)
        if held.mode != _LINK:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), path)
        return os.fsdecode(self._blob(held.id).data)

    def real_path(self, path: str) -> str:
        if path.startswith(self._given) and self._given != self._actual:
            rest = path[len(self._given) :]
            path = self._actual + rest if rest[:1] in ("", "/") else path
        return self._real(path.rstrip("/") or "/", [_MOST_LINKS])

    def read(self, path: str, shown: str) -> bytes:
        real = self.real_path(path)
        inside = self.inside(real)
        held = self._held(inside) if inside else None
        if held is None or held.mode == _SUBMODULE:
            if self._is_of_machine(inside):
                return MACHINE.read(real, shown)
            raise no_such_file(shown)
        if held.mode in (_TREE, _LINK):
            raise cannot_read(shown, "not a regular file")
        try:
            blob = self._blob(held.id)
        except KeyError:
            raise cannot_read(shown, "git does not have the object (a partial clone?)") from None
        if blob.size > MAX_FILE_BYTES:
            raise cannot_read(shown, f"larger than {MAX_FILE_BYTES >> 20} MB")
        return bytes(blob.data)

    def _blob(self, id: str) -> Any:
        return self._repository[id]

    # ---- Paths

    def inside(self, real: str) -> str | None:
        """A path from the top of the repository; None for one that is not in it."""
        if real == self.top:
            return ""
        return real[len(self.top) + 1 :] if real.startswith(f"{self.top}/") else None

    def links(self) -> Iterator[tuple[str, str]]:
        """Every symbolic link that is tracked below the top, and where it leads to."""
        pending = [""]
        while pending:
            directory = pending.pop()
            for name, held in (self._snapshot.directory(directory) or {}).items():
                path = f"{directory}/{name}" if directory else name
                if held.mode == _TREE:
                    pending.append(path)
                elif held.mode == _LINK:
                    yield path, self.real_path(f"{self.top}/{path}")

    def _held(self, inside: str) -> _Held | None:
        return self._snapshot.entry(inside)

    def _directory(self, inside: str) -> Mapping[str, _Held] | None:
        held = self._snapshot.directory(inside)
        return {} if held is None and not inside else held

    def _is_of_machine(self, inside: str | None) -> bool:
        """Whether a path that the snapshot does not have is as it is in every state."""
        if inside is None or inside == ".git" or inside.startswith(".git/"):
            return True
        path = inside
        while path:
            held = self._held(path)
            if held is not None:
                return held.mode == _SUBMODULE
            if path in self._ignored:
                return path == inside or self._ignored[path] is EntryKind.DIRECTORY
            path = posixpath.dirname(path)
        return False

    def _real(self, path: str, links: list[int]) -> str:
        """The path after all links; the links of the snapshot count below the top."""
        known = self._reals.get(path)
        if known is not None:
            return known
        if self.inside(path) is None:
            real = MACHINE.real_path(path)
            return real if self.inside(real) is None else self._below(real, links)
        return self._below(path, links)

    def _below(self, path: str, links: list[int]) -> str:
        real = self.top
        parts = (self.inside(path) or "").split("/") if path != self.top else []
        for index, name in enumerate(parts):
            if name in ("", "."):
                continue
            if name == "..":
                real = posixpath.dirname(real)
                continue
            following = f"{real}/{name}"
            if not self._is_there(following):
                # Nothing of the rest is: it may be thousands of names long.
                return posixpath.normpath("/".join((following, *parts[index + 1 :])))
            known = self._reals.get(following)
            if known is None:
                known = self._step(real, following, links)
                if links[0] < 0:
                    return path
                self._reals[following] = known
            real = known
            if self.inside(real) is None:
                return MACHINE.real_path("/".join((real, *parts[index + 1 :])))
        return real

    def _is_there(self, path: str) -> bool:
        inside = self.inside(path)
        return not inside or self._held(inside) is not None or self._is_of_machine(inside)

    def _step(self, real: str, following: str, links: list[int]) -> str:
        inside = self.inside(following)
        held = self._held(inside) if inside else None
        if held is None:
            return MACHINE.real_path(following) if self._is_of_machine(inside) else following
        if held.mode != _LINK:
            return following
        links[0] -= 1
        if links[0] < 0:
            return following
        target = os.fsdecode(self._blob(held.id).data)
        return self._real(posixpath.normpath(posixpath.join(real, target)), links)


def _entry(name: str, mode: int) -> Entry:
    if mode == _LINK:
        return Entry(name, None, True)
    is_directory = mode in (_TREE, _SUBMODULE)
    return Entry(name, EntryKind.DIRECTORY if is_directory else EntryKind.FILE)


# ---- States of a repository


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
        self._status: dict[str, int] | None = None
        self._snapshots: dict[str, Snapshot] = {}

    @property
    def status(self) -> Mapping[str, int]:
        """What differs between the last commit, the index and the work tree, by path."""
        if self._status is None:
            import pygit2

            try:
                flags_of = self._repository.status(untracked_files="all", ignored=True)
            except (pygit2.GitError, OSError) as error:
                raise _unusable(f"git's state of `{self._root}` cannot be read: {error}") from None
            self._status = {path: int(flags) for path, flags in flags_of.items()}
        return self._status

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
            if any(one is not None and one.mode == _SUBMODULE for one in held):
                changed[path] = (_id(held[0]), _id(held[1]))
        return changed

    def _entry(self, state: str, path: str) -> _Held | None:
        """What a state tracks at a path; of the work tree, the index tells."""
        if state in (INDEX, WORK_TREE):
            index = self._repository.index
            return _Held(index[path].mode, str(index[path].id)) if path in index else None
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


_IGNORED = 1 << 14


def _id(held: _Held | None) -> str:
    return held.id[:12] if held is not None else "none"


def _unusable(message: str, hint: str = "") -> UsageError:
    return UsageError(Diagnostic("git", message, hint=hint))
