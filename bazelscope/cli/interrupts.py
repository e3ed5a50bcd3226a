"""Ctrl-C: the process ends with one word and exit code 130, wherever it is."""

from __future__ import annotations

# `signal` itself would make enumerations first, which takes as long as to print a kept answer.
import _signal as signal  # type: ignore[import-not-found]
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

EXIT_INTERRUPTED = 130

_WORD = b"interrupted\n"
_CLEAR = b"\r\x1b[K"


def take_over() -> None:
    """Ends this process at the next Ctrl-C. Where interrupts were ignored (a job in the
    background), they still are."""
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        signal.signal(signal.SIGINT, _end)


def say_so() -> None:
    """Writes the word, over a line of progress if there is one."""
    try:
        os.write(2, (_CLEAR if os.isatty(2) else b"") + _WORD)
    except OSError:
        return


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
