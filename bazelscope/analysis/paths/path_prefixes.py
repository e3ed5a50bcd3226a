"""What a prefix of a path needs so far, edge by edge.

Each conditional edge can be had in several ways, so a prefix has several situations: one
for each choice of edges between its targets and of ways to take them, without those that
contradict themselves or that ask for more than another one does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bazelscope.analysis.conditions.atoms import FlagRequirement, in_force, sorted_needs
from bazelscope.analysis.conditions.edges import Edge
from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.conditions.select_choice import distinct_branches
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.analysis.paths.alternatives import FREE, Alternative
from bazelscope.analysis.paths.clashes import Clash, ClashKind
from bazelscope.analysis.paths.requirements import Requirements
from bazelscope.analysis.paths.transition_scopes import TOP, Scope, Scopes
from bazelscope.base.label import Label
from bazelscope.base.unknown import Reason, Unknown


@dataclass(frozen=True, slots=True)
class PathStep:
    """One edge of a path and what it takes.

    `alternatives` are the ways to have its branch taken, as flags of the command line;
    `excluded` the conditions of the same select that must not match for that. `unknown`:
    what it takes cannot be told. `scope`: the configuration of the edge's source.
    """

    edge: Edge
    alternatives: tuple[Alternative, ...] = ()
    excluded: tuple[Label, ...] = ()
    unknown: Unknown | None = None
    scope: Scope = TOP

    @property
    def is_conditional(self) -> bool:
        return self.edge.branch is not None


class Situation:
    """What has been asked for when a path has come to a target."""

    __slots__ = ("alternative", "conditional", "edge", "is_sure", "parent", "scope")

    def __init__(
        self,
        alternative: Alternative,
        scope: Scope,
        parent: Situation | None = None,
        edge: Edge | None = None,
        conditional: int = 0,
        is_sure: bool = True,
    ) -> None:
        self.alternative = alternative
        self.scope = scope
        self.parent = parent
        self.edge = edge
        self.conditional = conditional
        self.is_sure = is_sure
        """Whether every requirement on the way could be told."""

    def edges(self) -> list[Edge]:
        """The edges from the start."""
        edges: list[Edge] = []
        situation: Situation | None = self
        while situation is not None and situation.edge is not None:
            edges.append(situation.edge)
            situation = situation.parent
        edges.reverse()
        return edges

    def covers(self, other: Situation) -> bool:
        """Whether whatever meets `other`, here and further on, meets this."""
        return self.scope == other.scope and self.alternative.covers(other.alternative)


class Situations:
    """Derives situations; `conditions` say which flags are in force anyway."""

    def __init__(self, graph: TargetGraph, conditions: Conditions) -> None:
        self.conditions = conditions
        self.requirements = Requirements(conditions)
        self._scopes = Scopes(graph, conditions)
        self._met: dict[FlagRequirement, bool] = {}

    def start(self, label: Label) -> Situation:
        return Situation(FREE, self._scopes.start(label))

    def forward(
        self, situation: Situation, edge: Edge, clashes: list[Clash] | None = None
    ) -> Iterator[Situation]:
        """The situations behind an edge; none if it contradicts what went before.

        Then `clashes` is told why. Without `clashes`, contradictions are let through.
        """
        scope = self._scopes.after(situation.scope, edge)
        before = situation.alternative
        if edge.branch is None:
            yield Situation(before, scope, situation, edge, situation.conditional,
                            situation.is_sure)  # fmt: skip
            return
        conditional = situation.conditional + 1
        found = self.requirements.of_branch(edge.branch.selector, edge.branch.branch)
        if isinstance(found, Unknown) or (not found and clashes is None):
            yield Situation(before, scope, situation, edge, conditional, False)
            return
        if not found and clashes is not None:
            clashes.append(Clash(ClashKind.NEVER_TAKEN, (), edge.branch.branch.condition))
        for option in found:
            asked, never, unsettled = self._scopes.alternative(situation.scope, option)
            if never is not None:
                if clashes is None:
                    yield Situation(before, scope, situation, edge, conditional, False)
                else:
                    clashes.append(Clash(ClashKind.FIXED, (never,)))
                continue
            is_sure = situation.is_sure and not unsettled
            merged = before if asked.covers(before) else before.merge(asked)
            if clashes is not None and merged is not before:
                clash = clash_of(merged)
                if clash is not None:
                    clashes.append(clash)
                    continue
            yield Situation(merged, scope, situation, edge, conditional, is_sure)

    def is_met(self, need: FlagRequirement) -> bool:
        """Whether a requirement holds anyway."""
        met = self._met.get(need)
        if met is None:
            met = self._met[need] = in_force(need, self.conditions).holds
        return met

    def unmet(self, alternative: Alternative) -> tuple[FlagRequirement, ...]:
        return sorted_needs(need for need in alternative.needs if not self.is_met(need))

    def steps(self, start: Label, edges: Iterable[Edge]) -> tuple[PathStep, ...]:
        """The edges of a path with what each takes."""
        scope = self._scopes.start(start)
        steps = []
        for edge in edges:
            steps.append(self.step(edge, scope))
            scope = self._scopes.after(scope, edge)
        return tuple(steps)

    def first_clash(self, start: Label, edges: Iterable[Edge]) -> Clash | None:
        """What first keeps any flags from making a path of these very edges."""
        found = [self.start(start)]
        for edge in edges:
            clashes: list[Clash] = []
            found = [after for before in found for after in self.forward(before, edge, clashes)]
            if not found:
                return clashes[0]
        return None

    def step(self, edge: Edge, scope: Scope = TOP) -> PathStep:
        """What one edge takes, of a target in `scope`."""
        if edge.branch is None:
            return PathStep(edge, (FREE,), scope=scope)
        selector, branch = edge.branch.selector, edge.branch.branch
        excluded = tuple(
            other.condition
            for other in distinct_branches(selector)
            if other.condition != branch.condition
            and not other.is_default
            and not (
                not branch.is_default and self.conditions.refines(branch.condition, other.condition)
            )
        )
        found = self.requirements.of_branch(selector, branch)
        if isinstance(found, Unknown):
            return PathStep(edge, (FREE,), excluded, found, scope)
        scoped = [self._scopes.alternative(scope, option) for option in found]
        unknown = None
        unsettled = [need for one in scoped for need in one.unsettled]
        if unsettled:
            detail = f"a transition on the way decides {unsettled[0].text}"
            unknown = Unknown(Reason.NOT_MODELLED, str(branch.condition), detail)
        alternatives = tuple(one.alternative for one in scoped if one.never is None)
        return PathStep(edge, alternatives, excluded, unknown, scope)


def clash_of(alternative: Alternative) -> Clash | None:
    """Why an alternative cannot be met; None if nothing speaks against it."""
    found = alternative.contradiction()
    if not found:
        return None
    if len(found) == 2 and found[0].key == found[1].key and set(found) <= alternative.needs:
        return Clash(ClashKind.TWO_VALUES, found)
    return Clash(ClashKind.RULED_OUT, found)


def without_dominated(found: Iterable[Situation], most: int) -> tuple[list[Situation], bool]:
    """The situations that no other covers, at most so many; and whether these are all."""
    kept: list[Situation] = []
    for situation in found:
        if any(other.covers(situation) for other in kept):
            continue
        kept = [other for other in kept if not situation.covers(other)]
        kept.append(situation)
    return kept[:most], len(kept) <= most
