"""The external repositories of a workspace: their definitions, and what files they have.

MODULE.bazel and WORKSPACE define them; `repository_placer` looks for the content of each.
"""

from __future__ import annotations

import copy
import os.path
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Self

from bazelscope.base.errors import Diagnostic, LoadingError
from bazelscope.base.graph_walk import distances
from bazelscope.base.label import Label, PackageId, at_sign
from bazelscope.base.nearest import nearest
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.builtin_repositories import (
    builtin_repositories,
    without_workspace,
)
from bazelscope.loading.dry_run.run_cache import DryRunCache
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.values.repository_rule import RepositoryRule
from bazelscope.loading.evaluation.workspace.repository_definitions import (
    EXTERNAL_PACKAGE,
    Binding,
    Registration,
    location_of,
)
from bazelscope.loading.evaluation.workspace.workspace_evaluation import (
    Modules,
    close_facts,
    evaluate_workspace,
    new_facts,
)
from bazelscope.loading.modules.module_sources import ModuleSource, UnmadeRepository
from bazelscope.loading.packages.invisible_names import unresolved
from bazelscope.loading.packages.repository_access import FileFound
from bazelscope.loading.packages.repository_content import (
    Content,
    DirectoryContent,
    find_build_file,
)
from bazelscope.loading.packages.targets import Provenance, Repository, RepositoryDefinition
from bazelscope.loading.repositories.nested_placing import NestedPlacing
from bazelscope.loading.repositories.repository_files import (
    DELETED,
    Placement,
    nowhere_looked,
    read_text,
    unknown_placement,
)
from bazelscope.loading.repositories.repository_placer import (
    LOCAL,
    RepositoryOptions,
    RepositoryPlacer,
)
from bazelscope.loading.tree.workspace_files import Workspace, is_clean

if TYPE_CHECKING:
    from bazelscope.loading.modules.module_evaluation import ModuleEvaluation
    from bazelscope.loading.tree.uncalled_definitions import UncalledDefinitions

_NO_MAPPING: Mapping[str, str] = {}


class RepositoryTable:
    """The repositories of one workspace. `evaluate` fills it; while that runs, it answers
    with what is defined so far, since WORKSPACE loads from the repositories it defines."""

    def __init__(
        self,
        workspace: Workspace,
        options: RepositoryOptions,
        is_deleted: Callable[[str], bool],
        about_to_read: Callable[[str], object] = str,
        dry_runs: DryRunCache | None = None,
    ) -> None:
        """`is_deleted` tells whether a directory of the workspace is no package whatever lies
        there; `about_to_read` is told the path of each file that decides what is defined;
        `dry_runs` has what earlier runs of the tool found out."""
        self._workspace = workspace
        self._is_deleted = is_deleted
        self._options = options
        builtin = builtin_repositories(options.release)
        if not options.reads_workspace:
            builtin = without_workspace(builtin)
        self._facts = new_facts(builtin)
        self._modules: ModuleEvaluation | None = None
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
        self._told_by_modules = 0
        """How many of the calls that may define more are those of modules."""
        self._is_evaluated = False
        self._is_complete = False
        self._definitions: Mapping[str, RepositoryDefinition] | None = None
        self._local_directories: tuple[tuple[str, str], ...] | None = None
        self._main = DirectoryContent(workspace, Provenance.WORKSPACE)

    def under(
        self,
        options: RepositoryOptions,
        changed: Collection[str],
        dry_runs: DryRunCache | None,
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
        self, modules: Modules, context: EvaluationContext, predeclared: dict[str, object]
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

    @property
    def definitions(self) -> Mapping[str, RepositoryDefinition]:
        """The definition in force of every repository, by name, sorted."""
        if self._definitions is not None:
            return self._definitions
        definitions: dict[str, RepositoryDefinition] = {}
        for name in self._facts.log.names():
            winner = self._facts.log.winner(name)
            if winner is not None:
                definitions[name] = winner.definition
        if self._is_complete:
            self._definitions = definitions
        return definitions

    @property
    def external(self) -> Mapping[str, RepositoryDefinition] | None:
        """The repositories that are targets of `//external`: those of WORKSPACE, and the
        workspace itself if it has a name, but none of modules. None: there is no `//external`
        where Bazel reads no WORKSPACE.

        Bazel: `WorkspaceGlobals.workspace`; issue 20855 for the package that is gone.
        """
        if not self._options.reads_workspace:
            return None
        facts = self._facts
        definitions = {
            name: definition
            for name, definition in self.definitions.items()
            if facts.log.last(name) is not None
        }
        if facts.name and facts.log.last(facts.name) is None:
            place, stack = location_of(facts.name_stack), facts.name_stack
            definitions[facts.name] = RepositoryDefinition(
                facts.name, "local_repository", {"path": "."}, place, stack
            )
        return definitions

    def readers_of(self, variable: str) -> tuple[str, ...]:
        """The repositories whose rule declares that it reads a variable of the environment."""
        return tuple(name for name, rule in self._rules() if variable in rule.environ)

    def variables(self) -> tuple[str, ...]:
        """The variables that some repository's rule declares that it reads."""
        return tuple(dict.fromkeys(name for _, rule in self._rules() for name in rule.environ))

    def without_values(self, name: str) -> tuple[str, ...]:
        """The variables that the rule of a repository declares that it reads, and that have no
        value."""
        winner = self._facts.log.winner(name)
        rule = winner.rule if winner is not None else None
        known = self._options.repo_env
        reads = rule.environ if isinstance(rule, RepositoryRule) else ()
        return tuple(variable for variable in reads if variable not in known)

    def files_that_read(self, variable: str) -> tuple[str, ...]:
        """The files, as users see them, whose rules declare that they read a variable."""
        read = (rule for _, rule in self._rules() if variable in rule.environ and rule.defined_at)
        return tuple(dict.fromkeys(rule.defined_at[0].location.path for rule in read))

    def _rules(self) -> Iterator[tuple[str, RepositoryRule]]:
        for name in self._facts.log.names():
            winner = self._facts.log.winner(name)
            rule = winner.rule if winner is not None else None
            if isinstance(rule, RepositoryRule):
                yield name, rule

    @property
    def bindings(self) -> Mapping[str, Label]:
        """What `//external:NAME` stands for, for every bind whose target is known."""
        return {
            name: binding.actual
            for name, binding in self._facts.log.bindings().items()
            if binding.actual is not None
        }

    @property
    def bound(self) -> Mapping[str, Binding]:
        """Every bind in force, with its place."""
        return self._facts.log.bindings()

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return tuple(self._facts.diagnostics)

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        return tuple(dict.fromkeys((*self._facts.unknowns, *self._facts.may_define)))

    @property
    def registrations(self) -> tuple[Registration | Unknown, ...]:
        """The registered toolchains and execution platforms in the order in which they are tried:
        those of the root module, of WORKSPACE, of other modules. What may register more comes
        before what its file registers, since nobody can tell what it precedes. Bazel:
        `RegisteredToolchainsFunction`."""
        modules = self._modules
        return tuple(
            dict.fromkeys(
                (
                    *(modules.registrations(of_root=True) if modules is not None else ()),
                    *self._facts.may_define[self._told_by_modules :],
                    *self._facts.registrations,
                    *(modules.registrations(of_root=False) if modules is not None else ()),
                )
            )
        )

    @property
    def unread_modules(self) -> tuple[Unknown, ...]:
        """The modules of which nobody can tell what they register."""
        return tuple(self._modules.unread()) if self._modules is not None else ()

    @property
    def may_register(self) -> tuple[Unknown, ...]:
        """Calls that may define more, since nobody can tell what they do."""
        return tuple(dict.fromkeys(self._facts.may_define))

    def unread_names(self, file: str) -> tuple[str, ...]:
        """What WORKSPACE loads from a file that cannot be read."""
        return self._facts.unread_names.get(file, ())

    @property
    def workspace_name(self) -> str:
        return self._facts.name

    def repo_mapping(self, repository: str) -> Mapping[str, str]:
        """Apparent to canonical names, as files of `repository` see them."""
        known = self._modules.mapping(repository) if self._modules is not None else None
        if known is not None:
            return known
        if not repository:
            return self._facts.mapping()
        mapping = self._mapping_of_workspace(repository)
        return self._modules.canonical_mapping(mapping) if self._modules is not None else mapping

    def argument_mapping(self, repository: str) -> Mapping[str, str]:
        """Apparent to canonical names, as the arguments of a repository's definition use them."""
        modules = self._modules
        mapping = modules.mapping_of_arguments(repository) if modules is not None else None
        return self.repo_mapping("") if mapping is None else mapping

    def argument_base(self, repository: str) -> PackageId:
        """The package to which labels among the arguments of a definition are relative."""
        modules = self._modules
        base = modules.base_of_arguments(repository) if modules is not None else None
        return EXTERNAL_PACKAGE if base is None else base

    def rule_of(self, repository: str) -> RepositoryRule | UnmadeRepository | None:
        """The rule of a `.bzl` file that makes a repository, or why it cannot be had; None of one
        that no such rule makes."""
        winner = self._facts.log.winner(repository)
        rule = winner.rule if winner is not None else None
        return rule if isinstance(rule, RepositoryRule | UnmadeRepository) else None

    def arguments_of(self, repository: str) -> Mapping[str, object] | None:
        """What the rule is given that makes a repository; None where nobody can tell."""
        winner = self._facts.log.winner(repository)
        if winner is None or isinstance(winner.rule, UnmadeRepository):
            return None
        return winner.arguments

    def _mapping_of_workspace(self, repository: str) -> Mapping[str, str]:
        winner = self._facts.log.winner(repository)
        written = winner.arguments.get("repo_mapping") if winner is not None else None
        mapping: dict[str, str] = {}
        if self._facts.name and self._facts.builtin.remaps_main_repository:
            mapping[self._facts.name] = ""
        if isinstance(written, Mapping):
            for apparent, canonical in written.items():
                if isinstance(apparent, str) and isinstance(canonical, str):
                    target = canonical.removeprefix("@")
                    is_main = target == self._facts.name and self._facts.name in mapping
                    mapping[apparent.removeprefix("@")] = "" if is_main else target
        return mapping or _NO_MAPPING

    @property
    def typed_names(self) -> Mapping[str, str]:
        """Apparent names as a command line may say them: with modules those that files of the
        root see; before, Bazel took what was typed for a repository's own name. A name that
        the root does not see is taken as it stands, for answers say it."""
        known = self._modules.mapping("") if self._modules is not None else None
        if known is None or self._modules is None:
            return _NO_MAPPING
        return self._modules.canonical_mapping({**known})

    @property
    def modules(self) -> ModuleEvaluation | None:
        """The modules of the workspace; None where this Bazel reads no MODULE.bazel."""
        return self._modules

    def canonical_name(self, repository: str) -> str | None:
        """What this Bazel calls a repository in `@@...`; None if no module defines it."""
        return self._modules.canonical_name(repository) if self._modules is not None else None

    def in_errors(self, repository: str) -> str:
        """A repository as Bazel's errors have it: `@name`, since 7 `@@` and its canonical name.
        Bazel: `RepositoryName.toString`."""
        if not repository or not self._options.release.at_at_labels:
            return at_sign(repository) if repository else ""
        return f"@@{self.canonical_name(repository) or repository}"

    def repository_called(self, canonical: str) -> str | None:
        """The repository that this Bazel calls `@@canonical`; None if no module defines it."""
        modules = self._modules
        return modules.repository_called(canonical) if modules is not None else None

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

    def known_module(self, repository: str) -> tuple[str, str] | None:
        """Name and version of the module that a repository is, if its file was read."""
        return self._modules.known_module(repository) if self._modules is not None else None

    def repository_of_module(self, module: str) -> str | None:
        """The repository that a module is here, `""` for the root; None if it is not needed."""
        return self._modules.repository_of(module) if self._modules is not None else None

    def module_of(self, name: str) -> str | None:
        """The Bazel module that a repository is, as a reader says it; None if it is none."""
        winner = self._facts.log.winner(name)
        module = winner.rule if winner is not None else None
        return module.text if isinstance(module, ModuleSource) else None

    def placement(self, name: str) -> Placement | None:
        """Where a repository's content is from, and what its dry run recorded (downloads, patches,
        programs)."""
        return self._placement(name)

    def failure_of(self, name: str) -> Diagnostic | None:
        """Why Bazel surely cannot make a repository: its rule ends in a `fail()` of its own, the
        folder is not there that it is made of, or its extension makes nothing."""
        placement = self._placement(name)
        failure = self._modules.failure_of(name) if self._modules is not None else None
        if failure is not None and name not in self._options.override_repositories:
            return failure
        if placement is None or placement.failure is not None:
            return placement.failure if placement is not None else None
        run = placement.dry_run
        return run.refusal if run is not None else None

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
        if winner is None and self._modules is not None:
            self._modules.demand(name)
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
