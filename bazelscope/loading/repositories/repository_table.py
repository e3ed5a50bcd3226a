"""The external repositories of a workspace: their definitions, and what files they have.

MODULE.bazel and WORKSPACE define them; `repository_placer` looks for the content of each.
"""

from __future__ import annotations

import copy
import os.path
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Self

from bazelscope.base.errors import Diagnostic, LoadingError
from bazelscope.base.graph_walk import distances
from bazelscope.base.label import PackageId, at_sign
from bazelscope.base.nearest import nearest
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.builtin_repositories import builtin_repositories, without_workspace
from bazelscope.loading.dry_run.run_cache import DryRunCache
from bazelscope.loading.evaluation.bzl_files.module_loader import ModuleLoader
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.workspace.repository_definitions import EXTERNAL_PACKAGE
from bazelscope.loading.evaluation.workspace.workspace_evaluation import (
    close_facts,
    evaluate_workspace,
    new_facts,
)
from bazelscope.loading.packages.invisible_names import unresolved
from bazelscope.loading.packages.repository_access import FileFound
from bazelscope.loading.packages.repository_content import (
    Content,
    DirectoryContent,
    find_build_file,
)
from bazelscope.loading.packages.targets import Provenance, Repository
from bazelscope.loading.repositories.defined_repositories import DefinedRepositories
from bazelscope.loading.repositories.local_directories import LOCAL
from bazelscope.loading.repositories.nested_placing import NestedPlacing
from bazelscope.loading.repositories.repository_files import (
    DELETED,
    Placement,
    nowhere_looked,
    read_text,
    unknown_placement,
)
from bazelscope.loading.repositories.repository_placer import (
    RepositoryPlacer,
)
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.workspace_files import Workspace, is_clean

if TYPE_CHECKING:
    from bazelscope.loading.tree.uncalled_definitions import UncalledDefinitions


class RepositoryTable(DefinedRepositories):
    """The repositories of one workspace. `evaluate` fills it; while that runs, it answers
    with what is defined so far, since WORKSPACE loads from the repositories it defines."""

    def __init__(
        self,
        workspace: Workspace,
        options: LoadingOptions,
        is_deleted: Callable[[str], bool],
        about_to_read: Callable[[str], object] = str,
        dry_runs: DryRunCache | None = None,
    ) -> None:
        """`is_deleted` tells whether a directory of the workspace is no package whatever lies
        there; `about_to_read` is told the path of each file that decides what is defined;
        `dry_runs` has what earlier runs of the tool found out."""
        self._workspace = workspace
        self._is_deleted = is_deleted
        builtin = builtin_repositories(options.release)
        if not options.reads_workspace:
            builtin = without_workspace(builtin)
        super().__init__(options, new_facts(builtin))
        if options.reads_modules:
            from bazelscope.loading.modules.module_evaluation import ModuleEvaluation

            self._modules = ModuleEvaluation(self, workspace, options, self._facts, about_to_read)
        self._placer = RepositoryPlacer(workspace, options, self._facts, self, dry_runs)
        self._placements: dict[str, tuple[object, Placement]] = {}
        self._running: set[str] = set()
        self._nested = NestedPlacing(self._running)
        self._asked_by: dict[str, set[str]] = {}
        """By repository those whose rules have asked for it."""
        self._asked_early: set[str] = set()
        """The repositories that the evaluation of WORKSPACE has come to."""
        self._taken: frozenset[str] = frozenset()
        """The repositories that another table has placed."""
        self._is_evaluated = False
        self._local_directories: tuple[tuple[str, str], ...] | None = None
        self._main = DirectoryContent(workspace, Provenance.WORKSPACE)

    def under(
        self, options: LoadingOptions, changed: Collection[str], dry_runs: DryRunCache | None
    ) -> Self | None:
        """Returns the repositories there are if the variables `changed` of the environment have the
        values of `options`: only what rules that read one of them make is looked for anew. None
        where WORKSPACE itself may come out otherwise."""
        others = self.made_of(changed)
        if self._modules is not None or not self._is_complete or others & self._asked_early:
            return None
        table = copy.copy(self)
        table._options = options
        table._placer = RepositoryPlacer(self._workspace, options, self._facts, table, dry_runs)
        table._placer.context = self._placer.context
        table._placements = {n: p for n, p in self._placements.items() if n not in others}
        table._taken = frozenset(table._placements)
        table._running = set()
        table._nested = NestedPlacing(table._running)
        table._asked_by = {name: set(askers) for name, askers in self._asked_by.items()}
        return table

    def run_dry(self) -> tuple[str, ...]:
        """The repositories whose rule was run dry so far, or whose kept result was taken; those
        that another table has done so for (`under`) are not among them."""
        return tuple(
            name
            for name, (_, placement) in self._placements.items()
            if placement.dry_run is not None and name not in self._taken
        )

    def made_of(self, variables: Iterable[str]) -> set[str]:
        """The repositories whose content hangs on variables of the environment, as far as they
        were looked into: their rules read one, or files of such a repository."""
        readers = (name for variable in variables for name in self.readers_of(variable))
        return set(distances(readers, lambda name: self._asked_by.get(name, ())))

    # ---- WORKSPACE

    @property
    def workspace_file(self) -> str | None:
        """The WORKSPACE file's name; newer Bazels take `WORKSPACE.bazel` first."""
        if not self._options.reads_workspace:
            return None
        names = ["WORKSPACE"]
        if self._facts.builtin.reads_workspace_bazel:
            names.insert(0, "WORKSPACE.bazel")
        if self._options.reads_modules:
            names.insert(0, "WORKSPACE.bzlmod")
        return next((name for name in names if self._workspace.is_file(name)), None)

    def evaluate(
        self, modules: ModuleLoader, context: EvaluationContext, predeclared: dict[str, object]
    ) -> None:
        """Evaluates MODULE.bazel and WORKSPACE, as far as this Bazel reads them, once. Their
        errors become diagnostics, not exceptions."""
        if self._is_evaluated:
            return
        self._is_evaluated = True
        self._placer.context = context
        if self._modules is not None:
            self._modules.evaluate(modules, context, self._placer.settings(context))
        self._told_by_modules = len(self._facts.may_define)
        name = self.workspace_file
        if name is not None:
            try:
                source = self._workspace.read(name)
            except LoadingError as error:
                self._facts.diagnostics.append(error.diagnostic)
            else:
                evaluate_workspace(source, self._facts, modules, context, predeclared, self)
        close_facts(self._facts)
        # A rule that ran before everything was defined may know more now.
        self._placements = {
            name: entry for name, entry in self._placements.items() if entry[1].unknown is None
        }
        self._is_complete = True

    # ---- Repositories

    def get(self, name: str) -> Repository | None:
        """The repository of that canonical name; None if certainly nothing defines it."""
        placement = self._placement(name)
        if placement is None:
            return None
        winner = self._facts.log.winner(name)
        return Repository(
            name,
            winner.definition if winner is not None else None,
            placement.provenance,
            placement.root,
            placement.build_file,
            placement.unknown,
        )

    def remedy_of_missing(self, name: str) -> str:
        """What would bring a repository that nothing defines; no text where nobody can tell."""
        if self._modules is not None:
            return self._modules.remedy_of_missing(name, self._uncalled)
        if remedy := self._uncalled.remedy(name, reads_workspace=True):
            return remedy
        alike = nearest(name, self._facts.log.names(), 1)
        return f"did you mean `@{alike[0]}`?" if alike else ""

    @cached_property
    def _uncalled(self) -> UncalledDefinitions:
        from bazelscope.loading.tree.uncalled_definitions import UncalledDefinitions

        return UncalledDefinitions(self._workspace)

    def placement(self, name: str) -> Placement | None:
        """Where a repository's content is from, and what its dry run recorded (downloads, patches,
        programs)."""
        return self._placement(name)

    def every(self) -> Mapping[str, Repository]:
        """Every external repository that is defined, by name."""
        by_name: dict[str, Repository] = {}
        for name in sorted({*self.definitions, *self._options.override_repositories}):
            repository = self.get(name)
            if repository is not None:
                by_name[name] = repository
        return by_name

    def assumptions(self, repositories: Iterable[str]) -> tuple[Unknown, ...]:
        """What the content of those external repositories was taken for granted for, where a
        repository rule was run dry."""
        placements = (self.placement(name) for name in sorted(set(repositories) - {""}))
        runs = (placement.dry_run for placement in placements if placement is not None)
        return tuple(
            assumption for run in runs if run is not None for assumption in run.assumptions
        )

    def failure_of(self, name: str) -> Diagnostic | None:
        """Why Bazel surely cannot make a repository: its rule ends in a `fail()` of its own, the
        folder is not there that it is made of, or its extension makes nothing."""
        placement = self._placement(name)
        extensions = self.extensions
        failure = extensions.failure_of(name) if extensions is not None else None
        if failure is not None and name not in self._options.override_repositories:
            return failure
        if placement is None or placement.failure is not None:
            return placement.failure if placement is not None else None
        run = placement.dry_run
        refusal = run.refusal if run is not None else None
        may_differ = extensions is not None and extensions.hears_more(name)
        return None if refusal is not None and may_differ else refusal

    def find_file(self, repository: str, path: str) -> FileFound | Unknown | None:
        """The file at `path` of `repository`; None if it certainly does not exist."""
        content = self.content(repository)
        return None if content is None or not is_clean(path) else content.find(path)

    def build_file(self, repository: str, package: str) -> FileFound | Unknown | None:
        """The BUILD file of a package; None if there is certainly no such package."""
        content = self.content(repository)
        return None if content is None else find_build_file(content, package)

    def list_files(self, repository: str, package: str) -> tuple[str, ...] | Unknown:
        """All files below a package, relative to it."""
        content = self.content(repository)
        return () if content is None else content.files_below(package)

    # ---- What a dry run reads (FilesOfRepositories)

    def read_text(self, file: FileFound) -> str | Unknown:
        return read_text(self._workspace.disk, file)

    def directory_of(self, repository: str) -> str | None:
        if not repository:
            return str(self._workspace.root)
        placement = self._placement(repository)
        return placement.root if placement is not None else None

    def locate(self, absolute: str) -> tuple[str, str] | None:
        """Repository and path of an absolute path, if it lies in a known repository."""
        for name in ("", *sorted(self._placements)):
            root = self.directory_of(name) if not name else self._placements[name][1].root
            if root is not None and (absolute == root or absolute.startswith(f"{root}/")):
                path = absolute[len(root) + 1 :]
                return (name, path) if is_clean(path) else None
        return None

    def files_below(self, repository: str, directory: str) -> tuple[str, ...] | Unknown:
        return self.list_files(repository, directory)

    def is_ready(self, repository: str) -> bool:
        self._note(repository)
        if repository in self._running:
            return True
        winner = self._facts.log.winner(repository)
        known = self._placements.get(repository)
        if winner is None and known is None:
            return self._placer.undefined(repository) is None
        key = None if winner is None else winner.definition.location
        return known is not None and known[0] == key

    def missing_package(self, repository: str, package: str) -> str | None:
        id = PackageId(repository, package)
        is_deleted = not repository and self._is_deleted(package)
        failure = self.failure_of(repository) if repository else None
        if failure is not None:
            return failure.message
        if id == EXTERNAL_PACKAGE or (not is_deleted and self.build_file(*id) is not None):
            return None
        is_defined = self.content(repository) is not None
        if not is_defined and not self._is_complete:
            return None
        if not self._options.release.names_places_of_build_file:
            return "not found."
        if is_deleted:
            return DELETED
        return (
            nowhere_looked(id, self.in_errors(repository))
            if is_defined
            else unresolved(repository, self._options.release)
        )

    # ---- What a kept dry run is compared with (Answers)

    def local_directories(self) -> tuple[tuple[str, str], ...]:
        if self._local_directories is not None:
            return self._local_directories
        directories = [
            (name, path)
            for name, definition in self.definitions.items()
            if definition.rule_class in LOCAL
            and isinstance(path := definition.attributes.get("path"), str)
        ]
        if self._is_complete:
            self._local_directories = tuple(directories)
        return tuple(directories)

    def is_in_local_repository(self, path: str) -> bool:
        """Whether a file of the workspace, by its absolute path, also belongs to an external
        repository that is one of the workspace's directories."""
        root = self._workspace.root
        written = [path for _, path in self.local_directories()]
        written += self._options.override_repositories.values()
        places = {os.path.normpath(f"{root / place}") for place in written}
        return any(path.startswith(f"{place}/") for place in places if place != str(root))

    def is_settled(self, repository: str) -> bool:
        return self._is_complete and repository not in self._running

    # ---- Finding content

    def content(self, repository: str) -> Content | None:
        """The content of a repository; None if certainly nothing defines it."""
        if not repository:
            return self._main
        placement = self._placement(repository)
        return placement.content if placement is not None else None

    def known_placement(self, name: str) -> Placement | None:
        """Where a repository's content was found, if anybody has looked for it so far."""
        known = self._placements.get(name)
        return None if known is None else known[1]

    def _note(self, name: str) -> None:
        """Takes note of who asks for a repository."""
        if not self._is_complete:
            self._asked_early.add(name)
        if self._running:
            self._asked_by.setdefault(name, set()).update(self._running)

    def _placement(self, name: str) -> Placement | None:
        self._note(name)
        winner = self._facts.log.winner(name)
        known = self._placements.get(name)
        if winner is not None and known is not None and known[0] == winner.definition.location:
            return known[1]
        return self._nested.place(name, self._looked_for)

    def _looked_for(self, name: str) -> Placement | None:
        winner = self._facts.log.winner(name)
        if winner is None and self.extensions is not None:
            self.extensions.demand(name)
            winner = self._facts.log.winner(name)
        key = None if winner is None else winner.definition.location
        known = self._placements.get(name)
        if known is not None and known[0] == key:
            return known[1]
        if name in self._running:
            unknown = Unknown(
                Reason.FAILED, at_sign(name), "its repository rule needs the repository itself"
            )
            return unknown_placement(name, unknown, None)
        self._running.add(name)
        try:
            placement = self._placer.place(name, winner)
        finally:
            self._running.discard(name)
        if placement is not None:
            self._placements[name] = (key, placement)
        return placement
