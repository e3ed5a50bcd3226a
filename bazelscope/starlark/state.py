"""The evaluation that is running: its thread, limits, steps and depth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bazelscope.source import Location
from bazelscope.starlark.values import LimitReached


@dataclass(frozen=True, slots=True)
class Limits:
    """What one evaluation may use up; None means no limit.

    `steps` counts calls and loop iterations, and large operations by their size; `depth` is
    how deep calls may nest; `size` is how many elements or characters one value may have.
    """

    steps: int | None = 20_000_000
    depth: int = 300
    size: int = 1 << 24


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
    """The thread that is running now, in one place that helpers can reach fast."""

    __slots__ = ("max_size", "max_steps", "thread")

    def __init__(self) -> None:
        self.thread = Thread()
        self.max_steps: float = float("inf")
        self.max_size = 1 << 24


RUNNING = _Running()


def enter_thread(thread: Thread) -> Thread:
    """Makes `thread` the running one; returns the one before, to be restored."""
    before = RUNNING.thread
    RUNNING.thread = thread
    limits = thread.limits
    RUNNING.max_steps = float("inf") if limits.steps is None else limits.steps
    RUNNING.max_size = limits.size
    return before


def charge(steps: int) -> None:
    """Counts `steps` against the running thread's limit."""
    thread = RUNNING.thread
    thread.steps += steps
    if thread.steps > RUNNING.max_steps:
        raise LimitReached(f"evaluation takes more than {thread.limits.steps} steps")


def check_size(size: int, what: str) -> None:
    """Refuses a value of `size` elements or characters if the limit is below that."""
    if size > RUNNING.max_size:
        raise LimitReached(f"{what} of {size} exceeds the limit of {RUNNING.max_size}")
    if size > 4096:
        charge(size >> 8)
