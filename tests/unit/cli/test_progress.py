"""The progress line: silent at first, over itself, gone at the end."""

from __future__ import annotations

import io

import pytest

from bazelscope.render import progress
from bazelscope.render.progress import ProgressLine


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def test_short_work_shows_nothing(clock: list[float]) -> None:
    stream = io.StringIO()
    line = ProgressLine(stream)
    for done in range(10):
        clock[0] += 0.01
        line.update("packages loaded:", done, 0)
    line.clear()
    assert stream.getvalue() == ""


def test_long_work_is_shown_and_cleared(clock: list[float]) -> None:
    stream = io.StringIO()
    line = ProgressLine(stream)
    clock[0] += 1
    line.update("packages loaded:", 5, 0)
    line.update("packages loaded:", 6, 0)
    clock[0] += 1
    line.update("packages loaded:", 7, 20)
    line.clear()
    assert stream.getvalue() == (
        "\r\x1b[Kpackages loaded: 5\r\x1b[Kpackages loaded: 7 of 20\r\x1b[K"
    )
