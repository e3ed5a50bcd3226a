"""The outcome of matching one condition against one configuration.

Bazel: `ConfigMatchingProvider.MatchResult`. Never a bare bool: a condition that does not
match says what it wanted and what it got; one that cannot be decided says why.
"""

from __future__ import annotations

from dataclasses import dataclass

from bazelscope.base.label import Label
from bazelscope.base.source import Location
from bazelscope.base.unknown import Unknown
from bazelscope.flags.flag_values import FlagInstance


@dataclass(frozen=True, slots=True)
class Requirement:
    """One entry of a config_setting: `what` is the flag (`--define=build_with_mkl`,
    `--cpu`, `//p:flag`) or the constraint setting, `wanted` the value it must have, `got`
    the value in force (None: unset and without a default), `set_by` the instance that set
    it (None: the default holds)."""

    what: str
    wanted: str
    got: str | None
    set_by: FlagInstance | None = None

    @property
    def holds(self) -> bool:
        return self.wanted == self.got


@dataclass(frozen=True, slots=True)
class Match:
    """The condition holds; `requirements` are the entries that made it so."""

    condition: Label
    setting: Label
    """The condition after aliases: the config_setting itself."""
    requirements: tuple[Requirement, ...]
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class NoMatch:
    """The condition does not hold; `diffs` are the entries that differ."""

    condition: Label
    setting: Label
    diffs: tuple[Requirement, ...]
    requirements: tuple[Requirement, ...] = ()
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class UnknownMatch:
    """Whether the condition holds cannot be told, or it is in error."""

    condition: Label
    unknown: Unknown


MatchResult = Match | NoMatch | UnknownMatch
