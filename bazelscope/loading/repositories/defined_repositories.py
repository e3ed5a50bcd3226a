"""What WORKSPACE and MODULE.bazel say of repositories: definitions, names, binds, registrations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from bazelscope.base.errors import Diagnostic
from bazelscope.base.label import Label, PackageId, at_sign
from bazelscope.base.unknown import Unknown
from bazelscope.loading.evaluation.values.repository_rule import RepositoryRule
from bazelscope.loading.evaluation.workspace.repository_definitions import (
    EXTERNAL_PACKAGE,
    Binding,
    Registration,
    location_of,
)
from bazelscope.loading.evaluation.workspace.workspace_evaluation import WorkspaceFacts
from bazelscope.loading.modules.module_sources import ModuleSource, UnmadeRepository
from bazelscope.loading.packages.invisible_names import invisible
from bazelscope.loading.packages.targets import RepositoryDefinition
from bazelscope.loading.tree.loading_options import LoadingOptions

if TYPE_CHECKING:
    from bazelscope.loading.modules.extension_repositories import ExtensionRepositories
    from bazelscope.loading.modules.module_evaluation import ModuleEvaluation
    from bazelscope.loading.modules.module_repositories import ModuleRepositories

_NO_MAPPING: Mapping[str, str] = {}


class DefinedRepositories:
    """What is defined so far; all of it, once that is complete."""

    def __init__(self, options: LoadingOptions, facts: WorkspaceFacts) -> None:
        self._options = options
        self._facts = facts
        self._modules: ModuleEvaluation | None = None
        self._told_by_modules = 0
        """How many of the calls that may define more are those of modules."""
        self._is_complete = False
        self._definitions: Mapping[str, RepositoryDefinition] | None = None

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
        rule, known = self._rule(name), self._options.repo_env
        reads = rule.environ if isinstance(rule, RepositoryRule) else ()
        return tuple(variable for variable in reads if variable not in known)

    def files_that_read(self, variable: str) -> tuple[str, ...]:
        """The files, as users see them, whose rules declare that they read a variable."""
        read = (rule for _, rule in self._rules() if variable in rule.environ and rule.defined_at)
        return tuple(dict.fromkeys(rule.defined_at[0].location.path for rule in read))

    def _rule(self, name: str) -> object:
        """What makes a repository; None if nothing defines it."""
        winner = self._facts.log.winner(name)
        return winner.rule if winner is not None else None

    def _rules(self) -> Iterator[tuple[str, RepositoryRule]]:
        for name in self._facts.log.names():
            rule = self._rule(name)
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
        extensions = self.extensions
        base = extensions.base_of(repository) if extensions is not None else None
        return EXTERNAL_PACKAGE if base is None else base

    def rule_of(self, repository: str) -> RepositoryRule | UnmadeRepository | None:
        """The rule of a `.bzl` file that makes a repository, or why it cannot be had; None of one
        that no such rule makes."""
        rule = self._rule(repository)
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
        options, lost = self._options, {}
        if options.release.overridden_repositories_exist and not options.reads_workspace:
            lost = {name: invisible(name, "") for name in options.override_repositories}
        return self._modules.canonical_mapping({**lost, **known})

    @property
    def pattern_names(self) -> Mapping[str, str]:
        """Apparent names as target patterns of a build may say them: the workspace's own, too."""
        names = {name: canonical for name, canonical in self._facts.mapping().items() if name}
        return self.typed_names if self._modules is not None else names

    @property
    def modules(self) -> ModuleEvaluation | None:
        """The modules of the workspace; None where this Bazel reads no MODULE.bazel."""
        return self._modules

    @property
    def resolved_modules(self) -> ModuleRepositories | None:
        """The modules as repositories; None before they are resolved, or where there are none."""
        return self._modules.resolved if self._modules is not None else None

    @property
    def extensions(self) -> ExtensionRepositories | None:
        """What their extensions define; None as for `resolved_modules`."""
        return self._modules.extensions if self._modules is not None else None

    def canonical_name(self, repository: str) -> str | None:
        """What this Bazel calls a repository in `@@...`; None if no module defines it."""
        modules = self.resolved_modules
        return modules.canonical_of.get(repository) if modules is not None else None

    def sort_key(self, label: Label) -> Label:
        """What a label is sorted by: the canonical name of its repository, its package, its name.
        Bazel: `Label.compareTo`."""
        canonical = self.canonical_name(label.repository)
        return label._replace(repository=canonical) if canonical else label

    def in_errors(self, repository: str) -> str:
        """A repository as Bazel's errors have it: `@name`, since 7 `@@` and its canonical name.
        Bazel: `RepositoryName.toString`."""
        if not repository or not self._options.release.at_at_labels:
            return at_sign(repository) if repository else ""
        return f"@@{self.canonical_name(repository) or repository}"

    def repository_called(self, canonical: str) -> str | None:
        """The repository that this Bazel calls `@@canonical`; None if no module defines it."""
        modules = self.resolved_modules
        return modules.canonical.get(canonical) if modules is not None else None

    def known_module(self, repository: str) -> tuple[str, str] | None:
        """Name and version of the module that a repository is, or whose extension makes it, if the
        module's file was read."""
        modules, extensions = self.resolved_modules, self.extensions
        if modules is None or extensions is None:
            return None
        known = modules.modules.get(repository)
        if known is None:
            host = extensions.host_of(repository)
            known = modules.modules.get(host) if host is not None else None
        if known is None or known.file is None:
            return None
        return known.file.name, known.file.version

    def repository_of_module(self, module: str) -> str | None:
        """The repository that a module is here, `""` for the root; None if it is not needed."""
        modules = self.resolved_modules
        return modules.repository_of(module) if modules is not None else None

    def module_of(self, name: str) -> str | None:
        """The Bazel module that a repository is, as a reader says it; None if it is none."""
        module = self._rule(name)
        return module.text if isinstance(module, ModuleSource) else None
