"""Calls implementations of rules and aspects, and tells an error of theirs from what cannot be
followed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import FunctionType

from bazelscope import starlark
from bazelscope.analysis.rules.context import RuleContext
from bazelscope.analysis.rules.provided import Implemented
from bazelscope.analysis.rules.returned import nothing
from bazelscope.base.errors import Diagnostic, LimitError, StarlarkError, is_of_ours
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.dry_run.run_result import FAIL
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext, doubted
from bazelscope.loading.evaluation.values.structs import unknown_in
from bazelscope.loading.packages.targets import Rule

LIMITS = starlark.Limits(steps=20_000_000)
_OF_UNKNOWN = lazy_pattern(r"\bunknown\b|to_json|to_proto")
"""What stands in the error of an operation that takes nothing unknown; or of the methods of
structs, which `dir()` lists in some releases."""


def called(
    evaluation: EvaluationContext,
    function: FunctionType,
    arguments: tuple[object, ...],
    context: RuleContext,
    rule: Rule,
    finished: Callable[[object], Implemented],
) -> Implemented | Unknown:
    """Returns what the implementation of `rule`, or of an aspect on it, comes to: what
    `finished` makes of the value that it returns, its error, or why it cannot be followed."""
    thread = starlark.Thread(LIMITS)
    unknowns, evaluation.unknowns = evaluation.unknowns, []
    calls = evaluation.unknown_calls
    subject = str(rule.label)
    try:
        with evaluation.evaluating():
            evaluation.is_analysis, evaluation.run_subrule = True, context.run_subrule
            value = starlark.call(function, arguments, {}, thread)
            context.actions.others_act |= evaluation.unknown_calls > calls
            result = finished(value)
    except LimitError as error:
        return Unknown(Reason.LIMIT, subject, error.diagnostic.message, rule.location)
    except StarlarkError as error:
        doubt = _doubt_of(thread, subject)
        doubt = doubt or doubted(error.diagnostic, evaluation.doubtful_files)
        if doubt is not None:
            return doubt
        is_own = error.diagnostic.code == FAIL
        if is_of_ours(error.diagnostic) or (
            not is_own and _OF_UNKNOWN.search(error.diagnostic.message)
        ):
            return Unknown(Reason.NOT_MODELLED, subject, error.diagnostic.message)
        return nothing(rule.label, evaluation, _placed(error.diagnostic, function))
    finally:
        evaluation.unknowns = unknowns
        context.actions.is_over = True
    texts = unknown_in([*result.providers.values(), *result.legacy.values()], only_texts=True)
    return _doubt_of(thread, subject) or texts or result


def _placed(error: Diagnostic, function: FunctionType) -> Diagnostic:
    """The error at the implementation itself, where it is of what that returned."""
    if error.span is not None:
        return error
    return replace(error, span=starlark.definition(function).location.span)


def _doubt_of(thread: starlark.Thread, subject: str) -> Unknown | None:
    """What the implementation decided by without knowing it."""
    for doubt in thread.doubts.values():
        if isinstance(doubt, Unknown):
            return Unknown(Reason.DEPENDS_ON_UNKNOWN, subject, str(doubt), doubt.location)
    return None
