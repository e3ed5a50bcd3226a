"""What a loader is made of: caches, modules, repositories, BUILD files, each made when first asked
for.

A `Loader` has these parts; a `PackageMaker`, which makes packages of them; `PackagesOnCores`, which
has it make many at once; `SamePackages`, which tells those that need not be made; and an account of
what it was asked for, `AskedPackages`.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

from bazelscope import starlark
from bazelscope.base import budget, phases
from bazelscope.bazel.hosts import SYSTEMS
from bazelscope.bazel.rule_classes import NativeRules
from bazelscope.kept.kept_files import KeptFiles, name_of
from bazelscope.kept.pack import MEGABYTE, Pack
from bazelscope.loading.cache.file_stamps import (
    FileStamps,
    InputChecker,
    TableSource,
    UnsettledInputError,
    answer_digest,
)
from bazelscope.loading.cache.kept_entries import KeptResults
from bazelscope.loading.cache.kept_tree import KeptTree
from bazelscope.loading.cache.package_cache import PackageCache, WorldInputs
from bazelscope.loading.cache.package_renewal import Renewal
from bazelscope.loading.dry_run.run_cache import DryRunCache, Runs
from bazelscope.loading.evaluation.builtins.natives import Natives
from bazelscope.loading.evaluation.bzl_files.module_loader import ModuleLoader
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.repositories.build_files import BuildFiles
from bazelscope.loading.repositories.package_trees import PackageTrees
from bazelscope.loading.repositories.repository_table import RepositoryTable
from bazelscope.loading.repositories.shown_paths import ShownFiles
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.recorded_disk import RecordedDisk
from bazelscope.loading.tree.workspace_files import Workspace
from bazelscope.loading.world_files import WorldFiles
from bazelscope.starlark.compile.program_cache import ProgramCache

if TYPE_CHECKING:
    from bazelscope.loading.cache.comment_edits import CommentEdits
    from bazelscope.loading.cache.kept_environments import KeptEnvironments
    from bazelscope.loading.compiled_ahead import CompiledAhead
    from bazelscope.loading.evaluation.build_files.package_evaluation import PackageEvaluator
    from bazelscope.loading.evaluation.bzl_files.rule_code import RuleCode
    from bazelscope.loading.evaluation.bzl_files.seen_values import ModuleValues


_OF_PACKAGES = frozenset({"edges"})
"""Kinds of results that rest on the content of packages alone, in whatever environment."""
_OF_ENVIRONMENT = frozenset(
    {
        *("build_files", "cache", "dry_runs", "_environments", "evaluator", "_key", "modules"),
        *("renewal", "shown", "table", "values"),
    }
)
"""What differs where repository rules see another environment."""


class LoaderParts(TableSource):
    """The parts of a loader of one workspace under one set of options; loaders share them."""

    def __init__(
        self,
        workspace: Workspace,
        options: LoadingOptions,
        cache_dir: Path | None,
        asked: Iterable[str] = (),
    ) -> None:
        """`asked` are words of the question, which may name packages that it will come to."""
        self.workspace = workspace
        self._asked = asked
        self.options = options
        self._limits = starlark.Limits(steps=options.max_steps)
        self.programs = (
            ProgramCache(cache_dir / "programs", str(workspace.root))
            if cache_dir is not None
            else None
        )
        self._cache_dir = cache_dir
        self.tree_pack = None
        if cache_dir is not None:
            self.tree_pack = Pack(
                KeptFiles(cache_dir / "trees"), name_of((str(workspace.root),)), 64 * MEGABYTE
            )
        self.stamps = FileStamps(
            self.tree_pack.table("stamps") if self.tree_pack else None, workspace.disk
        )
        self.results = KeptResults(cache_dir, self._key_of)
        self._ahead: CompiledAhead | None = None
        self._world_files = WorldFiles(str(workspace.root), self.stamps)
        self.checker = InputChecker(self, self.stamps)
        self.kept_nearby: list[PackageCache] = []
        """What loaders of the same files have kept under other environments in this run."""
        self._kept_before: Sequence[PackageCache] = ()
        """Those of them that this one takes from."""
        self._runs: Runs = {}
        """What repository rules have made in this run, under any environment."""

    # ---- What there is to know ----

    @cached_property
    def _key(self) -> tuple[object, ...]:
        """What all that is kept depends on, besides files."""
        return self._key_under(self.options)

    @property
    def _key_of_all(self) -> tuple[object, ...]:
        """What is the same under all environments."""
        return self._key_under(replace(self.options, repo_env={}))

    def _key_of(self, kind: str) -> tuple[object, ...]:
        return self._key_of_all if kind in _OF_PACKAGES else self._key

    def _key_under(self, options: LoadingOptions) -> tuple[object, ...]:
        return (str(self.workspace.root), self.workspace.also, *options.key())

    @cached_property
    def rules(self) -> NativeRules:
        """The native rules of this Bazel version."""
        return NativeRules(self.options.release)

    @cached_property
    def context(self) -> EvaluationContext:
        return EvaluationContext(self.rules, self.options.refuses_empty_globs)

    @cached_property
    def natives(self) -> Natives:
        return Natives(self.context, self.options.autoloads, str(self.workspace.root))

    @cached_property
    def modules(self) -> ModuleLoader:
        return ModuleLoader(
            self.workspace,
            self.context,
            self.natives,
            self.programs,
            self._limits,
            self._is_package,
            self.stamps.take,
        )

    def _is_package(self, directory: str) -> bool:
        """Whether a directory of the main repository is a package, as far as that can be told
        before WORKSPACE says which of its directories are other repositories."""
        return self.trees.own.build_file(directory) is not None

    @cached_property
    def values(self) -> ModuleValues:
        from bazelscope.loading.evaluation.bzl_files.seen_values import ModuleValues

        return ModuleValues(self.modules, self.context)

    @cached_property
    def unplaced_values(self) -> ModuleValues:
        from bazelscope.loading.evaluation.bzl_files.seen_values import ModuleValues

        return ModuleValues(self.modules, self.context, with_places=False)

    @cached_property
    def rule_code(self) -> RuleCode:
        """What rules do, wherever their functions stand."""
        from bazelscope.loading.evaluation.bzl_files.rule_code import RuleCode

        _ = self.table
        return RuleCode(self.modules)

    @cached_property
    def evaluator(self) -> PackageEvaluator:
        from bazelscope.loading.evaluation.build_files.package_evaluation import PackageEvaluator

        return PackageEvaluator(
            *(self.context, self.natives, self.modules, self.values),
            *(self.programs, self._limits),
        )

    @cached_property
    def trees(self) -> PackageTrees:
        return PackageTrees(
            self.workspace, self.options, self, self._kept_foreign_directories, self.tree
        )

    @cached_property
    def tree(self) -> KeptTree:
        """The workspace's directories and what its BUILD files quote, as earlier runs saw it."""
        return KeptTree(self.workspace, self.tree_pack)

    @cached_property
    def build_files(self) -> BuildFiles:
        return BuildFiles(self.workspace, self, self.trees, self.rules, self.stamps.take)

    @cached_property
    def shown(self) -> ShownFiles:
        return ShownFiles(self.workspace, self, self.trees, self.modules, self.context)

    def _kept_foreign_directories(self) -> tuple[str, ...] | None:
        world = self.cache.world if self.cache is not None else None
        return None if world is None else world.foreign

    @cached_property
    def table(self) -> RepositoryTable:
        """The external repositories; evaluates WORKSPACE when first asked."""
        table = RepositoryTable(
            self.workspace,
            self.options,
            lambda directory: self.trees.own.is_deleted(directory),
            self._world_files.note_file,
            self.dry_runs,
        )
        self.context.mapping_of = table.repo_mapping
        self.context.module_of = table.known_module
        self.context.canonical_of = lambda name: table.canonical_name(name) or name
        self._compile_ahead()
        cuts = budget.current().cuts
        with phases.phase("evaluating WORKSPACE and MODULE.bazel"):
            table.evaluate(self.modules, self.context, self.natives.workspace_file)
        self._world_files.is_whole = budget.current().cuts == cuts
        self.modules.repositories = table
        self._world_files.note_modules(self.modules.loaded(), self.context.doubtful_files)
        return table

    def _compile_ahead(self) -> None:
        """Lets another process compile what may be asked for later, if much is to be compiled."""
        if self.programs is not None and not isinstance(self.workspace.disk, RecordedDisk):
            self.programs.arriving = partial(self._take_in_compiled, self.programs)

    def _take_in_compiled(self, programs: ProgramCache) -> bool:
        if self._ahead is None:
            from bazelscope.loading.compiled_ahead import CompiledAhead

            self._ahead = CompiledAhead(
                programs, self.workspace, self.tree, self._compile, self._asked
            )
        return self._ahead.take_in()

    def compile_no_more_ahead(self) -> None:
        """Ends what compiles ahead: the core is needed, or nothing more is asked for."""
        if self.programs is not None:
            self.programs.arriving = None
        if self._ahead is not None:
            self._ahead.end()

    def _compile(self, path: str, is_build: bool) -> None:
        source = self.workspace.read(path)
        if is_build:
            self.evaluator.compile(source)
        else:
            self.modules.compile(source)

    @cached_property
    def cache(self) -> PackageCache | None:
        """What earlier runs kept, if what all of it rests on is unchanged."""
        if self._cache_dir is None:
            return None
        directory, space = self._cache_dir / "packages", self.workspace.disk.space
        others, renew = lambda: self._kept_elsewhere(directory), self.renewal.renewed
        if not space:
            own = PackageCache(directory, self._key, self.rules, others=others, renew=renew)
            self._believe(own, self._world_if_whole)
            return own
        own = PackageCache(directory, self._key, self.rules, others=others)
        self._believe(own, self._world_if_whole)
        # Another state of the same files adds what differs, and takes the rest from here.
        other = PackageCache(directory, (*self._key, space), self.rules, own, renew=renew)
        self._believe(other, self._world_if_whole)
        return other

    def _kept_elsewhere(self, directory: Path) -> Iterator[PackageCache]:
        """What runs with other variables of the environment, or for other hosts, kept: only
        repository rules see these, so that a package that asks the same of repositories is the
        same under each."""
        yield from self._kept_before
        if self.workspace.disk.space:
            return
        options = self.options
        others = [replace(options, repo_env=one) for one in self._environments.others()]
        others += [replace(options, host=host) for host in SYSTEMS if host != options.host]
        for other in others:
            kept = PackageCache(directory, self._key_under(other), self.rules)
            self._believe(kept)
            if kept.world is not None and kept.world.foreign == self.trees.foreign_directories():
                yield kept

    @cached_property
    def _environments(self) -> KeptEnvironments:
        from bazelscope.loading.cache.kept_environments import KeptEnvironments

        table = self.tree_pack.table("environments") if self.tree_pack else None
        return KeptEnvironments(table, name_of(self._key_of_all), self.options.repo_env)

    @cached_property
    def comment_edits(self) -> CommentEdits | None:
        if self.tree_pack is None:
            return None
        from bazelscope.loading.cache.comment_edits import CommentEdits

        return CommentEdits(self.tree_pack.table("code"), self.workspace, self.stamps)

    @cached_property
    def renewal(self) -> Renewal:
        def values() -> ModuleValues:
            _ = self.table
            return self.values

        return Renewal(self.checker, self.stamps, lambda: self.comment_edits, values)

    def _believe(
        self, kept: PackageCache, world_now: Callable[[], WorldInputs | None] = lambda: None
    ) -> None:
        """Doubts what was kept where all of it rests on files that have changed."""
        world = kept.world
        if world is None or not all(self.checker.holds(input) for input in world.inputs):
            kept.doubt(world_now)

    def _world_if_whole(self) -> WorldInputs | None:
        """What packages rest on besides their own files; None where that cannot be told."""
        try:
            inputs = self.world_inputs()
        except UnsettledInputError:
            return None
        return inputs if self.world.is_whole else None

    @cached_property
    def dry_runs(self) -> DryRunCache | None:
        """What repository rules made in earlier runs."""
        return self._dry_runs_by(self.modules)

    def _dry_runs_by(self, modules: ModuleLoader) -> DryRunCache | None:
        if self._cache_dir is None:
            return None
        directory = self._cache_dir / "repositories"
        return DryRunCache(
            directory,
            self._key,
            self.stamps,
            self.checker.holds,
            modules.code_of,
            self.options.repo_env,
            self._runs,
        )

    def world_inputs(self) -> WorldInputs:
        """What the main repository's packages rest on besides their own files."""
        return self.world.inputs(self.table, self.trees.foreign_directories())

    @property
    def world(self) -> WorldFiles:
        """The files that were read to tell which repositories there are."""
        _ = self.table
        return self._world_files

    def world_digest(self) -> bytes | None:
        """A hash of the files that decide which repositories there are, and what else WORKSPACE
        and MODULE.bazel say; None if that cannot be told."""
        try:
            return answer_digest(self.world_inputs()) if self.world.is_whole else None
        except UnsettledInputError:
            return None

    # ---- Others like these ----

    def held(self) -> Self:
        """These parts as they are; nothing that is worked out from them is kept for later runs."""
        for part in ("cache", "build_files", "evaluator", "shown", "table", "tree"):
            getattr(self, part)
        other = copy.copy(self)
        other.results = self.results.without_last_calls()
        return other

    def under(self, options: LoadingOptions) -> Self | None:
        """The parts for the same files where variables of the environment have other values: what
        hangs on these is made anew. None where more may differ."""
        if replace(options, repo_env=self.options.repo_env).key() != self.options.key():
            return None
        mine, theirs = self.options.repo_env, options.repo_env
        changed = [name for name in {**mine, **theirs} if mine.get(name) != theirs.get(name)]
        other = copy.copy(self)
        for part in _OF_ENVIRONMENT & self.__dict__.keys():
            del other.__dict__[part]
        other.options = options
        other.checker = InputChecker(other, self.stamps)
        other.results = KeptResults(self._cache_dir, other._key_of)
        other._kept_before = self.kept_nearby
        # The rules are of the modules that WORKSPACE has loaded.
        other.dry_runs = other._dry_runs_by(self.modules)
        table = self.table.under(options, changed, other.dry_runs)
        if table is None:
            return None
        other.table = other.modules.repositories = table
        return other

    def save(self) -> None:
        """Writes what was evaluated to the cache, if there is one."""
        self.compile_no_more_ahead()
        if self.programs is not None:
            self.programs.save()
        if self.cache is not None and "table" not in self.__dict__:
            self.cache.save()
        elif self.cache is not None and self.world.is_whole:
            with suppress(UnsettledInputError):
                if self.cache.save(self.world_inputs()) and not self.workspace.disk.space:
                    self._environments.note()
            if self.dry_runs is not None:
                self.dry_runs.save()
        self.results.save()
        if self.tree_pack is not None:
            self.tree_pack.save()
