"""The evaluation that is running: its thread, limits, steps and active functions."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from bazelscope.source import Location
from bazelscope.starlark.faults import EvaluationError, LimitExceededError


@dataclass(frozen=True, slots=True)
class Limits:
    """What one evaluation may use up.

    `steps` counts calls and loop iterations, and large operations by their size; None is no
    limit. `depth` is how deep calls of functions may nest; `size` how many elements or
    characters one value may have.
    """

    steps: int | None = 10_000_000
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
    """What is running now, in one place that helpers can reach fast."""

    __slots__ = ("active", "max_depth", "max_size", "max_steps", "thread")

    def __init__(self) -> None:
        self.thread = Thread(Limits(steps=None))
        self.max_steps: float = float("inf")
        self.max_depth = self.thread.limits.depth
        self.max_size = self.thread.limits.size
        self.active: set[str] = set()
        """The functions that have been entered and not left."""

    def switch(self, thread: Thread) -> None:
        self.thread = thread
        limits = thread.limits
        self.max_steps = float("inf") if limits.steps is None else limits.steps
        self.max_depth = limits.depth
        self.max_size = limits.size


RUNNING = _Running()
_one_at_a_time = threading.RLock()


@contextmanager
def running(thread: Thread) -> Iterator[None]:
    """Makes `thread` the running one. In one process evaluations take turns."""
    with _one_at_a_time:
        before = RUNNING.thread
        active = frozenset(RUNNING.active)
        RUNNING.switch(thread)
        try:
            yield
        finally:
            RUNNING.switch(before)
            RUNNING.active.intersection_update(active)


def charge(steps: int) -> None:
    """Counts `steps` against the running thread's limit."""
    thread = RUNNING.thread
    thread.steps += steps
    if thread.steps > RUNNING.max_steps:
        raise LimitExceededError(f"evaluation takes more than {thread.limits.steps} steps")


def check_size(size: int, what: str) -> None:
    """Refuses a value of `size` elements or characters if the limit is below that.

    What is allowed but large counts as steps, so that a loop over large operations ends too.
    """
    if size > RUNNING.max_size:
        raise LimitExceededError(
            f"{what} of {size} elements exceeds the limit of {RUNNING.max_size}"
        )
    if size > 512:
        charge(size >> 6)


def enter(function: str) -> None:
    """The first thing that a Starlark function does; `leave` is the last."""
    running = RUNNING
    thread = running.thread
    thread.steps += 1
    if thread.steps > running.max_steps:
        raise LimitExceededError(f"evaluation takes more than {thread.limits.steps} steps")
    active = running.active
    if function in active:
        name = function.rsplit("\0", 1)[-1]
        raise EvaluationError(f"function '{name}' called recursively")
    if len(active) >= running.max_depth:
        raise LimitExceededError(f"calls nest deeper than {running.max_depth}")
    active.add(function)


leave = RUNNING.active.discard
