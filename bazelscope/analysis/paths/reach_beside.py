"""What a target reaches in packages of which only few differ from those of a reach that is known.

Only what lies behind a target whose edges differ is looked at anew: of thousands of targets, the
few below a repository whose rule has read another value.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from bazelscope.analysis.conditions.diagrams import FALSE, TRUE
from bazelscope.analysis.paths.edges_of_flags import NAMING
from bazelscope.analysis.paths.reach import Reach, Reaches, State
from bazelscope.base.graph_walk import distances
from bazelscope.base.label import Label, PackageId
from bazelscope.bazel.encoded_values import decode_label


class KnownReach:
    """What a target reaches by the edges of `reaches`; `reach` is that, looked for already."""

    def __init__(self, reaches: Reaches, reach: Reach) -> None:
        self.reaches = reaches
        self.reach = reach
        self._refused = reaches.where(reach.arrival, reaches.refused_of)
        self._lacking = reaches.where(reach.arrival, reaches.incompatible_of)
        self._conditions: dict[PackageId, set[Label]] = {}
        """By package the conditions that one of its targets says something of."""
        for condition in reaches.formulas.known():
            for label in distances([condition], reaches.graph.targets):
                self._conditions.setdefault(label.package_id, set()).add(condition)
        self._by_package: dict[PackageId, list[State]] = {}
        self._naming: list[State] = []
        self._arriving: dict[State, list[tuple[State, int]]] = {}
        for state in reach.arrival:
            self._by_package.setdefault(state.label.package_id, []).append(state)
            if reaches.graph.shape(state.label).class_name in NAMING:
                self._naming.append(state)
            for step in reaches.steps(state):
                if step.formula != FALSE:
                    self._arriving.setdefault(step.target, []).append((state, step.formula))

    @property
    def incompatible(self) -> int:
        """The flags under which the platform lacks what one of the targets asks for."""
        return self.reaches.formulas.diagrams.any(self._lacking.values())

    def beside(self, other: Reaches, changed: Collection[PackageId]) -> tuple[Reach, int] | None:
        """What the target reaches by the edges of `other`, and under which flags one of that is
        incompatible, where no packages are made from anything else but those that are `changed`.
        None where more than edges may differ: configurations, or what flags stand for."""
        start = self.reach.start
        suspects = self._suspects(other, changed)
        if suspects is None or other.start(start.label) != start:
            return None
        other.take_steps(self.reaches, suspects)
        anew = self._behind(other, [one for one in suspects if self._differs(other, one)])
        arrival = dict(self.reach.arrival)
        arrival.update(dict.fromkeys(anew & arrival.keys(), FALSE))
        arrival.update(other.arrivals(self._seeds(anew)))
        here = {state: arrival[state] for state in anew if state in arrival}

        def again(known: Mapping[State, int], formula: Callable[[State], int]) -> dict[State, int]:
            kept = {state: holds for state, holds in known.items() if state not in anew}
            return {**kept, **other.where(here, formula)}

        diagrams = other.formulas.diagrams
        refused_at: dict[Label, int] = {}
        for state, holds in again(self._refused, other.refused_of).items():
            refused_at[state.label] = diagrams.either(refused_at.get(state.label, FALSE), holds)
        lacking = again(self._lacking, other.incompatible_of)
        reach = Reach(start, arrival, refused_at, diagrams.any(refused_at.values()))
        return reach, diagrams.any(lacking.values())

    def _suspects(self, other: Reaches, changed: Collection[PackageId]) -> set[State] | None:
        """The states whose edges, or what refuses them, may differ; None if those of all may."""
        if self._names_flags_of(changed):
            return None
        suspects = {state for id in changed for state in self._by_package.get(id, ())}
        for label in {state.label for state in suspects}:
            if self.reaches.has_own_transition(label) or other.has_own_transition(label):
                return None
        may_differ = {one for id in changed for one in self._conditions.get(id, ())}
        conditions = self.reaches.formulas.differing(other.formulas, may_differ)
        if conditions:
            if other.formulas.conditions.release.incompatible_targets:
                return None  # Constraints are conditions, too.
            suspects.update(s for s in self.reach.arrival if self._asks(s, conditions))
        suspects.update(self._naming)
        return suspects

    def _asks(self, state: State, conditions: Collection[Label]) -> bool:
        """Whether a select() of a target has one of some conditions."""
        keys = self.reaches.graph.select_keys(state.label)
        return any(decode_label(text) in conditions for key in keys for text in key)

    def _names_flags_of(self, packages: Collection[PackageId]) -> bool:
        """Whether a formula asks for flags that are targets of these packages, or a transition
        names one of their targets."""
        names = self.reaches.formulas.atoms.flags()
        for scope in {state.scope for state in self.reach.arrival}:
            for what, texts in (*scope.changed, *scope.before):
                names.update((what, *(texts or ())))
        heads = tuple(f"{id}:" for id in packages)
        return any(name.startswith(heads) for name in names)

    def _differs(self, other: Reaches, state: State) -> bool:
        """Whether something of a state is another in other packages."""

        def facts(reaches: Reaches) -> tuple[object, ...]:
            taken = {(one.target, one.formula) for one in reaches.steps(state) if one.formula}
            return taken, reaches.refused_of(state), reaches.incompatible_of(state)

        return facts(self.reaches) != facts(other)

    def _behind(self, other: Reaches, states: Iterable[State]) -> set[State]:
        """The states themselves and all that they lead to, here or by the edges of `other`."""

        def following(state: State) -> list[State]:
            known = self.reaches.steps(state) if state in self.reach.arrival else ()
            steps = (*known, *other.steps(state))
            return [step.target for step in steps if step.formula != FALSE]

        return set(distances(states, following))

    def _seeds(self, anew: Collection[State]) -> dict[State, int]:
        """Under which flags edges from elsewhere reach the states that are looked at anew."""
        diagrams, arrival = self.reaches.formulas.diagrams, self.reach.arrival
        seeds: dict[State, int] = {}
        for state in anew:
            formula = TRUE if state == self.reach.start else FALSE
            for source, taken in self._arriving.get(state, ()):
                if source not in anew:
                    formula = diagrams.either(formula, diagrams.both(arrival[source], taken))
            if formula != FALSE:
                seeds[state] = formula
        return seeds
