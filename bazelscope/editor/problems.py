"""What is wrong with a file that the editor shows, as one types."""

from __future__ import annotations

from collections.abc import Iterable

from bazelscope.base.errors import Diagnostic, is_severe
from bazelscope.base.label import PackageId
from bazelscope.editor.file_kinds import TextKind
from bazelscope.editor.state import EditorState
from bazelscope.editor.targets import package_of
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import NoSuchPackage


def problems(state: EditorState, path: str) -> tuple[Diagnostic, ...]:
    """What is wrong with the text that the editor shows of a file: what keeps it from being read,
    or else what Bazel says when it reads it. Spans are those of the text as it is."""
    opened = state.opened(path)
    if opened is None:
        return ()
    if any(is_severe(problem) for problem in opened.problems):
        return opened.problems
    if opened.kind is TextKind.RC:
        return _here(path, state.build.flags.diagnostics)
    if opened.kind is TextKind.BUILD:
        package = package_of(state, path)
        found = _of_package(state, package) if package is not None else ()
        return (*opened.problems, *_here(path, found))
    if opened.kind in (TextKind.WORKSPACE, TextKind.MODULE):
        return (*opened.problems, *_here(path, state.build.loader.table.diagnostics))
    return opened.problems


def _of_package(state: EditorState, package: PackageId) -> tuple[Diagnostic, ...]:
    result = state.build.loader.package(package)
    return result.diagnostics if isinstance(result, Package | NoSuchPackage) else ()


def _here(path: str, found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Those that stand in a file, each once."""
    here = (one for one in found if one.span is not None and one.span.path == path)
    return tuple(dict.fromkeys(here))
