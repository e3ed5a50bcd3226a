"""The paths that answers show, the labels behind them, and their texts.

A file of the workspace is shown by its path, one of another repository as
`external/NAME/path`, one that bazelscope ships as `<builtin>/NAME/path`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import field

from bazelscope.base.errors import LoadingError
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import SHIPPED, SourceFile
from bazelscope.loading.evaluation.bzl_files.module_files import read_found
from bazelscope.loading.evaluation.bzl_files.module_loader import ModuleLoader
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.repository_access import FileFound
from bazelscope.loading.repositories.package_trees import PackageTrees, Repositories
from bazelscope.loading.tree.contents import BUILD_FILE_NAMES
from bazelscope.loading.tree.workspace_files import Workspace, is_clean

_FOREIGN = ("external/", SHIPPED)
_LOADED = (".bzl", ".scl")


@dataclass(eq=False)
class ShownFiles:
    """Goes from shown paths to labels and texts, and back."""

    _workspace: Workspace
    _repositories: Repositories
    _trees: PackageTrees
    _modules: ModuleLoader
    _context: EvaluationContext
    _sources: dict[str, SourceFile] = field(default_factory=dict)
    _kept: list[Package] = field(default_factory=list)
    _made: dict[str, tuple[Label, FileFound]] = field(default_factory=dict)

    def add_kept(self, package: Package) -> None:
        """Notes a package whose files were not read, since an earlier run has kept it."""
        if package.id.repository:
            self._kept.append(package)

    def add(self, source: SourceFile) -> None:
        """Keeps a text that was read, for later excerpts."""
        self._sources[source.path] = source

    def forget(self, display_paths: Iterable[str]) -> None:
        """Drops texts that have changed."""
        for path in display_paths:
            self._sources.pop(path, None)

    def read(self, display_path: str) -> SourceFile | None:
        """The text of a file that an answer points into; None where it cannot be had."""
        source = self._sources.get(display_path)
        if source is None:
            source = self._read(display_path)
            if source is not None:
                self.add(source)
        return source

    def display_path(self, file: Label) -> str | None:
        """The path under which users know a `.bzl` file; None if it is not there."""
        path = file.path
        if not file.repository:
            shown: str | None = path if self._workspace.is_file(path) else None
        else:
            there = self._repositories.table.find_file(file.repository, path)
            shown = there.display_path if isinstance(there, FileFound) else None
            if isinstance(there, FileFound) and there.display_path not in self._sources:
                with suppress(LoadingError):
                    self._sources[there.display_path] = read_found(self._workspace, file, there)
        if shown is not None:
            self._context.label_of_path.setdefault(shown, file)
        return shown

    def label_of(self, display_path: str) -> Label | None:
        """The label of the file that is shown as `display_path`."""
        known = self._context.label_of_path.get(display_path)
        if known is not None:
            return known
        repository = ""
        path = display_path
        if path.startswith(_FOREIGN) and path.count("/") > 1:
            _, repository, path = path.split("/", 2)
        index = self._trees.index(repository)
        package = path.rpartition("/")[0]
        while package and index is not None and index.build_file(package) is None:
            package = package.rpartition("/")[0]
        name = path[len(package) + 1 :] if package else path
        if not (repository or name.endswith(_LOADED) or name in BUILD_FILE_NAMES):
            made = self._made_from.get(display_path)
            if made is not None:
                self._context.label_of_path.setdefault(display_path, made[0])
                return made[0]
        return Label(repository, package, name)

    def _read(self, display_path: str) -> SourceFile | None:
        for module in self._modules.loaded():
            if module.path == display_path and module.source is not None:
                return module.source
        try:
            if not display_path.startswith(_FOREIGN):
                made = self._made_from.get(display_path)
                if made is not None:
                    self._context.label_of_path.setdefault(display_path, made[0])
                    return read_found(self._workspace, *made)
            else:
                _, repository, path = display_path.split("/", 2)
                file = self._repositories.table.find_file(repository, path)
                if isinstance(file, FileFound):
                    return read_found(self._workspace, Label(repository, "", path), file)
            if is_clean(display_path) and self._workspace.is_file(display_path):
                return self._workspace.read(display_path)
        except (LoadingError, ValueError):
            return None
        return None

    @property
    def _made_from(self) -> Mapping[str, tuple[Label, FileFound]]:
        """The files of repositories that are shown as the template which they were made from,
        and have another text; those of packages that an earlier run has kept."""
        table = self._repositories.table
        for package in self._kept:
            file = table.build_file(*package.id)
            if isinstance(file, FileFound):
                self._made.setdefault(file.display_path, (package.build_file, file))
            for label in (loaded.label for loaded in package.loads):
                if label.repository:
                    loaded_file = table.find_file(label.repository, label.path)
                    if isinstance(loaded_file, FileFound):
                        self._made.setdefault(loaded_file.display_path, (label, loaded_file))
        self._kept = []
        return self._made
