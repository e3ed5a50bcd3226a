"""Evaluates the WORKSPACE file: which repositories and binds it defines, and what it cannot say.

The file runs statement by statement. A load whose file is unknown binds unknown values; what
they define when they are called is unknown too, and the rest of the file goes on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import partial

from bazelscope import starlark
from bazelscope.base.errors import Diagnostic, LabelError, Note, StarlarkError
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import CallStack, Location, SourceFile
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.builtin_repositories import OF_BAZEL, BuiltinRepositories
from bazelscope.bazel.release import Release
from bazelscope.loading.evaluation.bzl_files.module_loader import ModuleLoader
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext, doubted
from bazelscope.loading.evaluation.values.refused_syntax import syntax_check
from bazelscope.loading.evaluation.values.repository_rule import RepositoryRule
from bazelscope.loading.evaluation.values.symbolic_values import (
    Decider,
    UnknownValue,
    failed_name,
)
from bazelscope.loading.evaluation.workspace.repository_attributes import check_arguments
from bazelscope.loading.evaluation.workspace.repository_definitions import (
    Binding,
    DefinedRepository,
    DefinitionLog,
    Registration,
    external_label,
    location_of,
    plain_value,
)
from bazelscope.loading.packages.repository_access import RepositoryAccess
from bazelscope.loading.packages.targets import RepositoryDefinition
from bazelscope.loading.tree.workspace_files import WORKSPACE_MARKERS, Workspace

REPOSITORY_FAILS = "repository-rule-failed"
_ROOT = PackageId("", "")
_FILE = Label("", "", "WORKSPACE")
_BUILTIN = Location("<builtin>/WORKSPACE", 1, 1)


@dataclass(slots=True)
class WorkspaceFacts:
    """What a WORKSPACE evaluation leaves. It grows while the evaluation runs."""

    log: DefinitionLog
    builtin: BuiltinRepositories
    name: str = ""
    name_stack: CallStack = ()
    """The call of `workspace()` that gave the name."""
    diagnostics: list[Diagnostic] = field(default_factory=list)
    unknowns: list[Unknown] = field(default_factory=list)
    registrations: list[Registration] = field(default_factory=list)
    may_define: list[Unknown] = field(default_factory=list)
    """Calls of unknown symbols: each may have defined any repository."""
    unread_names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """What was loaded from files that cannot be read, by the subjects of the unknowns."""

    def mapping(self) -> dict[str, str]:
        """The apparent names of the main repository."""
        names = {"": ""}
        if self.name and self.builtin.remaps_main_repository:
            names[self.name] = ""
        return names


class WorkspaceRecorder:
    """The `WorkspaceCalls` of one evaluation: natives and repository rules report here."""

    def __init__(self, facts: WorkspaceFacts) -> None:
        self._facts = facts
        self._undecided: dict[tuple[CallStack, str], Unknown] = {}
        """Calls of functions (the stack above them, their name) that decided by unknowns."""
        self._shown: dict[str, tuple[DefinedRepository | Binding, starlark.Dict]] = {}
        """Definitions as `existing_rules()` shows them, as far as it was asked."""

    def define_repository(
        self, rule: RepositoryRule | str, arguments: Mapping[str, object], stack: CallStack
    ) -> None:
        is_native = isinstance(rule, str)
        rule_name = rule if isinstance(rule, str) else rule.name or "repository_rule"
        name = arguments.get("name")
        if isinstance(name, UnknownValue):
            self._facts.may_define.append(name.as_unknown())
            return
        if not isinstance(name, str):
            starlark.fail_with(f"{rule_name} rule has no 'name' attribute")
        if isinstance(rule, RepositoryRule):
            check_arguments(rule_name, name, arguments, rule.attributes, rule.defined_at)
        plain = {key: plain_value(value) for key, value in arguments.items() if key != "name"}
        definition = RepositoryDefinition(name, rule_name, plain, location_of(stack), stack)
        self._facts.log.define(
            DefinedRepository(
                definition, rule, dict(arguments), self._facts.log.chunk, self._doubt(stack)
            ),
            is_native=is_native,
        )

    def bind(self, name: str, actual: object, stack: CallStack) -> None:
        if not isinstance(name, str):
            return
        label: Label | None = None
        if isinstance(actual, str):
            if not actual.startswith(("//", "@")):
                starlark.fail_with(f"invalid label: {actual}")
            try:
                label = external_label(actual, self._facts.mapping())
            except LabelError as error:
                starlark.fail_with(error.diagnostic.message)
        else:
            given = getattr(actual, "label", None)
            label = given if isinstance(given, Label) else None
        self._facts.log.bind(Binding(name, label, location_of(stack), stack))

    def set_workspace_name(self, name: str, stack: CallStack) -> None:
        if self._facts.log.chunk > 0:
            starlark.fail_with(
                "workspace() function should be used only at the top of the WORKSPACE file"
            )
        if isinstance(name, str):
            self._facts.name = name
            self._facts.name_stack = stack

    def register(self, what: str, patterns: Sequence[object], stack: CallStack) -> None:
        texts = tuple(pattern for pattern in patterns if isinstance(pattern, str))
        self._facts.registrations.append(Registration(what, texts, location_of(stack)))

    def existing_rules(self) -> Mapping[str, starlark.Dict]:
        entries = self._log.last_of_all()
        return {name: self._existing(name, entry) for name, entry in entries.items()}

    def existing_rule(self, name: str) -> starlark.Dict | None:
        entry = self._log.last(name)
        return None if entry is None else self._existing(name, entry)

    def _existing(self, name: str, entry: DefinedRepository | Binding) -> starlark.Dict:
        known = self._shown.get(name)
        if known is None or known[0] is not entry:
            known = self._shown[name] = (entry, starlark.Dict(_existing(name, entry)))
        return known[1]

    @property
    def _log(self) -> DefinitionLog:
        return self._facts.log

    def unknown_call(self, unknown: Unknown, stack: CallStack) -> None:
        """Records the call of an unknown symbol, which may define anything."""
        if stack and unknown.reason is Reason.DEPENDS_ON_UNKNOWN:
            self._undecided.setdefault((stack[:-1], stack[-1].function), unknown)
        self._may_define(unknown)

    def declare_unknown_rule(
        self, rule: UnknownValue, keywords: Mapping[str, object], stack: CallStack
    ) -> None:
        """Records the call of an unknown symbol with a `name`: a repository rule, or a macro that
        may define more."""
        name = keywords.get("name")
        if isinstance(name, str):
            plain = {key: plain_value(value) for key, value in keywords.items() if key != "name"}
            definition = RepositoryDefinition(name, rule.name, plain, location_of(stack), stack)
            self._log.presume(
                DefinedRepository(definition, rule, dict(keywords), self._log.chunk, rule.unknown)
            )
        self._may_define(rule.unknown)

    def _may_define(self, unknown: Unknown) -> None:
        if unknown not in self._facts.may_define:
            self._facts.may_define.append(unknown)

    def _doubt(self, stack: CallStack) -> Unknown | None:
        """The unknown by which a function of this call stack has decided, if one has."""
        for depth, frame in enumerate(stack):
            if frame.function != "<toplevel>":
                undecided = self._undecided.get((stack[:depth], frame.function))
                if undecided is not None:
                    return undecided
        return None


def _existing(name: str, entry: DefinedRepository | Binding) -> Mapping[str, object]:
    """What `existing_rule(name)` says of a definition."""
    if isinstance(entry, Binding):
        actual = None if entry.actual is None else str(entry.actual)
        return {"name": name, "kind": "bind", "actual": actual}
    values = {key: _shown(value) for key, value in entry.arguments.items()}
    values = {key: value for key, value in values.items() if value is not None}
    return {**values, "name": name, "kind": entry.definition.rule_class}


def _shown(value: object) -> object:
    label = getattr(value, "label", None)
    return str(label) if isinstance(label, Label) else value


class _UnknownSymbols:
    """The recorder of values that came from unknown files: passes their calls on."""

    def __init__(self, recorder: WorkspaceRecorder, facts: WorkspaceFacts) -> None:
        self._recorder = recorder
        self._facts = facts
        self.decider: Decider | None = None
        """No repository rule asks them: WORKSPACE itself does."""
        self.decides_by_types = False

    def record_unknown_call(self, unknown: Unknown) -> None:
        self.record_unknown(unknown)

    def record_unknown(self, unknown: Unknown) -> None:
        if unknown not in self._facts.unknowns:
            self._facts.unknowns.append(unknown)

    def declare_unknown_rule(
        self, rule: UnknownValue, arguments: tuple[object, ...], keywords: Mapping[str, object]
    ) -> None:
        self._recorder.declare_unknown_rule(rule, keywords, starlark.call_stack())


def new_facts(builtin: BuiltinRepositories) -> WorkspaceFacts:
    """The facts before the file runs: what Bazel's own prefix defines."""
    log = DefinitionLog(builtin.strict_names)
    facts = WorkspaceFacts(log, builtin)
    for name in builtin.prefix_repositories:
        definition = RepositoryDefinition(name, "local_repository", {}, _BUILTIN, ())
        log.define(DefinedRepository(definition, OF_BAZEL, {}, 0), is_native=False)
    for name, actual in builtin.prefix_binds.items():
        log.bind(Binding(name, external_label(actual, {}), _BUILTIN, ()))
    return facts


def evaluate_workspace(
    source: SourceFile,
    facts: WorkspaceFacts,
    modules: ModuleLoader,
    context: EvaluationContext,
    predeclared: dict[str, object],
    access: RepositoryAccess,
) -> None:
    """Runs `source` and adds what it defines to `facts`; errors become its diagnostics."""
    recorder = WorkspaceRecorder(facts)
    symbols = _UnknownSymbols(recorder, facts)

    def load(statement: starlark.LoadStatement) -> starlark.Module:
        facts.log.chunk += 1
        try:
            label = parse_label(statement.module, _ROOT, facts.mapping())
        except LabelError as error:
            starlark.fail_with(error.diagnostic.message)
        _refuse_nested(label, modules.workspace, context.release)
        with context.evaluating():
            module, unknown, refused = modules.bound(label, statement, access, symbols)
        place = statement.location
        failure = access.failure_of(label.repository) if label.repository else None
        if failure is not None:
            facts.diagnostics.append(_of_repository(failure, label, place))
        elif refused and not facts.may_define:  # Else a repository may be there after all.
            facts.diagnostics.append(Diagnostic("missing-module", refused, place.span))
        if unknown is not None:
            unknown = replace(unknown, location=place)
            facts.unknowns.append(unknown)
            facts.may_define.append(unknown)
            names = tuple(exported for _, exported in statement.bindings)
            facts.unread_names[unknown.subject] = (
                *facts.unread_names.get(unknown.subject, ()), *names,
            )  # fmt: skip
        return module

    def recover(error: StarlarkError) -> None:
        doubt = doubted(error.diagnostic, context.doubtful_files)
        if doubt is not None:
            facts.unknowns.append(doubt)
        else:
            fail(error.diagnostic)

    def fail(problem: Diagnostic) -> None:
        # What stands behind the failing statement may define more.
        why = Unknown(Reason.FAILED, source.path, problem.message, problem.location)
        facts.may_define.append(why)
        facts.diagnostics.append(problem)

    missing, kind = partial(failed_name, symbols), starlark.FileKind.WORKSPACE
    thread = starlark.Thread(modules.limits, on_missing=missing, source=source, kind=kind)
    try:
        program = starlark.load_program(
            source,
            kind,
            frozenset(predeclared),
            modules.program_cache,
            syntax_check(context.release, is_workspace=True),
        )
        with context.evaluating(workspace=recorder):
            starlark.execute(
                program, starlark.as_predeclared(predeclared), load, thread, recover, owner=_FILE
            )
    except StarlarkError as error:
        fail(error.diagnostic)


def _refuse_nested(file: Label, workspace: Workspace, release: Release) -> None:
    """Fails for a file of the main repository below a directory that is a workspace of its own: to
    know whose it is, Bazel reads WORKSPACE, which waits for it. Measured: 0.24.1, 2.1.0, 4.2.3."""
    markers = WORKSPACE_MARKERS[: 1 + release.reads_workspace_bazel]
    directory = "" if file.repository else file.package
    while directory:
        for marker in (f"{directory}/{name}" for name in markers):
            if workspace.is_file(marker):
                starlark.fail_with(
                    f"Failed to load Starlark extension '{file}'.",
                    f"{marker} makes `{directory}` a workspace of its own: Bazel asks WORKSPACE"
                    " whose file this is, and that waits for the file; load it from a repository,"
                    f" or delete {marker}",
                )
        directory = directory.rpartition("/")[0]


def _of_repository(failure: Diagnostic, file: Label, place: Location) -> Diagnostic:
    """The error of a load statement whose repository's own rule fails."""
    note = Note(f"WORKSPACE loads {file}", place.span)
    return replace(failure, code=REPOSITORY_FAILS, notes=(*failure.notes, note))


def close_facts(facts: WorkspaceFacts) -> None:
    """Adds what Bazel's own suffix defines. A user's repository beats it; its binds win."""
    log = facts.log
    log.chunk += 1
    for name, actual in facts.builtin.suffix_binds.items():
        log.bind(Binding(name, external_label(actual, {}), _BUILTIN, ()))
    for name in facts.builtin.suffix_repositories:
        if log.last(name) is None:
            definition = RepositoryDefinition(name, OF_BAZEL, {}, _BUILTIN, ())
            log.define(DefinedRepository(definition, OF_BAZEL, {}, log.chunk), is_native=False)
