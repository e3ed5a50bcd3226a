"""Where the words of rc files are, kept on disk by content: an rc file that has not changed
is not parsed again.

Places only, and no text: rc files hold passwords.
"""

from __future__ import annotations

import marshal
from functools import cache
from pathlib import Path

from bazelscope.base import grammars
from bazelscope.base.hashes import blake2b
from bazelscope.flags import rcfile
from bazelscope.kept.kept_files import KeptFiles
from bazelscope.kept.pack import MEGABYTE, Pack

_LARGEST = 4 * MEGABYTE


class KeptPlaces:
    """`rcfile.places`, with what it found in earlier runs; `directory` keeps it."""

    def __init__(self, directory: Path) -> None:
        self._pack = Pack(KeptFiles(directory), "places", _LARGEST)

    def __call__(self, text: str) -> rcfile.Places:
        name = _name(text)
        data = self._pack.get(name)
        if data is not None:
            try:
                kept: rcfile.Places = marshal.loads(data)
                return kept
            except (ValueError, EOFError, TypeError):
                pass  # Written by another Python: made anew.
        places = rcfile.places(text)
        self._pack.put(name, marshal.dumps(places))
        self._pack.save()
        return places


def _name(text: str) -> str:
    state = blake2b(_grammar())
    state.update(text.encode("utf-8", "surrogatepass"))
    return state.hexdigest()[:40]


@cache
def _grammar() -> bytes:
    return blake2b(grammars.text("bazelrc").encode("utf-8")).digest()
