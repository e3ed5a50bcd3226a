"""How much of what an answer rests on is known, and what is not."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from bazelscope.base.errors import Diagnostic, Severity, is_bazels_error
from bazelscope.base.label import Label, PackageId
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Count, Unknown, UnknownTargetsCount

if TYPE_CHECKING:
    from bazelscope.loading.loader import Loader


@dataclass(frozen=True, slots=True)
class PackageDiagnostics:
    """What is wrong with one package. `is_shown`: the answer is about one of its targets."""

    package: str
    diagnostics: tuple[Diagnostic, ...]
    is_shown: bool = False


@dataclass(frozen=True, slots=True)
class Completeness:
    """The foot of an answer: counts of what was looked at, and what is not known of it.

    `unknown_targets` says where the unknown targets are, the most first. `assumptions` are what
    the content of repositories that the answer rests on was taken for granted for, where
    repository rules were run dry. `unknowns` belong to the packages that the answer shows,
    `elsewhere` to others that were looked at. Bazel would not load `packages_in_error` whole,
    so that the answer may lack something; `packages_with_warnings` are not among them, and are
    told of a limit of ours as well.
    `workspace_warnings` are those of module resolution, and files about modules that are left
    aside, or out of date. What a limit of the question has `cut_short` may be missing anywhere.
    """

    counts: tuple[Count, ...] = ()
    unknown_targets: tuple[UnknownTargetsCount, ...] = ()
    assumptions: tuple[Unknown, ...] = ()
    unknowns: tuple[Unknown, ...] = ()
    elsewhere: tuple[Unknown, ...] = ()
    packages_in_error: tuple[PackageDiagnostics, ...] = ()
    packages_with_warnings: tuple[PackageDiagnostics, ...] = ()
    workspace_warnings: tuple[Diagnostic, ...] = ()
    cut_short: tuple[str, ...] = ()


LEFT_ASIDE = frozenset({"broken-lock-file", "broken-registry-file", "stale-lock-file"})
"""Codes of files about modules that are left aside, or out of date."""
DIRECT_DEPENDENCY = "direct-dependency"
"""The code of a dependency of the root that is built in another version."""
WRONG_USE_REPO = "wrong-use-repo"
"""The code of a `use_repo()` that does not take what the module extension reports."""
_WARNINGS = LEFT_ASIDE | {"bazel-compatibility", DIRECT_DEPENDENCY, WRONG_USE_REPO}

COMPLETE = Completeness()
"""Nothing was needed that is not known."""


def how_complete(
    loader: Loader,
    shown: Iterable[Label],
    rests_on: Iterable[Label] = (),
    assumed: Iterable[Unknown] = (),
    aside: Collection[PackageId] = (),
) -> Completeness:
    """Says how much is known of what the loader was asked for. The answer shows the targets
    `shown`; its reasons are about the targets `rests_on` as well; `assumed` is what was taken for
    granted besides what repository rules were. What is wrong with packages that lie `aside` is
    told only where these are shown."""
    from bazelscope.loading.packages.package import Package
    from bazelscope.loading.packages.targets import UnknownPackage

    counted = loader.completeness()
    loaded = loader.loaded_packages()
    own: dict[Unknown, None] = {}
    repositories = {label.repository for label in rests_on}
    ids = dict.fromkeys(label.package_id for label in shown)
    for id in ids:
        package = loaded.get(id)
        repositories.add(id.repository)
        if isinstance(package, Package):
            repositories.update(file.label.repository for file in package.loads)
            own.update(dict.fromkeys(package.unknowns))
        elif isinstance(package, UnknownPackage):
            own[package.unknown] = None
    diagnosed = [
        PackageDiagnostics(str(id), diagnostics, id in ids)
        for id, diagnostics in sorted(loader.account.diagnosed(), key=lambda entry: entry[0])
        if id in ids or id not in aside
    ]
    return Completeness(
        counts=(
            counted.targets,
            counted.packages,
            counted.loads,
            counted.repositories,
        ),
        unknown_targets=counted.unknown_targets,
        assumptions=(*assumed, *loader.table.assumptions(repositories)),
        unknowns=tuple(own),
        elsewhere=tuple(reason for reason, _ in counted.reasons if reason not in own),
        packages_in_error=tuple(counted for counted in diagnosed if _has_errors(counted)),
        packages_with_warnings=tuple(counted for counted in diagnosed if not _has_errors(counted)),
        workspace_warnings=tuple(
            one
            for one in loader.table.diagnostics
            if one.code in _WARNINGS and one.severity is Severity.WARNING
        ),
    )


def _has_errors(package: PackageDiagnostics) -> bool:
    return any(map(is_bazels_error, package.diagnostics))
