"""The fingerprints of a commit, kept for the next run: a commit does not change.

With them is kept what the commit's files were asked about while they were made. A state that
has none of that differently, and the same flags, has the same graph: only the content of source
files can differ, and nothing has to be loaded to see whom that affects. Of a work tree, the
fingerprints that were made last are kept, with the content of the edited files that they rest on.
"""

from __future__ import annotations

import marshal
from array import array
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any

from bazelscope.base import looks
from bazelscope.base.errors import LoadingError
from bazelscope.base.hashes import blake2b
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.kept.pack import Pack
from bazelscope.loading.cache import kept_entries
from bazelscope.loading.tree.disk import MACHINE, Disk, EntryKind, Stamp
from bazelscope.loading.tree.recorded_disk import RecordedDisk
from bazelscope.questions.affected.changed_files import ChangedFiles
from bazelscope.questions.affected.few_packages import Grounds
from bazelscope.questions.affected.fingerprints import Fingerprints

_KEY, _LATER = "prints", "later"
_CODE = ("analysis", "flags", "questions/affected")


@dataclass(frozen=True, slots=True)
class KeptPrints:
    """`prints` of a state; the paths below `top` that were `touched` for them, those apart that
    were read `for_flags` alone; symbolic `links` of the state, from the top, and where they lead
    to."""

    prints: Fingerprints
    touched: frozenset[str]
    links: tuple[tuple[str, str], ...]
    grounds: Grounds
    for_flags: frozenset[str]

    def edited(
        self, changed: ChangedFiles, more: frozenset[str] = frozenset()
    ) -> frozenset[str] | None:
        """The files with other content in a state with these changes that the graph rests on:
        where there is none, the state has the same graph. None where more than files may
        differ. `more` was touched besides for the graph of the later state."""
        for path in changed.others - self.for_flags:
            while len(path) >= len(changed.top):
                if path in self.touched or path in more:
                    return None
                path = path.rpartition("/")[0]
        return changed.edited & self.touched | changed.edited & more


class PrintsCache:
    """Keeps the fingerprints of one state under one set of flags, which `key` tells."""

    def __init__(self, directory: Path, key: Iterable[object]) -> None:
        self._pack: Pack = kept_entries.entries(directory / "affected", key, "affected", _CODE)

    def get(self) -> KeptPrints | None:
        """What was kept, if the files that no commit holds are as they were."""
        content = self._pack.get(_KEY)
        if content is None:
            return None
        try:
            prints, touched, links, outside, grounds, for_flags = marshal.loads(content)
            if any(MACHINE.stamp(path) != stamp for path, stamp in outside):
                return None
            kept = _prints_of(prints), frozenset(touched), tuple(links), Grounds.of(grounds)
            return KeptPrints(*kept, frozenset(for_flags))
        except (ValueError, EOFError, TypeError):
            return None

    def put(
        self,
        prints: Fingerprints,
        disk: RecordedDisk,
        top: str,
        links: Iterable[tuple[str, str]],
        grounds: Grounds,
        for_flags: Iterable[str],
    ) -> KeptPrints:
        """Keeps the fingerprints that were made of what `disk` gave, and before of `for_flags`.
        Returns them so."""
        outside: list[tuple[str, Stamp]] = []
        inside: set[str] = set()
        of_flags: set[str] = set()
        for noted, paths in ((of_flags, for_flags), (inside, disk.touched)):
            for path in paths:
                real = disk.below.real_path(path)
                # Loading lists no directory again that was listed for flags.
                is_listed = disk.below.kind(path) is EntryKind.DIRECTORY
                (inside if is_listed else noted).update((path, real))
                if _is_outside(disk.below, path, real, top):
                    outside.append((path, MACHINE.stamp(path)))
        of_flags -= inside
        kept = (
            _fields_of(prints),
            list(inside),
            list(links),
            outside,
            grounds.fields(),
            list(of_flags),
        )
        self._pack.put(_KEY, marshal.dumps(kept))
        self._pack.save()
        paths = frozenset(inside)
        return KeptPrints(prints, paths, tuple(links), grounds, frozenset(of_flags))

    def later(
        self, kept: KeptPrints, changed: ChangedFiles, contents: Contents
    ) -> tuple[Fingerprints, list[str]] | None:
        """The fingerprints of a work tree, and its packages in error, that were made of what was
        `kept` when the files that they rest on had the same `contents`."""
        content = self._pack.get(_LATER)
        if content is None:
            return None
        try:
            prints, in_error, inside, outside, was = marshal.loads(content)
            edited = kept.edited(changed, frozenset(inside))
            if edited is None or {path: contents.get(path) for path in edited} != was:
                return None
            if any(MACHINE.stamp(path) != stamp for path, stamp in outside):
                return None
            return _prints_of(prints), in_error
        except (ValueError, EOFError, TypeError):
            return None

    def put_later(
        self,
        made: tuple[Fingerprints, list[str]],
        kept: KeptPrints,
        before: Disk,
        changed: ChangedFiles,
        contents: Contents,
        noted: looks.Looks,
    ) -> None:
        """Keeps what `later` returns, for which what is `noted` was looked at; `before` is the
        disk that `kept` was made of."""
        inside: list[str] = []
        outside: list[tuple[str, Stamp]] = []
        noted.spread()
        for path, stamp in noted.stamps.items():
            if _is_outside(before, path, before.real_path(path), changed.top):
                outside.append((path, stamp))
            elif path not in kept.touched:
                inside.append(path)
        edited = kept.edited(changed, frozenset(inside))
        if edited is None or noted.doubt or not all(path in contents for path in edited):
            return
        was = {path: contents[path] for path in edited}
        self._pack.put(_LATER, marshal.dumps((_fields_of(made[0]), made[1], inside, outside, was)))
        self._pack.save()


Contents = Mapping[str, bytes]
"""Hashes of what files hold, by path."""
_MOST_EDITED = 999


def contents_of(changed: ChangedFiles) -> Contents:
    """The hashes of the files of the work tree that are edited; of too many, of none."""
    contents: dict[str, bytes] = {}
    for path in changed.edited if len(changed.edited) <= _MOST_EDITED else ():
        with suppress(LoadingError):  # What cannot be read is none that is known.
            contents[path] = blake2b(MACHINE.read(path, path), digest_size=16).digest()
    return contents


def _is_outside(disk: Disk, path: str, real: str, top: str) -> bool:
    """Whether a state's own files do not tell what is at a path, `real` without links."""
    return (not real.startswith(f"{top}/") and real != top) or any(disk.stamp(path)[:4])


def _fields_of(prints: Fingerprints) -> tuple[Any, ...]:
    """The fields as `marshal` writes them: arrays as their bytes."""
    return tuple(getattr(prints, one.name) for one in fields(prints))


def _prints_of(kept: tuple[Any, ...]) -> Fingerprints:
    made = Fingerprints(*kept)
    made.bits = bytearray(made.bits)
    made.starts, made.targets = array("I", made.starts), array("I", made.targets)
    return made
