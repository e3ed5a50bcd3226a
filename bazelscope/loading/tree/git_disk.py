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
from typing import TYPE_CHECKING, Any

from bazelscope.base.paths import MAX_FILE_BYTES
from bazelscope.loading.tree.disk import MACHINE, Entry, EntryKind, Stamp, cannot_read, no_such_file
from bazelscope.loading.tree.git_snapshots import LINK, SUBMODULE, TREE, Held, Snapshot

if TYPE_CHECKING:
    import pygit2

_MOST_LINKS = 40


class GitDisk:
    """The machine's disk, but for the files that git tracks below `top`: those are as
    `snapshot` has them. `ignored` are the paths that git ignores, directories with a slash."""

    space = "git "

    def __init__(
        self, repository: pygit2.Repository, snapshot: Snapshot, ignored: Iterable[str], root: Path
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
            held = Held(TREE, repr(sorted((self._directory("") or {}).items())))
        elif inside is None or held is None or held.mode == SUBMODULE:
            return MACHINE.stamp(real) if self._is_of_machine(inside) else ()
        if held.mode == LINK:
            return ()
        names = self._ignored_in.get(inside or "", ()) if held.mode == TREE else ()
        text = repr((held, sorted(names))).encode("utf-8", "surrogateescape")
        return (0, 0, 0, 0, int.from_bytes(hashlib.blake2b(text, digest_size=15).digest()))

    def kind(self, path: str) -> EntryKind | None:
        real = self.real_path(path)
        inside = self.inside(real)
        if inside == "":
            return EntryKind.DIRECTORY
        held = self._held(inside) if inside is not None else None
        if held is None or held.mode == SUBMODULE:
            return MACHINE.kind(real) if self._is_of_machine(inside) else None
        if held.mode == LINK:
            return None  # It never ends.
        return EntryKind.DIRECTORY if held.mode == TREE else EntryKind.FILE

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
            if self._is_of_machine(inside):
                return MACHINE.link(path)
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        if held.mode != LINK:
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
        if held is None or held.mode == SUBMODULE:
            if self._is_of_machine(inside):
                return MACHINE.read(real, shown)
            raise no_such_file(shown)
        if held.mode in (TREE, LINK):
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
                if held.mode == TREE:
                    pending.append(path)
                elif held.mode == LINK:
                    yield path, self.real_path(f"{self.top}/{path}")

    def _held(self, inside: str) -> Held | None:
        return self._snapshot.entry(inside)

    def _directory(self, inside: str) -> Mapping[str, Held] | None:
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
                return held.mode == SUBMODULE
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
        if held.mode != LINK:
            return following
        links[0] -= 1
        if links[0] < 0:
            return following
        target = os.fsdecode(self._blob(held.id).data)
        return self._real(posixpath.normpath(posixpath.join(real, target)), links)


def _entry(name: str, mode: int) -> Entry:
    if mode == LINK:
        return Entry(name, None, True)
    is_directory = mode in (TREE, SUBMODULE)
    return Entry(name, EntryKind.DIRECTORY if is_directory else EntryKind.FILE)


# ---- States of a repository
