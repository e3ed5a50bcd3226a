"""The answer to `diff` as a value: what two command lines make different."""

from __future__ import annotations

from bazelscope.analysis.compile.words import Word
from bazelscope.analysis.conditions.match_result import MatchResult, Outcome
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.flags.flag_values import FlagInstance
from bazelscope.questions.shared.endpoint_answers import NameAnswer
from bazelscope.questions.shared.envelope import Answer
from bazelscope.questions.shared.nodes import EdgeAnswer, NodeAnswer
from bazelscope.questions.shared.select_answers import SelectAnswer
from bazelscope.questions.shared.target_answers import RepositoryNeed


@dataclass(frozen=True, slots=True)
class LineAnswer:
    """One of the two command lines. `reached` counts the targets that are depended on,
    those asked about included."""

    words: tuple[str, ...]
    reached: int = 0


@dataclass(frozen=True, slots=True)
class OptionDifference:
    """An option that the lines set differently: the settings that count under one alone.

    None `before`, or none `after`: there it has its default.
    """

    name: str
    before: tuple[FlagInstance, ...]
    after: tuple[FlagInstance, ...]


@dataclass(frozen=True, slots=True)
class ConditionDifference:
    """A condition whose outcome differs."""

    before: MatchResult
    after: MatchResult

    @property
    def condition(self) -> Label:
        return self.after.condition

    @property
    def begins_to_hold(self) -> bool:
        return self.after.outcome is Outcome.HOLDS


@dataclass(frozen=True, slots=True)
class SelectDifference:
    """A select() of a target asked about that takes another branch."""

    target: Label
    before: SelectAnswer
    after: SelectAnswer


@dataclass(frozen=True, slots=True)
class DependencyDifference:
    """A target that is depended on under one line alone, and the edge that leads to it from
    one that is depended on under both: the place where the two part. `brings` counts the
    targets that are first reached through it, itself included."""

    node: NodeAnswer
    edge: EdgeAnswer
    brings: int


@dataclass(frozen=True, slots=True)
class LineDifference:
    """What the compiler (`CppCompile`) or the linker (`CppLink`) gets for a target that the other
    line does not give it, and who put it there; `subjects` are sources with these very differences,
    or what is linked."""

    target: Label
    mnemonic: str
    subjects: tuple[str, ...]
    removed: tuple[Word, ...]
    added: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class DifferenceAnswer(Answer):
    """What is different after `after`, in terms of what was so under `before`.

    `gained` and `lost` are where dependencies part; `more` and `fewer` count all targets
    that are depended on under one line alone.
    """

    before: LineAnswer
    after: LineAnswer
    targets: tuple[NameAnswer, ...]
    options: tuple[OptionDifference, ...] = ()
    conditions: tuple[ConditionDifference, ...] = ()
    selects: tuple[SelectDifference, ...] = ()
    gained: tuple[DependencyDifference, ...] = ()
    lost: tuple[DependencyDifference, ...] = ()
    more: int = 0
    fewer: int = 0
    repositories_gained: tuple[RepositoryNeed, ...] = ()
    repositories_lost: tuple[RepositoryNeed, ...] = ()
    lines: tuple[LineDifference, ...] = ()
    """What differs for the compiler and the linker, for those asked about that are of C++."""

    @property
    def is_same(self) -> bool:
        """Whether nothing differs."""
        parts = (self.options, self.conditions, self.selects, self.lines)
        return not (any(parts) or self.more or self.fewer)

    @property
    def is_negative(self) -> bool:
        return any(target.label is None for target in self.targets)
