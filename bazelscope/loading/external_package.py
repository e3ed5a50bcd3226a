"""The package `//external`: the targets that `bind` makes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from bazelscope.label import Label, PackageId
from bazelscope.loading.rule_classes import NativeRules
from bazelscope.loading.targets import Package, Provenance, Rule
from bazelscope.loading.values import Attribute, AttributeType
from bazelscope.source import CallStack, Location

EXTERNAL = PackageId("", "external")


class BoundTarget(Protocol):
    """One `bind` in force."""

    @property
    def location(self) -> Location: ...
    @property
    def call_stack(self) -> CallStack: ...


def external_package(
    bindings: Mapping[str, Label], bound: Mapping[str, BoundTarget], rules: NativeRules
) -> Package:
    """The package of all bound names. A name bound to nothing known has no `actual`."""
    rule_class = rules.get("bind")
    targets = {}
    for name in sorted(bound):
        binding = bound[name]
        label = Label("", "external", name)
        attributes: dict[str, Attribute] = {}
        actual = bindings.get(name)
        if actual is not None:
            attributes["actual"] = Attribute("actual", AttributeType.LABEL, actual, True)
        targets[name] = Rule(
            label, rule_class, attributes, (), binding.location, binding.call_stack
        )
    return Package(
        EXTERNAL,
        Label("", "external", "WORKSPACE"),
        "WORKSPACE",
        targets,
        provenance=Provenance.WORKSPACE,
    )
