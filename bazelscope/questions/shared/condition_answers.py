"""Conditions and selects as an answer shows them: what holds, what does not, and why."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from bazelscope.base.label import Label
from bazelscope.base.source import CallStack, Location
from bazelscope.base.unknown import Unknown
from bazelscope.questions.shared.nodes import TermAnswer
from bazelscope.questions.shared.option_answers import OptionSetting


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
