"""What a rule computes from its own attributes: implicit outputs, and computed defaults.

Bazel: `ImplicitOutputsFunction`, `StarlarkComputedDefault`. Both may be Starlark functions, which
are called with the attributes that their parameters name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from operator import add
from typing import Any

from bazelscope import starlark
from bazelscope.base.errors import LabelError, StarlarkError
from bazelscope.base.label import parse_label
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import AttributeType, RuleClass
from bazelscope.bazel.encoded_values import (
    DICT,
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

    One that is computed from attributes with select()s is select()s in one another: it has a
    value for each combination of their branches. Bazel: `StarlarkComputedDefaultTemplate`.
    """
    return tuple(
        (key, _Default(builder, kind, name, key).combined(attributes))
        for key in kind.computed
        if key not in attributes
    )


_MOST_COMBINATIONS = 64
"""Bazel: `COMPUTED_DEFAULT_MAX_COMBINATIONS`."""


class _Default:
    """The computed default of one attribute of one rule."""

    def __init__(self, builder: CurrentPackage, kind: RuleKind, name: str, key: str) -> None:
        self._builder, self._kind, self._name, self._key = builder, kind, name, key
        self._function = kind.computed[key]
        self._parameters = sorted(parameters_of(self._function))
        self._count = 0

    def combined(self, attributes: Mapping[str, Encoded]) -> Encoded:
        """The default where the other attributes have these values: a select() on the first
        select() among them, in whose branches the others are combined."""
        for parameter in self._parameters:
            if not _has_select(attributes.get(parameter)):
                continue
            parts = attributes[parameter][1]
            select = next((p for p in parts if type(p) is list and p[0] == SELECT), None)
            if select is None:
                return self.combined({**attributes, parameter: _joined(parts)})
            tag, branches, *rest = select
            made = tuple(
                (
                    condition,
                    self.combined(
                        {**attributes, parameter: self._taken(parameter, parts, select, n)}
                    ),
                )
                for n, (condition, _) in enumerate(branches)
            )
            return [SELECTS, ([tag, made, *rest],)]
        return self._computed(attributes)

    def _taken(self, parameter: str, parts: Encoded, select: Encoded, number: int) -> Encoded:
        """An attribute's value where one of its select()s has taken a branch; others with the
        same keys take it, too. Until Bazel looks at a configuration, None is the type's zero."""
        wanted = select[1][number][0]
        keys = {condition for condition, _ in select[1]}
        zero = encode_value(zero_of(self._kind.rule_class.attributes[parameter].type))
        made = []
        for part in parts:
            if type(part) is list and part[0] == SELECT:
                values = dict(part[1])
                if values.keys() == keys:
                    part = zero if values[wanted] is None else values[wanted]
            made.append(part)
        return [SELECTS, tuple(made)]

    def _computed(self, attributes: Mapping[str, Encoded]) -> Encoded:
        """The default where the other attributes have these values, none of them a select()."""
        builder, key = self._builder, self._key
        self._count += 1
        definition = self._kind.rule_class.attributes[key]
        if self._count > _MOST_COMBINATIONS:
            return self._refuse(
                "Too many configurable attributes to compute all possible values: Found more than"
                f" {_MOST_COMBINATIONS} possible values."
            )
        known = self._kind.rule_class.attributes
        lacking = next((p for p in self._parameters if p != "name" and p not in known), None)
        if lacking is not None:
            rule = builder.shown(self._name)
            return self._refuse(f"No such attribute {lacking} in rule {rule}")
        try:
            arguments = _arguments_of(builder, self._function, self._kind, self._name, attributes)
            value = starlark.call(self._function, (), arguments, starlark.Thread())
            if value is None:
                return None
            # The function's value is taken as it is: no text becomes a label.
            if definition.type is AttributeType.LABEL and isinstance(value, str | int | list):
                return self._refuse(f"expected 'label', but got '{starlark.type_of(value)}'")
            return converter_for(definition.type, definition.nodep)(builder.conversion, value)
        except StarlarkError as error:
            return self._refuse(error.diagnostic.message)
        except (ConversionError, KeyError, ValueError) as error:
            return self._unknown(str(error))

    def _refuse(self, message: str) -> Encoded:
        """Bazel makes no such rule; if what the function has seen is unknown, so is the value."""
        rule, shown = self._kind.rule_class.name, self._builder.shown(self._name)
        self._builder.refuse(
            "bad-default",
            f"{rule} Cannot compute default value of attribute '{_public_name(self._key)}' in rule"
            f" '{shown}': {message}",
        )
        return self._unknown(message)

    def _unknown(self, why: str) -> Encoded:
        return encode_unknown(Unknown(Reason.NEEDS_ANALYSIS, f"default of `{self._key}`", why))


def _joined(parts: Iterable[Encoded]) -> Encoded:
    """What parts without select()s come to, joined."""
    known = [part for part in parts if part is not None]
    unknown = next((p for p in known if type(p) is list and p[0] == UNKNOWN), None)
    if unknown is not None or not known:
        return unknown
    if type(known[0]) is list:
        merged = {repr(key): (key, value) for _, items in known for key, value in items}
        return [DICT, tuple(merged.values())]
    return reduce(add, known)


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
    for key, template in templates:
        if not _PLACES.union(kind.rule_class.attributes).issuperset(placeholders(template)):
            why = f"For attribute '{key}' in outputs: Invalid placeholder(s) in template"
            _report(builder, name, why)
            continue
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


_PLACES = frozenset({"basename", "dirname", "name"})
"""What stands in templates besides attributes."""


class _NoSuchArgumentError(ValueError):
    """A callback asks for an attribute that is not there, or is configurable."""


def _public_name(attribute: str) -> str:
    return f"_{attribute[1:]}" if attribute[0] in "$:" else attribute


def _available(kind: RuleKind, attributes: Mapping[str, Encoded]) -> str:
    return ", ".join(
        sorted(
            _public_name(name)
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


def parameters_of(function: Any) -> tuple[str, ...]:
    """Returns the names of the parameters of a Starlark function."""
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
    for parameter in parameters_of(function):
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
