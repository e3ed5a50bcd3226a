"""`existing_rule()` and `existing_rules()`: what a package has declared so far.

Bazel: `StarlarkNativeModule`.
"""

from __future__ import annotations

from typing import Any

from bazelscope import starlark
from bazelscope.base.unknown import Reason
from bazelscope.bazel.encoded_values import encode_value
from bazelscope.loading.evaluation.attribute_values.starlark_values import (
    NotRepresentableError,
    starlark_value,
)
from bazelscope.loading.evaluation.evaluation_context import CurrentPackage, EvaluationContext
from bazelscope.loading.evaluation.values.symbolic_values import (
    SelectValue,
    SettledSelect,
    UnknownValue,
)
from bazelscope.loading.packages.encoded_targets import (
    RULE,
    TargetData,
    class_number,
    explicit_values,
    shape_of,
    stack_of,
)

_HIDDEN_FROM_MACROS = frozenset({"generator_location"})


def existing_rule(context: EvaluationContext, name: Any) -> object:
    """The builtin `existing_rule`."""
    if context.workspace is not None:
        definition = context.workspace.existing_rule(name)
        return None if definition is None else _handed_out(context, definition)
    builder = context.package_outside_macros("existing_rule", finalizers=True)
    if not isinstance(name, str | UnknownValue):
        starlark.fail_with(starlark.wrong_type("existing_rule", "name", name, "string"))
    target = builder.targets.get(name) if isinstance(name, str) else None
    if builder.rules_before_finalizers and name not in builder.rules_before_finalizers:
        target = None
    if target is None or shape_of(target) != RULE or not isinstance(name, str):
        return None
    return _handed_out(context, _rule_as_dict(context, builder, name, target))


def existing_rules(context: EvaluationContext) -> object:
    """The builtin `existing_rules`."""
    if context.workspace is not None:
        rules = context.workspace.existing_rules()
    else:
        builder = context.package_outside_macros("existing_rules", finalizers=True)
        rules = {
            name: _rule_as_dict(context, builder, name, builder.targets[name])
            for name in builder.rules_before_finalizers or builder.targets
            if shape_of(builder.targets[name]) == RULE
        }
    starlark.charge(len(rules))
    made = starlark.Dict({name: _handed_out(context, rule) for name, rule in rules.items()})
    if context.release.existing_rules_frozen:
        starlark.freeze(made)
    return made


def _handed_out(context: EvaluationContext, rule: starlark.Dict) -> starlark.Dict:
    """What a file gets of a rule's dictionary, which others get, too: that itself if none can
    change it, else a copy."""
    if context.release.existing_rules_frozen:
        starlark.freeze(rule)
        return rule
    copies = {k: starlark.Dict(v) if isinstance(v, dict) else v for k, v in rule.items()}
    return starlark.Dict(copies)


def _rule_as_dict(
    context: EvaluationContext, builder: CurrentPackage, name: str, target: TargetData
) -> starlark.Dict:
    """Returns the dictionary of a rule, made when it is first asked for."""
    known = builder.shown_rules.get(name)
    if known is None or known[0] is not target:
        made = _made_dict(context, builder, name, target)
        known = builder.shown_rules[name] = (target, made)
    return known[1]


def _made_dict(
    context: EvaluationContext, builder: CurrentPackage, name: str, target: TargetData
) -> starlark.Dict:
    rule_class = builder.classes[class_number(target)]
    explicit = dict(explicit_values(target))
    starlark.charge(_steps_of(target))
    attributes: dict[str, object] = {"name": name, "kind": rule_class.name}
    for attribute, definition in rule_class.attributes.items():
        if attribute[:1] in "$:_" or attribute in _HIDDEN_FROM_MACROS:
            continue
        encoded = explicit.get(attribute, builder.defaults.get(attribute))
        if encoded is None:
            encoded = encode_value(definition.default)
        if encoded is None:
            continue
        try:
            value = starlark_value(encoded, definition.type, None, builder.id)
            if (
                isinstance(value, SelectValue)
                and value.has_select
                and not context.release.existing_selects_are_values
            ):
                value = SettledSelect(value)
            attributes[attribute] = value
        except NotRepresentableError:
            attributes[attribute] = context.unknown(
                Reason.DEPENDS_ON_UNKNOWN, f"{attribute} of {builder.id}:{name}"
            )
    made = builder.generator(stack_of(target))
    if made is not None:
        attributes["generator_function"] = made[0]
        attributes["generator_name"] = made[1] or name
    attributes["name"] = name
    return starlark.Dict(attributes)


def _steps_of(rule: TargetData) -> int:
    """What it takes to make a rule into a dictionary."""
    values = (value for _, value in explicit_values(rule))
    sizes = (len(value) for value in values if isinstance(value, tuple | list | str))
    return 40 + sum(sizes)
