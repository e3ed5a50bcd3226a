"""The repositories that module extensions and `use_repo_rule` make.

An extension is run when something asks for one of its repositories, at the latest when all
modules are read. What it makes can be asked for by its canonical name, whether or not a
`use_repo` brings it into scope. Bazel: `SingleExtensionEvalFunction`, `ModuleExtensionRepoMapping`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace
from typing import NamedTuple

from bazelscope.base.errors import Diagnostic, LabelError, StarlarkError
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.builtin_modules import extensions_of_bazel_tools
from bazelscope.bazel.release import Release
from bazelscope.loading.dry_run.run_result import DryRunSettings, FilesOfRepositories, NestedTooDeep
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.rules.rule_values import ModuleExtension
from bazelscope.loading.evaluation.values.repository_rule import RepositoryRule
from bazelscope.loading.evaluation.workspace.repository_attributes import check_arguments
from bazelscope.loading.evaluation.workspace.repository_definitions import (
    DefinedRepository,
    location_of,
    plain_value,
)
from bazelscope.loading.evaluation.workspace.workspace_evaluation import Modules, WorkspaceFacts
from bazelscope.loading.modules.extensions import ExtensionResult, ExtensionRun, UsingModule
from bazelscope.loading.modules.lock_file import LOCK_NAME, LockedExtension, LockFile
from bazelscope.loading.modules.module_file import ExtensionUse, Import, RuleCall
from bazelscope.loading.modules.module_repositories import KnownModule, ModuleRepositories
from bazelscope.loading.modules.module_sources import MODULE_CHUNK, OF_MODEL, UnmadeRepository
from bazelscope.loading.packages.repository_access import FileFound, RepositoryAccess
from bazelscope.loading.packages.targets import Provenance, RepositoryDefinition


@dataclass(frozen=True)
class Evaluator:
    """What it takes to load the files of extensions, and to run them."""

    modules: Modules
    access: RepositoryAccess
    context: EvaluationContext
    files_of: FilesOfRepositories
    settings: DryRunSettings
    new_facts: Callable[[], WorkspaceFacts]


@dataclass(slots=True, eq=False)
class Extension:
    """One module extension of the build. `host` is the module that it belongs to, `prefix` what
    the canonical names of its repositories begin with."""

    file: Label
    name: str
    host: KnownModule
    prefix: str
    uses: list[tuple[KnownModule, ExtensionUse]] = field(default_factory=list)
    made: dict[str, str] = field(default_factory=dict)
    """Its repositories: their own names, and the names used here."""
    is_run: bool = False
    unknown: Unknown | None = None
    """Why it may make others than these."""
    wanted_imports: frozenset[str] | None = None
    """Repositories that the root module shall import by its word; None if that is not known."""
    isolated: str = ""
    """Of an isolated use, the module and its variable, as a lock file has them."""

    @property
    def shown(self) -> str:
        return f"{self.file}%{self.name}"


class _Made(NamedTuple):
    """What an extension makes, and why anything else that is asked of it is unknown; `is_whole`
    where it surely makes nothing else."""

    repositories: Mapping[str, DefinedRepository]
    unknown: Unknown
    is_whole: bool = False


_BUILTIN = Location("bazel_tools/MODULE.bazel", 1, 1)


class ExtensionRepositories:
    """All extensions that the known modules use, and those of the lock file besides."""

    def __init__(
        self,
        repositories: ModuleRepositories,
        lock: LockFile,
        evaluator: Evaluator,
        define: Callable[[DefinedRepository], None],
        release: Release,
    ) -> None:
        self._repositories = repositories
        self._lock = lock
        self._evaluator = evaluator
        self._define = define
        self.extensions: dict[tuple[Label, str, str], Extension] = {}
        self._makers: dict[str, Extension] = {}
        """Which extension makes a repository, by the name used here."""
        self._innate: dict[str, KnownModule] = {}
        self._calls: list[tuple[str, KnownModule, RuleCall]] = []
        self.diagnostics: list[Diagnostic] = []
        self.unknowns: list[Unknown] = []
        for module in repositories.modules.values():
            if module.file is not None:
                self._note_uses(module)
                self._note_calls(module)
            elif module.key.name == "bazel_tools":
                self._note_uses_of_tools(module, release)
        for module in repositories.modules.values():
            self._note_imports(module)
        self._note_locked()

    def evaluate(self) -> None:
        """Defines everything: what `use_repo_rule` makes, then what extensions make."""
        for name, module, call in self._calls:
            self._define(self._called(call, name, module))
        for extension in list(self.extensions.values()):
            self._run(extension)

    def demand(self, repository: str) -> None:
        """Makes sure that a repository is defined, if an extension makes it."""
        extension = self._makers.get(repository)
        if extension is not None:
            self._run(extension)

    def mapping(self, repository: str) -> Mapping[str, str] | None:
        """What files of an extension's repository see; None if no extension makes it."""
        extension = self._makers.get(repository)
        if extension is not None:
            return self._mapping_in(extension)
        module = self._innate.get(repository)
        if module is not None:
            return self._repositories.mapping_of(module, {})
        return None

    def host_of(self, repository: str) -> str | None:
        """The repository whose names the labels among a definition's arguments are."""
        extension = self._makers.get(repository)
        if extension is not None:
            return extension.host.repository
        module = self._innate.get(repository)
        return module.repository if module is not None else None

    # ---- Who uses what

    def _note_uses(self, module: KnownModule) -> None:
        assert module.file is not None
        for use in module.file.extensions.values():
            try:
                label = parse_label(use.file, module.package, self._names_in(module))
            except LabelError as error:
                self.diagnostics.append(error.diagnostic)
                continue
            self._extension(label, use.name, module, use).uses.append((module, use))

    def _names_in(self, module: KnownModule) -> Mapping[str, str]:
        return self._repositories.mapping_of(module, {})

    def _extension(
        self, label: Label, name: str, user: KnownModule, use: ExtensionUse | None = None
    ) -> Extension:
        isolated = f"{user.key}+{use.exported}" if use is not None and use.is_isolated else ""
        known = self.extensions.get((label, name, isolated))
        if known is None:
            host = self._repositories.modules.get(label.repository, user)
            canonical = self._repositories.canonical_of.get(label.repository, label.repository)
            names = self._repositories.names
            if use is not None and isolated:
                prefix = names.isolated_extension(canonical, name, user.key, use.exported)
            else:
                prefix = names.extension(canonical, name)
            known = Extension(label, name, host, prefix, isolated=isolated)
            self.extensions[label, name, isolated] = known
        return known

    def _note_imports(self, module: KnownModule) -> None:
        for extension in self.extensions.values():
            for user, use in extension.uses:
                if user is not module:
                    continue
                for apparent, imported in use.imports.items():
                    name = self._name(extension, imported.original, module, apparent)
                    module.mapping[apparent] = name

    def _name(
        self,
        extension: Extension,
        original: str,
        module: KnownModule | None = None,
        apparent: str = "",
    ) -> str:
        """The name here of what the extension calls `original`."""
        root = self._repositories.root
        for user, use in extension.uses:
            if user is root and original in use.replaced:
                return root.mapping.get(use.replaced[original], use.replaced[original])
        if original not in extension.made:
            canonical = extension.prefix + original
            name = apparent if module is root and apparent else canonical
            extension.made[original] = name
            self._makers[name] = extension
            self._repositories.see(name, canonical)
        return extension.made[original]

    def _note_calls(self, module: KnownModule) -> None:
        assert module.file is not None
        prefixes: dict[tuple[str, str], tuple[str, ...]] = {}
        is_root = module is self._repositories.root
        for call in module.file.rule_calls:
            key = (call.file, call.rule)
            if key not in prefixes:
                names = self._repositories.names
                prefixes[key] = names.innate_extension(module.canonical, call.rule)
            canonical = [prefix + call.repository for prefix in prefixes[key]]
            name = call.repository if is_root else canonical[0]
            for spelling in canonical:
                self._repositories.see(name, spelling)
            self._repositories.canonical_of[name] = canonical[0]
            module.mapping[call.repository] = name
            self._innate[name] = module
            self._calls.append((name, module, call))

    def _note_uses_of_tools(self, module: KnownModule, release: Release) -> None:
        """The same of `bazel_tools`, whose MODULE.bazel comes with Bazel."""
        names = self._names_in(module)
        for (file, name), repositories in extensions_of_bazel_tools(release).items():
            if file.startswith("@") and file[1:].partition("//")[0] not in names:
                continue  # Which modules it asks for is not known.
            imports = {original: Import(original, _BUILTIN, ()) for original in repositories}
            use = ExtensionUse(file, name, _BUILTIN, imports=imports)
            label = parse_label(file, module.package, names)
            self._extension(label, name, module, use).uses.append((module, use))

    def _note_locked(self) -> None:
        """Extensions that only the lock file tells of: no module that could be read uses them."""
        mapping = self._names_in(self._repositories.root)
        for (_, _, isolated), locked in self._lock.extensions.items():
            if isolated:
                continue
            try:
                label = parse_label(locked.file, PackageId("", ""), mapping)
            except LabelError:
                continue
            if label.repository in self._repositories.modules:
                host = self._repositories.modules[label.repository]
                extension = self._extension(label, locked.name, host)
                for original in locked.repositories:
                    self._name(extension, original)

    def _locked(self, extension: Extension) -> LockedExtension | None:
        host = self._repositories.canonical_of.get(extension.file.repository, "")
        file = f"@@{host}//{extension.file.package}:{extension.file.name}"
        return self._lock.extensions.get((file, extension.name, extension.isolated))

    # ---- What is made

    def _mapping_in(self, extension: Extension) -> Mapping[str, str]:
        made = dict(extension.made)
        root = self._repositories.root
        for user, use in extension.uses:
            if user is root:
                for original, apparent in use.replaced.items():
                    made[original] = root.mapping.get(apparent, apparent)
        return self._repositories.mapping_of(extension.host, made)

    def _run(self, extension: Extension) -> None:
        if extension.is_run:
            return
        extension.is_run = True
        try:
            made, unknown, is_whole = self._make(extension)
        except NestedTooDeep:
            extension.is_run = False  # It is to be run once more.
            raise
        if not is_whole:
            extension.unknown = unknown
        imports = {
            imported.original: imported
            for _, use in reversed(extension.uses)
            for imported in use.imports.values()
        }
        for original, definition in made.items():
            name = self._name(extension, original)
            self._define(_named(name, imports.get(original), definition))
        for original, imported in imports.items():
            name = self._name(extension, original)
            if original not in made and name in self._makers:
                self._define(_unmade(name, imported, extension, unknown))

    def _make(self, extension: Extension) -> _Made:
        locked = dict(self._locked_repositories(extension))
        in_lock = self._locked(extension)
        if in_lock is not None:
            extension.wanted_imports = in_lock.wanted_imports
        if not extension.uses:
            detail = "the lock file names no such repository of it"
            return _Made(locked, Unknown(Reason.FAILED, extension.shown, detail))
        place = extension.uses[0][1].location
        symbol = self._symbol(extension.file, extension.name)
        if isinstance(symbol, ModuleExtension):
            return self._run_dry(extension, symbol, locked, place)
        unknown = Unknown(Reason.FAILED, extension.shown, "no module extension", place)
        if isinstance(symbol, Unknown):
            unknown = Unknown(symbol.reason, extension.shown, symbol.detail, place)
        return _Made(locked, unknown)

    def _run_dry(
        self,
        extension: Extension,
        symbol: ModuleExtension,
        locked: Mapping[str, DefinedRepository],
        place: Location,
    ) -> _Made:
        is_model = self._is_model(extension)
        result = self._result(extension, symbol, place, is_model)
        if result.wanted_imports is not None and not is_model:
            extension.wanted_imports = result.wanted_imports
        if result.failure is None and not result.unknowns and not is_model:
            detail = "the extension makes no such repository"
            why = Unknown(Reason.FAILED, extension.shown, detail, place)
            return _Made(result.repositories, why, is_whole=True)
        if result.failure is None and not result.unknowns:
            detail = "its model makes no such repository; the real one may"
            why = Unknown(Reason.NOT_MODELLED, extension.shown, detail, place)
            return _Made({**result.repositories, **_known(locked, result)}, why)
        self.unknowns.extend(result.unknowns)
        why = result.unknowns[0]
        modelled = self._by_model(extension, place) if result.failure is not None else None
        if modelled is None:
            return _Made({**locked, **result.repositories}, why)
        detail = f"told by a model, for the extension itself stops: {why.detail}"
        made = {**modelled.repositories, **_known(locked, modelled), **result.repositories}
        return _Made(made, replace(why, detail=detail))

    def _by_model(self, extension: Extension, place: Location) -> ExtensionResult | None:
        """What the model makes of an extension that is here, and that cannot be followed to its
        end: it asks programs and servers. None if there is no model of it."""
        file = extension.file
        there = Label(file.repository + OF_MODEL, file.package, file.name)
        symbol = self._symbol(there, extension.name)
        if not isinstance(symbol, ModuleExtension):
            return None
        return self._result(extension, symbol, place, is_model=True)

    def _result(
        self, extension: Extension, symbol: ModuleExtension, place: Location, is_model: bool
    ) -> ExtensionResult:
        using = [
            UsingModule(
                module.file.name,
                module.file.version,
                not module.repository,
                tuple(use.tags),
                module.package,
                self._names_in(module),
            )
            for module, use in extension.uses
            if module.file is not None
        ]
        evaluator = self._evaluator
        return ExtensionRun(
            extension.shown,
            symbol,
            using,
            evaluator.context,
            evaluator.files_of,
            evaluator.settings,
            evaluator.new_facts,
            place,
            is_model,
            bool(extension.isolated),
        ).result()

    def _is_model(self, extension: Extension) -> bool:
        """Whether not the extension itself is run, but a model of it."""
        file = extension.file
        file_there = self._evaluator.access.find_file(file.repository, file.path)
        return isinstance(file_there, FileFound) and file_there.provenance is Provenance.MODEL

    def _locked_repositories(self, extension: Extension) -> Iterator[tuple[str, DefinedRepository]]:
        """What the lock file says that the extension made."""
        locked = self._locked(extension)
        if locked is None:
            return
        mapping = self._mapping_in(extension)
        place = Location(LOCK_NAME, locked.line, 1)
        rules: dict[tuple[str, str], object] = {}
        for name, made in locked.repositories.items():
            key = (made.file, made.rule)
            if key not in rules:
                try:
                    label = parse_label(made.file, PackageId("", ""), mapping)
                except LabelError as error:
                    rules[key] = Unknown(Reason.FAILED, made.file, error.diagnostic.message)
                else:
                    rules[key] = self._symbol(label, made.rule)
            rule = rules[key]
            arguments = {key: item for key, item in made.arguments.items() if key != "name"}
            plain = {key: plain_value(item) for key, item in arguments.items()}
            definition = RepositoryDefinition(name, made.rule, plain, place, ())
            if isinstance(rule, RepositoryRule):
                yield name, DefinedRepository(definition, rule, arguments, MODULE_CHUNK)
            else:
                unknown = rule if isinstance(rule, Unknown) else Unknown(Reason.FAILED, made.file)
                unmade = UnmadeRepository(unknown)
                yield name, DefinedRepository(definition, unmade, {}, MODULE_CHUNK)

    def _called(self, call: RuleCall, name: str, module: KnownModule) -> DefinedRepository:
        plain = {key: plain_value(value) for key, value in call.arguments.items() if key != "name"}
        definition = RepositoryDefinition(name, call.rule, plain, call.location, call.call_stack)
        try:
            label = parse_label(call.file, module.package, self._names_in(module))
        except LabelError as error:
            shown = f"{call.file}%{call.rule}"
            wrong = Unknown(Reason.FAILED, shown, error.diagnostic.message)
            return DefinedRepository(definition, UnmadeRepository(wrong), {}, MODULE_CHUNK)
        rule = self._symbol(label, call.rule, f"{call.file}%{call.rule}")
        if isinstance(rule, RepositoryRule):
            try:
                check_arguments(call.rule, name, call.arguments, rule.attributes, rule.defined_at)
            except StarlarkError as error:
                self.diagnostics.append(replace(error.diagnostic, call_stack=call.call_stack))
            return DefinedRepository(definition, rule, call.arguments, MODULE_CHUNK)
        if not isinstance(rule, Unknown):
            rule = Unknown(Reason.FAILED, f"{call.file}%{call.rule}", "no repository rule")
        return DefinedRepository(definition, UnmadeRepository(rule), {}, MODULE_CHUNK)

    def _symbol(self, label: Label, name: str, shown: str = "") -> object:
        """What a `.bzl` file calls `name`; an `Unknown` where that cannot be told."""
        shown = shown or f"{label}%{name}"
        loaded = self._evaluator.modules.module(label, self._evaluator.access)
        if isinstance(loaded, Unknown):
            return Unknown(loaded.reason, shown, loaded.detail)
        if name not in loaded.globals:
            return Unknown(Reason.FAILED, shown, f"{label} does not define it")
        return loaded.globals[name]


def _known(
    locked: Mapping[str, DefinedRepository], model: ExtensionResult
) -> dict[str, DefinedRepository]:
    """What the lock file tells better than a model of the extension."""
    return {
        name: made
        for name, made in locked.items()
        if name not in model.repositories or isinstance(made.rule, RepositoryRule)
    }


def _named(name: str, imported: Import | None, made: DefinedRepository) -> DefinedRepository:
    """A repository of an extension under the name used here."""
    definition = made.definition
    stack = definition.call_stack
    if imported is not None:
        stack = (*imported.call_stack, *stack)
    place = location_of(made.definition.call_stack) if made.definition.call_stack else None
    if place is None:
        place = imported.location if imported is not None else definition.location
    definition = replace(definition, name=name, location=place, call_stack=stack)
    return replace(made, definition=definition, chunk=MODULE_CHUNK)


def _unmade(
    name: str, imported: Import, extension: Extension, unknown: Unknown
) -> DefinedRepository:
    attributes = {"extension": extension.shown, "repository": imported.original}
    definition = RepositoryDefinition(
        name, "module_extension", attributes, imported.location, imported.call_stack
    )
    return DefinedRepository(definition, UnmadeRepository(unknown), {}, MODULE_CHUNK)
