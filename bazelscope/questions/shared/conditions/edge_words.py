"""Describes edges with what their branches ask of the flags, and which edges decide."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from bazelscope.analysis.conditions.atoms import FlagRequirement, in_force
from bazelscope.analysis.conditions.diagrams import FALSE, TRUE, TooLargeError
from bazelscope.analysis.conditions.edges import ChosenBranch, Edge
from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.conditions.select_choice import distinct_branches
from bazelscope.analysis.paths.clashes import Clash
from bazelscope.analysis.paths.dependence import Alternative, Dependences
from bazelscope.analysis.paths.reach import Reaches, Step
from bazelscope.analysis.paths.transition_scopes import TOP, Scope
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import DEFAULT_CONDITION
from bazelscope.questions.shared.conditions.condition_words import ConditionWords
from bazelscope.questions.shared.conditions.flag_conditions import ClashAnswer
from bazelscope.questions.shared.conditions.graph_reach import GraphReach
from bazelscope.questions.shared.described_edges import describe_edge
from bazelscope.questions.shared.needs import describe_need
from bazelscope.questions.shared.nodes import BranchAnswer, EdgeAnswer, OptionNeed
from bazelscope.questions.shared.world import World

_MOST_WAYS = 64
_MOST_BRANCHES = 100
"""Branches of a select() that are compared with each one that is described."""
_MOST_SHARED = 12
_MOST_CUT = 6
_MOST_STATES = 6_000
"""Targets between two others, up to which what all paths share is looked for."""


@dataclass(frozen=True, slots=True)
class EdgeWords:
    """Puts edges of one world into words, by the conditions that its `dependences` know."""

    world: World
    dependences: Dependences

    @property
    def _reaches(self) -> Reaches:
        return self.dependences.reaches

    def ways(self, formula: int) -> tuple[Alternative, ...]:
        """All ways to make a formula hold, those first that need the fewest changes of what is
        in force; some of them, where there are too many."""
        diagrams = self.dependences.formulas.diagrams
        try:
            alternatives = self.dependences.in_words(
                diagrams.primes(formula, formula, _MOST_WAYS)[0]
            )
        except TooLargeError:
            return ()
        return tuple(sorted(alternatives, key=self._distance))

    def ways_of_steps(self, steps: Iterable[Step]) -> tuple[Alternative, ...]:
        """All ways to take each of these steps, those with the fewest changes first."""
        try:
            formula = self.dependences.formulas.diagrams.all(step.formula for step in steps)
        except TooLargeError:
            return ()
        return self.ways(formula)

    def _distance(self, alternative: Alternative) -> int:
        """How many words of an alternative are not as things are; what nobody can tell is taken
        for granted."""
        conditions = self.world.conditions
        return sum(
            isinstance(word.asked, FlagRequirement)
            and in_force(word.asked, conditions).holds != word.is_so
            for word in alternative
        )

    def deciding(self, there: GraphReach) -> tuple[tuple[EdgeAnswer, ...], tuple[EdgeAnswer, ...]]:
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

        from bazelscope.analysis.graph.cuts import minimum_cut, shared_by_all_paths

        start, end = there.start, wanted[0]
        shared = shared_by_all_paths(first, start, end)
        cut = minimum_cut(first, start, end) or () if not shared else ()
        return (
            tuple(edge(pair) for pair in shared[-_MOST_SHARED:]),
            tuple(edge(pair) for pair in cut) if len(cut) <= _MOST_CUT else (),
        )

    def described(
        self, edge: Edge, uncertain: Unknown | None, with_term: bool, scope: Scope = TOP
    ) -> EdgeAnswer:
        """An edge with what its branch asks of the flags, where its source has the configuration
        of that scope."""
        answer = describe_edge(self.world, edge, uncertain, with_term)
        if edge.branch is None:
            return answer
        branch = self.branch(edge.branch, scope, self.world.conditions)
        return replace(answer, branch=branch)

    def needs(self, formula: int) -> tuple[OptionNeed, ...]:
        """What flags have to be so that a formula holds, in the way that changes the fewest."""
        ways = self.ways(formula)
        asked = [word.asked for word in (ways[0] if ways else ()) if word.is_so]
        needs = [one for one in asked if isinstance(one, FlagRequirement)]
        return ConditionWords(self.world).needs(needs)

    def always(
        self, edges: Iterable[Edge], scopes: Mapping[Label, Scope]
    ) -> set[tuple[Label, Label]]:
        """The pairs of targets one of whose select()s leads from one to the other whatever the
        flags, through one branch or another; each source in its configuration."""
        diagrams = self.dependences.formulas.diagrams
        together: dict[tuple[Label, Label], int] = {}
        try:
            for edge in edges:
                taken = TRUE
                if edge.branch is not None:
                    own = self._reaches.of_branch(edge.branch)
                    taken = self._reaches.at_top(scopes.get(edge.source, TOP), own)
                pair = edge.source, edge.target
                together[pair] = diagrams.either(together.get(pair, FALSE), taken)
        except TooLargeError:
            return set()
        return {pair for pair, formula in together.items() if formula == TRUE}

    def branch(
        self,
        chosen: ChosenBranch,
        scope: Scope,
        conditions: Conditions,
        wanted: Collection[FlagRequirement] = (),
    ) -> BranchAnswer:
        """The branch that an edge hangs on, with what it needs: of several ways the one that is
        among `wanted`, the needs of a whole path. `conditions` say what is in force there."""
        branch = chosen.branch
        formulas = self.dependences.formulas
        try:
            formula = self._reaches.at_top(scope, self._reaches.of_branch(chosen))
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
            select_at=chosen.selector.location,
            needs=described[0] if described else (),
            unless=tuple(excluded),
            unknown=unknown,
            or_needs=tuple(described[1:]),
        )

    def clash(self, clash: Clash, paths: int | None = None) -> ClashAnswer:
        """Why no flags make a path, or several."""
        edges = tuple(self.described(edge, None, with_term=True) for edge in clash.edges)
        needs = ConditionWords(self.world).needs(clash.needs)
        return ClashAnswer(clash.kind, needs, clash.condition, paths, edges)
