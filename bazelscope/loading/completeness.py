"""How much is known: counted, with the reasons for what is not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from bazelscope.base.errors import is_severe
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.packages.package import Package, PackageResult
from bazelscope.loading.packages.targets import LoadedFile, Provenance, Repository, UnknownPackage
from bazelscope.loading.repositories.external_package import EXTERNAL


@dataclass(frozen=True, slots=True)
class Counts:
    """Of one sort of thing: known from files, known from a model of ours, unknown."""

    known: int
    modelled: int
    unknown: int

    @property
    def total(self) -> int:
        return self.known + self.modelled + self.unknown


@dataclass(frozen=True, slots=True)
class UnknownTargets:
    """How many targets of one repository (`""`: the workspace) are unknown for one reason."""

    repository: str
    reason: Reason
    count: int


@dataclass(frozen=True, slots=True)
class Completeness:
    """What was asked for so far. A package counts as unknown if any part of it is, a target
    if it was asked for and nobody can tell what it is; `unknown_targets` says where those are,
    the most first. `reasons` are the distinct unknowns with how many packages each touches."""

    targets: Counts
    unknown_targets: tuple[UnknownTargets, ...]
    packages: Counts
    loads: Counts
    repositories: Counts
    reasons: tuple[tuple[Unknown, int], ...]
    errors: int
    """Diagnostics of packages."""


def count(
    packages: Iterable[PackageResult],
    repositories: Iterable[Repository],
    missed: Iterable[Unknown] = (),
    untold: Mapping[Label, Unknown] | None = None,
) -> Completeness:
    """Counts targets, packages, their loads, and repositories. `missed` are targets that were
    asked for and that a model of ours lacks: they are reasons, too. `untold` are all targets
    that were asked for and are unknown."""
    by_package: Counter[str] = Counter()
    by_target: Counter[str] = Counter({"unknown": len(untold or ())})
    loads: dict[Label, LoadedFile] = {}
    reasons: Counter[Unknown] = Counter()
    errors = 0
    for package in packages:
        if isinstance(package, UnknownPackage):
            by_package["unknown"] += 1
            reasons[package.unknown] += 1
        elif isinstance(package, Package):
            sort = "modelled" if package.provenance is Provenance.MODEL else "known"
            by_package["unknown" if package.unknowns else sort] += 1
            by_target[sort] += _targets_of(package)
            reasons.update(dict.fromkeys(package.unknowns, 1))
            errors += sum(map(is_severe, package.diagnostics))
            for loaded in package.loads:
                loads.setdefault(loaded.label, loaded)
    reasons.update(dict.fromkeys(missed, 1))
    # What files lack that are not there at all is counted where it is used.
    in_doubt = (
        loaded.unknown
        for loaded in loads.values()
        if loaded.unknown is not None
        and loaded.provenance is not Provenance.UNKNOWN
        and loaded.unknown.reason is not Reason.FAILED
    )
    reasons.update(dict.fromkeys(in_doubt, 1))
    by_load = Counter(_sort(load.unknown, load.provenance) for load in loads.values())
    by_repository = Counter(_sort(entry.unknown, entry.provenance) for entry in repositories)
    ordered = sorted(reasons.items(), key=lambda entry: (-entry[1], str(entry[0])))
    places = Counter((label.repository, why.reason) for label, why in (untold or {}).items())
    ranked = sorted(places.items(), key=lambda entry: (-entry[1], entry[0][0], entry[0][1].value))
    unknown_targets = tuple(UnknownTargets(*place, number) for place, number in ranked)
    return Completeness(
        _counts(by_target),
        unknown_targets,
        _counts(by_package),
        _counts(by_load),
        _counts(by_repository),
        tuple(ordered),
        errors,
    )


def _sort(unknown: Unknown | None, provenance: Provenance) -> str:
    if unknown is not None or provenance is Provenance.UNKNOWN:
        return "unknown"
    return "modelled" if provenance is Provenance.MODEL else "known"


def _counts(counter: Counter[str]) -> Counts:
    return Counts(counter["known"], counter["modelled"], counter["unknown"])


def _targets_of(package: Package) -> int:
    """How many targets a package has. Of `//external` only what `bind` makes counts: its other
    targets are the repositories, which are counted as such."""
    if package.id != EXTERNAL:
        return len(package.targets)
    kinds = (target.kind for target in package.targets.values())
    return sum(kind == "bind rule" for kind in kinds)
