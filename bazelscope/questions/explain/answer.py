"""The answer to `explain`: everything that a command line amounts to, as one value."""

from __future__ import annotations

import enum

from bazelscope.analysis.conditions.match_result import MatchResult, Outcome
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.flags.flag_values import ConfigExpansion, Define, FlagValue, RcFile
from bazelscope.questions.explain.word_effects import WordAnswer
from bazelscope.questions.shared.endpoint_answers import NameAnswer
from bazelscope.questions.shared.envelope import Answer
from bazelscope.questions.shared.sections import Section
from bazelscope.questions.shared.target_answers import (
    LeftOut,
    PatternAnswer,
    RepositoryNeed,
    TargetAnswer,
    names_of,
)


class ConditionScope(enum.Enum):
    """Which conditions an explanation looked at."""

    NONE = "none"
    TARGETS = "targets"
    WORKSPACE = "workspace"


@dataclass(frozen=True, slots=True)
class Explanation(Answer):
    """What the flags of one command line amount to, and what the given targets make of them.

    `sections` are those that were asked for; the members of others are empty.
    """

    rc_files: tuple[RcFile, ...]
    configs: tuple[ConfigExpansion, ...]
    options: tuple[FlagValue, ...]
    starlark_flags: tuple[FlagValue, ...]
    defines: tuple[Define, ...]
    condition_scope: ConditionScope = ConditionScope.NONE
    conditions: tuple[MatchResult, ...] = ()
    targets: tuple[TargetAnswer, ...] = ()
    patterns: tuple[PatternAnswer, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    """What Bazel does not build, though it is named."""
    sections: tuple[Section, ...] = ()
    words: tuple[WordAnswer, ...] = ()
    repositories: tuple[RepositoryNeed, ...] = ()
    reached: int = 0
    """How many targets the given ones depend on, themselves included."""

    @property
    def names(self) -> tuple[NameAnswer, ...]:
        """What the words that name targets were taken for."""
        return names_of(self.targets)

    def conditions_that(self, outcome: Outcome) -> tuple[MatchResult, ...]:
        return tuple(condition for condition in self.conditions if condition.outcome is outcome)

    @property
    def is_negative(self) -> bool:
        is_absent = any(target.node is None for target in self.targets)
        return is_absent or any(pattern.is_missing for pattern in self.patterns)

    @property
    def is_open(self) -> bool:
        return any(target.unknown is not None for target in self.targets)
