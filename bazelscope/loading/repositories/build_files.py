"""Where the BUILD file of a package is, and what it says.

Bazel: `PackageLookupFunction`, and the first half of `PackageFunction`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace

from bazelscope import starlark
from bazelscope.base.errors import LoadingError
from bazelscope.base.label import Label, PackageId
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.rule_classes import NativeRules
from bazelscope.loading.cache.package_index import PackageIndex
from bazelscope.loading.evaluation.build_files.build_file import BuildFile
from bazelscope.loading.evaluation.build_files.repo_file import (
    REPO_FILE,
    RepoFile,
    evaluate_repo_file,
    problems_of_ignores,
)
from bazelscope.loading.evaluation.bzl_files.module_files import leads_out, read_found
from bazelscope.loading.packages.invisible_names import unresolved
from bazelscope.loading.packages.repository_access import FileFound, PartlyKnownFile
from bazelscope.loading.packages.targets import NoSuchPackage, Provenance, UnknownPackage
from bazelscope.loading.repositories.package_trees import PackageTrees, Repositories
from bazelscope.loading.repositories.repository_files import DELETED, nowhere_looked
from bazelscope.loading.tree.contents import BUILD_FILE_NAMES
from bazelscope.loading.tree.globs import ListedDirectories, PackageFiles
from bazelscope.loading.tree.workspace_files import Workspace

_OLD_CONSTRAINTS = PackageId("bazel_tools", "platforms")
"""The package of Bazel's own constraints, which went with 7."""


@dataclass(eq=False)
class BuildFiles:
    """Finds and reads BUILD files. `about_to_read` is told the path of each before."""

    _workspace: Workspace
    _repositories: Repositories
    _trees: PackageTrees
    _rules: NativeRules
    _about_to_read: Callable[[str], None]
    _repo_files: dict[str, RepoFile | None] = field(default_factory=dict)

    def read(
        self, package: PackageId
    ) -> tuple[BuildFile, str | None] | NoSuchPackage | UnknownPackage:
        """The BUILD file of a package, and which file on this machine it is, if any."""
        table = self._repositories.table
        index = self._trees.index(package.repository)
        file_found: FileFound | Unknown | None
        name = None
        if package.repository:
            if table.get(package.repository) is None:
                missing = self._no_such_package(
                    package, unresolved(package.repository, self._rules.release)
                )
                return replace(missing, remedy=table.remedy_of_missing(package.repository))
            failure = table.failure_of(package.repository)
            if failure is not None:
                return self._no_such_package(package, failure.message)
            is_left_out = index is not None and index.is_left_out(package.package)
            file_found = None if is_left_out else table.build_file(*package)
        else:
            assert index is not None
            name = index.build_file(package.package)
            path = f"{package.package}/{name}" if package.package else name
            if name and path:
                real = f"{self._workspace.root}/{path}"
                file_found = FileFound(path, Provenance.WORKSPACE, real_path=real)
            else:
                file_found = None
        if file_found is None:
            link = self._link_outside(package)
            if link is not None:
                outside = Unknown(Reason.OUTSIDE, str(package), leads_out(link))
                return UnknownPackage(package, outside)
            missing = self._no_such_package(package, self._no_build_file(package))
            if package.repository:
                return missing
            return replace(missing, remedy=self._remedy(package.package))
        if isinstance(file_found, Unknown):
            return UnknownPackage(package, file_found)
        label = Label(*package, name or self._external_name(package))
        if file_found.real_path is not None:
            self._about_to_read(file_found.real_path)
        try:
            source = read_found(self._workspace, label, file_found)
        except LoadingError as error:
            return self._no_such_package(package, error.diagnostic.message)
        file = BuildFile(
            package,
            label,
            source,
            file_found.provenance,
            table.repo_mapping(package.repository),
            self._files(package, index),
            file_found if isinstance(file_found, PartlyKnownFile) else None,
            self._repo_file(package.repository),
        )
        return file, file_found.real_path

    def _no_such_package(self, package: PackageId, why: str) -> NoSuchPackage:
        missing = no_such_package(package, why, self._shown(package.repository))
        if package != _OLD_CONSTRAINTS:
            return missing
        from bazelscope.bazel.removed_functions import PLATFORMS_INSTEAD

        return replace(missing, remedy=PLATFORMS_INSTEAD)

    def _remedy(self, package: str) -> str:
        """What to do about a package of the workspace that is not there."""
        from bazelscope.loading.packages.meant_labels import package_meant

        remedy = self._workspace.remedy_of_missing(package)
        meant = package_meant(self._workspace, package) if not remedy else None
        return f"did you mean `//{meant}`?" if meant is not None else remedy

    def _shown(self, repository: str) -> str:
        return self._repositories.table.in_errors(repository)

    def _repo_file(self, repository: str) -> RepoFile | None:
        """What the REPO.bazel of a repository says, where there is one and Bazel reads it."""
        if not self._rules.release.repo_file:
            return None
        if repository not in self._repo_files:
            file = self._read_repo_file(repository)
            index = self._trees.index(repository)
            if index is not None:
                problems = problems_of_ignores(index.tree, self._rules.release)
                if problems:
                    file = file or RepoFile()
                    file.diagnostics += problems
            self._repo_files[repository] = file
        return self._repo_files[repository]

    def _read_repo_file(self, repository: str) -> RepoFile | None:
        file: FileFound | Unknown | None
        if repository:
            file = self._repositories.table.find_file(repository, REPO_FILE)
        elif self._workspace.is_file(REPO_FILE):
            real = f"{self._workspace.root}/{REPO_FILE}"
            file = FileFound(REPO_FILE, Provenance.WORKSPACE, real_path=real)
        else:
            file = None
        if not isinstance(file, FileFound):
            return None
        label = Label(repository, "", REPO_FILE)
        try:
            source = read_found(self._workspace, label, file)
        except LoadingError as error:
            return RepoFile(diagnostics=[error.diagnostic])
        return evaluate_repo_file(source, self._rules.release, starlark.Limits())

    def _external_name(self, package: PackageId) -> str:
        path = f"{package.package}/BUILD.bazel" if package.package else "BUILD.bazel"
        better = self._repositories.table.find_file(package.repository, path)
        return "BUILD.bazel" if isinstance(better, FileFound) else "BUILD"

    def _no_build_file(self, package: PackageId) -> str:
        """How this Bazel says that a directory is no package (measured: 0.24.1, 4.2.3)."""
        index = self._trees.index(package.repository)
        if index is not None and index.is_left_out(package.package):
            return DELETED
        owner = index.owner(package.package) if index is not None else ""
        if owner:
            there = self._shown(self._trees.repository_of(owner))
            inside = package.package.removeprefix(owner).removeprefix("/")
            return (
                f"Invalid package reference {package.package} crosses into repository {there}: did"
                f" you mean to use {there}//{inside} instead?"
            )
        listing = index.tree.listing(package.package) if index is not None else None
        for name, _ in listing.loops if listing is not None else ():
            if name in BUILD_FILE_NAMES:
                file = f"{package.package}/{name}" if package.package else name
                return f"Symlink cycle detected while trying to find BUILD file {file}"
        if not self._rules.release.names_places_of_build_file:
            return "BUILD file not found on package path"
        return nowhere_looked(package, self._shown(package.repository))

    def _link_outside(self, package: PackageId) -> str | None:
        index = self._trees.index(package.repository)
        return index.tree.link_outside(package.package) if index is not None else None

    def _files(self, package: PackageId, index: PackageIndex | None) -> PackageFiles | None:
        if index is not None:
            return PackageFiles(index.tree, package.package, index.is_border, index.is_ignored)
        listed = self._repositories.table.list_files(*package)
        if isinstance(listed, Unknown):
            return None
        directories = ListedDirectories(listed)
        return PackageFiles(directories, "", directories.is_package)


def no_such_package(package: PackageId, why: str, repository: str = "") -> NoSuchPackage:
    """Bazel's error, which calls the repository so: it leaves the slashes away in the main one."""
    shown = f"{repository}//{package.package}" if repository else package.package
    return NoSuchPackage(package, f"no such package '{shown}': {why}")
