"""Findings about MODULE.bazel: versions that are raised, what nobody uses, a stale lock."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from bazelscope.base.edits import Fix, fixes
from bazelscope.base.errors import Severity
from bazelscope.base.source import Location, Span
from bazelscope.check.codes import CODES, RAISED_VERSION
from bazelscope.check.finding import Finding, FindingCause
from bazelscope.check.repositories.module_edits import ModuleFiles
from bazelscope.check.workspace_facts import NOT_HERE, WorkspaceFacts
from bazelscope.loading.modules.extension_repositories import ExtensionRepositories
from bazelscope.loading.modules.module_graph import ROOT, ModuleKey, Resolution
from bazelscope.loading.modules.module_repositories import ModuleRepositories
from bazelscope.questions.shared.completeness import LEFT_ASIDE, WRONG_USE_REPO

_LOCK = "MODULE.bazel.lock"


def module_findings(facts: WorkspaceFacts) -> Iterator[Finding]:
    """All findings about the modules of the workspace."""
    table = facts.world.loader.table
    resolved, extensions = table.resolved_modules, table.extensions
    files = ModuleFiles(facts.read)
    for problem in table.diagnostics:
        if problem.code in LEFT_ASIDE and problem.severity is Severity.WARNING:
            span = problem.span or Span(_LOCK, 1, 1, 1, 2)
            yield CODES["BZS309"].at(span, span.path, problem.message, problem.hint or "")
        elif problem.code == WRONG_USE_REPO and problem.span is not None:
            found = _tidied(files, extensions, problem.span.start)
            yield CODES["BZS312"].at(
                problem.span, problem.span.path, problem.message, problem.hint or "", fixes=found
            )
    if resolved is not None:
        yield from raised_versions(resolved.resolution, facts.span, files)
        unnamed = [*_unused_modules(facts, resolved, files)]
        if extensions is not None:
            unnamed += _unused_imports(facts, resolved, extensions, files)
        if unnamed and (extensions is None or not _may_name_others(facts, extensions)):
            yield from unnamed


def _tidied(
    files: ModuleFiles, extensions: ExtensionRepositories | None, place: Location
) -> tuple[Fix, ...]:
    """What has the use_repo() of the extension that is used at a place take what it reports."""
    for extension in extensions.every if extensions is not None else ():
        fixup = extension.fixup
        if fixup is not None and fixup.location == place:
            edits = files.of(place.path).tidied(fixup)
            return fixes("take in use_repo() what the extension reports", edits, is_safe=True)
    return ()


def raised_versions(
    resolution: Resolution,
    span_of: Callable[[Location | None], Span | None],
    files: ModuleFiles,
) -> Iterator[Finding]:
    """The dependencies of the root of which a higher version is built than is written; `span_of`
    and `files` look into what it is written in."""
    root = resolution.selected.get(ROOT)
    for edge in root.edges if root is not None else ():
        written, chosen = edge.written, edge.selected
        if not _is_written(written.location) or chosen is None or not written.version:
            continue
        if chosen.name in resolution.pinned or chosen.version in ("", written.version):
            continue
        if chosen.name != written.name or resolution.may_be_newer(chosen):
            continue
        message = f"`{written.name}` is {chosen.version} in this build, not {written.version}"
        causes = tuple(
            FindingCause(f"{asker} asks for {chosen.version}")
            for asker in askers(resolution, chosen)
        )
        remedy = f'write `version = "{chosen.version}"`'
        found: tuple[Fix, ...] = ()
        if written.location is not None:
            file = files.of(written.location.path)
            edits = file.with_version(written.location, chosen.version)
            found = fixes(remedy, edits, is_safe=True)
        yield CODES[RAISED_VERSION].at(
            span_of(written.location), written.name, message, remedy, causes, fixes=found
        )


def askers(resolution: Resolution, chosen: ModuleKey) -> Iterator[str]:
    """The modules besides the root that ask for the version that was selected."""
    for key, module in resolution.selected.items():
        for edge in module.edges:
            if key != ROOT and edge.written.name == chosen.name and edge.asked == chosen:
                yield "Bazel itself" if key.name == "bazel_tools" else str(key)


def _unused_modules(
    facts: WorkspaceFacts, resolved: ModuleRepositories, files: ModuleFiles
) -> Iterator[Finding]:
    resolution = resolved.resolution
    root = resolution.selected.get(ROOT)
    asked_by_others = {
        edge.written.name
        for key, module in resolution.selected.items()
        if key != ROOT
        for edge in module.edges
    }
    for edge in root.edges if root is not None else ():
        written, chosen = edge.written, edge.selected
        name = written.repository
        if name is None or chosen is None or not _is_written(written.location):
            continue
        repository = resolved.repository_of(chosen.name)
        module = resolved.modules.get(repository) if repository else None
        file = module.file if module is not None else None
        # What registers toolchains, or only chooses a version for others, is of use unnamed.
        if file is None or file.registrations or chosen.name in asked_by_others:
            continue
        if not _is_named(facts, name):
            message = f"nothing of this workspace names `@{name}`"
            remedy = f"delete the `bazel_dep` of `{written.name}`"
            calls = files.of(written.location.path)
            edits = calls.without_module(written.location, written.name)
            yield CODES["BZS307"].at(
                facts.span(written.location),
                written.name,
                message,
                remedy,
                fixes=fixes(remedy, edits),
            )


def _unused_imports(
    facts: WorkspaceFacts,
    resolved: ModuleRepositories,
    extensions: ExtensionRepositories,
    files: ModuleFiles,
) -> Iterator[Finding]:
    for extension in extensions.extensions.values():
        metadata = extension.metadata
        wanted = metadata.wanted_imports if metadata is not None else None
        for module, use in extension.uses if wanted is not None else ():
            for apparent, one in use.imports.items() if module is resolved.root else ():
                if wanted is None or one.original in wanted or not _is_written(one.location):
                    continue  # What the extension wants there, `bazel mod tidy` would write anew.
                if any(_has_comment(facts, place) for place in (use.location, one.location)):
                    continue  # Whoever says why it is there knows that nothing names it.
                if not _is_named(facts, apparent):
                    message = (
                        f"nothing of this workspace names `@{apparent}`, which use_repo() takes"
                    )
                    remedy = f'take `"{apparent}"` out of use_repo()'
                    edits = files.of(one.location.path).without_import(one.location, apparent)
                    found, span = fixes(remedy, edits), facts.span(one.location)
                    yield CODES["BZS308"].at(span, apparent, message, remedy, fixes=found)


def _may_name_others(facts: WorkspaceFacts, extensions: ExtensionRepositories) -> bool:
    """Whether a repository that the root's own extension makes, or its `use_repo_rule`, is not on
    this machine: its files see every name that the root module sees (Bazel:
    `ModuleExtensionRepoMapping`), and may need what no text of the workspace names."""
    table = facts.world.loader.table
    for name in table.definitions:
        if extensions.host_of(name) == "":
            repository = table.get(name)
            if repository is not None and repository.provenance in NOT_HERE:
                return True
    return False


def _has_comment(facts: WorkspaceFacts, place: Location) -> bool:
    source = facts.read(place.path)
    return source is not None and source.line(place.line - 1).lstrip().startswith("#")


def _is_written(place: Location | None) -> bool:
    return place is not None and not place.path.startswith(("<", "external/"))


def _is_named(facts: WorkspaceFacts, name: str) -> bool:
    """Whether some text names a repository, as `@name` or, besides MODULE.bazel, in a string."""
    label = re.compile(rf"@{re.escape(name)}(?![\w.+~-])")
    text = re.compile(rf"""["'/]{re.escape(name)}["'/]""")
    for source in facts.texts.sources:
        if name not in source.text or source.path.endswith(".lock"):
            continue
        if label.search(source.text) is not None:
            return True
        is_module = source.path.endswith("MODULE.bazel")
        if not is_module and text.search(source.text) is not None:
            return True
    return False
