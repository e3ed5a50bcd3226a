"""What one run found out, on disk for the next: entries that hold as long as their inputs do.

One file (see `kept_files`) holds the entries of one workspace under one set of options: a head
with an index, then the entries, each with a checksum of its own and read when it is asked for.
Bazel keeps what it found in a server's memory instead; a process that ends needs it on disk.
"""

from __future__ import annotations

import hashlib
import marshal
import mmap
import os
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from bazelscope.base import grammars
from bazelscope.kept.kept_files import KeptFiles
from bazelscope.loading.cache.file_stamps import Input

_MAGIC = b"bazelscope-kept-1\n"
_FILES_KEPT = 24
_LARGEST = 256 << 20

Key = tuple[str, ...]
Holds = Callable[[Input], bool]
_Entry = tuple[Key, bytes, bytes, Iterable[Input]]


class KeptEntries:
    """The entries of one file. `kind` is the end of its name; `key` is what all of them depend
    on, besides their inputs and the code of bazelscope itself: of what evaluates files, and of
    the packages `code`."""

    def __init__(
        self, directory: Path, key: Iterable[object], kind: str, code: tuple[str, ...] = ()
    ) -> None:
        made_by = (code_digest(), *map(code_digest, code))
        name = hashlib.sha256(repr((*made_by, *key)).encode("utf-8", "surrogatepass"))
        self._files = KeptFiles(directory, _MAGIC, _FILES_KEPT)
        self._name = f"{name.hexdigest()[:40]}.{kind}"
        self._content: mmap.mmap | None = None
        self._start = 0
        self._index: dict[Key, tuple[int, int, bytes, tuple[int, ...]]] = {}
        self._inputs: list[Input] = []
        self._fresh: dict[Key, tuple[bytes, bytes, tuple[Input, ...]]] = {}
        self.extra: Any = None
        """What was saved besides the entries."""
        self._open()

    def get(self, key: Key, holds: Holds) -> bytes | None:
        """The entry as it was kept, if all that it was made from still holds."""
        entry = self._index.get(key)
        if entry is None or self._content is None:
            return None
        offset, length, digest, numbers = entry
        inputs = self._inputs
        for number in numbers:
            if not holds(inputs[number]):
                self.drop(key)
                return None
        content = self._at(offset, length)
        if _digest(content) != digest:
            self.drop(key)
            return None
        return content

    def has(self, key: Key, holds: Holds) -> bool:
        """Whether `get` would find the entry, unless it is damaged."""
        entry = self._index.get(key)
        return entry is not None and all(holds(self._inputs[number]) for number in entry[3])

    def drop(self, key: Key) -> None:
        """Drops an entry that no longer holds, or cannot be read."""
        self._index.pop(key, None)

    def forget(self) -> None:
        """Drops all that was kept: what everything rests on has changed."""
        self._index = {}
        self._inputs = []

    def put(self, key: Key, content: bytes, inputs: tuple[Input, ...]) -> None:
        """Keeps an entry that was just made; `save` writes it."""
        self._fresh[key] = (content, _digest(content), inputs)

    def digest(self, key: Key) -> bytes | None:
        """The checksum of an entry that was put, or got, in this run."""
        fresh = self._fresh.get(key)
        if fresh is not None:
            return fresh[1]
        return self._index[key][2] if key in self._index else None

    def save(self, extra: Any = None) -> None:
        """Writes what is new. A disk that is full or read-only is no error."""
        if not self._fresh:
            return
        numbers: dict[Input, int] = {}
        index: dict[Key, tuple[int, int, bytes, tuple[int, ...]]] = {}
        parts: list[bytes] = []
        offset = 0
        for key, content, digest, inputs in (*self._fresh_entries(), *self._old_entries()):
            if offset + len(content) > _LARGEST:
                continue
            found = tuple([numbers.setdefault(item, len(numbers)) for item in inputs])
            index[key] = (offset, len(content), digest, found)
            parts.append(content)
            offset += len(content)
        head = marshal.dumps((index, list(numbers), extra))
        self._files.write(self._name, head, parts)
        self._fresh = {}

    def _fresh_entries(self) -> Iterator[_Entry]:
        for key, (content, digest, inputs) in self._fresh.items():
            yield key, content, digest, inputs

    def _old_entries(self) -> Iterator[_Entry]:
        """As they stand in the file: a damaged one keeps the checksum that it fails."""
        for key, (offset, length, digest, numbers) in self._index.items():
            if key not in self._fresh:
                inputs = [self._inputs[number] for number in numbers]
                yield key, self._at(offset, length), digest, inputs

    def _at(self, offset: int, length: int) -> bytes:
        assert self._content is not None
        start = self._start + offset
        return self._content[start : start + length]

    def _open(self) -> None:
        """Reads the head of the file, which stays mapped, if there is a sound one."""
        found = self._files.map(self._name)
        if found is None:
            return
        head, content, start = found
        try:
            self._index, self._inputs, self.extra = marshal.loads(head)
        except (ValueError, EOFError, TypeError):
            return
        self._content = content
        self._start = start


@cache
def code_digest(*packages: str) -> str:
    """A hash that changes with the files of some of bazelscope's packages, by default those
    that evaluate files: another code, another result. It goes by the files' sizes and stamps,
    since to read a megabyte of them takes longer than many an answer."""
    state = hashlib.sha256()
    for path in (*(packages or _EVALUATION), *_EVERYWHERE):
        for file in _files_below(_PACKAGE / path):
            status = file.stat()
            stamps = (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
            state.update(repr((str(file), stamps)).encode("utf-8", "surrogatepass"))
    state.update(grammars.text("starlark").encode("utf-8"))
    return state.hexdigest()


_PACKAGE = Path(__file__).resolve().parents[2]
_EVALUATION = ("loading", "starlark", "bazel")
_EVERYWHERE = ("base",)


def _files_below(path: Path) -> list[Path]:
    """A file, or every file of a folder, sorted."""
    if path.is_file():
        return [path]
    found: list[Path] = []
    for folder, inner, files in os.walk(path):
        inner[:] = [name for name in inner if name != "__pycache__"]
        found += [Path(folder, name) for name in files]
    return sorted(found)


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=16).digest()
