"""A terminal that a test types into and reads: a pseudo terminal with a program on it.

Windows has none: there, tests that import this are skipped.
"""

from __future__ import annotations

import os
import re
import select
import signal
import struct
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

fcntl, pty, termios = (
    pytest.importorskip(name, reason="Windows has no pseudo terminals")
    for name in ("fcntl", "pty", "termios")
)

PATIENCE = 40.0
"""Seconds that a busy machine may take for an answer."""

_ESCAPES_BUT_WIPING = re.compile(r"\x1b\[[0-9;?]*[A-JL-Za-z]")
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|\x1b\][^\x07]*\x07|\x1b[=>]")


class Terminal:
    """A program on a terminal of so many columns, seen by what it writes there."""

    def __init__(
        self,
        words: Sequence[str],
        cwd: Path,
        environment: Mapping[str, str],
        columns: int = 80,
        rows: int = 24,
        patience: float = PATIENCE,
    ) -> None:
        self.output = ""
        self._patience = patience
        self.pid, self._terminal = pty.fork()
        if self.pid == 0:  # The child becomes the program.
            # Who runs the tests may ignore Ctrl-C, as shells do in the background.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.chdir(cwd)
            os.execvpe(words[0], list(words), dict(environment))
        size = struct.pack("HHHH", rows, columns, 0, 0)
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, size)

    def type(self, text: str) -> None:
        os.write(self._terminal, text.encode())

    def read_until(self, pattern: str) -> re.Match[str]:
        """Reads on until the pattern is in what has not been taken yet; takes it."""
        end = time.monotonic() + self._patience
        while True:
            found = re.search(pattern, self.output)
            if found:
                self.output = self.output[found.end() :]
                return found
            if time.monotonic() > end or not self._read(0.2):
                raise AssertionError(f"no {pattern!r} on the terminal, but {self.output!r}")

    def read_to_end(self) -> str:
        """All that is written until the program ends."""
        end = time.monotonic() + self._patience
        while self._read(0.2):
            if time.monotonic() > end:
                raise AssertionError(f"the program goes on; on the terminal is {self.output!r}")
        return self.output

    def wait(self) -> int:
        """The exit code, once all is read; a signal's number below zero."""
        self.read_to_end()
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def close(self) -> None:
        """Ends the program, if it runs."""
        try:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        except (ProcessLookupError, ChildProcessError):
            pass
        os.close(self._terminal)

    def _read(self, seconds: float) -> bool:
        """Reads what there is; False once the other side is closed."""
        poll = select.poll()  # select() takes no more than 1024 files.
        poll.register(self._terminal, select.POLLIN)
        if not poll.poll(seconds * 1000):
            return True
        try:
            data = os.read(self._terminal, 65536)
        except OSError:
            return False
        self.output += data.decode("utf-8", "replace")
        return bool(data)


def without_escapes(text: str) -> str:
    """What a person sees, roughly: no colours, and no line that was wiped out again."""
    text = re.sub(r"[^\n]*\r\x1b\[K", "", text)
    return _ESCAPES.sub("", text).replace("\r", "")


def screen(text: str) -> list[str]:
    """The lines that are on the screen in the end, without empty ones at the end: a line is
    written over from its start (`\\r`), and wiped out to its end (`ESC [K`)."""
    lines = [""]
    column = 0
    for piece in re.split(r"(\r|\n|\x1b\[K)", _ESCAPES_BUT_WIPING.sub("", text)):
        if piece == "\n":
            lines.append("")
        elif piece == "\r":
            column = 0
        elif piece == "\x1b[K":
            lines[-1] = lines[-1][:column]
        else:
            lines[-1] = lines[-1][:column] + piece + lines[-1][column + len(piece) :]
            column += len(piece)
        if piece == "\n":
            column = 0
    while lines and not lines[-1].strip():
        lines.pop()
    return lines
