"""Targets of packages in error, and those that are not there: Bazel builds nothing from them."""

from __future__ import annotations

from collections.abc import Iterable

from bazelscope.analysis.configuration.target_source import TargetSource
from bazelscope.analysis.refusals.refusal import Refusal, RefusalCause, RefusalKind
from bazelscope.base.errors import Diagnostic, is_bazels_error
from bazelscope.base.label import Label, PackageId
from bazelscope.base.memoized import memoized
from bazelscope.base.source import Location
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.repository_access import NO_REPOSITORY, why_unmade
from bazelscope.loading.packages.targets import (
    NoSuchPackage,
    NoSuchTarget,
    TargetResult,
)

_MOST_VARIABLES = 3
"""So many variables of a rule are named."""


class PackagesInError:
    """Tells of each package, once, what keeps it from being loaded as a whole."""

    def __init__(self, source: TargetSource) -> None:
        self._source = source
        self._loader = source if isinstance(source, Loader) else None

    @memoized
    def failure_of(self, repository: str) -> Diagnostic | None:
        """The `fail()` of its own in which the rule of a repository ends."""
        known = self._loader if repository else None
        return known.table.failure_of(repository) if known is not None else None

    @memoized
    def errors(self, id: PackageId) -> tuple[Diagnostic, ...]:
        """The errors of the package; none if it is sound, or nobody can tell."""
        failure = self.failure_of(id.repository)
        if failure is not None:
            return (failure,)
        package = self._source.package(id)
        diagnostics = package.diagnostics if isinstance(package, Package | NoSuchPackage) else ()
        return tuple(filter(is_bazels_error, diagnostics))

    def of_package(self, id: PackageId) -> Refusal | None:
        """What is refused of a package that a pattern of many targets looks into."""
        errors = self.errors(id)
        if not errors:
            return None
        package = self._source.package(id)
        message, remedy = f"package contains errors: {id.package}", ""
        if isinstance(package, NoSuchPackage):
            message, remedy = package.message, package.remedy
        causes = tuple(RefusalCause(error.message, error.location) for error in errors)
        place = errors[0].location
        return Refusal(RefusalKind.PACKAGE, message, None, "", place, causes, remedy)

    def of_top(self, label: Label, target: TargetResult) -> Refusal | None:
        """What is refused of a target that is asked for by itself."""
        return self.of_dependency(label, target, None)

    def of_dependency(
        self,
        label: Label,
        target: TargetResult,
        user: Label | None,
        attribute: str = "",
        location: Location | None = None,
    ) -> Refusal | None:
        """What is refused of `user`, which stands at `location`, for depending on `label`; of a
        target itself, where `user` is None."""
        errors = self.errors(label.package_id)
        asks = f" and referenced by '{user}'" if user is not None else ""
        causes, remedy = _causes(errors), ""
        failure = self.failure_of(label.repository)
        if failure is not None:
            kind = RefusalKind.REPOSITORY_RULE
            assert self._loader is not None  # They told the failure.
            package = f"{self._loader.table.in_errors(label.repository)}//{label.package}"
            message = f"no such package '{package}': {failure.message}"
            remedy = failure.hint or ""
            causes = self._of_rule(label.repository, failure)
        elif isinstance(target, NoSuchPackage):
            kind = RefusalKind.MISSING_PACKAGE
            if target.message.startswith("error loading package"):
                kind = RefusalKind.PACKAGE
            message, remedy = target.message, target.remedy
        elif isinstance(target, NoSuchTarget):
            kind = RefusalKind.MISSING_TARGET
            message, remedy = target.message, target.remedy
        elif errors:
            kind = RefusalKind.PACKAGE
            message = f"Target '{label}' contains an error and its package is in error"
        else:
            return None
        if kind in (RefusalKind.MISSING_TARGET, RefusalKind.MISSING_PACKAGE):
            cause, given = self._of_variables(label.repository)
            nested = ""
            if user is not None and self._loader is not None:
                nested = self._loader.remedy_of_nested(user.package_id, label.package_id)
            causes, remedy = (*causes, *cause), nested or remedy or given
        return Refusal(
            kind,
            f"{message}{asks}",
            user or label,
            attribute,
            location or (errors[0].location if errors else None),
            causes,
            remedy,
            dependency=label if user is not None else None,
        )

    def _of_rule(self, repository: str, failure: Diagnostic) -> tuple[RefusalCause, ...]:
        """Where a repository is defined, and where its rule fails."""
        fails = RefusalCause(why_unmade(repository, failure).message, failure.location)
        if failure.code == NO_REPOSITORY or self._loader is None:
            return (fails,)
        known = self._loader.table.get(repository)
        definition = known.definition if known is not None else None
        if definition is None:
            return (fails,)
        return (RefusalCause(f"@{repository} is defined here", definition.location), fails)

    def _of_variables(self, repository: str) -> tuple[tuple[RefusalCause, ...], str]:
        """Why something may be missing in a repository whose rule reads variables that have no
        value, and what may mend it."""
        known = self._loader
        lacks = known.lacks_variables(repository) if known is not None else None
        if lacks is None:
            return (), ""
        definition, variables = lacks
        reads = ", ".join(variables[:_MOST_VARIABLES])
        if len(variables) > _MOST_VARIABLES:
            reads += f" and {len(variables) - _MOST_VARIABLES} more"
        what = f"@{repository} is what {definition.rule_class} makes without {reads}"
        words = " ".join(f"--repo_env={name}=..." for name in variables[:_MOST_VARIABLES])
        return (RefusalCause(what, definition.location),), f"tell the rule what it reads: {words}"


def _causes(errors: Iterable[Diagnostic]) -> tuple[RefusalCause, ...]:
    """The errors, and of files that are not there why they are not."""
    causes = []
    for error in errors:
        causes.append(RefusalCause(error.message, error.location))
        if error.code == "missing-module":
            for note in error.notes:
                causes.append(RefusalCause(note.message, note.location))
    return tuple(causes)
