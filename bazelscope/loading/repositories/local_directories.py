"""What Bazel says of a directory that stands for a whole repository, and cannot.

A repository that is nothing but a link takes from its directory what marks its border: a WORKSPACE
file, and in later releases MODULE.bazel or REPO.bazel. Measured: 0.24.1, 2.1.0, 4.2.3. Bazel:
`RepositoryDelegatorFunction.symlinkRepoRoot`, `StarlarkRepositoryFunction.fetch`.
"""

from __future__ import annotations

import os
from pathlib import Path

from bazelscope.base.errors import Diagnostic
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.bazel.release import Release
from bazelscope.loading.packages.repository_access import NO_REPOSITORY
from bazelscope.loading.tree.disk import is_directory
from bazelscope.loading.tree.workspace_files import WORKSPACE_MARKERS, Workspace, is_clean


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

    def failure(self, workspace: Workspace, release: Release) -> Diagnostic | None:
        """Returns Bazel's error where the directory is not there, or is none of a repository."""
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
        return Diagnostic(NO_REPOSITORY, message, span, hint=hint or None)

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
