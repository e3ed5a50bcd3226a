"""Work that another process does while this one goes on: a copy of it, with all that is loaded."""

from __future__ import annotations

import gc
import marshal
import signal
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from bazelscope.base import budget, phases
from bazelscope.base.errors import BazelscopeError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Work = Callable[[], Any]
"""Returns plain values."""


class Aside:
    """`work` that has begun in another process."""

    def __init__(self, work: Work) -> None:
        from multiprocessing import get_context

        context = get_context("fork")
        self._ours, theirs = context.Pipe(duplex=False)
        arguments = (theirs, self._ours, work, budget.current().seconds_used)
        self._process = context.Process(target=_do, args=arguments, daemon=True)
        self._process.start()
        theirs.close()

    def result(self) -> Any:
        """Waits for what the work returns; None where it failed or a limit cut it short. May be
        asked for once."""
        try:
            return marshal.loads(self._ours.recv_bytes())
        except (OSError, EOFError):
            return None
        finally:
            self._ours.close()
            self._process.kill()
            self._process.join()


def _do(own: Connection, others: Connection, work: Work, seconds_used: float) -> None:
    # What is there now is never looked through for cycles: looking would copy its memory.
    gc.freeze()
    phases.silence()
    # Ctrl-C reaches every process of a terminal; the one that began this one ends it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    others.close()
    account = budget.current()
    account.go_on_after(seconds_used)
    cuts = account.cuts
    try:
        result = work()
        content = marshal.dumps(result if account.cuts == cuts else None)
    except (BazelscopeError, RecursionError, MemoryError, ValueError):
        content = marshal.dumps(None)
    try:
        own.send_bytes(content)
    except OSError:
        return
