"""A disk with texts laid over it: what an editor has and nobody saved yet."""

from __future__ import annotations

import hashlib
import posixpath
from collections.abc import Mapping

from bazelscope.loading.tree.disk import MACHINE, Disk, Entry, EntryKind, Stamp


class OverlaidDisk:
    """The disk `below`, but for the files in `texts`, by absolute path without links. Their
    directories are there, too. A text that changes is another disk: make a new one."""

    def __init__(self, texts: Mapping[str, bytes], below: Disk = MACHINE) -> None:
        self._texts = dict(texts)
        self._below = below
        self._new: dict[str, dict[str, Entry]] = {}
        """By directory: the names that the overlay brings to it."""
        for path in self._texts:
            kind = EntryKind.FILE
            while (parent := posixpath.dirname(path)) != path:
                name = posixpath.basename(path)
                self._new.setdefault(parent, {})[name] = Entry(name, kind)
                if below.kind(parent) is EntryKind.DIRECTORY:
                    break
                path, kind = parent, EntryKind.DIRECTORY

    @property
    def space(self) -> str:
        return self._below.space

    def stamp(self, path: str) -> Stamp:
        text = self._texts.get(path)
        if text is not None:
            return _stamp_of_content(text)
        below = self._below.stamp(path)
        if path not in self._new:
            return below
        there = {entry.name for entry in self._below.entries(path)} if below else set()
        new = sorted(self._new[path].keys() - there)
        # A text that stands for a file that is there changes nothing of its directory.
        return _stamp_of_content(repr((below, new)).encode()) if new else below

    def kind(self, path: str) -> EntryKind | None:
        if path in self._texts:
            return EntryKind.FILE
        return EntryKind.DIRECTORY if path in self._new else self._below.kind(path)

    def entries(self, directory: str) -> list[Entry]:
        new = self._new.get(directory)
        if new is None:
            return self._below.entries(directory)
        is_there = self._below.kind(directory) is EntryKind.DIRECTORY
        below = self._below.entries(directory) if is_there else []
        return sorted({**{entry.name: entry for entry in below}, **new}.values())

    def link(self, path: str) -> str:
        return self._below.link(path)

    def real_path(self, path: str) -> str:
        return path if path in self._texts else self._below.real_path(path)

    def read(self, path: str, shown: str) -> bytes:
        text = self._texts.get(path)
        if text is None and self._texts:
            text = self._texts.get(self._below.real_path(path))
        return self._below.read(path, shown) if text is None else text


class EditedDisk(OverlaidDisk):
    """A disk under texts that change while an editor runs. Whoever keeps what it read has to be
    told of each change."""

    def __init__(self, below: Disk = MACHINE) -> None:
        super().__init__({}, below)

    def put(self, path: str, text: bytes | None) -> bool:
        """Lays a text over the file at an absolute path, or (None) takes it away. Returns whether
        there are other files now than before. Links on the way to the file are followed."""
        texts = dict(self._texts)
        for place in {path, self._below.real_path(path)}:
            texts.pop(place, None)
            if text is not None:
                texts[place] = text
        is_new = self._below.kind(path) is not EntryKind.FILE
        was_there = path in self._texts
        super().__init__(texts, self._below)
        return is_new and was_there is (text is None)


def _stamp_of_content(content: bytes) -> Stamp:
    return (0, 0, 0, 0, int.from_bytes(hashlib.blake2b(content, digest_size=15).digest()))
