"""Answers on a terminal: pager, width, colours, progress, Ctrl-C; and where nobody reads them."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.parts import CHECKOUT
from tests.support.terminal import Terminal, screen, without_escapes

Run = Callable[..., Terminal]

_MANY = 60


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "WORKSPACE").write_text("")
    (tmp_path / "a").mkdir()
    targets = "".join(f'filegroup(name = "target_{n:02}")\n' for n in range(_MANY))
    (tmp_path / "a" / "BUILD").write_text(targets)
    (tmp_path / "home").mkdir()
    return tmp_path


def _environment(workspace: Path, **more: str) -> dict[str, str]:
    return {
        "HOME": str(workspace / "home"),
        "LC_ALL": "C.UTF-8",
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(CHECKOUT),
        "TERM": "xterm",
        **more,
    }


@pytest.fixture
def run(workspace: Path) -> Iterator[Run]:
    opened: list[Terminal] = []

    def start(
        *words: str, columns: int = 80, rows: int = 24, more: str = "", **environment: str
    ) -> Terminal:
        line = [sys.executable, "-m", "bazelscope", *words]
        size = f'stty rows {rows} cols {columns}; exec "$@" {more}'
        terminal = Terminal(
            ["/bin/sh", "-c", size, "sh", *line],
            workspace,
            _environment(workspace, **environment),
            columns,
            rows,
        )
        opened.append(terminal)
        return terminal

    yield start
    for terminal in opened:
        terminal.close()


def _pager(workspace: Path) -> str:
    """A pager that tells that it was there, and how many lines came."""
    script = workspace / "pager"
    script.write_text('#!/bin/sh\necho "PAGED $(wc -l) LESS=$LESS"\n')
    script.chmod(0o755)
    return str(script)


def test_a_long_answer_goes_through_the_pager(run: Run, workspace: Path) -> None:
    terminal = run("query", "//a:all", PAGER=_pager(workspace))
    assert terminal.wait() == 0
    assert without_escapes(terminal.output).split() == ["PAGED", str(_MANY), "LESS=FRX"]


@pytest.mark.parametrize(
    ("words", "rows", "environment"),
    [
        (("--no-pager",), 24, {}),
        ((), _MANY + 10, {}),
        ((), 24, {"TERM": "dumb"}),
        ((), 24, {"PAGER": ""}),
        ((), 24, {"PAGER": "cat"}),
        ((), 24, {"PAGER": "no-such-program"}),
    ],
    ids=["option", "fits", "dumb", "empty", "cat", "missing"],
)
def test_no_pager(
    words: tuple[str, ...], rows: int, environment: dict[str, str], run: Run, workspace: Path
) -> None:
    terminal = run(
        "query", "//a:all", *words, rows=rows, **{"PAGER": _pager(workspace), **environment}
    )
    assert terminal.wait() == 0
    assert terminal.output.count("//a:target_") == _MANY
    assert "PAGED" not in terminal.output


def test_leaving_the_pager_early(run: Run) -> None:
    terminal = run("query", "//a:all", "--format=json", PAGER="head -1")
    assert terminal.wait() == 0
    assert without_escapes(terminal.output).strip() == "{"


def test_less_shows_the_answer(run: Run) -> None:
    terminal = run("query", "//a:all", PAGER="less")
    terminal.read_until("target_10")
    terminal.read_until(r"\n:")
    terminal.type("q")
    assert terminal.wait() == 0


def test_ctrl_c_is_the_pagers_own(run: Run, workspace: Path) -> None:
    script = workspace / "pager"
    script.write_text("#!/bin/sh\ncat >/dev/null\nkill -INT $PPID\nsleep 0.2\necho GOES ON\n")
    script.chmod(0o755)
    terminal = run("query", "//a:all", PAGER=str(script))
    assert terminal.wait() == 0
    assert without_escapes(terminal.output).strip() == "GOES ON"


def test_no_pager_in_a_pipe(workspace: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bazelscope", "query", "//a:all"],
        cwd=workspace,
        env=_environment(workspace, PAGER=_pager(workspace)),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.count("\n") == _MANY


@pytest.mark.parametrize(
    ("environment", "words", "colored"),
    [
        ({}, (), True),
        ({"NO_COLOR": "1"}, (), False),
        ({"TERM": "dumb"}, (), False),
        ({}, ("--color=no",), False),
        ({"NO_COLOR": "1"}, ("--color=yes",), True),
    ],
    ids=["terminal", "NO_COLOR", "dumb", "no", "yes"],
)
def test_colors(
    environment: dict[str, str], words: tuple[str, ...], colored: bool, run: Run
) -> None:
    terminal = run("deps", "//a:target_00", *words, **environment)
    assert terminal.wait() == 0
    assert ("\x1b[1m" in terminal.output) == colored


@pytest.mark.parametrize("delay", [0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8])
def test_ctrl_c_at_any_time(delay: float, workspace: Path) -> None:
    """The interpreter's own start is none of ours: the first word comes when we are there."""
    (workspace / "a" / "slow.bzl").write_text(
        "def slow():\n    for x in range(3000000):\n        y = x\n"
    )
    for number in range(20):
        (workspace / f"slow{number}").mkdir()
        text = 'load("//a:slow.bzl", "slow")\nslow()\n'
        (workspace / f"slow{number}" / "BUILD").write_text(text)
    # Whoever runs the tests in the background has interrupts ignored.
    listening = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    started = "import sys; sys.stdout.write('.'); sys.stdout.flush(); import bazelscope.cli as c; "
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            (
                f"{listening}from bazelscope.cli import interrupts; interrupts.take_over();"
                f" {started} c.run()"
            ),
            *("query", "deps(//...)"),
        ],
        cwd=workspace,
        env=_environment(workspace),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdout.read(1) == b"."
    time.sleep(delay)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=40)
    assert (process.returncode, out, err) == (130, b"", b"interrupted\n")


def test_no_progress_of_short_work(run: Run) -> None:
    quick = run("query", "//a:all", rows=100)
    assert quick.wait() == 0
    # On a busy machine it may take longer than nothing is told for.
    assert screen(quick.output) == [f"//a:target_{n:02}" for n in range(_MANY)]


_FETCHED = 'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n' + "".join(
    f'http_archive(name = "fetched_{n}", urls = ["https://example.org/{n}.zip"])\n'
    for n in range(9)
)
_SLOW = 12
_TELLS = r"loading packages: \d|evaluating //slow"
"""The latter where there is one core only."""


@pytest.fixture
def slow(workspace: Path) -> list[str]:
    """Packages that take seconds together; the lines of `query //slow...`."""
    (workspace / "a" / "slow.bzl").write_text(
        "def slow():\n    for x in range(1500000):\n        y = x\n"
    )
    for number in range(_SLOW):
        package = workspace / "slow" / f"p{number:02}"
        package.mkdir(parents=True)
        (package / "BUILD").write_text(
            'load("//a:slow.bzl", "slow")\nslow()\nfilegroup(name = "x")\n'
        )
    return [f"//slow/p{number:02}:x" for number in range(_SLOW)]


def test_progress_of_long_work(run: Run, slow: list[str]) -> None:
    """It counts, over itself, and is gone when the answer comes."""
    started = time.monotonic()
    terminal = run("query", "//slow/...")
    first = terminal.read_until(_TELLS)
    assert time.monotonic() - started > 0.3
    assert terminal.wait() == 0
    wrote = first[0] + terminal.output
    counts = [int(count) for count in re.findall(rf"loading packages: (\d+) of {_SLOW}", wrote)]
    assert counts == sorted(counts)
    assert screen(wrote) == slow


def test_progress_is_for_the_terminal_of_errors(run: Run, slow: list[str], workspace: Path) -> None:
    """Standard output in a pipe has the answer alone; the terminal keeps nothing."""
    out = workspace / "out"
    terminal = run("query", "//slow/...", more=f">{out}")
    terminal.read_until(_TELLS)
    assert terminal.wait() == 0
    assert out.read_text().splitlines() == slow
    assert screen(terminal.output) == []


def test_no_progress_where_errors_are_no_terminal(
    run: Run, slow: list[str], workspace: Path
) -> None:
    terminal = run("query", "//slow/...", more="2>err")
    assert terminal.wait() == 0
    assert terminal.output.splitlines() == slow
    assert (workspace / "err").read_text() == ""


def test_progress_leaves_nothing_above_an_error(run: Run, slow: list[str]) -> None:
    terminal = run("query", "//slow/... + //none:x")
    terminal.read_until(_TELLS)
    assert terminal.wait() == 7
    assert next(line for line in screen(terminal.output) if line).startswith("error: ")


def test_an_error_of_the_line_is_told_once_where_both_streams_are_read(
    run: Run, workspace: Path
) -> None:
    words = ("deps", "//a:target_01", "--copts=-O3")
    terminal = run(*words, rows=100)
    assert terminal.wait() == 2
    assert without_escapes(terminal.output).count("unrecognized option") == 1
    both = run(*words, rows=100, more="> answer")
    assert both.wait() == 2
    told = without_escapes(both.output) + (workspace / "answer").read_text()
    assert told.count("unrecognized option") == 2


def test_what_a_query_may_lack_is_told_within_the_width(run: Run, workspace: Path) -> None:
    (workspace / "WORKSPACE").write_text(_FETCHED)
    names = ", ".join(f'"@fetched_{n}//:x"' for n in range(9))
    (workspace / "BUILD").write_text(f'filegroup(name = "top", srcs = [{names}])')
    terminal = run("query", "deps(//:top)", columns=60, rows=100)
    assert terminal.wait() == 3
    told = without_escapes(terminal.output)
    assert "warning: " in told
    assert max(map(len, told.splitlines())) <= 60


def test_progress_leaves_nothing_behind_ctrl_c(run: Run, slow: list[str]) -> None:
    terminal = run("query", "//slow/...")
    terminal.read_until(_TELLS)
    terminal.type("\x03")
    assert terminal.wait() == 130
    assert [line for line in screen(terminal.output) if line != "^C"] == ["interrupted"]


def test_a_full_disk(workspace: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "bazelscope", "query", "//a:all"],
            cwd=workspace,
            env=_environment(workspace),
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == b"error: cannot write the answer: No space left on device\n"


def _kept(workspace: Path) -> dict[str, int]:
    """The answers that are kept, each with the time when it was written."""
    folder = workspace / "home/.cache/bazelscope/answers"
    return {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}


def _after_progress(terminal: Terminal) -> str:
    return terminal.output.rpartition("\r\x1b[K")[2]


def test_a_kept_answer_goes_through_the_pager_too(run: Run, workspace: Path) -> None:
    pager = _pager(workspace)
    time.sleep(0.1)  # What was written just now might change once more without a trace.
    kept = []
    for _ in range(2):
        terminal = run("query", "//a:all", PAGER=pager)
        assert terminal.wait() == 0
        assert without_escapes(terminal.output).split() == ["PAGED", str(_MANY), "LESS=FRX"]
        kept.append(_kept(workspace))
    assert len(kept[0]) == 1
    assert kept[1] == kept[0]  # Who answers anew writes anew.


def test_a_kept_answer_has_the_colours_and_the_width_of_its_terminal(
    run: Run, workspace: Path
) -> None:
    time.sleep(0.1)
    seen = []
    for columns in (80, 80, 50):
        terminal = run("select", "//a:target_01", columns=columns)
        assert terminal.wait() == 0
        seen.append((_after_progress(terminal), _kept(workspace)))
    assert seen[1] == seen[0]
    assert len(seen[2][1]) == 2
    wanted = run("select", "//a:target_01", "--no-cache", columns=50)
    assert wanted.wait() == 0
    assert seen[2][0] == _after_progress(wanted)
