"""Keeps compiled programs on disk, by content: a file that has not changed is never parsed.

The programs of one project lie in one file, by its toolchain (see `kept.pack`)."""

from __future__ import annotations

import contextlib
import importlib.util
import marshal
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from bazelscope.base import grammars
from bazelscope.base.hashes import blake2b
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.source import Location, SourceFile
from bazelscope.kept.kept_files import KeptFiles, name_of
from bazelscope.kept.pack import MEGABYTE, Fresh, Pack
from bazelscope.starlark.compile.program import LoadStatement, Program, compile_program
from bazelscope.starlark.syntax.file_kind import FileKind

_LARGEST = 64 * MEGABYTE
_COMPILER = ("compile", "run/helpers.py", "syntax")


@lru_cache(maxsize=1)
def _toolchain() -> bytes:
    """A hash of everything that turns text into code: this package's files, grammar, Python."""
    state = blake2b(importlib.util.MAGIC_NUMBER)
    state.update(grammars.text("starlark").encode("utf-8"))
    package = Path(__file__).parents[1]
    with contextlib.suppress(OSError):  # a zipped package: its version must do
        for name in _COMPILER:
            path = package / name
            for file in sorted(path.glob("*.py")) if path.is_dir() else (path,):
                state.update(file.read_bytes())
    return state.digest()


@lru_cache(maxsize=64)
def _names_digest(predeclared: frozenset[str]) -> bytes:
    return blake2b("\0".join(sorted(predeclared)).encode("utf-8")).digest()


class TextRules(NamedTuple):
    """What a host asks of a text. `name` tells apart what may come out otherwise; `run` raises
    where the text must not be parsed. Where names are bound late, one that the file binds is the
    predeclared one until then."""

    name: str
    run: Callable[[SourceFile], None]
    binds_late: bool = False


class ProgramCache:
    """The programs of one project in a directory, which is created if need be, for the user
    alone; those that `put` adds are written by `save`.

    `problem` says why the directory cannot be used; the cache then finds and keeps nothing.
    """

    def __init__(self, directory: Path, project: str = "") -> None:
        self.directory = directory
        self.arriving: Callable[[], bool] | None = None
        """Is asked before anything is compiled: adds what another process has compiled, and
        returns whether that was anything."""
        self._files = KeptFiles(directory)
        self._pack = Pack(self._files, name_of((_toolchain(), project)), _LARGEST)

    @property
    def problem(self) -> str | None:
        return self._files.problem

    def get(
        self,
        source: SourceFile,
        kind: FileKind,
        predeclared: frozenset[str],
        check: TextRules | None = None,
    ) -> Program | None:
        """The program of `source`, or None if it is not here or not to be trusted."""
        data = self._pack.get(_name(source, kind, predeclared, check))
        if data is None:
            return None
        try:
            return _unpack(source.path, kind, marshal.loads(data))
        except (ValueError, EOFError, TypeError, KeyError, IndexError):
            return None

    def put(
        self,
        source: SourceFile,
        predeclared: frozenset[str],
        program: Program,
        check: TextRules | None = None,
    ) -> None:
        """Keeps `program`, whose text has passed the check."""
        if self.problem is None:
            name = _name(source, program.kind, predeclared, check)
            self._pack.put(name, marshal.dumps(_pack(program)))

    def save(self) -> None:
        """Writes what was put. A full or read-only disk is no error, only a slower next time."""
        self._pack.save()

    def take(self) -> Fresh:
        """Takes out what was put since the last time, for another process to `add`."""
        return self._pack.take()

    def add(self, taken: Fresh) -> None:
        """Puts what another process has compiled."""
        self._pack.add(taken)


def load_program(
    source: SourceFile,
    kind: FileKind,
    predeclared: frozenset[str],
    cache: ProgramCache | None = None,
    check: TextRules | None = None,
) -> Program:
    """The program of `source`, compiled or out of `cache`; of what is there, the text has passed
    the `check`.

    `predeclared` are the names that the host will provide. Raises StarlarkError where the
    file does not parse or resolve, and whatever the check raises.
    """
    if cache is not None:
        kept = cache.get(source, kind, predeclared, check)
        if kept is None and cache.arriving is not None and cache.arriving():
            kept = cache.get(source, kind, predeclared, check)
        if kept is not None:
            return kept
    if check is not None:
        check.run(source)
    binds_late = check is not None and check.binds_late
    program = compile_program(source, kind, predeclared, binds_late=binds_late)
    if cache is not None:
        cache.put(source, predeclared, program, check)
    return program


@lru_cache(maxsize=1)
def _name(
    source: SourceFile, kind: FileKind, predeclared: frozenset[str], check: TextRules | None = None
) -> str:
    state = blake2b(_toolchain())
    state.update(_names_digest(predeclared))
    state.update(f"{check.name if check else ''}\0".encode())
    state.update(f"{kind.value}\0{source.path}\0".encode("utf-8", "surrogatepass"))
    state.update(source.text.encode("utf-8", "surrogatepass"))
    return state.hexdigest()[:40]


def _pack(program: Program) -> tuple[Any, ...]:
    loads = tuple(
        (load.module, load.bindings, load.location.line, load.location.column)
        for load in program.loads
    )
    return (
        program.digest, program.chunks, loads, program.globals, program.statements,
        program.lines, tuple(sorted(program.shadowing)),
    )  # fmt: skip


def _unpack(path: str, kind: FileKind, data: Any) -> Program:
    digest, chunks, loads, names, statements, lines, shadowing = data
    statements_of_loads = tuple(
        LoadStatement(module, bindings, Location(path, line, column))
        for module, bindings, line, column in loads
    )
    return Program(
        path, kind, digest, chunks, statements_of_loads, names, statements,
        lines, frozenset(shadowing),
    )  # fmt: skip
