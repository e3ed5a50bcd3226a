"""Many small things in one file that one run keeps for the next, each under a key.

A file for each would take a file system longer to make than most of them take to be found
out again. The file (see `kept_files`) has a head with an index; each thing has a checksum of
its own, and is read when it is asked for.
"""

from __future__ import annotations

import hashlib
import marshal
import mmap
from collections.abc import Iterator, Mapping

from bazelscope.kept.kept_files import KeptFiles

_LARGEST = 64 << 20

_Index = dict[str, tuple[int, int, bytes]]
"""Offset, length and checksum of what is kept under a key."""


class KeptPack:
    """What `files` keep under `name`; `put` adds to it, and `save` writes it."""

    def __init__(self, files: KeptFiles, name: str) -> None:
        self._files = files
        self._name = name
        self._fresh: dict[str, bytes] = {}
        self._index: _Index = {}
        self._content: mmap.mmap | None = None
        self._start = 0
        self._open()

    def get(self, key: str) -> bytes | None:
        """What was kept under a key, or put in this run; None where it is not here, or is
        damaged."""
        fresh = self._fresh.get(key)
        if fresh is not None:
            return fresh
        content = self._read(key)
        if content is None:
            self._index.pop(key, None)
        return content

    def has(self, key: str) -> bool:
        """Whether anything is kept under a key, good or bad."""
        return key in self._fresh or key in self._index

    def put(self, key: str, content: bytes) -> None:
        """Keeps something that was just made; `save` writes it."""
        self._fresh[key] = content

    def take(self) -> Mapping[str, bytes]:
        """Takes out what was put since the last time, for another process to put."""
        fresh, self._fresh = self._fresh, {}
        return fresh

    def save(self) -> None:
        """Writes what is new, and what others have written meanwhile stays; what was put
        first goes first where all would be too much. A disk that is full or read-only is no
        error."""
        if not self._fresh:
            return
        self._open()
        index: _Index = {}
        parts: list[bytes] = []
        offset = 0
        for key, content in (*self._fresh.items(), *self._kept()):
            if offset + len(content) <= _LARGEST:
                index[key] = (offset, len(content), _digest(content))
                parts.append(content)
                offset += len(content)
        self._files.write(self._name, marshal.dumps(index), parts)
        self._fresh = {}
        self._open()

    def _kept(self) -> Iterator[tuple[str, bytes]]:
        for key in self._index:
            if key not in self._fresh:
                content = self._read(key)
                if content is not None:
                    yield key, content

    def _read(self, key: str) -> bytes | None:
        entry = self._index.get(key)
        if entry is None or self._content is None:
            return None
        offset, length, digest = entry
        start = self._start + offset
        content = self._content[start : start + length]
        return content if _digest(content) == digest else None

    def _open(self) -> None:
        """Reads the head of the file, which stays mapped, if there is a sound one."""
        found = self._files.map(self._name)
        if found is None:
            return
        head, content, start = found
        try:
            index = marshal.loads(head)
        except (ValueError, EOFError, TypeError):
            return  # Written by another Python.
        if isinstance(index, dict):
            self._index, self._content, self._start = index, content, start


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=16).digest()
