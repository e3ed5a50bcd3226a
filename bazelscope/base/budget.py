"""What one question may use: CPU time, memory, configurations.

Files that nobody at the desk wrote may ask for hours or gigabytes. The loops that such files
drive ask `current()` now and then. Where four fifths of a budget are used, files and packages
are no longer evaluated, so that the rest is left for an answer from what is known; where all
of it is used, `BudgetError` ends the question. No signals and no limits of the process: both
belong to the host, which may have many threads.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from bazelscope.base.errors import BazelscopeError, Diagnostic
from bazelscope.base.lazy_dataclass import dataclass

LIMIT = "limit-reached"
"""The code of a diagnostic that a budget was used up."""
GIVEN_UP = "given-up"
PUT_OFF = "put-off"

_FOR_LOADING = 0.8
_FILES_IN_A_BUDGET = 15
_STEPS_PER_SECOND = 100_000
_BYTES_PER_TOKEN = 4 << 10
"""What a token of a file takes on the way to code, at most (measured: assignments, 2.5 KB)."""
_LOOK_EVERY = 64
_LOOK_SECONDS = 0.01
"""To ask the system for time and memory takes longer than what is done between two calls."""
_STATM = "/proc/self/statm"


@dataclass(frozen=True, slots=True)
class BudgetLimits:
    """What a question may use: seconds of CPU time (None: any), megabytes of memory more than
    the process had before, configurations of one target."""

    seconds: float | None = 300
    memory: int | None = 2048
    configurations: int = 200

    @property
    def file_seconds(self) -> float | None:
        """The CPU time that one file may take."""
        return None if self.seconds is None else self.seconds / _FILES_IN_A_BUDGET

    @property
    def file_steps(self) -> int | None:
        """The Starlark steps that one file may take: some 10 s of an endless loop, and four times
        what the largest BUILD file measured takes (Sorbet's tests: 47,000 globs)."""
        return None if self.seconds is None else int(self.seconds * _STEPS_PER_SECOND)

    @property
    def file_tokens(self) -> int | None:
        """How many tokens of one file the memory is enough for."""
        return None if self.memory is None else (self.memory << 20) // _BYTES_PER_TOKEN


class BudgetError(BazelscopeError):
    """A budget is used up: the question ends here."""


class PutOffError(BudgetError):
    """What the question needs takes too long to wait for."""


class GaveWayError(BaseException):
    """A package was given up half evaluated, since somebody waits for something else. No
    `Exception`: whoever goes on after an error must not go on after this."""


class Budget:
    """The account of one question, begun now. `is_waited_for` is asked while packages are
    evaluated whether this should give way."""

    def __init__(
        self, limits: BudgetLimits, is_waited_for: Callable[[], bool] | None = None
    ) -> None:
        self.limits = limits
        self._is_waited_for = is_waited_for
        self._gives_way = False
        self.cuts = 0
        """How often something was cut short."""
        self.reasons: dict[str, None] = {}
        """Why, each once."""
        self._calls = 0
        self._look_at = self._look_at_files = 0.0
        self._began = time.thread_time()
        self._memory_before = memory_in_use()
        self._spent: str | None = None
        self._is_given_up = False

    def give_up(self) -> None:
        """Ends the question at its next step: nobody waits for the answer any more. May be called
        by another thread."""
        self._is_given_up = True

    @contextmanager
    def giving_way(self) -> Iterator[None]:
        """What is done inside may be left half done, and leaves nothing behind then."""
        before, self._gives_way = self._gives_way, self._is_waited_for is not None
        try:
            yield
        finally:
            self._gives_way = before

    def give_way(self) -> None:
        """Raises `GaveWayError` where somebody waits, and what is being done may be left."""
        if self._gives_way and self._is_waited_for is not None and self._is_waited_for():
            raise GaveWayError

    def cut(self, why: str) -> None:
        """Notes that something was cut short."""
        self.cuts += 1
        self.reasons[why] = None

    def spent_on_files(self) -> str | None:
        """Why no more files are to be evaluated; None while they are."""
        # Asked for each block of tokens and each file, of which most take less than a look.
        if self._spent is None and (now := time.monotonic()) >= self._look_at_files:
            self._look_at_files = now + _LOOK_SECONDS
            self._spent = self._used_up(_FOR_LOADING)
            if self._spent is not None:
                self.cut(self._spent)
        return self._spent

    def check(self) -> None:
        """Called once for each step of a walk over what was loaded. Raises `BudgetError`."""
        self._calls += 1
        if self._calls % _LOOK_EVERY == 0:
            now = time.monotonic()
            if now >= self._look_at:
                self._look_at = now + _LOOK_SECONDS
                self.check_now()

    def check_now(self) -> None:
        """Raises `BudgetError` if all of the budget is used, or the question was given up."""
        if self._is_given_up:
            raise BudgetError(Diagnostic(GIVEN_UP, "nobody waits for the answer any more"))
        why = self._used_up(1)
        if why is not None:
            raise BudgetError(Diagnostic(LIMIT, why))

    def _used_up(self, share: float) -> str | None:
        """Which limit so large a share of the budget has reached, and the option for more."""
        seconds, memory = self.limits.seconds, self.limits.memory
        if seconds is not None and time.thread_time() - self._began > seconds * share:
            return _told(f"{seconds:g} s of CPU time", share, "--max-seconds")
        if memory is not None and memory_in_use() - self._memory_before > (memory << 20) * share:
            return _told(f"{memory} MB of memory", share, "--max-memory")
        return None


def _told(limit: str, share: float, option: str) -> str:
    if share == 1:
        return f"all of {limit} is used up; {option} gives more"
    return f"{share:.0%} of {limit} is used up, the rest is for the answer; {option} gives more"


_UNLIMITED = BudgetLimits(None, None, 1 << 62)
_current: ContextVar[Budget] = ContextVar("budget")


def current() -> Budget:
    """The account of the question that is being answered; without one, nothing is limited."""
    return _current.get(_NO_ACCOUNT)


def is_open() -> bool:
    """Whether a question is being answered, whose account one asked inside of it would share."""
    return current() is not _NO_ACCOUNT


@contextmanager
def spending(
    limits: BudgetLimits, is_waited_for: Callable[[], bool] | None = None
) -> Iterator[Budget]:
    """Opens an account for what is done inside; a question inside of another shares its own."""
    before = current()
    if before is not _NO_ACCOUNT:
        yield before
        return
    budget = Budget(limits, is_waited_for)
    token = _current.set(budget)
    try:
        yield budget
    finally:
        _current.reset(token)


def memory_in_use() -> int:
    """The bytes of memory that this process holds, 0 where the system does not tell. What is
    only reserved does not count: a WebAssembly engine reserves gigabytes."""
    try:
        descriptor = os.open(_STATM, os.O_RDONLY)
        try:
            content = os.read(descriptor, 200)
        finally:
            os.close(descriptor)
        return int(content.split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError, AttributeError):
        pass
    try:
        import resource
    except ImportError:
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


_NO_ACCOUNT = Budget(_UNLIMITED)
