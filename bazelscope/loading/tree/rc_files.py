"""rc files on a disk that is not the machine's."""

from __future__ import annotations

import os
from collections.abc import Iterable

from bazelscope.base.errors import LoadingError
from bazelscope.flags.rc_file_reading import MAX_RC_BYTES, FileText, ReadFailure
from bazelscope.loading.tree.disk import Disk, EntryKind


class RcFilesOnDisk:
    """Files of `disk` below `roots`, read as `DiskFiles` reads those of this machine."""

    def __init__(self, disk: Disk, roots: Iterable[str]) -> None:
        self._disk = disk
        self._roots = tuple(disk.real_path(root) for root in roots)

    def canonical(self, path: str) -> str | None:
        real = self._disk.real_path(path)
        return real if self._disk.kind(real) is not None else None

    def read(self, path: str) -> FileText | ReadFailure:
        if path == os.devnull:
            return FileText("", path)
        real = self._disk.real_path(path)
        if not any(f"{real}/".startswith(f"{root.rstrip('/')}/") for root in self._roots):
            return ReadFailure.OUTSIDE
        kind = self._disk.kind(real)
        if kind is None:
            return ReadFailure.MISSING
        if kind is not EntryKind.FILE:
            return ReadFailure.NOT_A_FILE
        try:
            content = self._disk.read(real, path)
        except LoadingError:
            return ReadFailure.UNREADABLE
        if len(content) > MAX_RC_BYTES:
            return ReadFailure.TOO_LARGE
        return FileText(content.decode("utf-8", "surrogateescape"), real)
