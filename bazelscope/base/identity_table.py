"""What was found out about objects, for as long as these live."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Generic, TypeVar

Key = TypeVar("Key")
Fact = TypeVar("Fact")


class IdentityTable(Generic[Key, Fact]):
    """Finds out a fact about an object once, with `find`, which must not keep the object alive.

    Objects are told apart by identity, not by `==`; one that dies takes its fact with it.
    """

    __slots__ = ("_facts", "_find")

    def __init__(self, find: Callable[[Key], Fact]) -> None:
        self._find = find
        self._facts: dict[int, tuple[weakref.ref[Key], Fact]] = {}

    def __getitem__(self, key: Key) -> Fact:
        number = id(key)
        known = self._facts.get(number)
        if known is None:
            reference = weakref.ref(key, lambda _: self._facts.pop(number, None))
            known = self._facts[number] = (reference, self._find(key))
        return known[1]

    def __len__(self) -> int:
        return len(self._facts)
