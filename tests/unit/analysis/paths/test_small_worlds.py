"""Conditions of random worlds of up to ten atoms, against every assignment: a target is reached
where its formula holds, and what is told are the prime alternatives, all of them.

500 worlds take twenty minutes:

    BAZELSCOPE_SMALL_WORLDS=500 python -m pytest -n 2 tests/unit/analysis/paths/test_small_worlds.py
"""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import pytest

from bazelscope.analysis.conditions.atoms import FlagRequirement, in_force
from bazelscope.analysis.conditions.diagrams import TRUE, Diagrams
from bazelscope.analysis.conditions.formula_variables import Atoms
from bazelscope.analysis.conditions.formulas import Formulas
from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.graph.compatibility import why_incompatible
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.analysis.paths.dependence import Alternative, Dependences
from bazelscope.analysis.paths.reach import Reaches
from bazelscope.analysis.refusals.kept_refusals import refusals_of
from bazelscope.base.graph_walk import distances
from bazelscope.base.label import Label
from tests.unit.analysis.paths.small_worlds import ENDS, START, SmallWorld

WORLDS = int(os.environ.get("BAZELSCOPE_SMALL_WORLDS", "8"))
FIRST = int(os.environ.get("BAZELSCOPE_SMALL_SEED", "0"))
MOST_CUBES = 300_000

OTHER = -1
"""Stands for all values of a flag that nothing asks for."""
Values = dict[int, int]
"""By variable the number of the value that it has."""


@dataclass
class Case:
    """What the configured graph says under one line."""

    values: Values
    reached: set[Label] = field(default_factory=set)
    is_refused: bool = False


def values_of(atoms: Atoms, conditions: Conditions) -> Values:
    found: Values = {}
    for variable, asked in enumerate(atoms.by_variable()):
        found[variable] = OTHER
        for number, need in enumerate(asked):
            assert isinstance(need, FlagRequirement)
            if in_force(need, conditions).holds:
                found[variable] = number
    return found


class Space:
    """All assignments of some variables, as the bits of numbers."""

    def __init__(self, atoms: Atoms, variables: Sequence[int]) -> None:
        self._diagrams: Diagrams = atoms.diagrams
        self._named = {v: range(len(atoms.by_variable()[v])) for v in variables}
        self._possible = {
            v: (*named, *(() if self._is_closed(v) else (OTHER,)))
            for v, named in self._named.items()
        }
        self.points = {
            point: 1 << number
            for number, point in enumerate(itertools.product(*self._possible.values()))
        }
        self._having = {
            (variable, value): sum(bit for point, bit in self.points.items() if point[at] == value)
            for at, variable in enumerate(variables)
            for value in self._possible[variable]
        }
        self._requirements = {
            asked: (variable, number)
            for variable in variables
            for number, asked in enumerate(atoms.by_variable()[variable])
        }

    @staticmethod
    def size(atoms: Atoms, variables: Sequence[int]) -> int:
        """How many assignments there are."""
        named = {v: len(atoms.by_variable()[v]) for v in variables}
        is_open = {v: atoms.diagrams.last_value(v) is None for v in variables}
        return math.prod(named[v] + is_open[v] for v in variables)

    def _is_closed(self, variable: int) -> bool:
        return self._diagrams.last_value(variable) is not None

    def of_alternative(self, alternative: Alternative) -> int:
        """The assignments under which all words of an alternative hold."""
        mask = (1 << len(self.points)) - 1
        for asked, is_so in alternative:
            having = self._having[self._requirements[asked]]
            mask &= having if is_so else ~having
        return mask

    def cubes(self) -> list[int] | None:
        """Every set of assignments that words can name; None if there are too many."""
        choices: list[set[int]] = []
        count = 1
        for variable, possible in self._possible.items():
            named = self._named[variable]
            masks = {self._having[variable, value] for value in named}
            for size in range(len(named) + 1):
                for excluded in itertools.combinations(named, size):
                    left = [self._having[variable, v] for v in possible if v not in excluded]
                    masks.add(sum(left))
            choices.append(masks - {0})
            count *= len(choices[-1])
        if count > MOST_CUBES:
            return None
        found = [(1 << len(self.points)) - 1]
        for masks in choices:
            found = [mask & other for mask in found for other in masks]
        return found


def primes(cubes: Iterable[int], on: int, free: int) -> set[int]:
    """The largest of those cubes that lie in both together and meet `on`."""
    kept: list[int] = []
    inside = {cube for cube in cubes if cube & on and not cube & ~(on | free)}
    for cube in sorted(inside, key=int.bit_count, reverse=True):
        if not any(cube & other == cube for other in kept):
            kept.append(cube)
    return set(kept)


@pytest.mark.parametrize("seed", range(FIRST, FIRST + WORLDS))
def test_alternatives_are_the_prime_ones(seed: int) -> None:
    small = SmallWorld(seed)
    graph = TargetGraph(small.world, small.world.bazel_version)
    plain = ConfiguredGraph(graph, small.world.configuration()).conditions()
    formulas = Formulas(plain)
    atoms = formulas.atoms
    dependences = Dependences(Reaches(graph, formulas), plain)
    reach = dependences.reaches.of(START)
    incompatible = dependences.reaches.incompatible(reach)
    found = {
        end: dependences.of(dependences.reaches.labels(reach, [end]), reach.refused) for end in ENDS
    }
    cases: list[Case] = []
    for configuration in small.configurations():
        configured = ConfiguredGraph(graph, configuration)
        conditions = configured.conditions()
        top = configured.top(START)
        nodes = list(
            distances([top], lambda node, at=configured: [e.target for e in at.taken(node)])
        )
        is_refused = bool(refusals_of(configured, nodes))
        case = Case(values_of(atoms, conditions), {node.label for node in nodes}, is_refused)
        cases.append(case)
        assert (atoms.in_force(reach.refused, conditions) == TRUE) == is_refused
        if is_refused:
            continue
        is_incompatible = why_incompatible(configured, top) is not None
        assert (atoms.in_force(incompatible, conditions) == TRUE) == is_incompatible
        for end, dependence in found.items():
            holds = atoms.in_force(dependence.formula, conditions) == TRUE
            assert holds == (end in case.reached), (end, configuration.flags)
    checked = 0
    for end, dependence in found.items():
        variables = sorted(formulas.diagrams.variables(dependence.formula))
        space = Space(atoms, variables)
        on = off = 0
        for case in cases:
            bit = space.points[tuple(case.values[v] for v in variables)]
            if not case.is_refused:
                on, off = (on | bit, off) if end in case.reached else (on, off | bit)
        free = ((1 << len(space.points)) - 1) & ~(on | off)
        assert not on & off
        decisive = sorted({*variables, *formulas.diagrams.variables(reach.refused)})
        met = {tuple(case.values[v] for v in decisive) for case in cases}
        cubes = space.cubes() if len(met) == Space.size(atoms, decisive) else None
        if cubes is None or not dependence.is_complete:
            continue
        checked += 1
        for told, wanted in (
            (dependence.alternatives, primes(cubes, on, free)),
            (dependence.exceptions, primes(cubes, off, free)),
            (dependence.conflicts, primes(cubes, free, 0)),
        ):
            masks = [space.of_alternative(one) for one in told]
            assert len(set(masks)) == len(masks), (end, "told twice")
            texts = [" ".join(("" if w.is_so else "not ") + w.text for w in one) for one in told]
            assert set(masks) == wanted, (end, texts, masks, wanted, on, off, free)
            for alternative, mask in zip(told, masks, strict=True):
                for word in alternative:
                    rest = tuple(other for other in alternative if other is not word)
                    assert space.of_alternative(rest) != mask, (end, "a word that can go")
    print(f"{seed}: {len(cases)} lines, primes of {checked} of {len(found)}")
