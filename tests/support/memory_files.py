"""rc files that exist only in a test."""

from __future__ import annotations

import os
from collections.abc import Mapping

from bazelscope.flags.rc_file_reading import FileText, ReadFailure


class MemoryFiles:
    """Files that exist only as texts by absolute path; `links` maps a path to its target."""

    def __init__(self, texts: Mapping[str, str], links: Mapping[str, str] | None = None) -> None:
        self._texts = dict(texts)
        self._links = dict(links or {})

    def canonical(self, path: str) -> str | None:
        real = os.path.normpath(self._links.get(path, path))
        return real if real in self._texts else None

    def read(self, path: str) -> FileText | ReadFailure:
        if path == "/dev/null":
            return FileText("", path)
        real = self.canonical(path)
        return ReadFailure.MISSING if real is None else FileText(self._texts[real], real)
