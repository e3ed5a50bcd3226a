"""One line on a terminal that tells what a run is doing, and how far it has come."""

from __future__ import annotations

import contextlib
import signal
import time
from types import FrameType
from typing import TextIO

from bazelscope.render.visible import visible

_SILENT_SECONDS = 0.3
_SECONDS_BETWEEN = 0.1
_CLEAR = "\r\x1b[K"


class ProgressLine:
    """Writes `loading packages: 120 of 623` over itself; nothing for work that is over at once.

    It is written anew as work goes on, and where nobody counts, by the clock: a search that
    takes long is not silent.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._started = time.monotonic()
        self._shown_at = 0.0
        self._phases: list[tuple[str, str]] = []
        """Each with what is done of it."""
        self._visible = False
        self._is_done = False

    def begin(self, phase: str) -> None:
        """A phase begins."""
        self._phases.append((phase, ""))
        self._show()

    def count(self, done: int, total: int) -> None:
        """So much of the last phase is done."""
        if self._phases and done:
            amount = f": {done:,} of {total:,}" if total else f": {done:,}"
            self._phases[-1] = (self._phases[-1][0], amount)
            self._show()

    def end(self) -> None:
        """The last phase is over."""
        if self._phases:
            self._phases.pop()

    def _show(self) -> None:
        now = time.monotonic()
        if self._is_done or not self._phases:
            return
        if now - self._started < _SILENT_SECONDS or now - self._shown_at < _SECONDS_BETWEEN:
            return
        counted = [one for one in self._phases if one[1]]
        phase, amount = counted[-1] if counted else self._phases[-1]
        self._stream.write(f"{_CLEAR}{visible(phase)}{amount}")
        self._stream.flush()
        self._shown_at = now
        self._visible = True

    def tick(self) -> None:
        """Shows the phase by the clock too, where the system has one. Not by a thread: a process
        with two is not forked."""
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, self._on_alarm)
            signal.setitimer(signal.ITIMER_REAL, _SILENT_SECONDS, _SECONDS_BETWEEN)

    def _on_alarm(self, number: int, frame: FrameType | None) -> None:
        with contextlib.suppress(RuntimeError):  # It was being written just now.
            self._show()

    def clear(self) -> None:
        """Removes the line; what is written next may follow."""
        if self._visible:
            self._stream.write(_CLEAR)
            self._stream.flush()
            self._visible = False

    def close(self) -> None:
        """Removes the line for good."""
        self._is_done = True
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
        self.clear()
