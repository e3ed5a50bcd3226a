"""The answers to `when`."""

from __future__ import annotations

from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.questions.shared.conditions.flag_conditions import (
    ClashAnswer,
    FlagCondition,
    OtherPackages,
    Verdict,
)
from bazelscope.questions.shared.endpoint_answers import NameAnswer, UnknownBelow, may_be_there
from bazelscope.questions.shared.envelope import Answer
from bazelscope.questions.shared.nodes import EdgeAnswer


@dataclass(frozen=True, slots=True)
class WhenAnswer(Answer):
    """Under which flags `source` depends on `target`, or, without a target, can be built;
    without a `condition` a name means no target.

    `shared` are the edges that all paths take, `cut` the fewest without which there is none.
    `has_chain`: there is a chain of dependencies, be it one that no flags take; `clash` says why
    none take the one with the fewest select()s. `resolved_path`: where there is no chain, the
    targets by which what Bazel resolves under these flags leads there: toolchains, platforms,
    aspects.
    """

    source: NameAnswer
    target: NameAnswer | None
    condition: FlagCondition | None = None
    shared: tuple[EdgeAnswer, ...] = ()
    cut: tuple[EdgeAnswer, ...] = ()
    refused_targets: tuple[Label, ...] = ()
    has_chain: bool = False
    clash: ClashAnswer | None = None
    unknown_below: UnknownBelow | None = None
    packages: OtherPackages | None = None
    """Which packages it speaks of, where flags load others."""
    resolved_path: tuple[Label, ...] = ()

    @property
    def is_negative(self) -> bool:
        is_never = self.condition is None or self.condition.verdict is Verdict.NEVER
        return is_never and not self.resolved_path

    @property
    def is_open(self) -> bool:
        return self.unknown_below is not None or may_be_there(self.source, self.target)

    @property
    def is_partial(self) -> bool:
        condition = self.condition
        if condition is None:
            return False
        return condition.verdict is Verdict.TOO_MANY or not condition.is_complete


@dataclass(frozen=True, slots=True)
class RepositoryGroup:
    """External repositories that are needed under the same flags: some target of each is."""

    repositories: tuple[str, ...]
    condition: FlagCondition


@dataclass(frozen=True, slots=True)
class RepositoryConditionsAnswer(Answer):
    """Under which flags `source` depends on each external repository, those first that it always
    needs, then by how many share a condition."""

    source: NameAnswer
    groups: tuple[RepositoryGroup, ...] = ()
    packages: OtherPackages | None = None

    @property
    def is_negative(self) -> bool:
        return self.source.label is None or not self.groups

    @property
    def is_open(self) -> bool:
        return may_be_there(self.source)

    @property
    def is_partial(self) -> bool:
        conditions = [group.condition for group in self.groups]
        return any(one.verdict is Verdict.TOO_MANY or not one.is_complete for one in conditions)
