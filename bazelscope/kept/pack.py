"""Many things in one file that one run keeps for the next, each under a key.

A file for each would take a file system longer to make than most of them take to be found out
again. The file (see `kept_files`) has a head with an index; each entry has a checksum of its
own, and is read when it is asked for. An entry may have *inputs*: what it was made from, in a
form that its owner can check. Runs may save at the same time: each takes in what the others
have written since, under a lock, so that nobody's work is lost.
"""

from __future__ import annotations

import marshal
import mmap
from collections.abc import Callable, Iterable, Iterator
from itertools import compress
from typing import Any, TypeVar
from zlib import crc32

from bazelscope.base.hashes import blake2b
from bazelscope.kept.kept_files import KeptFiles

MEGABYTE = 1 << 20

Key = str | tuple[str, ...]
_K = TypeVar("_K", bound=Key)
Input = tuple[Any, ...]
"""Something that an entry rests on; the first part says what kind of thing it is."""
Holds = Callable[[Input], bool]
Fresh = tuple[dict[Key, tuple[bytes, tuple[Input, ...]]], dict[str, dict[str, Any]]]
"""What one process has put: entries with their inputs, and rows of tables."""
_Place = tuple[int, int, bytes, int, tuple[int, ...]]
"""Offset, length, hash and checksum of an entry, and the numbers of its inputs. The hash names
what stands there; the checksum, which takes an eighth of the time, tells whether it still does."""

_Entry = tuple[Key, bytes, bytes, int, tuple[Input, ...]]
"""A key, its content, the hash and the checksum of that, and what it rests on."""


def holds_always(input: Input) -> bool:
    """Of entries that rest on nothing but their key."""
    return True


class Pack:
    """What `files` keep under `name`, of `largest` bytes at most; `put` adds to it, and `save`
    writes it."""

    def __init__(self, files: KeptFiles, name: str, largest: int) -> None:
        self._files = files
        self._name = name
        self._largest = largest
        self._fresh: dict[Key, tuple[bytes, tuple[Input, ...]]] = {}
        self._dropped: set[tuple[Key, bytes]] = set()
        self._tables: list[Table] = []
        self._index: dict[Key, _Place] = {}
        self._inputs: list[Input] = []
        self._content: mmap.mmap | None = None
        self._start = 0
        self._head = b""
        """The hash of what the index was read from."""
        self._held: set[int] = set()
        """The inputs that were looked at by a check which lasts, and do hold."""
        self._open()

    @property
    def problem(self) -> str | None:
        """Why nothing can be kept here."""
        return self._files.problem

    def get(self, key: Key, holds: Holds = holds_always, *, lasts: bool = False) -> bytes | None:
        """What was kept under a key, or put in this run; None where it is not here, is damaged,
        or rests on something that no longer holds. With `lasts`, what holds is not looked at
        again until `recheck`."""
        fresh = self._fresh.get(key)
        if fresh is not None:
            return fresh[0]
        place = self._index.get(key)
        if place is None:
            return None
        content = self._at(place) if self._all_hold(place, holds, lasts) else None
        if content is None:
            self.drop(key)
        return content

    def __contains__(self, key: Key) -> bool:
        """Whether something was kept or put under a key, whatever has become of its inputs."""
        return key in self._fresh or key in self._index

    def sizes(self) -> dict[Key, int]:
        """Everything that earlier runs have kept, and how many bytes it has."""
        return {key: place[1] for key, place in self._index.items()}

    def is_held(self, key: Key) -> bool:
        """Whether all inputs of what was kept under a key were seen to hold by a check that
        lasts."""
        place = self._index.get(key)
        return place is not None and self._held.issuperset(place[4])

    def has(self, key: Key, holds: Holds = holds_always, *, lasts: bool = False) -> bool:
        """Whether `get` would find the entry, unless it is damaged."""
        if key in self._fresh:
            return True
        place = self._index.get(key)
        return place is not None and self._all_hold(place, holds, lasts)

    def _all_hold(self, place: _Place, holds: Holds, lasts: bool) -> bool:
        inputs, held = self._inputs, self._held
        if lasts and held.issuperset(place[4]):
            return True
        for number in place[4]:
            if lasts and number in held:
                continue
            if not holds(inputs[number]):
                return False
            if lasts:
                held.add(number)
        return True

    def look_at(self, keys: Iterable[Key], hold: Callable[[list[Input]], Iterable[bool]]) -> None:
        """Looks at the inputs of many entries at once, each once: those that `hold` are not looked
        at again until `recheck`."""
        places = (self._index.get(key) for key in keys)
        numbers = set[int]().union(*(place[4] for place in places if place)) - self._held
        found = hold([self._inputs[number] for number in numbers])
        self._held.update(compress(numbers, found))

    def held(self, keys: Iterable[_K]) -> Iterator[tuple[_K, bytes]]:
        """Yields those keys of which `is_held` is true, each with the hash of its entry."""
        place_of, is_held = self._index.get, self._held.issuperset
        for key in keys:
            place = place_of(key)
            if place is not None and is_held(place[4]):
                yield key, place[2]

    def recheck(self) -> None:
        """Looks at every input anew: some may have changed in this run."""
        self._held.clear()

    def inputs(self, key: Key) -> tuple[Input, ...] | None:
        """What the entry that was kept under a key, or put in this run, rests on."""
        if key in self._fresh:
            return self._fresh[key][1]
        place = self._index.get(key)
        return None if place is None else tuple([self._inputs[number] for number in place[4]])

    def put(self, key: Key, content: bytes, inputs: tuple[Input, ...] = ()) -> None:
        """Keeps something that was just made; `save` writes it."""
        self._fresh[key] = content, inputs

    def drop(self, key: Key) -> None:
        """Drops an entry that no longer holds, or cannot be read."""
        place = self._index.pop(key, None)
        if place is not None:
            self._dropped.add((key, place[2]))

    def digest(self, key: Key) -> bytes | None:
        """The hash of an entry that was put, or got, in this run."""
        fresh = self._fresh.get(key)
        if fresh is not None:
            return checksum(fresh[0])
        return self._index[key][2] if key in self._index else None

    def take(self) -> Fresh:
        """Takes out what was put since the last time, for another process to `add`: plain
        values."""
        fresh, self._fresh = self._fresh, {}
        return fresh, {table.name: table.take() for table in self._tables}

    def add(self, taken: Fresh) -> None:
        """Puts what another process has put."""
        fresh, tables = taken
        self._fresh.update(fresh)
        for table in self._tables:
            for name, row in tables.get(table.name, {}).items():
                table.put(name, row)

    def table(self, name: str) -> Table:
        """A mapping of many small things that is kept as one entry."""
        table = Table(self, name)
        self._tables.append(table)
        return table

    def save(self, is_stale: Callable[[tuple[Input, ...]], bool] | None = None) -> None:
        """Writes what is new, and what others have written meanwhile stays, but for entries
        whose inputs `is_stale` refuses; what was put first goes first where all would be too
        much. A disk that is full or read-only is no error."""
        if self.problem is not None:
            return
        if not self._fresh and not any(table.is_changed for table in self._tables):
            return
        with self._files.writing():
            self._open()
            for table in self._tables:
                table.merge()
            numbers: dict[Input, int] = {}
            index: dict[Key, _Place] = {}
            parts: list[bytes] = []
            offset = 0
            entries = (*self._fresh_entries(), *self._kept_entries())
            for key, content, digest, crc, inputs in entries:
                if offset + len(content) > self._largest:
                    continue
                if is_stale is not None and is_stale(inputs):
                    continue
                numbered = tuple([numbers.setdefault(input, len(numbers)) for input in inputs])
                index[key] = (offset, len(content), digest, crc, numbered)
                parts.append(content)
                offset += len(content)
            head = marshal.dumps((index, list(numbers)))
            if self._files.write(self._name, head, parts):
                self._index, self._inputs = index, list(numbers)
                self._head, self._content = checksum(head), None
                self._held.clear()
        self._fresh = {}
        self._dropped.clear()

    def _fresh_entries(self) -> Iterator[_Entry]:
        for key, (content, inputs) in self._fresh.items():
            yield key, content, checksum(content), crc32(content), inputs

    def _kept_entries(self) -> Iterator[_Entry]:
        for key, place in self._index.items():
            if key not in self._fresh and (key, place[2]) not in self._dropped:
                inputs = tuple([self._inputs[number] for number in place[4]])
                # Whether it is what was written, its checksum tells who reads it.
                yield key, self._slice(place), place[2], place[3], inputs

    def _at(self, place: _Place) -> bytes | None:
        content = self._slice(place)
        return content if crc32(content) == place[3] else None

    def _slice(self, place: _Place) -> bytes:
        if self._content is None:  # This run has written it, or a later one: checksums tell.
            opened = self._files.map(self._name)
            if opened is None:
                return b""
            _, self._content, self._start = opened
        start = self._start + place[0]
        return self._content[start : start + place[1]]

    def _open(self) -> None:
        """Reads the head of the file, which stays mapped, if there is a sound one."""
        opened = self._files.map(self._name)
        if opened is None:
            return
        head, content, start = opened
        digest = checksum(head)
        if digest == self._head:
            return
        try:
            self._index, self._inputs = marshal.loads(head)
        except (ValueError, EOFError, TypeError):
            return  # Written by another Python.
        self._head = digest
        self._held.clear()
        self._content, self._start = content, start


_MOST_ROWS = 500_000


class Table:
    """Many small things by name, in one entry of a pack. Get one from `Pack.table`."""

    def __init__(self, pack: Pack, name: str) -> None:
        self._pack = pack
        self.name = name
        self._rows: dict[str, Any] | None = None
        self._changes: dict[str, Any] = {}

    @property
    def is_changed(self) -> bool:
        return bool(self._changes)

    def get(self, name: str) -> Any:
        """What is kept under a name; None if nothing is."""
        return self.rows().get(name)

    def rows(self) -> dict[str, Any]:
        """What is kept, by name; None where it was dropped in this run."""
        if self._rows is None:
            self._rows = self._read()
        return self._rows

    def put(self, name: str, row: Any) -> None:
        """Keeps what `marshal` can write under a name; None drops it."""
        self.rows()[name] = self._changes[name] = row

    def take(self) -> dict[str, Any]:
        """Takes out what was put since the last time."""
        changes, self._changes = self._changes, {}
        return changes

    def merge(self) -> None:
        """Puts what this run has changed over what others have written, for the pack to save."""
        if not self._changes:
            return
        rows = {**self._read(), **self._changes}
        if len(rows) > _MOST_ROWS:
            rows = self._changes
        kept = {name: row for name, row in rows.items() if row is not None}
        self._pack.put(self.name, marshal.dumps(kept))
        self._changes = {}

    def _read(self) -> dict[str, Any]:
        content = self._pack.get(self.name)
        if content is None:
            return {}
        try:
            rows = marshal.loads(content)
        except (ValueError, EOFError, TypeError):
            return {}
        return rows if isinstance(rows, dict) else {}


def checksum(content: bytes) -> bytes:
    """A hash that names an entry by its content."""
    return blake2b(content, digest_size=16).digest()
