"""Why no flags make a chain of dependencies: the few of its edges that exclude each other."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator
from dataclasses import field

from bazelscope.analysis.conditions.atoms import FlagRequirement, sorted_needs
from bazelscope.analysis.conditions.diagrams import FALSE, TRUE
from bazelscope.analysis.conditions.edges import Edge
from bazelscope.analysis.paths.reach import Reaches, Step
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass

_MOST_WAYS = 4
"""Ways to take one edge that are looked at."""


class ClashKind(enum.Enum):
    """Why no flags can make a path."""

    TWO_VALUES = "two-values"
    """One flag, or one constraint setting, would need two values."""
    RULED_OUT = "ruled-out"
    """What one branch needs makes a select() on the path take another branch."""
    NEVER_TAKEN = "never-taken"
    """A branch on the path is not taken under any flags."""
    FIXED = "fixed-for-exec"
    """Bazel fixes an option of the execution platform to another value."""


@dataclass(frozen=True, slots=True)
class Clash:
    """Requirements that exclude each other. `condition`: the branch that is never taken.
    `edges` are the edges that ask for them, or rule them out."""

    kind: ClashKind
    needs: tuple[FlagRequirement, ...] = ()
    condition: Label | None = None
    edges: tuple[Edge, ...] = field(default=(), compare=False)


def why_none(reaches: Reaches, steps: Iterable[Step]) -> Clash | None:
    """Returns what first keeps any flags from taking all these steps; None if some take them."""
    core = _core(reaches, steps)
    if not core:
        return None
    edges = tuple(step.edge for step in core)
    if len(core) == 1:
        step = core[0]
        assert step.edge.branch is not None
        plain = reaches.of_branch(step.edge.branch)
        condition = step.edge.branch.branch.condition
        if plain in (FALSE, TRUE):
            return Clash(ClashKind.NEVER_TAKEN, (), condition, edges)
        needs = sorted_needs({need for need, _ in _asked(reaches, plain)})
        return Clash(ClashKind.FIXED, needs, None, edges)
    wanted: dict[FlagRequirement, int] = {}
    unwanted: dict[FlagRequirement, int] = {}
    for number, step in enumerate(core):
        for need, is_so in _asked(reaches, step.formula):
            (wanted if is_so else unwanted).setdefault(need, number)
    for need in sorted_needs(wanted):
        for other in sorted_needs(wanted):
            is_value = need.key == other.key and need != other and not need.accumulates
            if is_value and wanted[need] != wanted[other]:
                return Clash(ClashKind.TWO_VALUES, (need, other), None, edges)
    needs = sorted_needs(need for need in wanted if need in unwanted)
    return Clash(ClashKind.RULED_OUT, needs or sorted_needs(wanted or unwanted), None, edges)


def _asked(reaches: Reaches, formula: int) -> Iterator[tuple[FlagRequirement, bool]]:
    """The flags that a formula's ways ask for, and those that they forbid."""
    ways, _ = reaches.formulas.diagrams.primes(formula, formula, _MOST_WAYS)
    for way in ways:
        for literal in sorted(way):
            asked = reaches.formulas.atoms.asked(literal.test)
            if isinstance(asked, FlagRequirement):
                yield asked, literal.positive


def _core(reaches: Reaches, steps: Iterable[Step]) -> list[Step]:
    """The steps of the shortest prefix that no flags take, without those that can go."""
    diagrams = reaches.formulas.diagrams
    held: list[Step] = []
    whole = TRUE
    for step in steps:
        if step.formula != TRUE:
            held.append(step)
            whole = diagrams.both(whole, step.formula)
        if whole == FALSE:
            break
    else:
        return []
    for member in tuple(held):
        rest = [one for one in held if one is not member]
        if diagrams.all(step.formula for step in rest) == FALSE:
            held = rest
    return held
