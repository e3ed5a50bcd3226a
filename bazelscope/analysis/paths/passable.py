"""What lies on paths that some flags take, from their first edge to their last.

An edge whose branch some flags take may be on no such path: what leads to its source, or on from
its target, may ask for other flags.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from bazelscope.analysis.conditions.diagrams import FALSE, TRUE
from bazelscope.analysis.conditions.edges import Edge
from bazelscope.analysis.paths.reach import Reaches, State
from bazelscope.analysis.paths.transition_scopes import TOP, Scope
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Passable:
    """The targets on paths that some flags take, each with its configuration, the one at the top
    if that is among several. `named`: where flags have to be so for an edge without a branch, by
    its source and target. `never`: the targets that edges lead to from there, and that are on
    none."""

    scopes: Mapping[Label, Scope]
    _edges: Mapping[Label, Mapping[int, Edge]]
    named: Mapping[tuple[Label, Label], int]
    never: frozenset[Label]

    def edges(self, label: Label) -> Collection[Edge]:
        """The edges out of a target that lie on such paths."""
        edges = self._edges.get(label)
        return () if edges is None else edges.values()


def passable(
    reaches: Reaches, starts: Iterable[Label], ends: Collection[Label] | None = None
) -> Passable:
    """What lies on paths from one of `starts`, whichever is asked for, to one of `ends`, or to
    anything. Raises TooLargeError if there are too many cases."""
    arrival = reaches.arrivals({reaches.start(label): TRUE for label in starts})
    onward = None if ends is None else _onward(reaches, arrival, ends)
    diagrams = reaches.formulas.diagrams
    together = diagrams.all
    edges: dict[Label, dict[int, Edge]] = {}
    scopes: dict[Label, Scope] = {}
    by_flags: dict[tuple[Label, Label], int] = {}
    seen: set[Label] = set()
    for state, here in arrival.items():
        if here == FALSE:
            continue
        seen.add(state.label)
        if onward is not None and together((here, onward[state])) == FALSE:
            continue
        own = edges.setdefault(state.label, {})
        if scopes.setdefault(state.label, state.scope) != TOP:
            scopes[state.label] = state.scope
        for edge, target, formula in reaches.steps(state):
            ahead = TRUE if onward is None else onward.get(target, FALSE)
            if here == formula == ahead == TRUE or together((here, formula, ahead)) != FALSE:
                own.setdefault(id(edge), edge)
                if edge.branch is None and formula != TRUE:
                    pair = edge.source, edge.target
                    by_flags[pair] = diagrams.either(by_flags.get(pair, FALSE), formula)
            else:
                seen.add(target.label)
    return Passable(scopes, edges, by_flags, frozenset(seen.difference(edges)))


def _onward(
    reaches: Reaches, arrival: dict[State, int], ends: Collection[Label]
) -> dict[State, int]:
    """Under which flags each state leads on to one of `ends`."""
    diagrams, wanted = reaches.formulas.diagrams, set(ends)
    onward = {state: TRUE if state.label in wanted else FALSE for state in arrival}
    while True:
        early: dict[State, int] = {}
        """What was taken of states on cycles before they had their turn."""
        done: set[State] = set()
        for state in reversed(arrival):
            done.add(state)
            if onward[state] == TRUE:
                continue
            after = FALSE
            for _, target, formula in reaches.steps(state):
                if formula == FALSE:
                    continue
                ahead = onward[target]
                if target not in done:
                    early[target] = ahead
                after = diagrams.either(after, diagrams.both(formula, ahead))
            onward[state] = after
        if all(onward[state] == taken for state, taken in early.items()):
            return onward
