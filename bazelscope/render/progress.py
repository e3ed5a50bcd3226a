"""One line on a terminal that tells how far long work has come."""

from __future__ import annotations

import time
from typing import TextIO

from bazelscope.render.visible import visible

_SILENT_SECONDS = 0.5
_SECONDS_BETWEEN = 0.1
_CLEAR = "\r\x1b[K"


class ProgressLine:
    """Writes `loading 120 of 623` over itself; nothing for work that is over at once."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._started = time.monotonic()
        self._shown_at = 0.0
        self._visible = False

    def update(self, what: str, done: int, total: int) -> None:
        """Shows that `done` of `total` (0: not known) are through with `what`."""
        now = time.monotonic()
        if not done:
            return
        if total and done >= total:
            self.clear()
            return
        if now - self._started < _SILENT_SECONDS or now - self._shown_at < _SECONDS_BETWEEN:
            return
        amount = f"{done} of {total}" if total else str(done)
        self._stream.write(f"{_CLEAR}{visible(what)} {amount}")
        self._stream.flush()
        self._shown_at = now
        self._visible = True

    def clear(self) -> None:
        """Removes the line."""
        if self._visible:
            self._stream.write(_CLEAR)
            self._stream.flush()
            self._visible = False
