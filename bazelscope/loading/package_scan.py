"""Looks through whole packages for a few things, without decoding every target.

A question about all packages of TensorFlow touches a hundred thousand attribute values, of
which it wants to know whether a select() is in them.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from bazelscope.label import Label
from bazelscope.loading.package_data import LazyTargets
from bazelscope.loading.targets import Package, Rule
from bazelscope.loading.values import Selector, SelectorList


def rules_of(package: Package, classes: Container[str]) -> Iterator[Rule]:
    """The rules of certain classes, in the order in which they were declared."""
    targets = package.targets
    names = targets.names_of(classes) if isinstance(targets, LazyTargets) else iter(targets)
    for name in names:
        target = targets[name]
        if isinstance(target, Rule) and target.rule_class.name in classes:
            yield target


def select_keys(package: Package) -> Iterator[tuple[str, tuple[Label, ...]]]:
    """For each select() of each rule, the rule's name and the conditions among the keys."""
    targets = package.targets
    if isinstance(targets, LazyTargets):
        yield from targets.select_keys()
        return
    for name, target in targets.items():
        if isinstance(target, Rule):
            for attribute in target.attributes.values():
                for selector in _selectors(attribute.value):
                    branches = selector.branches
                    yield name, tuple(b.condition for b in branches if not b.is_default)


def _selectors(value: object) -> Iterator[Selector]:
    if isinstance(value, SelectorList):
        yield from value.selectors()
    elif isinstance(value, Selector):
        yield value
