"""Conditions and selects as an answer shows them: what holds, what does not, and why."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from bazelscope.analysis.compatibility import Incompatible
from bazelscope.analysis.matching import Match, MatchResult, NoMatch, Requirement
from bazelscope.analysis.selects import (
    Ambiguous,
    BranchOutcome,
    Chosen,
    NoBranch,
    SelectResult,
)
from bazelscope.explain.nodes import TermAnswer
from bazelscope.explain.options import OptionSetting, setting_of
from bazelscope.label import Label
from bazelscope.loading.values import DictValue
from bazelscope.source import CallStack, Location
from bazelscope.unknown import Unknown


class Outcome(enum.Enum):
    HOLDS = "holds"
    DOES_NOT_HOLD = "does-not-hold"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class RequirementAnswer:
    """One entry of a config_setting: what it wants, what is in force, and who set that."""

    what: str
    wanted: str
    got: str | None
    holds: bool
    set_by: OptionSetting | None = None


@dataclass(frozen=True, slots=True)
class ConditionAnswer:
    """Whether one condition holds, entry by entry. `setting` is the config_setting behind
    the aliases that `condition` may go through."""

    condition: Label
    setting: Label
    outcome: Outcome
    requirements: tuple[RequirementAnswer, ...] = ()
    location: Location | None = None
    unknown: Unknown | None = None

    @property
    def unmet(self) -> tuple[RequirementAnswer, ...]:
        return tuple(entry for entry in self.requirements if not entry.holds)


@dataclass(frozen=True, slots=True)
class IncompatibleAnswer:
    """Why a target cannot be built for the platform: the last of `chain`, which the first
    depends on, is at `location` and wants constraint values that the platform lacks."""

    chain: tuple[Label, ...]
    missing: tuple[RequirementAnswer, ...]
    location: Location | None


class SelectOutcome(enum.Enum):
    CHOSEN = "chosen"
    AMBIGUOUS = "ambiguous"
    NO_BRANCH = "no-branch"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class SelectBranch:
    """One branch of a select(): its condition, whether that holds, and what it gives."""

    condition: ConditionAnswer
    is_default: bool
    values: tuple[str, ...]
    is_chosen: bool = False
    beaten_by: tuple[Label, ...] = ()
    """Conditions that hold as well and are more specific."""


@dataclass(frozen=True, slots=True)
class SelectAnswer:
    """Which branch of one select() in `attribute` is taken, and why.

    `detail` is the reason where none is; `term` is the expression that made the select
    (`mkl_deps()`), where the files tell.
    """

    attribute: str
    outcome: SelectOutcome
    location: Location | None
    branches: tuple[SelectBranch, ...]
    call_stack: CallStack = ()
    term: TermAnswer | None = None
    detail: str = ""

    @property
    def chosen(self) -> SelectBranch | None:
        return next((branch for branch in self.branches if branch.is_chosen), None)

    @property
    def call(self) -> TermAnswer | None:
        """The call in the attribute that makes the select(): `mkl_deps()`. None where the
        attribute spells it out, or that cannot be told."""
        terms = [self.term] if self.term is not None else []
        while terms:
            part = terms.pop(0)
            if part.kind == "call" and part.defined_at == self.location:
                return self.term
            terms = [*part.via, *terms]
        return None


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
