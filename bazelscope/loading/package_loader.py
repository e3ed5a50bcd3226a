"""Loads packages, targets, modules and repositories on demand.

Nothing is loaded before it is asked for. What has been evaluated once stays for the run, and
with a cache directory for later runs, as long as everything that it read is unchanged.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from bazelscope import starlark
from bazelscope.base import budget, looks, phases
from bazelscope.base.errors import FAULT, Diagnostic
from bazelscope.base.label import Label, PackageId
from bazelscope.base.nearest import nearest
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.rule_classes import NativeRules
from bazelscope.kept.kept_files import KeptFiles
from bazelscope.kept.pack import MEGABYTE, Input, Pack, name_of
from bazelscope.loading.cache import kept_entries
from bazelscope.loading.cache.file_stamps import (
    FileStamps,
    InputChecker,
    TableSource,
    UnsettledInputError,
    answer_digest,
    package_inputs,
)
from bazelscope.loading.cache.kept_tree import KeptTree
from bazelscope.loading.cache.package_cache import PackageCache, WorldInputs
from bazelscope.loading.dry_run.run_cache import DryRunCache, Runs
from bazelscope.loading.evaluation.build_files.repo_file import REPO_FILE
from bazelscope.loading.evaluation.builtins.natives import Natives
from bazelscope.loading.evaluation.bzl_files.module_loader import ModuleLoader
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.packages.package import Package, PackageResult, package_of
from bazelscope.loading.packages.repository_access import FileFound
from bazelscope.loading.packages.targets import (
    NoSuchPackage,
    NoSuchTarget,
    Repository,
    TargetResult,
    UnknownPackage,
    UnknownTarget,
)
from bazelscope.loading.packages.unknown_declarations import undeclared
from bazelscope.loading.repositories.build_files import BuildFiles, no_such_package
from bazelscope.loading.repositories.external_package import EXTERNAL, external_package
from bazelscope.loading.repositories.package_trees import PackageTrees
from bazelscope.loading.repositories.repository_table import RepositoryTable
from bazelscope.loading.repositories.shown_paths import ShownFiles
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.recorded_disk import RecordedDisk
from bazelscope.loading.tree.workspace_files import Workspace, is_clean
from bazelscope.starlark.compile.program_cache import ProgramCache

if TYPE_CHECKING:
    from bazelscope.loading.evaluation.build_files.package_evaluation import PackageEvaluator
    from bazelscope.loading.evaluators import Evaluators
    from bazelscope.loading.shared_packages import NearbyPackages

_WORTH_A_PROCESS = 8
"""To begin one takes as long as evaluating two or three packages."""
_OF_ENVIRONMENT = frozenset(
    {
        "_build_files",
        "_cache",
        "_dry_runs",
        "_evaluator",
        "_key",
        "_modules",
        "_shown",
        "_table",
        "syntax_pieces",
    }
)
"""What differs where repository rules see another environment."""
_NOT_KEPT = frozenset({FAULT, budget.LIMIT, "starlark-limit"})
"""What may come out otherwise the next time."""


class PackageLoader(TableSource):
    """Loads packages of one workspace under one set of options."""

    def __init__(
        self,
        workspace: Workspace,
        options: LoadingOptions,
        cache_dir: Path | None = None,
    ) -> None:
        self.workspace = workspace
        self.options = options
        self._made: dict[PackageId, PackageResult] = {}
        """Every package of this loader and those beside it."""
        self._packages: dict[PackageId, PackageResult] = {}
        self._missed: dict[Label, Unknown] = {}
        self._untold: dict[Label, Unknown] = {}
        """Targets that were asked for and that a partly known package lacks."""
        self._registrations: set[tuple[str, tuple[str, ...]]] = set()
        """Which registrations were asked for, each with the patterns of flags before them."""
        self._limits = starlark.Limits(steps=options.max_steps)
        self._programs = (
            ProgramCache(cache_dir / "programs", str(workspace.root))
            if cache_dir is not None
            else None
        )
        self._cache_dir = cache_dir
        self._kept: dict[str, Pack] = {}
        self._last_calls: list[Callable[[], None]] = []
        self._tree_pack = None
        if cache_dir is not None:
            self._tree_pack = Pack(
                KeptFiles(cache_dir / "trees"), name_of((str(workspace.root),)), 64 * MEGABYTE
            )
        self._stamps = FileStamps(
            self._tree_pack.table("stamps") if self._tree_pack else None, workspace.disk
        )
        self._is_world_whole = True
        """Whether no budget cut the evaluation of WORKSPACE and MODULE.bazel short."""
        self._world_files: list[str] = []
        """Files besides WORKSPACE that decide which repositories there are."""
        self._checker = InputChecker(self, self._stamps)
        self._evaluators: Evaluators | None = None
        self._loaded = self._to_load = 0
        """Of the packages that are being loaded at once."""
        self._base: PackageLoader | None = None
        """The loader that this one was made from by `under`."""
        self._near: NearbyPackages | None = None
        """Those that are taken from a loader of the same files, where they are the same."""
        self._kept_nearby: list[PackageCache] = []
        """What loaders of the same files have kept under other environments in this run."""
        self._inputs: dict[PackageId, tuple[Input, ...]] = {}
        """What packages are made from, where no cache has it."""
        self._runs: Runs = {}
        """What repository rules have made in this run, under any environment."""

    def beside(self) -> Self:
        """A loader of the same packages that keeps account of its own of what it is asked for:
        all that is read and evaluated, they share."""
        for part in ("_cache", "_build_files", "_evaluator", "_shown", "_table", "tree"):
            getattr(self, part)
        other = copy.copy(self)
        other._packages = {}
        other._missed = {}
        other._untold = {}
        other._registrations = set()
        return other

    def under(self, options: LoadingOptions) -> Self | None:
        """A loader of the same files where variables of the environment have other values, which
        makes anew only what hangs on them; None where more may differ."""
        if replace(options, repo_env=self.repo_env).key() != self.options.key():
            return None
        mine, theirs = self.repo_env, options.repo_env
        changed = [name for name in {**mine, **theirs} if mine.get(name) != theirs.get(name)]
        other = copy.copy(self)
        for part in _OF_ENVIRONMENT & self.__dict__.keys():
            del other.__dict__[part]
        other.options = options
        other._checker = InputChecker(other, self._stamps)
        other._made, other._packages, other._missed, other._untold = {}, {}, {}, {}
        other._registrations, other._kept, other._last_calls = set(), {}, []
        other._evaluators, other._inputs = None, {}
        from bazelscope.loading.shared_packages import NearbyPackages

        other._base, other._near = self, NearbyPackages(self)
        # The rules are of the modules that WORKSPACE has loaded.
        other.__dict__["_dry_runs"] = other._dry_runs_by(self._modules)
        table = self.table.under(options, changed, other._dry_runs)
        if table is None:
            return None
        other.__dict__["_table"] = table
        other._modules.repositories = table
        return other

    def leave(self) -> None:
        """Leaves what was kept here to those that `under` makes next: ask once all is saved."""
        if self._base is not None and self._cache is not None:
            nearby = self._base._kept_nearby
            if self._cache not in nearby:
                nearby.append(self._cache)

    def inputs_of(self, package: PackageId) -> tuple[Input, ...] | None:
        """What a package is made from; None for what is none, and where nobody kept it."""
        if not isinstance(self.made(package), Package):
            return None
        base = self._given_by(package)
        if base is not None:
            return base.inputs_of(package)
        return self._cache.inputs(package) if self._cache is not None else self._inputs.get(package)

    def inputs_of_repository(self, name: str) -> tuple[Input, ...] | None:
        """What a repository is made from that was run dry; None where nobody kept it."""
        return self._dry_runs.inputs(name) if self._dry_runs is not None else None

    def holds(self, item: Input) -> bool:
        """Whether something that packages are made from is here what it was there."""
        return self._checker.holds(item)

    def has_file(self, item: Input) -> bool:
        """Whether a file holds what it held."""
        return self._stamps.holds(item)

    # ---- What is asked ----

    @property
    def repo_env(self) -> Mapping[str, str]:
        """What repository rules see of the environment."""
        return self.options.repo_env

    def package(self, package: PackageId) -> PackageResult:
        """The package, evaluated; why there is none; or why that cannot be told."""
        result = self._packages.get(package)
        if result is None:
            result = self._packages[package] = self.made(package)
        return result

    def made(self, package: PackageId) -> PackageResult:
        """As `package`, for who asks on behalf of another loader."""
        result = self._made.get(package)
        if result is None:
            result = self._made[package] = self._load_package(package)
        return result

    def target(self, label: Label) -> TargetResult:
        """The target, or Bazel's error, or why it is unknown."""
        package = self.package(label.package_id)
        if not isinstance(package, Package):
            if isinstance(package, UnknownPackage):
                self._untold[label] = package.unknown
            return package
        targets = package.targets
        if label.name in targets:
            return targets[label.name]
        unknown = undeclared(label, package)
        if unknown is not None:
            self._untold[label] = unknown.unknown
            return unknown
        if package.may_lack is not None:
            lacks = package.may_lack
            missed = Unknown(lacks.reason, str(label), lacks.detail, lacks.location)
            self._missed[label] = self._untold[label] = missed
            return UnknownTarget(label, missed)
        near = nearest(label.name, targets)
        return NoSuchTarget(label, self._why_no_target(label, package), near)

    def _why_no_target(self, label: Label, package: Package) -> str:
        """Bazel: `TargetFunction`, `Package.makeNoSuchTargetException`."""
        index = self._trees.index(label.repository)
        if "/" in label.name and index is not None:
            border = index.border_above(label.package, label.name)
            if border is not None:
                return (
                    f"no such target '{label}': Label '{label}' crosses boundary of subpackage"
                    f" '{PackageId(label.repository, border).shown}'"
                )
        return (
            f"no such target '{label}': target '{label.name}' not declared in package"
            f" '{label.package}' defined by {package.path}"
        )

    def packages(self, repository: str = "") -> tuple[PackageId, ...]:
        """Every package of a repository that has a directory, sorted."""
        return self.packages_below(PackageId(repository, ""))

    def packages_below(self, base: PackageId) -> tuple[PackageId, ...]:
        """Every package at or below `base`, sorted. From the root of the workspace, nothing below
        its directory `external` is one. Bazel: `ProcessPackageDirectory`."""
        index = self._trees.index(base.repository)
        if index is None:
            root = self.table.build_file(base.repository, base.package)
            return (base,) if isinstance(root, FileFound) else ()
        packages = index.packages_below(base.package)
        if not base.repository and not base.package:
            packages = [package for package in packages if package.partition("/")[0] != "external"]
        return tuple(PackageId(base.repository, package) for package in packages)

    def unreadable_below(self, base: PackageId) -> tuple[tuple[str, str], ...]:
        """The directories at or below `base` that `packages_below` could not look into, and why."""
        index = self._trees.index(base.repository)
        above = f"{base.package}/" if base.package else ""
        return tuple(
            (directory, why)
            for directory, why in (index.unreadable.items() if index is not None else ())
            if directory == base.package or directory.startswith(above)
        )

    def prepare(self, packages: Iterable[PackageId]) -> bool:
        """Evaluates packages that will be asked for on every core, if they are many; returns
        whether one of them is neither known nor kept. Does nothing without a cache."""
        if self._cache is None:
            return False
        wanted = [p for p in packages if p not in self._made and not self._is_kept(p)]
        if self._evaluators is None or not self._evaluators.are_there:
            if sum(not package.repository for package in wanted) < _WORTH_A_PROCESS:
                wanted = [package for package in wanted if not self._is_out_of_reach(package)]
            if len(wanted) < _WORTH_A_PROCESS:
                return bool(wanted)
            from bazelscope.loading.evaluators import Evaluators, cores

            count = cores()
            if count < 2:
                return True
            # What all processes need, they take over from this one.
            _ = self.table, self._shown, self._dry_runs
            if self._programs is not None:
                starlark.prepare(self._programs)
            self._evaluators = Evaluators(count - 1, self._load_package, self._take_out)
        with phases.phase("loading packages"):
            self._loaded, self._to_load = 0, len(wanted)
            self._evaluators.run(wanted, self._evaluate_here, self._take_in)
        return bool(wanted)

    def _is_out_of_reach(self, package: PackageId) -> bool:
        """Whether there is no file to evaluate, which no run keeps: it is told again each time."""
        if package.repository and not isinstance(self.table.build_file(*package), FileFound):
            self._made[package] = self._load_package(package)
            return True
        return False

    def _evaluate_here(self, package: PackageId) -> None:
        self._made[package] = self._load_package(package)
        self._count_loaded()

    def _count_loaded(self) -> None:
        self._loaded += 1
        phases.count(self._loaded, max(self._to_load, self._loaded))

    def _take_out(self) -> tuple[object, ...]:
        """What this process has made since the last time, for another one."""
        noted = looks.current.take() if looks.current is not None else None
        return (noted, *(None if one is None else one.take() for one in self._takers()))

    def _take_in(self, made: tuple[Any, ...]) -> None:
        noted, *parts = made
        if looks.current is not None and noted is not None:
            looks.current.add(noted)
        for one, taken in zip(self._takers(), parts, strict=True):
            if one is not None:
                one.add(taken)
        self._count_loaded()

    def _takers(self) -> tuple[Any, ...]:
        """What grows while packages are evaluated, and can be taken from process to process."""
        disk = self.workspace.disk
        recorded = disk if isinstance(disk, RecordedDisk) else None
        return self._cache, self._programs, self._dry_runs, self._tree_pack, recorded

    def _is_kept(self, package: PackageId) -> bool:
        if self._cache is not None and self._cache.has(package, self._checker.holds):
            return True
        return self._nearby(package) is not None

    def _given_by(self, package: PackageId) -> PackageLoader | None:
        """The loader that a package was taken from."""
        given = self._near is not None and self._near.has_given(package)
        return self._base if given else None

    def _nearby(self, package: PackageId) -> Package | None:
        return self._near.get(package, self.holds) if self._near is not None else None

    def repositories(self) -> Mapping[str, Repository]:
        """Every external repository that WORKSPACE defines, by name."""
        table = self.table
        by_name: dict[str, Repository] = {}
        for name in sorted({*table.definitions, *self.options.override_repositories}):
            repository = table.get(name)
            if repository is not None:
                by_name[name] = repository
        return by_name

    def repository(self, name: str) -> Repository | None:
        """One external repository; None if nothing defines it."""
        return self.table.get(name)

    def failure_of_repository(self, name: str) -> Diagnostic | None:
        """The `fail()` of its own in which a repository's rule surely ends."""
        return self.table.failure_of(name) if name else None

    def module(self, label: Label) -> starlark.Module | Unknown:
        """The module of a `.bzl` file."""
        _ = self.table
        return self._modules.module(label)

    def loaded_packages(self) -> Mapping[PackageId, PackageResult]:
        """Every package asked for so far."""
        return self._packages

    def asked_in_vain(self) -> Collection[Label]:
        """Every target that was asked for so far and of which nobody can tell what it is."""
        return self._untold.keys()

    def asked_registrations(self) -> Collection[tuple[str, tuple[str, ...]]]:
        """Which toolchains and platforms were asked for so far, as `registered` is."""
        return self._registrations

    def world_digest(self) -> bytes | None:
        """A hash of the files that decide which repositories there are, and what else WORKSPACE
        and MODULE.bazel say; None if that cannot be told."""
        try:
            return answer_digest(self._world_inputs()) if self._is_world_whole else None
        except UnsettledInputError:
            return None

    def package_digest(self, package: PackageId) -> bytes | None:
        """A hash of all that there is to know of a package; None if that cannot be told."""
        result = self.package(package)
        if not isinstance(result, Package):
            return answer_digest(result)
        if package == EXTERNAL:
            return answer_digest((self.table.bound, self.table.definitions))
        base = self._given_by(package)
        if base is not None:
            return base.package_digest(package)
        return self._cache.digest(package) if self._cache is not None else None

    def inputs_digest(self, package: PackageId) -> bytes | None:
        """A hash of what a package was made from, without decoding it where it is kept; None if
        that cannot be told."""
        if self._cache is None or package == EXTERNAL:
            return self.package_digest(package)
        known = self._cache.inputs_digest(package, self._checker.holds)
        if known is not None:
            return known
        result = self.package(package)
        if not isinstance(result, Package):
            return answer_digest(result)
        base = self._given_by(package)
        if base is not None:
            return base.inputs_digest(package)
        return self._cache.inputs_digest(package, self._checker.holds)

    def kept(self, kind: str, *code: str) -> Pack | None:
        """Where results of the packages `code` of bazelscope are kept for later runs under
        the same options; None without a cache."""
        if self._cache_dir is None:
            return None
        if kind not in self._kept:
            directory = self._cache_dir / kind
            self._kept[kind] = kept_entries.entries(directory, self._key, kind, code)
        return self._kept[kind]

    def before_saving(self, call: Callable[[], None]) -> None:
        """Lets whoever keeps results here put them when all answers are out."""
        self._last_calls.append(call)

    def save(self) -> None:
        """Writes what was evaluated to the cache, if there is one."""
        with phases.phase("keeping what was loaded"):
            self._save()

    def _save(self) -> None:
        if self._evaluators is not None:
            self._evaluators.close()
            self._evaluators = None
        if self._programs is not None:
            self._programs.save()
        if self._cache is not None and "_table" in self.__dict__ and self._is_world_whole:
            with suppress(UnsettledInputError):
                self._cache.save(self._world_inputs())
            if self._dry_runs is not None:
                self._dry_runs.save()
        for call in self._last_calls:
            call()
        for pack in self._kept.values():
            pack.save()
        if self._tree_pack is not None:
            self._tree_pack.save()

    # ---- The parts ----

    @cached_property
    def _key(self) -> tuple[object, ...]:
        """What all that is kept depends on, besides files."""
        return (str(self.workspace.root), *self.options.key())

    @cached_property
    def rules(self) -> NativeRules:
        """The native rules of this Bazel version."""
        return NativeRules(self.options.release)

    @cached_property
    def context(self) -> EvaluationContext:
        return EvaluationContext(self.rules, self.options.refuses_empty_globs)

    @cached_property
    def natives(self) -> Natives:
        return Natives(self.context, self.options.autoloads)

    @cached_property
    def _modules(self) -> ModuleLoader:
        return ModuleLoader(
            self.workspace,
            self.context,
            self.natives,
            self._programs,
            self._limits,
            self._stamps.take,
        )

    @cached_property
    def _evaluator(self) -> PackageEvaluator:
        from bazelscope.loading.evaluation.build_files.package_evaluation import PackageEvaluator

        return PackageEvaluator(
            self.context, self.natives, self._modules, self._programs, self._limits
        )

    @cached_property
    def _trees(self) -> PackageTrees:
        return PackageTrees(
            self.workspace, self.options, self, self._kept_foreign_directories, self.tree
        )

    @cached_property
    def tree(self) -> KeptTree:
        """The workspace's directories and what its BUILD files quote, as earlier runs saw it."""
        return KeptTree(self.workspace, self._tree_pack)

    @cached_property
    def _build_files(self) -> BuildFiles:
        return BuildFiles(self.workspace, self, self._trees, self.rules, self._stamps.take)

    @cached_property
    def _shown(self) -> ShownFiles:
        return ShownFiles(self.workspace, self, self._trees, self._modules, self.context)

    def _kept_foreign_directories(self) -> tuple[str, ...] | None:
        world = self._cache.world if self._cache is not None else None
        return None if world is None else world.foreign

    @property
    def table(self) -> RepositoryTable:
        """The external repositories; evaluates WORKSPACE when first asked."""
        return self._table

    @cached_property
    def _table(self) -> RepositoryTable:
        """The external repositories; evaluates WORKSPACE."""
        table = RepositoryTable(self.workspace, self.options, self._read_for_world, self._dry_runs)
        self.context.mapping_of = table.repo_mapping
        self.context.module_of = table.known_module
        self.context.canonical_of = lambda name: table.canonical_name(name) or name
        cuts = budget.current().cuts
        with phases.phase("evaluating WORKSPACE and MODULE.bazel"):
            table.evaluate(self._modules, self.context, self.natives.workspace_file)
        self._is_world_whole = budget.current().cuts == cuts
        self._modules.repositories = table
        self._world_modules = tuple(self._modules.loaded())
        return table

    @cached_property
    def _cache(self) -> PackageCache | None:
        """What earlier runs kept, if what all of it rests on is unchanged."""
        if self._cache_dir is None:
            return None
        directory, space = self._cache_dir / "packages", self.workspace.disk.space
        nearby = self._base._kept_nearby if self._base is not None else ()
        own = PackageCache(directory, self._key, self.rules, others=tuple(nearby))
        self._believe(own)
        if not space:
            return own
        # Another state of the same files adds what differs, and takes the rest from here.
        other = PackageCache(directory, (*self._key, space), self.rules, own)
        self._believe(other)
        return other

    def _believe(self, kept: PackageCache) -> None:
        """Forgets what was kept where all of it rests on something that has changed."""
        world = kept.world
        if world is None or not all(self._checker.holds(item) for item in world.inputs):
            kept.forget()

    @cached_property
    def _dry_runs(self) -> DryRunCache | None:
        """What repository rules made in earlier runs."""
        return self._dry_runs_by(self._modules)

    def _dry_runs_by(self, modules: ModuleLoader) -> DryRunCache | None:
        if self._cache_dir is None:
            return None
        directory = self._cache_dir / "repositories"
        return DryRunCache(
            directory,
            self._key,
            self._stamps,
            self._checker.holds,
            modules.code_of,
            self.repo_env,
            self._runs,
        )

    def read_for_repositories(self) -> frozenset[str] | None:
        """The files of the workspace that decide which external repositories there are and what
        is in those that were looked at; None if that cannot be told."""
        paths = set(self._world_paths())
        root = self.workspace.root
        for definition in self.table.definitions.values():
            labels = [one for one in definition.attributes.values() if isinstance(one, Label)]
            placement = self.table.known_placement(definition.name)
            if placement is not None and placement.build_file is not None:
                labels.append(placement.build_file)
            own = [label for label in labels if not label.repository]
            paths.update("/".join(filter(None, (str(root), *one[1:]))) for one in own)
            if placement is not None and placement.dry_run is not None:
                read = self._dry_runs.files_of(definition.name) if self._dry_runs else None
                if read is None:
                    return None
                paths |= read
        return frozenset(paths)

    def _read_for_world(self, path: str) -> None:
        self._stamps.take(path)
        self._world_files.append(path)

    def _world_inputs(self) -> WorldInputs:
        """What the main repository's packages rest on besides their own files."""
        inputs = tuple([self._stamps.of(path) for path in self._world_paths()])
        return WorldInputs(inputs, self._trees.foreign_directories())

    def _world_paths(self) -> tuple[str, ...]:
        """The files that decide which repositories and packages there are."""
        _ = self.table
        root = self.workspace.root
        names = ("WORKSPACE", "WORKSPACE.bazel", "WORKSPACE.bzlmod", ".bazelignore", REPO_FILE)
        modules = (m.real_path for m in self._world_modules if m.real_path is not None)
        paths = (*(f"{root}/{name}" for name in names), *self._world_files, *modules)
        return tuple(dict.fromkeys(paths))

    # ---- Packages ----

    def _load_package(self, package: PackageId) -> PackageResult:
        if package.package == "external" and not package.repository:
            table = self.table
            if table.external is None:
                return no_such_package(package, "WORKSPACE is not read, and makes what is in it")
            return external_package(
                table.bindings,
                table.bound,
                table.external,
                self.rules,
                next(iter(table.may_register), None),
            )
        if not is_clean(package.package):
            return no_such_package(package, "invalid package name")
        shared = self._nearby(package)
        if shared is not None:
            self._shown.add_kept(shared)
            return shared
        if self._cache is not None:
            kept = self._cache.get(package, self._checker.holds)
            if kept is not None:
                again = package_of(kept.head, kept.targets())
                self._shown.add_kept(again)
                return again
        account = budget.current()
        spent = account.spent_on_files()
        if spent is not None:
            return UnknownPackage(package, Unknown(Reason.LIMIT, str(package), spent))
        file_or_why_not = self._build_files.read(package)
        if not isinstance(file_or_why_not, tuple):
            return file_or_why_not
        file, real_path = file_or_why_not
        self._shown.add(file.source)
        cuts = account.cuts
        with phases.phase(f"evaluating {package}"):
            evaluation = self._evaluator.evaluate(file)
        if evaluation.failure:
            return NoSuchPackage(package, evaluation.failure, evaluation.data.diagnostics)
        is_whole = account.cuts == cuts and not any(
            problem.code in _NOT_KEPT for problem in evaluation.data.diagnostics
        )
        if not is_whole:
            looks.doubt(f"{package} was not evaluated to its end")
        if is_whole:
            index = self._trees.index(package.repository)
            with suppress(UnsettledInputError):
                inputs = package_inputs(
                    file,
                    real_path,
                    index.tree if index is not None else None,
                    evaluation.modules,
                    self._stamps,
                    self._checker.digest,
                )
                if self._cache is not None:
                    self._cache.put(evaluation.data, inputs)
                else:
                    self._inputs[package] = inputs
        return package_of(evaluation.data)
