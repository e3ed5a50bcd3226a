"""The `.bzl` files of a package in the order in which Bazel's query names them.

A package keeps its loads nearest first; Bazel goes from each file into what it loads before it
goes on, and names each file once. Bazel: `PackageFunction`, its transitive closure of loads.
"""

from __future__ import annotations

from collections.abc import Mapping

from bazelscope import starlark
from bazelscope.base.errors import LabelError, StarlarkError
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.base.memoized import memoized
from bazelscope.bazel.release import Release
from bazelscope.loading.evaluation.bzl_files.module_files import prelude_label
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import LoadedFile
from bazelscope.loading.repositories.model_content import is_of_models_alone


def loads_of(package: Package) -> list[LoadedFile]:
    """Returns what a package loads, nearest first; without the file by which models ask for the
    release, which no repository has."""
    return [loaded for loaded in package.loads if not is_of_models_alone(loaded.label)]


class LoadOrder:
    """Orders the loads of packages; each file is read once."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader
        self._external: dict[PackageId, dict[str, str]] = {}

    def of(self, package: Package) -> tuple[Label, ...]:
        """All files that a package loads, directly or not."""
        loads = loads_of(package)
        known = {loaded.label for loaded in loads}
        pending = [
            loaded.label for loaded in reversed(loads) if loaded.location.path == package.path
        ]
        ordered: dict[Label, None] = {}
        while pending:
            label = pending.pop()
            if label not in ordered:
                ordered[label] = None
                loaded_by = self.loaded_by(label) or ()
                pending.extend(next for next in reversed(loaded_by) if next in known)
        # What a file that cannot be read loads stands where the package has it.
        ordered.update((loaded.label, None) for loaded in loads)
        return tuple(ordered)

    def external_paths(self, package: Package) -> Mapping[str, str]:
        """Where the files of external repositories that a package loads lie in Bazel's output
        base, by the paths that we show for them."""
        paths = self._external.get(package.id)
        if paths is None:
            paths = self._external[package.id] = {}
            for label in (loaded.label for loaded in package.loads if loaded.label.repository):
                shown = self._loader.display_path(label)
                if shown is not None:
                    paths[shown] = label.source_path
        return paths

    def paths_of_prelude(self, release: Release) -> frozenset[str]:
        """The files that each package of the main repository rests on because of its prelude, which
        no query takes for loads of it. Measured: 0.26.1 and 2.1.0, of which each BUILD file has the
        loads as its own, and 4.2.3."""
        prelude = prelude_label("")
        files = self._loader.workspace
        is_file = files.is_file(prelude.path)
        if not (is_file or files.is_directory(prelude.path)):
            return frozenset()
        if files.listing(prelude.package).build_file is None:
            return frozenset()
        found = {prelude}
        pending = [prelude] if is_file and release.prelude_is_module else []
        while pending:
            more = set(self.loaded_by(pending.pop()) or ()) - found
            found |= more
            pending += more
        return frozenset(label.path for label in found if not label.repository)

    def loaded_by(self, file: Label) -> tuple[Label, ...] | None:
        """The files that a file's `load` statements name, in their order; None for a file
        that is not there or cannot be parsed."""
        written = self.written_loads(file)
        return None if written is None else tuple(label for _, label in written)

    @memoized
    def written_loads(self, file: Label) -> tuple[tuple[str, Label], ...] | None:
        """Those files, each with the text that names it."""
        path = self._loader.display_path(file)
        source = self._loader.read_source(path) if path is not None else None
        if source is None:
            return None
        from bazelscope.starlark.syntax.tree import Load

        mapping = self._loader.table.repo_mapping(file.repository)
        try:
            statements = starlark.parse(source, starlark.FileKind.BZL).statements
            texts = [str(one.module.value) for one in statements if isinstance(one, Load)]
            return tuple((text, parse_label(text, file.package_id, mapping)) for text in texts)
        except (StarlarkError, LabelError):
            return None
