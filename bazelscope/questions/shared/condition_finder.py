"""Finds out under which flags one target depends on another, in words that were tried.

One formula over all flags decides; what is told of it is tried under the flags it tells of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from bazelscope.analysis.conditions.atoms import FlagRequirement, in_force
from bazelscope.analysis.conditions.configured_edges import Taken
from bazelscope.analysis.conditions.diagrams import FALSE, TRUE, TooLargeError
from bazelscope.analysis.conditions.edges import Edge
from bazelscope.analysis.conditions.formulas import Formulas
from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.paths.configured_paths import follow
from bazelscope.analysis.paths.dependence import Alternative, Dependence, Dependences, Word
from bazelscope.analysis.paths.reach import DISTINCT, Reach, Reaches
from bazelscope.analysis.paths.witness_flags import other_values
from bazelscope.base.label import Label
from bazelscope.base.unknown import Unknown
from bazelscope.flags.flag_values import FromCommandLine, ResolvedFlags
from bazelscope.questions.shared.flag_conditions import (
    TOO_MANY,
    AddedWords,
    FlagCombination,
    FlagCondition,
    FlagWord,
    Now,
    Verdict,
)
from bazelscope.questions.shared.needs import describe_need
from bazelscope.questions.shared.nodes import ConfigSource, OptionNeed
from bazelscope.questions.shared.world import World

ResolveWords = Callable[[tuple[str, ...]], ResolvedFlags]
"""The flags of another command line in the same workspace."""

_MOST_TRIED = 24
"""Command lines that are tried before none is told."""


def is_given(need: FlagRequirement, conditions: Conditions) -> bool:
    """Whether the command line says what the flag of `need` is, itself or by a config; a flag
    that accumulates may still get other values."""
    there = in_force(need, conditions)
    if there.set_by is None or (need.accumulates and not there.holds):
        return False
    return isinstance(there.set_by.chain[0].origin, FromCommandLine)


@dataclass(slots=True)
class ConditionFinder:
    """Finds conditions in one workspace. `words` is the command line; what it sets is taken as
    it is, unless all flags are `free`. Only edges that are `allowed` count."""

    world: World
    words: tuple[str, ...]
    resolve_words: ResolveWords | None
    free: bool = False
    allowed: Callable[[Edge], bool] | None = None
    dependences: Dependences = field(init=False)
    _graphs: dict[tuple[str, ...], ConfiguredGraph] = field(init=False)

    def __post_init__(self) -> None:
        world = self.world
        option = DISTINCT.removeprefix("--")
        is_set = option in world.flags.values or bool(world.configs.effects.setters(option))
        formulas = Formulas(world.conditions)
        reaches = Reaches(world.graph, formulas, may_share_host=is_set, allowed=self.allowed)
        self.dependences = Dependences(reaches, world.conditions)
        if not self.free:
            self.dependences.is_given = is_given
        self._graphs = {(): world.configured}

    @property
    def reaches(self) -> Reaches:
        return self.dependences.reaches

    def reach(self, start: Label) -> Reach | None:
        """What `start` reaches; None if there are too many cases."""
        try:
            return self.dependences.reach(start)
        except TooLargeError:
            return None

    def of_targets(self, reach: Reach, wanted: Sequence[Label]) -> FlagCondition:
        """Under which flags one of the targets `wanted` is reached."""
        formula = self.reaches.labels(reach, wanted)
        found = self._dependence(formula, reach.refused)
        if found is None:
            return TOO_MANY
        condition = self._described_condition(found, formula, reach.refused)
        if condition.verdict is not Verdict.SOMETIMES:
            return condition
        making = ending = None
        if condition.now is not Now.YES:
            making = self._line(found.alternatives, reach, formula, wanted)
        if condition.now is not Now.NO:
            negation = self.dependences.formulas.diagrams.negation(formula)
            ending = self._line(found.exceptions, reach, negation, None)
        return replace(condition, making=making, ending=ending)

    def of_build(self, reach: Reach) -> FlagCondition:
        """Under which flags the target that `reach` starts from can be built."""
        diagrams = self.dependences.formulas.diagrams
        refused = diagrams.either(reach.refused, self.reaches.incompatible(reach))
        formula = diagrams.negation(refused)
        found = self._dependence(formula, FALSE)
        if found is None:
            return TOO_MANY
        condition = self._described_condition(found, formula, FALSE)
        making = None
        if condition.now is Now.NO:
            making = self._line(found.alternatives, replace(reach, refused=FALSE), formula, None)
        return replace(condition, making=making)

    def _dependence(self, formula: int, refused: int) -> Dependence | None:
        try:
            return self.dependences.of(formula, refused)
        except TooLargeError:
            return None

    def _described_condition(self, found: Dependence, formula: int, refused: int) -> FlagCondition:
        verdict = Verdict.SOMETIMES
        if found.is_never or found.is_always:
            verdict = Verdict.NEVER if found.is_never else Verdict.ALWAYS
        return FlagCondition(
            verdict,
            self._now(formula, refused, self.world.conditions),
            tuple(map(self._described, found.alternatives)),
            tuple(map(self._described, found.exceptions)),
            tuple(map(self._described, found.conflicts)),
            found.is_complete,
            () if self.free else tuple(self._fixed(formula)),
        )

    def _now(self, formula: int, refused: int, conditions: Conditions) -> Now:
        """Whether a formula holds under a configuration."""
        atoms = self.dependences.formulas.atoms
        if atoms.in_force(refused, conditions) == TRUE:
            return Now.REFUSED
        result = atoms.in_force(formula, conditions)
        return {TRUE: Now.YES, FALSE: Now.NO}.get(result, Now.UNKNOWN)

    def _fixed(self, formula: int) -> Iterator[OptionNeed]:
        """The flags of a formula that the command line fixes."""
        atoms, conditions = self.dependences.formulas.atoms, self.world.conditions
        told: set[str] = set()
        for test in self.dependences.formulas.diagrams.tests(formula):
            asked = atoms.asked(test)
            if isinstance(asked, FlagRequirement) and is_given(asked, conditions):
                need = describe_need(asked, conditions, self.world.configs)
                if need.holds or need.what not in told:
                    told.add(need.what)
                    yield need

    def _described(self, alternative: Alternative) -> FlagCombination:
        words = tuple(map(self._word, alternative))
        to_set = [word.need.configs for word in words if word.is_so]
        shared: tuple[ConfigSource, ...] = ()
        if to_set:
            names = set.intersection(*({one.config for one in found} for found in to_set))
            first: dict[str, ConfigSource] = {}
            for source in to_set[0]:
                if source.config in names:
                    first.setdefault(source.config, source)
            shared = tuple(first.values())
        return FlagCombination(words, shared)

    def _word(self, word: Word) -> FlagWord:
        asked = word.asked
        if isinstance(asked, Unknown):
            need = OptionNeed(asked.subject, asked.subject, "", location=asked.location)
            return FlagWord(need, word.is_so, asked)
        need = describe_need(asked, self.world.conditions, self.world.configs)
        return FlagWord(need, word.is_so)

    def _line(
        self,
        alternatives: Iterable[Alternative],
        reach: Reach,
        formula: int,
        wanted: Sequence[Label] | None,
    ) -> AddedWords | None:
        """The fewest words under which a formula holds, and, of `wanted`, one is reached."""
        if self.resolve_words is None:
            return None
        tried = 0
        for words in dict.fromkeys(self._candidates(alternatives)):
            tried += 1
            if tried > _MOST_TRIED:
                return None
            graph = self._graph(words)
            conditions = graph.conditions()
            if self._now(formula, reach.refused, conditions) is not Now.YES:
                continue
            if wanted is None or self._is_taken(reach, wanted, graph):
                return AddedWords(words)
        return None

    def _is_taken(self, reach: Reach, wanted: Sequence[Label], graph: ConfiguredGraph) -> bool:
        """Whether the configured graph has a path to one of `wanted`."""
        atoms, conditions = self.dependences.formulas.atoms, graph.conditions()
        known: dict[int, bool] = {}

        def is_taken(formula: int) -> bool:
            if formula not in known:
                known[formula] = atoms.in_force(formula, conditions) == TRUE
            return known[formula]

        path = self.reaches.shortest(reach, wanted, is_taken)
        if path is None:
            return False
        labels = (reach.start.label, *(step.target.label for step in path))
        return follow(graph, labels) is Taken.YES

    def _candidates(self, alternatives: Iterable[Alternative]) -> Iterator[tuple[str, ...]]:
        """Words that may make an alternative so: a config that does, or the flags themselves."""
        for alternative in alternatives:
            needed = [word.asked for word in alternative if word.is_so]
            if len(needed) == len(alternative):
                for source in self._described(alternative).configs:
                    yield (f"--config={source.config}",)
        for alternative in alternatives:
            yield from self._flags(alternative)

    def _flags(self, alternative: Alternative) -> Iterator[tuple[str, ...]]:
        conditions = self.world.conditions
        found: list[tuple[str, ...]] = [()]
        for asked, is_so in alternative:
            if isinstance(asked, Unknown) or in_force(asked, conditions).holds == is_so:
                continue
            options: list[str]
            if is_so:
                options = [] if asked.flag is None else [asked.flag]
            else:
                others = other_values(asked, conditions)
                options = [other.flag for other in others if other.flag is not None][:3]
            found = [(*words, option) for words in found for option in options]
        yield from found

    def _graph(self, words: tuple[str, ...]) -> ConfiguredGraph:
        found = self._graphs.get(words)
        if found is None:
            world = self.world
            assert self.resolve_words is not None
            configuration = world.configure(self.resolve_words((*self.words, *words)))
            mappings = world.mappings_of(configuration)
            found = self._graphs[words] = ConfiguredGraph(world.graph, configuration, mappings)
        return found
