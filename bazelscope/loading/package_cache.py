"""Evaluated packages on disk, for the next run.

One file holds the packages of one workspace under one set of options: a checked header with
an index, then the packages, each with a checksum of its own and read when it is asked for.
The directory belongs to the user alone (mode 0700); a file that anybody else could have
written, or that is damaged, is as good as none. Bazel keeps its packages in a server's memory
instead; a process that ends needs them on disk.
"""

from __future__ import annotations

import contextlib
import hashlib
import marshal
import mmap
import os
import stat
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from bazelscope.label import PackageId
from bazelscope.loading.inputs import Input
from bazelscope.loading.package_codec import ClassTable, decode_package, encode_package
from bazelscope.loading.package_data import PackageData
from bazelscope.loading.rule_classes import NativeRules

_MAGIC = b"bazelscope-packages-1\n"
_HEAD = len(_MAGIC) + 32 + 8
_FILES_KEPT = 24


@dataclass(frozen=True, slots=True)
class WorldInputs:
    """What every package of the main repository rests on: what WORKSPACE evaluation read, and
    the directories that belong to other repositories."""

    inputs: tuple[Input, ...]
    foreign: tuple[str, ...]


class PackageCache:
    """The packages of one workspace under one set of options."""

    def __init__(self, directory: Path, key: Iterable[object], rules: NativeRules) -> None:
        name = hashlib.sha256(repr((code_digest(), *key)).encode("utf-8", "surrogatepass"))
        self._directory = directory
        self._path = directory / f"{name.hexdigest()[:40]}.packages"
        self._content: mmap.mmap | None = None
        self._start = 0
        self._index: dict[tuple[str, str], tuple[int, int, bytes, tuple[int, ...]]] = {}
        self._inputs: list[Input] = []
        self._fresh: dict[PackageId, tuple[PackageData, tuple[Input, ...]]] = {}
        self._stale: set[tuple[str, str]] = set()
        self.world: WorldInputs | None = None
        entries: dict[bytes, bytes] = {}
        header = self._open()
        if header is not None:
            self._index, self._inputs, entries, world = header
            if world is not None:
                self.world = WorldInputs(tuple(world[0]), tuple(world[1]))
        self._classes = ClassTable(rules, entries)

    def get(self, package: PackageId, holds: Callable[[Input], bool]) -> PackageData | None:
        """The package as it was kept, if all that it was made from still holds."""
        key = (package.repository, package.package)
        entry = self._index.get(key)
        if entry is None or self._content is None:
            return None
        offset, length, digest, numbers = entry
        inputs = self._inputs
        if not all(holds(inputs[number]) for number in numbers):
            self._stale.add(key)
            return None
        start = self._start + offset
        content = self._content[start : start + length]
        if hashlib.blake2b(content, digest_size=16).digest() != digest:
            self._stale.add(key)
            return None
        try:
            return decode_package(content, self._classes)
        except (ValueError, KeyError, TypeError, EOFError, IndexError):
            self._stale.add(key)
            return None

    def has(self, package: PackageId, holds: Callable[[Input], bool]) -> bool:
        """Whether `get` would find the package, unless it is damaged."""
        entry = self._index.get((package.repository, package.package))
        return entry is not None and all(holds(self._inputs[number]) for number in entry[3])

    def forget(self) -> None:
        """Drops all that was kept: what everything rests on has changed."""
        self._index = {}
        self._inputs = []

    def put(self, data: PackageData, inputs: tuple[Input, ...]) -> None:
        """Keeps a package that was just evaluated; `save` writes it."""
        self._fresh[data.id] = (data, inputs)

    def save(self, world: WorldInputs) -> None:
        """Writes what is new. A disk that is full or read-only is no error."""
        if not self._fresh or _unusable(self._directory):
            return
        numbers: dict[Input, int] = {}
        index: dict[tuple[str, str], tuple[int, int, bytes, tuple[int, ...]]] = {}
        parts: list[bytes] = []
        offset = 0

        def add(package: tuple[str, str], content: bytes, inputs: Iterable[Input]) -> None:
            nonlocal offset
            found = tuple([numbers.setdefault(item, len(numbers)) for item in inputs])
            digest = hashlib.blake2b(content, digest_size=16).digest()
            index[package] = (offset, len(content), digest, found)
            parts.append(content)
            offset += len(content)

        for package, (at, length, _, old) in self._index.items():
            if package in self._stale or PackageId(*package) in self._fresh:
                continue
            if self._content is not None:
                start = self._start + at
                kept = self._content[start : start + length]
                add(package, kept, [self._inputs[number] for number in old])
        for fresh, (data, inputs) in self._fresh.items():
            try:
                add((fresh.repository, fresh.package), encode_package(data, self._classes), inputs)
            except ValueError:
                continue  # something that marshal cannot write: evaluate it again next time
        header = marshal.dumps(
            (
                index,
                list(numbers),
                self._classes.entries,
                (world.inputs, world.foreign),
            )
        )
        self._write(header, parts)
        self._fresh = {}

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
            _prune(self._directory)
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
        return loaded if isinstance(loaded, tuple) and len(loaded) == 4 else None


@cache
def code_digest() -> str:
    """A hash of the code and the tables that evaluate packages: another one, another result."""
    state = hashlib.sha256()
    root = resources.files("bazelscope")
    for folder in ("loading", "starlark"):
        pending = [root / folder]
        while pending:
            for entry in sorted(pending.pop().iterdir(), key=lambda entry: entry.name):
                if entry.is_dir():
                    if entry.name != "__pycache__":
                        pending.append(entry)
                else:
                    state.update(entry.name.encode("utf-8"))
                    state.update(entry.read_bytes())
    state.update((root / "label.py").read_bytes())
    return state.hexdigest()


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


def _prune(directory: Path) -> None:
    """Leaves the files of the workspaces and options that were used last."""
    files = [(path.stat().st_mtime, path) for path in directory.glob("*.packages")]
    for _, path in sorted(files)[:-_FILES_KEPT]:
        with contextlib.suppress(OSError):
            path.unlink()
