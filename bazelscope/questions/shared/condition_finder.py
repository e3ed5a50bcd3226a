"""Finds out under which flags one target depends on another, in words that were tried.

One formula over all flags decides; what is told of it is tried under the flags it tells of.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import field, replace
from itertools import islice

from bazelscope.analysis.conditions.atoms import FlagRequirement, in_force
from bazelscope.analysis.conditions.configured_edges import Taken
from bazelscope.analysis.conditions.diagrams import FALSE, TRUE, Diagrams, TooLargeError
from bazelscope.analysis.conditions.edges import ChosenBranch, Edge
from bazelscope.analysis.conditions.formulas import Formulas
from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.conditions.select_choice import distinct_branches
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.cuts import minimum_cut, shared_by_all_paths
from bazelscope.analysis.paths.clashes import Clash
from bazelscope.analysis.paths.configured_paths import follow
from bazelscope.analysis.paths.dependence import Alternative, Dependence, Dependences, Word
from bazelscope.analysis.paths.kept_reach import (
    ReachSummary,
    keep_summary,
    kept_summary,
    summary,
)
from bazelscope.analysis.paths.path_finder import shortest_steps
from bazelscope.analysis.paths.reach import DISTINCT, Reach, Reaches, Step
from bazelscope.analysis.paths.transition_scopes import TOP, Scope
from bazelscope.analysis.paths.witnesses import Witnesses, decider
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import DEFAULT_CONDITION
from bazelscope.bazel.encoded_values import decode_label
from bazelscope.flags.flag_values import FromCommandLine, flags_digest
from bazelscope.questions.shared.described_edges import describe_edge
from bazelscope.questions.shared.flag_conditions import (
    TOO_MANY,
    AddedWords,
    ClashAnswer,
    FlagCombination,
    FlagCondition,
    FlagWord,
    Now,
    Verdict,
)
from bazelscope.questions.shared.flag_trials import FlagTrials
from bazelscope.questions.shared.loaded_sets import LoadedSets
from bazelscope.questions.shared.needs import describe_need
from bazelscope.questions.shared.nodes import BranchAnswer, ConfigSource, EdgeAnswer, OptionNeed
from bazelscope.questions.shared.world import ResolveWords, World

_MOST_WAYS = 64
_MOST_BRANCHES = 100
"""Branches of a select() that are compared with each one that is described."""
_MOST_SHARED = 12
_MOST_CUT = 6
_MOST_STATES = 6_000
"""Targets between two others, up to which what all paths share is looked for."""
_MOST_VALUES = 2
_MOST_PLACED = 2
"""Ways that are told with the places of the settings on a path."""
_MOST_TRIED = 24
"""Command lines that are tried before none is told."""

Wanted = Callable[[ReachSummary], Iterable[Label]]
"""Chooses among what is reached."""


def is_given(need: FlagRequirement, conditions: Conditions) -> bool:
    """Whether the command line says what the flag of `need` is, itself or by a config; a flag
    that accumulates may still get other values."""
    there = in_force(need, conditions)
    if there.set_by is None or (need.accumulates and not there.holds):
        return False
    return isinstance(there.set_by.chain[0].origin, FromCommandLine)


@dataclass(slots=True)
class GraphReach:
    """What a target reaches in the packages of one world, and which of that is wanted."""

    world: World
    reached: ReachSummary
    start: Label
    wanted: tuple[Label, ...]
    leading: Callable[[], Reaches]
    """Makes the graph of the edges that lead to one of these."""
    _reaches: Reaches | None = None

    @property
    def reaches(self) -> Reaches:
        """The edges that lead to what is wanted, which few questions need."""
        if self._reaches is None:
            self._reaches = self.leading()
        return self._reaches

    def between(self) -> list[Step]:
        """Every edge that lies on a path to what is wanted which some flags take."""
        return self.reaches.between(self.reaches.of(self.start), self.wanted)

    def formula(self, diagrams: Diagrams) -> int:
        """Where one of the targets that are wanted is reached."""
        arrival = self.reached.arrival
        return diagrams.any(arrival.get(str(label), FALSE) for label in self.wanted)


@dataclass(slots=True)
class ConditionFinder:
    """Finds conditions in one workspace. `words` is the command line; what it sets is taken as
    it is, unless all flags are `free`. Only edges that are `allowed` count."""

    world: World
    words: tuple[str, ...]
    resolve_words: ResolveWords | None
    free: bool = False
    allowed: Callable[[Edge], bool] | None = None
    with_aspects: bool = False
    loaded: LoadedSets | None = None
    dependences: Dependences = field(init=False)
    trials: FlagTrials | None = field(init=False)
    _may_share_host: bool = field(init=False)

    def __post_init__(self) -> None:
        world = self.world
        option = DISTINCT.removeprefix("--")
        is_set = option in world.flags.values or bool(world.configs.effects.setters(option))
        self._may_share_host = is_set
        formulas = world.formulas()
        reaches = self._reaches_in(world, formulas, self.allowed)
        self.dependences = Dependences(reaches, world.conditions)
        if not self.free:
            self.dependences.is_given = is_given
        self.trials = None
        if self.resolve_words is not None:
            self.trials = FlagTrials(world, self.words, self.resolve_words, formulas.atoms.values)

    def _reaches_in(
        self, world: World, formulas: Formulas, allowed: Callable[[Edge], bool] | None = None
    ) -> Reaches:
        return Reaches(
            world.graph,
            formulas,
            may_share_host=self._may_share_host,
            allowed=allowed,
            with_aspects=self.with_aspects,
        )

    def graph(self, start: Label, wanted: Wanted) -> GraphReach | None:
        """What `start` reaches in the packages of the line, and which of the targets there are
        `wanted`; None if there are too many cases. What is found is kept for the next run."""
        try:
            reached, _ = self._reached_in(self.world, start)
            return self._graph_in(self.world, reached, start, wanted)
        except TooLargeError:
            return None

    def other_graphs(self, start: Label, loaded: LoadedSets, wanted: Wanted) -> list[GraphReach]:
        """What `start` reaches in the packages that other flags load."""
        self.loaded = loaded
        graphs: list[GraphReach] = []
        number = 1
        while number < len(loaded.sets):
            try:
                reached, is_kept = self._reached_in(loaded.sets[number].world, start)
            except TooLargeError:
                loaded.leave_out(number)
                continue
            if is_kept:
                loaded.put_down(number)
                gc.collect()  # Packages and their graph refer to each other: now or far too late.
            graphs.append(self._graph_in(loaded.sets[number].world, reached, start, wanted))
            number += 1
        return graphs

    def _reached_in(self, world: World, start: Label) -> tuple[ReachSummary, bool]:
        """What `start` reaches in some packages, and whether this was found out just now and is
        kept, so that the packages need not stay in memory."""
        formulas = self._formulas_in(world)
        key = (str(start), str(self._may_share_host), flags_digest(world.flags))
        kept = kept_summary(world.loader, formulas.atoms, key)
        if kept is not None:
            return kept, False
        world.graph.deps([start])  # Loads packages on all cores.
        reaches = self._reaches_in(world, formulas)
        reached = summary(reaches, reaches.of(start))
        is_kept = keep_summary(world.loader, formulas.atoms, key, reached)
        if world is self.world:
            return reached, False
        world.loader.save()
        return reached, is_kept

    def _formulas_in(self, world: World) -> Formulas:
        formulas = self.dependences.formulas
        return formulas if world is self.world else world.formulas(formulas.atoms)

    def _graph_in(
        self, world: World, reached: ReachSummary, start: Label, wanted: Wanted
    ) -> GraphReach:
        ends = tuple(wanted(reached))

        def leading() -> Reaches:
            formulas = self._formulas_in(world)
            if reached.label_settings:  # The graph knows only one of their values each.
                return self._reaches_in(world, formulas)
            above = world.graph.arrivals(start).leading(ends)
            return self._reaches_in(world, formulas, lambda edge: edge.target in above)

        return GraphReach(world, reached, start, ends, leading)

    def in_path(self, reach: Reach, wanted: Sequence[Label]) -> GraphReach:
        """What is reached by the edges that count."""
        diagrams = self.dependences.formulas.diagrams
        arrival = {
            str(label): diagrams.any(reach.arrival[state] for state in reach.states(label))
            for label in wanted
        }
        reached = ReachSummary(arrival, reach.refused, tuple(reach.refused_at), FALSE)
        start = reach.start.label
        return GraphReach(self.world, reached, start, tuple(wanted), lambda: self.reaches)

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
        formulas = [one.formula(self.dependences.formulas.diagrams) for one in graphs]
        refused = [one.reached.refused for one in graphs]
        condition, found = self._of_all(graphs, formulas, refused)
        if condition.verdict is not Verdict.SOMETIMES or found is None:
            return condition
        placed = [self._placed(one, graphs[0]) for one in found.alternatives[:_MOST_PLACED]]
        told = tuple(map(self.described, placed))
        rest = condition.alternatives[len(told) :]
        condition = replace(condition, alternatives=(*told, *rest))
        making = ending = None
        if condition.now is not Now.YES:
            making = self._line(found.alternatives, graphs, formulas, refused, is_reached=True)
        if condition.now is not Now.NO:
            negation = self.dependences.formulas.diagrams.negation
            fails = list(map(negation, formulas))
            ending = self._line(found.exceptions, graphs, fails, refused, is_reached=False)
        return replace(condition, making=making, ending=ending)

    def _placed(self, alternative: Alternative, there: GraphReach) -> Alternative:
        """An alternative whose words have the places of settings on a path that it makes: the
        same is asked for at many places."""
        formulas = self.dependences.formulas
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

    def of_build(self, graphs: Sequence[GraphReach]) -> FlagCondition:
        """Under which flags the target that the graphs start from can be built."""
        try:
            return self._of_build(graphs)
        except TooLargeError:
            return TOO_MANY

    def _of_build(self, graphs: Sequence[GraphReach]) -> FlagCondition:
        diagrams = self.dependences.formulas.diagrams
        formulas = [
            diagrams.negation(diagrams.either(one.reached.refused, one.reached.incompatible))
            for one in graphs
        ]
        refused = [FALSE] * len(graphs)
        condition, found = self._of_all(graphs, formulas, refused)
        making = None
        if condition.now is Now.NO and found is not None:
            making = self._line(found.alternatives, graphs, formulas, refused, is_reached=False)
        return replace(condition, making=making)

    def _of_all(
        self, graphs: Sequence[GraphReach], formulas: Sequence[int], refused: Sequence[int]
    ) -> tuple[FlagCondition, Dependence | None]:
        """What formulas over several graphs, of which the first is that of the line, come to."""
        loaded = self.loaded
        needs = [{} if loaded is None else loaded.needs(one.world) for one in graphs]
        try:
            found = self.dependences.of_all(list(zip(formulas, refused, needs, strict=True)))
        except TooLargeError:
            return TOO_MANY, None
        return self._described_condition(found, formulas[0], refused[0]), found

    def of_repositories(
        self, graphs: Sequence[GraphReach]
    ) -> list[tuple[tuple[str, ...], FlagCondition]]:
        """Under which flags a target of each external repository is reached: the repositories
        that share a condition, and what it is."""
        diagrams = self.dependences.formulas.diagrams
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
        found = self._dependence(formula, FALSE)
        return TOO_MANY if found is None else self._described_condition(found, formula, FALSE)

    def ways(self, formula: int) -> tuple[Alternative, ...]:
        """All ways to make a formula hold, those first that need the fewest changes of what is
        in force; some of them, where there are too many."""
        diagrams = self.dependences.formulas.diagrams
        try:
            found = self.dependences.in_words(diagrams.primes(formula, formula, _MOST_WAYS)[0])
        except TooLargeError:
            return ()
        return tuple(sorted(found, key=self._distance))

    def ways_of_steps(self, steps: Iterable[Step]) -> tuple[Alternative, ...]:
        """All ways to take each of these steps, sorted likewise."""
        try:
            formula = self.dependences.formulas.diagrams.all(step.formula for step in steps)
        except TooLargeError:
            return ()
        return self.ways(formula)

    def _distance(self, alternative: Alternative) -> int:
        """How many words of an alternative are not as it asks for."""
        return sum(not self.is_met(word) for word in alternative)

    def is_met(self, word: Word) -> bool:
        """Whether a word is as things are; what nobody can tell is taken for granted."""
        if isinstance(word.asked, Unknown):
            return True
        return in_force(word.asked, self.world.conditions).holds == word.is_so

    def deciding_edges(
        self, there: GraphReach
    ) -> tuple[tuple[EdgeAnswer, ...], tuple[EdgeAnswer, ...]]:
        """The edges that all paths share, and the fewest without which there are none."""
        wanted = there.wanted
        if len(wanted) != 1 or wanted[0] == there.start:
            return (), ()
        first: dict[tuple[Label, Label], Edge] = {}
        for step in there.between():
            first.setdefault((step.edge.source, step.edge.target), step.edge)
        if len(first) > _MOST_STATES:
            return (), ()

        def edge(pair: tuple[Label, Label]) -> EdgeAnswer:
            return describe_edge(self.world, first[pair], None, with_term=True)

        start, end = there.start, wanted[0]
        shared = shared_by_all_paths(first, start, end)
        cut = minimum_cut(first, start, end) or () if not shared else ()
        return (
            tuple(edge(pair) for pair in shared[-_MOST_SHARED:]),
            tuple(edge(pair) for pair in cut) if len(cut) <= _MOST_CUT else (),
        )

    def describe_edge(self, edge: Edge, uncertain: Unknown | None, with_term: bool) -> EdgeAnswer:
        """An edge with what its branch asks of the configuration of its source."""
        answer = describe_edge(self.world, edge, uncertain, with_term)
        if edge.branch is None:
            return answer
        branch = self.describe_branch(edge.branch, TOP, self.world.conditions)
        return replace(answer, branch=branch)

    def always(self, edges: Iterable[Edge]) -> set[tuple[Label, Label]]:
        """The pairs of targets one of whose select()s leads from one to the other whatever the
        flags, through one branch or another."""
        diagrams = self.dependences.formulas.diagrams
        together: dict[tuple[Label, Label], int] = {}
        try:
            for edge in edges:
                taken = self.reaches.of_branch(edge.branch) if edge.branch is not None else TRUE
                pair = edge.source, edge.target
                together[pair] = diagrams.either(together.get(pair, FALSE), taken)
        except TooLargeError:
            return set()
        return {pair for pair, formula in together.items() if formula == TRUE}

    def describe_branch(
        self,
        chosen: ChosenBranch,
        scope: Scope,
        conditions: Conditions,
        wanted: Collection[FlagRequirement] = (),
    ) -> BranchAnswer:
        """The branch that an edge hangs on, with what it needs: of several ways the one that is
        among `wanted`, the needs of a whole path. `conditions` say what is in force there."""
        stack = chosen.selector.call_stack
        branch = chosen.branch
        formulas = self.dependences.formulas
        try:
            formula = self.reaches.at_top(scope, self.reaches.of_branch(chosen))
        except TooLargeError:
            formula = FALSE
        ways: list[tuple[FlagRequirement, ...]] = []
        unknown: Unknown | None = None
        places = {need: need for need in formulas.asked_by(branch.condition)}
        for way in self.ways(formula):
            needs = []
            for asked, is_so in way:
                if isinstance(asked, Unknown):
                    unknown = unknown or asked
                elif is_so:
                    needs.append(places.get(asked, asked))
            if tuple(needs) not in ways:
                ways.append(tuple(needs))
        ways.sort(key=lambda needs: not all(need in wanted for need in needs))
        described = [
            tuple(describe_need(need, conditions, self.world.configs) for need in needs)
            for needs in ways
        ]
        others: Iterable[Label] = ()
        if branch.is_default or len(chosen.selector.branches) <= _MOST_BRANCHES:
            others = (one.condition for one in distinct_branches(chosen.selector))
        excluded = [
            other
            for other in others
            if other not in (branch.condition, DEFAULT_CONDITION)
            and (branch.is_default or not conditions.refines(branch.condition, other))
        ]
        return BranchAnswer(
            condition=branch.condition,
            is_default=branch.is_default,
            select_at=stack[-1].location if stack else None,
            needs=described[0] if described else (),
            unless=tuple(excluded),
            unknown=unknown,
            or_needs=tuple(described[1:]),
        )

    def described_needs(self, needs: Iterable[FlagRequirement]) -> tuple[OptionNeed, ...]:
        """Requirements beside what is in force, with the configs that meet them."""
        conditions, configs = self.world.conditions, self.world.configs
        return tuple(describe_need(need, conditions, configs) for need in needs)

    def described_clash(self, clash: Clash, paths: int | None = None) -> ClashAnswer:
        """Why no flags make a path, or several."""
        edges = tuple(self.describe_edge(edge, None, with_term=True) for edge in clash.edges)
        needs = self.described_needs(clash.needs)
        return ClashAnswer(clash.kind, needs, clash.condition, paths, edges)

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
            tuple(map(self.described, found.alternatives)),
            tuple(map(self.described, found.exceptions)),
            tuple(map(self.described, found.conflicts)),
            found.is_complete,
            () if self.free else tuple(self._fixed(formula)),
            changes=tuple(self._changes(formula, refused)),
        )

    def _changes(self, formula: int, refused: int) -> Iterator[FlagWord]:
        """The flags that the command line leaves free and each of which makes a formula hold
        that does not hold as things are, or the other way round."""
        atoms, conditions = self.dependences.formulas.atoms, self.world.conditions
        witnesses = Witnesses(atoms, conditions)
        now = self._now(formula, refused, conditions)
        if now not in (Now.YES, Now.NO):
            return
        for asked, assignment in witnesses.changes_of_one(formula):
            is_taken = witnesses.taken(assignment)
            if self.dependences.is_given(asked, conditions) or is_taken(refused):
                continue
            if is_taken(formula) != (now is Now.YES):
                test, is_so = next(iter(assignment.items()))
                yield self._word(Word(atoms.asked(test), is_so))

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

    def described(self, alternative: Alternative) -> FlagCombination:
        """An alternative beside what is in force, with the configs that make it so."""
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
        graphs: Sequence[GraphReach],
        formulas: Sequence[int],
        refused: Sequence[int],
        *,
        is_reached: bool,
    ) -> AddedWords | None:
        """The fewest words under which the formula of the graph that they load holds, and, if
        that is said, one of its targets is reached."""
        if self.trials is None:
            return None
        for words in islice(dict.fromkeys(self._candidates(alternatives)), _MOST_TRIED):
            number = self._graph_of(words, graphs)
            if number is None:
                continue
            there = graphs[number]
            graph = self.trials.graph(words, world=there.world)
            if self._now(formulas[number], refused[number], graph.conditions()) is not Now.YES:
                continue
            if not is_reached or self._is_taken(there, graph):
                return AddedWords(words)
        return None

    def _graph_of(self, words: tuple[str, ...], graphs: Sequence[GraphReach]) -> int | None:
        """Which of the graphs the line with words more loads; None if none of them."""
        if self.loaded is None:
            return 0
        world = self.loaded.world_of(words)
        return next((n for n, one in enumerate(graphs) if one.world is world), None)

    def _is_taken(self, there: GraphReach, graph: ConfiguredGraph) -> bool:
        """Whether the configured graph has a path to one of the targets that are wanted."""
        witnesses = Witnesses(self.dependences.formulas.atoms, graph.conditions())
        start = there.reaches.start(there.start)
        steps = shortest_steps(there.reaches, start, there.wanted, witnesses.taken({}))
        if steps is None:
            return False
        labels = (start.label, *(step.target.label for step in steps))
        return follow(graph, labels) is Taken.YES

    def _candidates(self, alternatives: Iterable[Alternative]) -> Iterator[tuple[str, ...]]:
        """Words that may make an alternative so: a config that does, one with what it does not
        say, or the flags themselves."""
        assert self.trials is not None
        ways = tuple(alternatives)
        for alternative in ways:
            if all(word.is_so for word in alternative):
                for source in self.trials.configs(alternative):
                    yield (f"--config={source.config}",)
        for alternative in ways:
            against = tuple(word for word in alternative if not word.is_so)
            for source in self.trials.configs(alternative) if against else ():
                for words in islice(self.trials.lines(against), _MOST_VALUES):
                    yield (f"--config={source.config}", *words)
            yield from self.trials.lines(alternative)


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
