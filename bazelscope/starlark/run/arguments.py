"""Checks of the arguments of built-in methods, in Bazel's words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bazelscope.starlark.run.containers import List
from bazelscope.starlark.run.faults import EvaluationError
from bazelscope.starlark.run.state import check_size
from bazelscope.starlark.run.values import wrong_type


def want(value: Any, kind: type, function: str, parameter: str, name: str) -> None:
    """EvaluationError unless the argument is of type `kind`, which Starlark calls `name`."""
    if type(value) is not kind:
        raise EvaluationError(wrong_type(function, parameter, value, name))


def want_string(value: Any, function: str, parameter: str) -> None:
    """EvaluationError unless the argument is a string."""
    want(value, str, function, parameter, "string")


def range_of(self: Any, start: Any, end: Any, function: str) -> tuple[int, int]:
    """The bounds that `start` and `end` mean for `self`: an empty range is still a place."""
    size = len(self)
    if end is None and type(start) is int and not start:
        return 0, size
    if start is None:
        start = 0
    elif type(start) is not int:
        want(start, int, function, "start", "int or NoneType")
    if end is None:
        end = size
    elif type(end) is not int:
        want(end, int, function, "end", "int or NoneType")
    low = max(0, min(size, start + size if start < 0 else start))
    high = max(0, min(size, end + size if end < 0 else end))
    return low, max(low, high)


def sized_list(elements: Iterable[Any]) -> List:
    """A new list, counted by its size."""
    made = List(elements)
    if len(made) > 32:
        check_size(len(made), "a list")
    return made
