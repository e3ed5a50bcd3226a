"""One formula for all packages that flags may load: each graph's own, where its values hold.

A graph is loaded for one value of each variable that repository rules read. Where the graphs
say the same, no variable is named; else as few as tell them apart. What no graph was loaded for
is `elsewhere`, of which nothing is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from bazelscope.analysis.conditions.atoms import FlagRequirement
from bazelscope.analysis.conditions.diagrams import FALSE, TRUE, Diagrams
from bazelscope.base.named_tuple import NamedTuple


class Variant(NamedTuple):
    """What one graph says: the `formula` of what is asked, and where Bazel refuses it whatever
    the flags that it does not look at. `needs` are the values for which it was loaded."""

    needs: Mapping[str, FlagRequirement]
    formula: int
    outside: int


class Joined(NamedTuple):
    """What all graphs say together."""

    formula: int
    outside: int
    elsewhere: int


def joined(
    diagrams: Diagrams, test: Callable[[FlagRequirement], int], variants: Sequence[Variant]
) -> Joined:
    """The formula over all graphs; `test` is the one of a variable's value. What Bazel refuses
    in one of two graphs that are not told apart does not count as refused."""
    names = _deciding(variants)
    formula = outside = loaded = FALSE
    for group in _grouped(variants, names):
        guard = diagrams.all(test(group[0].needs[name]) for name in names)
        refused = diagrams.all(one.outside for one in group)
        formula = diagrams.either(formula, diagrams.both(guard, group[0].formula))
        outside = diagrams.either(outside, diagrams.both(guard, refused))
        loaded = diagrams.either(loaded, guard)
    return Joined(formula, outside, diagrams.choice(loaded, FALSE, TRUE))


def _grouped(variants: Iterable[Variant], names: Sequence[str]) -> Iterable[list[Variant]]:
    """The graphs by the values that some variables have for them."""
    groups: dict[tuple[str, ...], list[Variant]] = {}
    for one in variants:
        groups.setdefault(tuple(one.needs[name].wanted for name in names), []).append(one)
    return groups.values()


def _deciding(variants: Sequence[Variant]) -> list[str]:
    """The fewest variables, or nearly, that tell graphs with different formulas apart."""
    chosen: list[str] = []
    left = sorted(variants[0].needs)
    while left:
        groups = _grouped(variants, chosen)
        mixed = [group for group in groups if len({one.formula for one in group}) > 1]
        if not mixed:
            break
        best = max(left, key=lambda name: _worth(name, mixed))
        chosen.append(best)
        left.remove(best)
    return chosen


def _worth(name: str, mixed: Iterable[Sequence[Variant]]) -> tuple[int, int]:
    """How well a variable tells graphs apart; of two that do so equally, the shorter is better."""
    told_apart = sum(_told_apart(group, name) for group in mixed)
    longest = max(len(one.needs[name].text) for group in mixed for one in group)
    return told_apart, -longest


def _told_apart(group: Sequence[Variant], name: str) -> int:
    """How many pairs of graphs with different formulas have different values of a variable."""
    return sum(
        one.formula != other.formula and one.needs[name].wanted != other.needs[name].wanted
        for number, one in enumerate(group)
        for other in group[:number]
    )
