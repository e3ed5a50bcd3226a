"""Work that is given up where it would keep a person waiting at the prompt."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

_T = TypeVar("_T")

_SECONDS_OF_WORK = 0.24
_WAITING = 8
"""How many times as long may pass on the clock."""

_PATIENCE = "BAZELSCOPE_COMPLETION_SECONDS"
"""The environment variable by which the user gives completion more time, or less."""


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
        seconds = _seconds_of_work()
        signal.setitimer(signal.ITIMER_PROF, seconds)
        signal.setitimer(signal.ITIMER_REAL, seconds * _WAITING)
        return _without_errors(work)
    except OutOfTimeError:
        return None
    finally:
        for number, timer in signals.items():
            signal.setitimer(timer, 0)
            signal.signal(number, former[number])


def _seconds_of_work() -> float:
    try:
        given = float(os.environ[_PATIENCE])
    except (KeyError, ValueError):
        return _SECONDS_OF_WORK
    return given if 0 < given < threading.TIMEOUT_MAX / _WAITING else _SECONDS_OF_WORK


def _out_of_time(number: int, frame: FrameType | None) -> None:
    raise OutOfTimeError


def _without_errors(work: Callable[[], _T]) -> _T | None:
    try:
        return work()
    except Exception:  # A broken workspace has fewer candidates; nobody reads errors here.
        return None
