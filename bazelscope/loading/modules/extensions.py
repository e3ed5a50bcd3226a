"""Runs a module extension dry: which repositories it would define.

Bazel: `SingleExtensionEvalFunction`. `module_ctx` is the `repository_ctx` of a dry run, which
runs no program and downloads nothing, with the tags of the modules that use the extension.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bazelscope import starlark
from bazelscope.base import budget
from bazelscope.base.errors import Diagnostic, StarlarkError
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import CallStack, Location
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.dry_run.decisions import Decision, Decisions, next_script
from bazelscope.loading.dry_run.rule_run import LIMITS, MAXIMUM_RESTARTS, is_sure
from bazelscope.loading.dry_run.run_result import FAIL, NO_FILE
from bazelscope.loading.dry_run.run_state import DryRunState
from bazelscope.loading.dry_run.unknown_pieces import (
    NEEDS_UNKNOWN,
    before_pieces,
    shown_without_pieces,
)
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext, doubted
from bazelscope.loading.evaluation.rules.rule_values import ModuleExtension
from bazelscope.loading.evaluation.values.repository_rule import RepositoryRule
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue
from bazelscope.loading.evaluation.workspace.repository_attributes import WRONG_ARGUMENT
from bazelscope.loading.evaluation.workspace.repository_definitions import (
    DefinedRepository,
    DefinitionLog,
)
from bazelscope.loading.evaluation.workspace.workspace_evaluation import (
    WorkspaceFacts,
    WorkspaceRecorder,
)
from bazelscope.loading.modules.evaluator import Evaluator
from bazelscope.loading.modules.extension_context import (
    LATER_MEMBERS,
    UsingModule,
    module_context,
)
from bazelscope.loading.modules.extension_metadata import REFUSED
from bazelscope.loading.modules.module_file_checks import check_repository_name
from bazelscope.loading.modules.use_repo_fixups import ExtensionMetadata

_MAXIMUM_RUNS = 6
_OF_SOME = frozenset({*LATER_MEMBERS, "is_isolated"})
"""Members of `module_ctx` that releases or flags decide about."""


@dataclass(frozen=True, slots=True)
class ExtensionResult:
    """The repositories by the extension's own names. `failure` is why it did not come to its
    end; `unknowns` are why it may make others than these. `refusal` is the failure to which Bazel
    surely comes, too. `metadata` is what it says of the root's imports; None if nothing is known.
    """

    repositories: Mapping[str, DefinedRepository]
    unknowns: tuple[Unknown, ...]
    failure: Diagnostic | None
    refusal: Diagnostic | None = None
    metadata: ExtensionMetadata | None = None


@dataclass(frozen=True)
class ExtensionRun:
    """What it takes to run the extension `shown` for `modules`, the root module first. Of a
    model, the real one may take more than it does: patches give extensions attributes, too."""

    shown: str
    extension: ModuleExtension
    modules: Sequence[UsingModule]
    evaluator: Evaluator
    location: Location
    is_model: bool
    is_isolated: bool | None
    facts: Mapping[str, object]

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
        implementation, context = self.extension.implementation, self.evaluator.context
        files, settings = self.evaluator.repositories, self.evaluator.settings
        assert callable(implementation)
        cuts = budget.current().cuts
        for _ in range(MAXIMUM_RESTARTS):
            facts = self.evaluator.new_facts()
            facts.log = DefinitionLog(strict_names=False)
            decisions = Decisions(script)
            state = DryRunState(self.shown, files, settings, self.location, decisions=decisions)
            failure, returned, known = None, None, frozenset[Unknown]()
            thread = starlark.Thread(LIMITS)
            recorder = _ExtensionRecorder(facts, decisions, context)
            try:
                module_ctx = module_context(
                    self.extension,
                    self.shown,
                    self.modules,
                    context,
                    state,
                    self.is_model,
                    self.is_isolated,
                    self.facts,
                )
                known = frozenset(state.pieces.all())
                with context.evaluating(workspace=recorder):
                    returned = starlark.call(implementation, (module_ctx,), {}, thread)
                    self._check_returned(returned)
            except StarlarkError as error:
                failure = error.diagnostic
            if state.waits_for is None:
                break
            files.directory_of(state.waits_for)
        is_cut = budget.current().cuts > cuts
        return _Attempt(
            facts,
            tuple(decisions.made),
            failure,
            returned,
            is_cut,
            # The user's own environment may have what the command line gives no value.
            next(iter(thread.doubts.values()), None),
            bool(thread.doubts or state.absent or self._lacks_variables()),
            bool(known.symmetric_difference(state.pieces.all())),
            state,
        )

    def _lacks_variables(self) -> bool:
        return not self.evaluator.settings.environment.keys() >= set(self.extension.environ)

    def _check_returned(self, returned: object) -> None:
        """Bazel: `RegularRunnableExtension`."""
        if not isinstance(returned, ExtensionMetadata | UnknownValue | None):
            starlark.fail_with(
                f"expected module extension {self.shown} to return None or extension_metadata, got"
                f" {starlark.type_of(returned)}",
                code=REFUSED,
            )

    def _told(self, run: _Attempt) -> ExtensionResult:
        facts, failure = run.facts, run.failure
        # What an unlikely answer has led to is what the extension makes only if that is the answer.
        turned = (
            made.assumption(is_forced=False)
            for made in run.made
            if made.choice is not made.likelier
        )
        doubt = run.doubt if isinstance(run.doubt, Unknown) else next(turned, None)
        repositories: dict[str, DefinedRepository] = {}
        for name in facts.log.names():
            winner = facts.log.winner(name)
            if before_pieces(name) is not None:
                detail = f"it makes `{shown_without_pieces(name)}`, of whose name not all is known"
                reason = Reason.DEPENDS_ON_UNKNOWN
                facts.unknowns.append(Unknown(reason, self.shown, detail, self.location))
            elif winner is not None:
                repositories[name] = replace(winner, doubt=winner.doubt or doubt)
        assumed = tuple(made.assumption(is_forced=False) for made in run.made)
        if failure is not None:
            message = shown_without_pieces(failure.message, 160)
            is_unknown = failure.code == NEEDS_UNKNOWN
            reason = Reason.DEPENDS_ON_UNKNOWN if is_unknown else Reason.FAILED
            failed = Unknown(reason, self.shown, message, self.location)
            assumed = (failed, *assumed)
        unknowns = (*facts.may_define, *facts.unknowns, *assumed)
        metadata = run.returned if isinstance(run.returned, ExtensionMetadata) else None
        if run.returned is None and failure is None:
            metadata = ExtensionMetadata()
        refusal = None if self.is_model else self._refusal(run)
        return ExtensionResult(repositories, unknowns, failure, refusal, metadata)

    def _refusal(self, run: _Attempt) -> Diagnostic | None:
        """The failure of a run that nothing unknown has led to, at its own place."""
        failure, facts = run.failure, run.facts
        if failure is None or run.made or run.is_cut or run.is_doubtful:
            return None
        if facts.may_define or facts.unknowns:
            return None
        if doubted(failure, self.evaluator.context.doubtful_files) is not None:
            return None
        is_own = failure.code in (FAIL, NO_FILE, REFUSED, WRONG_ARGUMENT)
        if not is_own and (run.has_unknown_text or not is_sure(failure, run.state, _OF_SOME)):
            return None
        if failure.span is None:
            place = failure.call_stack[-1].location if failure.call_stack else self.location
            failure = replace(failure, span=place.span)
        return failure


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One run to its end or its failure; `is_cut` where a limit ended it."""

    facts: WorkspaceFacts
    made: tuple[Decision, ...]
    failure: Diagnostic | None
    returned: object
    is_cut: bool
    doubt: object
    """What it took for granted of a value that is not known: that a list is empty, for one."""
    is_doubtful: bool
    """Whether it went on by what was taken for a value that is not known."""
    has_unknown_text: bool
    state: DryRunState


class _ExtensionRecorder(WorkspaceRecorder):
    """What repository rules report to while an extension runs.

    Bazel: `ModuleExtensionEvalStarlarkThreadContext`.
    """

    def __init__(
        self, facts: WorkspaceFacts, decisions: Decisions, context: EvaluationContext
    ) -> None:
        super().__init__(facts)
        self._decisions = decisions
        self._release = context.release

    def define_repository(
        self, rule: RepositoryRule | str, arguments: Mapping[str, object], stack: CallStack
    ) -> None:
        name = arguments.get("name")
        if not isinstance(name, str | UnknownValue):
            kind = starlark.type_of(name)
            starlark.fail_with(f"expected string for attribute 'name', got '{kind}'", code=REFUSED)
        if isinstance(name, str) and before_pieces(name) is None:
            check_repository_name(name, self._release, REFUSED)
            before = self._log.winner(name)
            if before is not None and not self._decisions.made:
                starlark.fail_with(
                    f"A repo named {name} is already generated by this module extension at"
                    f" {before.definition.location}",
                    code=REFUSED,
                )
        super().define_repository(rule, arguments, stack)
