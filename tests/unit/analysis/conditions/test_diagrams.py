"""Decision diagrams and their prime implicants, against every assignment and every cube."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable

import pytest

from bazelscope.analysis.conditions.diagrams import (
    Cube,
    Diagrams,
    Literal,
    TooLargeError,
    ValueTest,
)
from bazelscope.base import budget
from bazelscope.base.budget import BudgetError, BudgetLimits

Point = tuple[int, ...]


class Space:
    """Three variables of few values, of which some can have others than those that are named."""

    def __init__(self, choose: random.Random) -> None:
        self.diagrams = Diagrams()
        self.named: list[int] = []
        self.possible: list[int] = []
        for _ in range(3):
            values, is_closed = choose.randint(2, 3), choose.random() < 0.5
            self.diagrams.variable(values if is_closed else None)
            self.named.append(values)
            self.possible.append(values if is_closed else values + 1)
        self.points = list(itertools.product(*map(range, self.possible)))

    def formula(self, points: Iterable[Point]) -> int:
        diagrams = self.diagrams
        return diagrams.any(
            diagrams.all(self._has(variable, value) for variable, value in enumerate(point))
            for point in points
        )

    def _has(self, variable: int, value: int) -> int:
        diagrams, named = self.diagrams, self.named[variable]
        if value < named:
            return diagrams.test(variable, value)
        others = (diagrams.test(variable, other) for other in range(named))
        return diagrams.negation(diagrams.any(others))

    def cubes(self) -> Iterable[tuple[Cube, set[Point]]]:
        """Every cube, and the points in it."""
        choices: list[list[tuple[Cube, set[int]]]] = []
        for variable, (named, possible) in enumerate(zip(self.named, self.possible, strict=True)):
            one: list[tuple[Cube, set[int]]] = [(frozenset(), set(range(possible)))]
            for value in range(named):
                one.append((frozenset({Literal(ValueTest(variable, value), True)}), {value}))
            for size in range(1, named + 1):
                for excluded in itertools.combinations(range(named), size):
                    left = set(range(possible)) - set(excluded)
                    # Where one value is left, the cube says so.
                    if left and (possible > named or len(left) > 1):
                        literals = (Literal(ValueTest(variable, v), False) for v in excluded)
                        one.append((frozenset(literals), left))
            choices.append(one)
        for parts in itertools.product(*choices):
            cube = frozenset().union(*(literals for literals, _ in parts))
            yield cube, set(itertools.product(*(sorted(values) for _, values in parts)))


@pytest.mark.parametrize("seed", range(60))
def test_prime_implicants_are_those_of_brute_force(seed: int) -> None:
    choose = random.Random(f"primes {seed}")
    space = Space(choose)
    share = choose.choice([0.3, 0.7])
    on = {point for point in space.points if choose.random() < share}
    free = {point for point in space.points if choose.random() < 0.2}
    formula, of_no_matter = space.formula(on), space.formula(free)
    diagrams = space.diagrams
    for point in space.points:
        held = diagrams.holds(formula, lambda test, at=point: at[test.variable] == test.value)
        assert held == (point in on)
    implicants = [(cube, points) for cube, points in space.cubes() if points <= on | free]
    primes = {
        cube
        for cube, points in implicants
        if points & (on - free) and not any(points < others for _, others in implicants)
    }
    least = diagrams.without(formula, of_no_matter)
    found, is_complete = diagrams.primes(least, diagrams.either(formula, of_no_matter))
    assert is_complete
    assert set(found) == primes
    assert [len(cube) for cube in found] == sorted(len(cube) for cube in found)


@pytest.mark.parametrize("seed", range(30))
def test_what_holds_whatever_other_variables_are(seed: int) -> None:
    choose = random.Random(f"for all {seed}")
    space = Space(choose)
    on = {point for point in space.points if choose.random() < 0.8}
    expected = {
        point
        for point in space.points
        if all(
            (point[0], *others) in on
            for others in itertools.product(*map(range, space.possible[1:]))
        )
    }
    found = space.diagrams.for_all(space.formula(on), frozenset({0}))
    assert found == space.formula(expected)


def test_there_is_a_limit() -> None:
    diagrams = Diagrams(most=50)
    with pytest.raises(TooLargeError):
        diagrams.any(
            diagrams.all(diagrams.test(diagrams.variable(), 0) for _ in range(2)) for _ in range(30)
        )


def test_what_takes_too_long_asks_the_budget() -> None:
    """Pairs of variables that lie far apart: each pair doubles the diagram."""
    diagrams = Diagrams(most=1 << 40)
    variables = [diagrams.variable() for _ in range(60)]
    with (
        budget.spending(BudgetLimits(seconds=0.2)),
        pytest.raises(BudgetError, match=r"all of 0\.2 s of CPU time is used up"),
    ):
        diagrams.any(
            diagrams.both(diagrams.test(one, 0), diagrams.test(other, 0))
            for one, other in zip(variables[:30], variables[30:], strict=True)
        )


def test_many_cubes_ask_the_budget() -> None:
    diagrams = Diagrams()
    pairs = [(diagrams.variable(), diagrams.variable()) for _ in range(14)]
    formula = diagrams.all(
        diagrams.either(diagrams.test(one, 0), diagrams.test(other, 0)) for one, other in pairs
    )
    with budget.spending(BudgetLimits(seconds=0.05)), pytest.raises(BudgetError):
        diagrams.primes(formula, formula, limit=1 << 20)


@pytest.mark.parametrize("seed", range(20))
def test_a_table_has_the_same_formulas(seed: int) -> None:
    choose = random.Random(seed)
    space = Space(choose)
    formulas = [
        space.formula(choose.sample(space.points, choose.randint(0, len(space.points))))
        for _ in range(3)
    ]
    rows, numbers = space.diagrams.table(formulas)

    def holds(number: int, point: Point) -> bool:
        while number > 1:
            test, yes, no = rows[number - 2]
            assert yes < number and no < number
            number = yes if point[test.variable] == test.value else no
        return bool(number)

    for formula in formulas:
        for point in space.points:
            decided = space.diagrams.holds(
                formula, lambda test, point=point: point[test.variable] == test.value
            )
            assert holds(numbers[formula], point) == decided
