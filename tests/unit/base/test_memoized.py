"""Methods that are run once for each object and its arguments."""

from __future__ import annotations

import gc
import weakref

import pytest

from bazelscope.base.memoized import memoized


class _Asked:
    def __init__(self) -> None:
        self.runs: list[int] = []

    @memoized
    def half(self, number: int) -> int | None:
        """Half of an even number."""
        self.runs.append(number)
        if number < 0:
            raise ValueError(number)
        return None if number % 2 else number // 2


def test_each_object_runs_a_method_once_for_the_same_arguments() -> None:
    one, other = _Asked(), _Asked()
    assert [one.half(4), one.half(4), one.half(6), other.half(4)] == [2, 2, 3, 2]
    assert (one.runs, other.runs) == ([4, 6], [4])


def test_none_is_remembered_and_an_error_is_not() -> None:
    asked = _Asked()
    assert asked.half(3) is asked.half(3) is None
    for _ in range(2):
        with pytest.raises(ValueError, match="-1"):
            asked.half(-1)
    assert asked.runs == [3, -1, -1]


def test_what_is_remembered_dies_with_its_object() -> None:
    asked = _Asked()
    asked.half(2)
    left = weakref.ref(asked)
    del asked
    gc.collect()
    assert left() is None
