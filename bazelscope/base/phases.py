"""What a run is doing: its phases, one inside of another, and how much of each is done.

Whoever works tells it here, and nobody need listen: a line on a terminal and a trace do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol


class Listener(Protocol):
    """Is told what a run is doing."""

    def begin(self, phase: str) -> None:
        """A phase begins, inside of those that have begun before."""

    def count(self, done: int, total: int) -> None:
        """So much of the last phase is done, of `total` (0: nobody knows)."""

    def end(self) -> None:
        """The last phase that began is over."""


_listeners: Sequence[Listener] = ()


@contextmanager
def told_to(listeners: Sequence[Listener]) -> Iterator[None]:
    """Tells these what is done inside."""
    global _listeners
    before, _listeners = _listeners, tuple(listeners)
    try:
        yield
    finally:
        _listeners = before


@contextmanager
def phase(name: str) -> Iterator[None]:
    """What is done inside is a phase of that name."""
    heard = _listeners
    for one in heard:
        one.begin(name)
    try:
        yield
    finally:
        for one in heard:
            one.end()


def count(done: int, total: int = 0) -> None:
    """So much of the phase is done."""
    for one in _listeners:
        one.count(done, total)


def silence() -> None:
    """Tells nobody any more: this process is a copy of the one that is listened to."""
    global _listeners
    _listeners = ()
