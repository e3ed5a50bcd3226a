"""Target patterns to labels.

Bazel: `TargetPattern`, `TargetPatternResolver`. `:all` and `...` take rules, `:*` files too; a
relative `foo/bar` may be a package or a target of the package above.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from bazelscope.base.budget import LIMIT
from bazelscope.base.errors import Diagnostic, Note, Severity, is_severe
from bazelscope.base.label import Label, PackageId, PatternKind, TargetPattern
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Reason
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.loader_parts import LoaderParts
from bazelscope.loading.packages.package import Package, PackageResult
from bazelscope.loading.packages.targets import (
    NoSuchPackage,
    NoSuchTarget,
    Rule,
    TargetResult,
    UnknownPackage,
    UnknownResult,
    UnknownTarget,
)
from bazelscope.loading.repositories.package_trees import PackageTrees
from bazelscope.loading.repositories.repository_table import RepositoryTable

LINKS_OUT = "links-out"
"""The code of a diagnostic that a pattern has not looked behind a symbolic link."""


@dataclass(frozen=True, slots=True)
class Expansion:
    """The labels that a pattern stands for, in order, and what went wrong; the packages that a
    pattern of many targets looks into."""

    labels: tuple[Label, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    packages: tuple[PackageId, ...] = ()


class PackageFinder(Protocol):
    """A loader, as far as patterns and names need it."""

    @property
    def parts(self) -> LoaderParts: ...
    @property
    def context(self) -> EvaluationContext: ...
    @property
    def table(self) -> RepositoryTable: ...
    @property
    def trees(self) -> PackageTrees: ...
    def package(self, package: PackageId) -> PackageResult: ...
    def target(self, label: Label) -> TargetResult: ...
    def prepare(self, packages: Iterable[PackageId]) -> bool: ...


def expand(loader: PackageFinder, pattern: TargetPattern) -> Expansion:
    """The labels of one pattern, not looking at whether it excludes."""
    if pattern.kind is PatternKind.TARGET:
        return _single(loader, pattern)
    base = pattern.label
    if pattern.recursive:
        packages = loader.trees.packages_below(base.package_id)
        loader.prepare(packages)
        labels: list[Label] = []
        unreadable: list[Diagnostic] = []
        cut: list[UnknownPackage] = []
        for package in packages:
            result = loader.package(package)
            labels.extend(_labels_of(result, pattern.kind))
            if isinstance(result, NoSuchPackage):
                unreadable.append(_no_package(result))
            elif isinstance(result, UnknownPackage) and result.unknown.reason is Reason.LIMIT:
                cut.append(result)
        for directory, why in loader.trees.unreadable_below(base.package_id):
            message = f"cannot look for packages in `{directory}`: {why}"
            unreadable.append(Diagnostic("unreadable-directory", message))
        links = loader.trees.links_out_below(base.package_id)
        if links:
            more = f" and {len(links) - 1} more" if len(links) > 1 else ""
            out = "is a symbolic link" if len(links) == 1 else "are symbolic links"
            message = f"`{links[0]}`{more} {out} out of the workspace (--links-to DIR follows)"
            unreadable.append(Diagnostic(LINKS_OUT, message, severity=Severity.WARNING))
        if cut:
            message = f"{len(cut)} packages, from {cut[0].id} on, are not loaded"
            unreadable.append(Diagnostic(LIMIT, f"{message}: {cut[0].unknown.detail}"))
        if not packages and not unreadable:
            root = loader.package(base.package_id) if base.repository else None
            if isinstance(root, UnknownPackage):
                return Expansion((), (Diagnostic("unknown-package", str(root.unknown)),))
            if isinstance(root, NoSuchPackage) and _is_lacking(loader, base.repository):
                return Expansion((), (_no_package(root),))
            message = f"no targets found beneath '{base.package}'"
            return Expansion((), (Diagnostic("no-targets", message),))
        return Expansion(tuple(labels), tuple(unreadable), tuple(packages))
    result = loader.package(base.package_id)
    if isinstance(result, NoSuchPackage):
        return Expansion((), (_no_package(result),), (base.package_id,))
    if isinstance(result, UnknownPackage):
        return Expansion((), (Diagnostic("unknown-package", str(result.unknown)),))
    namesake = _namesake(pattern, result)
    if namesake is not None:
        return Expansion((namesake,))
    return Expansion(tuple(_labels_of(result, pattern.kind)), packages=(base.package_id,))


def _is_lacking(loader: PackageFinder, repository: str) -> bool:
    """Whether there is no repository to look into, and Bazel says so: one that reads MODULE.bazel.
    Measured: 4.2.3 finds no targets."""
    table = loader.table
    if table.modules is None:
        return False
    return table.get(repository) is None or table.failure_of(repository) is not None


def _no_package(result: NoSuchPackage) -> Diagnostic:
    return Diagnostic("no-such-package", result.message, notes=result.notes)


def _errors_of(package: object) -> tuple[Note, ...]:
    """The errors of a package, behind which it may have declared more."""
    errors = package.diagnostics if isinstance(package, Package) else ()
    return tuple([Note(one.message, one.span) for one in errors if is_severe(one)])


def built(loader: PackageFinder, pattern: TargetPattern, labels: Iterable[Label]) -> list[Label]:
    """Those of a pattern's labels that a build takes: a pattern of many targets leaves out rules
    that are `manual`, as settings and platforms are by themselves; one that excludes takes these
    away, too. Bazel: `FilteringPolicies`, `TargetPatternValue.keys`."""
    if pattern.kind is PatternKind.TARGET or pattern.excluded:
        return list(labels)
    return [label for label in labels if not is_manual(loader.target(label))]


def is_manual(target: object) -> bool:
    """Whether a target is a rule with the tag `manual`, of its own or as its class has it."""
    if not isinstance(target, Rule):
        return False
    given = target.attributes.get("tags")
    if given is not None:
        tags = given.value
    else:
        definition = target.rule_class.attributes.get("tags")
        tags = definition.default if definition is not None else ()
    return isinstance(tags, list | tuple) and "manual" in tags


def _namesake(pattern: TargetPattern, package: Package) -> Label | None:
    """The target that is called as the wildcard behind the colon, which is then meant instead.

    Only an absolute pattern means it. Bazel: `TargetPattern.TargetsInPackage`.
    """
    body = pattern.text.removeprefix("-")
    name = body.rpartition(":")[2]
    if body.startswith(("//", "@")) and name in package.targets:
        return Label(package.id.repository, package.id.package, name)
    return None


def expand_all(loader: PackageFinder, patterns: Iterable[TargetPattern]) -> Expansion:
    """A sequence of patterns, in which a later `-pattern` takes labels away again."""
    labels: dict[Label, None] = {}
    diagnostics: list[Diagnostic] = []
    for pattern in patterns:
        expansion = expand(loader, pattern)
        diagnostics.extend(expansion.diagnostics)
        for label in expansion.labels:
            if pattern.excluded:
                labels.pop(label, None)
            else:
                labels[label] = None
    return Expansion(tuple(labels), tuple(diagnostics))


def _single(loader: PackageFinder, pattern: TargetPattern) -> Expansion:
    label = pattern.label
    body = pattern.text.removeprefix("-")
    if not body.startswith(("//", "@", ":")) and ":" not in body and "/" in label.name:
        label = _relative(loader, label)
    elif not body.startswith(("//", "@", ":")) and ":" not in body:
        as_package = PackageId(label.repository, label.path)
        if not isinstance(loader.package(as_package), NoSuchPackage):
            label = Label(label.repository, as_package.package, label.name)
    target = loader.target(label)
    if isinstance(target, NoSuchPackage):
        return Expansion((), (_no_package(target),))
    if isinstance(target, NoSuchTarget):
        notes = _errors_of(loader.package(label.package_id))
        told = Diagnostic("no-such-target", target.message, notes=notes, hint=_meant(target))
        return Expansion((), (told,))
    if isinstance(target, UnknownTarget) and target.message:
        return Expansion(
            (), (Diagnostic("undeclared-target", target.message, hint=_meant(target)),)
        )
    if isinstance(target, UnknownResult):
        return Expansion((label,), (Diagnostic("unknown-target", str(target.unknown)),))
    return Expansion((label,))


def _meant(target: NoSuchTarget | UnknownTarget) -> str | None:
    """What a name may be a slip of the pen for."""
    names = ", ".join(f"`{name}`" for name in target.suggestions)
    return f"did you mean {names}?" if names else None


def _relative(loader: PackageFinder, label: Label) -> Label:
    """`a/b/c`: the package a/b/c, or the target b/c of a, or so on upwards."""
    parts = [*(part for part in (label.package,) if part), *label.name.split("/")]
    for length in range(len(parts), -1, -1):
        package = PackageId(label.repository, "/".join(parts[:length]))
        if isinstance(loader.package(package), NoSuchPackage):
            continue
        name = "/".join(parts[length:]) or parts[-1]
        return Label(label.repository, package.package, name)
    return label


def _labels_of(result: object, kind: PatternKind) -> list[Label]:
    if not isinstance(result, Package):
        return []
    targets = result.targets
    repository, package = result.id
    names = iter(targets)
    if kind is PatternKind.ALL_RULES:
        names = (name for name in targets if targets.is_rule(name))
    return [Label(repository, package, name) for name in sorted(names)]
