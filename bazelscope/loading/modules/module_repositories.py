"""The repositories that MODULE.bazel files define, and by which names modules see them.

A repository that the root module sees has the name here that the root module calls it by, so
that answers show what users write; any other has the name of its module, or of the module and
the extension that made it, with a `+`, much as Bazel 8 names them. Which version of a module
is chosen only a registry tells, or a lock file; where a module's own files are at hand (an
override, an output base) its MODULE.bazel is read as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from bazelscope.base.errors import Diagnostic, LabelError, StarlarkError
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.dry_run.run_state import DryRunSettings, FilesOfRepositories
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.repository_access import RepositoryAccess
from bazelscope.loading.evaluation.repository_attributes import check_arguments
from bazelscope.loading.evaluation.repository_definitions import (
    DefinedRepository,
    location_of,
    plain_value,
)
from bazelscope.loading.evaluation.rule_values import ModuleExtension, RepositoryRule
from bazelscope.loading.evaluation.workspace_evaluation import Modules, WorkspaceFacts
from bazelscope.loading.modules.extensions import UsingModule, run_extension
from bazelscope.loading.modules.lock_file import LockedRepository, LockFile, extension_key
from bazelscope.loading.modules.module_file import (
    ExtensionUse,
    Import,
    ModuleDependency,
    ModuleFile,
    ModuleOverride,
    RuleCall,
)
from bazelscope.loading.modules.module_sources import (
    MODULE_CHUNK,
    ModuleSource,
    UnmadeRepository,
)
from bazelscope.loading.packages.targets import RepositoryDefinition

_MOST_MODULES = 2_000


@dataclass(slots=True)
class KnownModule:
    """A module whose MODULE.bazel was read. `repository` is empty for the root."""

    file: ModuleFile
    repository: str
    mapping: dict[str, str] = field(default_factory=dict)

    @property
    def package(self) -> PackageId:
        return PackageId(self.repository, "")


class ModuleReader(Protocol):
    """Who evaluates the MODULE.bazel of a repository whose files are at hand."""

    def module_file(self, repository: str) -> ModuleFile | None: ...


@dataclass(slots=True)
class _Extension:
    file: Label
    name: str
    uses: list[tuple[KnownModule, ExtensionUse]] = field(default_factory=list)


class ModuleRepositories:
    """Defines what the root module and all known modules below it need.

    `define` is called with each definition, a module's before those of what it needs.
    """

    def __init__(
        self, reader: ModuleReader, lock: LockFile, define: Callable[[DefinedRepository], None]
    ) -> None:
        self._reader = reader
        self._lock = lock
        self._define = define
        self._names: dict[str, str] = {}
        """Module name to repository name."""
        self._taken: set[str] = set()
        self._modules: dict[str, KnownModule] = {}
        self._extensions: dict[tuple[Label, str], _Extension] = {}
        self.diagnostics: list[Diagnostic] = []
        self.unknowns: list[Unknown] = []

    @property
    def modules(self) -> Mapping[str, KnownModule]:
        """The modules whose MODULE.bazel was read, by repository name; `""` is the root."""
        return self._modules

    def repository_of(self, module: str) -> str | None:
        """The repository that a module is here, `""` for the root; None if it is not needed."""
        root = self._modules.get("")
        if root is not None and module and root.file.name == module:
            return ""
        return self._names.get(module)

    def mapping(self, repository: str) -> Mapping[str, str] | None:
        """Apparent to repository names as a known module sees them; None for any other."""
        module = self._modules.get(repository)
        return module.mapping if module is not None else None

    def resolve(self, root: ModuleFile) -> None:
        """Defines the modules that are needed, level by level."""
        overrides = root.overrides
        first = KnownModule(root, "")
        self._modules[""] = first
        self._taken.update(name for name in _visible_names(root))
        queue = [first]
        for module in queue:
            self._name_itself(module)
            for dependency in module.file.dependencies:
                known = self._names.get(dependency.name)
                if known is None:
                    known = self._name(dependency, module)
                    self._names[dependency.name] = known
                    source = self._source(dependency, overrides.get(dependency.name))
                    self._define(_module_definition(known, dependency, source))
                    made = self._reader.module_file(known)
                    if made is not None and len(queue) < _MOST_MODULES:
                        below = KnownModule(made, known)
                        self._modules[known] = below
                        queue.append(below)
                if dependency.repository is not None:
                    module.mapping[dependency.repository] = known
            self._note_extensions(module)

    def run_rules(self, modules: Modules, access: RepositoryAccess) -> None:
        """Defines what `use_repo_rule` made."""
        for module in self._modules.values():
            for call in module.file.rule_calls:
                name = self._own_name(module, call.repository, call.repository)
                module.mapping[call.repository] = name
                self._define(self._called(call, name, module, modules, access))

    def run_extensions(
        self,
        modules: Modules,
        access: RepositoryAccess,
        context: EvaluationContext,
        files_of: FilesOfRepositories,
        settings: DryRunSettings,
        new_facts: Callable[[], WorkspaceFacts],
    ) -> None:
        """Defines what module extensions make and `use_repo` brings into scope."""
        for extension in self._extensions.values():
            made, unknown = self._make(
                extension, modules, access, context, files_of, settings, new_facts
            )
            for module, use in extension.uses:
                for apparent, imported in use.imports.items():
                    name = self._own_name(module, apparent, f"{extension.name}+{imported.original}")
                    module.mapping[apparent] = name
                    found = made.get(imported.original)
                    if found is not None:
                        self._define(_imported(name, imported, found))
                    else:
                        self._define(_unmade(name, imported, extension, unknown))

    # ---- Names

    def _name_itself(self, module: KnownModule) -> None:
        module.mapping[""] = module.repository
        if module.file.repository:
            module.mapping[module.file.repository] = module.repository

    def _name(self, dependency: ModuleDependency, module: KnownModule) -> str:
        if not module.repository and dependency.repository is not None:
            return dependency.repository
        return self._free(dependency.name)

    def _own_name(self, module: KnownModule, apparent: str, name: str) -> str:
        return apparent if not module.repository else self._free(f"{module.repository}+{name}")

    def _free(self, name: str) -> str:
        while name in self._taken:
            name += "+"
        self._taken.add(name)
        return name

    def _canonical(self, text: str) -> str:
        """A label of a lock file, `@@rules_cc+//x:y`, by the names used here."""
        if not text.startswith("@@"):
            return text
        repository, slashes, rest = text[2:].partition("//")
        module = repository.replace("~", "+").partition("+")[0]
        return f"@@{self._names.get(module, module)}{slashes}{rest}"

    # ---- Modules

    def _source(
        self, dependency: ModuleDependency, override: ModuleOverride | None
    ) -> ModuleSource:
        chosen = self._lock.versions.get(dependency.name, ())
        version = chosen[-1] if chosen else dependency.version
        if override is not None and isinstance(override.arguments.get("version"), str):
            version = str(override.arguments["version"]) or version
        return ModuleSource(dependency.name, version, bool(chosen), override)

    def _called(
        self,
        call: RuleCall,
        name: str,
        module: KnownModule,
        modules: Modules,
        access: RepositoryAccess,
    ) -> DefinedRepository:
        rule = self._symbol(call.file, call.rule, module, modules, access)
        plain = {key: plain_value(value) for key, value in call.arguments.items() if key != "name"}
        definition = RepositoryDefinition(name, call.rule, plain, call.location, call.call_stack)
        if isinstance(rule, RepositoryRule):
            try:
                check_arguments(call.rule, name, call.arguments, rule.attributes, rule.defined_at)
            except StarlarkError as error:
                self.diagnostics.append(replace(error.diagnostic, call_stack=call.call_stack))
            return DefinedRepository(definition, rule, call.arguments, MODULE_CHUNK)
        if not isinstance(rule, Unknown):
            rule = Unknown(Reason.FAILED, f"{call.file}%{call.rule}", "no repository rule")
        return DefinedRepository(definition, UnmadeRepository(rule), {}, MODULE_CHUNK)

    def _symbol(
        self,
        file: str,
        name: str,
        module: KnownModule,
        modules: Modules,
        access: RepositoryAccess,
    ) -> object:
        """What a `.bzl` file calls `name`; an `Unknown` where that cannot be told."""
        shown = f"{file}%{name}"
        try:
            label = parse_label(file, module.package, module.mapping)
        except LabelError as error:
            return Unknown(Reason.FAILED, shown, error.diagnostic.message)
        loaded = modules.module(label, access)
        if isinstance(loaded, Unknown):
            return Unknown(loaded.reason, shown, loaded.detail)
        if name not in loaded.globals:
            return Unknown(Reason.FAILED, shown, f"{label} does not define it")
        return loaded.globals[name]

    # ---- Extensions

    def _note_extensions(self, module: KnownModule) -> None:
        for use in module.file.extensions.values():
            try:
                label = parse_label(use.file, module.package, module.mapping)
            except LabelError as error:
                self.diagnostics.append(error.diagnostic)
                continue
            key = (label, use.name)
            known = self._extensions.setdefault(key, _Extension(label, use.name))
            known.uses.append((module, use))

    def _make(
        self,
        extension: _Extension,
        modules: Modules,
        access: RepositoryAccess,
        context: EvaluationContext,
        files_of: FilesOfRepositories,
        settings: DryRunSettings,
        new_facts: Callable[[], WorkspaceFacts],
    ) -> tuple[Mapping[str, DefinedRepository], Unknown]:
        """What the extension makes, and why anything else that is asked of it is unknown."""
        _, first = extension.uses[0]
        shown = f"{extension.file}%{extension.name}"
        found = self._symbol(
            str(extension.file), extension.name, self._modules[""], modules, access
        )
        unknown = Unknown(Reason.FAILED, shown, "no module extension", first.location)
        if isinstance(found, ModuleExtension):
            using = [
                UsingModule(
                    module.file.name,
                    module.file.version,
                    not module.repository,
                    tuple(use.tags),
                    module.package,
                    module.mapping,
                )
                for module, use in extension.uses
            ]
            result = run_extension(
                shown, found, using, context, files_of, settings, new_facts(), first.location
            )
            if result.failure is None and not result.unknowns:
                detail = "the extension makes no such repository"
                return result.repositories, Unknown(Reason.FAILED, shown, detail, first.location)
            self.unknowns.extend(result.unknowns)
            unknown = result.unknowns[0] if result.unknowns else unknown
            locked = dict(self._locked(extension, modules, access))
            return {**locked, **result.repositories}, unknown
        if isinstance(found, Unknown):
            unknown = Unknown(found.reason, shown, found.detail, first.location)
        return dict(self._locked(extension, modules, access)), unknown

    def _locked(
        self, extension: _Extension, modules: Modules, access: RepositoryAccess
    ) -> Iterator[tuple[str, DefinedRepository]]:
        """What the lock file says that the extension made."""
        key = extension_key(str(extension.file), extension.name)
        _, first = extension.uses[0]
        for name, locked in self._lock.extensions.get(key, {}).items():
            rule = self._symbol(
                self._canonical(locked.file), locked.rule, self._modules[""], modules, access
            )
            arguments = self._locked_arguments(locked)
            plain = {name: plain_value(value) for name, value in arguments.items()}
            definition = RepositoryDefinition(name, locked.rule, plain, first.location, ())
            if isinstance(rule, RepositoryRule):
                yield name, DefinedRepository(definition, rule, arguments, MODULE_CHUNK)
            else:
                unknown = rule if isinstance(rule, Unknown) else Unknown(Reason.FAILED, locked.file)
                made = UnmadeRepository(unknown)
                yield name, DefinedRepository(definition, made, {}, MODULE_CHUNK)

    def _locked_arguments(self, locked: LockedRepository) -> dict[str, object]:
        return {
            name: self._canonical(value) if isinstance(value, str) else value
            for name, value in locked.arguments.items()
            if name != "name"
        }


def _visible_names(root: ModuleFile) -> Iterator[str]:
    for dependency in root.dependencies:
        if dependency.repository is not None:
            yield dependency.repository
    for use in root.extensions.values():
        yield from use.imports
    for call in root.rule_calls:
        yield call.repository


def _module_definition(
    name: str, dependency: ModuleDependency, source: ModuleSource
) -> DefinedRepository:
    override = source.override
    attributes: dict[str, object] = {"module": dependency.name, "version": source.version}
    asked = RepositoryDefinition(
        name, "bazel_dep", attributes, dependency.location, dependency.call_stack
    )
    if override is None:
        return DefinedRepository(asked, source, {}, MODULE_CHUNK)
    definition = RepositoryDefinition(
        name,
        override.kind,
        {**attributes, **override.arguments},
        override.location,
        override.call_stack,
        (asked,),
    )
    return DefinedRepository(definition, source, {}, MODULE_CHUNK)


def _imported(name: str, imported: Import, found: DefinedRepository) -> DefinedRepository:
    """A repository of an extension under the name that a module gives it."""
    stack = (*imported.call_stack, *found.definition.call_stack)
    definition = replace(
        found.definition,
        name=name,
        location=location_of(found.definition.call_stack) if stack else imported.location,
        call_stack=stack,
    )
    if not found.definition.call_stack:
        definition = replace(definition, location=imported.location)
    return replace(found, definition=definition, chunk=MODULE_CHUNK)


def _unmade(
    name: str, imported: Import, extension: _Extension, unknown: Unknown
) -> DefinedRepository:
    attributes = {
        "extension": f"{extension.file}%{extension.name}",
        "repository": imported.original,
    }
    definition = RepositoryDefinition(
        name, "module_extension", attributes, imported.location, imported.call_stack
    )
    return DefinedRepository(definition, UnmadeRepository(unknown), {}, MODULE_CHUNK)
