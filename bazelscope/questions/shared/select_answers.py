"""Selects as an answer shows them: the branch that is taken, and why not each other one."""

from __future__ import annotations

import enum

from bazelscope.analysis.conditions.match_result import MatchResult, Requirement
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import CallStack, Location
from bazelscope.loading.origins.term import Term, TermKind


@dataclass(frozen=True, slots=True)
class IncompatibleAnswer:
    """Why a target cannot be built for the platform: the last of `chain`, which the first
    depends on, is at `location` and wants constraint values that the platform lacks."""

    chain: tuple[Label, ...]
    missing: tuple[Requirement, ...]
    location: Location | None


class SelectOutcome(enum.Enum):
    CHOSEN = "chosen"
    AMBIGUOUS = "ambiguous"
    NO_BRANCH = "no-branch"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class SelectBranch:
    """One branch of a select(): its condition, whether that holds, and what it gives. The
    default's holds if no other one does."""

    condition: MatchResult
    is_default: bool
    values: tuple[str, ...]
    is_chosen: bool = False
    beaten_by: tuple[Label, ...] = ()
    """Conditions that hold as well and are more specific."""

    @property
    def how_it_holds(self) -> str:
        """Says what beats a branch whose condition holds: in an ambiguous select() nothing."""
        winners = ", ".join(map(str, self.beaten_by))
        return f"holds, but {winners} is more specific" if winners else "holds as well"


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
    term: Term | None = None
    detail: str = ""

    @property
    def chosen(self) -> SelectBranch | None:
        return next((branch for branch in self.branches if branch.is_chosen), None)

    @property
    def call(self) -> Term | None:
        """The call in the attribute that makes the select(): `mkl_deps()`. None where the
        attribute spells it out, or that cannot be told."""
        terms = [self.term] if self.term is not None else []
        while terms:
            part = terms.pop(0)
            if part.kind is TermKind.CALL and part.defined_at == self.location:
                return self.term
            terms = [*part.via, *terms]
        return None
