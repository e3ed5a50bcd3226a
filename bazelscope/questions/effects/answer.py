"""The answer to `effects`."""

from __future__ import annotations

from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.questions.shared.endpoint_answers import NameAnswer
from bazelscope.questions.shared.envelope import Answer
from bazelscope.questions.shared.nodes import OptionNeed


@dataclass(frozen=True, slots=True)
class ConditionUse:
    """A condition that looks at a flag, and how many select()s in how many targets ask it."""

    condition: Label
    location: Location | None
    selects: int
    targets: int


@dataclass(frozen=True, slots=True)
class ValueEffect:
    """What one value of a flag does to what a target depends on: `brings` are targets that are
    needed with it and not as things are, `takes` those that are needed now and not with it; the
    first few of each. `is_refused`: Bazel refuses to build the target with it."""

    need: OptionNeed
    brings: int = 0
    takes: int = 0
    first_brought: tuple[Label, ...] = ()
    first_taken: tuple[Label, ...] = ()
    is_refused: bool = False


@dataclass(frozen=True, slots=True)
class FlagEffect:
    """What turns on one flag, platform constraint or variable, `what`: the conditions that look
    at it, the values that they ask for, most effective first, and the repositories whose rules
    read it. `wanted` is the value that was asked about, None for all."""

    what: str
    wanted: str | None = None
    conditions: tuple[ConditionUse, ...] = ()
    values: tuple[ValueEffect, ...] = ()
    readers: tuple[str, ...] = ()
    set_at: Location | None = None

    @property
    def selects(self) -> int:
        return sum(use.selects for use in self.conditions)

    @property
    def is_idle(self) -> bool:
        """Whether nothing turns on it."""
        return not self.conditions and not self.readers


@dataclass(frozen=True, slots=True)
class EffectsAnswer(Answer):
    """What turns on `name`, below `target` or (None) in the whole workspace.

    A config has an effect for each option that it sets, and one as a `whole`. `problem`: nothing
    has that name.
    """

    name: str
    target: NameAnswer | None
    whole: ValueEffect | None = None
    effects: tuple[FlagEffect, ...] = ()
    problem: str = ""
    suggestions: tuple[str, ...] = ()

    @property
    def is_negative(self) -> bool:
        return bool(self.problem) or all(effect.is_idle for effect in self.effects)
