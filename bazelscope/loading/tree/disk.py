"""The one way in which loading looks at files: the machine's disk, or what stands in for it.

A `Disk` answers for absolute paths. `OverlaidDisk` has texts that nobody saved yet, `GitDisk`
the files of a commit; a loader reads them as it reads the machine's, and what is kept of files
goes by their content, so that what is equal on two disks is evaluated once.
"""

# ruff: noqa: PTH116, PTH115  (thousands of files: `os` on strings is three times faster)

from __future__ import annotations

import enum
import os
import stat
from pathlib import Path
from typing import Protocol

from bazelscope.base import looks
from bazelscope.base.errors import Diagnostic, LoadingError
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.paths import read_file

Stamp = looks.Stamp
"""Of what has no place on a device: zeros and a number that stands for its content."""


class EntryKind(enum.IntEnum):
    FILE = 1
    DIRECTORY = 2
    OUTSIDE_FILE = 3
    """A symbolic link to a file out of the root: it exists, but is not read."""


class Entry(NamedTuple):
    """A name in a directory. `kind` is None for a symbolic link, and for a device and the like."""

    name: str
    kind: EntryKind | None
    is_link: bool = False


class Disk(Protocol):
    """Files and directories by absolute path."""

    @property
    def space(self) -> str:
        """What tells apart the stamps of two disks that are asked about the same paths."""

    def stamp(self, path: str) -> Stamp:
        """What changes when a file or directory does; empty where there is none."""

    def kind(self, path: str) -> EntryKind | None:
        """Whether there is a file or a directory, at the end of all links; None for neither."""

    def entries(self, directory: str) -> list[Entry]:
        """What a directory holds, by name. Raises `OSError`."""

    def link(self, path: str) -> str:
        """What a symbolic link says. Raises `OSError` where there is none."""

    def real_path(self, path: str) -> str:
        """Where a path leads to; itself where nobody can tell."""

    def read(self, path: str, shown: str) -> bytes:
        """The bytes of a regular file; `shown` is its name in errors. Raises `LoadingError`."""


class MachineDisk:
    """The disk of this machine."""

    space = ""

    def stamp(self, path: str) -> Stamp:
        stamp = looks.stamp_of(path)
        if looks.current is not None:
            looks.current.stamps.setdefault(path, stamp)
        return stamp

    def kind(self, path: str) -> EntryKind | None:
        looks.at(path, into=False)
        try:
            mode = os.stat(path).st_mode
        except (OSError, ValueError):
            return None
        if stat.S_ISDIR(mode):
            return EntryKind.DIRECTORY
        return EntryKind.FILE if stat.S_ISREG(mode) else None

    def entries(self, directory: str) -> list[Entry]:
        looks.at(directory)
        with os.scandir(directory) as scan:
            return sorted(map(_entry, scan))

    def link(self, path: str) -> str:
        leads_to = os.readlink(path)
        looks.doubt(f"{path} is a link that never ends")
        return leads_to

    def real_path(self, path: str) -> str:
        try:
            return looks.real_path(path)
        except (OSError, ValueError):
            return path  # What `/proc` lists may be gone.

    def read(self, path: str, shown: str) -> bytes:
        looks.at(path)
        try:
            return read_file(path)
        except FileNotFoundError as error:
            raise no_such_file(shown) from error
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise cannot_read(shown, reason or "unreadable") from error


MACHINE = MachineDisk()

_new = tuple.__new__
"""Trees have tens of thousands of entries: made so, they take half the time."""
_FILE, _DIRECTORY = EntryKind.FILE, EntryKind.DIRECTORY
"""To look a member up takes Python 3.11 its time, too."""


def _entry(entry: os.DirEntry[str]) -> Entry:
    if entry.is_symlink():
        return Entry(entry.name, None, True)
    try:
        if entry.is_file():
            return _new(Entry, (entry.name, _FILE, False))
        return _new(Entry, (entry.name, _DIRECTORY if entry.is_dir() else None, False))
    except OSError:
        return Entry(entry.name, None)  # It is gone.


def is_directory(disk: Disk, path: Path | str) -> bool:
    """Whether there is a directory, at the end of all links."""
    return disk.kind(str(path)) is EntryKind.DIRECTORY


def no_such_file(shown: str) -> LoadingError:
    """The error of a file that is not there."""
    return cannot_read(shown, "no such file", "file-not-found")


def cannot_read(shown: str, why: str, code: str = "unreadable-file") -> LoadingError:
    """The error of a file that cannot be read."""
    return LoadingError(Diagnostic(code, f"cannot read `{shown}`: {why}"))
