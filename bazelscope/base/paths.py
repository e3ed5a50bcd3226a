"""What lies at a path that anybody may have written.

Nothing does where no file can have such a name: `Path.is_file` and the like raise `OSError` for one
that is too long, up to Python 3.13.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

MAX_FILE_BYTES = 64 << 20


class IrregularFileError(OSError):
    """What lies there is a pipe, a device or a folder."""


def read_file(path: Path | str, limit: int = MAX_FILE_BYTES) -> bytes:
    """Reads a file that anybody may have put there, and never waits for one.

    Raises `OSError` for what cannot be read (`IrregularFileError` for what is no file, `EFBIG` for
    one of more than `limit` bytes), `ValueError` for what no path can be.
    """
    # Opening without blocking first keeps a pipe from hanging the program.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise IrregularFileError(errno.EINVAL, "not a regular file")
        pieces: list[bytes] = []
        remaining = limit + 1
        if status.st_size <= limit:  # A file of `/proc` is longer than it says.
            while remaining and (piece := os.read(descriptor, min(remaining, 1 << 20))):
                pieces.append(piece)
                remaining -= len(piece)
        if status.st_size > limit or not remaining:
            raise OSError(errno.EFBIG, f"larger than {limit >> 20} MB")
        return b"".join(pieces)
    finally:
        os.close(descriptor)


def is_file(path: Path) -> bool:
    """Whether a file lies there."""
    return os.path.isfile(path)  # noqa: PTH113


def is_folder(path: Path) -> bool:
    """Whether a folder lies there."""
    return os.path.isdir(path)  # noqa: PTH112


def is_there(path: Path) -> bool:
    """Whether anything lies there."""
    return os.path.exists(path)  # noqa: PTH110
