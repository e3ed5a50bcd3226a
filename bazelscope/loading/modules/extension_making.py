"""What a module extension makes: by its run, by the lock file, or by a model of it.

Bazel: `SingleExtensionEvalFunction`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from bazelscope.base.errors import Diagnostic, LabelError, StarlarkError
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.source import Location
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.evaluation.bzl_files.loaded_module import LoadedModule
from bazelscope.loading.evaluation.rules.rule_values import ModuleExtension
from bazelscope.loading.evaluation.values.repository_rule import RepositoryRule
from bazelscope.loading.evaluation.workspace.repository_attributes import check_arguments
from bazelscope.loading.evaluation.workspace.repository_definitions import (
    MODULE_CHUNK,
    DefinedRepository,
    plain_value,
)
from bazelscope.loading.modules.evaluator import Evaluator
from bazelscope.loading.modules.lock_file import LOCK_NAME, LockedExtension, LockFile
from bazelscope.loading.modules.module_file import RuleCall
from bazelscope.loading.modules.module_repositories import (
    Extension,
    KnownModule,
    ModuleRepositories,
)
from bazelscope.loading.modules.module_sources import OF_MODEL, UnmadeRepository
from bazelscope.loading.packages.repository_access import (
    OF_EXTENSION,
    FileFound,
)
from bazelscope.loading.packages.targets import Provenance, RepositoryDefinition

if TYPE_CHECKING:
    from bazelscope.loading.modules.extensions import ExtensionResult
    from bazelscope.loading.modules.frozen_extensions import FrozenExtension


class Made(NamedTuple):
    """What an extension makes, and why anything else that is asked of it is unknown; `is_whole`
    where it surely makes nothing else. `failure`: why Bazel makes nothing, if it does all that is
    done here, and if no module says more to the extension."""

    repositories: Mapping[str, DefinedRepository]
    unknown: Unknown
    is_whole: bool = False
    failure: Diagnostic | None = None


class ExtensionMaker:
    """Runs extensions and calls of `use_repo_rule`; keeps what went wrong."""

    def __init__(
        self, repositories: ModuleRepositories, lock: LockFile, evaluator: Evaluator
    ) -> None:
        self._repositories = repositories
        self._lock = lock
        self._evaluator = evaluator
        self.diagnostics: list[Diagnostic] = []
        self.unknowns: list[Unknown] = []

    def mapping_in(self, extension: Extension, canonical: str = "") -> Mapping[str, str]:
        """What files of an extension's repositories see; of the one with this canonical name."""
        made, replaced = extension.made, extension.replaced
        if replaced:
            root = self._repositories.root
            instead = {name: root.mapping.get(one.name, one.name) for name, one in replaced.items()}
            made = {**made, **instead}
        return self._repositories.mapping_of(extension.host, made, canonical)

    def make(self, extension: Extension) -> Made:
        """Everything that the extension is known to make."""
        locked = dict(self._locked_repositories(extension))
        in_lock = self._locked(extension)
        if in_lock is not None:
            extension.metadata = in_lock.metadata
            use = extension.use_of_root
            if use is not None:
                from bazelscope.loading.modules.use_repo_fixups import use_repo_fixup

                extension.fixup = use_repo_fixup(use, in_lock.repositories, in_lock.metadata)
        if not extension.uses:
            detail = "the lock file names no such repository of it"
            return Made(locked, Unknown(Reason.FAILED, extension.shown, detail))
        place = extension.uses[0][1].location
        symbol = self._symbol(extension.file, extension.name)
        if isinstance(symbol, ModuleExtension):
            return self._run_dry(extension, symbol, locked, place)
        unknown = Unknown(Reason.FAILED, extension.shown, "no module extension", place)
        if isinstance(symbol, Unknown):
            unknown = Unknown(symbol.reason, extension.shown, symbol.detail, place)
        return Made(locked, unknown, failure=self._why_none(extension, place))

    def _why_none(self, extension: Extension, place: Location) -> Diagnostic | None:
        """Why Bazel surely finds no extension. Bazel: `RegularRunnableExtension.load`."""
        from bazelscope.loading.modules.extension_failures import not_exported, not_loaded

        file = extension.file
        loaded = self._loaded(file)
        if loaded.refused:
            asked = f"Error loading '{file}' for module extensions, requested by {place}"
            return not_loaded(f"{asked}: {loaded.refused}", loaded, place)
        return not_exported(loaded, extension.name, place, ModuleExtension)

    def _run_dry(
        self,
        extension: Extension,
        symbol: ModuleExtension,
        locked: Mapping[str, DefinedRepository],
        place: Location,
    ) -> Made:
        is_model = self._is_model(extension)
        frozen = self._frozen(extension)
        refused = frozen.refusal_before_run() if frozen is not None else None
        if refused is not None:
            why = Unknown(Reason.FAILED, extension.shown, refused.message, place)
            return Made(locked, why, failure=refused)
        result = self._result(extension, symbol, place, is_model)
        if result.metadata is not None and not result.unknowns and not is_model:
            extension.metadata = result.metadata
        if result.failure is None and not result.unknowns and not is_model:
            detail = "the extension makes no such repository"
            why = Unknown(Reason.FAILED, extension.shown, detail, place)
            failure = self._wrong_metadata(extension, result)
            failure = failure or self._invisible(extension, result)
            if frozen is not None:
                failure = failure or self._not_locked(frozen, result)
            return Made(result.repositories, why, is_whole=True, failure=failure)
        if frozen is not None:
            self.unknowns.append(frozen.doubt())
        if result.failure is None and not result.unknowns:
            detail = "its model makes no such repository; the real one may"
            why = Unknown(Reason.NOT_MODELLED, extension.shown, detail, place)
            return Made({**result.repositories, **_known(locked, result)}, why)
        self.unknowns.extend(result.unknowns)
        why = result.unknowns[0]
        if result.refusal is not None and self._locked(extension) is None:
            from bazelscope.loading.modules.extension_failures import not_evaluated

            failure = result.refusal
            message = not_evaluated(extension, self._evaluator.context.release, failure.message)
            failure = replace(failure, code=OF_EXTENSION, message=message)
            return Made({**locked, **result.repositories}, why, failure=failure)
        modelled = self._by_model(extension, place) if result.failure is not None else None
        if modelled is None:
            return Made({**locked, **result.repositories}, why)
        detail = f"told by a model, for the extension itself stops: {why.detail}"
        made = {**modelled.repositories, **_known(locked, modelled), **result.repositories}
        return Made(made, replace(why, detail=detail))

    def _frozen(self, extension: Extension) -> FrozenExtension | None:
        """The extension as a lock file has it that Bazel may not write."""
        host = self._evaluator.host_if_frozen
        if host is None:
            return None
        from bazelscope.loading.modules.frozen_extensions import FrozenExtension

        return FrozenExtension(
            extension,
            self._locked(extension),
            self._loaded(extension.file),
            self._repositories,
            self._evaluator.repositories,
            self._evaluator.context.release,
            host,
        )

    def _not_locked(self, frozen: FrozenExtension, result: ExtensionResult) -> Diagnostic | None:
        """Why Bazel refuses an extension that has come to its end."""
        is_reproducible = result.metadata.reproducible if result.metadata is not None else False
        if frozen.run is None and is_reproducible is False:
            return frozen.missing()
        if frozen.run is not None or is_reproducible is None:
            self.unknowns.append(frozen.doubt())
        return None

    def _wrong_metadata(self, extension: Extension, result: ExtensionResult) -> Diagnostic | None:
        """Why Bazel refuses what the extension says of the root's imports. Where the root does
        not follow it, that is told as a warning."""
        use = extension.use_of_root
        if use is None or result.metadata is None:
            return None
        from bazelscope.loading.modules.extension_failures import refused
        from bazelscope.loading.modules.use_repo_fixups import use_repo_fixup

        made = result.repositories.keys()
        why = result.metadata.wrong_for_root(made, use.is_lasting, use.is_for_development)
        if why:
            return refused(why, use.location)
        extension.fixup = use_repo_fixup(use, made, result.metadata)
        if extension.fixup is not None:
            self.diagnostics.append(extension.fixup.warning(self._evaluator.context.release))
        return None

    def _invisible(self, extension: Extension, result: ExtensionResult) -> Diagnostic | None:
        """Why Bazel refuses a label among what the extension calls a repository rule with. Later
        releases let it be of another repository that the extension makes; here, all do. Bazel:
        `ModuleExtensionEvalStarlarkThreadContext.createRepo`."""
        release = self._evaluator.context.release
        if not release.module_labels_are_of_visible_repositories:
            return None
        from bazelscope.loading.modules.extension_context import invisible_label
        from bazelscope.loading.modules.extension_failures import not_evaluated, refused

        host = extension.host
        others = {name: name for name in (*result.repositories, *extension.replaced)}
        names = self._repositories.mapping_of(host, others)
        for name, made in result.repositories.items():
            if not isinstance(made.rule, RepositoryRule):
                continue
            rule, what = made.rule, f"{made.rule.name} '{name}'"
            why = invisible_label(rule.attributes, made.arguments, names, host.package, what)
            if why:
                message = not_evaluated(extension, release, why)
                failure = refused(message, made.definition.location)
                return replace(failure, code=OF_EXTENSION)
        return None

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
        from bazelscope.loading.modules.extension_context import UsingModule
        from bazelscope.loading.modules.extensions import ExtensionRun

        using = [
            UsingModule(
                module.file.name,
                module.file.version,
                not module.repository,
                use.is_lasting,
                tuple(use.tags),
                module.package,
                self._names_in(module),
            )
            for module, use in extension.uses
            if module.file is not None
        ]
        is_isolated = bool(extension.isolated) if self._evaluator.isolates_extensions else None
        facts = self._lock.facts.get(self._id_in_lock(extension), {})
        return ExtensionRun(
            extension.shown, symbol, using, self._evaluator, place, is_model, is_isolated, facts
        ).result()

    def _names_in(self, module: KnownModule) -> Mapping[str, str]:
        return self._repositories.mapping_of(module, {})

    def _locked(self, extension: Extension) -> LockedExtension | None:
        return self._lock.extensions.get(self._id_in_lock(extension))

    def _id_in_lock(self, extension: Extension) -> tuple[str, str, str]:
        file = extension.file
        host = self._repositories.canonical_of.get(file.repository, "")
        return f"@@{host}//{file.package}:{file.name}", extension.name, extension.isolated

    def _is_model(self, extension: Extension) -> bool:
        """Whether not the extension itself is run, but a model of it."""
        file = extension.file
        file_there = self._evaluator.repositories.find_file(file.repository, file.path)
        return isinstance(file_there, FileFound) and file_there.provenance is Provenance.MODEL

    def _locked_repositories(self, extension: Extension) -> Iterator[tuple[str, DefinedRepository]]:
        """What the lock file says that the extension made."""
        locked = self._locked(extension)
        if locked is None:
            return
        mapping = self.mapping_in(extension)
        place = Location(LOCK_NAME, locked.line, 1)
        rules: dict[tuple[str, str], RepositoryRule | UnmadeRepository] = {}
        for name, made in locked.repositories.items():
            key = (made.file, made.rule)
            if key not in rules:
                rule = self._rule(*key, PackageId("", ""), mapping)
                if isinstance(rule, UnmadeRepository):
                    # The lock file may be of what modules said before.
                    rule = replace(rule, said=extension.said)
                rules[key] = rule
            rule = rules[key]
            arguments = {key: value for key, value in made.arguments.items() if key != "name"}
            plain = {key: plain_value(value) for key, value in arguments.items()}
            definition = RepositoryDefinition(name, made.rule, plain, place, ())
            given = arguments if isinstance(rule, RepositoryRule) else {}
            yield name, DefinedRepository(definition, rule, given, MODULE_CHUNK)

    def called(
        self, call: RuleCall, name: str, module: KnownModule
    ) -> tuple[DefinedRepository, Diagnostic | None]:
        """What a call of `use_repo_rule` defines, and why Bazel surely does not take it. Bazel:
        `InnateRunnableExtension`."""
        plain = {key: plain_value(value) for key, value in call.arguments.items() if key != "name"}
        definition = RepositoryDefinition(name, call.rule, plain, call.location, call.call_stack)
        rule = self._rule(call.file, call.rule, module.package, self._names_in(module))
        if isinstance(rule, UnmadeRepository):
            failure = self._why_no_rule(call, rule)
            return DefinedRepository(definition, rule, {}, MODULE_CHUNK), failure
        why = self._wrong_arguments(call, rule, name, module)
        failure = None
        if why:
            from bazelscope.loading.modules.extension_failures import refused

            asked = f"error creating repo {call.repository} requested at {call.location}"
            failure = refused(f"{asked}: {why}", call.location)
            failure = replace(failure, call_stack=call.call_stack)
        return DefinedRepository(definition, rule, call.arguments, MODULE_CHUNK), failure

    def _wrong_arguments(
        self, call: RuleCall, rule: RepositoryRule, name: str, module: KnownModule
    ) -> str:
        """Why the rule does not take what it is called with; empty if it does."""
        release = self._evaluator.context.release
        may_repeat = not release.repository_rules_have_common_attributes
        try:
            check_arguments(
                call.rule, name, call.arguments, rule.attributes, rule.defined_at, may_repeat
            )
        except StarlarkError as error:
            return error.diagnostic.message
        if not release.module_labels_are_of_visible_repositories:
            return ""
        from bazelscope.loading.modules.extension_context import invisible_label

        names, what = self._names_in(module), f"{call.rule} '{call.repository}'"
        return invisible_label(rule.attributes, call.arguments, names, module.package, what)

    def _why_no_rule(self, call: RuleCall, rule: UnmadeRepository) -> Diagnostic | None:
        """Why Bazel surely finds no repository rule."""
        from bazelscope.loading.modules.extension_failures import not_exported, not_loaded, refused

        place = call.location
        if rule.file is None:
            words = f"bad repo rule .bzl file label at {place}: {rule.unknown.detail}"
            return refused(words, place)
        loaded = self._loaded(rule.file)
        if loaded.refused:
            asked = f"error loading '{rule.file}' for repo rules, requested by {place}"
            return not_loaded(f"{asked}: {loaded.refused}", loaded, place)
        return not_exported(loaded, call.rule, place, RepositoryRule)

    def _rule(
        self, file: str, name: str, package: PackageId, mapping: Mapping[str, str]
    ) -> RepositoryRule | UnmadeRepository:
        """The repository rule of a file; what stands for it where that cannot be told."""
        shown = f"{file}%{name}"
        try:
            label = parse_label(file, package, mapping)
        except LabelError as error:
            return UnmadeRepository(Unknown(Reason.FAILED, shown, error.diagnostic.message))
        rule = self._symbol(label, name, shown)
        if isinstance(rule, RepositoryRule):
            return rule
        unknown = Unknown(Reason.FAILED, shown, "no repository rule")
        return UnmadeRepository(
            rule if isinstance(rule, Unknown) else unknown, label, label.repository
        )

    def _symbol(self, label: Label, name: str, shown: str = "") -> object:
        """What a `.bzl` file calls `name`; an `Unknown` where that cannot be told."""
        shown = shown or f"{label}%{name}"
        loaded = self._loaded(label)
        if loaded.module is None:
            assert loaded.unknown is not None
            return Unknown(loaded.unknown.reason, shown, loaded.unknown.detail)
        if name not in loaded.module.globals:
            return Unknown(Reason.FAILED, shown, f"{label} does not define it")
        return loaded.module.globals[name]

    def _loaded(self, label: Label) -> LoadedModule:
        return self._evaluator.modules.load(label, self._evaluator.repositories)


def _known(
    locked: Mapping[str, DefinedRepository], model: ExtensionResult
) -> dict[str, DefinedRepository]:
    """What the lock file tells better than a model of the extension."""
    return {
        name: made
        for name, made in locked.items()
        if name not in model.repositories or isinstance(made.rule, RepositoryRule)
    }
