"""What the analysis found out about conditions and selects becomes part of an answer."""

from __future__ import annotations

from bazelscope.analysis.conditions.match_result import Match, MatchResult, NoMatch, Requirement
from bazelscope.analysis.conditions.select_choice import (
    Ambiguous,
    BranchOutcome,
    Chosen,
    NoBranch,
    SelectResult,
)
from bazelscope.analysis.graph.compatibility import Incompatible
from bazelscope.base.label import Label
from bazelscope.base.source import Location
from bazelscope.bazel.attribute_types import DictValue
from bazelscope.questions.shared.condition_answers import (
    ConditionAnswer,
    IncompatibleAnswer,
    Outcome,
    RequirementAnswer,
    SelectAnswer,
    SelectBranch,
    SelectOutcome,
)
from bazelscope.questions.shared.nodes import TermAnswer
from bazelscope.questions.shared.option_answers import setting_of


def why_condition(result: MatchResult) -> ConditionAnswer:
    """The outcome of a match as an answer shows it."""
    if isinstance(result, Match):
        return ConditionAnswer(
            result.condition,
            result.setting,
            Outcome.HOLDS,
            tuple(_requirement(entry, holds=True) for entry in result.requirements),
            result.location,
        )
    if isinstance(result, NoMatch):
        unmet = tuple(_requirement(entry, holds=False) for entry in result.diffs)
        met = tuple(
            _requirement(entry, holds=True)
            for entry in result.requirements
            if entry not in result.diffs
        )
        return ConditionAnswer(
            result.condition, result.setting, Outcome.DOES_NOT_HOLD, unmet + met, result.location
        )
    return ConditionAnswer(
        result.condition,
        result.condition,
        Outcome.UNKNOWN,
        location=result.unknown.location,
        unknown=result.unknown,
    )


def describe_incompatible(
    found: Incompatible | None, location: Location | None
) -> IncompatibleAnswer | None:
    """The reason why a target cannot be built as an answer shows it."""
    if found is None:
        return None
    chain = tuple(node.label for node in found.chain)
    missing = tuple(_requirement(entry, holds=False) for entry in found.missing)
    return IncompatibleAnswer(chain, missing, location)


def why_select(attribute: str, choice: SelectResult, term: TermAnswer | None) -> SelectAnswer:
    """The choice that one select() of `attribute` makes, as an answer shows it."""
    call_stack = choice.selector.call_stack
    if isinstance(choice, Chosen):
        outcome, detail = SelectOutcome.CHOSEN, ""
    elif isinstance(choice, Ambiguous):
        outcome, detail = SelectOutcome.AMBIGUOUS, choice.diagnostic.message
    elif isinstance(choice, NoBranch):
        outcome, detail = SelectOutcome.NO_BRANCH, choice.diagnostic.message
    else:
        outcome = SelectOutcome.UNKNOWN
        detail = "; ".join(dict.fromkeys(str(unknown) for unknown in choice.unknowns))
    return SelectAnswer(
        attribute=attribute,
        outcome=outcome,
        location=call_stack[-1].location if call_stack else None,
        branches=tuple(_branch(entry) for entry in choice.outcomes),
        call_stack=call_stack,
        term=term,
        detail=detail,
    )


def _branch(entry: BranchOutcome) -> SelectBranch:
    condition = entry.branch.condition
    if entry.match is not None:
        why = why_condition(entry.match)
    else:
        outcome = Outcome.HOLDS if entry.is_chosen else Outcome.DOES_NOT_HOLD
        why = ConditionAnswer(condition, condition, outcome)
    return SelectBranch(
        condition=why,
        is_default=entry.branch.is_default,
        values=value_texts(entry.branch.value),
        is_chosen=entry.is_chosen,
        beaten_by=entry.beaten_by,
    )


def value_texts(value: object) -> tuple[str, ...]:
    """An attribute value as texts, one for each element."""
    if value is None:
        return ("None: the attribute's default",)
    if isinstance(value, tuple) and not isinstance(value, Label):
        return tuple(text for item in value for text in value_texts(item))
    if isinstance(value, DictValue):
        return tuple(
            f"{key}: {', '.join(value_texts(item)) or 'nothing'}" for key, item in value.items
        )
    return (str(value),)


def _requirement(entry: Requirement, holds: bool) -> RequirementAnswer:
    return RequirementAnswer(
        entry.what,
        entry.wanted,
        entry.got,
        holds,
        setting_of(entry.set_by) if entry.set_by else None,
    )
