"""The evaluation that is running: its thread, limits, steps and active functions."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field
from typing import TYPE_CHECKING, NoReturn

from bazelscope.base import budget
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location, SourceFile
from bazelscope.starlark.run.faults import EvaluationError, LimitExceededError
from bazelscope.starlark.syntax.file_kind import FileKind

if TYPE_CHECKING:
    from bazelscope.starlark.compile.carried_doubts import CarriedDoubts


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
    name whose statement failed, where `execute` recovers. `source` and `kind` are of the file that
    is run, if doubts go from one of its statements to others.
    """

    limits: Limits = Limits()
    print_handler: Callable[[str], None] = _ignore
    on_missing: Callable[[str, Location], object] = _missing
    source: SourceFile | None = None
    kind: FileKind = FileKind.PLAIN
    steps: int = 0
    doubts: dict[tuple[str, int], object] = field(default_factory=dict)
    """What top-level statements had to decide by without knowing it, by file and first line."""
    doubts_of_loads: dict[str, Callable[[str], object]] = field(default_factory=dict)
    """What tells the doubts of the files that names are loaded from, by the names they have here,
    where those files have any."""
    carried: CarriedDoubts | None = None
    """Which doubts statements have by the values that they use, once that is asked."""
    decisions: int = 0
    """How often something was decided without knowing it."""
    decided_by: object = None
    """The value by which that was done last."""
    lines: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """The lines on which the top-level statements of the files that it runs begin."""
    entered: set[str] = field(default_factory=set)
    """The guards of all functions that were entered while a file was run."""

    def carried_doubts(self) -> CarriedDoubts:
        """The doubts of the statements of the file that is run, one reading for all questions."""
        if self.carried is None:
            from bazelscope.starlark.compile.carried_doubts import CarriedDoubts

            assert self.source is not None
            self.carried = CarriedDoubts(self.source, self.kind)
        return self.carried

    def doubt_of_name(self, name: str) -> object:
        """The doubt in which the file, which has ended, binds a name; None if none."""
        return self.carried_doubts().of_name(name, self.doubts, self.doubts_of_loads)


_LOOK_EVERY = 20_000
"""After so many steps, some hundredth of a second, clock and memory are looked at."""


class _Clock:
    """The CPU time of one file, while no file that it loads is run instead."""

    __slots__ = ("began", "spent")

    def __init__(self) -> None:
        self.spent = 0.0
        self.began = time.thread_time()

    def stop(self) -> None:
        self.spent += time.thread_time() - self.began

    def go_on(self) -> None:
        self.began = time.thread_time()

    def seconds(self) -> float:
        return self.spent + time.thread_time() - self.began


class _Running:
    """What is running now, in one place that helpers can reach fast.

    The running thread's steps are counted here; `running` writes them back. At `max_steps` the
    limits are looked at, of which that of the steps is only one.
    """

    __slots__ = (
        *("active", "clock", "entered", "max_depth", "max_size", "max_steps", "steps", "thread"),
    )

    def __init__(self) -> None:
        self.active: set[str] = set()
        """The functions that have been entered and not left."""
        self.entered: set[str] = set()
        """Those that have been entered since the file that is run was begun."""
        self.thread = Thread(Limits(steps=None))
        self.clock: _Clock | None = None
        self.switch(self.thread)

    def switch(self, thread: Thread) -> None:
        limits = thread.limits
        self.thread = thread
        self.steps = thread.steps
        most = float("inf") if limits.steps is None else limits.steps
        self.max_steps: float = min(most, self.steps + _LOOK_EVERY)
        self.max_depth = limits.depth
        self.max_size = limits.size


RUNNING = _Running()
_one_at_a_time = threading.RLock()


@contextmanager
def running(thread: Thread, *, is_file: bool = False) -> Iterator[None]:
    """Makes `thread` the running one. In one process evaluations take turns.

    The clock of the file that is run stands still while another file is (`is_file`), and not
    for a function that the host calls in between.
    """
    with _one_at_a_time, _collecting_garbage():
        before = RUNNING.thread
        before.steps = RUNNING.steps
        active = frozenset(RUNNING.active)
        RUNNING.switch(thread)
        try:
            if is_file:
                with clock_of_a_file(), _entered_by(thread):
                    yield
            elif RUNNING.clock is None:
                with clock_of_a_file():
                    yield
            else:
                yield
        finally:
            thread.steps = RUNNING.steps
            RUNNING.switch(before)
            RUNNING.active.intersection_update(active)


@contextmanager
def _entered_by(thread: Thread) -> Iterator[None]:
    """Tells a thread which functions its file enters, those of files that it loads apart."""
    entered = RUNNING.entered
    before = entered.copy()
    entered.clear()
    try:
        yield
    finally:
        thread.entered |= entered
        entered.clear()
        entered |= before


@contextmanager
def clock_of_a_file() -> Iterator[None]:
    """Measures the CPU time of what is called inside as that of one file."""
    clock = RUNNING.clock
    if clock is not None:
        clock.stop()
    RUNNING.clock = _Clock()
    try:
        yield
    finally:
        RUNNING.clock = clock
        if clock is not None:
            clock.go_on()


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


def look_at_limits() -> None:
    """Ends the evaluation if it has used up its steps, its file the CPU time of one file, or
    the question the budget of all."""
    state = RUNNING
    limit = state.thread.limits.steps
    account = budget.current()
    if limit is not None and state.steps > limit:
        remedy = " (--max-seconds raises the limit)" * (limit == account.limits.file_steps)
        _cut(f"evaluation takes more than {limit} steps{remedy}")
    account.give_way()
    seconds = account.limits.file_seconds
    if seconds is not None and state.clock is not None and state.clock.seconds() > seconds:
        most = f"{seconds:g} s of CPU time"
        _cut(f"evaluation of one file takes more than {most} (--max-seconds raises the limit)")
    spent = account.spent_on_files()
    if spent is not None:
        account.cuts += 1
        raise LimitExceededError(spent)
    state.max_steps = state.steps + _LOOK_EVERY
    if limit is not None:
        state.max_steps = min(limit, state.max_steps)


def _cut(why: str) -> NoReturn:
    from bazelscope.starlark.run.stack import running_file

    file = running_file()
    budget.current().cut(f"{file} was left: {why}" if file else why)
    raise LimitExceededError(why)


def charge(steps: int) -> None:
    """Counts `steps` against the running thread's limit."""
    RUNNING.steps += steps
    if RUNNING.steps > RUNNING.max_steps:
        look_at_limits()


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
    note: Callable[[str], None] = RUNNING.entered.add,
) -> None:
    """The first thing that a Starlark function does; `leave` is the last."""
    state.steps += 1
    if state.steps > state.max_steps:
        look_at_limits()
    if function in active:
        name = function.rsplit("\0", 1)[-1]
        raise EvaluationError(f"function '{name}' called recursively", code=RECURSION)
    if len(active) >= state.max_depth:
        raise LimitExceededError(f"calls nest deeper than {state.max_depth}")
    add(function)
    note(function)


leave = RUNNING.active.discard

RECURSION = "starlark-recursion"
