"""The fingerprints of a commit, kept for the next run: a commit does not change.

With them is kept what the commit's files were asked about while they were made. A state that
has none of that differently, and the same flags, has the same graph: only the content of source
files can differ, and nothing has to be loaded to see whom that affects.
"""

from __future__ import annotations

import marshal
from array import array
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.kept.pack import Pack
from bazelscope.loading.cache import kept_entries
from bazelscope.loading.tree.disk import MACHINE, EntryKind, Stamp
from bazelscope.loading.tree.recorded_disk import RecordedDisk
from bazelscope.questions.affected.changed_files import ChangedFiles
from bazelscope.questions.affected.few_packages import Grounds
from bazelscope.questions.affected.fingerprints import Fingerprints

_KEY = "prints"
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

    def edited(self, changed: ChangedFiles) -> frozenset[str] | None:
        """The files with other content in a state with these changes that the graph rests on:
        where there is none, the state has the same graph. None where more than files may
        differ."""
        for path in changed.others - self.for_flags:
            while len(path) >= len(changed.top):
                if path in self.touched:
                    return None
                path = path.rpartition("/")[0]
        return changed.edited & self.touched


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
            fields, touched, links, outside, grounds, for_flags = marshal.loads(content)
            if any(MACHINE.stamp(path) != stamp for path, stamp in outside):
                return None
            kept = _prints_of(fields), frozenset(touched), tuple(links), Grounds.of(grounds)
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
                stamp = disk.below.stamp(path)
                # Loading lists no directory again that was listed for flags.
                is_listed = disk.below.kind(path) is EntryKind.DIRECTORY
                (inside if is_listed else noted).update((path, real))
                if (not real.startswith(f"{top}/") and real != top) or any(stamp[:4]):
                    outside.append((path, MACHINE.stamp(path)))
        of_flags -= inside
        fields = (
            prints.keys,
            prints.own,
            bytes(prints.bits),
            prints.kinds,
            prints.starts.tobytes(),
            prints.targets.tobytes(),
            prints.tops,
            prints.roots,
            prints.made_by,
        )
        kept = (fields, list(inside), list(links), outside, grounds.fields(), list(of_flags))
        self._pack.put(_KEY, marshal.dumps(kept))
        self._pack.save()
        paths = frozenset(inside)
        return KeptPrints(prints, paths, tuple(links), grounds, frozenset(of_flags))


def _prints_of(fields: tuple[Any, ...]) -> Fingerprints:
    keys, own, bits, kinds, starts, targets, tops, roots, made_by = fields
    made = Fingerprints(keys, own, bytearray(bits), kinds, tops=tops, roots=roots, made_by=made_by)
    made.starts, made.targets = array("I"), array("I")
    made.starts.frombytes(starts)
    made.targets.frombytes(targets)
    return made
