"""The arguments of one call of a rule, as the attributes of a target.

Bazel: `RuleClass.populateRuleAttributeValues`. An argument that Bazel refuses is reported and
left out, so that it costs that attribute only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bazelscope import starlark
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import AttributeType, RuleClass
from bazelscope.bazel.encoded_values import (
    SELECT,
    Encoded,
    encode_unknown,
    encode_value,
    possible_sums,
)
from bazelscope.bazel.later_rules import is_gone, is_metadata, metadata_attribute
from bazelscope.bazel.rule_classes import has_own_table
from bazelscope.loading.evaluation.attribute_values.conversion import ConversionError
from bazelscope.loading.evaluation.attribute_values.converters import CONVERTERS
from bazelscope.loading.evaluation.attribute_values.rule_kinds import (
    AttributeSlot,
    RuleKind,
    in_order,
)
from bazelscope.loading.evaluation.attribute_values.wrong_values import bad_value, has_to_be
from bazelscope.loading.evaluation.evaluation_context import CurrentPackage
from bazelscope.loading.evaluation.values.symbolic_values import SelectValue

_NOT_SET = "_INTERNAL_SENTINEL"
_LEGACY_PUBLIC = "//visibility:legacy_public"
_WORDS_OF_VISIBILITY = ("//visibility:public", "//visibility:private", _LEGACY_PUBLIC)

_TIMEOUTS = {"small": "short", "medium": "moderate", "large": "long", "enormous": "eternal"}


def attributes_of_call(
    builder: CurrentPackage, kind: RuleKind, name: str, keywords: Mapping[str, Any]
) -> dict[str, Encoded]:
    """The attributes that a call of the rule `kind` gives the target `name`, by name, in the
    order of the call; what Bazel refuses of them is reported to `builder`."""
    attributes = _converted(builder, kind, name, keywords)
    visibility = attributes.get("visibility")
    if visibility is not None:
        _check_visibility(builder, name, visibility, attributes)
    _check_mandatory(builder, kind, name, attributes)
    for key, label in kind.repeated_defaults:
        if key not in attributes:
            builder.report("duplicate-label", duplicated(label, key, name))
    for key, allowed in kind.limited:
        if _stands_for_own_rule(builder, kind):
            break  # Which values that takes is the model's to say.
        value = attributes.get(key)
        if key not in attributes and builder.release.defaults_must_be_allowed:
            value = encode_value(kind.rule_class.attributes[key].default)
        _check_allowed(builder, name, key, allowed, value)
    if kind.told_to_aspects:
        from bazelscope.loading.evaluation.rules.aspect_checks import check_told

        check_told(builder, kind, name, attributes)
    if kind.rule_class.is_test:
        _check_test(builder, name, attributes)
    for key in kind.unordered:
        value = attributes.get(key)
        if type(value) is tuple and len(value) > 1:
            attributes[key] = in_order(value)
    return attributes


def timeout_of(size: Encoded) -> str:
    """The timeout of a test that names none. Bazel: `TestTimeout.getDefaultTimeout`."""
    return _TIMEOUTS.get(size, "moderate") if type(size) is str else "moderate"


def _converted(
    builder: CurrentPackage, kind: RuleKind, name: str, keywords: Mapping[str, Any]
) -> dict[str, Encoded]:
    conversion = builder.conversion
    slots = kind.slots
    attributes: dict[str, Encoded] = {}
    for key, value in keywords.items():
        if key == "name":
            continue
        slot = slots.get(key)
        if value is None:
            if slot is None and _refuses_none(builder, kind, key):
                _no_such_attribute(builder, name, key, kind)
            continue
        if slot is None and is_metadata(key):
            key = metadata_attribute(builder.release)
            slot = slots.get(key)
        if slot is None:
            if not kind.rule_class.is_known or _may_be_newer(builder, name, key, kind):
                attributes[key] = _of_unknown_type(builder, value)
            else:
                _no_such_attribute(builder, name, key, kind)
            continue
        if key[0] == "$":
            key = f"_{key[1:]}"
        try:
            if type(value) is SelectValue:
                attributes[key] = _select(builder, name, key, value, slot)
            else:
                encoded = attributes[key] = slot.convert(conversion, value)
                if slot.is_label_list and type(encoded) is tuple and len(encoded) > 1:
                    _check_unique(builder, name, key, (encoded,))
        except ConversionError as error:
            if error.is_of_type and _is_modelled(kind.rule_class):
                attributes[key] = _of_unknown_type(builder, value)
                what = f"may take another type; {_ONLY_MODELLED}"
                _warn_of_attribute(builder, name, key, kind, what)
            else:
                _bad_value(builder, name, key, kind.rule_class, error)
    return attributes


def _check_mandatory(
    builder: CurrentPackage, kind: RuleKind, name: str, attributes: Mapping[str, Encoded]
) -> None:
    for key in kind.mandatory:
        if key not in attributes:
            # Bazel: `Attribute` keeps a private one under its own first letter.
            shown = f"${key[1:]}" if key[0] == "_" else key
            builder.report(
                "missing-attribute",
                f"{builder.shown(name)}: missing value for mandatory attribute '{shown}' in"
                f" '{kind.rule_class.name}' rule",
            )


def _select(
    builder: CurrentPackage, name: str, key: str, value: SelectValue, slot: AttributeSlot
) -> Encoded:
    # A select() whose one key is the default is its value. Bazel:
    # `--incompatible_simplify_unconditional_selects_in_rule_attrs`.
    if builder.release.simplifies_unconditional_selects and value.is_unconditional:
        return slot.convert(builder.conversion, value.parts[0].entries[0][1])  # type: ignore[attr-defined]
    if value.has_select and not slot.configurable:
        raise ConversionError(f'attribute "{key}" is not configurable')
    # Bazel adds numbers before it looks at the type; what comes of that, analysis says.
    is_number = slot.kind is AttributeType.INTEGER
    joins = slot.joinable and (builder.release.dict_selects_join or not slot.is_dictionary)
    if len(value.parts) > 1 and not joins and not is_number:
        raise ConversionError(f"type '{slot.kind.value}' doesn't support select concatenation")
    encoded = builder.conversion.selects(value, slot.convert)
    if slot.is_label_list:
        _check_unique(builder, name, key, encoded[1])
    return encoded


def _check_allowed(
    builder: CurrentPackage, name: str, key: str, allowed: tuple[str | int, ...], value: Encoded
) -> None:
    """Every value that selects may make of the attribute must be one of `allowed`."""
    for one in (value,) if type(value) is str else possible_sums(value):
        if one not in allowed:
            why = has_to_be([choice for choice in allowed if choice != _NOT_SET], one)
            message = f"{builder.shown(name)}: invalid value in '{key}' attribute: {why}"
            builder.report("bad-attribute", message)


def _check_test(builder: CurrentPackage, name: str, attributes: Mapping[str, Encoded]) -> None:
    """Bazel: `TestSize`, `TestTimeout`."""
    size = attributes.get("size")
    timeout = attributes.get("timeout")
    if type(size) is str and size not in _TIMEOUTS:
        builder.report("bad-attribute", f"In rule '{name}', size '{size}' is not a valid size.")
        if timeout is None:
            timeout = "illegal"
    if type(timeout) is str and timeout not in _TIMEOUTS.values():
        why = f"timeout '{timeout}' is not a valid timeout."
        builder.report("bad-attribute", f"In rule '{name}', {why}")


def _of_unknown_type(builder: CurrentPackage, value: object) -> Encoded:
    convert = CONVERTERS[AttributeType.UNKNOWN]
    try:
        if type(value) is SelectValue:
            return builder.conversion.selects(value, convert)
        return convert(builder.conversion, value)
    except (ConversionError, RecursionError) as error:
        return encode_unknown(Unknown(Reason.FAILED, "an argument", str(error)))


def _check_unique(builder: CurrentPackage, name: str, key: str, parts: tuple[Encoded, ...]) -> None:
    """Bazel refuses a label that stands twice in one attribute; across selects it once did so
    whatever these choose, and later where it knows (`refusals.of_selects`)."""
    if _are_different(parts):
        return
    seen: dict[str, None] = {}
    twice: dict[str, None] = {}
    for part in parts:
        if type(part) is tuple:
            branches: tuple[Encoded, ...] = (part,)
        elif type(part) is list and part[0] == SELECT:
            branches = tuple(value for _, value in part[1] if type(value) is tuple)
        else:
            continue
        union: dict[str, None] = {}
        for labels in branches:
            texts = [text for text in labels if type(text) is str]
            if len(set(texts)) < len(texts):
                twice.update((text, None) for at, text in enumerate(texts) if text in texts[:at])
            union.update(dict.fromkeys(texts))
        if not builder.release.duplicates_by_choice and not seen.keys().isdisjoint(union):
            twice.update(dict.fromkeys(text for text in seen if text in union))
        seen.update(union)
    for label in twice:
        builder.report("duplicate-label", duplicated(label, key, name))


def _are_different(parts: tuple[Encoded, ...]) -> bool:
    """Whether no label stands twice anywhere in a value, which nearly all are."""
    every: list[Encoded] = []
    for part in parts:
        if type(part) is tuple:
            every += part
        elif type(part) is list and part[0] == SELECT:
            for _, value in part[1]:
                if type(value) is tuple:
                    every += value
    try:
        return len(set(every)) == len(every)
    except TypeError:
        return False


def duplicated(label: str, key: str, name: str) -> str:
    """Bazel's words for a label that a list has twice."""
    return f"Label '{label}' is duplicated in the '{key}' attribute of rule '{name}'"


def words_problem(visibility: tuple[Encoded, ...]) -> str:
    """Before Bazel 6, what is wrong with a visibility whose words stand beside others."""
    if len(visibility) < 2 or not any(label in _WORDS_OF_VISIBILITY for label in visibility):
        return ""
    return (
        "Public or private visibility labels (e.g. //visibility:public or //visibility:private)"
        " cannot be used in combination with other labels"
    )


def _check_visibility(
    builder: CurrentPackage, name: str, labels: Encoded, attributes: dict[str, Encoded]
) -> None:
    """Before Bazel 6, public and private visibility stand alone. What is public but for Bazel's
    own checks, a package may be, and no rule."""
    if type(labels) is not tuple or builder.release.visibility_words_combine:
        return
    message = ""
    if words_problem(labels):
        message = f"{builder.shown(name)} {words_problem(labels)}"
    elif labels == (_LEGACY_PUBLIC,):
        message = f"{builder.shown(name)}: {_LEGACY_PUBLIC} only allowed in package declaration"
    if message:
        del attributes["visibility"]
        builder.report("bad-visibility", message)


def _refuses_none(builder: CurrentPackage, kind: RuleKind, key: str) -> bool:
    """Whether an attribute that a rule lacks is refused although it is None: it is not where the
    real rule may have it."""
    if not builder.release.refuses_unknown_none or is_metadata(key) or not kind.rule_class.is_known:
        return False
    if kind.is_native:
        return has_own_table(builder.release) or is_gone(kind.rule_class.name, key, builder.release)
    return kind.lacks is None and not _is_modelled(kind.rule_class)


def _may_be_newer(builder: CurrentPackage, name: str, key: str, kind: RuleKind) -> bool:
    """Whether the real rule may have an attribute that an older Bazel's table lacks, or
    our model of the rule."""
    if kind.is_native and is_gone(kind.rule_class.name, key, builder.release):
        return False
    if _stands_for_own_rule(builder, kind):
        return True
    if kind.is_native and not has_own_table(builder.release):
        why = f"Bazel {builder.release.plain} may have it, for no table of its rules is at hand"
    elif _is_modelled(kind.rule_class):
        why = _ONLY_MODELLED
    elif kind.lacks is not None:
        why = f"the file of its rule was read with {kind.lacks.subject} {kind.lacks.detail}"
    else:
        return False
    _warn_of_attribute(builder, name, key, kind, f"is not known; {why}")
    return True


def _stands_for_own_rule(builder: CurrentPackage, kind: RuleKind) -> bool:
    """Whether a model calls a rule of Bazel's as its original calls the rule of its own."""
    is_listed = not kind.is_native or has_own_table(builder.release)
    return not is_listed and starlark.call_stack()[-1].location.is_shipped


def _warn_of_attribute(
    builder: CurrentPackage, name: str, key: str, kind: RuleKind, what: str
) -> None:
    message = f"{builder.shown(name)}: attribute '{key}' of '{kind.rule_class.name}' {what}"
    builder.report("unlisted-attribute", message, warning=True)


def _no_such_attribute(builder: CurrentPackage, name: str, key: str, kind: RuleKind) -> None:
    builder.report(
        "no-such-attribute",
        f"{builder.shown(name)}: no such attribute '{key}' in '{kind.rule_class.name}' rule",
    )


def _bad_value(
    builder: CurrentPackage, name: str, key: str, rule_class: RuleClass, error: ConversionError
) -> None:
    why = bad_value(builder.shown(name), key, rule_class.name, error)
    builder.report("bad-attribute", f"{builder.shown(name)}: {why}")


_ONLY_MODELLED = "bazelscope has only a model of the rule"


def _is_modelled(rule_class: RuleClass) -> bool:
    """Whether a file that bazelscope ships defines the rule."""
    return any(frame.location.is_shipped for frame in rule_class.defined_at)
