"""Findings in one text as it stands in an editor, saved or not.

The text takes the place of the file on disk; all other files are as they are there. Nothing is
loaded but what the text loads: an answer takes milliseconds.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import replace

from bazelscope import starlark
from bazelscope.base.edits import Edit, fixes
from bazelscope.base.errors import LoadingError, StarlarkError, is_bazels_error
from bazelscope.base.label import Label, PackageId
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.nearest import nearest
from bazelscope.base.source import SourceFile
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.removed_natives import explained
from bazelscope.check.codes import CODES, UNFOLLOWED_LOAD
from bazelscope.check.finding import Finding
from bazelscope.check.of_diagnostics import of_diagnostic
from bazelscope.check.rc_files.rc_facts import RcFacts
from bazelscope.check.rc_files.rules import rc_findings
from bazelscope.flags.rc_file_reading import Files, FileText, ReadFailure, join
from bazelscope.flags.request import FlagRequest
from bazelscope.loading.evaluation.bzl_files.module_files import load_label
from bazelscope.loading.evaluation.values.refused_syntax import check_syntax
from bazelscope.loading.loader import Loader
from bazelscope.loading.modules.module_file import ModuleSettings
from bazelscope.loading.modules.module_file_evaluation import evaluate_module_file
from bazelscope.loading.tree.workspace_files import Workspace
from bazelscope.starlark.syntax.tree import Binding, Load

_KINDS = {
    "BUILD": starlark.FileKind.BUILD,
    "BUILD.bazel": starlark.FileKind.BUILD,
    "WORKSPACE": starlark.FileKind.WORKSPACE,
    "WORKSPACE.bazel": starlark.FileKind.WORKSPACE,
    "WORKSPACE.bzlmod": starlark.FileKind.WORKSPACE,
    "MODULE.bazel": starlark.FileKind.MODULE,
}


@dataclass(frozen=True, slots=True)
class _Overlay:
    """The files of a disk, one of which has another text."""

    disk: Files
    path: str
    text: str

    def read(self, path: str) -> FileText | ReadFailure:
        if self._is_it(path):
            return FileText(self.text, self.canonical(path) or self.path)
        return self.disk.read(path)

    def canonical(self, path: str) -> str | None:
        return self.disk.canonical(path) or (self.path if self._is_it(path) else None)

    def _is_it(self, path: str) -> bool:
        if path == self.path:
            return True
        real = self.disk.canonical(path)
        return real is not None and real == self.disk.canonical(self.path)


def rc_text_findings(source: SourceFile, request: FlagRequest, disk: Files) -> tuple[Finding, ...]:
    """The findings in an rc file whose text is `source`, read as `request` reads it: as part of
    the workspace's rc files where these import it, else as one more."""
    root = request.workspace_root or "/"
    files = _Overlay(disk, join(root, source.path), source.text)
    facts = RcFacts.of(request, files)
    if source.path not in facts.rc_files.sources:
        # Nothing reads it: somebody will by --bazelrc.
        request = replace(request, startup=(*request.startup, f"--bazelrc={files.path}"))
        facts = RcFacts.of(request, files)
    return tuple(finding for finding in rc_findings(facts) if finding.path == source.path)


def starlark_text_findings(source: SourceFile, loader: Loader) -> tuple[Finding, ...]:
    """The findings in a BUILD, `.bzl`, WORKSPACE or MODULE.bazel file of the workspace: the
    first error of syntax, names that nothing defines, loads that cannot be followed."""
    return tuple(_starlark(source, loader))


def is_starlark(path: str) -> bool:
    """Whether a path names a Starlark file that Bazel reads."""
    name = posixpath.basename(path)
    return name in _KINDS or name.endswith((".bzl", ".scl", ".MODULE.bazel"))


def _starlark(source: SourceFile, loader: Loader) -> Iterator[Finding]:
    name = posixpath.basename(source.path)
    kind = _KINDS.get(name, starlark.FileKind.BZL)
    if name.endswith(".MODULE.bazel"):
        kind = starlark.FileKind.MODULE
    if kind is starlark.FileKind.MODULE:
        yield from _module(source, loader)
        return
    natives = loader.parts.natives
    names = natives.for_bzl("").names
    if kind is starlark.FileKind.BUILD:
        names = loader.build_file_names
    elif kind is starlark.FileKind.WORKSPACE:
        names = frozenset(natives.workspace_file)
    try:
        check_syntax(source, loader.context.release, is_build=kind is starlark.FileKind.BUILD)
    except StarlarkError as error:
        yield of_diagnostic(error.diagnostic, "BZS002", lambda _: source)
        return
    for problem in starlark.check(source, kind, names):
        if is_bazels_error(problem):
            told = explained(problem, loader.context.release)
            yield of_diagnostic(told, "BZS002", lambda _: source)
            return
    yield from _loads(source, kind, loader)


def _module(source: SourceFile, loader: Loader) -> Iterator[Finding]:
    settings = ModuleSettings(
        read=loader.workspace.read,
        ignore_dev=False,
        program_cache=None,
        limits=starlark.Limits(steps=loader.options.max_steps),
        release=loader.context.release,
        is_package=lambda package: loader.workspace.listing(package).build_file is not None,
    )
    for problem in evaluate_module_file(source, settings).diagnostics:
        if is_bazels_error(problem):
            yield of_diagnostic(problem, "BZS004", lambda _: source)


def _loads(source: SourceFile, kind: starlark.FileKind, loader: Loader) -> Iterator[Finding]:
    file = starlark.parse(source, kind)
    here = PackageId("", _package_of(source.path, loader.workspace))
    mapping = loader.table.repo_mapping("")
    for statement in file.statements:
        if not isinstance(statement, Load):
            continue
        span, text = source.span(statement.start, statement.end), str(statement.module.value)
        try:
            label = load_label(text, here, mapping)
        except LoadingError as error:
            yield CODES[UNFOLLOWED_LOAD].at(span, text, error.diagnostic.message)
            continue
        if label.repository:
            continue  # What is downloaded, and what a model lacks, nobody can tell here.
        where = loader.module_files.find(label, loader.table)
        if isinstance(where, Unknown):
            yield CODES[UNFOLLOWED_LOAD].at(span, text, f"cannot load `{label}`: {where.detail}")
            continue
        module = loader.module(label)
        if isinstance(module, Unknown):
            continue
        missing = [one for one in statement.bindings if one.exported not in module.globals]
        names = _names_of(label, module, loader) if missing else frozenset()
        for binding in missing if names else ():
            if binding.exported in names:
                continue
            near = nearest(binding.exported, names, 1)
            hint = f"did you mean `{near[0]}`?" if near else ""
            message = f"`{label}` does not define `{binding.exported}`"
            place = source.span(binding.start, binding.end)
            yield CODES[UNFOLLOWED_LOAD].at(
                place,
                binding.exported,
                message,
                hint,
                fixes=fixes(f"load `{near[0]}`", _names(source, binding, near[0])) if near else (),
            )


def _names(source: SourceFile, binding: Binding, exported: str) -> Iterator[Edit]:
    """The edit that has a load() name what another symbol is called."""
    text = source.text[binding.start : binding.end]
    start = text.rfind(binding.exported)
    if start >= 0:
        offset = binding.start + start
        yield Edit(source.span(offset, offset + len(binding.exported)), exported)


def _names_of(label: Label, module: starlark.Module, loader: Loader) -> frozenset[str]:
    """What the text of a file of the workspace defines, as far as it was run, and behind that;
    nothing where that cannot be told."""
    try:
        source = loader.workspace.read(label.path)
        names = loader.parts.natives.for_bzl("").names
        program = starlark.load_program(source, starlark.FileKind.BZL, names, None)
    except (LoadingError, StarlarkError):
        return frozenset()
    # A file that fails half-way lacks what it would define behind that.
    return frozenset((*module.globals, *program.globals))


def _package_of(path: str, files: Workspace) -> str:
    directory = posixpath.dirname(path)
    while directory and files.listing(directory).build_file is None:
        directory = posixpath.dirname(directory)
    return directory
