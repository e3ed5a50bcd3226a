"""Phases of a run and their counts, in the format that Chrome (`chrome://tracing`) and Perfetto
read: a list of events, times in microseconds."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable

_MICRO = 1_000_000


class Trace:
    """Takes down phases; `text` is all of them."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._began = clock()
        self._open: list[tuple[str, int, int]] = []
        self._events: list[dict[str, object]] = []

    def _now(self) -> int:
        return int((self._clock() - self._began) * _MICRO)

    def _event(self, kind: str, name: str, at: int, **more: object) -> None:
        process = os.getpid()
        self._events.append(
            {"name": name, "ph": kind, "ts": at, "pid": process, "tid": process, **more}
        )

    def begin(self, phase: str) -> None:
        """A phase begins."""
        self._open.append((phase, self._now(), 0))

    def count(self, done: int, total: int) -> None:
        """So much of the last phase is done."""
        if self._open:
            name, began, _ = self._open[-1]
            self._open[-1] = (name, began, done)
            self._event("C", name, self._now(), args={"done": done})

    def end(self) -> None:
        """The last phase is over."""
        if self._open:
            name, began, done = self._open.pop()
            args = {"args": {"done": done}} if done else {}
            self._event("X", name, began, dur=self._now() - began, **args)

    def text(self) -> str:
        """The trace as JSON. Phases that are not over end here."""
        while self._open:
            self.end()
        return json.dumps({"traceEvents": self._events, "displayTimeUnit": "ms"})
