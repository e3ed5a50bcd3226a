"""The answer to `explain`: everything that a command line amounts to, as one value."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from bazelscope.errors import Diagnostic
from bazelscope.explain.completeness import COMPLETE, Completeness
from bazelscope.explain.condition_answers import ConditionAnswer, Outcome
from bazelscope.explain.configs import ConfigTree, UndefinedConfig
from bazelscope.explain.options import DefineAnswer, OptionAnswer
from bazelscope.explain.sections import Section
from bazelscope.explain.setup import Setup
from bazelscope.explain.target_answers import PatternAnswer, RepositoryNeed, TargetAnswer
from bazelscope.explain.words import WordAnswer
from bazelscope.flags.values import RcFile


class ConditionScope(enum.Enum):
    """Which conditions an explanation looked at."""

    NONE = "none"
    TARGETS = "targets"
    WORKSPACE = "workspace"


@dataclass(frozen=True, slots=True)
class Explanation:
    """What the flags of one command line amount to, and what the given targets make of them.

    `sections` are those that were asked for; the members of others are empty.
    """

    setup: Setup
    rc_files: tuple[RcFile, ...]
    configs: tuple[ConfigTree, ...]
    undefined_configs: tuple[UndefinedConfig, ...]
    options: tuple[OptionAnswer, ...]
    starlark_flags: tuple[OptionAnswer, ...]
    defines: tuple[DefineAnswer, ...]
    condition_scope: ConditionScope = ConditionScope.NONE
    conditions: tuple[ConditionAnswer, ...] = ()
    targets: tuple[TargetAnswer, ...] = ()
    patterns: tuple[PatternAnswer, ...] = ()
    sections: tuple[Section, ...] = ()
    words: tuple[WordAnswer, ...] = ()
    repositories: tuple[RepositoryNeed, ...] = ()
    reached: int = 0
    """How many targets the given ones depend on, themselves included."""
    diagnostics: tuple[Diagnostic, ...] = ()
    completeness: Completeness = COMPLETE

    def conditions_that(self, outcome: Outcome) -> tuple[ConditionAnswer, ...]:
        return tuple(found for found in self.conditions if found.outcome is outcome)
