"""Files that load one another in chains of any length, on a stack of a few.

A file is loaded while those that load it wait, each on Python's stack. Where many wait already,
what lies below is found by its load statements alone, and loaded from the bottom up.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from bazelscope.base.label import Label


def loaded_first(
    start: Label,
    loads_of: Callable[[Label], Iterable[Label]],
    is_loaded: Callable[[Label], bool],
    waiting: Collection[Label],
) -> Iterator[Label]:
    """Yields what is to be loaded before `start`, each after what it loads itself; the caller loads
    each before it asks for the next. Nothing of a cycle: those that wait for it have to tell it."""
    path: dict[Label, Iterator[Label]] = {start: iter(loads_of(start))}
    while path:
        last, pending = next(reversed(path.items()))
        below = next((label for label in pending if not is_loaded(label)), None)
        if below is None:
            del path[last]
            if path:
                yield last
        elif below in path or below in waiting:
            return
        else:
            path[below] = iter(loads_of(below))
