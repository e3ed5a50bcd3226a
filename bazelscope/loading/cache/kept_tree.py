"""What is kept of the workspace's tree for the next run: which directories there are, and which
words its BUILD files quote. To walk a large tree and to read every BUILD file for one name takes
longer than most questions; to see that all of them are as they were takes a tenth of it.
"""

# ruff: noqa: PTH116  (thousands of directories: `os.stat` on a string is three times faster)

from __future__ import annotations

import hashlib
import marshal
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

from bazelscope.base.errors import LoadingError
from bazelscope.kept.kept_files import KeptFiles
from bazelscope.loading.cache.file_stamps import (
    FileStamps,
    UnsettledInputError,
    file_input,
    is_settled,
)

if TYPE_CHECKING:
    from bazelscope.loading.tree.workspace_files import FileTree

_MAGIC = b"bazelscope-tree-1\n"
_TREES_KEPT = 48
_LONGEST_WORD = 200
_QUOTES = (b'"', b"'")

_State = tuple[int, ...]


class Outline(NamedTuple):
    """What a directory means to packages: its BUILD file, if it has one, and its directories."""

    build_file: str | None
    directories: tuple[str, ...]


class KeptTree:
    """The outlines of a tree's directories, and the words that its files quote.

    `cache_dir` has what earlier runs found; with None, nothing is kept.
    """

    def __init__(
        self, tree: FileTree, cache_dir: Path | None = None, stamps: FileStamps | None = None
    ) -> None:
        self._tree = tree
        self._root = str(tree.root)
        self._stamps = stamps or FileStamps()
        self._files: KeptFiles | None = None
        if cache_dir is not None:
            self._files = KeptFiles(cache_dir, _MAGIC, _TREES_KEPT)
        self._name = hashlib.sha256(os.fsencode(self._root)).hexdigest()[:40]
        self._changed: set[str] = set()
        self._outlines: dict[str, tuple[_State, str | None, tuple[str, ...]]] | None = None
        self._words: dict[str, tuple[int, int, int, bytes]] | None = None

    def outline(self, directory: str) -> Outline:
        """The outline of a directory; all above it are known to be directories of the tree."""
        if self._outlines is None:
            self._outlines = self._read("directories")
        kept = self._outlines.get(directory)
        if kept is None and self._files is None:
            return self._listed(directory)[0]
        state = _state_of(f"{self._root}/{directory}")
        if kept is not None:
            if state == kept[0]:
                return Outline(kept[1], kept[2])
            del self._outlines[directory]
            self._changed.add("directories")
        found, has_links = self._listed(directory)
        is_listed_since = bool(state) and state[0] == self._tree.stamp(directory)
        # What a link leads to may change while the directory that the link is in does not.
        if is_listed_since and not has_links and is_settled(*state[:2]):
            self._outlines[directory] = (state, *found)
            self._changed.add("directories")
        return found

    def _listed(self, directory: str) -> tuple[Outline, bool]:
        listing = self._tree.listing(directory)
        return Outline(listing.build_file, listing.directories), listing.has_links

    def quotes(self, path: str, word: str) -> bool | None:
        """Whether a file has `"word"` or `'word'` in it; in rare cases it has not after all.
        None for a file that cannot be read."""
        text = word.encode("utf-8", "surrogateescape")
        if self._files is None or len(text) > _LONGEST_WORD or any(q in text for q in _QUOTES):
            content = self._content(path)
            return None if content is None else any(q + text + q in content for q in _QUOTES)
        checksums = self._checksums(path)
        return None if checksums is None else _checksum(text) in checksums

    def _checksums(self, path: str) -> bytes | None:
        """The checksums of all words that a file quotes: whatever stands between two quotes."""
        if self._words is None:
            self._words = self._read("words")
        full = f"{self._root}/{path}"
        kept = self._words.get(path)
        if kept is not None:
            if file_input(full)[2:] == kept[:3]:
                return kept[3]
            del self._words[path]
            self._changed.add("words")
        self._stamps.take(full)
        content = self._content(path)
        if content is None:
            return None
        words = {word for quote in _QUOTES for word in content.split(quote)}
        found = b"".join(sorted(_checksum(word) for word in words if len(word) <= _LONGEST_WORD))
        try:
            _, _, mtime, ctime, size = self._stamps.of(full)
        except UnsettledInputError:
            return found
        self._words[path] = (mtime, ctime, size, found)
        self._changed.add("words")
        return found

    def _content(self, path: str) -> bytes | None:
        try:
            return self._tree.read_bytes(path)
        except LoadingError:
            return None

    def _read(self, what: str) -> dict[str, Any]:
        data = self._files.read(f"{self._name}.{what}") if self._files is not None else None
        if data is None:
            return {}
        try:
            kept = marshal.loads(data)
        except (ValueError, EOFError, TypeError):
            return {}
        return kept if isinstance(kept, dict) else {}

    def save(self) -> None:
        """Writes what is new. A disk that is full or read-only is no error."""
        if self._files is None:
            return
        for what, kept in (("directories", self._outlines), ("words", self._words)):
            if what in self._changed and kept is not None:
                self._files.write(f"{self._name}.{what}", marshal.dumps(kept))
        self._changed.clear()


def _state_of(directory: str) -> _State:
    """What changes when a directory gets or loses an entry, or a link leads to another one."""
    try:
        status = os.stat(directory)
    except OSError:
        return ()
    return (status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def _checksum(word: bytes) -> bytes:
    return crc32(word).to_bytes(4, "little")
