"""How often Python looks for garbage in cycles.

What is loaded is large and lasts: to look through all of it after every few hundred new values
takes longer than answering.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

RARE = (10_000_000, 50, 100)
"""The thresholds of a process that answers questions about large trees: what is loaded of them is
in no cycles, and 20,000 packages come to some eight million values."""


@contextmanager
def collecting_rarely() -> Iterator[None]:
    """Looks rarely for garbage, in a process that is somebody else's."""
    before = gc.get_threshold()
    gc.set_threshold(*RARE)
    try:
        yield
    finally:
        gc.set_threshold(*before)
