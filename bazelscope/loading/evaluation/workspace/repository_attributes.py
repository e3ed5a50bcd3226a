"""Arguments of a repository rule's call, checked and completed by its attributes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bazelscope import starlark
from bazelscope.base.errors import LabelError
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.base.source import CallStack
from bazelscope.bazel.attribute_types import AttributeDefinition, AttributeType, DictValue
from bazelscope.loading.evaluation.values.label_value import LabelValue
from bazelscope.loading.evaluation.values.repository_rule import COMMON_ATTRIBUTES
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue
from bazelscope.loading.evaluation.workspace.repository_definitions import EXTERNAL_PACKAGE

# More that every repository rule takes, whatever it declares.
_TAKEN = frozenset({"name", "repo_mapping", "licenses", "distribs", "exec_properties"})

_EMPTY: dict[AttributeType, Callable[[], object]] = {
    AttributeType.BOOLEAN: lambda: False,
    AttributeType.INTEGER: lambda: 0,
    AttributeType.INTEGER_LIST: lambda: starlark.List([]),
    AttributeType.LABEL: lambda: None,
    AttributeType.LABEL_KEYED_STRING_DICT: lambda: starlark.Dict({}),
    AttributeType.LABEL_LIST: lambda: starlark.List([]),
    AttributeType.LABEL_LIST_DICT: lambda: starlark.Dict({}),
    AttributeType.STRING: lambda: "",
    AttributeType.STRING_DICT: lambda: starlark.Dict({}),
    AttributeType.STRING_KEYED_LABEL_DICT: lambda: starlark.Dict({}),
    AttributeType.STRING_LIST: lambda: starlark.List([]),
    AttributeType.STRING_LIST_DICT: lambda: starlark.Dict({}),
}

_SCALARS: dict[AttributeType, tuple[str, tuple[type, ...]]] = {
    AttributeType.BOOLEAN: ("boolean", (bool, int)),
    AttributeType.INTEGER: ("int", (int,)),
    AttributeType.STRING: ("string", (str,)),
}


def check_arguments(
    rule_name: str,
    name: str,
    arguments: Mapping[str, object],
    attributes: Mapping[str, AttributeDefinition],
    defined_at: CallStack = (),
) -> None:
    """Raises `StarlarkError`, worded as Bazel does, for what the rule would not take. Of a rule
    that is a model by its `defined_at`, the real one may take more."""
    modelled = any(frame.location.is_shipped for frame in defined_at)
    for argument, value in arguments.items():
        definition = attributes.get(argument)
        if definition is None:
            is_common = argument in COMMON_ATTRIBUTES or argument in _TAKEN
            if is_common or argument.startswith("generator_") or modelled:
                continue
            starlark.fail_with(
                f"//external:{name}: no such attribute '{argument}' in '{rule_name}' rule"
            )
        expected = _SCALARS.get(definition.type)
        if expected is None or value is None or isinstance(value, UnknownValue):
            continue
        kind, types = expected
        if not isinstance(value, types) or (bool not in types and isinstance(value, bool)):
            starlark.fail_with(
                f"//external:{name}: expected value of type '{kind}' for attribute"
                f" '{argument}' in '{rule_name}' rule, but got {starlark.repr_of(value)}"
                f" ({starlark.type_of(value)})"
            )
    for attribute, definition in attributes.items():
        if definition.mandatory and arguments.get(attribute) is None:
            starlark.fail_with(
                f"//external:{name}: missing value for mandatory attribute"
                f" '{attribute}' in '{rule_name}' rule"
            )


def attribute_values(
    name: str,
    arguments: Mapping[str, object],
    attributes: Mapping[str, AttributeDefinition],
    mapping: Mapping[str, str],
    label_value: Callable[[Label], object],
    base: PackageId = EXTERNAL_PACKAGE,
) -> dict[str, object]:
    """`repository_ctx.attr`: every attribute, given or default. Raises `StarlarkError`.

    Labels are relative to `base`.
    """

    def label(value: object) -> object:
        if value is None or isinstance(value, LabelValue | UnknownValue):
            return value
        if isinstance(value, Label):
            return label_value(value)
        try:
            return label_value(parse_label(str(value), base, mapping))
        except LabelError as error:
            starlark.fail_with(f"//external:{name}: {error.diagnostic.message}")

    def labels(value: object) -> object:
        return starlark.List([label(element) for element in starlark.iterate(value)])

    def convert(definition: AttributeDefinition, value: object) -> object:
        if isinstance(value, UnknownValue):
            return value
        kind = definition.type
        if kind is AttributeType.LABEL:
            return label(value)
        if kind is AttributeType.LABEL_LIST:
            return labels(value)
        if kind is AttributeType.LABEL_KEYED_STRING_DICT and isinstance(value, Mapping):
            return starlark.Dict({label(key): element for key, element in value.items()})
        if kind is AttributeType.STRING_KEYED_LABEL_DICT and isinstance(value, Mapping):
            return starlark.Dict({key: label(element) for key, element in value.items()})
        if kind is AttributeType.LABEL_LIST_DICT and isinstance(value, Mapping):
            return starlark.Dict({key: labels(element) for key, element in value.items()})
        if kind is AttributeType.BOOLEAN and isinstance(value, int):
            return bool(value)
        return value

    values: dict[str, object] = {"name": name}
    for attribute, definition in attributes.items():
        given = arguments.get(attribute)
        if given is None:
            given = _starlark_default(definition, label_value)
        values[attribute] = convert(definition, given)
    return values


def _starlark_default(
    definition: AttributeDefinition, label_value: Callable[[Label], object]
) -> object:
    default = definition.default
    if default is None:
        return _EMPTY.get(definition.type, lambda: None)()
    return _starlark_value(default, label_value)


def _starlark_value(value: object, label_value: Callable[[Label], object]) -> object:
    if isinstance(value, Label):
        return label_value(value)
    if isinstance(value, DictValue):
        return starlark.Dict(
            {
                _starlark_value(key, label_value): _starlark_value(element, label_value)
                for key, element in value.items
            }
        )
    if isinstance(value, tuple):
        return starlark.List([_starlark_value(element, label_value) for element in value])
    return value
