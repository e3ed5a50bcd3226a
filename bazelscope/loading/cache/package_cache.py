"""Evaluated packages on disk, for the next run: those of one workspace under one set of
options (see `kept_entries`)."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from bazelscope.base.label import PackageId
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.memoized import memoized
from bazelscope.bazel.rule_classes import NativeRules
from bazelscope.kept.pack import Fresh, Input, checksum
from bazelscope.loading.cache import kept_entries
from bazelscope.loading.cache.package_codec import (
    ClassTable,
    MovedLines,
    are_alike,
    changed_targets,
    counts_in,
    decode_facts,
    decode_package,
    encode_package,
    with_moved_lines,
)
from bazelscope.loading.packages.package_data import KeptPackage, PackageData, PackageFacts

_WORLD = "w"
"""The kind of input that stands for all that WORKSPACE evaluation read: `(_WORLD, digest)`."""
_WORLD_KEY = ("world",)
_SEEN = "seen"
_Made = tuple[bytes, tuple[Input, ...], bytes | None]
"""The content of a package, its inputs, and what its BUILD file saw of `.bzl` files, if that can
be told (see `seen_values`)."""
_Plain = tuple[tuple[str, ...], _Made]
"""A package as another process can be given it."""


class Renewed(NamedTuple):
    """What a package is made from now, and which lines of its BUILD file stand elsewhere."""

    inputs: tuple[Input, ...]
    moved: MovedLines | None = None


Renew = Callable[[tuple[Input, ...], bytes], Renewed | None]
"""Tells what a package is made from now, where some of what it was made from has changed and its
BUILD file sees the same; None where it may not."""


Counts = tuple[PackageFacts, int]
"""What is counted of a package, and how many targets it has."""
Others = Callable[[], "Iterator[PackageCache]"]
"""Opens what is kept under other options."""


def _renew_nothing(inputs: tuple[Input, ...], seen: bytes) -> None:
    """Says of no package that its BUILD file sees the same."""


def _no_others() -> Iterator[PackageCache]:
    """Says that nothing is kept under other options."""
    yield from ()


@dataclass(frozen=True, slots=True)
class WorldInputs:
    """What every package of the main repository rests on: what WORKSPACE evaluation read, the
    directories that belong to other repositories, and a hash of what else packages may see of
    it: that of other repositories they look at one by one."""

    inputs: tuple[Input, ...]
    foreign: tuple[str, ...]
    seen: bytes


class PackageCache:
    """The packages of one workspace under one set of options."""

    def __init__(
        self,
        directory: Path,
        key: Iterable[object],
        rules: NativeRules,
        also: PackageCache | None = None,
        others: Others = _no_others,
        renew: Renew = _renew_nothing,
    ) -> None:
        """`also` is looked into where nothing is found here, then the `others`, which are kept
        under other options, and only opened then; nothing is put there."""
        self._also = also
        self._others = others
        self._opened: list[PackageCache] | None = None
        self._renew = renew
        self._taken: dict[PackageId, PackageCache] = {}
        """Which of the others a package is from."""
        self._pack = kept_entries.entries(directory, key, "packages")
        self._fresh: dict[PackageId, _Made] = {}
        self._digests: dict[PackageId, tuple[bytes, bytes]] = {}
        """Hashes of those of them that were asked for, each with the very content it is of."""
        self._changed: dict[PackageId, tuple[bytes, frozenset[str] | None]] = {}
        """Which targets of such of them are not what was kept, each with its very content."""
        self._doubted: set[PackageId] = set()
        """Those of them that rest on files which may have changed since."""
        self._own_world = self._kept_world()
        self._world_now: Callable[[], WorldInputs | None] | None = None
        """Tells what everything rests on now, where that has yet to be compared."""
        self._classes = ClassTable(rules, self._pack)
        self._counts = self._pack.table("counts")
        """Of each package of the main repository the digest, how many targets it has, and what
        else is counted: many have the same, which is read once."""

    def _kept_world(self) -> WorldInputs | None:
        content = self._pack.get(_WORLD_KEY)
        try:
            return None if content is None else WorldInputs(*marshal.loads(content))
        except (ValueError, EOFError, TypeError):
            return None

    def get(self, package: PackageId, holds: Callable[[Input], bool]) -> KeptPackage | None:
        """The package as it was kept, if all that it was made from still holds."""
        fresh = self._fresh_of(package, holds)
        other = self._other(package, holds) if fresh is None else None
        if other is not None:
            self._taken[package] = other
            return other.get(package, holds)
        content = fresh[0] if fresh is not None else None
        if content is None and self._pack.is_held(package):
            content = self._pack.get(package, lasts=True)
        if content is None:
            return self._also.get(package, holds) if self._also is not None else None
        try:
            return decode_package(content, self._classes)
        except Exception:  # Whatever stands there, it is not what was written.
            self._pack.drop(tuple(package))
            return None

    def counts(
        self, package: PackageId, digest: bytes, holds: Callable[[Input], bool]
    ) -> Counts | None:
        """What is counted of a package if an earlier run has kept it with that digest and all that
        it was made from still holds; else None. The package is not read."""
        is_own = package not in self._fresh and not package.repository
        if not is_own or not self._pack.has(package, self._and_world(holds), lasts=True):
            return None
        row = self._counts.get(package.package)
        if row is None or not row[0] == digest == self._pack.digest(package):
            return None
        return self._facts_of(row[2]), row[1]

    def all_counts(
        self,
        digests: Mapping[PackageId, bytes],
        hold: Callable[[list[Input]], Iterable[bool]],
        holds: Callable[[Input], bool],
    ) -> dict[PackageId, Counts]:
        """Returns `counts` of those of many packages of which it can be told at once."""
        own = [id for id in digests if not id[0] and id not in self._fresh]
        self._pack.look_at(own, hold)
        for one in own[:1]:
            self._pack.has(one, self._and_world(holds), lasts=True)  # All rest on the same world.
        found: dict[PackageId, Counts] = {}
        rows = self._counts.rows()
        for id, kept in self._pack.held(own):
            row = rows.get(id[1])
            if row is not None and row[0] == kept == digests[id]:
                found[id] = self._facts_of(row[2]), row[1]
        return found

    @memoized
    def _facts_of(self, encoded: bytes) -> PackageFacts:
        """What is counted of many packages, decoded once."""
        return decode_facts(encoded)

    def look_at(
        self, packages: Iterable[PackageId], hold: Callable[[list[Input]], Iterable[bool]]
    ) -> None:
        """Looks at once at what many packages that will be asked for were made from."""
        self._pack.look_at(packages, hold)

    def _fresh_of(self, package: PackageId, holds: Callable[[Input], bool]) -> _Made | None:
        """A package that was put in this run, or whose BUILD file sees what it saw when it was
        kept, if that still holds."""
        fresh = self._fresh.get(package)
        if fresh is not None and package in self._doubted:
            self._doubted.discard(package)
            if not all(map(holds, fresh[1])):
                del self._fresh[package]
                fresh = self._renewed(package, fresh)
        if fresh is None and not self._holds(package, holds):
            kept = self._kept_with_seen(package)
            fresh = self._renewed(package, kept) if kept is not None else None
            if fresh is None or kept is None or fresh[0] is not kept[0]:
                self._pack.drop(tuple(package))
                if fresh is not None:
                    self._changed[package] = fresh[0], frozenset()
        return fresh

    def _holds(self, package: PackageId, holds: Callable[[Input], bool]) -> bool:
        """Whether what an earlier run kept still holds."""
        if self._pack.is_held(package) or self._pack.has(
            package, self._and_world(holds), lasts=True
        ):
            return True
        return self._also is not None and self._also._holds(package, holds)

    def _renewed(self, package: PackageId, made: _Made) -> _Made | None:
        """A package of which something that it was made from has changed, as it is kept from now
        on if its BUILD file sees the same."""
        content, inputs, seen = made
        renewed = self._renew(inputs, seen) if seen is not None else None
        if renewed is not None and renewed.moved is not None:
            moved = with_moved_lines(content, self._classes, renewed.moved)
            content, renewed = moved or content, renewed if moved is not None else None
        if renewed is None:
            return None
        self._fresh[package] = content, renewed.inputs, seen
        return self._fresh[package]

    def _kept_with_seen(self, package: PackageId) -> _Made | None:
        """A package as it was kept, whether or not it holds."""
        content = self._pack.get(tuple(package))
        if content is None:
            return self._also._any(package) if self._also is not None else None
        inputs = self._pack.inputs(tuple(package)) or ()
        if any(input[0] == _WORLD and input[1] != self._world for input in inputs):
            return None
        own = tuple([input for input in inputs if input[0] != _WORLD])
        return content, own, self._pack.get((_SEEN, *package))

    def _any(self, package: PackageId) -> _Made | None:
        return self._fresh.get(package) or self._kept_with_seen(package)

    def _other(self, package: PackageId, holds: Callable[[Input], bool]) -> PackageCache | None:
        """Who of the others has a package that would be the same here, if it is not here."""
        if package in self._fresh or package in self._pack:
            return None
        if self._opened is None:
            self._opened = list(self._others())
        for other in self._opened:
            inputs = other.inputs(package)
            if inputs is not None and all(map(holds, inputs)):
                return other
        return None

    def has(self, package: PackageId, holds: Callable[[Input], bool]) -> bool:
        """Whether `get` would find the package, unless it is damaged."""
        if self._fresh_of(package, holds) is not None or self._pack.is_held(package):
            return True
        if self._other(package, holds) is not None:
            return True
        return self._also is not None and self._also.has(package, holds)

    def _and_world(self, holds: Callable[[Input], bool]) -> Callable[[Input], bool]:
        return lambda input: input[1] == self._world if input[0] == _WORLD else holds(input)

    @property
    def _world(self) -> bytes | None:
        """The hash of what is believed."""
        if self._world_now is not None:
            before, tell = self._own_world, self._world_now
            self._own_world = self._world_now = None
            now = tell()
            if before is not None and now is not None and _digest_of(before) == _digest_of(now):
                self._own_world = now
        return None if self._own_world is None else _digest_of(self._own_world)

    @property
    def world(self) -> WorldInputs | None:
        """What everything that was kept rests on; None where nothing is believed."""
        if self._world is None and self._also is not None:
            return self._also.world
        return self._own_world

    def doubt(self, world_now: Callable[[], WorldInputs | None] = lambda: None) -> None:
        """Believes what was kept only if what WORKSPACE comes to now is what it came to: files
        that everything rests on have changed."""
        self._world_now = world_now
        self.recheck()

    def settle(self) -> None:
        """Renews and opens nothing from now on, and lets go of the loader that could."""
        self._renew, self._others = _renew_nothing, _no_others

    def recheck(self) -> None:
        """Looks anew at what packages were made from: files have changed in this run."""
        self._pack.recheck()
        self._doubted.update(self._fresh)
        if self._also is not None:
            self._also.recheck()

    def digest(self, package: PackageId) -> bytes | None:
        """A hash of a package that was put, or got, in this run."""
        fresh = self._fresh.get(package)
        if fresh is not None:
            known = self._digests.get(package)
            if known is None or known[0] is not fresh[0]:
                known = self._digests[package] = fresh[0], checksum(fresh[0])
            return known[1]
        own = self._pack.digest(tuple(package))
        also = self._taken.get(package, self._also)
        return own or (also.digest(package) if also is not None else None)

    def changed(self, package: PackageId, digest: bytes) -> frozenset[str] | None:
        """Which targets of a package that was put in this run are not those of the one of that
        digest that was kept, their places aside; None where more differs, or it cannot be told."""
        fresh, before = self._fresh.get(package), self._pack.dropped(tuple(package))
        if fresh is None or before is None or checksum(before) != digest:
            return None
        known = self._changed.get(package)
        if known is None or known[0] is not fresh[0]:
            known = self._changed[package] = fresh[0], changed_targets(before, fresh[0])
        return known[1]

    def compared(self) -> dict[PackageId, bytes | None]:
        """The packages of which that could be told, with their hashes now."""
        return {
            id: self.digest(id) for id, (_, names) in self._changed.items() if names is not None
        }

    def inputs_digest(self, package: PackageId, holds: Callable[[Input], bool]) -> bytes | None:
        """A hash of what a package was made from, if it was put in this run or still holds."""
        fresh = self._fresh_of(package, holds)
        if fresh is not None:
            return digest_of_inputs(fresh[1])
        if package in self._taken:
            return digest_of_inputs(self._taken[package].inputs(package) or ())
        if self._pack.is_held(package):
            inputs = self._pack.inputs(tuple(package)) or ()
            return digest_of_inputs(input for input in inputs if input[0] != _WORLD)
        return self._also.inputs_digest(package, holds) if self._also is not None else None

    def inputs(self, package: PackageId) -> tuple[Input, ...] | None:
        """What a package that was kept, or put in this run, was made from; None if nothing is
        known of it. What everything rests on is not among it."""
        fresh = self._fresh.get(package)
        if fresh is not None:
            return fresh[1]
        inputs = self._pack.inputs(tuple(package))
        if inputs is None:
            also = self._taken.get(package, self._also)
            return also.inputs(package) if also is not None else None
        return tuple([input for input in inputs if input[0] != _WORLD])

    def seen(self, package: PackageId) -> bytes | None:
        """What the BUILD file of a package saw of `.bzl` files that was kept, or put in this run,
        if that can be told."""
        if package in self._taken:
            return self._taken[package].seen(package)
        made = self._any(package)
        return None if made is None else made[2]

    def put(self, data: PackageData, inputs: tuple[Input, ...], seen: bytes | None = None) -> None:
        """Keeps a package that was just evaluated; `save` writes it. One that has come out as it
        was kept stays what it was, and so does all that rests on it."""
        # What marshal cannot write is evaluated again next time.
        with suppress(ValueError):
            content, before = encode_package(data, self._classes), self._pack.dropped(data.id)
            if before is not None and are_alike(before, content):
                content = before
            self._fresh[data.id] = content, inputs, seen
            self._doubted.discard(data.id)

    def take(self) -> tuple[Fresh, list[_Plain]]:
        """Takes out what was put since the last time, for another process to `add`."""
        fresh, self._fresh = self._fresh, {}
        packages = [(tuple(package), made) for package, made in fresh.items()]
        return self._pack.take(), packages

    def add(self, taken: tuple[Fresh, list[_Plain]]) -> None:
        """Puts what another process has evaluated."""
        classes, packages = taken
        self._pack.add(classes)
        for package, made in packages:
            self._fresh[PackageId(*package)] = made

    def save(self, world: WorldInputs | None = None) -> bool:
        """Writes what is new, which rests on the `world`, or without one on that of what was kept;
        returns whether anything is. A disk that is full or read-only is no error."""
        if world is None and self._fresh and self._world is not None:
            world = self._own_world
        if world is None or not self._fresh:
            return False
        digest = _digest_of(world)
        self._pack.put(_WORLD_KEY, marshal.dumps((world.inputs, world.foreign, world.seen)))
        known: dict[bytes, bytes] = {}
        for package, (content, inputs, seen) in self._fresh.items():
            if not package.repository:
                size, facts = counts_in(content)
                row = checksum(content), size, known.setdefault(facts, facts)
                self._counts.put(package.package, row)
            self._pack.put(tuple(package), content, ((_WORLD, digest), *inputs))
            if seen is not None:
                self._pack.put((_SEEN, *package), seen, ((_WORLD, digest),))
        self._pack.save(lambda inputs: any(i[0] == _WORLD and i[1] != digest for i in inputs))
        self._fresh = {}
        self._own_world, self._world_now = world, None
        return True


def digest_of_inputs(inputs: Iterable[Input]) -> bytes:
    """A hash of what something was made from."""
    digests = (
        input[-1] if isinstance(input[-1], bytes) else repr(input).encode() for input in inputs
    )
    return checksum(b"".join(digests))


def _digest_of(world: WorldInputs) -> bytes:
    # Not of what `marshal` writes: of equal values it may write different bytes.
    return checksum(repr((world.foreign, world.seen)).encode("utf-8", "surrogatepass"))
