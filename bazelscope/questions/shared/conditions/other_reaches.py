"""What a target reaches in each set of packages that flags load, without loading all of each.

Most sets differ in few packages from another one: what such a set has beside that one is looked
at while that one is in memory. One that differs more is loaded as a whole.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import field

from bazelscope.analysis.conditions.diagrams import FALSE, TRUE, TooLargeError
from bazelscope.analysis.paths.edges_of_flags import NAMING
from bazelscope.analysis.paths.kept_reach import LEFT_OUT, ReachSummary, beside, summary
from bazelscope.analysis.paths.reach import Reach, Reaches, State
from bazelscope.base import budget, phases
from bazelscope.base.graph_walk import distances
from bazelscope.base.label import Label, PackageId
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.bazel.encoded_values import decode_label
from bazelscope.kept.pack import Input
from bazelscope.loading.loader import Loader
from bazelscope.loading.shared_packages import (
    PartRests,
    Rests,
    files_of,
    made_otherwise,
    rests_as_told,
    rests_on,
    would_make,
)
from bazelscope.questions.shared.conditions.loaded_sets import LoadedSets
from bazelscope.questions.shared.world import World


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


_FEW = 20
"""Packages in which a set may differ from another one to be looked at beside it."""


@dataclass(slots=True)
class _Set:
    """A set that is in memory as a whole: its packages, and those beside it that were looked at,
    by the packages that differ."""

    known: KnownReach
    rests: PartRests
    beside: dict[frozenset[PackageId], list[tuple[Rests, int]]]


@dataclass(slots=True)
class OtherReaches:
    """Finds what `start` reaches in all sets that were `loaded`, of which the first is the
    line's own, where that is `reached`; `edges` makes the graph of a set."""

    start: Label
    loaded: LoadedSets
    edges: Callable[[World], Reaches]
    reached: ReachSummary
    summaries: list[ReachSummary] = field(init=False)
    _own: dict[int, int] = field(init=False)
    _files: set[Input] | None = field(default_factory=set)

    def __post_init__(self) -> None:
        self.summaries = [beside(self.reached, self.reached)]
        self._own = {0: 0}

    def all(self) -> tuple[list[int], list[ReachSummary], set[Input] | None]:
        """By set which of the summaries is its own, or `LEFT_OUT`; the summaries, each beside that
        of the line; and the files that the sets are made from, None if that cannot be told."""
        left = list(range(1, len(self.loaded.sets)))
        with phases.phase("looking at what configs load"):
            here: _Set | None = self._whole(0) if left else None
            # What is collected below is of other sets only, unless somebody has frozen what his
            # process holds: nobody can thaw ours alone.
            freezes = gc.get_freeze_count() == 0
            if freezes:
                gc.collect()
                gc.freeze()
            try:
                while left and budget.current().spent_on_files() is None:
                    if here is not None:
                        left = [number for number in left if not self._is_beside(here, number)]
                    if not left:
                        break
                    number = left.pop(0)
                    here = None
                    gc.collect()  # Packages and their graph refer to each other: now or too late.
                    here = self._whole(number)
                    self._close(number)
            finally:
                if freezes:
                    gc.unfreeze()
        same = [self._own.get(number, LEFT_OUT) for number in range(len(self.loaded.sets))]
        return same, self.summaries, self._files

    def _whole(self, number: int) -> _Set | None:
        """Loads all of a set; None where there are too many cases."""
        world = self.loaded.sets[number].world
        if number:
            world.loader.prepare(self.loaded.sets[0].world.loader.loaded_packages())
        else:
            world.graph.deps([self.start])  # An earlier run may have kept what is reached.
        reaches = self.edges(world)
        try:
            known = KnownReach(reaches, reaches.of(self.start))
        except TooLargeError:
            self._own.setdefault(number, LEFT_OUT)
            return None
        if number:
            self._add(number, summary(reaches, known.reach, known.incompatible))
        loader = world.loader
        loader.save()
        loader.maker.leave()
        rests = rests_as_told(loader)
        self._note(loader, rests_on(loader))
        return _Set(known, rests, {frozenset(): [((), self._own[number])]})

    def _is_beside(self, here: _Set, number: int) -> bool:
        """Looks at a set if it differs in few packages from one that is there."""
        world = self.loaded.sets[number].world
        loader = world.loader
        changed = frozenset(made_otherwise(loader, here.rests))
        if len(changed) > _FEW:
            return False
        alike = here.beside.setdefault(changed, [])
        own = next((own for rests, own in alike if would_make(loader, rests)), None)
        if own is not None:
            self._own[number] = own
            self._close(number)
            return True
        reaches = self.edges(world)
        try:
            reached = here.known.beside(reaches, changed)
        except TooLargeError:
            return False
        if reached is None:
            return False
        self._add(number, summary(reaches, *reached))
        loader.save()
        loader.maker.leave()
        rests = rests_on(loader)
        self._note(loader, rests)
        if rests is not None:
            alike.append((rests, self._own[number]))
        self._close(number)
        return True

    def _add(self, number: int, reached: ReachSummary) -> None:
        self._own[number] = len(self.summaries)
        self.summaries.append(beside(reached, self.reached))

    def _close(self, number: int) -> None:
        """Leaves nothing of a set in memory but what others take from it."""
        phases.count(len(self._own) - 1, len(self.loaded.sets) - 1)
        self.loaded.put_down(number)

    def _note(self, loader: Loader, rests: Rests | None) -> None:
        """Takes note of the files that packages were made from."""
        more = files_of(loader, rests) if rests is not None else None
        self._files = None if self._files is None or more is None else self._files | more
