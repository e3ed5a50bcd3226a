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
from bisect import bisect, insort
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
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
Follow = Callable[[PackageId], Iterable[PackageId]]
"""Returns which packages are wanted besides now that one has been evaluated, here or elsewhere."""
Size = Callable[[PackageId], int]
"""Returns about how many bytes there are to evaluate."""

_IDLE_SECONDS = 2.0
"""A process that is given nothing for so long ends: whoever asks has its answer by then."""
_AHEAD = 1 << 15
"""Bytes that a process is given before it has returned the first: it hardly waits for more, and
little waits behind something long. Behind that waits one package of fewer bytes, since this process
may be busy when the other one is done."""
_LEAST = 1 << 13
"""As many bytes count for a package at least."""


def cores() -> int:
    """Returns how many processes may evaluate at once: 1 where forking is not to be had or not
    safe."""
    if not hasattr(os, "fork") or threading.active_count() > 1:
        return 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


_Sized = tuple[int, PackageId]


def _bytes(sized: _Sized) -> int:
    return sized[0]


class Evaluators:
    """`count` processes that `evaluate` packages and return what `take_out` has then."""

    def __init__(
        self, count: int, evaluate: Evaluate, take_out: TakeOut, size: Size = lambda package: 0
    ) -> None:
        from multiprocessing import get_context

        context = get_context("fork")
        self._size = size
        self._connections: dict[Connection, deque[_Sized]] = {}
        """What each process was given and has not returned."""
        self._processes = []
        for _ in range(count):
            ours, theirs = context.Pipe()
            process = context.Process(
                target=_work, args=(theirs, ours, evaluate, take_out), daemon=True
            )
            process.start()
            theirs.close()
            self._connections[ours] = deque()
            self._processes.append(process)

    @property
    def are_there(self) -> bool:
        """Whether one of the processes was still there when it was last given something."""
        return bool(self._connections)

    def run(
        self,
        packages: Sequence[PackageId],
        evaluate: Evaluate,
        take_in: TakeIn,
        follow: Follow | None = None,
    ) -> None:
        """Evaluates the packages and all that `follow`, here by `evaluate` and in the other
        processes, whose results `take_in` is given. A package that another process could not
        evaluate is left out."""
        from multiprocessing.connection import wait

        left = sorted(map(self._sized, reversed(packages)), key=_bytes)
        # What is begun last should be short: the others wait for it. While it is not known what
        # follows, what is evaluated here should be: nobody else is given anything meanwhile.
        next = -1 if follow is None else 0
        while True:
            done = []
            self._hand_out(left)
            if left:
                done = [left.pop(next)[1]]
                evaluate(done[0])
            # All that has arrived: the others, which follow nothing, evaluate more than one
            # package in the time that this process takes for one.
            while waiting := [at for at, given in self._connections.items() if given]:
                arrived = wait(waiting, 0 if left or done else None)
                if not arrived:
                    break
                for connection in arrived:
                    done += self._collect(connection, take_in)  # type: ignore[arg-type]
            if not (left or done):
                return
            if follow is not None:
                for further in chain.from_iterable(map(follow, done)):
                    insort(left, self._sized(further), key=_bytes)

    def _sized(self, package: PackageId) -> _Sized:
        return max(self._size(package), _LEAST), package

    def _hand_out(self, left: list[_Sized]) -> None:
        for connection, given in tuple(self._connections.items()):
            # The last one is for this process, which would only wait.
            while len(left) > 1:
                at = len(left) - 1
                if sum(map(_bytes, given)) >= _AHEAD:
                    at = bisect(left, _AHEAD, key=_bytes) - 1
                    if len(given) > 1 or at < 1:
                        break
                try:
                    connection.send_bytes(marshal.dumps(tuple(left[at][1])))
                except OSError:
                    del self._connections[connection]
                    break
                given.append(left.pop(at))

    def _collect(self, connection: Connection, take_in: TakeIn) -> tuple[PackageId, ...]:
        """Takes in what a process returns first, and returns which package that is."""
        try:
            content = connection.recv_bytes()
        except (OSError, EOFError):
            # What a process that died was given is evaluated when it is asked for.
            del self._connections[connection]
            return ()
        _, package = self._connections[connection].popleft()
        take_in(marshal.loads(content))
        return (package,)

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
