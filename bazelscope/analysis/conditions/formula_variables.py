"""The variables that formulas of conditions are made of, each a flag, a setting or a platform."""

from __future__ import annotations

from collections.abc import Callable

from bazelscope.analysis.conditions.atoms import FlagRequirement, in_force, why_not_known
from bazelscope.analysis.conditions.diagrams import FALSE, TRUE, Diagrams, ValueTest
from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.base.unknown import Unknown

Counts = Callable[[FlagRequirement, Conditions], bool]
"""Whether a flag is taken as it is under a configuration."""


def _is_known(need: FlagRequirement, conditions: Conditions) -> bool:
    return why_not_known(need, conditions) is None


class Atoms:
    """The variables of formulas: what each test asks for."""

    def __init__(self) -> None:
        self.diagrams = Diagrams()
        self._variables: dict[tuple[object, ...], int] = {}
        self._values: list[dict[str, int]] = []
        self._asked: dict[ValueTest, FlagRequirement | Unknown] = {}
        self._abouts: dict[int, str] = {}
        """Of the variables that nobody can tell, what they are about."""

    def of_requirement(self, need: FlagRequirement) -> int:
        """The formula that a flag or a platform is as `need` says."""
        # A flag that accumulates may hold any of its values, so each is a variable.
        key = (*need.key, need.wanted if need.accumulates else None)
        variable = self._variables.get(key)
        if variable is None:
            closed = len(need.domain) if need.domain and not need.accumulates else None
            variable = self._variables[key] = self.diagrams.variable(closed)
            self._values.append({})
            for value in need.domain if closed else ():
                self._number(variable, value, need)
        if need.domain and not need.accumulates and need.wanted not in need.domain:
            return FALSE
        return self.diagrams.test(variable, self._number(variable, need.wanted, need))

    def _number(self, variable: int, value: str, need: FlagRequirement) -> int:
        values = self._values[variable]
        number = values.setdefault(value, len(values))
        asked = need if value == need.wanted else need.with_value(value)
        self._asked.setdefault(ValueTest(variable, number), asked)
        return number

    def of_unknown(self, name: str, unknown: Unknown, about: str = "") -> int:
        """The formula that what `name` says holds, which nobody can tell. What is `about` the
        same has one value at a time."""
        key = ("unknown", about or name)
        variable = self._variables.get(key)
        if variable is None:
            variable = self._variables[key] = self.diagrams.variable()
            self._abouts[variable] = about or name
            self._values.append({})
        values = self._values[variable]
        test = ValueTest(variable, values.setdefault(name, len(values)))
        self._asked.setdefault(test, unknown)
        return self.diagrams.test(*test)

    def by_variable(self) -> tuple[tuple[FlagRequirement | Unknown, ...], ...]:
        """What the tests of each variable ask for, by the numbers of variables and values."""
        return tuple(
            tuple(self._asked[ValueTest(variable, number)] for number in range(len(values)))
            for variable, values in enumerate(self._values)
        )

    def flags(self) -> set[str]:
        """What tests ask about: options, build settings, constraint settings."""
        asked = self._asked.values()
        return {one.what for one in asked if isinstance(one, FlagRequirement)}

    def names(self, variable: int) -> tuple[str, ...]:
        """What a variable is about that nobody can tell, and the names that it was asked for;
        nothing for a flag."""
        about = self._abouts.get(variable)
        return () if about is None else (about, *self._values[variable])

    def asked(self, test: ValueTest) -> FlagRequirement | Unknown:
        """What a test asks for."""
        return self._asked[test]

    def values(self, need: FlagRequirement) -> tuple[FlagRequirement, ...]:
        """Every value of a flag that has one at a time which anything asks for."""
        variable = self._variables.get((*need.key, None))
        count = len(self._values[variable]) if variable is not None else 0
        needs = (self._asked[ValueTest(variable or 0, number)] for number in range(count))
        return tuple(one for one in needs if isinstance(one, FlagRequirement))

    def in_force(
        self,
        formula: int,
        conditions: Conditions,
        counts: Counts = _is_known,
        known: dict[int, int] | None = None,
    ) -> int:
        """What a formula amounts to where all that `counts` is as under a configuration: `TRUE`,
        `FALSE`, or what is left of it, which hangs on all else and on the unknown. `known` keeps
        what was found already."""

        def decided(test: ValueTest) -> int:
            asked = self._asked[test]
            if isinstance(asked, Unknown) or not counts(asked, conditions):
                return self.diagrams.test(*test)
            return TRUE if in_force(asked, conditions).holds else FALSE

        return self.diagrams.replaced(formula, decided, {} if known is None else known)
