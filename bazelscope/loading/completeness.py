"""How much is known: counted, with the reasons for what is not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from bazelscope.base.errors import is_severe
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Count, Reason, Unknown, UnknownTargetsCount
from bazelscope.loading.packages.package import Package, PackageResult
from bazelscope.loading.packages.package_data import LoadRow, PackageFacts, load_of
from bazelscope.loading.packages.targets import LoadedFile, Provenance, Repository, UnknownPackage
from bazelscope.loading.repositories.external_package import EXTERNAL


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
