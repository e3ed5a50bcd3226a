"""How often Python looks for garbage while Starlark code runs."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from bazelscope.starlark.run.state import Thread, running


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


def test_a_host_that_seldom_looks_looks_more_often_meanwhile() -> None:
    gc.set_threshold(2_000_000, 50, 100)
    gc.collect()  # else what earlier tests made may be looked through in the next line
    made_by_the_host = [[] for _ in range(50_000)]  # type: ignore[var-annotated]
    before = gc.get_count()[0]
    assert before >= len(made_by_the_host)
    with running(Thread()):
        assert before < gc.get_threshold()[0] <= gc.get_count()[0] + 100_000
        with running(Thread()):
            gc.collect()
            assert gc.get_threshold() == (100_000, 50, 100)
        assert gc.get_threshold()[0] <= before + 101_000
    assert gc.get_threshold() == (2_000_000, 50, 100)
    gc.collect()
    assert gc.get_threshold() == (2_000_000, 50, 100)


def test_a_host_that_often_looks_goes_on_so() -> None:
    gc.set_threshold(700, 10, 10)
    with running(Thread()):
        assert gc.get_threshold() == (700, 10, 10)
    assert gc.get_threshold() == (700, 10, 10)


def test_a_failure_leaves_the_host_as_it_was() -> None:
    gc.set_threshold(2_000_000, 50, 100)
    with pytest.raises(ZeroDivisionError), running(Thread()):
        _ = 1 // 0
    assert gc.get_threshold() == (2_000_000, 50, 100)
