"""Evaluated packages on disk, for the next run: those of one workspace under one set of
options (see `kept_entries`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from bazelscope.base.label import PackageId
from bazelscope.bazel.rule_classes import NativeRules
from bazelscope.loading.cache.file_stamps import Input
from bazelscope.loading.cache.kept_entries import KeptEntries
from bazelscope.loading.cache.package_codec import ClassTable, decode_package, encode_package
from bazelscope.loading.packages.package_data import PackageData


@dataclass(frozen=True, slots=True)
class WorldInputs:
    """What every package of the main repository rests on: what WORKSPACE evaluation read, and
    the directories that belong to other repositories."""

    inputs: tuple[Input, ...]
    foreign: tuple[str, ...]


class PackageCache:
    """The packages of one workspace under one set of options."""

    def __init__(self, directory: Path, key: Iterable[object], rules: NativeRules) -> None:
        self._entries = KeptEntries(directory, key, "packages")
        self.world: WorldInputs | None = None
        classes: dict[bytes, bytes] = {}
        if self._entries.extra is not None:
            classes, world = self._entries.extra
            self.world = WorldInputs(tuple(world[0]), tuple(world[1]))
        self._classes = ClassTable(rules, classes)

    def get(self, package: PackageId, holds: Callable[[Input], bool]) -> PackageData | None:
        """The package as it was kept, if all that it was made from still holds."""
        content = self._entries.get(tuple(package), holds)
        if content is None:
            return None
        try:
            return decode_package(content, self._classes)
        except (ValueError, KeyError, TypeError, EOFError, IndexError):
            self._entries.drop(tuple(package))
            return None

    def has(self, package: PackageId, holds: Callable[[Input], bool]) -> bool:
        """Whether `get` would find the package, unless it is damaged."""
        return self._entries.has(tuple(package), holds)

    def forget(self) -> None:
        """Drops all that was kept: what everything rests on has changed."""
        self._entries.forget()
        self.world = None

    def digest(self, package: PackageId) -> bytes | None:
        """A hash of a package that was put, or got, in this run."""
        return self._entries.digest(tuple(package))

    def put(self, data: PackageData, inputs: tuple[Input, ...]) -> None:
        """Keeps a package that was just evaluated; `save` writes it."""
        # What marshal cannot write is evaluated again next time.
        with suppress(ValueError):
            self._entries.put(tuple(data.id), encode_package(data, self._classes), inputs)

    def save(self, world: WorldInputs) -> None:
        """Writes what is new. A disk that is full or read-only is no error."""
        self._entries.save((self._classes.entries, (world.inputs, world.foreign)))
