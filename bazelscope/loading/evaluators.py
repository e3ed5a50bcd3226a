"""Evaluates many packages on every core: forked processes work beside this one.

Each is a copy of this process from when the repositories were known. What it evaluates comes back
as the entries that it would have kept for the next run; this process takes them as if an earlier
run had kept them, so that an answer cannot depend on who evaluated what.
"""

from __future__ import annotations

import gc
import marshal
import os
import signal
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from bazelscope.base import phases
from bazelscope.base.label import PackageId

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Evaluate = Callable[[PackageId], object]
"""Evaluates a package; its result stays in the process that calls it."""
TakeOut = Callable[[], Any]
"""Takes out what was evaluated since the last time, as plain values."""
TakeIn = Callable[[Any], None]

_IDLE_SECONDS = 2.0
"""A process that is given nothing for so long ends: whoever asks has its answer by then."""
_AHEAD = 2
"""Packages that a process is given before it has returned the first: it never waits for more."""


def cores() -> int:
    """Returns how many processes may evaluate at once: 1 where forking is not to be had or not
    safe."""
    if not hasattr(os, "fork") or threading.active_count() > 1:
        return 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Evaluators:
    """`count` processes that `evaluate` packages and return what `take_out` has then."""

    def __init__(self, count: int, evaluate: Evaluate, take_out: TakeOut) -> None:
        from multiprocessing import get_context

        context = get_context("fork")
        self._connections: dict[Connection, int] = {}
        self._processes = []
        for _ in range(count):
            ours, theirs = context.Pipe()
            process = context.Process(
                target=_work, args=(theirs, ours, evaluate, take_out), daemon=True
            )
            process.start()
            theirs.close()
            self._connections[ours] = 0
            self._processes.append(process)

    @property
    def are_there(self) -> bool:
        """Whether one of the processes was still there when it was last given something."""
        return bool(self._connections)

    def run(self, packages: Sequence[PackageId], evaluate: Evaluate, take_in: TakeIn) -> None:
        """Evaluates the packages, here by `evaluate` and in the other processes, whose results
        `take_in` is given. A package that another process could not evaluate is left out."""
        from multiprocessing.connection import wait

        left = list(reversed(packages))
        while True:
            self._hand_out(left)
            if left:
                evaluate(left.pop())
            waiting = [at for at, count in self._connections.items() if count]
            if not waiting and not left:
                return
            for connection in wait(waiting, 0 if left else None):
                self._collect(connection, take_in)  # type: ignore[arg-type]

    def _hand_out(self, left: list[PackageId]) -> None:
        for connection in tuple(self._connections):
            # The last one is for this process, which would only wait.
            while len(left) > 1 and self._connections.get(connection, _AHEAD) < _AHEAD:
                try:
                    connection.send_bytes(marshal.dumps(tuple(left[-1])))
                except OSError:
                    del self._connections[connection]
                    break
                left.pop()
                self._connections[connection] += 1

    def _collect(self, connection: Connection, take_in: TakeIn) -> None:
        try:
            content = connection.recv_bytes()
        except (OSError, EOFError):
            # What a process that died was given is evaluated when it is asked for.
            del self._connections[connection]
            return
        self._connections[connection] -= 1
        take_in(marshal.loads(content))

    def close(self) -> None:
        """Ends the processes."""
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.join()
        for connection in self._connections:
            connection.close()
        self._connections = {}


def _work(own: Connection, others: Connection, evaluate: Evaluate, take_out: TakeOut) -> None:
    """What a process does: evaluates what it is given, until it is given nothing for a while."""
    # What is there now is never looked through for cycles: looking would copy its memory.
    gc.freeze()
    phases.silence()
    # Ctrl-C reaches every process of a terminal; the one that began this one ends it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    others.close()
    take_out()
    while own.poll(_IDLE_SECONDS):
        try:
            package = PackageId(*marshal.loads(own.recv_bytes()))
        except (OSError, EOFError):
            return
        evaluate(package)
        try:
            own.send_bytes(marshal.dumps(take_out()))
        except (OSError, ValueError):
            return
