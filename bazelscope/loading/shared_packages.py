"""Packages that loaders of the same files share, where repository rules see other variables.

A package is the same under two environments if all that it was made from is: its own files, the
`.bzl` files that it loads, and the repositories that these look into.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from bazelscope.base.label import PackageId
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.kept.pack import Input
from bazelscope.loading.cache.file_stamps import EXTERNAL as OF_REPOSITORIES
from bazelscope.loading.cache.package_cache import Renew
from bazelscope.loading.loader_parts import LoaderParts
from bazelscope.loading.packages.package import Package, PackageResult
from bazelscope.loading.repositories.external_package import EXTERNAL
from bazelscope.loading.tree.contents import FILE

Rests = tuple[tuple[PackageId, tuple[Input, ...] | bytes], ...]
"""Packages, each with what it was made from, or, where there is none, a hash of why."""
PartRests = tuple[tuple[PackageId, tuple[Input, ...] | bytes | None], ...]
"""Packages, each with what it was made from; None where that cannot be told."""


class MadePackages(Protocol):
    """What makes packages, and tells what they are made from."""

    def made(self, package: PackageId) -> PackageResult: ...
    def inputs_of(self, package: PackageId) -> tuple[Input, ...] | None: ...
    def seen_of(self, package: PackageId) -> bytes | None: ...


class PackageSource(Protocol):
    """A loader, as far as it tells what its packages rest on."""

    @property
    def parts(self) -> LoaderParts: ...
    @property
    def maker(self) -> MadePackages: ...
    def packages_rested_on(self) -> Mapping[PackageId, PackageResult]: ...
    def package_digest(self, package: PackageId) -> bytes | None: ...


class Given(NamedTuple):
    """A package of another loader, and what it is made from here, where that is not the same."""

    package: Package
    inputs: tuple[Input, ...] | None


class NearbyPackages:
    """The packages of `maker`, for one of the same files under another environment."""

    def __init__(self, maker: MadePackages) -> None:
        self._maker = maker
        self._given: set[PackageId] = set()

    def get(
        self,
        package: PackageId,
        holds: Callable[[Input], bool],
        renew: Renew,
    ) -> Given | None:
        """The package, if all that it is made from `holds` for who asks, or its BUILD file sees
        the same there (`renew`)."""
        inputs = self._maker.inputs_of(package)
        if inputs is None:
            return None
        others = None
        if not all(map(holds, inputs)):
            seen = self._maker.seen_of(package)
            renewed = renew(inputs, seen) if seen is not None else None
            if renewed is None or renewed.moved is not None:
                return None
            others = renewed.inputs
        result = self._maker.made(package)
        if not isinstance(result, Package):
            return None
        self._given.add(package)
        return Given(result, others)

    def has_given(self, package: PackageId) -> bool:
        """Whether a package was taken from here."""
        return package in self._given


def rests_on(loader: PackageSource) -> Rests | None:
    """Returns what every package that was asked for so far is made from; None if it cannot be
    told."""
    rests = rests_as_told(loader)
    return None if any(made_from is None for _, made_from in rests) else rests  # type: ignore[return-value]


def rests_as_told(loader: PackageSource) -> PartRests:
    """Returns the same, package by package as far as it can be told."""
    rests: list[tuple[PackageId, tuple[Input, ...] | bytes | None]] = []
    for id, result in loader.packages_rested_on().items():
        if isinstance(result, Package) and id != EXTERNAL:
            rests.append((id, loader.maker.inputs_of(id)))
        else:
            rests.append((id, loader.package_digest(id)))
    return tuple(rests)


def would_make(loader: PackageSource, rests: Rests) -> bool:
    """Returns whether packages are for `loader` what they are where they rest on what is told."""
    return all(_makes(loader, id, made_from) for id, made_from in rests)


def made_otherwise(loader: PackageSource, rests: PartRests) -> set[PackageId]:
    """Returns the packages that are, or may be, others for `loader`."""
    return {id for id, made_from in rests if not _makes(loader, id, made_from)}


def _makes(
    loader: PackageSource, id: PackageId, made_from: tuple[Input, ...] | bytes | None
) -> bool:
    if made_from is None:
        return False
    if isinstance(made_from, bytes):
        return loader.package_digest(id) == made_from
    return all(map(loader.parts.checker.holds, made_from))


def files_of(loader: PackageSource, rests: Rests) -> set[Input] | None:
    """Returns the files that packages and the repositories that were run dry for them are made
    from; None if that cannot be told. Ask once all is saved."""
    files: set[Input] = set()
    for id, made_from in rests:
        if isinstance(made_from, tuple):
            files.update(input for input in made_from if input[0] != OF_REPOSITORIES)
        elif not id.repository and id != EXTERNAL:
            return None  # Of what is not there, nobody keeps where it was looked for.
    runs = loader.parts.dry_runs
    for name in loader.parts.table.run_dry():
        inputs = runs.inputs(name) if runs is not None else None
        if inputs is None:
            return None
        files.update(input for input in inputs if input[0] == FILE)
    return files
