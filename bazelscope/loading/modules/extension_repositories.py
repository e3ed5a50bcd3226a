"""The repositories that module extensions and `use_repo_rule` make.

An extension is run when something asks for one of its repositories, at the latest when all
modules are read. What it makes can be asked for by its canonical name, whether or not a
`use_repo` brings it into scope. Bazel: `SingleExtensionEvalFunction`, `ModuleExtensionRepoMapping`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from bazelscope.base.errors import Diagnostic, LabelError
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.base.memoized import memoized
from bazelscope.base.source import Location
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.builtin_modules import extensions_of_bazel_tools
from bazelscope.bazel.release import Release
from bazelscope.loading.dry_run.run_result import NestedTooDeep
from bazelscope.loading.evaluation.workspace.repository_definitions import (
    MODULE_CHUNK,
    DefinedRepository,
    location_of,
)
from bazelscope.loading.modules.evaluator import Evaluator
from bazelscope.loading.modules.extension_making import ExtensionMaker
from bazelscope.loading.modules.lock_file import FROZEN, LockFile
from bazelscope.loading.modules.module_file import FILE_NAME, ExtensionUse, Import, RuleCall, Tag
from bazelscope.loading.modules.module_graph import ModuleKey
from bazelscope.loading.modules.module_repositories import (
    Extension,
    KnownModule,
    ModuleRepositories,
)
from bazelscope.loading.modules.module_sources import UnmadeRepository
from bazelscope.loading.packages.targets import RepositoryDefinition

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
        central_alone: bool,
    ) -> None:
        self._repositories = repositories
        self._central_alone = central_alone
        self._release = release
        self._lock = lock
        self._define = define
        self._names = repositories.names
        self.maker = ExtensionMaker(repositories, lock, evaluator)
        self.extensions: dict[tuple[Label, str, str], Extension] = {}
        self._makers: dict[str, Extension] = {}
        """Which extension makes a repository, by the name used here."""
        self._innate: dict[tuple[ModuleKey, str], Extension] = {}
        """What `use_repo_rule` of each module is: by the name of the extension."""
        self._calls: list[tuple[str, KnownModule, RuleCall]] = []
        self._running: list[Extension] = []
        self.diagnostics, self.unknowns = self.maker.diagnostics, self.maker.unknowns
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
            definition, failure = self.maker.called(call, name, module)
            self._define(definition)
            extension = self._makers[name]
            if failure is not None and extension.failure is None:
                extension.failure = failure if self._knows_all_uses(extension) else None
        for extension in list(self.extensions.values()):
            self._run(extension)

    def demand(self, repository: str) -> None:
        """Makes sure that a repository is defined, if an extension makes it."""
        extension = self._makers.get(repository)
        if extension is None and self._names.separator in repository:
            # No `use_repo` names it: only its canonical name says who makes it.
            every = [one for one in self.extensions.values() if repository.startswith(one.prefix)]
            extension = max(every, key=lambda one: len(one.prefix), default=None)
        if extension is None:
            return
        self._run(extension)
        if extension.unknown is not None and repository not in self._makers and extension.uses:
            # Whether it makes one that nothing but its canonical name tells of, nobody can say.
            original = repository.removeprefix(extension.prefix)
            asked = Import(original, extension.uses[0][1].location, ())
            name = self._name(extension, original)
            self._define(_unmade(name, asked, extension, extension.unknown))

    def mapping(self, repository: str) -> Mapping[str, str] | None:
        """What files of an extension's repository see; None if no extension makes it."""
        extension = self._makers.get(repository)
        if extension is None:
            return None
        canonical = self._repositories.canonical_name(repository)
        if extension.is_innate:
            return self._repositories.mapping_of(extension.host, {}, canonical)
        return self.maker.mapping_in(extension, canonical)

    def failure_of(self, repository: str) -> Diagnostic | None:
        """Why Bazel surely does not make a repository of an extension that has been run."""
        extension = self._makers.get(repository)
        return extension.failure if extension is not None else None

    def host_of(self, repository: str) -> str | None:
        """The repository whose names the labels among a definition's arguments are."""
        extension = self._makers.get(repository)
        return extension.host.repository if extension is not None else None

    def base_of(self, repository: str) -> PackageId | None:
        """The package to which the labels among a definition's arguments are relative. Bazel:
        `BzlmodRepoRuleCreator.createRule`."""
        extension = self._makers.get(repository)
        return extension.file.package_id if extension is not None else None

    def hears_more(self, repository: str) -> bool:
        """Whether a module that is not here may say something to the extension that makes a
        repository, which is made otherwise then."""
        extension = self._makers.get(repository)
        return extension is not None and not self._knows_all_uses(extension)

    @property
    def every(self) -> tuple[Extension, ...]:
        """All of them, with those that `use_repo_rule` is to Bazel."""
        return (*self.extensions.values(), *self._innate.values())

    def original_name(self, repository: str) -> str | None:
        """What an extension calls its repository; None if none makes it."""
        extension = self._makers.get(repository)
        made = extension.made.items() if extension is not None else ()
        return next((original for original, name in made if name == repository), None)

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
            canonical = self._repositories.canonical_name(label.repository)
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
        replaced = extension.replaced
        if original in replaced:
            mine = replaced[original].name
            return self._repositories.root.mapping.get(mine, mine)
        if original not in extension.made:
            canonical = extension.prefix + original
            name = apparent if module is root and apparent else canonical
            extension.made[original] = name
            self._makers[name] = extension
            self._repositories.see(name, canonical)
        return extension.made[original]

    def _note_calls(self, module: KnownModule) -> None:
        assert module.file is not None
        names = self._repositories.names
        prefixes: dict[str, tuple[str, ...]] = {}
        is_root = module is self._repositories.root
        for call in module.file.rule_calls:
            title, tag_class = names.innate_extension(call.file, call.rule)
            if title not in prefixes:
                prefixes[title] = names.innate_prefixes(module.canonical, call.rule)
                file = Label(module.repository, "", FILE_NAME)
                use = ExtensionUse(f"//:{FILE_NAME}", title, call.location)
                self._innate[module.key, title] = Extension(
                    file, title, module, prefixes[title][0], [(module, use)], is_innate=True
                )
            canonical = [prefix + call.repository for prefix in prefixes[title]]
            name = call.repository if is_root else canonical[0]
            for spelling in canonical:
                self._repositories.see(name, spelling)
            self._repositories.canonical_of[name] = canonical[0]
            module.mapping[call.repository] = name
            extension = self._innate[module.key, title]
            ((_, use),) = extension.uses
            use.tags.append(Tag(tag_class, call.arguments, False, call.location))
            use.imports[call.repository] = Import(call.repository, call.location, call.call_stack)
            extension.made[call.repository] = name
            self._makers[name] = extension
            self._calls.append((name, module, call))

    def _note_uses_of_tools(self, module: KnownModule, release: Release) -> None:
        """Takes note of the extensions that `bazel_tools` uses, whose MODULE.bazel is in Bazel."""
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

    # ---- What is made

    def _run(self, extension: Extension) -> None:
        if extension in self._running:
            around = tuple(self._running[self._running.index(extension) :])
            for one in around:
                one.waits_for_itself = one.waits_for_itself or around
        if extension.is_run or extension.is_innate:
            return
        extension.is_run = True
        self._running.append(extension)
        try:
            made, unknown, is_whole, failure = self.maker.make(extension)
        except NestedTooDeep:
            extension.is_run = False  # It is to be run once more.
            raise
        finally:
            self._running.pop()
        replaced = extension.replaced
        if not is_whole:
            extension.unknown = unknown
        imports = {
            imported.original: imported
            for _, use in reversed(extension.uses)
            for imported in use.imports.values()
        }
        for original, definition in made.items():
            if original in replaced:
                continue
            name = self._name(extension, original)
            self._define(_named(name, imports.get(original), definition))
        for original, imported in imports.items():
            name = self._name(extension, original)
            if original not in made and name in self._makers:
                self._define(_unmade(name, imported, extension, unknown))
        if failure is not None or is_whole:
            from bazelscope.loading.modules.extension_failures import cycle, wrong_import

            failure = cycle(extension) or failure
            failure = failure or wrong_import(extension, made, self._release)
            is_sure = failure is not None and failure.code == FROZEN
            if failure is not None and (is_sure or self._knows_all_uses(extension)):
                extension.failure = failure

    @memoized
    def _knows_all_uses(self, extension: Extension) -> bool:
        from bazelscope.loading.modules.extension_failures import knows_all_uses

        return knows_all_uses(self._repositories, extension, self._central_alone)


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
    rule = UnmadeRepository(unknown, None, extension.host.repository, extension.said)
    return DefinedRepository(definition, rule, {}, MODULE_CHUNK)
