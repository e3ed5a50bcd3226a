"""What is kept of the workspace's tree for the next run: which directories there are, and which
words its BUILD files quote. To walk a large tree and to read every BUILD file for one name takes
longer than most questions; to see that all of them are as they were takes a tenth of it.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING
from zlib import crc32

from bazelscope.base.errors import LoadingError
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.kept.pack import Pack, Table
from bazelscope.loading.tree.contents import is_settled

if TYPE_CHECKING:
    from bazelscope.loading.tree.workspace_files import FileTree

_LONGEST_WORD = 200
_QUOTES = (b'"', b"'")


class Outline(NamedTuple):
    """What a directory means to packages: its BUILD file, if it has one, the directories that a
    pattern goes on into, why it cannot be read, if so, and its links to directories outside."""

    build_file: str | None
    directories: tuple[str, ...]
    problem: str = ""
    outside: tuple[str, ...] = ()


class KeptTree:
    """The outlines of a tree's directories, and the words that its files quote.

    `pack` has what earlier runs found; with None, nothing is kept.
    """

    def __init__(self, tree: FileTree, pack: Pack | None = None) -> None:
        self._tree = tree
        self._root = str(tree.root)
        self._disk = tree.disk
        space = tree.disk.space
        self._outlines: Table | None = None
        """By directory: its stamp, its BUILD file, its directories."""
        self._last: dict[str, Outline] = {}
        self._words: Table | None = None
        """By file: its stamp, the checksums of the words that it quotes."""
        if pack is not None:
            self._outlines, self._words = (
                pack.table(f"{space}directories"),
                pack.table(f"{space}words"),
            )

    def outline(self, directory: str) -> Outline:
        """The outline of a directory; all above it are known to be directories of the tree."""
        outline = self._last[directory] = self._outline_now(directory)
        return outline

    def last_outline(self, directory: str) -> Outline:
        """The outline of a directory as it was when somebody last asked for it."""
        return self._last.get(directory) or self.outline(directory)

    def _outline_now(self, directory: str) -> Outline:
        if self._outlines is None:
            return self._listed(directory)[0]
        kept = self._outlines.get(directory)
        stamp = self._disk.stamp(f"{self._root}/{directory}" if directory else self._root)
        if kept is not None and stamp and stamp == kept[0]:
            return Outline(kept[1], kept[2])
        outline, has_links = self._listed(directory)
        # What a link leads to may change while the directory that the link is in does not.
        if stamp and stamp == self._tree.stamp(directory) and not has_links and is_settled(stamp):
            self._outlines.put(directory, (stamp, outline.build_file, outline.directories))
        elif kept is not None:
            self._outlines.put(directory, None)
        return outline

    def _listed(self, directory: str) -> tuple[Outline, bool]:
        listing = self._tree.listing(directory)
        outline = Outline(listing.build_file, listing.walked, listing.problem, listing.outside)
        return outline, listing.has_links

    def quotes(self, path: str, word: str) -> bool | None:
        """Whether a file has `"word"` or `'word'` in it; in rare cases it has not after all.
        None for a file that cannot be read."""
        try:
            text = word.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            return False  # Half a character, as JSON may have it: no file has one.
        if self._words is None or len(text) > _LONGEST_WORD or any(q in text for q in _QUOTES):
            content = self._content(path)
            return None if content is None else any(q + text + q in content for q in _QUOTES)
        checksums = self._checksums(path, self._words)
        return None if checksums is None else crc32(text).to_bytes(4, "little") in checksums

    def _checksums(self, path: str, words: Table) -> bytes | None:
        """The checksums of all words that a file quotes: whatever stands between two quotes."""
        stamp = self._disk.stamp(f"{self._root}/{path}")
        kept = words.get(path)
        if kept is not None and stamp and stamp == kept[0]:
            known: bytes = kept[1]
            return known
        was_settled = is_settled(stamp)
        content = self._content(path)
        if content is None:
            return None
        quoted = set[bytes]().union(*map(content.split, _QUOTES))
        numbers = sorted([crc32(word) for word in quoted if len(word) <= _LONGEST_WORD])
        checksums = struct.pack(f"<{len(numbers)}I", *numbers)
        if stamp and was_settled and stamp == self._disk.stamp(f"{self._root}/{path}"):
            words.put(path, (stamp, checksums))
        elif kept is not None:
            words.put(path, None)
        return checksums

    def _content(self, path: str) -> bytes | None:
        try:
            return self._tree.read_bytes(path)
        except LoadingError:
            return None
