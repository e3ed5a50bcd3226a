"""Finds out under which flags one target depends on another, in words that were tried.

One formula over all flags decides; what is told of it is tried under the flags it tells of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace

from bazelscope.analysis.conditions.atoms import FlagRequirement, in_force
from bazelscope.analysis.conditions.diagrams import FALSE, Diagrams, TooLargeError
from bazelscope.analysis.conditions.edges import Edge
from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.paths.dependence import Alternative, Dependence, Dependences, Word
from bazelscope.analysis.paths.kept_reach import ReachSummary
from bazelscope.analysis.paths.reach import Reach, Reaches
from bazelscope.analysis.paths.shortest_steps import shortest_steps
from bazelscope.analysis.paths.witnesses import Witnesses, decider
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.bazel.encoded_values import decode_label
from bazelscope.flags.flag_values import FromCommandLine
from bazelscope.questions.shared.conditions.condition_words import ConditionWords
from bazelscope.questions.shared.conditions.edge_words import EdgeWords
from bazelscope.questions.shared.conditions.flag_conditions import (
    TOO_MANY,
    FlagCombination,
    FlagCondition,
    FlagWord,
    Now,
    Verdict,
)
from bazelscope.questions.shared.conditions.flag_trials import FlagTrials
from bazelscope.questions.shared.conditions.graph_reach import GraphReach, ReachFinder, Wanted
from bazelscope.questions.shared.conditions.line_finder import LineFinder, holds_now
from bazelscope.questions.shared.conditions.loaded_sets import LoadedSets
from bazelscope.questions.shared.nodes import OptionNeed
from bazelscope.questions.shared.world import World

_MOST_PLACED = 2
"""Ways that are told with the places of the settings on a path."""


def is_given(need: FlagRequirement, conditions: Conditions) -> bool:
    """Whether the command line says what the flag of `need` is, itself or by a config; a flag
    that accumulates may still get other values."""
    there = in_force(need, conditions)
    if there.set_by is None or (need.accumulates and not there.holds):
        return False
    return isinstance(there.set_by.chain[0].origin, FromCommandLine)


@dataclass(slots=True)
class ConditionFinder:
    """Finds conditions in one workspace. What the command line sets is taken as it is, unless all
    flags are `free`. Only edges that are `allowed` count."""

    world: World
    free: bool = False
    allowed: Callable[[Edge], bool] | None = None
    as_query: bool = False
    loaded: LoadedSets | None = None
    reach: ReachFinder = field(init=False)
    in_words: ConditionWords = field(init=False)
    dependences: Dependences = field(init=False)
    edges: EdgeWords = field(init=False)
    trials: FlagTrials = field(init=False)

    def __post_init__(self) -> None:
        world = self.world
        self.reach = ReachFinder(world, self.as_query)
        self.in_words = ConditionWords(world)
        self.dependences = Dependences(self.reach.edges(allowed=self.allowed), world.conditions)
        self.edges = EdgeWords(world, self.dependences)
        if not self.free:
            self.dependences.is_given = is_given
        self.trials = FlagTrials(world, self.reach.formulas.atoms.values)

    def other_graphs(self, start: Label, loaded: LoadedSets, wanted: Wanted) -> list[GraphReach]:
        """What `start` reaches in the packages that other flags load."""
        self.loaded = loaded
        return self.reach.others(start, loaded, wanted)

    def in_path(self, reach: Reach, wanted: Sequence[Label]) -> GraphReach:
        """What is reached by the edges that count."""
        diagrams = self.reach.formulas.diagrams
        arrival = {
            str(label): diagrams.any(reach.arrival[state] for state in reach.states(label))
            for label in wanted
        }
        reached = ReachSummary(arrival, reach.refused, tuple(reach.refused_at), FALSE)
        start = reach.start.label
        return GraphReach(lambda: self.world, reached, start, tuple(wanted), lambda: self.reaches)

    @property
    def reaches(self) -> Reaches:
        return self.dependences.reaches

    def of_targets(self, reach: Reach, wanted: Sequence[Label]) -> FlagCondition:
        """Under which flags one of the targets `wanted` is reached by the edges that count."""
        return self.of_graphs([self.in_path(reach, wanted)])

    def of_graphs(self, graphs: Sequence[GraphReach]) -> FlagCondition:
        """Under which flags one of the targets that are wanted is reached, in the packages of
        the line, whose graph is the first, and in those that other flags load."""
        try:
            return self._of_graphs(graphs)
        except TooLargeError:
            return TOO_MANY

    def _of_graphs(self, graphs: Sequence[GraphReach]) -> FlagCondition:
        formulas = [one.formula(self.reach.formulas.diagrams) for one in graphs]
        refused = [one.reached.refused for one in graphs]
        condition, dependence = self._of_all(graphs, formulas, refused)
        if condition.verdict is not Verdict.SOMETIMES or dependence is None:
            return condition
        placed = [self._placed(one, graphs[0]) for one in dependence.alternatives[:_MOST_PLACED]]
        told = tuple(map(self.in_words.combination, placed))
        rest = condition.alternatives[len(told) :]
        condition = replace(condition, alternatives=(*told, *rest))
        atoms = self.reach.formulas.atoms
        lines = LineFinder(self.trials, self.loaded, atoms, graphs, refused)
        negation = self.reach.formulas.diagrams.negation
        fails = list(map(negation, formulas))
        making = ending = None
        if condition.now is not Now.YES:
            making = lines.line(dependence.alternatives, formulas, is_reached=True)
        if condition.now is not Now.NO:
            ending = lines.line(dependence.exceptions, fails, is_reached=False)
        condition = replace(condition, making=making, ending=ending)

        def tried(
            told: Sequence[FlagCombination], ways: Sequence[Alternative], is_reached: bool
        ) -> tuple[FlagCombination, ...]:
            these = formulas if is_reached else fails
            return tuple(
                replace(one, line=lines.line_of(way, these, is_reached))
                for one, way in zip(told, ways, strict=True)
            )

        if condition.tells_exceptions:
            told = tried(condition.exceptions, dependence.exceptions, False)
            return replace(condition, exceptions=told)
        told = tried(condition.alternatives, dependence.alternatives, True)
        return replace(condition, alternatives=told)

    def _placed(self, alternative: Alternative, there: GraphReach) -> Alternative:
        """An alternative whose words have the places of settings on a path that it makes: the
        same is asked for at many places."""
        formulas = self.reach.formulas
        decide = decider(formulas.atoms, alternative, self.world.conditions)
        steps = shortest_steps(
            there.reaches,
            there.reaches.start(there.start),
            there.wanted,
            lambda formula: formulas.diagrams.holds(formula, decide),
        )
        places: dict[FlagRequirement, FlagRequirement] = {}
        for step in steps or ():
            if step.edge.branch is not None:
                for need in formulas.asked_by(step.edge.branch.branch.condition):
                    places.setdefault(need, need)
        return tuple(
            word._replace(asked=places.get(word.asked, word.asked))
            if isinstance(word.asked, FlagRequirement)
            else word
            for word in alternative
        )

    def of_build(self, graphs: Sequence[GraphReach], missing: Sequence[Label]) -> FlagCondition:
        """Under which flags the target that the graphs start from can be built, of which some
        targets are `missing`."""
        try:
            return self._of_build(graphs, missing)
        except TooLargeError:
            return TOO_MANY

    def _of_build(self, graphs: Sequence[GraphReach], missing: Sequence[Label]) -> FlagCondition:
        diagrams = self.reach.formulas.diagrams
        formulas = [
            diagrams.negation(
                diagrams.any(
                    (
                        one.reached.refused,
                        one.reached.incompatible,
                        *(one.reached.arrival.get(str(label), FALSE) for label in missing),
                    )
                )
            )
            for one in graphs
        ]
        refused = [FALSE] * len(graphs)
        condition, dependence = self._of_all(graphs, formulas, refused)
        making = None
        if condition.now is Now.NO and dependence is not None:
            atoms = self.reach.formulas.atoms
            lines = LineFinder(self.trials, self.loaded, atoms, graphs, refused)
            making = lines.line(dependence.alternatives, formulas)
        return replace(condition, making=making)

    def _of_all(
        self, graphs: Sequence[GraphReach], formulas: Sequence[int], refused: Sequence[int]
    ) -> tuple[FlagCondition, Dependence | None]:
        """What formulas over several graphs, of which the first is that of the line, come to."""
        loaded = self.loaded
        needs = [{} if loaded is None else loaded.needs(n) for n, _ in enumerate(graphs)]
        try:
            dependence = self.dependences.of_all(list(zip(formulas, refused, needs, strict=True)))
        except TooLargeError:
            return TOO_MANY, None
        return self._described_condition(dependence, formulas[0], refused[0]), dependence

    def of_repositories(
        self, graphs: Sequence[GraphReach]
    ) -> list[tuple[tuple[str, ...], FlagCondition]]:
        """Under which flags a target of each external repository is reached: the repositories
        that share a condition, and what it is."""
        diagrams = self.reach.formulas.diagrams
        by_graph = [_by_repository(one.reached, diagrams) for one in graphs]
        refused = [one.reached.refused for one in graphs]
        groups: dict[tuple[int, ...], list[str]] = {}
        for name in sorted({name for formulas in by_graph for name in formulas}):
            key = tuple(formulas.get(name, FALSE) for formulas in by_graph)
            groups.setdefault(key, []).append(name)
        told: dict[object, tuple[list[str], FlagCondition]] = {}
        for key, names in groups.items():
            condition, dependence = self._of_all(graphs, key, refused)
            same = key if dependence is None else (dependence.formula, dependence.refused)
            told.setdefault((same, condition.now), ([], condition))[0].extend(names)
        return [(tuple(sorted(names)), condition) for names, condition in told.values()]

    def of_formula(self, formula: int) -> FlagCondition:
        """Under which flags a formula holds that no target refuses."""
        try:
            dependence = self.dependences.of(formula, FALSE)
        except TooLargeError:
            return TOO_MANY
        return self._described_condition(dependence, formula, FALSE)

    def _described_condition(
        self, dependence: Dependence, formula: int, refused: int
    ) -> FlagCondition:
        verdict = Verdict.SOMETIMES
        if dependence.is_never or dependence.is_always:
            verdict = Verdict.NEVER if dependence.is_never else Verdict.ALWAYS
        return FlagCondition(
            verdict,
            holds_now(self.reach.formulas.atoms, formula, refused, self.world.conditions),
            tuple(map(self.in_words.combination, dependence.alternatives)),
            tuple(map(self.in_words.combination, dependence.exceptions)),
            tuple(map(self.in_words.combination, dependence.conflicts)),
            dependence.is_complete,
            () if self.free else tuple(self._fixed(formula)),
            changes=tuple(self._changes(formula, refused)),
        )

    def _changes(self, formula: int, refused: int) -> Iterator[FlagWord]:
        """The flags that the command line leaves free and each of which makes a formula hold
        that does not hold as things are, or the other way round."""
        atoms, conditions = self.reach.formulas.atoms, self.world.conditions
        witnesses = Witnesses(atoms, conditions)
        now = holds_now(atoms, formula, refused, conditions)
        if now not in (Now.YES, Now.NO):
            return
        for asked, assignment in witnesses.changes_of_one(formula):
            is_taken = witnesses.taken(assignment)
            if self.dependences.is_given(asked, conditions) or is_taken(refused):
                continue
            if is_taken(formula) != (now is Now.YES):
                test, is_so = next(iter(assignment.items()))
                yield self.in_words.word(Word(atoms.asked(test), is_so))

    def _fixed(self, formula: int) -> Iterator[OptionNeed]:
        """The flags of a formula that the command line fixes."""
        atoms, conditions = self.reach.formulas.atoms, self.world.conditions
        told: set[str] = set()
        for test in self.reach.formulas.diagrams.tests(formula):
            asked = atoms.asked(test)
            if isinstance(asked, FlagRequirement) and is_given(asked, conditions):
                need = self.in_words.need(asked)
                if need.holds or need.what not in told:
                    told.add(need.what)
                    yield need


def _by_repository(reached: ReachSummary, diagrams: Diagrams) -> dict[str, int]:
    """Where one of the targets of each external repository is reached."""
    formulas: dict[str, dict[int, None]] = {}
    for text, formula in reached.arrival.items():
        if text.startswith("@") and formula != FALSE:
            formulas.setdefault(text[: text.index("//")], {})[formula] = None
    return {
        decode_label(f"{text}//:all").repository: diagrams.any(some)
        for text, some in formulas.items()
    }
