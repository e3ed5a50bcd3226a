"""What `for` statements and comprehensions iterate over: locked, and counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import GeneratorType
from typing import Any

from bazelscope.starlark.run.access import unpack
from bazelscope.starlark.run.containers import ITERATED, LOCKED, RELEASED, elements_of
from bazelscope.starlark.run.sets import Set
from bazelscope.starlark.run.state import charge

_BLOCK = 1000
"""Up to so many iterations are counted at once, before they begin."""


def begin(value: Any) -> Any:
    """What a `for` statement iterates over; a list or dict is locked until `done`."""
    if type(value) is Set:
        value = value.elements
    kind = type(value)
    iterated = ITERATED.get(kind)
    if iterated is not None:
        value.__class__ = iterated
        LOCKED.append(value)
    elif kind in RELEASED:
        charge(len(value))
        return iter(value)  # an outer loop has locked it, and will unlock it
    elif kind is not tuple:
        value = elements_of(value)
    size = len(value)
    if size > _BLOCK:
        return _counted(value)
    charge(size)
    return value


def done(value: Any) -> None:
    """Ends what `begin` began."""
    mutable = RELEASED.get(type(value))
    if mutable is not None:
        value.__class__ = mutable
        LOCKED.pop()
    elif type(value) is GeneratorType:
        value.close()


def _counted(value: Any) -> Iterator[Any]:
    """Iterates over a large value, counting as it goes, and unlocks it at the end."""
    try:
        yield from _counted_only(value)
    finally:
        _release(value)


def _release(value: Any) -> None:
    """Unlocks `value` if it is the innermost that is locked; after an error it no longer is."""
    if LOCKED and LOCKED[-1] is value:
        done(value)


def items(value: Any) -> Iterable[Any]:
    """What a comprehension iterates over, if nothing in it can change a value."""
    if type(value) is Set:
        value = value.elements
    value = elements_of(value)
    size = len(value)
    if size > _BLOCK:
        return _counted_only(value)
    charge(size)
    return value  # type: ignore[no-any-return]


def _counted_only(value: Any) -> Iterator[Any]:
    left = 0
    for element in value:
        if not left:
            charge(_BLOCK)
            left = _BLOCK
        left -= 1
        yield element


def guarded(value: Any) -> Iterable[Any]:
    """What a comprehension iterates over, locked while it does."""
    if type(value) is Set:
        value = value.elements
    return _locked(value) if type(value) in ITERATED else items(value)


def _locked(value: Any) -> Iterator[Any]:
    iterable = begin(value)
    try:
        yield from iterable
    finally:
        _release(value)


def pairs(value: Any, count: int) -> Iterator[Any]:
    """The elements of `value`, each to be unpacked into `count` variables."""
    for element in value:
        yield (
            element if type(element) is tuple and len(element) == count else unpack(element, count)
        )
