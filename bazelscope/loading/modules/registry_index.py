"""What bazelscope knows of Bazel's central registry: an index of facts that ships with it.

`central_registry.bin` is made by `scripts/make_registry_index.py`. It begins with one line of
JSON, compressed, that says where in the file each module's versions stand; those are compressed
one module at a time, so that a question reads the few that it needs.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from bazelscope.base.memoized import memoized
from bazelscope.base.source import Location
from bazelscope.loading.modules.module_file import ModuleDependency
from bazelscope.loading.modules.module_graph import ModuleFacts, ModuleKey
from bazelscope.loading.modules.registry_files import ModuleOrigin

CENTRAL_REGISTRY = "https://bcr.bazel.build"
"""The registry that Bazel asks by default. Bazel: `RegistryOptions`, `ModuleFileFunction`."""

_FILE = Path(__file__).with_name("central_registry.bin")


class RegistryIndex:
    """The facts of one registry at one date."""

    def __init__(self, content: bytes) -> None:
        length = int.from_bytes(content[:4], "big")
        head = json.loads(zlib.decompress(content[4 : 4 + length]))
        self.date: str = head["date"]
        self._content = content
        self._start = 4 + length
        self._places: dict[str, tuple[int, int]] = head["modules"]

    def facts(self, key: ModuleKey) -> ModuleFacts | None:
        """What the MODULE.bazel of a version says; None if the registry had no such version."""
        row = self._row(key)
        if row is None:
            return None
        origin = f"{key}/MODULE.bazel"
        dependencies = tuple(
            ModuleDependency(
                name,
                version,
                name if repository == 0 else repository,
                False,
                Location(origin, line, 1),
                (),
                level,
            )
            for name, version, repository, line, level in row[3]
        )
        return ModuleFacts(key.name, key.version, row[0], tuple(row[1]), dependencies, origin)

    def origin(self, key: ModuleKey) -> ModuleOrigin | None:
        """Where the content of a version comes from."""
        row = self._row(key)
        if row is None:
            return None
        url, integrity, prefix = row[4]
        more = {"strip_prefix": prefix} if prefix else {}
        return ModuleOrigin({"urls": (url,), "integrity": integrity, **more})

    def yanked(self, key: ModuleKey) -> str | None:
        """Why a version was taken back; None if it was not."""
        row = self._row(key)
        return None if row is None or not row[2] else str(row[2])

    def versions(self, name: str) -> Sequence[str]:
        """The versions of a module, in the order in which they are written in the registry."""
        return tuple(self._versions(name))

    def names(self) -> Sequence[str]:
        """Every module of the registry."""
        return tuple(self._places)

    def called(self, repository: str) -> str | None:
        """The module that most dependencies with `repo_name = repository` are on; None if none
        is, or if several are as often. Reads the whole index."""
        counts: dict[str, int] = {}
        for module in self._places:
            for row in self._versions(module).values():
                for name, _, called, *_ in row[3]:
                    if called == repository:
                        counts[name] = counts.get(name, 0) + 1
        best = sorted(counts, key=lambda name: -counts[name])[:2]
        return best[0] if len(best) == 1 or (best and counts[best[0]] > counts[best[1]]) else None

    def _row(self, key: ModuleKey) -> list[Any] | None:
        return self._versions(key.name).get(key.version)

    @memoized
    def _versions(self, name: str) -> Mapping[str, list[Any]]:
        place = self._places.get(name)
        rows: dict[str, list[Any]] = {}
        if place is not None:
            start = self._start + place[0]
            rows = json.loads(zlib.decompress(self._content[start : start + place[1]]))
        return rows


@cache
def central_registry() -> RegistryIndex:
    """The index that ships with bazelscope."""
    return RegistryIndex(_FILE.read_bytes())
