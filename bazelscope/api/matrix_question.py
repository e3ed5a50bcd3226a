"""How `matrix` is asked: cells are dealt to processes of this machine, or to a Dask cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from bazelscope.api.line_in_force import LineInForce
from bazelscope.api.matrix_cells import (
    CellQuestion,
    Chunk,
    Lines,
    Results,
    forget,
    run_chunk,
    tree_digest,
)
from bazelscope.flags.commandline import CommandLine
from bazelscope.questions.matrix.answer import Axis, MatrixAnswer, MatrixQuestion
from bazelscope.questions.matrix.find import axes_of, coordinates, folded

if TYPE_CHECKING:
    from bazelscope.api.opened_workspace import OpenedWorkspace

Run = Callable[[Sequence[Chunk]], tuple[Results, tuple[str, ...]]]
"""Answers chunks: the results by number of cell, and what was met on the way."""


def matrix(
    workspace: OpenedWorkspace,
    question: MatrixQuestion,
    arguments: tuple[str, ...],
    over: Sequence[str],
    words: Sequence[str],
    processes: int | None = 1,
    scheduler: str | None = None,
) -> MatrixAnswer:
    """Answers `question` in each cell of the axes `over`, with `words` on every line. Raises
    `UsageError`."""
    axes = axes_of(over)
    places = coordinates(axes)
    workers = 1 if scheduler is not None else max(processes or cores(), 1)
    chunks = list(_chunks(workspace, question, arguments, axes, places, tuple(words), workers))
    run: Run
    if scheduler is not None:
        from bazelscope.api.dask_cells import on_cluster

        def run(chunks: Sequence[Chunk]) -> tuple[Results, tuple[str, ...]]:
            return on_cluster(chunks, scheduler, str(workspace.root))

    elif workers > 1 and len(chunks) > 1:

        def run(chunks: Sequence[Chunk]) -> tuple[Results, tuple[str, ...]]:
            return in_processes(chunks, workers)

    else:
        run = here
    results, notes = run(chunks)
    forget()
    missing = [number for number in range(len(places)) if number not in results]
    assert not missing, f"{len(missing)} cells were lost"
    envelope = LineInForce(workspace, CommandLine("build", tuple(words), ())).envelope
    ordered = [results[number] for number in range(len(places))]
    return folded(envelope, question, arguments, axes, places, ordered, notes)


def cores() -> int:
    """The cores that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def _chunks(
    workspace: OpenedWorkspace,
    question: MatrixQuestion,
    arguments: tuple[str, ...],
    axes: Sequence[Axis],
    places: Sequence[tuple[str, ...]],
    words: tuple[str, ...],
    workers: int,
) -> Iterator[Chunk]:
    names = [axis.name for axis in axes]
    tree = tree_digest(workspace.root)
    base = Lines(
        str(workspace.directory),
        workspace.given_version,
        workspace.host,
        tuple(sorted(workspace.environment.items())),
        str(workspace.cache_dir) if workspace.cache_dir is not None else None,
        workspace.limits,
        workspace.files.also,
        tree,
    )
    groups: dict[Lines, list[CellQuestion]] = {}
    for number, place in enumerate(places):
        at = dict(zip(names, place, strict=True))
        lines = replace(
            base, version=at.get("versions") or base.version, host=at.get("hosts") or base.host
        )
        configs = [one for one in at.get("configs", "").split("+") if one and one != "none"]
        line = (*words, *(f"--config={one}" for one in configs))
        groups.setdefault(lines, []).append(CellQuestion(number, line))
    # What a host and a release load, a process loads once: they are split only where there are
    # fewer of them than processes.
    parts = -(-workers // len(groups))
    for lines, cells in groups.items():
        size = -(-len(cells) // parts)
        for start in range(0, len(cells), size):
            yield Chunk(lines, question, arguments, tuple(cells[start : start + size]))


def here(chunks: Sequence[Chunk]) -> tuple[Results, tuple[str, ...]]:
    """Answers all chunks in this process."""
    return {number: result for chunk in chunks for number, result in run_chunk(chunk)}, ()


def in_processes(chunks: Sequence[Chunk], workers: int) -> tuple[Results, tuple[str, ...]]:
    """Answers chunks in processes of their own, which share what is kept on disk; what a
    process that dies has not answered is answered here."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from concurrent.futures.process import BrokenProcessPool

    results: Results = {}
    context = multiprocessing.get_context("spawn")
    notes: tuple[str, ...] = ()
    with ProcessPoolExecutor(min(workers, len(chunks)), mp_context=context) as pool:
        try:
            for future in as_completed([pool.submit(run_chunk, chunk) for chunk in chunks]):
                results.update(future.result())
        except BrokenProcessPool:
            notes = ("A process that answered cells was ended; they were asked again.",)
    for chunk in chunks:
        if any(cell.number not in results for cell in chunk.cells):
            results.update(run_chunk(chunk))
    return results, notes
