"""Under which flags one target depends on others, told in words: alternatives, exceptions.

An alternative is a prime implicant of the formula: no word of it can go. What Bazel refuses
counts as neither, so that no alternative has to exclude it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

from bazelscope.analysis.conditions.atoms import FlagRequirement
from bazelscope.analysis.conditions.diagrams import Cube, Literal
from bazelscope.analysis.conditions.formula_variables import Counts
from bazelscope.analysis.conditions.formulas import Formulas
from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.paths.loaded_variants import Variant, joined
from bazelscope.analysis.paths.reach import Reaches
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.memoized import memoized
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.unknown import Unknown

_MOST = 64
"""Alternatives that are looked for."""


class Word(NamedTuple):
    """One flag or platform has a value (`is_so`), or has another one; `Unknown` if nobody can
    tell whether it has."""

    asked: FlagRequirement | Unknown
    is_so: bool

    @property
    def text(self) -> str:
        """The word as one would write it."""
        return self.asked.text if isinstance(self.asked, FlagRequirement) else str(self.asked)


Alternative = tuple[Word, ...]
"""Words that hold together, what has to be first."""


@dataclass(frozen=True, slots=True)
class Dependence:
    """Where one thing needs another: `formula`, of those flags that are left free, outside of
    `refused`. `alternatives` are all ways to make it so, shortest first, `exceptions` all ways
    to keep it from being so; each is complete unless `is_complete` is false. `conflicts` are
    the combinations of the same flags that Bazel refuses."""

    formula: int
    refused: int
    alternatives: tuple[Alternative, ...]
    exceptions: tuple[Alternative, ...]
    conflicts: tuple[Alternative, ...]
    is_complete: bool = True

    @property
    def is_always(self) -> bool:
        return not self.exceptions

    @property
    def is_never(self) -> bool:
        return not self.alternatives


@dataclass(eq=False)
class Dependences:
    """Tells under which flags targets depend on each other. Flags of `given` are fixed."""

    reaches: Reaches
    conditions: Conditions
    is_given: Counts = lambda need, conditions: False
    _given: dict[int, int] = field(default_factory=dict)
    """By formula what is left of it under what the command line fixes."""

    @property
    def formulas(self) -> Formulas:
        return self.reaches.formulas

    def of(self, formula: int, refused: int) -> Dependence:
        """The alternatives and exceptions of a formula, where `refused` counts as neither."""
        return self.of_all([(formula, refused, {})])

    def of_all(
        self, graphs: Sequence[tuple[int, int, Mapping[str, FlagRequirement]]]
    ) -> Dependence:
        """The alternatives and exceptions over several graphs: of each the formula, where Bazel
        refuses it, and the values for which it was loaded."""
        diagrams = self.formulas.diagrams
        formulas = [self._with_given(formula) for formula, _, _ in graphs]
        looked_at = frozenset[int]().union(*map(diagrams.variables, formulas))
        variants = [
            Variant(needs, formula, self._refused_outside(refused, looked_at))
            for formula, (_, refused, needs) in zip(formulas, graphs, strict=True)
        ]
        return self._told(*joined(diagrams, self.formulas.atoms.of_requirement, variants))

    def _refused_outside(self, refused: int, looked_at: frozenset[int]) -> int:
        """Where Bazel refuses whatever the flags are that are not `looked_at`."""
        refused = self._with_given(refused)
        return self._for_all(refused, looked_at & self.formulas.diagrams.variables(refused))

    @memoized
    def _for_all(self, formula: int, variables: frozenset[int]) -> int:
        return self.formulas.diagrams.for_all(formula, variables)

    @memoized
    def _conflicts(self, outside: int) -> tuple[Alternative, ...]:
        """The combinations of flags that Bazel refuses."""
        return self.in_words(self.formulas.diagrams.primes(outside, outside, _MOST)[0])

    def _told(self, formula: int, outside: int, elsewhere: int) -> Dependence:
        """The words of a formula. What lies `elsewhere` is of no matter."""
        diagrams = self.formulas.diagrams
        free = diagrams.either(outside, elsewhere)
        holds = diagrams.without(formula, free)
        fails = diagrams.without(diagrams.negation(formula), free)
        ways, all_ways = diagrams.primes(holds, diagrams.either(holds, free), _MOST)
        others, all_others = diagrams.primes(fails, diagrams.either(fails, free), _MOST)
        return Dependence(
            formula,
            outside,
            self.in_words(ways),
            self.in_words(others),
            self._conflicts(outside),
            all_ways and all_others,
        )

    def _with_given(self, formula: int) -> int:
        """The formula with what the command line fixes."""
        atoms = self.formulas.atoms
        return atoms.in_force(formula, self.conditions, self.is_given, self._given)

    def in_words(self, cubes: Iterable[Cube]) -> tuple[Alternative, ...]:
        """Cubes as alternatives, the shortest first."""
        alternatives = (tuple(sorted(map(self._word, cube), key=_order)) for cube in cubes)
        return tuple(sorted(alternatives, key=lambda one: (len(one), list(map(_order, one)))))

    def _word(self, literal: Literal) -> Word:
        return Word(self.formulas.atoms.asked(literal.test), literal.positive)


def _order(word: Word) -> tuple[bool, str]:
    return not word.is_so, word.text
