"""Runs one command in a process of its own, and tells how it ended and what it took."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


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
        over = threading.Event()
        guard = threading.Thread(target=_guard, args=(process.pid, wall, memory, over))
        guard.start()
        _, status, usage = os.wait4(process.pid, 0)
        over.set()
        guard.join()
    process.returncode = os.waitstatus_to_exitcode(status)
    return Ending(
        process.returncode,
        out.read_bytes()[: 1 << 20].decode("utf-8", "replace"),
        err.read_bytes()[: 1 << 20].decode("utf-8", "replace"),
        usage.ru_utime + usage.ru_stime,
        usage.ru_maxrss >> 10,
    )


def _guard(pid: int, wall: float, memory: int, over: threading.Event) -> None:
    waited = 0.0
    page = os.sysconf("SC_PAGE_SIZE")
    while not over.wait(0.2):
        waited += 0.2
        try:
            held = int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * page
        except (OSError, ValueError, IndexError):
            held = 0
        if waited > wall or held > memory << 20:
            os.kill(pid, signal.SIGKILL)
            return
