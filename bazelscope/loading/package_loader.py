"""Loads packages, targets, modules and repositories on demand.

Nothing is loaded before it is asked for. What has been evaluated once stays for the run, and
with a cache directory for later runs, as long as everything that it read is unchanged.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

from bazelscope import starlark
from bazelscope.base import budget, looks, phases
from bazelscope.base.errors import FAULT
from bazelscope.base.label import Label, PackageId
from bazelscope.base.nearest import nearest
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.kept.pack import Input
from bazelscope.loading.cache.file_stamps import (
    InputChecker,
    UnsettledInputError,
    answer_digest,
    package_inputs,
)
from bazelscope.loading.cache.package_cache import digest_of_inputs
from bazelscope.loading.completeness import AskedPackages
from bazelscope.loading.loader_parts import LoaderParts
from bazelscope.loading.packages.package import (
    LoadedPackages,
    Package,
    PackageResult,
    package_of,
    package_of_kept,
)
from bazelscope.loading.packages.package_data import PackageData
from bazelscope.loading.packages.repository_access import FileFound
from bazelscope.loading.packages.targets import (
    NoSuchPackage,
    NoSuchTarget,
    RepositoryDefinition,
    TargetResult,
    UnknownPackage,
    UnknownTarget,
)
from bazelscope.loading.packages.unknown_declarations import undeclared
from bazelscope.loading.repositories.build_files import no_such_package
from bazelscope.loading.repositories.external_package import EXTERNAL, external_package
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.workspace_files import Workspace, is_clean

if TYPE_CHECKING:
    from bazelscope.loading.evaluation.bzl_files.loaded_module import LoadedModule
    from bazelscope.loading.evaluation.workspace.repository_definitions import Binding
    from bazelscope.loading.evaluators import Evaluators
    from bazelscope.loading.shared_packages import NearbyPackages

_OF_ENVIRONMENT = frozenset(
    {
        *("_build_files", "_cache", "_dry_runs", "_environments", "_evaluator", "_key"),
        *("_modules", "_shown", "_values", "syntax_pieces", "table"),
    }
)
"""What differs where repository rules see another environment."""
_NOT_KEPT = frozenset({FAULT, budget.LIMIT, "starlark-limit"})
"""What may come out otherwise the next time."""


class PackageLoader(LoaderParts):
    """Loads packages of one workspace under one set of options."""

    def __init__(
        self,
        workspace: Workspace,
        options: LoadingOptions,
        cache_dir: Path | None = None,
        asked: Iterable[str] = (),
    ) -> None:
        super().__init__(workspace, options, cache_dir, asked)
        self._made: dict[PackageId, PackageResult] = {}
        """Every package of this loader and those beside it."""
        self.account = AskedPackages()
        """What this loader was asked for so far, and no other one beside it."""
        self._evaluators: Evaluators | None = None
        self._loaded = self._to_load = 0
        """Of the packages that are being loaded at once."""
        self._base: PackageLoader | None = None
        """The loader that this one was made from by `under`."""
        self._near: NearbyPackages | None = None
        """Those that are taken from a loader of the same files, where they are the same."""
        self._inputs: dict[PackageId, tuple[Input, ...]] = {}
        """What packages are made from, where no cache has it."""
        self._seen: dict[PackageId, bytes] = {}
        """What their BUILD files saw of `.bzl` files."""

    def beside(self) -> Self:
        """A loader of the same packages that keeps account of its own of what it is asked for:
        all that is read and evaluated, they share."""
        for part in ("_cache", "_build_files", "_evaluator", "_shown", "table", "tree"):
            getattr(self, part)
        other = copy.copy(self)
        other.account = AskedPackages()
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
        other._made, other.account = {}, AskedPackages()
        other._kept, other._last_calls = {}, []
        other._evaluators, other._inputs, other._seen = None, {}, {}
        from bazelscope.loading.shared_packages import NearbyPackages

        other._base, other._near = self, NearbyPackages(self)
        other._kept_before = self._kept_nearby
        # The rules are of the modules that WORKSPACE has loaded.
        other.__dict__["_dry_runs"] = other._dry_runs_by(self._modules)
        table = self.table.under(options, changed, other._dry_runs)
        if table is None:
            return None
        other.__dict__["table"] = table
        other._modules.repositories = table
        return other

    def leave(self) -> None:
        """Leaves what was kept here to those that `under` makes next: ask once all is saved."""
        if self._base is not None and self._cache is not None:
            self._cache.settle()
            nearby = self._base._kept_nearby
            if self._cache not in nearby:
                nearby.append(self._cache)

    def inputs_of(self, package: PackageId) -> tuple[Input, ...] | None:
        """What a package is made from; None for what is none, and where nobody kept it."""
        if not isinstance(self.made(package), Package):
            return None
        own = self._inputs.get(package)
        if own is not None:
            return own
        base = self._given_by(package)
        if base is not None:
            return base.inputs_of(package)
        return self._cache.inputs(package) if self._cache is not None else None

    def seen_of(self, package: PackageId) -> bytes | None:
        """What the BUILD file of a package saw of `.bzl` files, if that can be told."""
        base = self._given_by(package)
        if base is not None:
            return base.seen_of(package)
        return self._cache.seen(package) if self._cache is not None else self._seen.get(package)

    def inputs_of_repository(self, name: str) -> tuple[Input, ...] | None:
        """What a repository is made from that was run dry; None where nobody kept it."""
        return self._dry_runs.inputs(name) if self._dry_runs is not None else None

    def holds(self, input: Input) -> bool:
        """Whether something that packages are made from is here what it was there."""
        return self._checker.holds(input)

    def has_file(self, input: Input) -> bool:
        """Whether a file holds what it held."""
        return self._stamps.holds(input)

    # ---- What is asked ----

    def package(self, package: PackageId) -> PackageResult:
        """The package, evaluated; why there is none; or why that cannot be told."""
        asked = self.account.packages
        result = asked.get(package)
        if result is None:
            result = asked[package] = self.made(package)
        return result

    def made(self, package: PackageId) -> PackageResult:
        """Returns the package as `package` does, but does not count it as loaded: another asks."""
        result = self._made.get(package)
        if result is None:
            result = self._made[package] = self._load_package(package)
        return result

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
        message, lies_there = self._trees.why_no_target(label, package)
        return NoSuchTarget(label, message, () if lies_there else nearest(label.name, targets))

    def looked_up(self, label: Label) -> TargetResult:
        """Returns the target as `target` does, but does not count its package as loaded."""
        package = self.account.looked_up[label.package_id] = self.made(label.package_id)
        found = package.targets.get(label.name) if isinstance(package, Package) else None
        return self.target(label) if found is None else found

    def may_lie_there(self, file: Label) -> bool:
        """Whether a source file of that label is there, or nobody can tell."""
        is_directory = self._trees.index(file.repository) is not None
        return not is_directory or self._trees.kind_on_disk(file) is not None

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

    def links_out_below(self, base: PackageId) -> tuple[str, ...]:
        """The symbolic links below `base` to directories outside, where `packages_below` has not
        looked for packages."""
        index = self._trees.index(base.repository)
        above = f"{base.package}/" if base.package else ""
        links = index.links_out if index is not None else ()
        return tuple(link for link in links if link.startswith(above))

    def _is_kept(self, package: PackageId) -> bool:
        if self._cache is not None and self._cache.has(package, self._checker.holds):
            return True
        return self._nearby(package) is not None

    def _given_by(self, package: PackageId) -> PackageLoader | None:
        """The loader that a package was taken from."""
        given = self._near is not None and self._near.has_given(package)
        return self._base if given else None

    def _nearby(self, package: PackageId) -> Package | None:
        near = self._near
        renewed = near.get(package, self.holds, self._renewed) if near is not None else None
        if renewed is None:
            return None
        if renewed.inputs is not None:
            self._inputs[package] = renewed.inputs
        return renewed.package

    def module(self, label: Label) -> starlark.Module | Unknown:
        """The module of a `.bzl` file."""
        _ = self.table
        return self._modules.module(label)

    def loaded_module(self, label: Label) -> LoadedModule:
        """The module of a `.bzl` file, with what went wrong."""
        _ = self.table
        return self._modules.load(label)

    def loaded_packages(self) -> Mapping[PackageId, PackageResult]:
        """Every package asked for so far."""
        return LoadedPackages(self.account.packages, self.package)

    def packages_rested_on(self) -> Mapping[PackageId, PackageResult]:
        """Every package asked for so far, and those of which only a target was looked up."""
        account = self.account
        return LoadedPackages(account.packages | account.looked_up, self.package)

    def world_digest(self) -> bytes | None:
        """A hash of the files that decide which repositories there are, and what else WORKSPACE
        and MODULE.bazel say; None if that cannot be told."""
        try:
            return answer_digest(self._world_inputs()) if self._world.is_whole else None
        except UnsettledInputError:
            return None

    def look_at(self, packages: Iterable[PackageId]) -> None:
        """Looks at once at what many packages that will be asked for were made from."""
        if self._cache is not None:
            self._cache.look_at(packages, self._stamps.are_as_stamped)

    def package_digest(self, package: PackageId) -> bytes | None:
        """A hash of all that there is to know of a package; None if that cannot be told."""
        if self.account.is_unread(package) and self._cache is not None:
            return self._cache.digest(package)
        self.package(package)
        return self._made_digest(package)

    def _made_digest(self, package: PackageId) -> bytes | None:
        """Returns `package_digest`, but does not count the package as loaded by this loader."""
        result = self.made(package)
        if not isinstance(result, Package):
            return answer_digest(result)
        if package == EXTERNAL:
            return answer_digest(self._parts_of_external())
        base = self._given_by(package)
        if base is not None:
            return base._made_digest(package)
        return self._cache.digest(package) if self._cache is not None else None

    def inputs_digest(self, package: PackageId) -> bytes | None:
        """A hash of what a package was made from, which is neither decoded where it is kept nor
        counted as loaded; None if that cannot be told."""
        if self._cache is None:
            return self._made_digest(package)
        if package == EXTERNAL:
            return self.world_digest()
        own = self._inputs.get(package)
        if own is not None:
            return digest_of_inputs(own)
        known = self._cache.inputs_digest(package, self._checker.holds)
        if known is not None:
            return known
        result = self.made(package)
        if not isinstance(result, Package):
            return answer_digest(result)
        base = self._given_by(package)
        if base is not None:
            return base.inputs_digest(package)
        return self._cache.inputs_digest(package, self._checker.holds)

    def save(self) -> None:
        """Writes what was evaluated to the cache, if there is one."""
        with phases.phase("keeping what was loaded"):
            self._save()

    def _save(self) -> None:
        if self._evaluators is not None:
            self._evaluators.close()
            self._evaluators = None
        self._compile_no_more_ahead()
        if self._programs is not None:
            self._programs.save()
        if self._cache is not None and "table" not in self.__dict__:
            self._cache.save()
        elif self._cache is not None and self._world.is_whole:
            with suppress(UnsettledInputError):
                if self._cache.save(self._world_inputs()) and not self.workspace.disk.space:
                    self._environments.note()
            if self._dry_runs is not None:
                self._dry_runs.save()
        for call in self._last_calls:
            call()
        for pack in self._kept.values():
            pack.save()
        if self._tree_pack is not None:
            self._tree_pack.save()

    # ---- Packages ----

    def _load_package(self, package: PackageId) -> PackageResult:
        loaded = self._evaluated(package)
        return package_of(loaded) if isinstance(loaded, PackageData) else loaded

    def _parts_of_external(
        self,
    ) -> tuple[
        Mapping[str, Label],
        Mapping[str, Binding],
        Mapping[str, RepositoryDefinition] | None,
        Unknown | None,
    ]:
        """What the package `//external` is made from."""
        table = self.table
        may_define = next(iter(table.may_register), None)
        return table.bindings, table.bound, table.external, may_define

    def _evaluated(self, package: PackageId) -> PackageResult | PackageData:
        """Returns a package, and of one that nobody has kept what its evaluation has come to: all
        that a process needs which evaluates it for another one."""
        if package.package == "external" and not package.repository:
            bindings, bound, definitions, may_define = self._parts_of_external()
            if definitions is None:
                return no_such_package(package, "WORKSPACE is not read, and makes what is in it")
            return external_package(bindings, bound, definitions, self.rules, may_define)
        if not is_clean(package.package):
            return no_such_package(package, "invalid package name")
        shared = self._nearby(package)
        if shared is not None:
            self._shown.add_kept(shared)
            return shared
        if self._cache is not None:
            kept = self._cache.get(package, self._checker.holds)
            if kept is not None:
                again = package_of_kept(kept)
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
        with phases.phase(f"evaluating {package}"), account.giving_way():
            evaluation = self._evaluator.evaluate(file)
        if evaluation.failure:
            problems = evaluation.data.diagnostics
            return NoSuchPackage(package, evaluation.failure, problems, evaluation.remedy)
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
                seen = evaluation.seen.packed() if evaluation.seen is not None else None
                if self._cache is not None:
                    self._cache.put(evaluation.data, inputs, seen)
                    edits = self._comment_edits
                    is_sound = not (package.repository or evaluation.data.diagnostics)
                    if edits is not None and real_path and is_sound:
                        edits.note(real_path, file.source.text, inputs)
                else:
                    self._inputs[package] = inputs
                    if seen is not None:
                        self._seen[package] = seen
        return evaluation.data

    def _evaluate_again(self, package: PackageId) -> None:
        """Evaluates a BUILD file for what no package keeps: the values that it made."""
        file_or_why_not = self._build_files.read(package)
        if isinstance(file_or_why_not, tuple):
            self._evaluator.evaluate(file_or_why_not[0])
