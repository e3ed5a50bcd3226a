"""The package `//external`: the repositories, and the targets that `bind` makes."""

from __future__ import annotations

from collections.abc import Mapping

from bazelscope.base.label import Label, PackageId
from bazelscope.base.source import Frame, Location
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import AttributeDefinition, AttributeType, RuleClass
from bazelscope.bazel.encoded_values import Encoded, encode_value
from bazelscope.bazel.rule_classes import NativeRules
from bazelscope.loading.evaluation.workspace.repository_definitions import NOWHERE, Binding
from bazelscope.loading.packages.encoded_targets import TargetData, encoded_input, encoded_rule
from bazelscope.loading.packages.package import Package, package_of
from bazelscope.loading.packages.package_data import PackageData
from bazelscope.loading.packages.stacks import StackTable
from bazelscope.loading.packages.targets import Provenance, RepositoryDefinition

EXTERNAL = PackageId("", "external")


def external_package(
    bindings: Mapping[str, Label],
    bound: Mapping[str, Binding],
    definitions: Mapping[str, RepositoryDefinition],
    rules: NativeRules,
    may_define: Unknown | None = None,
) -> Package:
    """The package of the repositories in `definitions`, and of all bound names. A name bound
    to nothing known has no `actual`; `may_define` may bind more. Bazel: `WorkspaceFactory`."""
    stacks = StackTable()
    file = Label("", "external", "WORKSPACE")
    classes = [rules.get("bind")]
    numbered: list[tuple[int, ...]] = [stacks.encode_frames((Frame("", NOWHERE),))]
    places: dict[str, Location] = {}
    targets: dict[str, TargetData] = {file.name: encoded_input(0, False)}
    for name in sorted(definitions):
        definition = definitions[name]
        rule_class, values = _written(definition)
        targets[name] = encoded_rule(len(classes), values, (), len(numbered), ())
        classes.append(rule_class)
        numbered.append(stacks.encode_frames(definition.call_stack))
        places[name] = definition.location
    for name in sorted(bound):
        binding = bound[name]
        actual = bindings.get(name)
        values = () if actual is None else (("actual", str(actual)),)
        targets[name] = encoded_rule(0, values, (), len(numbered), _OF_BINDS)
        numbered.append(stacks.encode_frames(binding.call_stack))
        places[name] = binding.location
    return package_of(
        PackageData(
            id=EXTERNAL,
            build_file=file,
            path=file.name,
            targets=targets,
            classes=tuple(classes),
            stacks=tuple(numbered),
            frames=tuple(stacks.frames),
            generators={},
            defaults={},
            loads=(),
            diagnostics=(),
            unknowns=(),
            provenance=Provenance.WORKSPACE,
            places=places,
            may_declare=may_define,
        )
    )


_OF_BINDS: tuple[tuple[str, Encoded], ...] = (("deprecation", None), ("distribs", ("internal",)))
"""What no BUILD file's `package()` gives a bound name. Measured: 0.24.1, 2.1.0 and 4.2.3."""


def _written(definition: RepositoryDefinition) -> tuple[RuleClass, tuple[tuple[str, Encoded], ...]]:
    """The class of the target that a repository rule's call is, and what the call says."""
    attributes = {"name": AttributeDefinition("name", AttributeType.STRING)}
    values: list[tuple[str, Encoded]] = []
    for name, value in definition.attributes.items():
        kind = _type_of(value)
        if name != "name" and kind is not None:
            attributes[name] = AttributeDefinition(name, kind)
            values.append((name, encode_value(value)))
    return RuleClass(definition.rule_class, attributes), tuple(values)


def _type_of(value: object) -> AttributeType | None:
    """The type of a plain value; None for one that is no plain value."""
    if isinstance(value, Label):
        return AttributeType.LABEL
    if isinstance(value, tuple):
        labels = bool(value) and all(isinstance(element, Label) for element in value)
        return AttributeType.LABEL_LIST if labels else AttributeType.STRING_LIST
    if isinstance(value, bool):
        return AttributeType.BOOLEAN
    if isinstance(value, int):
        return AttributeType.INTEGER
    return AttributeType.STRING if isinstance(value, str) else None
