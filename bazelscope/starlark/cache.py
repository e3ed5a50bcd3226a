"""Keeps compiled programs on disk, by content: a file that has not changed is never parsed.

The cache holds code objects, and loading a forged one would run it. So the directory must
belong to the user and be writable by nobody else, as must every entry; what fails this is
not read. An entry carries a checksum: a damaged or truncated one is a miss, and rewritten.
Entries are written to a temporary file and renamed, so processes may share a cache.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import marshal
import os
import stat
from functools import lru_cache
from pathlib import Path
from typing import Any

from bazelscope import grammars
from bazelscope.source import Location, SourceFile
from bazelscope.starlark.program import LoadStatement, Program
from bazelscope.starlark.syntax import FileKind
from bazelscope.starlark.tables import Tables, from_plain, to_plain

_MAGIC = b"bazelscope-program-1\n"
_COMPILER = (
    "compiler", "emitter", "expressions", "helpers", "lexer", "literals", "parser", "program",
    "resolver", "syntax", "tables", "tree_builder",
)  # fmt: skip


@lru_cache(maxsize=1)
def _toolchain() -> bytes:
    """A hash of everything that turns text into code: this package's files, grammar, Python."""
    state = hashlib.sha256(importlib.util.MAGIC_NUMBER)
    state.update(grammars.text("starlark").encode("utf-8"))
    for name in _COMPILER:
        with contextlib.suppress(OSError):  # a zipped package: its version must do
            state.update((Path(__file__).parent / f"{name}.py").read_bytes())
    return state.digest()


@lru_cache(maxsize=64)
def _names_digest(predeclared: frozenset[str]) -> bytes:
    return hashlib.sha256("\0".join(sorted(predeclared)).encode("utf-8")).digest()


class ProgramCache:
    """The programs in one directory, which is created if need be, for the user alone.

    `problem` says why the directory cannot be used; the cache then finds and keeps nothing.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.problem = _unusable(directory)

    def get(
        self, source: SourceFile, kind: FileKind, predeclared: frozenset[str]
    ) -> Program | None:
        """The program of `source`, or None if it is not here or not to be trusted."""
        if self.problem is not None:
            return None
        data = _read(self._path(source, kind, predeclared))
        if data is None:
            return None
        try:
            return _unpack(source.path, kind, marshal.loads(data))
        except (ValueError, EOFError, TypeError, KeyError, IndexError):
            return None

    def put(self, source: SourceFile, predeclared: frozenset[str], program: Program) -> None:
        """Keeps `program`; a full or read-only disk is no error, only a slower next time."""
        if self.problem is not None:
            return
        _write(self._path(source, program.kind, predeclared), marshal.dumps(_pack(program)))

    def tables(self) -> Tables | None:
        """The parser's tables, if they are kept here."""
        data = _read(self._tables_path()) if self.problem is None else None
        try:
            return None if data is None else from_plain(marshal.loads(data))
        except (ValueError, EOFError, TypeError):
            return None

    def put_tables(self, tables: Tables) -> None:
        """Keeps the parser's tables."""
        if self.problem is None:
            _write(self._tables_path(), marshal.dumps(to_plain(tables)))

    def _tables_path(self) -> Path:
        return self.directory / "tables" / _toolchain().hex()[:40]

    def has(self, source: SourceFile, kind: FileKind, predeclared: frozenset[str]) -> bool:
        """Whether there is an entry for `source`, good or bad."""
        return self.problem is None and self._path(source, kind, predeclared).exists()

    def _path(self, source: SourceFile, kind: FileKind, predeclared: frozenset[str]) -> Path:
        state = hashlib.sha256(_toolchain())
        state.update(_names_digest(predeclared))
        state.update(f"{kind.value}\0{source.path}\0".encode("utf-8", "surrogatepass"))
        state.update(source.text.encode("utf-8", "surrogatepass"))
        name = state.hexdigest()
        return self.directory / name[:2] / name[2:40]


def _unusable(directory: Path) -> str | None:
    """Creates the directory if need be; says why it must not be used, if so."""
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = directory.lstat()
    except OSError as error:
        return f"cannot create {directory}: {error.strerror}"
    if not stat.S_ISDIR(status.st_mode):
        return f"{directory} is not a directory"
    return f"{directory} {_foreign(status)}" if _foreign(status) else None


def _foreign(status: os.stat_result) -> str | None:
    """Why a file or directory is not the user's alone to write, on systems that can tell."""
    if not hasattr(os, "geteuid"):
        return None
    if status.st_uid != os.geteuid():
        return "belongs to another user"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "is writable by others"
    return None


def _write(path: Path, data: bytes) -> None:
    """Writes an entry whole or not at all; a full or read-only disk is no error."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
        descriptor = os.open(temporary, flags, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(_MAGIC + hashlib.sha256(data).digest() + data)
        temporary.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink()


def _read(path: Path) -> bytes | None:
    """The payload of a sound entry."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode) or _foreign(status):
                return None
            data = file.read()
    except OSError:
        return None
    start = len(_MAGIC) + 32
    if not data.startswith(_MAGIC) or len(data) <= start:
        return None
    payload = data[start:]
    if hashlib.sha256(payload).digest() != data[len(_MAGIC) : start]:
        return None
    return payload


def _pack(program: Program) -> tuple[Any, ...]:
    loads = tuple(
        (load.module, load.bindings, load.location.line, load.location.column)
        for load in program.loads
    )
    return (
        program.digest, program.chunks, loads, program.globals, program.statements,
        tuple(sorted(program.shadowing)),
    )  # fmt: skip


def _unpack(path: str, kind: FileKind, data: Any) -> Program:
    digest, chunks, loads, names, statements, shadowing = data
    statements_of_loads = tuple(
        LoadStatement(module, bindings, Location(path, line, column))
        for module, bindings, line, column in loads
    )
    return Program(
        path, kind, digest, chunks, statements_of_loads, names, statements,
        frozenset(shadowing),
    )  # fmt: skip
