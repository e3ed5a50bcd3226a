"""The progress line: silent at first, over itself, gone at the end; and the trace."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from bazelscope.base import phases
from bazelscope.cli.entry import main
from bazelscope.render import progress
from bazelscope.render.progress import ProgressLine
from bazelscope.render.trace import Trace
from tests.support.files import write_files


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def test_short_work_shows_nothing(clock: list[float]) -> None:
    stream = io.StringIO()
    line = ProgressLine(stream)
    line.begin("loading packages")
    for done in range(10):
        clock[0] += 0.01
        line.count(done, 0)
    line.close()
    assert stream.getvalue() == ""


def test_long_work_is_shown_and_cleared(clock: list[float]) -> None:
    stream = io.StringIO()
    line = ProgressLine(stream)
    clock[0] += 0.31
    line.begin("looking for the answer")
    clock[0] += 1
    line.begin("loading packages")
    line.count(5, 20)
    clock[0] += 1
    line.begin("evaluating //a")
    line.end()
    line.end()
    clock[0] += 1
    line._on_alarm(0, None)
    line.close()
    line._on_alarm(0, None)
    assert stream.getvalue() == (
        "\r\x1b[Klooking for the answer"
        "\r\x1b[Kloading packages"
        "\r\x1b[Kloading packages: 5 of 20"
        "\r\x1b[Klooking for the answer"
        "\r\x1b[K"
    )


def test_a_trace_has_phases_inside_of_phases() -> None:
    now = [0.0]
    trace = Trace(lambda: now[0])
    with phases.told_to([trace]), phases.phase("outer"):
        now[0] = 1
        with phases.phase("inner"):
            now[0] = 3
            phases.count(7, 9)
    phases.count(8)
    events = json.loads(trace.text())["traceEvents"]
    told = [(e["name"], e["ph"], e["ts"], e.get("dur"), e.get("args")) for e in events]
    assert told == [
        ("inner", "C", 3_000_000, None, {"done": 7}),
        ("inner", "X", 1_000_000, 2_000_000, {"done": 7}),
        ("outer", "X", 0, 3_000_000, None),
    ]


def test_the_command_line_writes_a_trace(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path / "w", {"WORKSPACE": "", "a/BUILD": 'filegroup(name = "a")\n'})
    line = ["query", "//...", "-w", str(tmp_path / "w"), "--cache-dir", str(tmp_path / "cache")]
    assert main([*line, "--trace", str(tmp_path / "trace.json")]) == 0
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    names = [event["name"] for event in events if event["ph"] == "X"]
    assert "evaluating //a" in names
    assert names[-1] == "looking for the answer"
    assert main([*line, "--trace", str(tmp_path / "none" / "trace.json")]) == 0
    assert "cannot write the trace" in capsys.readouterr().err
