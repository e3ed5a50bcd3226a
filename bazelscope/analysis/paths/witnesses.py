"""Values of flags under which a formula holds: those nearest to what is in force.

Of all ways through a decision diagram the one with the fewest changes is cheapest; what the
formula does not ask for stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice

from bazelscope.analysis.conditions.atoms import FlagRequirement, in_force
from bazelscope.analysis.conditions.diagrams import FALSE, TRUE, TooLargeError, ValueTest
from bazelscope.analysis.conditions.formula_variables import Atoms
from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.configuration.build_settings import DEFAULT_ATTRIBUTE
from bazelscope.analysis.configuration.flag_types import ValueTypeError, parse_value
from bazelscope.analysis.paths.dependence import Word
from bazelscope.base.label import MAIN_ROOT, parse_label
from bazelscope.base.memoized import memoized
from bazelscope.base.unknown import Unknown
from bazelscope.loading.packages.targets import Rule

Assignment = Mapping[ValueTest, bool]
"""What some tests answer; the tests of other variables are answered as things are."""

_UNKNOWN, _CHANGE, _IMPOSSIBLE = 1, 1_000, 100_000
"""What it costs to take for granted what nobody can tell, to change a flag, and to want of
the machine what no flag sets."""
_NEVER = 1 << 60
_DEFINE = "--define="


class Witnesses:
    """Finds assignments near to what is in force under one configuration."""

    def __init__(self, atoms: Atoms, conditions: Conditions) -> None:
        self._costs: dict[int, int] = {FALSE: _NEVER, TRUE: 0}
        self._atoms = atoms
        self._conditions = conditions

    def changes(self, formula: int) -> int:
        """How many flags have to be changed at the least, so that a formula holds."""
        return self._cost(formula) // _CHANGE

    def nearest(self, formula: int, most: int = 16) -> list[Assignment]:
        """The assignments with the fewest changes, at most so many; none for `FALSE`. Raises
        `TooLargeError` for a formula of too many variables."""
        try:
            return [] if formula == FALSE else list(islice(self._nearest(formula), most))
        except RecursionError:
            raise TooLargeError from None

    def changes_of_one(self, formula: int) -> Iterator[tuple[FlagRequirement, Assignment]]:
        """Every other value that one flag of a formula could have, and what that flag is now."""
        for variable in sorted(self._atoms.diagrams.variables(formula)):
            for value, asked in enumerate(self._atoms.by_variable()[variable]):
                test = ValueTest(variable, value)
                if isinstance(asked, Unknown) or self._price(test) != _CHANGE:
                    continue
                is_so = self.holds_now(test)
                if not is_so or self._atoms.diagrams.last_value(variable) is None:
                    yield asked, {test: not is_so}

    def decider(self, assignment: Assignment) -> Callable[[ValueTest], bool]:
        """Answers tests under an assignment."""
        chosen = {test.variable for test, is_so in assignment.items() if is_so}

        def decide(test: ValueTest) -> bool:
            is_so = assignment.get(test)
            if is_so is None:
                is_so = test.variable not in chosen and self.holds_now(test)
            return is_so

        return decide

    def taken(self, assignment: Assignment) -> Callable[[int], bool]:
        """Tells whether a formula holds under an assignment."""
        decide = self.decider(assignment)
        return lambda formula: self._atoms.diagrams.holds(formula, decide)

    @memoized
    def holds_now(self, test: ValueTest) -> bool:
        """Whether a test holds as things are; what nobody can tell does not."""
        asked = self._atoms.asked(test)
        return isinstance(asked, FlagRequirement) and in_force(asked, self._conditions).holds

    def _nearest(self, formula: int) -> Iterator[Assignment]:
        if formula == TRUE:
            yield {}
            return
        cost = self._cost(formula)
        for price, left, decided in self._choices(formula):
            if left != FALSE and price + self._cost(left) == cost:
                for rest in self._nearest(left):
                    yield {**decided, **rest}

    def _cost(self, formula: int) -> int:
        known = self._costs.get(formula)
        if known is None:
            choices = self._choices(formula)
            known = min(price + self._cost(left) for price, left, _ in choices)
            self._costs[formula] = known
        return known

    def _choices(self, formula: int) -> list[tuple[int, int, Assignment]]:
        """The values of a formula's first variable: the price, what is left, what is decided."""
        diagrams = self._atoms.diagrams
        variable = diagrams.top(formula).variable
        values, rest = diagrams.cofactors(formula, variable)
        tests = [ValueTest(variable, value) for value in values]
        nothing = dict.fromkeys(tests, False)
        is_other = not any(map(self.holds_now, tests))
        change = self._price(tests[0])
        choices: list[tuple[int, int, Assignment]] = [
            (0 if self.holds_now(test) else change, values[test.value], {**nothing, test: True})
            for test in tests
        ]
        is_free = is_other and change != _UNKNOWN
        return [(0 if is_free else change, rest, nothing), *choices]

    def _price(self, test: ValueTest) -> int:
        asked = self._atoms.asked(test)
        if isinstance(asked, Unknown):
            return _UNKNOWN
        may_change = asked.is_settable or asked.is_constraint or asked.is_provided
        return _CHANGE if may_change else _IMPOSSIBLE


def decider(
    atoms: Atoms, words: Iterable[Word], conditions: Conditions
) -> Callable[[ValueTest], bool]:
    """Answers tests as some words say, all others as things are."""
    said = {word.asked: word.is_so for word in words}
    chosen = {
        asked.key
        for asked, is_so in said.items()
        if is_so and isinstance(asked, FlagRequirement) and not asked.accumulates
    }

    def decide(test: ValueTest) -> bool:
        asked = atoms.asked(test)
        if asked in said:
            return said[asked]
        if isinstance(asked, Unknown) or asked.key in chosen:
            return False
        return in_force(asked, conditions).holds

    return decide


def other_values(
    member: FlagRequirement, conditions: Conditions, known: Iterable[FlagRequirement] = ()
) -> Iterator[FlagRequirement]:
    """Yields the flag with other values, likely ones first; those of `known` may serve. A value
    that nobody mentions is not made up."""
    values = [*_defaults(member, conditions), *member.domain]
    values += [need.wanted for need in known if need.key == member.key]
    if member.what.startswith(_DEFINE):
        values += ["false" if member.wanted == "true" else "true", ""]
    for value in dict.fromkeys(values):
        if value != member.wanted:
            yield member.with_value(value)


def _defaults(member: FlagRequirement, conditions: Conditions) -> Iterator[str]:
    """The default of a flag, in the spelling of requirements."""
    what = member.what
    configuration = conditions.configuration
    if what.startswith(_DEFINE):
        return
    if what.startswith("--"):
        name = what.removeprefix("--")
        definition = configuration.definition(name)
        default = configuration.default(name).value
        if definition is not None and default is not None:
            try:
                yield parse_value(definition, default).text
            except ValueTypeError:
                return  # A default that Bazel computes.
        return
    rule = conditions.source.target(parse_label(what, MAIN_ROOT))
    value = rule.value(DEFAULT_ATTRIBUTE) if isinstance(rule, Rule) else None
    if isinstance(value, bool):
        yield str(value).lower()
    elif isinstance(value, str | int):
        yield str(value)
