"""How many select()s turn on each condition, counted package by package: after an edit, only
the packages that were made anew are counted again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from bazelscope.analysis.configuration.platforms import follow_aliases
from bazelscope.base.label import Label, PackageId
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import Package

_Keys = tuple[Label, ...]
"""The conditions among the keys of one select()."""


class SelectUses:
    """The select()s of a workspace's own packages by their keys."""

    def __init__(self) -> None:
        self._counted: dict[PackageId, tuple[Package, Counter[_Keys]]] = {}
        self._selects: Counter[_Keys] = Counter()
        self.is_whole = False
        """Whether every package was counted since the last change."""

    def count(self, loader: Loader) -> Iterator[None]:
        """Counts what was not counted yet; comes up for air after each package that took work."""
        self.is_whole = False
        present = loader.trees.packages()
        for gone in self._counted.keys() - set(present):
            self._drop(gone)
        for id in present:
            package = loader.package(id)
            known = self._counted.get(id)
            if known is not None and known[0] is package:
                continue
            self._drop(id)
            if isinstance(package, Package):
                own = Counter(keys for _, keys in package.targets.select_keys())
                self._counted[id] = package, own
                self._selects += own
            yield
        self.is_whole = True

    def of(self, loader: Loader, condition: Label) -> int:
        """How many select()s have `condition` as a key, under its own name or an alias's."""
        return self.of_any(loader, {condition})

    def of_any(self, loader: Loader, conditions: Collection[Label]) -> int:
        """How many select()s have one of `conditions` as a key, each counted once."""
        names = {key for key in self.conditions() if _is_behind(loader, key, conditions)}
        return sum(n for keys, n in self._selects.items() if not names.isdisjoint(keys))

    def conditions(self) -> tuple[Label, ...]:
        """Every condition that a select() has as a key, sorted."""
        return tuple(sorted({key for keys in self._selects for key in keys}))

    def _drop(self, id: PackageId) -> None:
        known = self._counted.pop(id, None)
        if known is not None:
            self._selects -= known[1]


def _is_behind(loader: Loader, key: Label, conditions: Collection[Label]) -> bool:
    return key in conditions or follow_aliases(loader, key) in conditions
