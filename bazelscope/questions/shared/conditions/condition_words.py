"""Alternatives of a condition beside what is in force, with the configs that make them so."""

from __future__ import annotations

from collections.abc import Iterable

from bazelscope.analysis.conditions.atoms import FlagRequirement
from bazelscope.analysis.paths.dependence import Alternative, Word
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Unknown
from bazelscope.questions.shared.conditions.flag_conditions import FlagCombination, FlagWord
from bazelscope.questions.shared.needs import describe_need
from bazelscope.questions.shared.nodes import ConfigSource, OptionNeed
from bazelscope.questions.shared.world import World


@dataclass(frozen=True, slots=True)
class ConditionWords:
    """Puts what conditions ask of flags into words, in one world."""

    world: World

    def need(self, asked: FlagRequirement) -> OptionNeed:
        """A requirement beside what is in force, with the configs that meet it."""
        return describe_need(asked, self.world.conditions, self.world.configs)

    def needs(self, asked: Iterable[FlagRequirement]) -> tuple[OptionNeed, ...]:
        """Requirements, each as `need` describes it."""
        return tuple(map(self.need, asked))

    def word(self, word: Word) -> FlagWord:
        """One word of an alternative."""
        asked = word.asked
        if isinstance(asked, Unknown):
            need = OptionNeed(asked.subject, asked.subject, "", location=asked.location)
            return FlagWord(need, word.is_so, asked)
        return FlagWord(self.need(asked), word.is_so)

    def combination(self, alternative: Alternative) -> FlagCombination:
        """An alternative, with the configs each of which makes all of it so."""
        # What transitions decide is another unknown at each target, and told alike.
        words = tuple(dict.fromkeys(map(self.word, alternative)))
        to_set = [word.need.configs for word in words if word.is_so]
        shared: tuple[ConfigSource, ...] = ()
        if to_set:
            names = set.intersection(*({one.config for one in setters} for setters in to_set))
            first: dict[str, ConfigSource] = {}
            for source in to_set[0]:
                if source.config in names:
                    first.setdefault(source.config, source)
            shared = tuple(first.values())
        return FlagCombination(words, shared)
