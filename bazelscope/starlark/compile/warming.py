"""Compiles many files at once, on every core, into a program cache."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterable, Mapping, Sequence

from bazelscope.base.errors import StarlarkError
from bazelscope.base.source import SourceFile
from bazelscope.kept.pack import Key
from bazelscope.starlark.compile.program import compile_program
from bazelscope.starlark.compile.program_cache import ProgramCache
from bazelscope.starlark.syntax.tree import FileKind

Job = tuple[SourceFile, FileKind, frozenset[str]]
"""A file, what kind it is, and the names predeclared for it."""

_BATCH_CHARACTERS = 100_000
_WORTH_A_PROCESS = 300_000


def warm(jobs: Iterable[Job], cache: ProgramCache, workers: int | None = None) -> int:
    """Makes sure that the programs of `jobs` are in `cache`; returns how many were compiled.

    A file that does not compile is left out: whoever loads it gets its error. Work is spread
    over processes only where that pays and is safe (a forking system, one thread).
    """
    if cache.problem is not None:
        return 0
    missing = [job for job in jobs if not cache.has(*job)]
    missing.sort(key=lambda job: len(job[0].text), reverse=True)
    if not missing:
        return 0
    # Imported here, because most runs find every program in the cache.
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    count = workers if workers is not None else os.cpu_count() or 1
    total = sum(len(job[0].text) for job in missing)
    forking = "fork" in multiprocessing.get_all_start_methods() and os.name == "posix"
    if count < 2 or total < _WORTH_A_PROCESS or not forking or threading.active_count() > 1:
        return _compile(missing, cache)
    from bazelscope.starlark.syntax import parser

    parser.prepare(cache)  # once here, not once in every process
    batches = _batches(missing)
    context = multiprocessing.get_context("fork")
    try:
        with ProcessPoolExecutor(count, mp_context=context, initializer=_work_for,
                                 initargs=(cache, batches)) as pool:  # fmt: skip
            # Ctrl-C reaches every process of a terminal; to end the workers is our matter.
            former = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            try:
                compiled = pool.map(_compile_batch, range(len(batches)))
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, former)
            try:
                return sum(map(cache.add, compiled))
            except BaseException:
                for process in multiprocessing.active_children():
                    process.kill()
                raise
    except (OSError, BrokenProcessPool):
        return _compile([job for job in missing if not cache.has(*job)], cache)


_work: tuple[ProgramCache, Sequence[Sequence[Job]]] | None = None


def _work_for(cache: ProgramCache, batches: Sequence[Sequence[Job]]) -> None:
    """Runs in each new process, which inherits the texts without copying them."""
    global _work
    _work = (cache, batches)


def _compile_batch(number: int) -> Mapping[Key, bytes]:
    assert _work is not None
    cache, batches = _work
    cache.take()
    _compile(batches[number], cache)
    return cache.take()


def _compile(jobs: Sequence[Job], cache: ProgramCache) -> int:
    count = 0
    for source, kind, predeclared in jobs:
        try:
            program = compile_program(source, kind, predeclared)
        except StarlarkError:
            continue
        cache.put(source, predeclared, program)
        count += 1
    return count


def _batches(jobs: Sequence[Job]) -> list[list[Job]]:
    """`jobs`, largest first, in pieces of about equal work."""
    batches: list[list[Job]] = []
    size = _BATCH_CHARACTERS
    for job in jobs:
        if size >= _BATCH_CHARACTERS:
            batches.append([])
            size = 0
        batches[-1].append(job)
        size += len(job[0].text)
    return batches
