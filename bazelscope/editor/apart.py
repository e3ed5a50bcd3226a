"""Questions that take long are answered by a process of their own: a copy of this one, from when
they were asked. Only who asked waits for it, and to give a question up is to end its process.
"""

from __future__ import annotations

import asyncio
import gc
import json
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from bazelscope.base import phases
from bazelscope.base.errors import BazelscopeError, Diagnostic, innermost_place

Question = Callable[[], dict[str, Any]]
Keep = Callable[[], None]
"""Keeps what was worked out for later runs, once it is told."""
Tell = Callable[[str, int | None], None]
"""Hears what is being done, and how many percent of that, if anybody knows."""

MOST = 2
"""So many processes at once: each may come to hold as much memory as this one."""
_NICER = 10
_TELL_SECONDS = 0.2
_LOOK_SECONDS = 1.0


def can_fork() -> bool:
    """Whether the system copies processes; where it does not, they would begin with nothing."""
    return sys.platform == "linux"


class Apart:
    """A question, and the process that answers it from now on."""

    def __init__(self, question: Question, keep: Keep) -> None:
        context = multiprocessing.get_context("fork")
        self._ours, theirs = context.Pipe(duplex=False)
        self._process = context.Process(
            target=_answer, args=(theirs, os.getpid(), question, keep), daemon=True
        )
        self._process.start()
        theirs.close()

    async def answer(self, tell: Tell) -> dict[str, Any]:
        """What the process answers; when the caller is cancelled, the process ends. Raises
        `BazelscopeError`: what the question raises, or that the process died."""
        loop, readable, is_told = asyncio.get_running_loop(), asyncio.Event(), False
        loop.add_reader(self._ours, readable.set)
        try:
            while True:
                await readable.wait()
                readable.clear()
                if not self._ours.poll():
                    continue  # The loop tells once more of what was read meanwhile.
                kind, *told = self._read()
                if kind == "doing":
                    tell(*told)
                elif kind == "answer":
                    is_told = True
                    return told[0]  # type: ignore[no-any-return]
                else:
                    code, message, hint = told
                    raise BazelscopeError(Diagnostic(code, message, hint=hint))
        finally:
            loop.remove_reader(self._ours)
            self._ours.close()
            if not is_told:
                self.end()

    def end(self) -> None:
        """Ends the process, if it is still there."""
        self._process.kill()

    def _read(self) -> list[Any]:
        try:
            told: list[Any] = json.loads(self._ours.recv_bytes())
        except (OSError, EOFError):
            told = ["error", "no-answer", "the process that looked for the answer was ended", None]
        return told


def _answer(pipe: Connection, asker: int, question: Question, keep: Keep) -> None:
    """What the process does."""
    gc.freeze()  # What is there now is never looked through for cycles: looking would copy it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)  # The client's streams end when the server does.
    os.dup2(nothing, 1)
    threading.Thread(target=_end_with, args=(asker,), daemon=True).start()
    os.nice(_NICER)  # Whoever waits for a hover comes first.
    try:
        with phases.told_to([_Teller(pipe)]):
            told: list[Any] = ["answer", question()]
    except BazelscopeError as error:
        wrong = error.diagnostic
        told = ["error", wrong.code, wrong.message, wrong.hint]
    except Exception as error:
        message = f"an error of bazelscope, please report: {type(error).__name__}: {error}"
        told = ["error", "internal-error", f"{message}{innermost_place(error)}", None]
    pipe.send_bytes(json.dumps(told).encode())
    if told[0] == "answer":
        keep()


def _end_with(asker: int) -> None:
    """Ends this process once there is nobody who asked."""
    while os.getppid() == asker:
        time.sleep(_LOOK_SECONDS)
    os._exit(1)


class _Teller:
    """Tells the asker what is being done, not more often than one can read."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._told_at = 0.0
        self._phases: list[str] = []

    def begin(self, phase: str) -> None:
        """A phase begins."""
        self._phases.append(phase)
        self._tell(phase, None)

    def count(self, done: int, total: int) -> None:
        """So much of the last phase is done."""
        if self._phases:
            amount = f"{done:,} of {total:,}" if total else f"{done:,}"
            self._tell(f"{self._phases[-1]}: {amount}", 100 * done // total if total else None)

    def end(self) -> None:
        """The last phase is over."""
        if self._phases:
            self._phases.pop()

    def _tell(self, doing: str, percent: int | None) -> None:
        now = time.monotonic()
        if now - self._told_at >= _TELL_SECONDS:
            self._told_at = now
            self._pipe.send_bytes(json.dumps(["doing", doing, percent]).encode())
