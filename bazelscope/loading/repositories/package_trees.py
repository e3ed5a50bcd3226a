"""The directories that repositories are, and which of their directories are packages."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Protocol

from bazelscope.base.label import Label, PackageId, at_sign
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.memoized import memoized
from bazelscope.loading.cache.kept_tree import KeptTree
from bazelscope.loading.cache.package_index import PackageIndex
from bazelscope.loading.evaluation.build_files.repo_file import ignored_patterns
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.repository_access import FileFound
from bazelscope.loading.packages.targets import Provenance
from bazelscope.loading.repositories.repository_table import RepositoryTable
from bazelscope.loading.tree.disk import EntryKind
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.workspace_files import FileTree, OverlaidTree, Workspace, is_clean


class Repositories(Protocol):
    """Who has the external repositories; it may make them when they are first asked for."""

    @property
    def table(self) -> RepositoryTable: ...


@dataclass(eq=False)
class PackageTrees:
    """An index of packages for the workspace and for each repository that is a directory.

    `kept_foreign` answers what an earlier run found out about the directories of the workspace
    that belong to other repositories, as long as that still holds; None if nothing is known.
    `kept_tree` has what it found out about the workspace's tree.
    """

    _workspace: Workspace
    _options: LoadingOptions
    _repositories: Repositories
    _kept_foreign: Callable[[], tuple[str, ...] | None]
    _kept_tree: KeptTree

    @memoized
    def index(self, repository: str) -> PackageIndex | None:
        """The packages of a repository that is a directory; None if it is none."""
        return self._external_index(repository) if repository else self._whole_index()

    def why_no_target(self, label: Label, package: Package) -> tuple[str, bool]:
        """Returns what Bazel says of a target that its package does not have, and whether a source
        file or a directory of that name lies there. Bazel: `TargetFunction`,
        `Package.makeNoSuchTargetException`."""
        index = self.index(label.repository)
        repository = self._repositories.table.in_errors(label.repository)
        shown = f"{repository}//{label.package}:{label.name}"
        if "/" in label.name and index is not None:
            border = index.border_above(label.package, label.name)
            if border is not None:
                below = f"{repository}//{border}" if repository else border
                return (
                    f"no such target '{shown}': Label '{shown}' crosses boundary of subpackage"
                    f" '{below}'"
                ), False
        kind = self.kind_on_disk(label)
        declared = f"target '{label.name}' not declared in package '{label.package}'"
        advice = ""
        if kind is not None:
            is_directory = kind is EntryKind.DIRECTORY
            what = "directory" if is_directory else "file"
            group = ", or define a filegroup" if is_directory else ""
            advice = (
                f"; however, a source {what} of this name exists.  (Perhaps add"
                f" 'exports_files([\"{label.name}\"])' to {package.path}{group}?)"
            )
        message = f"no such target '{shown}': {declared}{advice} defined by {package.path}"
        return message, kind is not None

    def kind_on_disk(self, label: Label) -> EntryKind | None:
        """Returns what lies where a source file of that label would; None where nothing does, or
        where its repository is no directory."""
        index = self.index(label.repository)
        return index.tree.kind(label.path) if index is not None else None

    def may_lie_there(self, file: Label) -> bool:
        """Whether a source file of that label is there, or nobody can tell."""
        is_directory = self.index(file.repository) is not None
        return not is_directory or self.kind_on_disk(file) is not None

    def packages(self, repository: str = "") -> tuple[PackageId, ...]:
        """Every package of a repository that has a directory, sorted."""
        return self.packages_below(PackageId(repository, ""))

    def packages_below(self, base: PackageId) -> tuple[PackageId, ...]:
        """Every package at or below `base`, sorted. From the root of the workspace, nothing below
        its directory `external` is one. Bazel: `ProcessPackageDirectory`."""
        index = self.index(base.repository)
        if index is None:
            root = self._repositories.table.build_file(base.repository, base.package)
            return (base,) if isinstance(root, FileFound) else ()
        packages = index.packages_below(base.package)
        if not base.repository and not base.package:
            packages = [package for package in packages if package.partition("/")[0] != "external"]
        return tuple(PackageId(base.repository, package) for package in packages)

    def unreadable_below(self, base: PackageId) -> tuple[tuple[str, str], ...]:
        """The directories at or below `base` that `packages_below` could not look into, and why."""
        index = self.index(base.repository)
        above = f"{base.package}/" if base.package else ""
        return tuple(
            (directory, why)
            for directory, why in (index.unreadable.items() if index is not None else ())
            if directory == base.package or directory.startswith(above)
        )

    def links_out_below(self, base: PackageId) -> tuple[str, ...]:
        """The symbolic links below `base` to directories outside, where `packages_below` has not
        looked for packages."""
        index = self.index(base.repository)
        above = f"{base.package}/" if base.package else ""
        links = index.links_out if index is not None else ()
        return tuple(link for link in links if link.startswith(above))

    def _whole_index(self) -> PackageIndex:
        foreign = self._kept_foreign()
        return self._workspace_index(self.foreign_directories() if foreign is None else foreign)

    def foreign_directories(self) -> tuple[str, ...]:
        """Directories of the workspace that `local_repository` makes other repositories of."""
        return tuple(self._foreign())

    def repository_of(self, directory: str) -> str:
        """The repository that a directory of the workspace is."""
        return self._foreign()[directory]

    def _foreign(self) -> dict[str, str]:
        """The directories that are other repositories, with their names.

        Bazel: `LocalRepositoryLookupFunction`: each has a WORKSPACE file of its own.
        """
        directories: dict[str, str] = {}
        for name, definition in self._repositories.table.definitions.items():
            path = definition.attributes.get("path")
            if definition.rule_class != "local_repository" or not isinstance(path, str):
                continue
            path = path.removeprefix("./").rstrip("/")
            if path and is_clean(path):
                names = self._workspace.listing(path).entries
                if "WORKSPACE" in names or "WORKSPACE.bazel" in names:
                    directories.setdefault(path, name)
        return directories

    @cached_property
    def own(self) -> PackageIndex:
        """The packages of the workspace, those of other repositories in its tree among them."""
        return self._workspace_index(())

    def _workspace_index(self, foreign: tuple[str, ...]) -> PackageIndex:
        return PackageIndex(
            self._workspace,
            self._options.deleted_packages,
            self._workspace.ignored_directories(),
            foreign,
            ignored_patterns(self._workspace, self._options.release),
            self._kept_tree,
        )

    def _external_index(self, repository: str) -> PackageIndex | None:
        content = self._repositories.table.get(repository)
        if content is None or content.root is None:
            return None
        prefix = f"{at_sign(repository)}//"
        deleted = {
            name.removeprefix(prefix)
            for name in self._options.deleted_packages
            if name.startswith(prefix)
        }
        is_overlaid = (
            content.definition is not None
            and content.provenance is Provenance.LOCAL
            and content.definition.rule_class == "new_local_repository"
        )
        kind = OverlaidTree if is_overlaid else FileTree
        workspace = self._workspace
        prefix = f"external/{repository}/"
        tree = kind(Path(content.root), prefix, (workspace.real_root,), workspace.disk)
        release = self._options.release
        if not release.repositories_leave_out:
            return PackageIndex(tree)
        patterns = ignored_patterns(tree, release)
        return PackageIndex(tree, deleted, tree.ignored_directories(), ignored_patterns=patterns)
