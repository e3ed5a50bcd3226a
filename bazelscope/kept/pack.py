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
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import compress, count
from typing import Any, TypeVar
from zlib import crc32

from bazelscope.base.hashes import blake2b
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.kept.kept_files import KeptFiles, head_checksum

MEGABYTE = 1 << 20

Key = str | tuple[str, ...]
_K = TypeVar("_K", bound=Key)
Input = tuple[Any, ...]
"""Something that an entry rests on; the first part says what kind of thing it is."""
Holds = Callable[[Input], bool]
Fresh = tuple[dict[Key, tuple[bytes, tuple[Input, ...]]], dict[str, dict[str, Any]]]
"""What one process has put: entries with their inputs, and rows of tables."""
_HASH = 16


class _Place(NamedTuple):
    """Where an entry is, and the numbers of its inputs. The hash names what stands there; the
    checksum, which takes an eighth of the time, tells whether it still does."""

    offset: int
    length: int
    digest: bytes
    checksum: int
    inputs: Sequence[int]


class _Places:
    """The places of many entries, as columns: to make a tuple of each takes longer than all that
    most runs ask of them. Entry `n` is `offsets[n]:offsets[n + 1]`, and so are its inputs."""

    __slots__ = ("bounds", "checksums", "digests", "inputs", "offsets")

    def __init__(self, *columns: bytes) -> None:
        """Takes the columns that were `written`, or none."""
        offsets, digests, checksums, bounds, inputs = columns or _NO_PLACES
        self.offsets, self.digests = array("Q", offsets), bytearray(digests)
        self.checksums, self.bounds = array("I", checksums), array("I", bounds)
        self.inputs = array("I", inputs)

    def add(self, length: int, digest: bytes, checksum: int, inputs: Iterable[int]) -> None:
        """Adds an entry behind the last one."""
        self.offsets.append(self.offsets[-1] + length)
        self.digests += digest
        self.checksums.append(checksum)
        self.inputs.extend(inputs)
        self.bounds.append(len(self.inputs))

    def __getitem__(self, number: int) -> _Place:
        first, after = self.offsets[number : number + 2]
        digest, checksum = self.digest(number), self.checksums[number]
        return _Place(first, after - first, digest, checksum, self.inputs_of(number))

    def digest(self, number: int) -> bytes:
        """The hash of an entry."""
        return bytes(self.digests[_HASH * number : _HASH * number + _HASH])

    def inputs_of(self, number: int) -> Sequence[int]:
        """The numbers of what an entry rests on."""
        return self.inputs[self.bounds[number] : self.bounds[number + 1]]

    def written(self) -> tuple[bytes, ...]:
        """The columns as bytes."""
        numbers = self.checksums.tobytes(), self.bounds.tobytes(), self.inputs.tobytes()
        return self.offsets.tobytes(), bytes(self.digests), *numbers


_NO_PLACES = bytes(8), b"", b"", bytes(4), b""

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
        self._dropped: dict[Key, _Place] = {}
        self._tables: list[Table] = []
        self._index: dict[Key, int] = {}
        self._places = _Places()
        self._inputs: list[Input] = []
        self._content: mmap.mmap | None = None
        self._start = 0
        self._head = b""
        """The checksum of what the index was read from."""
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
        number = self._index.get(key)
        if number is None:
            return None
        is_sound = self._all_hold(number, holds, lasts)
        content = self._at(self._places[number]) if is_sound else None
        if content is None:
            self.drop(key)
        return content

    def __contains__(self, key: Key) -> bool:
        """Whether something was kept or put under a key, whatever has become of its inputs."""
        return key in self._fresh or key in self._index

    def sizes(self) -> dict[Key, int]:
        """Everything that earlier runs have kept, and how many bytes it has."""
        return {key: self._places[number].length for key, number in self._index.items()}

    def is_held(self, key: Key) -> bool:
        """Whether all inputs of what was kept under a key were seen to hold by a check that
        lasts."""
        number = self._index.get(key)
        return number is not None and self._held.issuperset(self._places.inputs_of(number))

    def has(self, key: Key, holds: Holds = holds_always, *, lasts: bool = False) -> bool:
        """Whether `get` would find the entry, unless it is damaged."""
        if key in self._fresh:
            return True
        number = self._index.get(key)
        return number is not None and self._all_hold(number, holds, lasts)

    def _all_hold(self, entry: int, holds: Holds, lasts: bool) -> bool:
        inputs, held = self._inputs, self._held
        numbers = self._places.inputs_of(entry)
        if lasts and held.issuperset(numbers):
            return True
        for number in numbers:
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
        entries = [number for key in keys if (number := self._index.get(key)) is not None]
        numbers = set[int]().union(*map(self._places.inputs_of, entries)) - self._held
        are_held = hold([self._inputs[number] for number in numbers])
        self._held.update(compress(numbers, are_held))

    def held(self, keys: Iterable[_K]) -> Iterator[tuple[_K, bytes]]:
        """Yields those keys of which `is_held` is true, each with the hash of its entry."""
        index, places, is_held = self._index, self._places, self._held.issuperset
        are_all = len(self._held) == len(self._inputs)
        for key in keys:
            number = index.get(key)
            if number is not None and (are_all or is_held(places.inputs_of(number))):
                yield key, places.digest(number)

    def recheck(self) -> None:
        """Looks at every input anew: some may have changed in this run."""
        self._held.clear()

    def inputs(self, key: Key) -> tuple[Input, ...] | None:
        """What the entry that was kept under a key, or put in this run, rests on."""
        if key in self._fresh:
            return self._fresh[key][1]
        number = self._index.get(key)
        return None if number is None else self._inputs_of(number)

    def _inputs_of(self, entry: int) -> tuple[Input, ...]:
        return tuple([self._inputs[number] for number in self._places.inputs_of(entry)])

    def put(self, key: Key, content: bytes, inputs: tuple[Input, ...] = ()) -> None:
        """Keeps something that was just made; `save` writes it."""
        self._fresh[key] = content, inputs

    def drop(self, key: Key) -> None:
        """Drops an entry that no longer holds, or cannot be read."""
        number = self._index.pop(key, None)
        if number is not None:
            self._dropped[key] = self._places[number]

    def dropped(self, key: Key) -> bytes | None:
        """Returns what was kept under a key and was dropped in this run, if it can be read."""
        place = self._dropped.get(key)
        return None if place is None else self._at(place)

    def digest(self, key: Key) -> bytes | None:
        """The hash of an entry that was put, or got, in this run."""
        fresh = self._fresh.get(key)
        if fresh is not None:
            return checksum(fresh[0])
        number = self._index.get(key)
        return None if number is None else self._places.digest(number)

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
            index: dict[Key, int] = {}
            places = _Places()
            parts: list[bytes] = []
            entries = (*self._fresh_entries(), *self._kept_entries())
            for key, content, digest, crc, inputs in entries:
                if places.offsets[-1] + len(content) > self._largest:
                    continue
                if is_stale is not None and is_stale(inputs):
                    continue
                numbered = tuple([numbers.setdefault(input, len(numbers)) for input in inputs])
                index[key] = len(index)
                places.add(len(content), digest, crc, numbered)
                parts.append(content)
            head = marshal.dumps((list(index), places.written(), list(numbers)))
            if self._files.write(self._name, head, parts):
                self._index, self._places, self._inputs = index, places, list(numbers)
                self._head, self._content = head_checksum(self._name, head), None
                self._held.clear()
        self._fresh = {}
        self._dropped.clear()

    def _fresh_entries(self) -> Iterator[_Entry]:
        for key, (content, inputs) in self._fresh.items():
            yield key, content, checksum(content), crc32(content), inputs

    def _kept_entries(self) -> Iterator[_Entry]:
        for key, number in self._index.items():
            place = self._places[number]
            dropped = self._dropped.get(key)
            if key not in self._fresh and (dropped is None or dropped.digest != place.digest):
                # Whether it is what was written, its checksum tells who reads it.
                content, inputs = self._slice(place), self._inputs_of(number)
                yield key, content, place.digest, place.checksum, inputs

    def _at(self, place: _Place) -> bytes | None:
        content = self._slice(place)
        return content if crc32(content) == place.checksum else None

    def _slice(self, place: _Place) -> bytes:
        if self._content is None:  # This run has written it, or a later one: checksums tell.
            opened = self._files.map(self._name)
            if opened is None:
                return b""
            _, self._content, self._start = opened
        start = self._start + place.offset
        return self._content[start : start + place.length]

    def _open(self) -> None:
        """Reads the head of the file, which stays mapped, if there is a sound one."""
        opened = self._files.map(self._name)
        if opened is None:
            return
        head, content, start = opened
        digest = self._files.checksum_of(content)
        if digest == self._head:
            return
        try:
            keys, columns, inputs = marshal.loads(head)
            index, places = dict(zip(keys, count(), strict=False)), _Places(*columns)
        except (ValueError, EOFError, TypeError):
            return  # Written by another Python.
        self._index, self._places, self._inputs = index, places, inputs
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
    return blake2b(content, digest_size=_HASH).digest()
