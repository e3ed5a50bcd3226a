"""What the analysis found out about selects becomes part of an answer."""

from __future__ import annotations

from bazelscope.analysis.conditions.match_result import Match, NoMatch
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
from bazelscope.loading.origins.term import Term
from bazelscope.questions.shared.select_answers import (
    IncompatibleAnswer,
    SelectAnswer,
    SelectBranch,
    SelectOutcome,
)


def describe_incompatible(
    incompatible: Incompatible | None, location: Location | None
) -> IncompatibleAnswer | None:
    """Puts the reason why a target cannot be built into the form of an answer."""
    if incompatible is None:
        return None
    chain = tuple(node.label for node in incompatible.chain)
    return IncompatibleAnswer(chain, incompatible.missing, location)


def why_select(attribute: str, choice: SelectResult, term: Term | None) -> SelectAnswer:
    """Puts the choice that one select() of `attribute` makes into the form of an answer."""
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
        location=choice.selector.location,
        branches=tuple(_branch(entry) for entry in choice.outcomes),
        call_stack=choice.selector.call_stack,
        term=term,
        detail=detail,
    )


def _branch(entry: BranchOutcome) -> SelectBranch:
    condition = entry.branch.condition
    default = Match if entry.is_chosen else NoMatch
    return SelectBranch(
        condition=entry.match or default(condition, condition, ()),
        is_default=entry.branch.is_default,
        values=value_texts(entry.branch.value),
        is_chosen=entry.is_chosen,
        beaten_by=entry.beaten_by,
    )


def value_texts(value: object) -> tuple[str, ...]:
    """Writes an attribute value as texts, one for each element."""
    if value is None:
        return ("None: the attribute's default",)
    if isinstance(value, tuple) and not isinstance(value, Label):
        return tuple(text for element in value for text in value_texts(element))
    if isinstance(value, DictValue):
        return tuple(
            f"{key}: {', '.join(value_texts(element)) or 'nothing'}" for key, element in value.items
        )
    return (str(value),)
