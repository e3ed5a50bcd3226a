"""Under which flags each target is reached from another one, over all paths at once.

The formula of an edge is that of its branch, in terms of the flags at the top; a target is
reached where one of the edges that arrive at it is taken and its source is reached. Where Bazel
refuses one of the targets that are reached, the question whether others are has no answer: those
flags are `refused`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import field

from bazelscope.analysis.conditions.alias_dependencies import WITH_PLATFORMS
from bazelscope.analysis.conditions.atoms import UNSET, FlagRequirement
from bazelscope.analysis.conditions.diagrams import FALSE, TRUE, ValueTest
from bazelscope.analysis.conditions.edges import ChosenBranch, Edge, EdgeKind
from bazelscope.analysis.conditions.formulas import Formulas, SelectFormula
from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.configuration.build_settings import DEFAULT_ATTRIBUTE, LABEL_SETTINGS
from bazelscope.analysis.configuration.platforms import is_of_no_platform
from bazelscope.analysis.graph.arrivals import EdgesTo
from bazelscope.analysis.graph.compatibility import ATTRIBUTE as COMPATIBLE
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.analysis.graph.toolchain_resolution import EXEC_COMPATIBLE
from bazelscope.analysis.paths.edges_of_flags import NAMING, EdgesOfFlags, FlagEdge
from bazelscope.analysis.paths.transition_scopes import TOP, WITHOUT_TRANSITIONS, Scope, Scopes
from bazelscope.base.graph_walk import distances, post_order
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.memoized import memoized
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import Branch, Selector, labels_in, parts_of, selectors_of
from bazelscope.loading.packages.targets import Rule

DISTINCT = "--distinct_host_configuration"
"""The option that tells whether tools have a configuration of their own."""

# Members that each edge is compared with: to look one up takes Python 3.11 its time.
_ASPECT, _IMPLICIT = EdgeKind.ASPECT, EdgeKind.IMPLICIT


class State(NamedTuple):
    """A target in a configuration, as far as that differs from the one at the top."""

    label: Label
    scope: Scope


class Step(NamedTuple):
    """An edge out of a state, where it leads, and the flags at the top that take it."""

    edge: Edge
    target: State
    formula: int


@dataclass(slots=True)
class Reach:
    """What one target reaches: `arrival` says of each state under which flags. `refused` are
    the flags under which Bazel refuses something that is reached, by the target it refuses."""

    start: State
    arrival: dict[State, int]
    refused_at: dict[Label, int]
    refused: int
    _labels: dict[Label, list[State]] = field(default_factory=dict)

    def states(self, label: Label) -> list[State]:
        """The configurations in which a target is reached."""
        if not self._labels:
            for state in self.arrival:
                self._labels.setdefault(state.label, []).append(state)
        return self._labels.get(label, [])

    def labels(self) -> Iterable[Label]:
        """Every target that is reached under some flags or none."""
        return dict.fromkeys(state.label for state in self.arrival)


class Reaches:
    """Finds out what targets reach. Formulas of one `Formulas` can be compared."""

    def __init__(
        self,
        graph: TargetGraph,
        formulas: Formulas,
        *,
        may_share_host: bool = False,
        allowed: Callable[[Edge], bool] | None = None,
        as_query: bool = False,
    ) -> None:
        """`may_share_host`: whether flags that make tools share the configuration of targets,
        which Bazel had until its version 6, are of interest. Only edges that are `allowed`
        count; `as_query`: those, too, that Bazel's `query` shows and `cquery` does not."""
        self._allowed = allowed
        self._as_query = as_query
        self._may_share_host = may_share_host
        self.graph = graph
        self.formulas = formulas
        self._edges_of_flags = EdgesOfFlags(formulas)
        crosses = not isinstance(allowed, EdgesTo) or allowed.crosses
        self._scopes = Scopes(graph, formulas.conditions, formulas.mappings, crosses)
        self.label_settings: dict[Label, None] = {}
        """Those on the way, of which not every value is known."""
        self._states: dict[State, State] = {}
        """One object for each state: walks know these by identity, for to hash labels and scopes
        takes longer than all else of them."""
        self._steps: dict[int, tuple[Step, ...]] = {}
        """By the identity of the object for a state."""
        self.searches: dict[Hashable, list[tuple[dict[int, bool], tuple[Step, ...] | None]]] = {}
        """By ends and route: what searches found, each with the formulas that it asked, and what
        they answered."""
        self._meanings: dict[Scope | State, dict[int, int]] = {}
        self._taken: dict[int, dict[Label, tuple[Branch, int]]] = {}
        self._selects: dict[int, tuple[Selector, SelectFormula]] = {}
        self._hides_constraints = formulas.conditions.release.explicit_graph_hides_platforms

    @property
    def far(self) -> Mapping[str, int] | None:
        """Over how many edges at least each target that counts leads to the ends, if the edges
        that are allowed lead to some."""
        return self._allowed.far if isinstance(self._allowed, EdgesTo) else None

    def may_be_refused(self, conditions: Conditions) -> bool:
        """Whether Bazel may refuse the selects of one of these targets under the flags in force,
        as far as can be told without walking: in whichever configuration it is reached."""
        allowed, atoms = self._allowed, self.formulas.atoms
        if not isinstance(allowed, EdgesTo) or allowed.crosses:
            return True
        return any(
            atoms.in_force(self.at_top(scope, refused), conditions) != FALSE
            for refused in {*map(self.formulas.refused, allowed.conditions)}
            for scope in WITHOUT_TRANSITIONS
        )

    def has_own_transition(self, label: Label) -> bool:
        """Whether the rule of a target, or the one that makes it, has a transition of its own."""
        return self._scopes.owner(label) is not None

    def start(self, label: Label) -> State:
        """A target as it is asked for, behind its rule's own transition."""
        return State(label, self._scopes.start(label))

    def of(self, label: Label, via: Iterable[Label] = ()) -> Reach:
        """What `label` reaches, by way of all `via` in their order, and under which flags."""
        diagrams = self.formulas.diagrams
        start = self.start(label)
        seeds = {start: TRUE}
        refused_at: dict[Label, int] = {}
        for stop in (*via, None):
            arrival = self.arrivals(seeds)
            for state, own in self.where(arrival, self.refused_of).items():
                refused_at[state.label] = diagrams.either(refused_at.get(state.label, FALSE), own)
            seeds = {state: here for state, here in arrival.items() if state.label == stop}
        return Reach(start, arrival, refused_at, diagrams.any(refused_at.values()))

    def where(
        self, arrival: Mapping[State, int], formula: Callable[[State], int]
    ) -> dict[State, int]:
        """The states that are reached where their `formula` holds, and under which flags."""
        both = self.formulas.diagrams.both
        pairs = ((s, both(here, formula(s))) for s, here in arrival.items() if here != FALSE)
        return {state: holds for state, holds in pairs if holds != FALSE}

    def take_steps(self, other: Reaches, but: Collection[State]) -> None:
        """Takes over the edges that others have found, but those out of some states."""
        left_out = {id(other.shared(state)) for state in but}
        self._steps = {at: steps for at, steps in other._steps.items() if at not in left_out}
        self._states = other._states
        self.label_settings = dict(other.label_settings)

    def arrivals(self, seeds: Mapping[State, int]) -> dict[State, int]:
        """Under which flags each state is reached from the `seeds`, which hold as they say."""
        both, either = self.formulas.diagrams.both, self.formulas.diagrams.either
        order = self._in_order(seeds)
        place = {id(state): number for number, state in enumerate(order)}
        leading = [
            [(place[id(step.target)], step.formula) for step in steps if step.formula != FALSE]
            for steps in (self._steps[id(state)] for state in order)
        ]
        arrival = [FALSE] * len(order)
        for state, formula in seeds.items():
            arrival[place[id(self.shared(state))]] = formula
        changed = True
        while changed:  # More than once where there are cycles.
            changed = False
            for number, targets in enumerate(leading):
                here = arrival[number]
                if here == FALSE:
                    continue
                for target, formula in targets:
                    before = arrival[target]
                    if before == TRUE:
                        continue
                    after = here if formula == TRUE else both(here, formula)
                    if before != FALSE:
                        after = either(before, after)
                    if after != before:
                        arrival[target] = after
                        changed |= target < number
        return dict(zip(order, arrival, strict=True))

    def steps(self, state: State) -> tuple[Step, ...]:
        """The edges out of a state; those that no flags take have the formula `FALSE`."""
        known = self._steps.get(id(state))
        if known is None:
            state = self.shared(state)
            known = self._steps.get(id(state))
            if known is None:
                known = self._steps[id(state)] = self._expand(state)
        return known

    def shared(self, state: State) -> State:
        """The object that stands for a state wherever steps lead to it."""
        return self._states.setdefault(state, state)

    def _in_order(self, starts: Iterable[State]) -> list[State]:
        """Every state that some flags may reach, each before those it leads to, cycles aside."""

        def following(state: State) -> list[State]:
            return [target for _, target, formula in self.steps(state) if formula != FALSE]

        return post_order(map(self.shared, starts), following, id)[::-1]

    def counts(self, edge: Edge) -> bool:
        """Whether an edge counts."""
        return self._allowed is None or self._allowed(edge)

    def edges(self, state: State) -> list[Edge]:
        """The edges out of a target that count."""
        return [*self._own_edges(state.label), *(one.edge for one in self._of_flags(state))]

    @memoized
    def _own_edges(self, label: Label) -> list[Edge]:
        """The edges that count of those that attributes hold, in whatever configuration."""
        shape = self.graph.shape(label).rule_class
        drops_implicit = shape is not None and shape.name in WITH_PLATFORMS
        allowed, every, hides = self._allowed, self.graph.implicit, self._hides_constraints
        leaving: Sequence[Edge]
        if isinstance(allowed, EdgesTo):
            leaving, allowed = self.graph.edges_to(label, allowed), None
        else:
            leaving = self.graph.edges(label)
        edges: list[Edge] = []
        for edge in leaving:
            if allowed is not None and not allowed(edge):
                continue
            _, _, attribute, kind, branch, _ = edge
            if drops_implicit and kind is _IMPLICIT:
                continue
            if not self._as_query and (
                kind is _ASPECT
                or (hides and attribute == EXEC_COMPATIBLE)
                or (branch is not None and not every and edge.is_of_default)
            ):
                continue
            edges.append(edge)
        if shape is not None and shape.name in LABEL_SETTINGS:
            edges = [edge for edge in edges if edge.attribute != DEFAULT_ATTRIBUTE]
        return edges

    def _of_flags(self, state: State) -> Sequence[FlagEdge]:
        """The edges that count of those that flags name."""
        label, scope = state
        shape = self.graph.shape(label).rule_class
        rule = self.graph.node(label) if shape is not None and shape.name in NAMING else None
        if not isinstance(rule, Rule):
            return ()
        if rule.rule_class.name in LABEL_SETTINGS:
            self.label_settings.setdefault(label)
        texts = scope.texts(str(label))
        edges = self._edges_of_flags.of(rule, texts, in_tools=scope.is_exec)
        return [one for one in edges if self.counts(one.edge)]

    def _expand(self, state: State) -> tuple[Step, ...]:
        label, scope = state
        after, new, shared = self._scopes.after, tuple.__new__, self._states.setdefault
        steps: list[Step] = []
        taken: dict[int, int] = {}
        for edge in self._own_edges(label):
            branch = edge[4]
            formula = TRUE
            if branch is not None:
                if id(branch) not in taken:
                    taken[id(branch)] = self.at_top(scope, self.of_branch(branch), label)
                formula = taken[id(branch)]
            # Thousands of named tuples: made so, they take half the time.
            target = new(State, (edge[1], scope if scope.is_final else after(scope, edge)))
            steps.append(new(Step, (edge, shared(target, target), formula)))
        for edge, needs, of_tools in self._of_flags(state):
            behind = after(scope, edge)
            tests = self.formulas.diagrams.all(map(self.formulas.atoms.of_requirement, needs))
            formula = self.at_top(behind if of_tools else scope, tests, label)
            steps.append(Step(edge, self.shared(State(edge.target, behind)), formula))
        return tuple(steps)

    def of_branch(self, chosen: ChosenBranch) -> int:
        """Where the branch that an edge hangs on is taken, in its target's own configuration."""
        known = self._taken.get(id(chosen.selector))
        if known is None:
            select = self._select(chosen.selector)
            pairs = zip(select.branches, select.taken, strict=True)
            known = self._taken[id(chosen.selector)] = {
                one.condition: (one, at) for one, at in pairs
            }
        branch, taken = known.get(chosen.branch.condition, (None, FALSE))
        # Another spelling of the label may have taken its place.
        own = taken if branch is chosen.branch or branch == chosen.branch else FALSE
        if chosen.under is None:
            return own
        return self.formulas.diagrams.both(own, self.of_branch(chosen.under))

    def _select(self, selector: Selector) -> SelectFormula:
        known = self._selects.get(id(selector))
        if known is None:
            known = self._selects[id(selector)] = (selector, self.formulas.of_select(selector))
        return known[1]

    def refused_of(self, state: State) -> int:
        """The flags under which Bazel refuses the selects of a target; where the target is
        incompatible with its platform, it may not look at them."""
        refused, diagrams = self._selects_refused(state), self.formulas.diagrams
        release = self.formulas.conditions.release
        if refused == FALSE or not release.incompatible_before_dependencies:
            return refused
        return diagrams.both(refused, diagrams.negation(self.incompatible_of(state)))

    def _selects_refused(self, state: State) -> int:
        refused = self._keys_compete(state.label)
        if refused != FALSE and self.formulas.same_values_do:
            rule = self.graph.node(state.label)
            attributes = rule.attributes.values() if isinstance(rule, Rule) else ()
            selectors = (one for held in attributes for one in selectors_of(held.value))
            refused = self.formulas.diagrams.any(self._select(one).refused for one in selectors)
        return self.at_top(state.scope, refused, state.label)

    @memoized
    def _keys_compete(self, label: Label) -> int:
        """Where conditions of one of a target's selects compete, values aside."""
        keys = self.graph.select_keys(label)
        return self.formulas.diagrams.any(map(self.formulas.refused, keys))

    def incompatible(self, reach: Reach) -> int:
        """The flags under which the platform lacks what one of the targets that are reached
        asks for in `target_compatible_with`."""
        return self.formulas.diagrams.any(self.where(reach.arrival, self.incompatible_of).values())

    def incompatible_of(self, state: State) -> int:
        """The flags under which the platform lacks what one target asks for."""
        diagrams, missing = self.formulas.diagrams, FALSE
        rule = self.graph.node(state.label)
        attribute = rule.attributes.get(COMPATIBLE) if isinstance(rule, Rule) else None
        if attribute is None or not self.formulas.conditions.release.incompatible_targets:
            return missing
        for part in parts_of(attribute.value):
            if not isinstance(part, Selector):
                missing = diagrams.either(missing, self._lacks(part))
                continue
            select = self._select(part)
            for branch, taken in zip(select.branches, select.taken, strict=True):
                lacks = diagrams.both(taken, self._lacks(branch.value))
                missing = diagrams.either(missing, lacks)
        return self.at_top(state.scope, missing, state.label)

    def _lacks(self, value: object) -> int:
        """Where the platform lacks one of the constraint values of a plain list."""
        diagrams = self.formulas.diagrams
        return diagrams.negation(diagrams.all(map(self._has_constraint, labels_in(value))))

    def _has_constraint(self, label: Label) -> int:
        """Where the platform has a constraint value; none has the one that is made for that."""
        if is_of_no_platform(label):
            return FALSE
        formula = self.formulas.of_condition(label)
        return self.formulas.diagrams.any(case.holds for case in formula.cases)

    def at_top(self, scope: Scope, formula: int, label: Label | None = None) -> int:
        """What a formula about the configuration of a scope, of the target `label`, asks of the
        flags at the top. What a transition decides that cannot be told is another unknown for
        each target: two may be behind one more such transition than the other."""
        if formula in (FALSE, TRUE):
            return formula
        at = State(label, scope) if label is not None and scope.is_uncertain else scope
        known = self._meanings.setdefault(at, {})
        return self.formulas.diagrams.replaced(formula, lambda t: self._meaning(at, t), known)

    def _meaning(self, at: Scope | State, test: ValueTest) -> int:
        scope = at.scope if isinstance(at, State) else at
        asked = self.formulas.atoms.asked(test)
        if isinstance(asked, Unknown):
            return self.formulas.diagrams.test(*test)
        formula = self._at_top_of(at, asked)
        if scope.is_final and self._may_share_host:
            # What keeps the configuration of tools apart from that of the targets.
            apart = FlagRequirement(DISTINCT, "true", asked.setting, domain=("true", "false"))
            is_apart = self.formulas.atoms.of_requirement(apart)
            return self.formulas.diagrams.choice(is_apart, formula, self._at_top_of(TOP, asked))
        return formula

    def _at_top_of(self, at: Scope | State, asked: FlagRequirement) -> int:
        scope = at.scope if isinstance(at, State) else at
        sources = self._scopes.sources(scope, asked)
        formula = self._of_source(at, asked, len(sources) - 1)
        for number, name in reversed(tuple(enumerate(sources[:-1]))):
            unset = FlagRequirement(f"--{name}", UNSET, asked.setting, asked.location)
            is_unset = self.formulas.atoms.of_requirement(unset)
            earlier = self._of_source(at, asked, number)
            formula = self.formulas.diagrams.choice(is_unset, formula, earlier)
        for chosen, holds in self._scopes.mapped_again(scope, asked):
            is_chosen = self.formulas.atoms.of_requirement(chosen)
            formula = self.formulas.diagrams.choice(is_chosen, TRUE if holds else FALSE, formula)
        return formula

    def _of_source(self, at: Scope | State, asked: FlagRequirement, source: int) -> int:
        at_top = self._scopes.at_top(at.scope if isinstance(at, State) else at, asked, source)
        if isinstance(at_top, bool):
            return TRUE if at_top else FALSE
        if isinstance(at_top, FlagRequirement):
            return self.formulas.atoms.of_requirement(at_top)
        return self.formulas.atoms.of_unknown(f"{asked.text} in {at}", at_top)

    def labels(self, reach: Reach, ends: Iterable[Label]) -> int:
        """The flags under which one of `ends` is reached."""
        return self.formulas.diagrams.any(
            reach.arrival[state] for end in ends for state in reach.states(end)
        )

    def between(self, reach: Reach, ends: Iterable[Label]) -> list[Step]:
        """Every edge that lies on a path to one of `ends` which some flags take."""
        arriving: dict[State, list[tuple[State, Step]]] = {}
        for state, here in reach.arrival.items():
            if here != FALSE:
                for step in self.steps(state):
                    if step.formula != FALSE:
                        arriving.setdefault(step.target, []).append((state, step))
        wanted = [state for end in ends for state in reach.states(end)]
        back = distances(wanted, lambda state: [s for s, _ in arriving.get(state, ())])
        return [step for state in back for _, step in arriving.get(state, ())]
