"""Faults of the machine around a run: a full disk, a clock that goes back, eight runs at once, and
surroundings that lack what most have. The answer is the same, or one sentence."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

import pytest

from tests.hostile.cache_trials import answers, lay_out

_ROOT = str(Path(__file__).parents[2])
_QUESTION = ("cquery", "deps(//p:y)", "--bazel-version", "6.5.0", "--keep_going")
_SETTLING = 0.06


@pytest.fixture
def world(tmp_path: Path) -> Path:
    root = tmp_path / "w"
    lay_out(root)
    time.sleep(_SETTLING)
    return root


def _forked(work: Callable[[], bool]) -> bool:
    """Whether some work holds in a process of its own."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = 0 if work() else 1
        finally:
            os._exit(code)
    return os.waitpid(child, 0)[1] == 0


def test_a_disk_that_is_full_after_any_number_of_bytes(world: Path, tmp_path: Path) -> None:
    """No file can grow beyond the limit: the write that would is short, and the next one fails."""
    expected = answers(world, None)
    answers(world, tmp_path / "whole")
    largest = max(path.stat().st_size for path in (tmp_path / "whole").rglob("*") if path.is_file())
    sizes = [0, 1, *(Random(3).randrange(largest) for _ in range(4)), largest - 1]
    for size in sizes:
        cache = tmp_path / f"cache-{size}"

        def asked(size: int = size, cache: Path = cache) -> bool:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
            return answers(world, cache) == expected

        assert _forked(asked), f"another answer while the disk is full after {size} bytes"
        assert _forked(lambda cache=cache: answers(world, cache) == expected), size  # type: ignore[misc]


def test_a_clock_that_goes_back(world: Path, tmp_path: Path) -> None:
    """Files from the future, a clock in the past, and edits that look older than what is kept."""
    cache = tmp_path / "cache"
    build = world / "p/BUILD"
    texts = (build.read_text(), 'filegroup(name = "y")\n', 'filegroup(name = "y", srcs = ["z"])\n')
    for number, text in enumerate((*texts, *texts)):
        build.write_text(text)
        moment = int(time.time()) + (3 - number) * 86_400
        os.utime(build, (moment, moment))
        time.sleep(_SETTLING)

        def asked() -> bool:
            time.time = lambda: 1.0
            time.time_ns = lambda: 10**9
            return answers(world, cache) == answers(world, None)

        assert _forked(asked), number
        assert answers(world, cache) == answers(world, None), number


def test_eight_at_once(world: Path, tmp_path: Path) -> None:
    expected = _run(world, {})
    for _ in range(2):
        words = _command("--cache-dir", str(tmp_path / "cache"))
        running = [_started(words, world, {}) for _ in range(8)]
        assert [_ended(process) for process in running] == [expected] * 8


_SURROUNDINGS: Mapping[str, Mapping[str, str]] = {
    "no HOME": {"HOME": ""},
    "a HOME that is none": {"HOME": "/nowhere/at/all"},
    "a HOME that is a device": {"HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null"},
    "a cache folder that nobody can write": {"XDG_CACHE_HOME": "/proc"},
    "the C locale": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "a locale that is none": {"LC_ALL": "xx_YY.KOI8-R", "LANG": "tlh"},
    "latin-1": {"PYTHONIOENCODING": "latin-1"},
    "no documentation and no assertions": {"PYTHONOPTIMIZE": "2"},
    "warnings are errors": {"PYTHONWARNINGS": "error"},
    "a dumb terminal": {"TERM": "dumb", "COLUMNS": "0", "LINES": "-1"},
    "no time zone": {"TZ": "Nowhere/Land"},
    "another order of hashes": {"PYTHONHASHSEED": "77"},
    "development mode": {"PYTHONDEVMODE": "1"},
}


@pytest.mark.parametrize("name", _SURROUNDINGS)
def test_surroundings(name: str, world: Path) -> None:
    assert _run(world, _SURROUNDINGS[name]) == _run(world, {})


@pytest.mark.parametrize("lacking", ["fork", "sched_getaffinity", "getuid"])
def test_a_system_that_lacks_a_call(lacking: str, world: Path) -> None:
    """As Windows and others do: nothing is forked then, and the answer is the same."""
    program = (
        f"import os, sys; hasattr(os, {lacking!r}) and delattr(os, {lacking!r})\n"
        "from bazelscope.cli import main\nsys.exit(main())\n"
    )
    words = [sys.executable, "-c", program, *_QUESTION, "--no-cache"]
    assert _ended(_started(words, world, {})) == _run(world, {})


@pytest.mark.parametrize(
    "closed", ["0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-", "1>/dev/full", "|true"]
)
def test_closed_and_full_streams(closed: str, world: Path) -> None:
    command = f'"$0" -m bazelscope {" ".join(map(repr, _QUESTION))} --no-cache {closed}'
    done = subprocess.run(
        ["bash", "-c", command, sys.executable],
        cwd=world,
        env={**os.environ, "PYTHONPATH": _ROOT},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode in ((2,) if "full" in closed else (0,)), done.stderr
    assert "Traceback" not in done.stderr and "Exception" not in done.stderr
    assert ("cannot write" in done.stderr) == ("full" in closed)


def _command(*options: str) -> list[str]:
    return [sys.executable, "-m", "bazelscope", *_QUESTION, *options]


def _started(
    words: list[str], root: Path, environment: Mapping[str, str]
) -> subprocess.Popen[bytes]:
    whole = {**os.environ, "PYTHONPATH": _ROOT, **environment}
    whole = {name: value for name, value in whole.items() if value}
    pipe = subprocess.PIPE
    return subprocess.Popen(words, cwd=root, env=whole, stdout=pipe, stderr=pipe)


def _ended(process: subprocess.Popen[bytes]) -> tuple[int, bytes, bytes]:
    out, errors = process.communicate(timeout=120)
    return process.returncode, out, errors


def _run(root: Path, environment: Mapping[str, str]) -> tuple[int, bytes, bytes]:
    options = () if "XDG_CACHE_HOME" in environment or "HOME" in environment else ("--no-cache",)
    return _ended(_started(_command(*options), root, environment))
