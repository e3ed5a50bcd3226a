"""Runs a module extension dry: which repositories it would define.

Bazel: `SingleExtensionEvalFunction`. `module_ctx` is the `repository_ctx` of a dry run, which
runs no program and downloads nothing, with the tags of the modules that use the extension.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from bazelscope import starlark
from bazelscope.base import budget
from bazelscope.base.errors import Diagnostic, StarlarkError
from bazelscope.base.label import PackageId
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.nearest import nearest
from bazelscope.base.source import Location
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import AttributeDefinition
from bazelscope.bazel.release import Release
from bazelscope.loading.dry_run.decisions import Decision, Decisions, next_script
from bazelscope.loading.dry_run.repository_context import Record, RepositoryContext
from bazelscope.loading.dry_run.rule_run import LIMITS, MAXIMUM_RESTARTS
from bazelscope.loading.dry_run.run_result import DryRunSettings, FilesOfRepositories
from bazelscope.loading.dry_run.run_state import DryRunState
from bazelscope.loading.dry_run.unknown_pieces import before_pieces, shown_without_pieces
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.rules.rule_values import ModuleExtension
from bazelscope.loading.evaluation.values.structs import Struct
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue
from bazelscope.loading.evaluation.workspace.repository_attributes import (
    attribute_values,
    check_arguments,
)
from bazelscope.loading.evaluation.workspace.repository_definitions import (
    DefinedRepository,
    DefinitionLog,
)
from bazelscope.loading.evaluation.workspace.workspace_evaluation import (
    WorkspaceFacts,
    WorkspaceRecorder,
)
from bazelscope.loading.modules.module_file import Tag
from bazelscope.loading.modules.module_file_checks import check_repository_name

_MAXIMUM_RUNS = 6
_OF_REPOSITORIES_ONLY = frozenset(
    {"attr", "delete", "name", "original_name", "patch", "rename", "symlink", "template"}
)


@dataclass(frozen=True, slots=True)
class UsingModule:
    """A module that uses the extension: its tags, whether a use of it is not for development
    alone, and how its labels are understood."""

    name: str
    version: str
    is_root: bool
    is_lasting: bool
    tags: Sequence[Tag]
    package: PackageId
    mapping: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ExtensionResult:
    """The repositories by the extension's own names. `failure` is why it did not come to its
    end; `unknowns` are why it may make others than these. `wanted_imports` are those that the
    root module shall import by the extension's word; None if that is all, or not known."""

    repositories: Mapping[str, DefinedRepository]
    unknowns: tuple[Unknown, ...]
    failure: Diagnostic | None
    wanted_imports: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class ExtensionMetadata:
    """What `module_ctx.extension_metadata()` returns. Bazel: `ModuleExtensionMetadata`."""

    wanted_imports: frozenset[str] | None


@dataclass(frozen=True)
class ExtensionRun:
    """What it takes to run the extension `shown` for `modules`, the root module first. Of a
    model, the real one may take more than it does: patches give extensions attributes, too."""

    shown: str
    extension: ModuleExtension
    modules: Sequence[UsingModule]
    context: EvaluationContext
    files_of: FilesOfRepositories
    settings: DryRunSettings
    new_facts: Callable[[], WorkspaceFacts]
    location: Location
    is_model: bool
    is_isolated: bool

    def result(self) -> ExtensionResult:
        """What the extension defines. Where it fails after it has decided by something unknown,
        the other answers are tried, as of repository rules; if it always fails, what counts is
        the run with the likeliest ones."""
        if not callable(self.extension.implementation):
            detail = "its implementation is not known"
            unknown = Unknown(Reason.NOT_FETCHED, self.shown, detail, self.location)
            return ExtensionResult({}, (unknown,), None)
        run = likeliest = self._attempt(())
        for _ in range(_MAXIMUM_RUNS - 1):
            script = next_script(run.made) if run.failure is not None and not run.is_cut else None
            if script is None:
                break
            run = self._attempt(script)
        return self._told(likeliest if run.failure is not None else run)

    def _attempt(self, script: tuple[bool, ...]) -> _Attempt:
        implementation = self.extension.implementation
        assert callable(implementation)
        cuts = budget.current().cuts
        for _ in range(MAXIMUM_RESTARTS):
            facts = self.new_facts()
            facts.log = DefinitionLog(strict_names=False)
            decisions = Decisions(script)
            state = DryRunState(
                self.shown, self.files_of, self.settings, self.location, decisions=decisions
            )
            failure, returned = None, None
            try:
                module_ctx = _module_ctx(self, state)
                with self.context.evaluating(workspace=WorkspaceRecorder(facts)):
                    thread = starlark.Thread(LIMITS)
                    returned = starlark.call(implementation, (module_ctx,), {}, thread)
                    self._check_returned(returned)
                    for name in facts.log.names():
                        check_repository_name(name, self.context.release)
            except StarlarkError as error:
                failure = error.diagnostic
            if state.waits_for is None:
                break
            self.files_of.directory_of(state.waits_for)
        is_cut = budget.current().cuts > cuts
        return _Attempt(facts, tuple(decisions.made), failure, returned, is_cut)

    def _check_returned(self, returned: object) -> None:
        """Bazel: `RegularRunnableExtension`."""
        if not isinstance(returned, ExtensionMetadata | UnknownValue | None):
            starlark.fail_with(
                f"expected module extension {self.shown} to return None or extension_metadata, got"
                f" {starlark.type_of(returned)}"
            )

    def _told(self, run: _Attempt) -> ExtensionResult:
        facts, failure = run.facts, run.failure
        repositories: dict[str, DefinedRepository] = {}
        for name in facts.log.names():
            winner = facts.log.winner(name)
            if before_pieces(name) is not None:
                detail = f"it makes `{shown_without_pieces(name)}`, of whose name not all is known"
                reason = Reason.DEPENDS_ON_UNKNOWN
                facts.unknowns.append(Unknown(reason, self.shown, detail, self.location))
            elif winner is not None:
                repositories[name] = winner
        assumed = tuple(made.assumption(is_forced=False) for made in run.made)
        if failure is not None:
            message = shown_without_pieces(failure.message, 160)
            failed = Unknown(Reason.FAILED, self.shown, message, self.location)
            assumed = (failed, *assumed)
        unknowns = (*facts.may_define, *facts.unknowns, *assumed)
        wanted: frozenset[str] | None = None
        if isinstance(run.returned, ExtensionMetadata):
            wanted = run.returned.wanted_imports
        elif run.returned is None and failure is None:
            wanted = frozenset()
        return ExtensionResult(repositories, unknowns, failure, None if unknowns else wanted)


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One run to its end or its failure; `is_cut` where a limit ended it."""

    facts: WorkspaceFacts
    made: tuple[Decision, ...]
    failure: Diagnostic | None
    returned: object
    is_cut: bool


def _module_ctx(run: ExtensionRun, state: DryRunState) -> Record:
    extension, modules, context = run.extension, run.modules, run.context
    shared = RepositoryContext(state, {}).value().fields
    fields = {name: value for name, value in shared.items() if name not in _OF_REPOSITORIES_ONLY}
    development: set[int] = set()
    made = [_module(extension, module, context, development, run.is_model) for module in modules]
    fields["modules"] = starlark.List(made)
    fields["is_isolated"] = run.is_isolated
    fields["root_module_has_non_dev_dependency"] = any(
        module.is_root and module.is_lasting for module in modules
    )
    fields["facts"] = starlark.Dict({})

    def is_dev_dependency(tag: object) -> bool:
        return id(tag) in development

    def extension_metadata(
        root_module_direct_deps: object = None,
        root_module_direct_dev_deps: object = None,
        **_: object,
    ) -> object:
        both = {
            "root_module_direct_deps": root_module_direct_deps,
            "root_module_direct_dev_deps": root_module_direct_dev_deps,
        }
        return ExtensionMetadata(_wanted_imports(both, context.release))

    for name, method in (
        ("is_dev_dependency", is_dev_dependency),
        ("extension_metadata", extension_metadata),
    ):
        fields[name] = starlark.Builtin(name, method)
    return Record("module_ctx", fields)


def _wanted_imports(both: Mapping[str, object], release: Release) -> frozenset[str] | None:
    """Returns the repositories that the root module shall import, None if that is all of them or
    not known. Raises `StarlarkError`. Bazel: `ModuleExtensionMetadata.create`."""
    given, names = tuple(both.values()), " and ".join(both)
    if given == (None, None):
        return frozenset()
    if any(isinstance(one, UnknownValue) for one in given):
        return None
    if "all" in given:
        if not any(isinstance(one, starlark.List) and not len(one) for one in given):
            starlark.fail_with(f'if one of {names} is "all", the other must be an empty list')
        return None
    if any(isinstance(one, str) for one in given):
        starlark.fail_with(f'{names} must be None, "all", or a list of strings')
    if None in given:
        starlark.fail_with(f"{names} must both be specified or both be unspecified")
    found: dict[str, str] = {}
    for parameter, value in both.items():
        for name in value if isinstance(value, starlark.List) else ():
            if not isinstance(name, str):
                return None
            try:
                check_repository_name(name, release)
            except StarlarkError as error:
                starlark.fail_with(f"in {parameter}: {error.diagnostic.message}")
            if name in found:
                is_here = found[name] == parameter
                how = f"duplicate entry '{name}'" if is_here else f"entry '{name}' is also in "
                starlark.fail_with(f"in {parameter}: {how}{'' if is_here else found[name]}")
            found[name] = parameter
    return frozenset(found)


def _module(
    extension: ModuleExtension,
    module: UsingModule,
    context: EvaluationContext,
    development: set[int],
    is_model: bool,
) -> Struct:
    tags: dict[str, list[object]] = {name: [] for name in extension.tag_classes}
    for tag in module.tags:
        tag_class = extension.tag_classes.get(tag.tag_class)
        if tag_class is None:
            if is_model:
                continue
            known = ", ".join(sorted(tags))
            starlark.fail_with(
                f"The module extension has no tag class '{tag.tag_class}' ({tag.location.short});"
                f" it has: {known}"
            )
        attributes = {name: spec.definition(name) for name, spec in tag_class.specs.items()}
        _check_tag(tag, attributes, is_model)
        values = attribute_values(
            "", tag.arguments, attributes, module.mapping, context.label_value, module.package
        )
        if "name" not in attributes:
            del values["name"]
        made = Struct(values)
        if tag.is_dev:
            development.add(id(made))
        tags[tag.tag_class].append(made)
    return Struct(
        {
            "name": module.name,
            "version": module.version,
            "is_root": module.is_root,
            "tags": Struct({name: starlark.List(items) for name, items in tags.items()}),
        }
    )


def _check_tag(tag: Tag, attributes: Mapping[str, AttributeDefinition], is_model: bool) -> None:
    """Raises `StarlarkError` for what the tag does not take. Bazel: `TypeCheckedTag`."""
    place = f"in tag at {tag.location.short}"
    for name in tag.arguments:
        if name not in attributes and not is_model:
            near = nearest(name, sorted(attributes))
            hint = f" (did you mean '{near[0]}'?)" if near else ""
            starlark.fail_with(f"{place}, unknown attribute {name} provided{hint}")
    for name, definition in attributes.items():
        if definition.mandatory and tag.arguments.get(name) is None:
            starlark.fail_with(f"{place}, mandatory attribute {name} isn't being specified")
    check_arguments(
        tag.tag_class,
        tag.tag_class,
        {name: value for name, value in tag.arguments.items() if name in attributes},
        attributes,
    )
