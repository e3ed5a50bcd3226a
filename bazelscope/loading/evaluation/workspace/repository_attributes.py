"""Arguments of a repository rule's call, checked and completed by its attributes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NoReturn

from bazelscope import starlark
from bazelscope.base.errors import LabelError
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.base.source import CallStack
from bazelscope.bazel.attribute_types import (
    DICT_TYPES,
    AttributeDefinition,
    AttributeType,
    DictValue,
)
from bazelscope.loading.evaluation.values.label_value import LabelValue
from bazelscope.loading.evaluation.values.repository_rule import COMMON_ATTRIBUTES
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue
from bazelscope.loading.evaluation.workspace.repository_definitions import EXTERNAL_PACKAGE

# More that every repository rule takes, whatever it declares.
_TAKEN = frozenset({"name", "repo_mapping", "licenses", "distribs", "exec_properties"})

_LISTS = (AttributeType.INTEGER_LIST, AttributeType.LABEL_LIST, AttributeType.STRING_LIST)
_EMPTY = {AttributeType.BOOLEAN: False, AttributeType.INTEGER: 0, AttributeType.STRING: ""}

WRONG_ARGUMENT = "repository-argument"
"""The code of an error: a repository rule, or a tag, does not take what it is called with."""


def check_arguments(
    rule_name: str,
    name: str,
    arguments: Mapping[str, object],
    attributes: Mapping[str, AttributeDefinition],
    defined_at: CallStack = (),
    may_repeat: bool = False,
) -> None:
    """Raises `StarlarkError`, worded as Bazel does, for what the rule would not take: a label twice
    in a list, too, unless it `may_repeat`. Of a rule that is a model by its `defined_at`, the real
    one may take more."""
    modelled = any(frame.location.is_shipped for frame in defined_at)
    in_rule = f"in '{rule_name}' rule"
    for argument, value in arguments.items():
        definition = attributes.get(argument)
        if definition is None:
            is_common = argument in COMMON_ATTRIBUTES or argument in _TAKEN
            if is_common or argument.startswith("generator_") or modelled:
                continue
            _refuse(name, f"no such attribute '{argument}' {in_rule}")
        if value is None:
            continue
        why = why_unfit(f"attribute '{argument}' {in_rule}", definition, value)
        if why:
            _refuse(name, why)
        why = not_allowed(definition, value)
        if why:
            _refuse(name, f"invalid value in '{argument}' attribute: {why}")
    for attribute, definition in attributes.items():
        if definition.mandatory and arguments.get(attribute) is None:
            _refuse(name, f"missing value for mandatory attribute '{attribute}' {in_rule}")
    for argument, value in arguments.items():
        definition = attributes.get(argument)
        if may_repeat or definition is None or definition.type is not AttributeType.LABEL_LIST:
            continue
        for label, count in Counter(_labels_in(value)).items():
            if count > 1:
                from bazelscope.loading.evaluation.rules.rule_arguments import duplicated

                starlark.fail_with(duplicated(label, argument, name), code=WRONG_ARGUMENT)


def _labels_in(value: object) -> list[str]:
    """The labels of a list that has the right type, as Bazel shows them."""
    elements = value if isinstance(value, list | tuple) else ()
    texts = [one for one in elements if isinstance(one, str)]
    labels = [one.label for one in elements if isinstance(one, LabelValue)]
    return [*map(str, labels), *(str(parse_label(text, EXTERNAL_PACKAGE)) for text in texts)]


def _refuse(name: str, why: str) -> NoReturn:
    starlark.fail_with(f"//external:{name}: {why}", code=WRONG_ARGUMENT)


def why_unfit(
    what: str,
    definition: AttributeDefinition,
    value: object,
    mapping: Mapping[str, str] = MappingProxyType({}),
    base: PackageId = EXTERNAL_PACKAGE,
) -> str:
    """Why a value does not fit `what`, an attribute; empty if it does, or nobody can tell."""
    from bazelscope.loading.evaluation.attribute_values.conversion import (
        Conversion,
        ConversionError,
    )
    from bazelscope.loading.evaluation.attribute_values.converters import CONVERTERS
    from bazelscope.loading.evaluation.attribute_values.wrong_values import wrong_value

    try:
        CONVERTERS[definition.type](Conversion(base, mapping, lambda _: 0), value)
    except ConversionError as error:
        return wrong_value(what, "", error) if _is_plain(value) else ""
    return ""


def _is_plain(value: object) -> bool:
    """Whether a value and all in it are of the language alone, and known."""
    if isinstance(value, list | tuple):
        return all(map(_is_plain, value))
    if isinstance(value, dict):
        return all(_is_plain(key) and _is_plain(one) for key, one in value.items())
    return value is None or type(value) in (str, int, bool, float, LabelValue)


def not_allowed(definition: AttributeDefinition, value: object) -> str:
    """Why an attribute may not have a value of the right type; empty if it may."""
    if not definition.allowed or type(value) not in (str, int) or value in definition.allowed:
        return ""
    from bazelscope.loading.evaluation.attribute_values.wrong_values import has_to_be

    return has_to_be(definition.allowed, value)


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
    default, kind = definition.default, definition.type
    if default is not None:
        return _starlark_value(default, label_value)
    if kind in DICT_TYPES:
        return starlark.Dict({})
    return starlark.List([]) if kind in _LISTS else _EMPTY.get(kind)


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
