"""How much of what an answer rests on is known, and what is not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bazelscope.label import Label
from bazelscope.unknown import Unknown

if TYPE_CHECKING:
    from bazelscope.loading.completeness import Counts
    from bazelscope.loading.loader import Loader


@dataclass(frozen=True, slots=True)
class Count:
    """How many of `total` things of one kind rest on a model that bazelscope ships, and
    how many are unknown, in whole or in part."""

    what: str
    total: int
    modelled: int = 0
    unknown: int = 0

    @property
    def known(self) -> int:
        return self.total - self.unknown


@dataclass(frozen=True, slots=True)
class Completeness:
    """The foot of an answer: counts of what was looked at, and what is not known of it.

    `unknowns` belong to the packages that the answer shows, `elsewhere` to others that
    were looked at. `packages_in_error` are packages that Bazel would not load whole: an
    answer that looked at one may lack something.
    """

    counts: tuple[Count, ...] = ()
    unknowns: tuple[Unknown, ...] = ()
    elsewhere: tuple[Unknown, ...] = ()
    packages_in_error: tuple[str, ...] = ()


COMPLETE = Completeness()
"""Nothing was needed that is not known."""


def how_complete(loader: Loader, shown: Iterable[Label]) -> Completeness:
    """How much is known of what the loader was asked for, for an answer that shows the
    targets `shown`."""
    from bazelscope.loading.targets import Package, UnknownPackage

    found = loader.completeness()
    loaded = loader.loaded_packages()
    own: dict[Unknown, None] = {}
    for id in dict.fromkeys(label.package_id for label in shown):
        package = loaded.get(id)
        if isinstance(package, Package):
            own.update(dict.fromkeys(package.unknowns))
        elif isinstance(package, UnknownPackage):
            own[package.unknown] = None
    in_error = sorted(
        id for id, package in loaded.items() if isinstance(package, Package) and package.diagnostics
    )
    return Completeness(
        counts=(
            _count("packages", found.packages),
            _count("loaded files", found.loads),
            _count("repositories", found.repositories),
        ),
        unknowns=tuple(own),
        elsewhere=tuple(reason for reason, _ in found.reasons if reason not in own),
        packages_in_error=tuple(str(id) for id in in_error),
    )


def _count(what: str, counts: Counts) -> Count:
    return Count(what, counts.total, counts.modelled, counts.unknown)
