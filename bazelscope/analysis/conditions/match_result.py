"""The outcome of matching one condition against one configuration.

Bazel: `ConfigMatchingProvider.MatchResult`. Never a bare bool: a condition that does not
match says what it wanted and what it got; one that cannot be decided says why.
"""

from __future__ import annotations

import enum
from typing import ClassVar

from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.base.unknown import Unknown
from bazelscope.flags.flag_values import FlagInstance


class Outcome(enum.Enum):
    """What became of a condition; the value is the wording used in JSON."""

    HOLDS = "holds"
    DOES_NOT_HOLD = "does-not-hold"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Requirement:
    """One entry of a config_setting: `what` is the flag (`--define=build_with_mkl`,
    `--cpu`, `//p:flag`) or the constraint setting, `wanted` the value it must have, `got`
    the value in force (None: unset and without a default), `set_by` the instance that set
    it (None: the default holds, or the implementation of the rule `provided_by` says it),
    `assumed` what that value was taken for granted for."""

    what: str
    wanted: str
    got: str | None
    set_by: FlagInstance | None = None
    assumed: Unknown | None = None
    provided_by: Location | None = None

    @property
    def holds(self) -> bool:
        return self.wanted == self.got


@dataclass(frozen=True, slots=True)
class Match:
    """The condition holds; `requirements` are the entries that made it so."""

    outcome: ClassVar[Outcome] = Outcome.HOLDS
    unmet: ClassVar[tuple[Requirement, ...]] = ()
    unmet_ways: ClassVar[tuple[tuple[Requirement, ...], ...]] = ()
    unknown: ClassVar[None] = None
    condition: Label
    setting: Label
    """The condition after aliases: the config_setting itself."""
    requirements: tuple[Requirement, ...]
    location: Location | None = None

    @property
    def entries(self) -> tuple[Requirement, ...]:
        return self.requirements


@dataclass(frozen=True, slots=True)
class NoMatch:
    """The condition does not hold; `diffs` are the entries that differ. Of a group of settings of
    which any is enough, `alternatives` are those of each; else there are none."""

    outcome: ClassVar[Outcome] = Outcome.DOES_NOT_HOLD
    unknown: ClassVar[None] = None
    condition: Label
    setting: Label
    diffs: tuple[Requirement, ...]
    requirements: tuple[Requirement, ...] = ()
    location: Location | None = None
    alternatives: tuple[tuple[Requirement, ...], ...] = ()

    @property
    def entries(self) -> tuple[Requirement, ...]:
        """Those that differ, then those that do not."""
        return (*self.diffs, *(entry for entry in self.requirements if entry not in self.diffs))

    @property
    def unmet(self) -> tuple[Requirement, ...]:
        return self.diffs

    @property
    def unmet_ways(self) -> tuple[tuple[Requirement, ...], ...]:
        return self.alternatives or ((self.diffs,) if self.diffs else ())


@dataclass(frozen=True, slots=True)
class UnknownMatch:
    """Whether the condition holds cannot be told, or it is in error."""

    outcome: ClassVar[Outcome] = Outcome.UNKNOWN
    entries: ClassVar[tuple[Requirement, ...]] = ()
    unmet: ClassVar[tuple[Requirement, ...]] = ()
    unmet_ways: ClassVar[tuple[tuple[Requirement, ...], ...]] = ()
    condition: Label
    unknown: Unknown

    @property
    def setting(self) -> Label:
        return self.condition

    @property
    def location(self) -> Location | None:
        return self.unknown.location


MatchResult = Match | NoMatch | UnknownMatch
"""Each has what an answer tells of a condition: its `outcome`, the `entries` of the
config_setting that are known, those of them that are `unmet`, all of which have to be met in
one of the `unmet_ways`, and what is `unknown`."""
