"""Cells of a matrix on a Dask cluster, whose workers see the tree at the same path."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from bazelscope.api.matrix_cells import Chunk, Results, run_chunk, sees_tree
from bazelscope.base.errors import Diagnostic, UsageError

_PATIENCE = 10
"""Seconds in which a scheduler has to answer."""
_ALONE = 20
"""Seconds without any worker, after which the rest is answered here."""


def on_cluster(chunks: Sequence[Chunk], address: str, root: str) -> tuple[Results, tuple[str, ...]]:
    """Answers each cell on some worker that sees the tree at `root`; those that do not are
    named. What a worker that dies has not answered goes to another. Raises `UsageError` where
    the scheduler does not answer, or no worker sees the tree."""
    client = _client(address)
    try:
        return _answered(client, chunks, address, root)
    except (OSError, TimeoutError) as error:
        raise _unusable(f"the scheduler {address} no longer answers: {error}") from None
    finally:
        client.close(timeout=_PATIENCE)


def _client(address: str) -> Any:
    try:
        import distributed
    except ImportError:
        raise UsageError(
            Diagnostic(
                "matrix",
                "a scheduler needs Dask, which is not installed",
                hint="pip install 'bazelscope[dask]'",
            )
        ) from None
    made: list[Any] = []

    def connect() -> None:
        with suppress(OSError, ValueError, TimeoutError, ImportError):
            client: Any = distributed.Client  # It has types for some of its parts only.
            words = {"timeout": _PATIENCE, "set_as_default": False, "name": "bazelscope matrix"}
            made.append(client(address, **words))

    # Of what takes a connection and says nothing, Dask waits for ever, whatever its `timeout`.
    connecting = threading.Thread(target=connect, name="connecting", daemon=True)
    connecting.start()
    connecting.join(2 * _PATIENCE)
    if not made:
        raise _unusable(f"the scheduler {address} does not answer")
    return made[0]


def _answered(
    client: Any, chunks: Sequence[Chunk], address: str, root: str
) -> tuple[Results, tuple[str, ...]]:
    seen = client.run(sees_tree, root, chunks[0].lines.tree, on_error="return")
    if not seen:
        raise _unusable(f"the scheduler {address} has no workers")
    able = sorted(worker for worker, sees in seen.items() if sees is True)
    notes = [
        f"{worker} does not see this tree at {root}, and got no cells"
        if sees is False
        else f"{worker} cannot run bazelscope ({type(sees).__name__}), and got no cells"
        for worker, sees in sorted(seen.items())
        if sees is not True
    ]
    if not able:
        raise _unusable(f"no worker of {address} sees this tree at {root}")
    run = uuid.uuid4().hex
    cells = [
        Chunk(chunk.lines, chunk.question, chunk.arguments, (cell,), chunk.most_below)
        for chunk in chunks
        for cell in chunk.cells
    ]
    futures = {
        client.submit(
            run_chunk,
            one,
            key=f"bazelscope-{run}-{one.cells[0].number}",
            workers=able,
            pure=False,
            retries=3,
        ): one
        for one in cells
    }
    results: Results = {}
    alone = 0.0
    pending = set(futures)
    while pending:
        done = [future for future in pending if future.done()]
        for future in done:
            pending.discard(future)
            if future.status == "finished":
                # Should a worker that was given up for lost answer after all, it is the same.
                for number, result in future.result():
                    results.setdefault(number, result)
        if not pending:
            break
        if not done:
            time.sleep(0.05)
            workers = client.scheduler_info(n_workers=-1)["workers"]
            alone = 0.0 if set(workers) & set(able) else alone or time.monotonic()
            if alone and time.monotonic() - alone > _ALONE:
                break
    lost = sorted(set(able) - set(client.scheduler_info(n_workers=-1)["workers"]))
    notes += [f"{worker} was lost on the way; others answered its cells" for worker in lost]
    for one in cells:
        if one.cells[0].number not in results:
            results.update(run_chunk(one))
    return results, tuple(notes)


def _unusable(message: str) -> UsageError:
    return UsageError(Diagnostic("matrix", message))
