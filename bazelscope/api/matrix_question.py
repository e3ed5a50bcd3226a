"""How `matrix` is asked: cells are dealt to processes of this machine, or to a Dask cluster."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
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
from bazelscope.base.errors import BazelscopeError
from bazelscope.flags.commandline import CommandLine
from bazelscope.questions.matrix.answer import Axis, MatrixAnswer, MatrixQuestion
from bazelscope.questions.matrix.find import axes_of, coordinates, folded

if TYPE_CHECKING:
    from bazelscope.api.opened_workspace import OpenedWorkspace

_BUILD = ("always", "common", "build")
"""The sections of rc files that count for the lines of a matrix."""
_MOST_BELOW, _MOST_IN_ALL = 1_000, 20_000
"""So many targets are looked at for what Bazel refuses: of a cell, and of all."""
_TO_LOAD = 8
"""To load the packages of lines that load alike takes as long as so many cells."""


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
    chunks = list(chunks_of(workspace, question, arguments, axes, places, tuple(words), workers))
    if scheduler is not None:
        from bazelscope.api.dask_cells import on_cluster

        results, notes = on_cluster(chunks, scheduler, str(workspace.root))
    elif workers > 1 and len(chunks) > 1:
        results, notes = in_processes(chunks, workers)
    else:
        results = {number: result for chunk in chunks for number, result in run_chunk(chunk)}
        notes = ()
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


def chunks_of(
    workspace: OpenedWorkspace,
    question: MatrixQuestion,
    arguments: tuple[str, ...],
    axes: Sequence[Axis],
    places: Sequence[tuple[str, ...]],
    words: tuple[str, ...],
    workers: int,
) -> Iterator[Chunk]:
    """The cells at `places`, dealt to so many workers."""
    names = [axis.name for axis in axes]
    tree = tree_digest(workspace.root)
    base = Lines(
        str(workspace.directory),
        workspace.bazel_version,
        workspace.host,
        tuple(sorted(workspace.environment.items())),
        str(workspace.cache_dir) if workspace.cache_dir is not None else None,
        workspace.limits,
        workspace.files.also,
        tree,
    )
    most_below = min(_MOST_BELOW, _MOST_IN_ALL // len(places))
    groups: dict[Lines, list[CellQuestion]] = {}
    named = LineInForce(workspace, CommandLine("build", words, ())).rc_files.config_names(_BUILD)
    for number, place in enumerate(places):
        at = dict(zip(names, place, strict=True))
        lines = replace(
            base, version=at.get("versions") or base.version, host=at.get("hosts") or base.host
        )
        configs = configs_of(at.get("configs", ""), frozenset(named))
        line = (*words, *(f"--config={one}" for one in configs if one != "none"))
        groups.setdefault(lines, []).append(CellQuestion(number, line))
    hosts = {lines.host for lines in groups}
    parts = workers if len(hosts) > 1 else -(-workers // len(groups))
    alike: dict[tuple[str, ...], object] = {}
    for lines, cells in groups.items():
        for cell in cells if parts > 1 else ():
            if cell.words not in alike:
                alike[cell.words] = _loading_key(workspace, cell.words)
        for dealt in _dealt(cells, alike, parts):
            yield Chunk(lines, question, arguments, tuple(dealt), most_below)


def configs_of(text: str, named: Collection[str]) -> Iterator[str]:
    """The configs that are on together, as `opt+g++` says: a name that rc files define may have
    a plus in it."""
    parts = text.split("+")
    while parts:
        ends = range(len(parts), 1, -1)
        end = next((end for end in ends if "+".join(parts[:end]) in named), 1)
        if one := "+".join(parts[:end]):
            yield one
        parts = parts[end:]


def _loading_key(workspace: OpenedWorkspace, words: tuple[str, ...]) -> object:
    """What tells lines apart that load other packages; None of one that cannot be taken."""
    try:
        return LineInForce(workspace, CommandLine("build", words, ())).loading_options.key()
    except BazelscopeError:
        return None


def _dealt(
    cells: Sequence[CellQuestion], alike: Mapping[tuple[str, ...], object], parts: int
) -> Iterator[list[CellQuestion]]:
    """Cells in at most so many parts. What lines load alike is loaded by one process, which is
    most of the work: the same one on each host, where hosts are asked one after another and
    take most packages from one another."""
    sets: dict[object, list[CellQuestion]] = {}
    for cell in cells:
        sets.setdefault(alike.get(cell.words), []).append(cell)
    size = len(cells) if len(sets) >= parts else -(-len(cells) // parts)
    pieces = [
        one[start : start + size] for one in sets.values() for start in range(0, len(one), size)
    ]
    dealt: list[list[CellQuestion]] = [[] for _ in range(min(parts, len(pieces)))]
    work = [0] * len(dealt)
    for piece in sorted(pieces, key=len, reverse=True):
        least = work.index(min(work))
        dealt[least] += piece
        work[least] += len(piece) + _TO_LOAD
    yield from dealt


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
