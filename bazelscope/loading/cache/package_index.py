"""Which directories of a tree are packages.

Bazel: `PackageLookupFunction`, `RecursivePackageProviderBackedTargetPatternResolver`. A package
is a directory with a BUILD file that is neither deleted nor ignored, and does not belong to
another repository.
"""

from __future__ import annotations

from collections.abc import Iterable

from bazelscope.loading.cache.kept_tree import KeptTree
from bazelscope.loading.tree.globs import path_matcher, segments_of
from bazelscope.loading.tree.workspace_files import FileTree


class PackageIndex:
    """The packages of one tree. `foreign` are directories of other (local) repositories;
    `kept` knows the tree from earlier runs."""

    def __init__(
        self,
        tree: FileTree,
        deleted: Iterable[str] = (),
        ignored: Iterable[str] = (),
        foreign: Iterable[str] = (),
        ignored_patterns: Iterable[str] = (),
        kept: KeptTree | None = None,
    ) -> None:
        self.tree = tree
        self._kept = kept or KeptTree(tree)
        self._deleted = frozenset(deleted)
        self._ignored = frozenset(ignored)
        self._foreign = frozenset(foreign)
        self._hidden = self._ignored | self._foreign
        self._patterns = tuple(path_matcher(segments_of(text)) for text in ignored_patterns)
        """What `ignore_directories()` of REPO.bazel names, with wildcards."""
        self.unreadable: dict[str, str] = {}
        """Directories that `packages_below` could not look into, and why."""
        self.links_out: dict[str, None] = {}
        """Symbolic links to directories outside that `packages_below` did not follow."""

    def build_file(self, package: str) -> str | None:
        """The name of the package's BUILD file; None if there is no such package."""
        return None if self.is_deleted(package) else self.tree.listing(package).build_file

    def is_deleted(self, package: str) -> bool:
        """Whether a directory is no package of this tree even if it has a BUILD file."""
        return package in self._deleted or self._is_hidden(package)

    def is_left_out(self, package: str) -> bool:
        """Whether a directory is no package because an option or a file says so."""
        return package in self._deleted or self._is_below(self._ignored, package)

    def owner(self, package: str) -> str:
        """The directory of another repository that a directory belongs to; "" if there is none."""
        path = package
        while path and path not in self._foreign:
            path = path.rpartition("/")[0]
        return path

    def is_border(self, directory: str) -> bool:
        """Whether globs of the package above stop at `directory`."""
        if self.is_ignored(directory):
            return True
        # A directory of another repository is one by its BUILD file, not by its WORKSPACE file
        # (measured): Bazel asks whose it is only where it would be a package.
        return (
            directory not in self._deleted and self.tree.listing(directory).build_file is not None
        )

    def border_above(self, package: str, name: str) -> str | None:
        """The outermost package between `package` and the file `name` of it; None if there is
        none."""
        directory = package
        for part in name.split("/")[:-1]:
            directory = f"{directory}/{part}" if directory else part
            if self.is_ignored(directory):
                return None
            if self.is_border(directory):
                return directory
        return None

    def is_ignored(self, directory: str) -> bool:
        """Whether `.bazelignore` or REPO.bazel names `directory`: no package is in it, so names
        may reach into it (measured)."""
        return directory in self._ignored or self._is_matched(directory)

    def packages_below(self, directory: str) -> list[str]:
        """Every package at or below `directory`, sorted."""
        packages: list[str] = []
        if self._is_hidden(directory):
            return packages
        if not self.tree.is_directory(directory):
            return packages
        pending = [directory]
        while pending:
            current = pending.pop()
            outline = self._kept.outline(current)
            if outline.problem:
                self.unreadable[current] = outline.problem
            if outline.build_file is not None and current not in self._deleted:
                packages.append(current)
            prefix = f"{current}/" if current else ""
            for name in outline.outside:
                is_bazels = not current and self._is_link_of_bazel(name)
                if not is_bazels and not self._is_hidden(prefix + name):
                    self.links_out[prefix + name] = None
            for name in outline.directories:
                path = prefix + name
                if path in self._hidden or self._is_matched(path):
                    continue
                if name != ".git":
                    pending.append(path)
        packages.sort()
        return packages

    def _is_link_of_bazel(self, name: str) -> bool:
        """Whether Bazel itself made a link in the root, which holds no packages: by what it is
        called, or, under another `--symlink_prefix`, by where it leads to."""
        if name.startswith("bazel-"):
            return True
        try:
            return "/execroot/" in self.tree.disk.link(f"{self.tree.root}/{name}")
        except OSError:
            return False

    def _is_hidden(self, package: str) -> bool:
        return self._is_below(self._hidden, package)

    def _is_below(self, directories: frozenset[str], package: str) -> bool:
        """Whether a directory is one of these or in one, or a pattern names it."""
        if not directories and not self._patterns:
            return False
        if "" in directories:
            return True
        path = package
        while path:
            if path in directories or self._is_matched(path):
                return True
            path = path.rpartition("/")[0]
        return False

    def _is_matched(self, directory: str) -> bool:
        return any(matches(directory) for matches in self._patterns)
