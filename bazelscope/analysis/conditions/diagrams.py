"""Decision diagrams: formulas over variables that have one value each, kept small and shared.

A variable is an option, a flag or a constraint setting; a test asks whether it has one certain
value. Tests of one variable exclude each other: where one holds, the others do not, and where a
variable can have no other values than the named ones, the last holds if none else does. Equal
formulas are one number, so that to compare them is to compare numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce

from bazelscope.base import budget
from bazelscope.base.graph_walk import distances, post_order
from bazelscope.base.named_tuple import NamedTuple

FALSE, TRUE = 0, 1
_VALUES = 1 << 20
"""Room for the values of one variable among the ranks of tests."""
_LAST = 1 << 60
"""The rank of the constants."""
_LOOK_EVERY = 1 << 10
"""After so many choices that were not known the budget is looked at."""


class TooLargeError(Exception):
    """A formula needs more nodes than are allowed, or hangs on too many variables."""


class ValueTest(NamedTuple):
    """Asks whether `variable` has its value number `value`."""

    variable: int
    value: int


class Literal(NamedTuple):
    """A variable has this value, or (not `positive`) another one."""

    test: ValueTest
    positive: bool


Cube = frozenset[Literal]
"""Literals that hold together: at most one positive one of a variable, or some negative ones."""


class Diagrams:
    """Makes formulas out of tests, and answers what they amount to.

    `most` limits the nodes; `TooLargeError` is raised beyond, and `BudgetError` where the
    question has no more time or memory. Formulas are numbers: `FALSE`, `TRUE`,
    and what `test` and the operations return.
    """

    def __init__(self, most: int = 400_000) -> None:
        self._most = most
        self._rank = [_LAST, _LAST]
        self._yes = [FALSE, TRUE]
        self._no = [FALSE, TRUE]
        self._unique: dict[tuple[int, int, int], int] = {}
        self._chosen: dict[tuple[int, int, int], int] = {}
        self._merges: tuple[dict[tuple[int, int], int], dict[tuple[int, int], int]] = ({}, {})
        """What two formulas come to: that both hold, and that either does."""
        self._last: list[int | None] = []
        """By variable, the number of its last value, if it can have none but the named ones."""
        self._primes: dict[int, _Primes] = {}

    def variable(self, values: int | None = None) -> int:
        """Makes a variable; `values` says how many it can have, None if there may be others
        than are ever tested."""
        self._last.append(None if values is None else values - 1)
        return len(self._last) - 1

    def test(self, variable: int, value: int) -> int:
        """The formula that a variable has a value."""
        last = self._last[variable]
        if last is not None and value >= last:
            earlier = (self.test(variable, other) for other in range(last))
            return self.negation(self.any(earlier))
        return self._node(variable * _VALUES + value, TRUE, FALSE)

    def negation(self, formula: int) -> int:
        return self.choice(formula, FALSE, TRUE)

    def both(self, one: int, other: int) -> int:
        if one == FALSE or other == FALSE:
            return FALSE
        if one == TRUE:
            return other
        return one if other in (TRUE, one) else self.choice(one, other, FALSE)

    def either(self, one: int, other: int) -> int:
        if one == TRUE or other == TRUE:
            return TRUE
        if one == FALSE:
            return other
        return one if other in (FALSE, one) else self.choice(one, TRUE, other)

    def all(self, formulas: Iterable[int]) -> int:
        return reduce(self.both, formulas, TRUE)

    def any(self, formulas: Iterable[int]) -> int:
        return reduce(self.either, formulas, FALSE)

    def without(self, one: int, other: int) -> int:
        """`one`, and not `other`."""
        return self.choice(other, FALSE, one)

    def implies(self, one: int, other: int) -> bool:
        """Whether `other` holds wherever `one` does."""
        return self.choice(one, other, TRUE) == TRUE

    def choice(self, condition: int, then: int, otherwise: int) -> int:
        """`then` where `condition` holds, else `otherwise`."""
        try:
            return self._choice(condition, then, otherwise)
        except RecursionError:
            raise TooLargeError from None

    def _choice(self, condition: int, then: int, otherwise: int) -> int:
        """Goes by nodes and their numbers alone: hundreds of thousands of calls are usual."""
        if condition <= TRUE:
            return then if condition else otherwise
        if then == condition:
            then = TRUE
        if otherwise == condition:
            otherwise = FALSE
        if then == otherwise:
            return then
        if otherwise == FALSE:
            return self._merged(condition, then, FALSE)
        if then == TRUE:
            return self._merged(condition, otherwise, TRUE)
        key = (condition, then, otherwise)
        known = self._chosen.get(key)
        if known is not None:
            return known
        ranks, no = self._rank, self._no
        of_condition, of_then, of_otherwise = ranks[condition], ranks[then], ranks[otherwise]
        rank = of_condition if of_condition < of_then else of_then
        if of_otherwise < rank:
            rank = of_otherwise
        # What is of a later variable is the same on both sides: to look is dear.
        end = rank - rank % _VALUES + _VALUES
        where, yes = self._where, self._yes
        if of_condition == rank:
            condition_yes, condition = yes[condition], no[condition]
        else:
            condition_yes = condition if of_condition >= end else where(condition, rank)
        if of_then == rank:
            then_yes, then = yes[then], no[then]
        else:
            then_yes = then if of_then >= end else where(then, rank)
        if of_otherwise == rank:
            otherwise_yes, otherwise = yes[otherwise], no[otherwise]
        else:
            otherwise_yes = otherwise if of_otherwise >= end else where(otherwise, rank)
        holds = self._choice(condition_yes, then_yes, otherwise_yes)
        fails = self._choice(condition, then, otherwise)
        known = self._chosen[key] = self._node(rank, holds, fails)
        if len(self._chosen) % _LOOK_EVERY == 0:
            budget.current().check_now()
        return known

    def _merged(self, one: int, other: int, deciding: int) -> int:
        """Whether either of two formulas holds (`deciding` is `TRUE`), or both do (`FALSE`): most
        choices are of this kind, which needs less than others."""
        if one == other or other == 1 - deciding:
            return one
        if one <= TRUE:
            return deciding if one == deciding else other
        if other == deciding:
            return deciding
        key = (one, other) if one < other else (other, one)
        merged = self._merges[deciding]
        known = merged.get(key)
        if known is not None:
            return known
        ranks, no = self._rank, self._no
        of_one, of_other = ranks[one], ranks[other]
        if of_one == of_other:
            rank = of_one
            one_yes, one = self._yes[one], no[one]
            other_yes, other = self._yes[other], no[other]
        elif of_one < of_other:
            rank = of_one
            one_yes, one = self._yes[one], no[one]
            other_yes = self._where(other, rank)
        else:
            rank = of_other
            other_yes, other = self._yes[other], no[other]
            one_yes = self._where(one, rank)
        holds = self._merged(one_yes, other_yes, deciding)
        fails = self._merged(one, other, deciding)
        known = merged[key] = self._node(rank, holds, fails)
        if len(merged) % _LOOK_EVERY == 0:
            budget.current().check_now()
        return known

    def _where(self, formula: int, rank: int) -> int:
        """The formula where the test of that rank, its first or an earlier one, holds."""
        ranks, no = self._rank, self._no
        if ranks[formula] == rank:
            return self._yes[formula]
        end = rank - rank % _VALUES + _VALUES
        while ranks[formula] < end:
            formula = no[formula]
        return formula

    def _node(self, rank: int, yes: int, no: int) -> int:
        # Where the test holds, later ones of its variable do not: then they say nothing new.
        if yes == self._where(no, rank):
            return no
        key = (rank, yes, no)
        known = self._unique.get(key)
        if known is None:
            known = len(self._rank)
            if known >= self._most:
                raise TooLargeError
            self._unique[key] = known
            self._rank.append(rank)
            self._yes.append(yes)
            self._no.append(no)
        return known

    def top(self, formula: int) -> ValueTest:
        """The first test of a formula that is no constant."""
        return ValueTest(*divmod(self._rank[formula], _VALUES))

    def holds(self, formula: int, decide: Callable[[ValueTest], bool]) -> bool:
        """Whether a formula holds where `decide` answers the tests."""
        while formula > TRUE:
            formula = self._yes[formula] if decide(self.top(formula)) else self._no[formula]
        return formula == TRUE

    def tests(self, formula: int) -> list[ValueTest]:
        """Every test that a formula depends on, in their order."""
        ranks = {self._rank[node] for node in distances([formula], self._below) if node > TRUE}
        return [ValueTest(*divmod(rank, _VALUES)) for rank in sorted(ranks)]

    def table(
        self, formulas: Iterable[int]
    ) -> tuple[list[tuple[ValueTest, int, int]], dict[int, int]]:
        """The nodes that formulas are made of as rows, each behind those it leads to: a test,
        what follows where it holds, and where it does not. And by node its number in that table:
        the constants have their own, the first row is number 2."""
        nodes = [node for node in post_order(formulas, self._below) if node > TRUE]
        numbers = {FALSE: FALSE, TRUE: TRUE}
        numbers.update((node, number) for number, node in enumerate(nodes, 2))
        rows = [
            (self.top(node), numbers[self._yes[node]], numbers[self._no[node]]) for node in nodes
        ]
        return rows, numbers

    def _below(self, node: int) -> tuple[int, ...]:
        return (self._no[node], self._yes[node]) if node > TRUE else ()

    def replaced(
        self, formula: int, meaning: Callable[[ValueTest], int], known: dict[int, int]
    ) -> int:
        """The formula with every test replaced by what it means; `known` keeps what was
        replaced already, for the same `meaning`."""
        try:
            return self._replaced(formula, meaning, known)
        except RecursionError:
            raise TooLargeError from None

    def _replaced(
        self, formula: int, meaning: Callable[[ValueTest], int], known: dict[int, int]
    ) -> int:
        if formula <= TRUE:
            return formula
        replaced = known.get(formula)
        if replaced is None:
            test = meaning(self.top(formula))
            yes = self._replaced(self._yes[formula], meaning, known)
            no = self._replaced(self._no[formula], meaning, known)
            replaced = known[formula] = self.choice(test, yes, no)
        return replaced

    def for_all(self, formula: int, kept: frozenset[int]) -> int:
        """Where a formula holds whatever values the variables have that are not `kept`."""
        try:
            return self._for_all(formula, kept, {})
        except RecursionError:
            raise TooLargeError from None

    def _for_all(self, formula: int, kept: frozenset[int], known: dict[int, int]) -> int:
        if formula <= TRUE:
            return formula
        result = known.get(formula)
        if result is None:
            yes = self._for_all(self._yes[formula], kept, known)
            no = self._for_all(self._no[formula], kept, known)
            if self._rank[formula] // _VALUES in kept:
                result = self._node(self._rank[formula], yes, no)
            else:
                result = self.both(yes, no)
            known[formula] = result
        return result

    def variables(self, formula: int) -> frozenset[int]:
        """The variables that a formula depends on."""
        return frozenset(test.variable for test in self.tests(formula))

    def cube(self, literals: Iterable[Literal]) -> int:
        """The formula that all of these literals hold."""
        result = TRUE
        # The last one first, so that each step adds to the top of what is there.
        for (variable, value), positive in sorted(literals, reverse=True):
            test = self.test(variable, value)
            result = self.both(result, test if positive else self.negation(test))
        return result

    def primes(self, least: int, most: int, limit: int = 512) -> tuple[list[Cube], bool]:
        """The prime implicants of `most` that meet `least`, shortest first; and whether these
        are all.

        Each is a set of literals that `most` follows from, none of which can go or be widened.
        What lies in `most` only is of no matter: it may be covered or not.
        """
        primes = self._primes.setdefault(limit, _Primes(self, limit))
        try:
            cubes = primes.of(most)
        except RecursionError:
            raise TooLargeError from None
        if least != most:
            cubes = [cube for cube in cubes if self.both(self.cube(cube), least) != FALSE]
        kept = sorted(cubes, key=lambda cube: (len(cube), sorted(cube)))
        return kept, most not in primes.cut_short

    def cofactors(self, formula: int, variable: int) -> tuple[dict[int, int], int]:
        """What is left of a formula, whose first test is of that variable or a later one, for
        each value that it tests, and for all other values."""
        by_value: dict[int, int] = {}
        while self._rank[formula] // _VALUES == variable:
            by_value[self._rank[formula] % _VALUES] = self._yes[formula]
            formula = self._no[formula]
        return by_value, formula

    def last_value(self, variable: int) -> int | None:
        """The number of a variable's last value, if it can have none but the named ones."""
        return self._last[variable]


class _Primes:
    """Finds prime implicants, first those of what is left behind a formula's first variable."""

    def __init__(self, diagrams: Diagrams, limit: int) -> None:
        self._diagrams = diagrams
        self._limit = limit
        self.cut_short: set[int] = set()
        """The formulas that have more of them than were kept."""
        self._known: dict[int, list[Cube]] = {FALSE: [], TRUE: [frozenset()]}

    def of(self, formula: int) -> list[Cube]:
        known = self._known.get(formula)
        if known is None:
            known = self._known[formula] = self._derive(formula)
        return known

    def _derive(self, formula: int) -> list[Cube]:
        diagrams = self._diagrams
        variable = diagrams.top(formula).variable
        values, rest = diagrams.cofactors(formula, variable)
        last = diagrams.last_value(variable)
        others: int | None = rest
        if last is not None and len(values) == last:
            # All values are told apart: what is left is the last one's.
            values, others = {**values, last: rest}, None
        derived: dict[Cube, None] = {}
        exclusions, is_whole = self._exclusions(values, others)
        for excluded, left in exclusions:
            literals = frozenset(Literal(ValueTest(variable, value), False) for value in excluded)
            for cube in self.of(left):
                derived.setdefault(cube | literals)
        for value, left in values.items():
            literal = frozenset((Literal(ValueTest(variable, value), True),))
            for cube in self.of(left):
                derived.setdefault(cube | literal)
        parts = {*values.values(), *(left for _, left in exclusions)}
        kept, has_all = self._widest(derived)
        if not (is_whole and has_all and self.cut_short.isdisjoint(parts)):
            self.cut_short.add(formula)
        return kept

    def _exclusions(
        self, values: dict[int, int], others: int | None
    ) -> tuple[list[tuple[tuple[int, ...], int]], bool]:
        """Which values may be excluded, and what has to hold for all that are left; and whether
        these are all."""
        diagrams = self._diagrams
        groups: dict[int, list[int]] = {}
        for value, left in values.items():
            groups.setdefault(left, []).append(value)
        left_of: dict[tuple[int, ...], int] = {(): TRUE if others is None else others}
        is_whole = True
        for left, members in groups.items():
            if others is not None and diagrams.implies(others, left):
                continue
            longer: dict[tuple[int, ...], int] = {}
            for excluded, so_far in left_of.items():
                longer[excluded] = diagrams.both(so_far, left)
                longer[(*excluded, *members)] = so_far
            is_whole &= len(longer) <= 4 * self._limit
            left_of = dict(list(longer.items())[: 4 * self._limit])
        exclusions = [
            (tuple(sorted(excluded)), left)
            for excluded, left in left_of.items()
            if left != FALSE and (others is not None or len(excluded) < len(values) - 1)
        ]
        return exclusions, is_whole

    def _widest(self, cubes: Iterable[Cube]) -> tuple[list[Cube], bool]:
        """The cubes that no other one covers, and whether these are all; a wider one has no
        more literals."""
        kept: list[Cube] = []
        account = budget.current()
        for cube in sorted(cubes, key=_narrowness):
            account.check()
            if not any(_covers(other, cube) for other in kept):
                if len(kept) == self._limit:
                    return kept, False
                kept.append(cube)
        return kept, True


def _narrowness(cube: Cube) -> tuple[int, int]:
    variables = {literal.test.variable for literal in cube}
    return len(variables), sum(literal.positive for literal in cube)


def _covers(wide: Cube, narrow: Cube) -> bool:
    """Whether all literals of `wide` follow from those of `narrow`."""
    return all(
        literal in narrow
        or (
            not literal.positive
            and any(
                other.positive
                and other.test.variable == literal.test.variable
                and other.test.value != literal.test.value
                for other in narrow
            )
        )
        for literal in wide
    )
