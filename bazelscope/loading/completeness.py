"""What a loader was asked for, and how much of it is known: counted, with the reasons for what
is not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from bazelscope.base.errors import Diagnostic, is_severe
from bazelscope.base.label import Label, PackageId
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Count, Reason, Unknown, UnknownTargetsCount
from bazelscope.loading.cache.package_cache import Counts
from bazelscope.loading.packages.package import Package, PackageResult
from bazelscope.loading.packages.package_data import LoadRow, PackageFacts, load_of
from bazelscope.loading.packages.targets import LoadedFile, Provenance, Repository, UnknownPackage
from bazelscope.loading.repositories.external_package import EXTERNAL
from bazelscope.loading.repositories.repository_table import RepositoryTable


@dataclass(frozen=True, slots=True)
class Completeness:
    """What was asked for so far. A target counts as unknown if it was asked for and nobody can
    tell what it is; `unknown_targets` says where those are, the most first. `reasons` are the
    distinct unknowns with how many packages each touches."""

    targets: Count
    unknown_targets: tuple[UnknownTargetsCount, ...]
    packages: Count
    loads: Count
    repositories: Count
    reasons: tuple[tuple[Unknown, int], ...]
    errors: int
    """Diagnostics of packages."""


class Counted(NamedTuple):
    """Packages of which the same is counted, and how many targets they have together."""

    facts: PackageFacts
    packages: int
    targets: int


def counted(package: PackageResult) -> Counted | None:
    """What is counted of a package; None of one that is not there."""
    if isinstance(package, UnknownPackage):
        return Counted(PackageFacts(Provenance.UNKNOWN, (), (), (package.unknown,)), 1, 0)
    if not isinstance(package, Package):
        return None
    rows, problems = package.load_rows, package.diagnostics
    facts = PackageFacts(package.provenance, rows, problems, package.unknowns)
    return Counted(facts, 1, _targets_of(package))


def loads_of(packages: Iterable[Counted]) -> list[LoadedFile]:
    """The files that packages load, each once."""
    rows: dict[str, LoadRow] = {}
    for package in packages:
        for row in package.facts.load_rows:
            rows.setdefault(row[0], row)
    return list(map(load_of, rows.values()))


def count(
    packages: Iterable[Counted],
    loads: Iterable[LoadedFile],
    repositories: Iterable[Repository],
    missed: Iterable[Unknown] = (),
    untold: Mapping[Label, Unknown] | None = None,
) -> Completeness:
    """Counts targets, packages, what these load, and repositories. `missed` are targets that were
    asked for and that a model of ours lacks: they are reasons, too. `untold` are all targets
    that were asked for and are unknown."""
    by_package: Counter[str] = Counter()
    by_target = Counter(total=len(untold or ()), unknown=len(untold or ()))
    reasons: Counter[Unknown] = Counter()
    errors = 0
    for facts, number, targets in packages:
        unknown = facts.unknowns[0] if facts.unknowns else None
        by_package.update(dict.fromkeys(_sorts(unknown, facts.provenance), number))
        by_target["total"] += targets
        by_target["modelled"] += targets if facts.provenance is Provenance.MODEL else 0
        reasons.update(dict.fromkeys(facts.unknowns, number))
        errors += number * sum(map(is_severe, facts.diagnostics))
    reasons.update(dict.fromkeys(missed, 1))
    # What files lack that are not there at all is counted where it is used.
    in_doubt = (
        loaded.unknown
        for loaded in loads
        if loaded.unknown is not None
        and loaded.provenance is not Provenance.UNKNOWN
        and loaded.unknown.reason is not Reason.FAILED
    )
    reasons.update(dict.fromkeys(in_doubt, 1))
    by_load: Counter[str] = Counter()
    by_repository: Counter[str] = Counter()
    for load in loads:
        by_load.update(_sorts(load.unknown, load.provenance))
    for entry in repositories:
        by_repository.update(_sorts(entry.unknown, entry.provenance))
    ordered = sorted(reasons.items(), key=lambda entry: (-entry[1], str(entry[0])))
    places = Counter((label.repository, why.reason) for label, why in (untold or {}).items())
    ranked = sorted(places.items(), key=lambda entry: (-entry[1], entry[0][0], entry[0][1].value))
    unknown_targets = tuple(UnknownTargetsCount(*place, number) for place, number in ranked)
    return Completeness(
        _count("targets", by_target),
        unknown_targets,
        _count("packages", by_package),
        _count("loaded files", by_load),
        _count("repositories", by_repository),
        tuple(ordered),
        errors,
    )


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

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Takes no note, while it is entered, of packages and of what is missing in them."""
        noted = dict(self.__dict__)
        self.packages, self.missed = self.packages.copy(), self.missed.copy()
        self.untold = self.untold.copy()
        try:
            yield
        finally:
            self.__dict__.update(noted)

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


def _sorts(unknown: Unknown | None, provenance: Provenance) -> list[str]:
    """Returns under which headings something counts, by what is unknown of it and its origin."""
    sorts = ["total"]
    if provenance is Provenance.UNKNOWN:
        sorts.append("unknown")
    elif unknown is not None:
        sorts.append("partly")
    if provenance is Provenance.MODEL:
        sorts.append("modelled")
    return sorts


def _count(what: str, counter: Counter[str]) -> Count:
    return Count(what, *(counter[sort] for sort in ("total", "modelled", "unknown", "partly")))


def _targets_of(package: Package) -> int:
    """How many targets a package has. Of `//external` only what `bind` makes counts: its other
    targets are the repositories, which are counted as such."""
    if package.id != EXTERNAL:
        return len(package.targets)
    kinds = (target.kind for target in package.targets.values())
    return sum(kind == "bind rule" for kind in kinds)
