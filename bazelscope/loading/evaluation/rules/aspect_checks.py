"""What Bazel refuses of aspects where they are made, given to attributes, and where a rule with
them is called: the values of their parameters are those of the rule's attributes.

Bazel: `StarlarkRuleClassFunctions.aspect`, `AspectsList`, `RuleClass.checkAspectAllowedValues`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bazelscope import starlark
from bazelscope.bazel.attribute_types import AttributeType
from bazelscope.bazel.encoded_values import SELECTS, Encoded, encode_value
from bazelscope.bazel.release import Release
from bazelscope.loading.evaluation.attribute_values.attribute_spec import AttributeSpec
from bazelscope.loading.evaluation.attribute_values.rule_kinds import RuleKind
from bazelscope.loading.evaluation.attribute_values.wrong_values import has_to_be
from bazelscope.loading.evaluation.evaluation_context import CurrentPackage
from bazelscope.loading.evaluation.rules.aspect_values import Aspect

_OF_ASPECTS = (AttributeType.BOOLEAN, AttributeType.INTEGER, AttributeType.STRING)


def check_aspect(
    specs: Mapping[str, AttributeSpec], options: Mapping[str, object], release: Release
) -> None:
    """Fails for attributes that no aspect may have, and for options that `aspect()` lacks."""
    if "apply_to_generating_rules" in options and not release.aspects_meet_generators:
        starlark.fail_with(
            "parameter 'apply_to_generating_rules' is experimental and thus unavailable with the"
            " current flags. It may be enabled by setting"
            " --experimental_aspect_output_propagation"
        )
    along = options.get("attr_aspects")
    if isinstance(along, list | tuple) and "*" in along and len(along) > 1:
        starlark.fail_with("'*' must be the only string in 'attr_aspects' list")
    if options.get("apply_to_generating_rules") is True and options.get("required_providers"):
        starlark.fail_with(
            "An aspect cannot simultaneously have required providers and apply to generating rules."
        )
    for name, spec in specs.items():
        if name.startswith("_"):
            has_default = spec.default is not None or spec.compute is not None or spec.late_bound
            if spec.type is AttributeType.LABEL and not has_default:
                starlark.fail_with(f"Aspect attribute '{name}' has no default value.")
        elif release.aspects_take_texts_alone and (
            spec.type is not AttributeType.STRING or not spec.allowed
        ):
            starlark.fail_with(
                f"Aspect parameter attribute '{name}' must have type 'string' and use the 'values'"
                " restriction."
            )
        elif spec.type not in _OF_ASPECTS:
            starlark.fail_with(
                f"Aspect parameter attribute '{name}' must have type 'bool', 'int' or 'string'."
            )
        elif spec.allowed and spec.default and spec.default not in spec.allowed:
            why = has_to_be(spec.allowed, spec.default)
            starlark.fail_with(
                f"Aspect parameter attribute '{name}' has a bad default value: {why}"
            )
        if spec.compute is not None and not release.aspects_compute_defaults:
            starlark.fail_with(
                f"Aspect attribute '{name}' ({spec.type.value}) with computed default value is"
                " unsupported."
            )


def check_given(aspects: Iterable[object]) -> None:
    """Fails for aspects of an attribute that no global variable holds, or that stand twice."""
    seen: list[object] = []
    for one in aspects:
        for each in one.with_required() if isinstance(one, Aspect) else ():
            if not (each.name or starlark.global_name(each)):
                starlark.fail_with(
                    "Aspects should be top-level values in extension files that define them."
                )
        if any(one is other for other in seen):
            starlark.fail_with("an aspect is added more than once")
        seen.append(one)


def parameters_of(
    specs: Mapping[str, AttributeSpec],
) -> tuple[tuple[Aspect, str, AttributeSpec], ...]:
    """What a rule tells aspects on its attributes: each, the parameter's name and what it takes."""
    return tuple(
        (aspect, name, own)
        for spec in specs.values()
        for given in spec.aspects
        for aspect in (given.with_required() if isinstance(given, Aspect) else ())
        for name, own in aspect.specs.items()
        if name[:1] != "_"
    )


def check_parameters(builder: CurrentPackage, kind: RuleKind) -> None:
    """Fails for a rule that lacks what an aspect on an attribute of it wants to be told."""
    for aspect, name, spec in kind.told_to_aspects:
        shown = aspect.shown(builder.label_style)
        if spec.type is not AttributeType.BOOLEAN and not spec.allowed:
            starlark.fail_with(
                f"Aspect {shown}: Aspect parameter attribute '{name}' must use the 'values'"
                " restriction."
            )
        own = kind.rule_class.attributes.get(name)
        is_required = spec.mandatory or not spec.default
        if is_required and (own is None or own.type is not spec.type):
            wanted = "int" if spec.type is AttributeType.INTEGER else spec.type.value
            starlark.fail_with(
                f"Aspect {shown} requires rule {kind.rule_class.name} to specify attribute"
                f" '{name}' with type {wanted}."
            )


def check_told(
    builder: CurrentPackage, kind: RuleKind, name: str, attributes: Mapping[str, Encoded]
) -> None:
    """Reports values of a target that aspects on its attributes do not take."""
    shown = builder.shown(name)
    for aspect, key, spec in kind.told_to_aspects:
        own = kind.rule_class.attributes.get(key)
        if not spec.allowed or own is None or own.type is not spec.type:
            continue
        value = attributes.get(key, encode_value(own.default))
        if type(value) is list and value[0] == SELECTS:
            if spec.default not in spec.allowed:
                builder.report(
                    "bad-attribute",
                    f"{shown}: attribute '{key}' has a select() and aspect"
                    f" {aspect.shown(builder.label_style)} also declares '{shown}'. Aspect"
                    " attributes don't currently support select().",
                )
        elif isinstance(value, str | int) and value not in spec.allowed:
            why = has_to_be(spec.allowed, value)
            message = f"{shown}: invalid value in '{key}' attribute: {why}"
            builder.report("bad-attribute", message)
