"""Faults of the machine around a run: a full disk, a clock that goes back, eight runs at once, and
surroundings that lack what most have. The answer is the same, or one sentence."""

from __future__ import annotations

import errno
import io
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from bazelscope.kept import kept_files
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


def test_a_disk_that_is_full_at_each_write(world: Path, tmp_path: Path) -> None:
    """Injected: every write of a run in its turn finds no space left."""
    expected = answers(world, None)

    def asked(cache: Path, failing: int) -> int:
        """Which write is the first that is not reached; 0 if the answers differ."""
        written = 0

        class Full(io.BufferedWriter):
            def write(self, data: Any) -> int:
                nonlocal written
                written += 1
                if written == failing:
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                return super().write(data)

        def opened(descriptor: int, mode: str) -> Any:
            if mode != "wb":
                return os.fdopen(descriptor, mode)
            return Full(io.FileIO(descriptor, "wb"))

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(kept_files, "os", SimpleNamespace(**{**vars(os), "fdopen": opened}))
            same = answers(world, cache) == expected
        return written + 1 if same else 0

    failing = 1
    while (reached := asked(tmp_path / f"cache-{failing}", failing)) > failing:
        assert answers(world, tmp_path / f"cache-{failing}") == expected, failing
        shutil.rmtree(tmp_path / f"cache-{failing}")
        failing += 1 + failing // 8
    assert failing > 20
    assert reached, failing


_MOUNTED = """
import sys
from pathlib import Path
from tests.hostile.cache_trials import answers
root, cache = map(Path, sys.argv[1:])
sys.exit(answers(root, cache) != answers(root, None))
"""
_READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && '


def _with_mount(mount: str, at: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs words where something is really mounted, in a name space of its own."""
    return subprocess.run(
        ["unshare", "-m", "bash", "-c", f'{mount} exec "$@"', str(at), *words],
        env={**os.environ, "PYTHONPATH": _ROOT},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture(scope="module")
def can_mount() -> None:
    """Mounting takes a right that only the system gives, and no registry: where it is not given,
    tests with injected faults are what there is."""
    try:
        done = _with_mount('mount -t tmpfs none "$0" &&', Path("/mnt"), "true")
    except OSError:
        pytest.skip("`unshare` is not here")
    if done.returncode:
        pytest.skip(f"nothing can be mounted: {done.stderr.strip()}")


@pytest.mark.usefixtures("can_mount")
@pytest.mark.parametrize("size", ["size=4k", "size=12k", "size=40k", "size=1m,nr_inodes=4"])
def test_a_file_system_that_is_full(size: str, world: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o700)
    mount = f'mount -t tmpfs -o {size},mode=700 none "$0" &&'
    done = _with_mount(mount, cache, sys.executable, "-c", _MOUNTED, str(world), str(cache))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.usefixtures("can_mount")
@pytest.mark.parametrize("what", ["w", "cache", "."])
def test_a_read_only_mount(what: str, world: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    answers(world, cache)
    (world / "p/BUILD").write_text('filegroup(name = "y")\n')
    at = tmp_path / what
    done = _with_mount(_READ_ONLY, at, sys.executable, "-c", _MOUNTED, str(world), str(cache))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.usefixtures("can_mount")
@pytest.mark.parametrize(
    ("mount", "why"),
    [
        ('mount -t tmpfs -o size=4k none "$0" && head -c 4096 /dev/zero >"$0/x" &&', "No space"),
        (_READ_ONLY, "Read-only file system"),
    ],
)
@pytest.mark.parametrize(
    "question",
    [
        ("page", "//p:y", "-o", "out/page.html"),
        ("graph", "//p:y", "-o", "out/graph.svg"),
        ("deps", "//p:y", "--trace", "out/trace.json"),
        ("compile", "//p:lib", "--as", "compile_commands", "-o", "out/compile_commands.json"),
    ],
)
def test_an_answer_that_cannot_be_written(
    question: tuple[str, ...], mount: str, why: str, world: Path
) -> None:
    (world / "p/BUILD").write_text(
        'filegroup(name = "y")\ncc_library(name = "lib", srcs = ["l.c"])\n'
    )
    (world / "out").mkdir()
    command = ("--no-cache", "--bazel-version", "6.5.0", "-w", str(world))
    words = [word.replace("out/", f"{world}/out/") for word in question]
    done = _with_mount(mount, world / "out", sys.executable, "-m", "bazelscope", *words, *command)
    assert done.returncode == (0 if "--trace" in words else 2), done.stderr
    assert why in done.stderr and "Traceback" not in done.stderr


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
