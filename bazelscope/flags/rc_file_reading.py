"""The one way in which this stage reads files, so that callers decide what may be read."""

from __future__ import annotations

import enum
import errno
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from bazelscope.base import looks
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.paths import IrregularFileError, is_there, read_file

MAX_RC_BYTES = 16 * 1024 * 1024
"""An rc file larger than this is not read; the largest known one is 1/300 of it."""


class ReadFailure(enum.Enum):
    """Why a file could not be read; the value is the wording used in answers."""

    MISSING = "no such file"
    UNREADABLE = "not readable"
    NOT_A_FILE = "not a regular file"
    TOO_LARGE = "larger than 16 MiB"
    OUTSIDE = "outside the folders that may be read (--links-to DIR lets it)"


@dataclass(frozen=True, slots=True)
class FileText:
    """The text of a file, and its path after links are resolved."""

    text: str
    canonical: str


class Files(Protocol):
    """Reads text files by absolute path; never raises for what the disk holds."""

    def read(self, path: str) -> FileText | ReadFailure: ...

    def canonical(self, path: str) -> str | None:
        """The path with its links resolved, or None if there is nothing there."""
        ...


class DiskFiles:
    """Files of this machine, below `roots` if any are given (links are resolved first).

    Bytes that are not UTF-8 survive as surrogates. Devices, pipes and folders are not read,
    but for the null device, which is an empty rc file to Bazel.
    """

    def __init__(self, roots: Iterable[str] | None = None) -> None:
        self._roots = None if roots is None else tuple(looks.real_path(root) for root in roots)

    def canonical(self, path: str) -> str | None:
        try:
            real = looks.real_path(path)
            looks.at(real, into=False)
            return real if is_there(Path(real)) else None
        except (OSError, ValueError):
            return None

    def read(self, path: str) -> FileText | ReadFailure:
        if path == os.devnull:
            return FileText("", path)
        try:
            real = looks.real_path(path)
        except (OSError, ValueError):
            # A null character, or a character that no file name can hold.
            return ReadFailure.UNREADABLE
        if self._roots is not None and not any(_is_below(real, root) for root in self._roots):
            return ReadFailure.OUTSIDE
        looks.at(real)
        try:
            content = read_file(real, MAX_RC_BYTES)
        except (FileNotFoundError, NotADirectoryError):
            return ReadFailure.MISSING
        except IrregularFileError:
            return ReadFailure.NOT_A_FILE
        except (OSError, ValueError) as error:
            too_large = getattr(error, "errno", None) == errno.EFBIG
            return ReadFailure.TOO_LARGE if too_large else ReadFailure.UNREADABLE
        return FileText(content.decode("utf-8", "surrogateescape"), real)


def _is_below(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)


def join(base: str, path: str) -> str:
    """`path` itself if it is absolute, else below `base`; nothing else about it changes."""
    return path if Path(path).is_absolute() else f"{base.rstrip('/')}/{path}"
