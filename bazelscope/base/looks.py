"""What a run looks at on the machine's disk, so that its answer can be kept with all it rests on.

Nobody looks unless a run has begun to take notes: then who is about to look at a path says so
first, and a change while the run goes on is seen at its end.
"""

# ruff: noqa: PTH100, PTH116, PTH120  (thousands of paths: `os` on strings is three times faster)

from __future__ import annotations

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:  # A run whose answer is kept does without `typing`.
    from typing import Any

Stamp = tuple[int, ...]
"""Device, inode, times of the last modification and of the last change of state, size; empty for
what is not there."""


class Looks:
    """The paths that were looked at since `began`, each with its stamp at the first look."""

    def __init__(self) -> None:
        self.began = time.time_ns()
        self.stamps: dict[str, Stamp] = {}
        self.read: set[str] = set()
        """The paths of these whose content counts, too."""
        self.ways: dict[str, str] = {}
        """Where paths lead to, links resolved."""
        self.digests: dict[tuple[str, str], tuple[Stamp, bytes]] = {}
        """Hashes of what files and directories hold, by kind and path, with the stamps of then."""
        self.held: dict[str, tuple[Stamp, bytes]] = {}
        """Stamps and hashes of what is as an earlier run has kept it, by kind and path as one
        text: of tens of thousands, to note each in `stamps` and `digests` takes as long as to look
        at it."""
        self.is_whole = False
        """Whether the answer came out without a limit that cut it short."""
        self.doubt = ""
        """Why the answer may come out otherwise though all that was looked at is as it was."""

    def at(self, path: str, into: bool = True) -> None:
        """Notes that a path is about to be looked at; `into`: at what it holds."""
        if path not in self.stamps:
            self.stamps[path] = stamp_of(path)
        if into:
            self.read.add(path)

    def take(self) -> tuple[Any, ...]:
        """Takes out what was noted since the last time, for another process to `add`."""
        taken = self.stamps, self.read, self.ways, self.digests, self.held, self.doubt
        self.stamps, self.read, self.ways, self.digests, self.held = {}, set(), {}, {}, {}
        return taken

    def add(self, taken: tuple[Any, ...]) -> None:
        """Notes what another process of the same run has noted."""
        stamps, read, ways, digests, held, doubt = taken
        self.read |= read
        for path, stamp in stamps.items():
            if self.stamps.setdefault(path, stamp) != stamp:
                self.doubt = f"{path} changed"
        self.ways.update(ways)
        self.digests.update(digests)
        self.held.update(held)
        self.doubt = self.doubt or doubt

    def spread(self) -> None:
        """Notes in `stamps` and `digests` what is `held`."""
        for name, row in self.held.items():
            if self.stamps.setdefault(name[1:], row[0]) != row[0]:
                self.doubt = f"{name[1:]} changed"
            self.digests[name[0], name[1:]] = row
        self.held = {}


current: Looks | None = None
"""The notes of this run, if it takes any."""


def at(path: str, into: bool = True) -> None:
    """Notes that a path is about to be looked at, where notes are taken."""
    if current is not None:
        current.at(path, into)


def doubt(why: str) -> None:
    """Notes that the answer may come out otherwise the next time."""
    if current is not None:
        current.doubt = why


def end(is_whole: bool) -> None:
    """Notes that the answer is out, and whether no limit has cut it short."""
    if current is not None:
        current.is_whole = is_whole


def real_path(path: str) -> str:
    """Where a path leads to, noted. Raises `OSError` and `ValueError` as `os.path.realpath`."""
    real = os.path.realpath(path)
    if current is not None:
        current.ways[path] = real
    return real


PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
"""The folder of bazelscope's own files."""
_own_files: list[tuple[str, Stamp]] = []


def own_files() -> list[tuple[str, Stamp]]:
    """Bazelscope's own files, each with its stamp, sorted: what it makes hangs on them. They are
    looked for once in a process."""
    if not _own_files:
        add_stamps(_own_files, PACKAGE)
        _own_files.sort()
    return _own_files


def add_stamps(stamps: list[tuple[str, Stamp]], folder: str) -> None:
    """Adds the stamp of every file below a folder that is there: by `scandir` of strings, since
    every run asks."""
    pending = [folder]
    while pending:
        try:
            entries = os.scandir(pending.pop())
        except FileNotFoundError:
            continue
        with entries:
            for entry in entries:
                if not entry.is_dir():
                    stamps.append((entry.path, stamp_from(entry.stat())))
                elif entry.name != "__pycache__":
                    pending.append(entry.path)


def stamp_of(path: str) -> Stamp:
    """The stamp of what is at the end of a path's links."""
    try:
        return stamp_from(os.stat(path))
    except (OSError, ValueError):
        return ()


def stamp_from(status: os.stat_result) -> Stamp:
    """The stamp of what has this status."""
    times = (status.st_mtime_ns, status.st_ctime_ns)
    return (status.st_dev, status.st_ino, *times, status.st_size)
