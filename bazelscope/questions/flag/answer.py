"""The answer to `flag NAME` as a value."""

from __future__ import annotations

from collections.abc import Sequence

from bazelscope.analysis.compile.option_effects import OptionEffect, Stripping
from bazelscope.base.errors import Diagnostic
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.option_history import OptionChange
from bazelscope.flags.flag_values import FlagInstance
from bazelscope.questions.shared.envelope import Answer
from bazelscope.questions.shared.relevance import concerning


@dataclass(frozen=True, slots=True)
class FlagFacts:
    """What is known of one flag: of Bazel's own by the table of its options, of the project's
    own by the rule that declares it, whose label the name is."""

    name: str
    abbreviation: str | None
    type: str
    default: str | None
    accumulates: bool
    last_of_a_name: bool
    """Whether of two instances with the same name (`NAME=VALUE`) only the later one counts."""
    commands: tuple[str, ...]
    lifetime: str
    """Which releases have it for certain: `since 6.0.0`, `up to 6.5.0`."""
    is_certain: bool
    """False where this version perhaps does not have it."""
    former_names: tuple[str, ...]
    changes: tuple[OptionChange, ...]
    """How it came, changed and went from release to release."""
    summary: str = ""
    """A sentence on what it does and when one wants it; empty where there is none."""
    declared_at: Location | None = None
    """Where the target stands that a flag of the project's own is."""
    scope: str = ""
    """What a flag of the project's own says of where its value counts; empty where it says
    nothing, or where the release knows no scopes."""
    reaches_tools: bool | None = None
    """Whether tools get its value, too; None for Bazel's own options."""


@dataclass(frozen=True, slots=True)
class RankedSetting:
    """One occurrence of a flag; `counts` says whether it is part of the final value."""

    setting: FlagInstance
    counts: bool


def ranked_settings(
    counting: Sequence[FlagInstance], beaten: Sequence[FlagInstance]
) -> tuple[RankedSetting, ...]:
    """The occurrences of a flag, in the order in which they take effect."""
    winners = set(map(id, counting))
    every = sorted((*beaten, *counting), key=lambda instance: instance.precedence)
    return tuple(RankedSetting(one, id(one) in winners) for one in every)


@dataclass(frozen=True, slots=True)
class FlagAnswer(Answer):
    """Who set a flag, in precedence order (the first was applied first), and the result.

    `define` is the name within `--define` (or `--repo_env`, `--action_env`) that was asked
    for, if any. `facts` is None for
    a flag that this Bazel does not have; then `suggestions` are the nearest names and
    `known_in` the versions that have it. `values` is empty where nothing is set and the
    table gives no default.
    """

    asked: str
    facts: FlagFacts | None
    values: tuple[str, ...]
    settings: tuple[RankedSetting, ...]
    is_default: bool
    define: str | None = None
    suggestions: tuple[str, ...] = ()
    known_in: tuple[str, ...] = ()
    compiler: tuple[OptionEffect, ...] = ()
    """What its settings come to for the compiler and the linker."""
    strips: Stripping | None = None
    """What becomes of debug symbols under the line, told of a `--strip` that nobody sets."""
    mode: str = ""
    """The compilation mode, where `strips` is told."""
    unknown: Unknown | None = None
    """Why it cannot be told what flag of the project's own it is, and so whether those of its
    settings count that a later one follows."""

    @property
    def is_set(self) -> bool:
        return any(ranked.counts for ranked in self.settings)

    @property
    def is_negative(self) -> bool:
        # The default of an option is an answer, too.
        return not self.is_set and (self.facts is None or self.define is not None)

    @property
    def is_open(self) -> bool:
        return self.unknown is not None

    @property
    def is_partial(self) -> bool:
        return self.unknown is not None and len(self.settings) > 1

    @property
    def concerning(self) -> tuple[Diagnostic, ...]:
        member = f"={self.define}" if self.define else ""
        causes = (cause for ranked in self.settings for cause in ranked.setting.chain)
        shown = (cause.location for cause in causes if cause.location is not None)
        return concerning(self.envelope.line_diagnostics, shown, f"`--{self.asked}{member}")
