"""Repositories that are directories of this machine, what is laid over one, and what Bazel says of
one that cannot be.

A repository that is nothing but a link takes from its directory what marks its border: a WORKSPACE
file, and in later releases MODULE.bazel or REPO.bazel. Measured: 0.24.1, 2.1.0, 4.2.3. Bazel:
`RepositoryDelegatorFunction.symlinkRepoRoot`, `StarlarkRepositoryFunction.fetch`.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from bazelscope.base.errors import Diagnostic, LabelError
from bazelscope.base.label import Label, at_sign
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.release import Release
from bazelscope.loading.dry_run.run_inputs import Answers
from bazelscope.loading.dry_run.run_result import mends_missing
from bazelscope.loading.evaluation.values.repository_rule import RepositoryRule
from bazelscope.loading.evaluation.workspace.repository_definitions import (
    DefinedRepository,
    external_label,
)
from bazelscope.loading.packages.repository_access import NO_REPOSITORY, FileFound
from bazelscope.loading.packages.targets import Provenance, RepositoryDefinition
from bazelscope.loading.repositories.repository_files import (
    Placement,
    directory_placement,
    failed_placement,
    refused_native_rule,
    unknown_placement,
)
from bazelscope.loading.tree.disk import is_directory
from bazelscope.loading.tree.workspace_files import WORKSPACE_MARKERS, Workspace, is_clean

_OVERRIDE = "local_path_override"
_OF_REGISTRY = "bazel_dep"
"""A module, which has a `path` if its registry keeps it on this machine."""
_LINKED = frozenset({_OVERRIDE, "local_repository"})
"""Repositories that are nothing but a link to a directory."""
LOCAL = frozenset({_OVERRIDE, "local_repository", "new_local_repository"})


@dataclass(frozen=True, slots=True)
class LocalDirectory:
    """The directory `path`, as it is `written`, of the repository `name`, which `place` defines if
    no option does. `is_link`: nothing is laid over it; `by_starlark`: a rule in Starlark links."""

    name: str
    written: str
    path: Path
    place: Location | None = None
    is_link: bool = True
    by_starlark: bool = False

    def failed(self, workspace: Workspace, release: Release) -> Placement | None:
        """Returns the repository with Bazel's error where the directory is not there, or is none
        of a repository; else None."""
        if not is_directory(workspace.disk, self.path):
            message = self._missing(release)
            inside = os.path.relpath(self.path, workspace.root)
            hint = workspace.remedy_of_missing(inside) if is_clean(inside) else ""
        elif self.is_link and not self._is_marked(workspace, release):
            message = self._unmarked(release)
            marker = "REPO.bazel" if release.repo_file else "WORKSPACE"
            hint = f"add an empty file `{marker}` to {self.path}"
        else:
            return None
        span = self.place.span if self.place is not None else None
        failure = Diagnostic(NO_REPOSITORY, message, span, hint=hint or None)
        return failed_placement(self.name, failure, Reason.FILE_MISSING, self.place)

    def _missing(self, release: Release) -> str:
        if not release.names_missing_directories:
            return f"external/{self.name} must be an existing directory"
        why = "but this directory does not exist"
        if release.repo_file:
            why = "but it does not exist or is not a directory"
        return f'The repository\'s path is "{self.written}" (absolute: "{self.path}") {why}.'

    def _is_marked(self, workspace: Workspace, release: Release) -> bool:
        count = len(WORKSPACE_MARKERS) if release.repo_file else 1 + release.reads_workspace_bazel
        names = WORKSPACE_MARKERS[:count]
        return any(workspace.disk.kind(str(self.path / name)) is not None for name in names)

    def _unmarked(self, release: Release) -> str:
        if not release.repo_file:
            return f"No WORKSPACE file found in external/{self.name}"
        where = f"external/{self.name}" if self.by_starlark else self.path
        return f"No MODULE.bazel, REPO.bazel, or WORKSPACE file found in {where}"


@dataclass(frozen=True, slots=True)
class LocalRepositories:
    """Places such repositories; `table` answers for all others."""

    workspace: Workspace
    release: Release
    table: Answers

    def overridden(self, name: str, written: str) -> Placement | None:
        """Where a repository is that an option puts into a directory."""
        path = self._path(written)
        failed = LocalDirectory(name, name, path).failed(self.workspace, self.release)
        return failed or directory_placement(path, name, Provenance.OVERRIDE, self.workspace)

    def defined(self, winner: DefinedRepository) -> Placement | None:
        """Where a repository is that is defined to be a directory; None of others."""
        definition = winner.definition
        name, rule_class, place = definition.name, definition.rule_class, definition.location
        if rule_class not in (*LOCAL, _OF_REGISTRY):
            return None
        is_own = place.is_shipped
        is_native = isinstance(winner.rule, str) and not is_own
        is_refused = is_native and self.release.refuses_native_repository_rules
        if is_refused and (refused := refused_native_rule(definition)) is not None:
            return refused
        written = definition.attributes.get("path")
        if not isinstance(written, str):
            return None
        overlay: dict[str, FileFound] = {}
        build_file: Label | None = None
        if rule_class == "new_local_repository":
            files = self._overlay(definition, "BUILD.bazel")
            also = self._overlay(definition, "WORKSPACE")
            if isinstance(also, Diagnostic):
                files = also
            if isinstance(files, Unknown):
                return unknown_placement(name, files, None)
            if isinstance(files, Diagnostic):
                failed = failed_placement(name, files, Reason.FILE_MISSING, place)
                return failed if winner.doubt is None else replace(failed, failure=None)
            if files is not None:
                overlay["BUILD.bazel"], build_file = files
        path = self._path(written)
        is_link = rule_class in _LINKED and not is_own
        by_starlark = isinstance(winner.rule, RepositoryRule)
        local = LocalDirectory(name, written, path, place, is_link, by_starlark)
        refused = local.failed(self.workspace, self.release)
        placement = directory_placement(path, name, Provenance.LOCAL, self.workspace, overlay)
        if refused is not None:
            # Of the directory of a module that is not there, MODULE.bazel's errors tell.
            is_module = rule_class in (_OVERRIDE, _OF_REGISTRY)
            surely = winner.doubt is None and not (is_module and placement is None)
            return refused if surely else replace(refused, failure=None)
        assert placement is not None  # The directory is there.
        return replace(placement, build_file=build_file)

    def _path(self, written: str) -> Path:
        return Path(os.path.normpath(self.workspace.root / written))

    def _overlay(
        self, definition: RepositoryDefinition, file: str
    ) -> tuple[FileFound, Label | None] | Unknown | Diagnostic | None:
        """The BUILD or WORKSPACE `file` that a `new_local_repository` lays over its directory, or
        Bazel's error where one is given twice or not there. Bazel: `NewRepositoryFileHandler`."""
        name = f"{file.partition('.')[0].lower()}_file"
        place = definition.location.span
        rule = f"new_local_repository rule //external:{definition.name}"
        content = definition.attributes.get(f"{name}_content")
        written = definition.attributes.get(name)
        if content is not None and written is not None:
            message = f"Rule {rule} cannot have both a '{name}' and '{name}_content' attribute"
            return Diagnostic(NO_REPOSITORY, message, place)
        if isinstance(content, str):
            shown = f"external/{definition.name}/{file}"
            return FileFound(shown, Provenance.OVERLAY, text=content), None
        # A plain path is relative to the workspace here (Bazel: NewLocalRepositoryFunction).
        is_path = isinstance(written, str) and not written.startswith(("//", "@", ":"))
        if isinstance(written, str):
            if is_path:
                written = f"//:{written}"
            try:
                written = external_label(written, self.table.repo_mapping(""))
            except LabelError as error:
                return Unknown(Reason.FAILED, at_sign(definition.name), error.diagnostic.message)
        if not isinstance(written, Label):
            return None
        if not is_path and self.table.missing_package(*written.package_id) is not None:
            message = f"Unable to load package for {written}: not found."
            return Diagnostic(NO_REPOSITORY, message, place, hint=mends_missing(written))
        source = self.table.find_file(written.repository, written.path)
        if source is None:
            root = self.table.directory_of(written.repository) or f"external/{written.repository}"
            message = f"{root}/{written.path} is not a regular file"
            if is_path:
                message = (
                    f"In {rule} the '{name}' attribute does not specify an existing file"
                    f" ({root}/{written.path} does not exist)"
                )
            inside = not written.repository
            hint = self.workspace.remedy_of_missing(written.path) if inside else ""
            return Diagnostic(NO_REPOSITORY, message, place, hint=hint or None)
        return source if isinstance(source, Unknown) else (source, written)
