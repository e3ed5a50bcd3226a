"""What targets say of the environments that they are for, and which of these they keep.

Every environment belongs to a group. Of a group that a target does not name it is for the group's
defaults. Bazel: `EnvironmentLabels`, `EnvironmentCollection`, `RuleContextConstraintSemantics`.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from bazelscope.base.graph_walk import distances
from bazelscope.base.label import Label
from bazelscope.base.source import Location
from bazelscope.loading.packages.package_data import RESTRICTED

ENVIRONMENT = "environment"
"""The class of the rules that environments are."""


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """A group of environments. `fulfillers` are, by environment, all that may stand in for it."""

    label: Label
    environments: tuple[Label, ...]
    defaults: tuple[Label, ...]
    fulfillers: Mapping[Label, frozenset[Label]]


Environments = dict[Group, dict[Label, None]]
"""Environments by their groups, both in the order in which they were met."""


@dataclass(frozen=True, slots=True)
class Culprit:
    """A target with a select() that chose `dependency`, which lacks an environment."""

    target: Label
    location: Location | None
    dependency: Label


@dataclass(slots=True)
class Supported:
    """The environments that a target says it is for, those that its dependencies leave of them,
    and what took the others away."""

    static: Environments = field(default_factory=dict)
    refined: Environments = field(default_factory=dict)
    culprits: dict[Label, Culprit] = field(default_factory=dict)


NOTHING_SAID = Supported()
"""Of a target that is for the defaults of all groups."""


def fulfillers_of(
    environments: Iterable[Label], fulfilled: Mapping[Label, Iterable[Label]]
) -> dict[Label, frozenset[Label]]:
    """Returns, by environment, all that may stand in for it; `fulfilled` are those that each says
    itself that it fulfills."""
    direct: dict[Label, list[Label]] = {}
    for one, others in fulfilled.items():
        for other in others:
            direct.setdefault(other, []).append(one)

    def following(one: Label) -> Iterable[Label]:
        return direct.get(one, ())

    return {one: frozenset(distances(following(one), following)) for one in environments}


def added(environments: Environments, group: Group, labels: Iterable[Label]) -> None:
    """Adds environments of one group."""
    environments.setdefault(group, {}).update(dict.fromkeys(labels))


def clashes(restricted: Environments, compatible: Environments) -> Iterator[str]:
    """Yields what is wrong with `compatible_with` beside `restricted_to`: they may not name
    environments of the same group."""
    for group, labels in compatible.items():
        if group in restricted:
            here, there = next(iter(labels)), next(iter(restricted[group]))
            if here == there:
                yield f"{here} cannot appear both here and in {RESTRICTED}"
            else:
                yield (
                    f"{here} and {there} belong to the same environment group. They should be"
                    f" declared together either here or in {RESTRICTED}"
                )


def unsupported(actual: Environments, expected: Environments) -> list[Label]:
    """Returns the environments that `expected` wants and `actual` does not have, nor one that
    fulfills them; each has the defaults of groups that it does not name."""
    missing: dict[Label, None] = {}
    for group, labels in expected.items():
        had = actual.get(group)
        for label in labels:
            if not _has(group.defaults if had is None else had, group, label):
                missing[label] = None
    for group, labels in actual.items():
        if group not in expected:
            for label in group.defaults:
                if not _has(labels, group, label):
                    missing[label] = None
    return list(missing)


def _has(environments: Container[Label], group: Group, wanted: Label) -> bool:
    return wanted in environments or any(
        one in environments for one in group.fulfillers.get(wanted, ())
    )


class Refinement:
    """The environments of one target, narrowed by one dependency after the other."""

    def __init__(self, target: Label, location: Location | None, static: Environments) -> None:
        self._target, self._location, self._static = target, location, static
        self._left: dict[Label, Group] = {}
        self._groups: dict[Label, Group] = {}
        for group, labels in static.items():
            for label in labels:
                self._left[label] = self._groups[label] = group
        self._narrowed: dict[Group, None] = {}
        self._culprits: dict[Label, Culprit] = {}

    def narrow(self, dependency: Label, its: Supported) -> None:
        """Takes away what a dependency does not have."""
        pruned: set[Label] = set()
        for label in unsupported(its.refined, self._static):
            if label not in self._groups:
                # One of the defaults, which all count from now on.
                group = next(one for one in its.refined if label in one.defaults)
                for default in group.defaults:
                    self._left[default] = self._groups[default] = group
            self._left.pop(label, None)
            self._narrowed[self._groups[label]] = None
            own = Culprit(self._target, self._location, dependency)
            self._culprits[label] = its.culprits.get(label, own)
            pruned.add(label)
        for group, labels in its.refined.items():
            for label in labels:
                # What is pruned is no good, but a part of what it stands for may be.
                if pruned & group.fulfillers.get(label, frozenset()):
                    self._left[label] = group

    def supported(self) -> Supported:
        """What is left."""
        refined: Environments = {}
        for label, group in self._left.items():
            added(refined, group, (label,))
        return Supported(self._static, refined, self._culprits)

    def emptied(self) -> list[Group]:
        """The groups of which nothing is left."""
        kept = set(self._left.values())
        return [group for group in self._narrowed if group not in kept]
