"""Places repositories that are made of others in chains of any length, on a stack of a few.

A rule that reads a file of another repository waits until that one is placed, which may wait
likewise: by recursion, a hundred of them would fill Python's stack. What is nested too deep ends
all that waits for it; it is placed by itself, and what led there is begun once more.
"""

from __future__ import annotations

from collections.abc import Callable

from bazelscope.loading.dry_run.run_result import NestedTooDeep
from bazelscope.loading.repositories.repository_files import Placement

_DEEPEST = 10
"""Each one's rule calls functions, too."""


class NestedPlacing:
    """Places repositories while others wait; `waiting` are the names of these."""

    def __init__(self, waiting: set[str]) -> None:
        self._waiting = waiting
        self._depth = 0
        self._placed_apart: set[str] = set()

    def place(self, name: str, find: Callable[[str], Placement | None]) -> Placement | None:
        """What `find` finds of `name`, which places others by this very method."""
        if self._depth:
            return self._find(name, find)
        pending = [name]
        try:
            while True:
                try:
                    placement = self._find(pending[-1], find)
                except NestedTooDeep as nested:
                    self._waiting.add(pending[-1])
                    self._placed_apart.add(nested.repository)
                    pending.append(nested.repository)
                    continue
                pending.pop()
                if not pending:
                    return placement
                self._waiting.discard(pending[-1])
        finally:
            self._waiting.difference_update(pending)
            self._placed_apart.clear()

    def _find(self, name: str, find: Callable[[str], Placement | None]) -> Placement | None:
        is_deep = self._depth >= _DEEPEST and name not in self._waiting
        if is_deep and name not in self._placed_apart:
            raise NestedTooDeep(name)
        self._depth += 1
        try:
            return find(name)
        finally:
            self._depth -= 1
