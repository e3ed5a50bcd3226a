"""What files and directories hold, as hashes, and when their stamps can be trusted to tell."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterable

from bazelscope.base.errors import LoadingError
from bazelscope.base.hashes import blake2b
from bazelscope.loading.tree.disk import Disk, Entry, EntryKind, Stamp

BUILD_FILE_NAMES = ("BUILD.bazel", "BUILD")
FILE, DIRECTORY, OUTSIDE, HOME = "f", "d", "o", "h"
"""What an input is: the third, a link out of its tree, which nobody reads; the last, a directory of
which only counts whether it has a BUILD file."""
HAS_ONE, _HAS_NONE = b"y", b"n"
"""What a directory holds as `HOME`."""

_links_out: set[str] = set()
"""The links of this process's trees that lead out of them, by path."""

_TICK = 50_000_000
"""Within so many nanoseconds a file could change twice and have the same times."""
_COARSE = 40
"""A tick of file systems that count whole seconds is so many times as long."""
_SECOND = 1_000_000_000


def is_settled(stamp: Stamp, now: int | None = None) -> bool:
    """Whether what has this stamp now would have another one if it changed again. The time of
    the last change of state counts: nobody can set it. `now`: when it was looked at."""
    if not stamp:
        return True
    changed = stamp[3] if os.name == "posix" else max(stamp[2], stamp[3])
    tick = _TICK * _COARSE if changed % _SECOND == 0 else _TICK
    return (time.time_ns() if now is None else now) - changed >= tick


def content_digest(disk: Disk, kind: str, path: str) -> tuple[bytes, bool]:
    """A hash of what a file or directory holds, or of why that cannot be told; and whether its
    stamp changes whenever that does. Of a link out of its tree: of where it leads."""
    if kind == OUTSIDE:
        return _hash(b"o" + os.fsencode(disk.real_path(path))), False
    if kind == FILE:
        try:
            return file_digest(disk.read(path, path)), True
        except LoadingError as error:
            return _hash(b"e" + error.diagnostic.message.encode("utf-8", "replace")), False
    if kind == HOME:
        return _of_home(disk, path)
    try:
        return directory_digest(disk, path, disk.entries(path))
    except OSError as error:
        return _hash(b"e%d" % (error.errno or 0)), False


def file_digest(content: bytes) -> bytes:
    """A hash of what a file holds."""
    return _hash(b"f" + content)


def directory_digest(disk: Disk, path: str, entries: Iterable[Entry]) -> tuple[bytes, bool]:
    """A hash of what a directory holds, and whether its stamp changes whenever that does."""
    parts: list[bytes] = []
    has_links = False
    for name, own, is_link in entries:
        parts.append(os.fsencode(name) + b"\0")
        if is_link:
            has_links = True
            full = f"{path}/{name}"
            leads_to = b"%d %s" % (disk.kind(full) or 0, os.fsencode(disk.real_path(full)))
            parts.append(b"l" + leads_to + b"\0")
        else:
            parts.append(b"%d" % (own or 0))
    return _hash(b"".join(parts)), not has_links


def _of_home(disk: Disk, directory: str) -> tuple[bytes, bool]:
    for name in BUILD_FILE_NAMES:
        path = f"{directory}/{name}"
        if disk.kind(path) not in (None, EntryKind.DIRECTORY):
            return HAS_ONE, disk.real_path(path) == f"{disk.real_path(directory)}/{name}"
    return _HAS_NONE, False


def _hash(content: bytes) -> bytes:
    return blake2b(content, digest_size=16).digest()


ABSENT = _hash(b"e%d" % errno.ENOENT)
"""What a directory holds that is not there."""


def note_link(path: str, leads_out: bool) -> None:
    """Notes whether a path leads out of its tree."""
    if leads_out:
        _links_out.add(path)
    else:
        _links_out.discard(path)


def kind_of_file(path: str) -> str:
    """What an input of that path is."""
    return OUTSIDE if path in _links_out else FILE
