"""Methods that remember what they returned: once for each object and its arguments."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

_Method = TypeVar("_Method", bound=Callable[..., Any])


class _Memoized:
    """Stands for a method in its class. The first time that an object is asked for it, a table of
    that object's own takes its place there, and dies with the object."""

    def __init__(self, method: Callable[..., Any]) -> None:
        self._method = method

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type) -> Any:
        remembered = instance.__dict__[self._name] = cache(self._method.__get__(instance))
        return remembered


if TYPE_CHECKING:

    def memoized(method: _Method) -> _Method:
        """Makes a method that is run once for the same arguments; a raised error is not kept."""
        return method

else:
    memoized = _Memoized
