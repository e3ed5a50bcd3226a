"""Work that is given up where it would keep a person waiting at the prompt."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

_T = TypeVar("_T")

_SECONDS_OF_WORK = 0.24
_SECONDS_OF_WAITING = 2.0


class OutOfTimeError(BaseException):
    """No `Exception`: what catches errors on the way must not take this for one."""


def within_time(work: Callable[[], _T]) -> _T | None:
    """What `work` returns; None if it fails, or takes more time than completion has.

    Time is counted as work of the processor, and more generously by the clock: on a busy
    machine nobody gets the better answer otherwise. Where there are no timers, none is set.
    """
    has_timers = hasattr(signal, "setitimer")
    if not has_timers or threading.current_thread() is not threading.main_thread():
        return _without_errors(work)
    signals = {signal.SIGPROF: signal.ITIMER_PROF, signal.SIGALRM: signal.ITIMER_REAL}
    former = {number: signal.signal(number, _out_of_time) for number in signals}
    try:
        signal.setitimer(signal.ITIMER_PROF, _SECONDS_OF_WORK)
        signal.setitimer(signal.ITIMER_REAL, _SECONDS_OF_WAITING)
        return _without_errors(work)
    except OutOfTimeError:
        return None
    finally:
        for number, timer in signals.items():
            signal.setitimer(timer, 0)
            signal.signal(number, former[number])


def _out_of_time(number: int, frame: FrameType | None) -> None:
    raise OutOfTimeError


def _without_errors(work: Callable[[], _T]) -> _T | None:
    try:
        return work()
    except Exception:
        return None
