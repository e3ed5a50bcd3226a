"""Under which flags one target depends on another, or can be built at all: the answer to `when`.

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
from bazelscope.analysis.graph.cuts import minimum_cut, shared_by_all_paths
from bazelscope.analysis.paths.configured_paths import follow
from bazelscope.analysis.paths.dependence import Alternative, Dependence, Dependences, Word
from bazelscope.analysis.paths.reach import Reach, Reaches
from bazelscope.analysis.paths.routes import FREE_ROUTE, covers
from bazelscope.analysis.paths.witness_flags import other_values
from bazelscope.base.label import Label
from bazelscope.base.unknown import Unknown
from bazelscope.flags.flag_values import FromCommandLine, ResolvedFlags
from bazelscope.questions.shared.completeness import how_complete
from bazelscope.questions.shared.described_edges import describe_edge
from bazelscope.questions.shared.endpoints import labels_of, which_target, which_targets
from bazelscope.questions.shared.envelope import Envelope
from bazelscope.questions.shared.missing_dependencies import missing_below
from bazelscope.questions.shared.needs import describe_need
from bazelscope.questions.shared.nodes import ConfigSource, EdgeAnswer, OptionNeed
from bazelscope.questions.shared.target_groups import group_named
from bazelscope.questions.shared.unknown_below import unknown_below
from bazelscope.questions.shared.world import World
from bazelscope.questions.when.answer import (
    AddedWords,
    FlagCombination,
    FlagWord,
    Now,
    Verdict,
    WhenAnswer,
)

ResolveWords = Callable[[tuple[str, ...]], ResolvedFlags]
"""The flags of another command line in the same workspace."""

_MOST_TRIED = 24
"""Command lines that are tried before none is told."""
_MOST_SHARED = 12
_MOST_CUT = 6
_MOST_STATES = 6_000
"""Targets between two others, up to which what all paths share is looked for."""


def is_given(need: FlagRequirement, conditions: Conditions) -> bool:
    """Whether the command line says what the flag of `need` is, itself or by a config; a flag
    that accumulates may still get other values."""
    there = in_force(need, conditions)
    if there.set_by is None or (need.accumulates and not there.holds):
        return False
    return isinstance(there.set_by.chain[0].origin, FromCommandLine)


def when_needed(
    world: World,
    envelope: Envelope,
    names: tuple[str, str],
    words: tuple[str, ...],
    resolve_words: ResolveWords,
) -> WhenAnswer:
    """Under which flags the first name depends on the second, over all paths."""
    ends, source, target, _ = which_targets(world, *names)
    if ends is None:
        closed = envelope.closed(how_complete(world.loader, labels_of(*names)))
        has_group = source.label is not None and group_named(world, names[1]) is not None
        verdict = Verdict.NEVER if has_group and not target.suggestions else Verdict.NAME_UNKNOWN
        return WhenAnswer(closed, source, target, verdict)
    finder = _Finder(world, words, resolve_words)
    group = group_named(world, names[1])
    wanted = [ends.end]
    reach = finder.reach(ends.start)
    if isinstance(reach, Reach) and group is not None:
        wanted = [label for label in reach.labels() if covers(group, label)]
        target = replace(target, members=tuple(wanted))
    answer = WhenAnswer(envelope, source, target, Verdict.TOO_MANY)
    if isinstance(reach, Reach):
        answer = finder.answer(answer, reach, wanted)
    hidden = None
    if answer.verdict is Verdict.NEVER:
        hidden = unknown_below(world, ends.start, ends.end, FREE_ROUTE, False)
    completeness = how_complete(world.loader, [ends.start, *wanted])
    missing = missing_below(world, ends.start, False)
    return replace(answer, envelope=envelope.closed(completeness, missing), unknown_below=hidden)


def when_built(
    world: World,
    envelope: Envelope,
    name: str,
    words: tuple[str, ...],
    resolve_words: ResolveWords,
) -> WhenAnswer:
    """Under which flags a target can be built: Bazel refuses none of what it depends on, and
    its platform has what they ask for."""
    source = which_target(world, name)
    if source.label is None:
        closed = envelope.closed(how_complete(world.loader, labels_of(name)))
        return WhenAnswer(closed, source, None, Verdict.NAME_UNKNOWN)
    finder = _Finder(world, words, resolve_words)
    reach = finder.reach(source.label)
    answer = WhenAnswer(envelope, source, None, Verdict.TOO_MANY)
    if isinstance(reach, Reach):
        answer = finder.answer_of_build(answer, reach)
    closed = envelope.closed(
        how_complete(world.loader, [source.label]), missing_below(world, source.label, False)
    )
    return replace(answer, envelope=closed)


@dataclass(slots=True)
class _Finder:
    world: World
    words: tuple[str, ...]
    resolve_words: ResolveWords
    dependences: Dependences = field(init=False)
    _graphs: dict[tuple[str, ...], ConfiguredGraph] = field(init=False)

    def __post_init__(self) -> None:
        world = self.world
        reaches = Reaches(world.graph, Formulas(world.conditions))
        self.dependences = Dependences(reaches, world.conditions, is_given)
        self._graphs = {(): world.configured}

    @property
    def _reaches(self) -> Reaches:
        return self.dependences.reaches

    def reach(self, start: Label) -> Reach | None:
        """What `start` reaches; None if there are too many cases."""
        try:
            return self.dependences.reach(start)
        except TooLargeError:
            return None

    def answer(self, answer: WhenAnswer, reach: Reach, wanted: Sequence[Label]) -> WhenAnswer:
        """The answer for the targets `wanted`."""
        formula = self._reaches.labels(reach, wanted)
        has_chain = any(reach.states(label) for label in wanted)
        answer = self._with_formula(answer, reach, formula)
        making = ending = None
        dependence = self._dependence
        if answer.verdict is Verdict.SOMETIMES and dependence is not None:
            if answer.now is not Now.YES:
                ways = dependence.alternatives
                making = self._line(ways, reach, formula, wanted)
            if answer.now is not Now.NO:
                negation = self.dependences.formulas.diagrams.negation(formula)
                ending = self._line(dependence.exceptions, reach, negation, None)
        shared, cut = (
            self._edges(reach, wanted) if answer.verdict is not Verdict.NEVER else ((), ())
        )
        return replace(
            answer, has_chain=has_chain, making=making, ending=ending, shared=shared, cut=cut
        )

    def answer_of_build(self, answer: WhenAnswer, reach: Reach) -> WhenAnswer:
        """The answer for the build of the target that `reach` starts from."""
        diagrams = self.dependences.formulas.diagrams
        refused = diagrams.either(reach.refused, self._reaches.incompatible(reach))
        formula = diagrams.negation(refused)
        answer = self._with_formula(answer, replace(reach, refused=FALSE), formula)
        making = None
        if answer.now is Now.NO and self._dependence is not None:
            plain = replace(reach, refused=FALSE)
            making = self._line(self._dependence.alternatives, plain, formula, None)
        return replace(answer, making=making, refused_targets=tuple(sorted(reach.refused_at)))

    _dependence: Dependence | None = field(init=False, default=None)

    def _with_formula(self, answer: WhenAnswer, reach: Reach, formula: int) -> WhenAnswer:
        try:
            found = self._dependence = self.dependences.of(formula, reach.refused)
        except TooLargeError:
            return answer
        verdict = Verdict.SOMETIMES
        if found.is_never or found.is_always:
            verdict = Verdict.NEVER if found.is_never else Verdict.ALWAYS
        now = self._now(formula, reach.refused, self.world.conditions)
        return replace(
            answer,
            verdict=verdict,
            now=now,
            alternatives=tuple(map(self._described, found.alternatives)),
            exceptions=tuple(map(self._described, found.exceptions)),
            conflicts=tuple(map(self._described, found.conflicts)),
            is_complete=found.is_complete,
            fixed=tuple(self._fixed(formula)),
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

        path = self._reaches.shortest(reach, wanted, is_taken)
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
            configuration = world.configure(self.resolve_words((*self.words, *words)))
            mappings = world.mappings_of(configuration)
            found = self._graphs[words] = ConfiguredGraph(world.graph, configuration, mappings)
        return found

    def _edges(
        self, reach: Reach, wanted: Sequence[Label]
    ) -> tuple[tuple[EdgeAnswer, ...], tuple[EdgeAnswer, ...]]:
        """The edges that all paths share, and the fewest without which there are none."""
        if len(wanted) != 1 or wanted[0] == reach.start.label:
            return (), ()
        steps = self._reaches.between(reach, wanted)
        first: dict[tuple[Label, Label], Edge] = {}
        for step in steps:
            first.setdefault((step.edge.source, step.edge.target), step.edge)
        if len(first) > _MOST_STATES:
            return (), ()
        start, end = reach.start.label, wanted[0]
        shared = shared_by_all_paths(first, start, end)
        cut = minimum_cut(first, start, end) or () if not shared else ()
        return (
            tuple(self._edge(first[pair]) for pair in shared[-_MOST_SHARED:]),
            tuple(self._edge(first[pair]) for pair in cut) if len(cut) <= _MOST_CUT else (),
        )

    def _edge(self, edge: Edge) -> EdgeAnswer:
        return describe_edge(self.world, edge, None, with_term=True)
