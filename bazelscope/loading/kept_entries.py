"""What one run found out, on disk for the next: entries that hold as long as their inputs do.

One file holds the entries of one workspace under one set of options: a checked header with an
index, then the entries, each with a checksum of its own and read when it is asked for. The
directory belongs to the user alone (mode 0700); a file that anybody else could have written, or
that is damaged, is as good as none. Bazel keeps what it found in a server's memory instead; a
process that ends needs it on disk.
"""

from __future__ import annotations

import contextlib
import hashlib
import marshal
import mmap
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from bazelscope import grammars
from bazelscope.loading.inputs import Input

_MAGIC = b"bazelscope-kept-1\n"
_HEAD = len(_MAGIC) + 32 + 8
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
        self._directory = directory
        self._kind = kind
        self._path = directory / f"{name.hexdigest()[:40]}.{kind}"
        self._content: mmap.mmap | None = None
        self._start = 0
        self._index: dict[Key, tuple[int, int, bytes, tuple[int, ...]]] = {}
        self._inputs: list[Input] = []
        self._fresh: dict[Key, tuple[bytes, bytes, tuple[Input, ...]]] = {}
        self.extra: Any = None
        """What was saved besides the entries."""
        header = self._open()
        if header is not None:
            self._index, self._inputs, self.extra = header

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
        if not self._fresh or _unusable(self._directory):
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
        self._write(marshal.dumps((index, list(numbers), extra)), parts)
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

    def _write(self, header: bytes, parts: list[bytes]) -> None:
        temporary = self._path.with_name(f"{self._path.name}.{os.getpid()}.tmp")
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
            descriptor = os.open(temporary, flags, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(_MAGIC)
                file.write(hashlib.sha256(header).digest())
                file.write(len(header).to_bytes(8, "little"))
                file.write(header)
                file.writelines(parts)
            temporary.replace(self._path)
            _prune(self._directory, self._kind)
        except OSError:
            with contextlib.suppress(OSError):
                temporary.unlink()

    def _open(self) -> tuple[Any, ...] | None:
        """The header of the file, which stays mapped; None if there is no sound one."""
        if _unusable(self._directory):
            return None
        try:
            descriptor = os.open(self._path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        except OSError:
            return None
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode) or _is_foreign(status):
                return None
            if status.st_size < _HEAD:
                return None
            content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        length = int.from_bytes(content[_HEAD - 8 : _HEAD], "little")
        header = content[_HEAD : _HEAD + length]
        is_sound = (
            content[: len(_MAGIC)] == _MAGIC
            and hashlib.sha256(header).digest() == content[len(_MAGIC) : _HEAD - 8]
        )
        if not is_sound:
            content.close()
            return None
        self._content = content
        self._start = _HEAD + length
        try:
            loaded = marshal.loads(header)
        except (ValueError, EOFError, TypeError):
            return None
        return loaded if isinstance(loaded, tuple) and len(loaded) == 3 else None


@cache
def code_digest(*packages: str) -> str:
    """A hash of some of bazelscope's packages, by default of the code and the tables that
    evaluate files: another one, another result."""
    state = hashlib.sha256()
    root = resources.files("bazelscope")
    for folder in packages or ("loading", "starlark"):
        pending = [root / folder]
        while pending:
            for entry in sorted(pending.pop().iterdir(), key=lambda entry: entry.name):
                if entry.is_dir():
                    if entry.name != "__pycache__":
                        pending.append(entry)
                else:
                    state.update(entry.name.encode("utf-8"))
                    state.update(entry.read_bytes())
    for name in ("label.py", "unknown.py", "errors.py", "source.py"):
        state.update((root / name).read_bytes())
    state.update(grammars.text("starlark").encode("utf-8"))
    return state.hexdigest()


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=16).digest()


def _unusable(directory: Path) -> bool:
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = directory.lstat()
    except OSError:
        return True
    return not stat.S_ISDIR(status.st_mode) or _is_foreign(status)


def _is_foreign(status: os.stat_result) -> bool:
    """Whether anybody but the user could have written it, on systems that can tell."""
    if not hasattr(os, "geteuid"):
        return False
    return status.st_uid != os.geteuid() or bool(status.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


def _prune(directory: Path, kind: str) -> None:
    """Leaves the files of the workspaces and options that were used last."""
    files = [(path.stat().st_mtime, path) for path in directory.glob(f"*.{kind}")]
    for _, path in sorted(files)[:-_FILES_KEPT]:
        with contextlib.suppress(OSError):
            path.unlink()
