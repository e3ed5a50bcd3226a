"""Compiles a tree's files on another core while WORKSPACE and the first packages are evaluated,
which no two cores can share: one of them needs the other.

Nobody knows yet which files a question will come to; those that most depends on are compiled
first, and a wrong guess costs time that no core had a use for.
"""

from __future__ import annotations

import gc
import marshal
import mmap
import struct
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING
from zlib import crc32

from bazelscope.base import phases
from bazelscope.base.errors import BazelscopeError, LoadingError
from bazelscope.base.graph_walk import walk
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.loading.evaluators import cores
from bazelscope.loading.tree.contents import BUILD_FILE_NAMES
from bazelscope.loading.tree.workspace_files import Workspace

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

    from bazelscope.loading.cache.kept_tree import KeptTree
    from bazelscope.starlark.compile.program_cache import ProgramCache

_WORTH_A_PROCESS = 8
"""Files that this process has compiled before another one begins: small trees have no more."""
_LARGEST = 64 << 20
"""Bytes that the process hands over at the most."""
_LONGEST = 1 << 20
"""Bytes of a file: to compile a longer one takes memory that a guess is not worth."""
_HEAD = struct.Struct("<II")
_LOADED = lazy_pattern(rb"""load\(\s*["'](//[^"':]*)?:([^"':]+\.bzl)["']""")
_ASKED = lazy_pattern(r"""(?:^(?=[^\s:@/(),'"-])|(?<![@\w:])//)([^\s:(),'"]*)""")
"""A package that a word names: a pattern, or an expression that has some."""
_NAMED = lazy_pattern(rb"""["']//([^"':@{}%*]*)[:"']""")

Compile = Callable[[str, bool], object]
"""Compiles the file at a path, a BUILD file or not, into the cache of this process."""


class CompiledAhead:
    """What another process compiles, for `cache` to take in. Where there is one core, or no
    `fork`, nothing is."""

    def __init__(
        self,
        cache: ProgramCache,
        workspace: Workspace,
        tree: KeptTree,
        compile: Compile,
        asked: Iterable[str],
    ) -> None:
        """`asked` are words of the question: what lies near the packages that they name is
        compiled first."""
        self._cache = cache
        self._files = _Files(workspace, tree, asked)
        self._compile = compile
        self._misses = 0
        self._process: BaseProcess | None = None
        self._shared: mmap.mmap | None = None
        """Records of the other process, each a head (its length, its checksum) and programs."""
        self._read = 0

    def take_in(self) -> bool:
        """Takes in what was compiled since the last time, and returns whether anything was. Is
        asked before a file is compiled here: after a few of them the process begins."""
        self._misses += 1
        if self._misses == _WORTH_A_PROCESS and cores() > 1:
            self._begin()
        if self._shared is None:
            return False
        before = self._read
        while True:
            length, checksum = _HEAD.unpack_from(self._shared, self._read)
            start = self._read + _HEAD.size
            content = self._shared[start : start + length]
            if not length or crc32(content) != checksum:
                return self._read > before
            self._cache.add(marshal.loads(content))
            self._read = start + length

    def end(self) -> None:
        """Ends the process, and begins none: the core is needed."""
        self._cache.arriving = None
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self.take_in()
            self._process = self._shared = None

    def _begin(self) -> None:
        from multiprocessing import get_context

        try:
            self._shared = mmap.mmap(-1, _LARGEST)
            self._process = get_context("fork").Process(target=self._work, daemon=True)
            self._process.start()
        except OSError:
            self._process = self._shared = None

    def _work(self) -> None:
        gc.freeze()
        phases.silence()
        import signal  # Dear, and most runs have nothing to compile.

        signal.signal(signal.SIGINT, signal.SIG_IGN)
        assert self._shared is not None
        written = 0
        self._cache.take()
        self._cache.arriving = None
        for path, is_build in self._files:
            with suppress(BazelscopeError, RecursionError, MemoryError):
                self._compile(path, is_build)
            content = marshal.dumps(self._cache.take())
            end = written + _HEAD.size + len(content)
            # Behind the last record there is room for a head that says so.
            if end + _HEAD.size > _LARGEST:
                return
            self._shared[written + _HEAD.size : end] = content
            _HEAD.pack_into(self._shared, written, len(content), crc32(content))
            written = end


class _File(NamedTuple):
    """A file to compile; what leads to it is not told apart from it."""

    path: str
    is_build: bool

    @property
    def target(self) -> _File:
        return self


class _Files:
    """The BUILD files of a workspace, and the `.bzl` files of it that they load: those near what
    was asked about, then those whose length times the number of files that rest on them is
    greatest."""

    def __init__(self, workspace: Workspace, tree: KeptTree, asked: Iterable[str]) -> None:
        self._workspace = workspace
        self._tree = tree
        self._asked = asked

    def __iter__(self) -> Iterator[_File]:
        near = set()
        packages = [
            package.removesuffix("...").rstrip("/")
            for word in self._asked
            for package in _ASKED.findall(word)
        ]
        for visit in walk(self._build_files_of(packages), self._named_in):
            near.add(visit.node)
            if len(self._read(visit.node.path)) <= _LONGEST:
                yield visit.node
        yield from (file for file in self._weighty() if file not in near)

    def _named_in(self, file: _File) -> Iterator[_File]:
        """Yields the files that a file loads, and the BUILD files of the packages it names."""
        text = self._read(file.path)
        directory = file.path.rpartition("/")[0]
        for package, name in _LOADED.findall(text):
            path = f"{package.decode('latin-1') or directory}/{name.decode('latin-1')}"
            yield _File(path.lstrip("/"), is_build=False)
        if file.is_build:
            yield from self._build_files_of(
                package.decode("latin-1") for package in _NAMED.findall(text)
            )

    def _build_files_of(self, packages: Iterable[str]) -> Iterator[_File]:
        for package in dict.fromkeys(packages):
            for name in BUILD_FILE_NAMES:
                if self._workspace.is_file(path := f"{package}/{name}".lstrip("/")):
                    yield _File(path, is_build=True)
                    break

    def _weighty(self) -> Iterator[_File]:
        sizes: dict[str, int] = {}
        loads: Counter[str] = Counter()
        for directory, path in self._build_files():
            text = self._read(path)
            sizes[path] = len(text)
            for package, name in set(_LOADED.findall(text)):
                base = package.decode("latin-1") or directory
                loads[f"{base}/{name.decode('latin-1')}".lstrip("/")] += 1
        weights = [(size, path, True) for path, size in sizes.items()]
        for path, count in loads.items():
            size = len(self._read(path))
            weights.append((size * count, path, False))
            sizes[path] = size
        for weight, path, is_build in sorted(weights, reverse=True):
            if weight and sizes[path] <= _LONGEST:
                yield _File(path, is_build)

    def _build_files(self) -> Iterator[tuple[str, str]]:
        pending = [""]
        while pending:
            directory = pending.pop()
            outline = self._tree.outline(directory)
            prefix = f"{directory}/" if directory else ""
            if outline.build_file is not None:
                yield directory, prefix + outline.build_file
            pending.extend(prefix + name for name in outline.directories if name != ".git")

    def _read(self, path: str) -> bytes:
        try:
            return self._workspace.read_bytes(path)
        except LoadingError:
            return b""
