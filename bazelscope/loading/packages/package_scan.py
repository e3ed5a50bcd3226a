"""Looks through whole packages for a few things, without decoding every target.

A question about all packages of TensorFlow touches a hundred thousand attribute values, of
which it wants to know whether a select() is in them.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from bazelscope.base.label import Label
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Rule


def rules_of(package: Package, classes: Container[str]) -> Iterator[Rule]:
    """The rules of certain classes, in the order in which they were declared."""
    targets = package.targets
    for name in targets.names_of(classes):
        target = targets[name]
        if isinstance(target, Rule):
            yield target


def select_keys(package: Package) -> Iterator[tuple[str, tuple[Label, ...]]]:
    """For each select() of each rule, the rule's name and the conditions among the keys."""
    yield from package.targets.select_keys()
