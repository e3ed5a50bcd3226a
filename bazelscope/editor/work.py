"""One thread that does one piece of work at a time, so that nothing it works on is shared.

Requests come first, in the order in which they came. Work in the background is done in steps,
and only while nobody waits; newer work of the same name supersedes what is not done yet. A step
that can is left as soon as somebody waits, and begun again.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from typing import Any, TypeVar

from bazelscope.base.budget import GaveWayError

_T = TypeVar("_T")

Steps = Callable[[], Iterator[None]]
"""Work in the background: it may be put aside at each step, and in the middle of one by
`GaveWayError`, after which it is begun anew."""
_MOST_IN_A_ROW = 50


class Worker:
    """Begins with the first piece of work; ends with `close`, or with the process.

    `report` hears of exceptions of work that nobody waits for.
    """

    def __init__(self, report: Callable[[BaseException], None]) -> None:
        self._report = report
        self._requests: deque[tuple[Future[Any], Callable[[], Any]]] = deque()
        self._waiting: dict[str, Steps] = {}
        self._running: dict[str, tuple[Steps, Iterator[None]]] = {}
        self._condition = threading.Condition()
        self._thread: threading.Thread | None = None
        self._is_closed = False
        self._in_a_row = 0

    def is_waited_for(self) -> bool:
        """Whether a request waits for the step that is being done, and has not done so too often:
        who asks all the time still has all work done once."""
        return bool(self._requests) and self._in_a_row < _MOST_IN_A_ROW

    def ask(self, work: Callable[[], _T]) -> Future[_T]:
        """Does some work as soon as what was asked before is done. To cancel the future before
        that takes the work back."""
        future: Future[_T] = Future()
        with self._condition:
            self._requests.append((future, work))
            self._wake()
        return future

    def in_background(self, name: str, steps: Steps) -> None:
        """Does work when nothing else is asked, instead of earlier work of that name."""
        with self._condition:
            self._running.pop(name, None)
            self._waiting.pop(name, None)
            self._waiting[name] = steps
            self._wake()

    def close(self) -> None:
        """Takes no more work and does not end what waits."""
        with self._condition:
            self._is_closed = True
            self._condition.notify_all()

    def _wake(self) -> None:
        if self._thread is None and not self._is_closed:
            self._thread = threading.Thread(target=self._run, name="answers", daemon=True)
            self._thread.start()
        self._condition.notify_all()

    def _run(self) -> None:
        while True:
            with self._condition:
                while not (self._requests or self._waiting or self._running or self._is_closed):
                    self._condition.wait()
                if self._is_closed:
                    return
                request = self._requests.popleft() if self._requests else None
            if request is not None:
                self._answer(*request)
            else:
                self._step()

    @staticmethod
    def _answer(future: Future[Any], work: Callable[[], Any]) -> None:
        if not future.set_running_or_notify_cancel():
            return
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    def _step(self) -> None:
        with self._condition:
            for begun in tuple(self._waiting):
                work = self._waiting.pop(begun)
                self._running[begun] = work, work()
            if not self._running:
                return
            name, running = next(iter(self._running.items()))
        try:
            next(running[1])
        except GaveWayError:
            self._in_a_row += 1
            with self._condition:
                if self._running.get(name) is running:
                    self._running[name] = running[0], running[0]()
            return
        except (StopIteration, CancelledError):
            pass
        except BaseException as error:
            self._report(error)
        else:
            self._in_a_row = 0
            return
        with self._condition:
            if self._running.get(name) is running:
                del self._running[name]
