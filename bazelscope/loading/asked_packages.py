"""What a loader was asked for so far, and how much of that is known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Self

from bazelscope.base.errors import Diagnostic
from bazelscope.base.label import Label, PackageId
from bazelscope.base.unknown import Unknown
from bazelscope.loading.cache.package_cache import Counts
from bazelscope.loading.completeness import Completeness, Counted, count, counted, loads_of
from bazelscope.loading.packages.package import PackageResult
from bazelscope.loading.packages.targets import LoadedFile, UnknownPackage
from bazelscope.loading.repositories.repository_table import RepositoryTable


class AskedPackages:
    """Packages and targets that one loader was asked for: loaders that share what they evaluate
    keep account of this each by itself."""

    def __init__(self) -> None:
        self.packages: dict[PackageId, PackageResult | None] = {}
        """Every package; None where nobody has looked into it yet."""
        self.unread: dict[PackageId, Counts] = {}
        """What is counted of these."""
        self.looked_up: dict[PackageId, PackageResult] = {}
        """Packages of which only a target was looked up."""
        self.missed: dict[Label, Unknown] = {}
        """Targets that a partly known package lacks."""
        self.untold: dict[Label, Unknown] = {}
        """Every target of which nobody can tell what it is."""
        self.registrations: dict[
            tuple[str, tuple[str, ...]], tuple[Label | Unknown, ...] | None
        ] = {}
        """Toolchains and platforms that are registered, with the patterns of flags before them, and
        what they name; None where files have changed since."""

    def aside(self) -> Self:
        """Returns what is written to in its stead while nobody is to take note of packages."""
        other = type(self)()
        other.__dict__.update(self.__dict__)
        other.packages, other.missed = self.packages.copy(), self.missed.copy()
        other.untold = self.untold.copy()
        return other

    def begin_anew(self) -> None:
        """Forgets all but which registrations were asked for."""
        for one in (self.packages, self.looked_up, self.missed, self.untold):
            one.clear()
        self.registrations = dict.fromkeys(self.registrations)

    def is_unread(self, package: PackageId) -> bool:
        """Whether a package counts as loaded that nobody has looked into."""
        return package in self.packages and self.packages[package] is None

    def diagnosed(self) -> Iterator[tuple[PackageId, tuple[Diagnostic, ...]]]:
        """The packages with which something is wrong, and what."""
        for package, result in self.packages.items():
            told = self.unread[package][0] if result is None else result
            if not isinstance(told, UnknownPackage) and told.diagnostics:
                yield package, told.diagnostics

    def repositories(self) -> list[str]:
        """The external repositories of all packages, and of the files that these load, sorted."""
        return self._repositories(loads_of(self._counted()))

    def completeness(self, table: RepositoryTable) -> Completeness:
        """How much is known."""
        packages = self._counted()
        loads = loads_of(packages)
        definitions = map(table.get, self._repositories(loads))
        repositories = [repository for repository in definitions if repository is not None]
        return count(packages, loads, repositories, self.missed.values(), self.untold)

    def _repositories(self, loads: Iterable[LoadedFile]) -> list[str]:
        names = {package.repository for package in self.packages}
        names.update(one.label.repository for one in loads)
        return sorted(names - {""})

    def _counted(self) -> Iterable[Counted]:
        """What is counted of packages; of those that nobody has looked into, together where the
        same is."""
        found: dict[object, Counted] = {}
        sizes: dict[object, list[int]] = {}
        for package, result in self.packages.items():
            if result is None:
                facts, size = self.unread[package]
                if id(facts) not in sizes:
                    sizes[id(facts)], found[id(facts)] = [], Counted(facts, 0, 0)
                sizes[id(facts)].append(size)
            elif one := counted(result):
                found[package] = one
        for key, some in sizes.items():
            found[key] = Counted(found[key].facts, len(some), sum(some))
        return found.values()
