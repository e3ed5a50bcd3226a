"""What Bazel refuses before it configures a target: the command line, WORKSPACE, MODULE.bazel,
packages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from bazelscope.analysis.configuration.target_source import TargetSource
from bazelscope.analysis.refusals.packages_in_error import PackagesInError
from bazelscope.analysis.refusals.refusal import Refusal, RefusalCause, RefusalKind
from bazelscope.base.errors import Diagnostic, is_bazels_error
from bazelscope.base.label import Label, PackageId
from bazelscope.base.source import Location
from bazelscope.loading.evaluation.workspace.workspace_evaluation import REPOSITORY_FAILS


def refusals_of_files(diagnostics: Iterable[Diagnostic]) -> Iterator[Refusal]:
    """The errors of WORKSPACE, of MODULE.bazel, and of what these load: with one of them no
    target is looked at. What several loads come to, such as a repository that is not there, is
    one error of all of them."""
    told: dict[tuple[object, ...], Refusal] = {}
    causes: dict[tuple[object, ...], dict[RefusalCause, None]] = {}
    for refusal in _each_of_files(diagnostics):
        key = (refusal.kind, refusal.message, refusal.location, refusal.call_stack)
        told.setdefault(key, refusal)
        causes.setdefault(key, {}).update(dict.fromkeys(refusal.causes))
    for same, refusal in told.items():
        yield replace(refusal, causes=tuple(causes[same]))


def _each_of_files(diagnostics: Iterable[Diagnostic]) -> Iterator[Refusal]:
    for error in diagnostics:
        if is_bazels_error(error):
            # Where an error is: its own place, or the innermost call that led to it.
            stack = error.call_stack
            place = error.location or (stack[-1].location if stack else None)
            is_module = place is not None and place.path.endswith("MODULE.bazel")
            kind = RefusalKind.MODULE if is_module else RefusalKind.WORKSPACE
            if error.code == REPOSITORY_FAILS:
                yield replace(_refusal(RefusalKind.REPOSITORY_RULE, error, place), call_stack=stack)
            else:
                yield replace(_refusal(kind, error, place), causes=(), call_stack=stack)


def refusals_of_line(diagnostics: Iterable[Diagnostic]) -> Iterator[Refusal]:
    """The errors of the command line and its rc files: with one of them Bazel looks at nothing."""
    for error in diagnostics:
        if is_bazels_error(error):
            yield _refusal(RefusalKind.COMMAND_LINE, error, error.location)


def _refusal(kind: RefusalKind, error: Diagnostic, place: Location | None) -> Refusal:
    causes = tuple(RefusalCause(note.message, note.location) for note in error.notes)
    return Refusal(kind, error.message, location=place, causes=causes, remedy=error.hint or "")


def refusals_of_packages(source: TargetSource, ids: Iterable[PackageId]) -> Iterator[Refusal]:
    """The packages that patterns of many targets look into, and that are in error."""
    yield from filter(None, map(PackagesInError(source).of_package, ids))


def refusals_of_tops(source: TargetSource, labels: Iterable[Label]) -> Iterator[Refusal]:
    """The targets that are asked for and cannot be had, or whose packages are in error."""
    packages = PackagesInError(source)
    yield from filter(None, (packages.of_top(one, source.target(one)) for one in labels))
