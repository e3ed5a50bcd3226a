"""What is wrong with a file that the editor shows, as one types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bazelscope.base.errors import Diagnostic, Severity
from bazelscope.base.label import PackageId
from bazelscope.base.source import Location, SourceFile, Span
from bazelscope.check.codes import RAISED_VERSION, UNFOLLOWED_LOAD
from bazelscope.check.finding import Finding
from bazelscope.check.repositories.module_edits import ModuleFiles
from bazelscope.check.repositories.module_rules import raised_versions
from bazelscope.check.selection import is_waived
from bazelscope.editor.file_kinds import TextKind
from bazelscope.editor.state import EditorState
from bazelscope.editor.targets import package_of
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import NoSuchPackage
from bazelscope.questions.shared.completeness import DIRECT_DEPENDENCY

Problem = Finding | Diagnostic
"""What `check` finds in a text, or what Bazel says when it reads the file."""


def problems(state: EditorState, path: str) -> tuple[Problem, ...]:
    """What is wrong with the text that the editor shows of a file. Spans are those of the text as
    it is."""
    opened = state.opened(path)
    if opened is None or not opened.kind.is_read_by_bazel:
        return ()
    if path.startswith("/") and opened.kind is not TextKind.RC:
        return opened.problems  # A file of no workspace: its syntax can be told.
    text = opened.source
    checked = state.build.check_text(path, text.text)
    if opened.is_good and opened.kind is TextKind.MODULE:
        checked = (*checked, *_raised(state, text))
    elif opened.is_good and opened.kind is TextKind.BUILD:
        checked = (*checked, *_unresolved(state, path))
    findings = tuple(one for one in checked if not is_waived(one, lambda path: text))
    if not opened.is_good:
        return findings or opened.problems
    more: Iterable[Diagnostic] = opened.problems
    if opened.kind is TextKind.BUILD:
        package = package_of(state, path)
        more = (*more, *_here(path, _of_package(state, package) if package is not None else ()))
    elif opened.kind in (TextKind.WORKSPACE, TextKind.MODULE):
        more = (*more, *_here(path, state.build.loader.table.diagnostics))
    # Whoever waives a finding wants no warning of it either.
    told = {Severity.WARNING: checked}
    untold = (one for one in more if not _is_told(one, told.get(one.severity, findings)))
    return (*findings, *untold)


def _unresolved(state: EditorState, path: str) -> Iterator[Finding]:
    """The labels of a BUILD file that name nothing."""
    package = package_of(state, path)
    found = state.build.unresolved_labels(package) if package is not None else ()
    return (one for one in found if one.path == path)


def _raised(state: EditorState, text: SourceFile) -> Iterator[Finding]:
    """The dependencies of the text of which a higher version is built than is written."""

    def span_of(place: Location | None) -> Span | None:
        if place is None or place.path != text.path:
            return None
        return Span(*place, place.line, max(len(text.line(place.line)), place.column) + 1)

    modules = state.build.loader.table.modules
    resolved = modules.resolved if modules is not None else None
    if resolved is not None:
        for one in raised_versions(resolved.resolution, span_of, ModuleFiles(lambda path: text)):
            if one.span is not None:
                yield one


def _is_told(problem: Diagnostic, findings: Iterable[Finding]) -> bool:
    """Whether a finding tells the same: of the same place, of a name in the same load(), or of the
    same dependency, whose version it says, too."""
    span = problem.span
    code = RAISED_VERSION if problem.code == DIRECT_DEPENDENCY else UNFOLLOWED_LOAD
    return any(
        one.span == span
        or (
            one.code == code
            and span is not None
            and one.span is not None
            and span.line <= one.span.line <= span.end_line
        )
        for one in findings
    )


def _of_package(state: EditorState, package: PackageId) -> tuple[Diagnostic, ...]:
    result = state.build.loader.package(package)
    return result.diagnostics if isinstance(result, Package | NoSuchPackage) else ()


def _here(path: str, diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Those that stand in a file, each once."""
    here = (one for one in diagnostics if one.span is not None and one.span.path == path)
    return tuple(dict.fromkeys(here))
