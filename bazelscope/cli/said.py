"""What a run writes on its streams and through a pager: heard while it does, and said again."""

from __future__ import annotations

import io
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # See `kept_answers`.
    from collections.abc import Callable
    from pathlib import Path
    from typing import IO, Any

Said = list[tuple[int, bytes, str]]
"""What was written: whereto, what, and for a pager the workspace's root."""

_OUT, _ERR, _PAGED = 0, 1, 2

_said: Said | None = None


def note_paged(data: bytes, root: Path) -> None:
    """Takes note of what a pager has shown."""
    if _said is not None:
        _said.append((_PAGED, data, str(root)))


class _Copied(io.BufferedIOBase):
    """A stream of bytes of which a copy is taken."""

    def __init__(self, stream: IO[bytes], number: int, said: Said) -> None:
        self._stream, self._number, self._said = stream, number, said

    @property
    def name(self) -> str:
        return self._stream.name

    def write(self, data: Any) -> int:
        written = self._stream.write(data)
        self._said.append((self._number, bytes(data), ""))
        return written

    def flush(self) -> None:
        self._stream.flush()

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()


def listening(said: Said, answer: Callable[[], int]) -> int:
    """Takes note of what is written meanwhile."""
    global _said
    before = sys.stdout, sys.stderr
    copies = []
    for number, stream in enumerate(before):
        copies.append(
            io.TextIOWrapper(
                _Copied(stream.buffer, number, said),
                stream.encoding,
                stream.errors,
                line_buffering=bool(stream.line_buffering),
                write_through=True,
            )
        )
    sys.stdout, sys.stderr = copies
    _said = said
    try:
        return answer()
    finally:
        _said = None
        sys.stdout, sys.stderr = before
        for copy in copies:
            copy.detach()


def say(said: Said) -> None:
    """Writes what a run has written. Raises `OSError`."""
    for number, data, root in said:
        if number == _PAGED:
            from pathlib import Path

            from bazelscope.cli import pager

            if pager.wants_pager(data) and pager.show(data, Path(root)):
                continue
        stream = sys.stderr if number == _ERR else sys.stdout
        stream.flush()
        stream.buffer.write(data)
        stream.buffer.flush()
