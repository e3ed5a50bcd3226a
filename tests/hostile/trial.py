"""Runs one command in a process of its own, and tells how it ended and what it took."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_INTERVAL = 0.02
"""Seconds between two looks at a process."""


@dataclass(frozen=True)
class Ending:
    """How a process ended: its code, what it wrote, CPU seconds, megabytes at most."""

    code: int
    out: str
    err: str
    seconds: float
    megabytes: int


def write_tree(root: Path, files: Mapping[str, str]) -> None:
    """Writes a workspace."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", errors="surrogateescape")


def run(root: Path, words: Sequence[str], wall: float = 900, memory: int = 6 << 10) -> Ending:
    """Runs bazelscope in `root`; it is killed after `wall` seconds, or at `memory` megabytes."""
    command = [sys.executable, "-m", "bazelscope", *words]
    environment = {"PATH": os.environ["PATH"], "HOME": str(root.parent), "LC_ALL": "C.UTF-8"}
    own = Path(__file__).resolve().parents[2]
    environment["PYTHONPATH"] = str(own)
    out, err = (root.parent / f"{root.name}.{name}" for name in ("out", "err"))
    with out.open("wb") as to, err.open("wb") as errors:
        process = subprocess.Popen(command, cwd=root, stdout=to, stderr=errors, env=environment)
        guard = _Guard(process.pid, wall, memory)
        guard.start()
        _, status, usage = os.wait4(process.pid, 0)
        guard.is_over.set()
        guard.join()
    process.returncode = os.waitstatus_to_exitcode(status)
    return Ending(
        process.returncode,
        out.read_bytes()[: 1 << 20].decode("utf-8", "replace"),
        err.read_bytes()[: 1 << 20].decode("utf-8", "replace"),
        usage.ru_utime + usage.ru_stime,
        guard.megabytes,
    )


class _Guard(threading.Thread):
    """Watches a process: kills it after `wall` seconds or at `memory` megabytes, and knows the most
    that it held."""

    def __init__(self, pid: int, wall: float, memory: int) -> None:
        super().__init__()
        self._pid, self._ends, self._memory = pid, time.monotonic() + wall, memory
        self.is_over = threading.Event()
        self.megabytes = 0

    def run(self) -> None:
        # The kernel's own figure at the end would begin with what this process holds: a process
        # that is forked inherits it.
        while not self.is_over.wait(_INTERVAL):
            self.megabytes = max(self.megabytes, _most_held(self._pid))
            if time.monotonic() > self._ends or self.megabytes > self._memory:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(self._pid, signal.SIGKILL)
                return


def _most_held(pid: int) -> int:
    """Returns the most that a process has held so far, in megabytes; 0 where it has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) >> 10 for line in lines if line.startswith("VmHWM:")), 0)
