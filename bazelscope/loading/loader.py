"""The loading phase as its users see it: packages, targets, modules and repositories, target
patterns, names that people say, places that answers show, and how much of it all is known."""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

from bazelscope import starlark
from bazelscope.base import phases
from bazelscope.base.label import Label, PackageId, TargetPattern
from bazelscope.base.source import SourceFile
from bazelscope.base.unknown import Unknown
from bazelscope.loading import target_patterns
from bazelscope.loading.completeness import AskedPackages, Completeness
from bazelscope.loading.evaluation.bzl_files.module_files import ModuleFiles
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.rules.rule_values import StarlarkRule
from bazelscope.loading.loader_parts import LoaderParts
from bazelscope.loading.package_maker import PackageMaker
from bazelscope.loading.packages.package import Following, LoadedPackages, Package, PackageResult
from bazelscope.loading.packages.targets import (
    NoSuchTarget,
    Provenance,
    RepositoryDefinition,
    TargetResult,
    UnknownPackage,
    UnknownTarget,
)
from bazelscope.loading.packages.unknown_declarations import undeclared
from bazelscope.loading.packages_on_cores import PackagesOnCores
from bazelscope.loading.repositories.package_trees import PackageTrees
from bazelscope.loading.repositories.repository_table import RepositoryTable
from bazelscope.loading.same_packages import SamePackages
from bazelscope.loading.tree.contents import BUILD_FILE_NAMES
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.workspace_files import Workspace, is_clean

if TYPE_CHECKING:
    from bazelscope.loading.evaluation.bzl_files.loaded_module import LoadedModule
    from bazelscope.loading.evaluation.bzl_files.seen_values import Seen
    from bazelscope.loading.origins.syntax_pieces import SyntaxPieces


class Loader:
    """Loads packages of one workspace under one set of options, and finds things in them. Nothing
    is loaded before it is asked for."""

    def __init__(
        self,
        workspace: Workspace,
        options: LoadingOptions,
        cache_dir: Path | None = None,
        asked: Iterable[str] = (),
    ) -> None:
        """`asked` are words of the question, which may name packages that it will come to."""
        self.maker = PackageMaker(LoaderParts(workspace, options, cache_dir, asked))
        """Makes packages, and tells what they are made from."""
        self._cores = PackagesOnCores(self.maker)
        self.account = AskedPackages()
        """What this loader was asked for so far, and no other one beside it."""
        self.same = SamePackages(self.maker, self.account, self.package_digest)
        """Tells which packages are what they were, and counts these as loaded."""

    def beside(self) -> Self:
        """A loader of the same packages that keeps account of its own of what it is asked for:
        all that is read and evaluated, they share."""
        return self._by(copy.copy(self.maker))

    def _by(self, maker: PackageMaker) -> Self:
        other = copy.copy(self)
        other.maker, other.account = maker, AskedPackages()
        other._cores = self._cores.beside(maker)
        other.same = SamePackages(maker, other.account, other.package_digest)
        return other

    def under(self, options: LoadingOptions) -> Self | None:
        """A loader of the same files where variables of the environment have other values, which
        makes anew only what hangs on them; None where more may differ."""
        parts = self.parts.under(options)
        if parts is None:
            return None
        return self._by(self.maker.under(parts))._without_syntax_pieces()

    def held(self) -> Self:
        """A loader of the packages that are held now, whatever `reread` drops of them here.
        Nothing that is worked out from it is kept for later runs."""
        for package in self.account.packages:
            self.package(package)
        return self._by(self.maker.held())._without_syntax_pieces()

    def _without_syntax_pieces(self) -> Self:
        self.__dict__.pop("syntax_pieces", None)
        return self

    @property
    def parts(self) -> LoaderParts:
        """What this is made of, each part made when it is first asked for."""
        return self.maker.parts

    @property
    def workspace(self) -> Workspace:
        return self.parts.workspace

    @property
    def options(self) -> LoadingOptions:
        return self.parts.options

    @property
    def context(self) -> EvaluationContext:
        return self.parts.context

    @property
    def table(self) -> RepositoryTable:
        """The external repositories; evaluates WORKSPACE when first asked."""
        return self.parts.table

    @property
    def trees(self) -> PackageTrees:
        """Which packages there are."""
        return self.parts.trees

    # ---- Packages and targets ----

    def package(self, package: PackageId) -> PackageResult:
        """The package, evaluated; why there is none; or why that cannot be told."""
        asked = self.account.packages
        result = asked.get(package)
        if result is None:
            result = asked[package] = self.maker.made(package)
        return result

    def prepare(self, packages: Iterable[PackageId], following: Following | None = None) -> bool:
        """Evaluates packages that will be asked for on every core, if they are many, and then
        those `following`, to the last; returns whether one of them is neither known nor kept. Does
        nothing without a cache. What `following` asks for is not taken note of."""
        return self._cores.prepare(packages, following, self.account)

    def target(self, label: Label) -> TargetResult:
        """The target, or Bazel's error, or why it is unknown."""
        package = self.package(label.package_id)
        if not isinstance(package, Package):
            if isinstance(package, UnknownPackage):
                self.account.untold[label] = package.unknown
            return package
        targets = package.targets
        if label.name in targets:
            return targets[label.name]
        unknown = undeclared(label, package)
        if unknown is not None:
            self.account.untold[label] = unknown.unknown
            return unknown
        if package.may_lack is not None:
            lacks = package.may_lack
            missed = Unknown(lacks.reason, str(label), lacks.detail, lacks.location)
            self.account.missed[label] = self.account.untold[label] = missed
            return UnknownTarget(label, missed)
        message, lies_there = self.trees.why_no_target(label, package)
        return NoSuchTarget(label, message, () if lies_there else targets)

    def looked_up(self, label: Label) -> TargetResult:
        """Returns the target as `target` does, but does not count its package as loaded."""
        package = self.account.looked_up[label.package_id] = self.maker.made(label.package_id)
        found = package.targets.get(label.name) if isinstance(package, Package) else None
        return self.target(label) if found is None else found

    def module(self, label: Label) -> starlark.Module | Unknown:
        """The module of a `.bzl` file."""
        _ = self.table
        return self.parts.modules.module(label)

    def loaded_module(self, label: Label) -> LoadedModule:
        """The module of a `.bzl` file, with what went wrong."""
        _ = self.table
        return self.parts.modules.load(label)

    def loaded_packages(self) -> Mapping[PackageId, PackageResult]:
        """Every package asked for so far."""
        return LoadedPackages(self.account.packages, self.package)

    def packages_rested_on(self) -> Mapping[PackageId, PackageResult]:
        """Every package asked for so far, and those of which only a target was looked up."""
        account = self.account
        return LoadedPackages(account.packages | account.looked_up, self.package)

    def package_digest(self, package: PackageId) -> bytes | None:
        """A hash of all that there is to know of a package; None if that cannot be told."""
        if self.account.is_unread(package) and self.parts.cache is not None:
            return self.parts.cache.digest(package)
        self.package(package)
        return self.maker.digest(package)

    def save(self) -> None:
        """Writes what was evaluated to the cache, if there is one."""
        with phases.phase("keeping what was loaded"):
            self._cores.end()
            self.parts.save()

    def expand(self, pattern: TargetPattern) -> target_patterns.Expansion:
        """The labels that a target pattern stands for."""
        return target_patterns.expand(self, pattern)

    def registered(self, what: str, extra: tuple[str, ...] = ()) -> tuple[Label | Unknown, ...]:
        """What the patterns `extra` and then the calls of `what` name, in order; evaluates
        WORKSPACE."""
        known = self.account.registrations
        labels = known.get((what, extra))
        if labels is None:
            from bazelscope.loading.registrations import registered

            labels = known[what, extra] = registered(self, what, extra)
        return labels

    def rule_set_of(self, repository: str) -> str:
        """The repository of the module extension that makes a repository; empty if none does."""
        from bazelscope.loading.registrations import maker_of

        return maker_of(self, repository)

    def find_targets(self, short_name: str) -> tuple[Label, ...]:
        """Every target called `short_name`, in the workspace and in known repositories.

        Packages whose BUILD file quotes the name are loaded; only if none has it, all are.
        """
        from bazelscope.loading.short_name_search import find_targets

        return find_targets(self, short_name)

    def packages_to_search(self) -> tuple[PackageId, ...]:
        """The packages among whose targets a misspelt name is looked for."""
        from bazelscope.loading.short_name_search import packages_to_search

        return packages_to_search(self)

    def read_source(self, display_path: str) -> SourceFile | None:
        """The text of a file that an answer points into, for excerpts."""
        return self.parts.shown.read(display_path)

    def display_path(self, file: Label) -> str | None:
        """The path under which users know a `.bzl` file; None if it is not there."""
        return self.parts.shown.display_path(file)

    def label_of(self, display_path: str) -> Label | None:
        """The label of a file of the workspace, of `external/NAME/...`, or of a model."""
        return self.parts.shown.label_of(display_path)

    def may_lie_there(self, file: Label) -> bool:
        """Whether a source file of that label is there, or nobody can tell."""
        return self.trees.may_lie_there(file)

    def seen_anywhere(self, package: PackageId) -> Seen | None:
        """What the BUILD file of a package saw of `.bzl` files, wherever in them it stands;
        None if that cannot be told."""
        packed = self.maker.seen_of(package)
        _ = self.table
        told = self.parts.unplaced_values.plain(packed) if packed is not None else None
        seen = self.parts.unplaced_values.anew(told) if told is not None else None
        return (seen.files, seen.said, seen.parts) if seen is not None else None

    def sees(self, seen: Seen) -> bool:
        """Whether a BUILD file would see the same of `.bzl` files here, wherever in them."""
        _ = self.table
        return self.parts.unplaced_values.sees(seen)

    def analysis_test(self, package: PackageId, name: str) -> StarlarkRule | None:
        """The rule of the class `name` that a `testing.analysis_test()` of a package made, which
        is nowhere but in its BUILD file: that is evaluated again where it was kept."""
        made = self.context.analysis_tests
        if package not in made:
            made[package] = {}
            self.maker.evaluate_again(package)
        rule = made[package].get(name)
        return rule if isinstance(rule, StarlarkRule) else None

    @cached_property
    def syntax_pieces(self) -> SyntaxPieces:
        """Syntax trees of single statements, for looking up where something stands."""
        from bazelscope.loading.origins.syntax_pieces import SyntaxPieces

        return SyntaxPieces(self.parts.shown.read)

    @property
    def packages_made(self) -> Collection[PackageId]:
        """The packages that take no more work."""
        return self.maker.packages.keys()

    def reread(self, changed: Collection[str]) -> bool:
        """Takes in that the texts of files have changed (paths below the workspace's root):
        packages of BUILD files, and `.bzl` files with all that loads them, are made anew when
        they are next asked for. False where more may rest on one of the files, such as which
        repositories there are: then another loader has to load everything."""
        packages: set[PackageId] = set()
        modules: set[Label] = set()
        for path in changed:
            if not is_clean(path) or self._may_define_repositories(path):
                return False
            directory, _, name = path.rpartition("/")
            if name.endswith((".bzl", ".scl")):
                label = self.parts.shown.label_of(path)
                if label is None or label.repository:
                    return False
                modules.add(label)
            elif name in BUILD_FILE_NAMES:
                packages.add(PackageId("", directory))
            else:
                return False
        if not self.parts.modules.forget(modules):
            return False
        self.parts.values.forget()
        self.context.analysis_tests.clear()
        self.parts.unplaced_values.forget()
        self.parts.rule_code.forget()
        self._forget(packages, modules)
        self.account.begin_anew()
        self.parts.shown.forget(changed)
        self.parts.stamps.forget(f"{self.workspace.root}/{path}" for path in changed)
        if self.parts.cache is not None:
            self.parts.cache.recheck()
        self.__dict__.pop("syntax_pieces", None)
        if self.parts.programs is not None:
            self.parts.programs.take()  # Each of many edits would leave one.
        # Graphs of the packages as they were are not asked any more, and would all stay.
        self.parts.results.forget_last_calls()
        return True

    def _may_define_repositories(self, path: str) -> bool:
        """Whether a file may decide which external repositories there are, or what is in one."""
        real = f"{self.workspace.root}/{path}"
        return real in self.parts.world.paths() or self.table.is_in_local_repository(real)

    def _forget(self, packages: Collection[PackageId], modules: Collection[Label]) -> None:
        """Drops packages, all that load one of `modules`, and whatever failed."""
        stale = [
            id
            for id, result in self.maker.packages.items()
            if id in packages
            or not isinstance(result, Package)
            or (modules and any(loaded.label in modules for loaded in result.loads))
        ]
        for id in stale:
            del self.maker.packages[id]

    def remedy_of_nested(self, user: PackageId, wanted: PackageId) -> str:
        """What to do about a package that is not there, if who names it lies in a folder that is a
        workspace of its own and has it."""
        from bazelscope.loading.tree.nested_workspaces import remedy_of_nested

        return remedy_of_nested(self.workspace, user, wanted)

    def lacks_variables(self, name: str) -> tuple[RepositoryDefinition, tuple[str, ...]] | None:
        """A repository that its rule has made, and the variables that this rule reads and that have
        no value; None if there are none."""
        repository = self.table.get(name) if name else None
        if repository is None or repository.provenance is not Provenance.DRY_RUN:
            return None
        missing = self.table.without_values(name)
        return (repository.definition, missing) if repository.definition and missing else None

    @property
    def build_file_names(self) -> frozenset[str]:
        """The names that BUILD files of the main repository find predeclared."""
        return self.parts.evaluator.preludes.names("")

    @property
    def module_files(self) -> ModuleFiles:
        """Where `.bzl` files are."""
        return self.parts.modules.files

    def completeness(self) -> Completeness:
        """How much of what was asked for so far is known."""
        return self.account.completeness(self.table)
