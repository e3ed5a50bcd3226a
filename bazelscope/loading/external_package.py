"""The package `//external`: the repositories, and the targets that `bind` makes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from bazelscope.label import Label, PackageId
from bazelscope.loading.rule_classes import NativeRules
from bazelscope.loading.targets import (
    InputFile,
    Package,
    Provenance,
    RepositoryDefinition,
    Rule,
    Target,
)
from bazelscope.loading.values import Attribute, AttributeType, RuleClass
from bazelscope.source import CallStack, Location

EXTERNAL = PackageId("", "external")


class BoundTarget(Protocol):
    """One `bind` in force."""

    @property
    def location(self) -> Location: ...
    @property
    def call_stack(self) -> CallStack: ...


def external_package(
    bindings: Mapping[str, Label],
    bound: Mapping[str, BoundTarget],
    definitions: Mapping[str, RepositoryDefinition],
    rules: NativeRules,
) -> Package:
    """The package of all repositories that are defined, and of all bound names. A name bound
    to nothing known has no `actual`."""
    rule_class = rules.get("bind")
    file = Label("", "external", "WORKSPACE")
    targets: dict[str, Target] = {file.name: InputFile(file, Location("WORKSPACE", 1, 1))}
    for name in sorted(definitions):
        targets[name] = _repository(definitions[name])
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
        file,
        "WORKSPACE",
        targets,
        provenance=Provenance.WORKSPACE,
    )


def _repository(definition: RepositoryDefinition) -> Rule:
    """The target that a repository rule's call is."""
    attributes = {
        name: Attribute(name, kind, value, is_explicit=True)
        for name, value in definition.attributes.items()
        if name != "name" and (kind := _type_of(value)) is not None
    }
    return Rule(
        Label("", "external", definition.name),
        RuleClass(definition.rule_class, {}),
        attributes,
        (),
        definition.location,
        definition.call_stack,
    )


def _type_of(value: object) -> AttributeType | None:
    """The type of a plain value; None for one that is no plain value."""
    if isinstance(value, Label):
        return AttributeType.LABEL
    if isinstance(value, tuple):
        labels = bool(value) and all(isinstance(item, Label) for item in value)
        return AttributeType.LABEL_LIST if labels else AttributeType.STRING_LIST
    if isinstance(value, bool):
        return AttributeType.BOOLEAN
    if isinstance(value, int):
        return AttributeType.INTEGER
    return AttributeType.STRING if isinstance(value, str) else None
