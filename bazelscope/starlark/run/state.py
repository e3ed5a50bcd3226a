"""The evaluation that is running: its thread, limits, steps and active functions."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NoReturn

from bazelscope.base.source import Location
from bazelscope.starlark.run.faults import EvaluationError, LimitExceededError


@dataclass(frozen=True, slots=True)
class Limits:
    """What one evaluation may use up.

    `steps` counts calls and loop iterations, and large operations by their size; None is no
    limit. `depth` is how deep calls of functions may nest; `size` how many elements or
    characters one value may have. The largest package of TensorFlow takes 50,000 steps; two
    million end within a second.
    """

    steps: int | None = 2_000_000
    depth: int = 150
    size: int = 1 << 22


def _ignore(message: str) -> None:
    """Drops what a program prints."""


def _missing(name: str, location: Location) -> object:
    return None


@dataclass(slots=True)
class Thread:
    """One evaluation: what it may use, what it has used, and where its messages go.

    `print_handler` gets each line that the program prints. `on_missing` gives the value of a
    name whose statement failed, where `execute` recovers.
    """

    limits: Limits = Limits()
    print_handler: Callable[[str], None] = _ignore
    on_missing: Callable[[str, Location], object] = _missing
    steps: int = 0


class _Running:
    """What is running now, in one place that helpers can reach fast.

    The running thread's steps are counted here; `running` writes them back.
    """

    __slots__ = ("active", "max_depth", "max_size", "max_steps", "steps", "thread")

    def __init__(self) -> None:
        self.active: set[str] = set()
        """The functions that have been entered and not left."""
        self.thread = Thread(Limits(steps=None))
        self.switch(self.thread)

    def switch(self, thread: Thread) -> None:
        limits = thread.limits
        self.thread = thread
        self.steps = thread.steps
        self.max_steps: float = float("inf") if limits.steps is None else limits.steps
        self.max_depth = limits.depth
        self.max_size = limits.size


RUNNING = _Running()
_one_at_a_time = threading.RLock()


@contextmanager
def running(thread: Thread) -> Iterator[None]:
    """Makes `thread` the running one. In one process evaluations take turns."""
    with _one_at_a_time, _collecting_garbage():
        before = RUNNING.thread
        before.steps = RUNNING.steps
        active = frozenset(RUNNING.active)
        RUNNING.switch(thread)
        try:
            yield
        finally:
            thread.steps = RUNNING.steps
            RUNNING.switch(before)
            RUNNING.active.intersection_update(active)


_GARBAGE = 100_000


@contextmanager
def _collecting_garbage() -> Iterator[None]:
    """A program may tie values into cycles as fast as it runs, so while one does, Python looks
    for such garbage after that many new values, even if the host has it look more rarely. What
    the host made before does not count: to look through that for every small call would take
    longer than the calls."""
    first, *others = gc.get_threshold()
    if first <= _GARBAGE:
        yield
        return

    def looked(phase: str, info: dict[str, int]) -> None:
        gc.set_threshold(_GARBAGE, *others)

    gc.set_threshold(min(first, gc.get_count()[0] + _GARBAGE), *others)
    gc.callbacks.append(looked)
    try:
        yield
    finally:
        gc.callbacks.remove(looked)
        gc.set_threshold(first, *others)


def _too_many_steps() -> NoReturn:
    limit = RUNNING.thread.limits.steps
    raise LimitExceededError(f"evaluation takes more than {limit} steps")


def charge(steps: int) -> None:
    """Counts `steps` against the running thread's limit."""
    RUNNING.steps += steps
    if RUNNING.steps > RUNNING.max_steps:
        _too_many_steps()


def check_size(size: int, what: str) -> None:
    """Refuses a value of `size` elements or characters if the limit is below that.

    What is allowed but large counts as steps, so that a loop over large operations ends too.
    """
    if size > RUNNING.max_size:
        raise LimitExceededError(
            f"{what} of {size} elements exceeds the limit of {RUNNING.max_size}"
        )
    if size > 32:
        charge(size >> 4)


def enter(
    function: str,
    state: _Running = RUNNING,
    active: set[str] = RUNNING.active,
    add: Callable[[str], None] = RUNNING.active.add,
) -> None:
    """The first thing that a Starlark function does; `leave` is the last."""
    state.steps += 1
    if state.steps > state.max_steps:
        _too_many_steps()
    if function in active:
        name = function.rsplit("\0", 1)[-1]
        raise EvaluationError(f"function '{name}' called recursively", code=RECURSION)
    if len(active) >= state.max_depth:
        raise LimitExceededError(f"calls nest deeper than {state.max_depth}")
    add(function)


leave = RUNNING.active.discard

RECURSION = "starlark-recursion"
