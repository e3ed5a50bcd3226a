"""What a rule computes from its own attributes: implicit outputs, and computed defaults.

Bazel: `ImplicitOutputsFunction`, `StarlarkComputedDefault`. Both may be Starlark functions, which
are called with the attributes that their parameters name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bazelscope import starlark
from bazelscope.base.errors import LabelError, StarlarkError
from bazelscope.base.label import parse_label
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import AttributeType, RuleClass
from bazelscope.bazel.encoded_values import (
    SELECT,
    SELECTS,
    UNKNOWN,
    Encoded,
    encode_unknown,
    encode_value,
)
from bazelscope.bazel.rule_classes import zero_of
from bazelscope.loading.evaluation.attribute_values.conversion import ConversionError
from bazelscope.loading.evaluation.attribute_values.converters import converter_for
from bazelscope.loading.evaluation.attribute_values.rule_kinds import (
    RuleKind,
    expand_template,
    placeholders,
)
from bazelscope.loading.evaluation.attribute_values.starlark_values import starlark_value
from bazelscope.loading.evaluation.evaluation_context import CurrentPackage


def computed_defaults(
    builder: CurrentPackage, kind: RuleKind, name: str, attributes: Mapping[str, Encoded]
) -> tuple[tuple[str, Encoded], ...]:
    """Defaults that Starlark functions compute from other attributes.

    One that is computed from an attribute with a select() is a select() itself, under the same
    conditions; from several selects it is unknown. Bazel: `StarlarkComputedDefaultTemplate`,
    which keeps the value of every combination.
    """
    results = []
    for key, function in kind.computed.items():
        if key in attributes:
            continue
        selects = [
            parameter
            for parameter in _parameters(function)
            if _has_select(attributes.get(parameter))
        ]
        whole = _as_one_select(kind, selects[0], attributes) if len(selects) == 1 else None
        if whole is None and selects:
            names = ", ".join(f"`{one}`" for one in selects)
            why = f"it is computed from {names}: their select()s have a value for each combination"
            unknown = Unknown(Reason.NEEDS_ANALYSIS, f"default of `{key}`", why)
            results.append((key, encode_unknown(unknown)))
            continue
        if whole is None:
            results.append((key, _computed(builder, kind, name, attributes, key)))
            continue
        branches = tuple(
            (condition, _computed(builder, kind, name, {**attributes, selects[0]: value}, key))
            for condition, value in whole[1]
        )
        results.append((key, [SELECTS, ([SELECT, branches, *whole[2:]],)]))
    return tuple(results)


def _as_one_select(
    kind: RuleKind, attribute: str, attributes: Mapping[str, Encoded]
) -> Encoded | None:
    """The value of an attribute as one select(), what is added to it being in every branch;
    None if it has several. Until Bazel looks at a configuration, None is the type's zero."""
    parts = attributes[attribute][1]
    places = [place for place, part in enumerate(parts) if type(part) is list]
    if len(places) != 1 or parts[places[0]][0] != SELECT:
        return None
    (place,) = places
    tag, branches, *rest = parts[place]
    zero = encode_value(zero_of(kind.rule_class.attributes[attribute].type))
    made = []
    for condition, value in branches:
        own = zero if value is None else value
        if len(parts) > 1 and type(own) is list:
            return None  # A dictionary, or what cannot be told.
        for part in reversed(parts[:place]):
            own = part + own
        for part in parts[place + 1 :]:
            own = own + part
        made.append((condition, own))
    return [tag, tuple(made), *rest]


def _computed(
    builder: CurrentPackage, kind: RuleKind, name: str, attributes: Mapping[str, Encoded], key: str
) -> Encoded:
    """The default of the attribute `key` where the others have these values."""
    function = kind.computed[key]
    definition = kind.rule_class.attributes[key]
    try:
        arguments = _arguments_of(builder, function, kind, name, attributes)
        value = starlark.call(function, (), arguments, starlark.Thread())
        if value is None:
            return None
        return converter_for(definition.type, definition.nodep)(builder.conversion, value)
    except (ConversionError, StarlarkError, KeyError, ValueError) as error:
        why = Unknown(Reason.NEEDS_ANALYSIS, f"default of `{key}`", str(error))
        return encode_unknown(why)


def output_names(
    builder: CurrentPackage, kind: RuleKind, name: str, attributes: Mapping[str, Encoded]
) -> tuple[str, ...]:
    """The files that the rule generates: implicit outputs, then output attributes.

    Bazel: `Rule.populateOutputFiles`.
    """
    names: list[str] = []
    templates = kind.outputs
    for needed, further in kind.conditional:
        if not needed.isdisjoint(attributes):
            templates = (*templates, *((template, template) for template in further))
    if kind.outputs_function is not None:
        templates = _called_outputs(builder, kind, name, attributes)
    values = _WithDefaults(kind.rule_class, attributes)
    for _, template in templates:
        configurable = next(
            (key for key in placeholders(template) if _has_select(attributes.get(key))), None
        )
        if configurable is not None:
            why = f"Attribute {configurable} is configurable and cannot be used in outputs"
            _report(builder, name, why)
            continue
        try:
            for output in expand_template(template, name, values):
                if _is_file_name(builder, name, output):
                    names.append(output)
        except (KeyError, ValueError) as error:
            builder.record_unknown(
                Unknown(
                    Reason.DEPENDS_ON_UNKNOWN,
                    f"outputs of {builder.shown(name)}",
                    f"template `{template}`: {error}",
                )
            )
    prefix = len(str(builder.id)) + 1
    for key, slot_kind in kind.output_attributes:
        value = attributes.get(key)
        texts = value if slot_kind is AttributeType.OUTPUT_LIST else (value,)
        if type(texts) is tuple:
            names += [text[prefix:] for text in texts if type(text) is str]
    return tuple(names)


def _is_file_name(builder: CurrentPackage, rule: str, output: str) -> bool:
    """Whether an implicit output has a name that a file can have; if not, Bazel's error is
    reported, and Bazel makes the rule without it."""
    try:
        parse_label(f"//:{output}", builder.id)
    except LabelError as error:
        builder.report(
            "illegal-output-name",
            f"illegal output file name '{output}' in rule {builder.shown(rule)} due to:"
            f" {error.reason}",
        )
        return False
    return True


def _report(builder: CurrentPackage, rule: str, message: str) -> None:
    """Bazel makes the rule without the outputs that it cannot name."""
    builder.report("bad-outputs", f"In rule {builder.shown(rule)}: {message}")


def _has_select(encoded: Encoded) -> bool:
    return type(encoded) is list and encoded[0] == SELECTS


class _NoSuchArgumentError(ValueError):
    """A callback asks for an attribute that is not there, or is configurable."""


def _available(kind: RuleKind, attributes: Mapping[str, Encoded]) -> str:
    return ", ".join(
        sorted(
            f"_{name[1:]}" if name[0] in "$:" else name
            for name in kind.rule_class.attributes
            if not _has_select(attributes.get(name))
        )
    )


def _called_outputs(
    builder: CurrentPackage, kind: RuleKind, name: str, attributes: Mapping[str, Encoded]
) -> tuple[tuple[str, str], ...]:
    function = kind.outputs_function
    assert function is not None
    try:
        arguments = _arguments_of(builder, function, kind, name, attributes)
        result = starlark.call(function, (), arguments, starlark.Thread())
    except (StarlarkError, _NoSuchArgumentError) as error:
        message = error.diagnostic.message if isinstance(error, StarlarkError) else str(error)
        _report(builder, name, message)
        return ()
    except (KeyError, ValueError) as error:
        builder.record_unknown(
            Unknown(Reason.FAILED, f"outputs of {builder.shown(name)}", str(error))
        )
        return ()
    if not isinstance(result, dict):
        return ()
    return tuple(
        (key, value)
        for key, value in result.items()
        if isinstance(key, str) and isinstance(value, str)
    )


def _parameters(function: Any) -> tuple[str, ...]:
    code = function.__code__
    names: tuple[str, ...] = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return names


def _arguments_of(
    builder: CurrentPackage,
    function: Any,
    kind: RuleKind,
    name: str,
    attributes: Mapping[str, Encoded],
) -> dict[str, object]:
    """The attributes that a callback asks for by its parameters' names."""
    arguments: dict[str, object] = {}
    for parameter in _parameters(function):
        if parameter == "name":
            arguments[parameter] = name
            continue
        definition = kind.rule_class.attributes.get(parameter)
        if definition is None or _has_select(attributes.get(parameter)):
            raise _NoSuchArgumentError(
                f"Attribute '{parameter}' either doesn't exist or uses a select() (i.e. could have"
                f" multiple values)\nAvailable attributes: {_available(kind, attributes)}"
            )
        encoded = attributes.get(parameter)
        if parameter not in attributes:
            encoded = encode_value(definition.default)
        if type(encoded) is list and encoded[0] == UNKNOWN:
            raise ValueError(f"attribute `{parameter}` is unknown")
        arguments[parameter] = starlark_value(
            encoded, definition.type, builder.label_style, builder.id
        )
    return arguments


class _WithDefaults(Mapping[str, Encoded]):
    """The attributes of a rule, those that were not set by the class's default."""

    def __init__(self, rule_class: RuleClass, explicit: Mapping[str, Encoded]) -> None:
        self._class = rule_class
        self._explicit = explicit

    def __getitem__(self, name: str) -> Encoded:
        if name in self._explicit:
            return self._explicit[name]
        return encode_value(self._class.attributes[name].default)

    def __iter__(self) -> Iterator[str]:
        return iter(self._class.attributes)

    def __len__(self) -> int:
        return len(self._class.attributes)
