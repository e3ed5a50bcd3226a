"""Ctrl-C: the process ends with one word and exit code 130, wherever it is."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from types import FrameType

EXIT_INTERRUPTED = 130

_WORD = b"interrupted\n"
_CLEAR = b"\r\x1b[K"


def take_over() -> None:
    """Ends this process at the next Ctrl-C. Where interrupts were ignored (a job in the
    background), they still are."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, _end)


def say_so() -> None:
    """Writes the word, over a line of progress if there is one."""
    with contextlib.suppress(OSError):
        os.write(2, (_CLEAR if os.isatty(2) else b"") + _WORD)


def _end(number: int, frame: FrameType | None) -> None:
    # No exception: it would have to pass through all that is going on, imports, callbacks and
    # Python's own ending included, and each can print it or take it for its own. Files that
    # are kept between runs are written under another name first, so that none is left half.
    # What is being imported has started no workers yet, and may still be without its names.
    workers = getattr(sys.modules.get("multiprocessing"), "active_children", list)
    for process in workers():
        process.kill()
    say_so()
    os._exit(EXIT_INTERRUPTED)
