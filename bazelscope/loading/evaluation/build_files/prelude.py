"""Names that BUILD files find predeclared because the prelude of their repository defines or loads
them.

Bazel: `PackageFunction`, `RuleClassProvider.getPreludeLabel`. Since a release between 2.1.0 and
4.2.3 the prelude is a `.bzl` file in all but its name, which each BUILD file sees wholly. Before,
its statements stood in front of those of each BUILD file: what it loads by a relative label is
beside the BUILD file, and loaded by it. Measured: 0.24.1, 0.26.1, 2.1.0, 4.2.3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazelscope import starlark
from bazelscope.base.errors import LoadingError, StarlarkError
from bazelscope.base.memoized import memoized
from bazelscope.base.source import SourceFile
from bazelscope.base.unknown import Unknown
from bazelscope.loading.evaluation.builtins.natives import Natives, Predeclared
from bazelscope.loading.evaluation.bzl_files.loaded_module import LoadedModule
from bazelscope.loading.evaluation.bzl_files.module_files import (
    PRELUDE_PACKAGE,
    prelude_label,
    read_found,
)
from bazelscope.loading.evaluation.bzl_files.module_loader import ModuleLoader
from bazelscope.loading.evaluation.values.refused_syntax import syntax_check
from bazelscope.loading.packages.repository_access import FileFound
from bazelscope.loading.packages.targets import Provenance

if TYPE_CHECKING:
    from bazelscope.loading.evaluation.evaluation_context import EvaluationContext


class Preludes:
    """The preludes of repositories, each looked for once."""

    def __init__(self, context: EvaluationContext, natives: Natives, modules: ModuleLoader) -> None:
        self._context = context
        self._natives = natives
        self._modules = modules
        self._files: dict[str, FileFound | None] = {}
        self._predeclared: dict[str, Predeclared] = {}

    def file(self, repository: str) -> FileFound | None:
        """Where a repository's prelude is; None where it has none, or none that is known. A
        prelude in a directory that is no package counts as none."""
        if repository not in self._files:
            modules = self._modules
            found = modules.files.find(prelude_label(repository), modules.repositories)
            if isinstance(found, Unknown) or found.provenance is Provenance.MODEL:
                self._files[repository] = None
            else:
                self._files[repository] = found
        return self._files[repository]

    def _is_directory(self, repository: str) -> bool:
        """Whether there is a directory in place of the prelude, which is then refused. Measured:
        in 4.2.3; before, it counts as none."""
        files = self._modules.workspace
        return not repository and (
            files.is_directory(prelude_label(repository).path)
            and files.listing(PRELUDE_PACKAGE).build_file is not None
        )

    def source(self, repository: str) -> SourceFile | None:
        """The text of a repository's prelude; None where it has none that can be read."""
        file = self.file(repository)
        try:
            label = prelude_label(repository)
            return None if file is None else read_found(self._modules.workspace, label, file)
        except LoadingError:
            return None

    def module(self, repository: str) -> LoadedModule | None:
        """The prelude of a repository as Bazel loads it now; None where it has none."""
        if self.file(repository) is None and not self._is_directory(repository):
            return None
        return self._modules.load(prelude_label(repository))

    @memoized
    def names(self, repository: str) -> frozenset[str]:
        """What BUILD files of a repository find predeclared, as far as the texts tell that."""
        return self._natives.for_build(repository).names | self._own_names(repository)

    def _own_names(self, repository: str) -> frozenset[str]:
        source = self.source(repository)
        if source is None:
            return frozenset()
        names = self._natives.for_bzl(repository).names
        try:
            program = starlark.load_program(source, starlark.FileKind.BZL, names, None)
        except StarlarkError:
            return frozenset()
        loaded = (local for load in program.loads for local, _ in load.bindings)
        return frozenset((*program.globals, *loaded))

    def predeclared(self, prelude: LoadedModule) -> Predeclared:
        """What BUILD files see whose repository has this prelude: its names hide Bazel's own."""
        repository = prelude.label.repository
        known = self._predeclared.get(repository)
        if known is None:
            own = prelude.module.globals if prelude.module is not None else {}
            values = {**self._natives.for_build(repository).values, **own}
            known = self._predeclared[repository] = Predeclared.of(values)
        return known

    def program(self, source: SourceFile) -> starlark.Program:
        """The statements that old releases put in front of those of each BUILD file, and that find
        no rules predeclared. Raises `StarlarkError`."""
        names = self._natives.for_bzl("").names - {"native"}
        check = syntax_check(self._context.release, is_build=True)
        cache = self._modules.program_cache
        return starlark.load_program(source, starlark.FileKind.BUILD, names, cache, check)
