"""The loading phase as its users see it: packages, targets, modules and repositories, target
patterns, names that people say, places that answers show, and how much of it all is known."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from os.path import normpath
from typing import TYPE_CHECKING, Self

from bazelscope.base.budget import PUT_OFF, PutOffError
from bazelscope.base.errors import Diagnostic, LabelError
from bazelscope.base.label import Label, PackageId, TargetPattern, parse_label
from bazelscope.base.source import SourceFile
from bazelscope.base.unknown import Unknown
from bazelscope.loading import target_patterns
from bazelscope.loading.completeness import Completeness
from bazelscope.loading.evaluation.bzl_files.module_files import ModuleFiles
from bazelscope.loading.evaluation.rules.rule_values import StarlarkRule
from bazelscope.loading.packages.package import Package, PackageResult
from bazelscope.loading.packages.targets import (
    Provenance,
    Repository,
    RepositoryDefinition,
)
from bazelscope.loading.packages_on_cores import PackagesOnCores
from bazelscope.loading.tree.contents import BUILD_FILE_NAMES
from bazelscope.loading.tree.workspace_files import is_clean

if TYPE_CHECKING:
    from bazelscope.loading.cache.package_cache import Counts
    from bazelscope.loading.evaluation.bzl_files.seen_values import Seen
    from bazelscope.loading.origins.syntax_pieces import SyntaxPieces


AreMet = Callable[[Iterable[str]], bool]
"""Tells whether one of some targets, by their labels, was looked at."""


class Loader(PackagesOnCores):
    """Loads packages of one workspace under one set of options, and finds things in them."""

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
        return self._shown.read(display_path)

    def display_path(self, file: Label) -> str | None:
        """The path under which users know a `.bzl` file; None if it is not there."""
        return self._shown.display_path(file)

    def label_of(self, display_path: str) -> Label | None:
        """The label of a file of the workspace, of `external/NAME/...`, or of a model."""
        return self._shown.label_of(display_path)

    def seen_anywhere(self, package: PackageId) -> Seen | None:
        """What the BUILD file of a package saw of `.bzl` files, wherever in them it stands;
        None if that cannot be told."""
        packed = self.seen_of(package)
        _ = self.table
        told = self._unplaced_values.plain(packed) if packed is not None else None
        seen = self._unplaced_values.anew(told) if told is not None else None
        return (seen.files, seen.said, seen.parts) if seen is not None else None

    def sees(self, seen: Seen) -> bool:
        """Whether a BUILD file would see the same of `.bzl` files here, wherever in them."""
        _ = self.table
        return self._unplaced_values.sees(seen)

    def analysis_test(self, package: PackageId, name: str) -> StarlarkRule | None:
        """The rule of the class `name` that a `testing.analysis_test()` of a package made, which
        is nowhere but in its BUILD file: that is evaluated again where it was kept."""
        made = self.context.analysis_tests
        if package not in made:
            made[package] = {}
            self._evaluate_again(package)
        rule = made[package].get(name)
        return rule if isinstance(rule, StarlarkRule) else None

    @cached_property
    def syntax_pieces(self) -> SyntaxPieces:
        """Syntax trees of single statements, for looking up where something stands."""
        from bazelscope.loading.origins.syntax_pieces import SyntaxPieces

        return SyntaxPieces(self.read_source)

    put_off: Container[PackageId] = ()
    """Packages that nobody waits for: `PutOffError` where one of them has yet to be made."""

    def made(self, package: PackageId) -> PackageResult:
        if package in self.put_off and package not in self._made:
            raise PutOffError(Diagnostic(PUT_OFF, f"{package} has yet to be evaluated"))
        return super().made(package)

    def is_same(self, package: PackageId, digest: bytes, are_met: AreMet | None = None) -> bool:
        """Whether a package, which counts as loaded from now on, is the one of that digest, but for
        the places of its targets, and for targets of which none is met. One that an earlier run has
        kept is not read for that."""
        counts = self._counts(package, digest)
        if counts is not None:
            self.take_as_loaded(package, counts)
            return True
        if self.package_digest(package) == digest:
            return True
        changed = self._cache.changed(package, digest) if self._cache is not None else None
        if not changed or are_met is None:
            return changed is not None and not changed
        return not are_met(str(Label(*package, name)) for name in changed)

    def compared(self) -> Mapping[PackageId, bytes | None]:
        """The packages that may have been found to be the same in spite of other places and
        targets, with their hashes now."""
        return self._cache.compared() if self._cache is not None else {}

    def are_same(self, digests: Mapping[PackageId, bytes], are_met: AreMet | None = None) -> bool:
        """Whether each of many packages `is_same`: those count as loaded from now on that come
        before the first one which is not."""
        kept = self.kept_as(digests)
        packages, unread = self.account.packages, self.account.unread
        for package, digest in digests.items():
            counts = kept.get(package)
            if counts is not None:
                # What `take_as_loaded` does, without a call.
                packages.setdefault(package)
                unread[package] = counts
            elif not self.is_same(package, digest, are_met):
                return False
        return True

    def kept_as(self, digests: Mapping[PackageId, bytes]) -> Mapping[PackageId, Counts]:
        """What is counted of packages that nobody has to look into, as far as they have these
        digests and that can be told of many at once."""
        if self._cache is None or self._near is not None:
            return {}
        made, put_off = self._made, self.put_off
        unknown = {id: one for id, one in digests.items() if id not in made and id not in put_off}
        return self._cache.all_counts(unknown, self._stamps.are_as_stamped, self._checker.holds)

    def take_as_loaded(self, package: PackageId, counts: Counts) -> None:
        """Counts a package as loaded from now on that an earlier run has kept, unread."""
        self.account.packages.setdefault(package)
        self.account.unread[package] = counts

    def is_kept_as(self, package: PackageId, digest: bytes) -> bool:
        """Whether an earlier run has kept a package with that digest, and it still holds."""
        return self._counts(package, digest) is not None

    def _counts(self, package: PackageId, digest: bytes) -> Counts | None:
        """What is counted of a package that nobody has to look into, if it has that digest."""
        is_known = package in self._made or package in self.put_off or self._near is not None
        if self._cache is None or is_known:
            return None
        return self._cache.counts(package, digest, self._checker.holds)

    def held(self) -> Self:
        """A loader of the packages that are held now, whatever `reread` drops of them here.
        Nothing that is worked out from it is kept for later runs."""
        for package in self.account.packages:
            self.package(package)
        other = self.beside()
        other._made, other._last_calls = dict(self._made), []
        other.__dict__.pop("syntax_pieces", None)
        return other

    @property
    def packages_made(self) -> Collection[PackageId]:
        """The packages that take no more work."""
        return self._made.keys()

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
                label = self.label_of(path)
                if label is None or label.repository:
                    return False
                modules.add(label)
            elif name in BUILD_FILE_NAMES:
                packages.add(PackageId("", directory))
            else:
                return False
        if not self._modules.forget(modules):
            return False
        self._values.forget()
        self.context.analysis_tests.clear()
        self._unplaced_values.forget()
        self.rule_code.forget()
        self._forget(packages, modules)
        self.account.begin_anew()
        self._shown.forget(changed)
        self._stamps.forget(f"{self.workspace.root}/{path}" for path in changed)
        if self._cache is not None:
            self._cache.recheck()
        self.__dict__.pop("syntax_pieces", None)
        if self._programs is not None:
            self._programs.take()  # Each of many edits would leave one.
        # Graphs of the packages as they were are not asked any more, and would all stay.
        self._last_calls.clear()
        return True

    def _may_define_repositories(self, path: str) -> bool:
        """Whether a file may decide which external repositories there are, or what is in one."""
        real = f"{self.workspace.root}/{path}"
        return real in self._world.paths() or self.table.is_in_local_repository(real)

    def _forget(self, packages: Collection[PackageId], modules: Collection[Label]) -> None:
        """Drops packages, all that load one of `modules`, and whatever failed."""
        stale = [
            id
            for id, result in self._made.items()
            if id in packages
            or not isinstance(result, Package)
            or (modules and any(loaded.label in modules for loaded in result.loads))
        ]
        for id in stale:
            del self._made[id]

    def read_for_repositories(self) -> frozenset[str] | None:
        """The files of the workspace that decide which external repositories there are and what
        is in those that were looked at; None if that cannot be told."""
        paths = set(self._world.paths())
        root = self.workspace.root
        for definition in self.table.definitions.values():
            named = self.files_named_in(definition.attributes.values())
            paths.update(f"{root}/{path}" for path in named)
            placement = self.table.known_placement(definition.name)
            laid = placement.build_file if placement is not None else None
            if laid is not None and not laid.repository:
                paths.add(f"{root}/{laid.path}")
            if placement is not None and placement.dry_run is not None:
                read = self._dry_runs.files_of(definition.name) if self._dry_runs else None
                if read is None:
                    return None
                paths |= read
        return frozenset(paths)

    def files_named_in(self, values: Iterable[object]) -> Iterator[str]:
        """The files of the workspace that the attributes of a repository name (its patches,
        templates, locks), as paths below the root."""
        names = self.table.repo_mapping("")
        places = {**dict(self.table.local_directories()), self.table.workspace_name: "", "": ""}
        pending = list(values)
        while pending:
            value = pending.pop()
            if isinstance(value, Mapping):
                pending += [*value, *value.values()]
            elif isinstance(value, str) and value.startswith(("//", "@", ":")):
                with suppress(LabelError):
                    pending.append(parse_label(value, PackageId("", ""), names))
            elif isinstance(value, Label):
                place = places.get(value.repository)
                path = normpath(f"{place or '.'}/{value.path}")
                if place is not None and is_clean(path) and self.workspace.is_file(path):
                    yield path
            elif isinstance(value, list | tuple):
                pending += value

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

    def in_errors(self, repository: str) -> str:
        """A repository as Bazel's errors have it."""
        return self.table.in_errors(repository)

    def failure_of_repository(self, name: str) -> Diagnostic | None:
        """The `fail()` of its own in which a repository's rule surely ends."""
        return self.table.failure_of(name) if name else None

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
        return self._evaluator.preludes.names("")

    @property
    def module_files(self) -> ModuleFiles:
        """Where `.bzl` files are."""
        return self._modules.files

    def completeness(self) -> Completeness:
        """How much of what was asked for so far is known."""
        return self.account.completeness(self.table)

    def assumptions(self, repositories: Iterable[str]) -> tuple[Unknown, ...]:
        """What the content of those external repositories was taken for granted for, where a
        repository rule was run dry."""
        placements = (self.table.placement(name) for name in sorted(set(repositories) - {""}))
        runs = (placement.dry_run for placement in placements if placement is not None)
        return tuple(
            assumption for run in runs if run is not None for assumption in run.assumptions
        )
