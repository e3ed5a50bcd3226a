"""What initializers make of a call of a rule. Bazel: `StarlarkRuleFunction.call`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from bazelscope import starlark
from bazelscope.base.label import PackageId
from bazelscope.base.source import CallStack
from bazelscope.bazel.attribute_types import OUTPUT_TYPES, AttributeDefinition
from bazelscope.loading.evaluation.attribute_values.attribute_spec import AttributeSpec
from bazelscope.loading.evaluation.attribute_values.conversion import Conversion, ConversionError
from bazelscope.loading.evaluation.attribute_values.converters import converter_for
from bazelscope.loading.evaluation.attribute_values.starlark_values import (
    NotRepresentableError,
    starlark_value,
)
from bazelscope.loading.evaluation.evaluation_context import CurrentPackage, EvaluationContext
from bazelscope.loading.evaluation.values.structs import want_fields
from bazelscope.loading.evaluation.values.symbolic_values import SelectValue, UnknownValue


class InitializedRule(Protocol):
    """What `rule()` returns, as far as its initializer asks about it."""

    name: str
    specs: Mapping[str, AttributeSpec]
    options: Mapping[str, Any]
    defined_at: CallStack

    @property
    def parent(self) -> InitializedRule | None: ...
    @property
    def initializer(self) -> Callable[..., object] | None: ...
    def all_attributes(self) -> Mapping[str, AttributeDefinition]: ...


def initialized(
    rule: InitializedRule,
    context: EvaluationContext,
    package: CurrentPackage,
    keywords: Mapping[str, object],
) -> dict[str, object]:
    """The arguments after the rule's own initializer and those of its parents, in this order.
    Each gets `name` and the attributes of its own rule class that are given and public."""
    # None is as if it were not given.
    values = {name: value for name, value in keywords.items() if value is not None}
    context.is_initializing = True
    try:
        current: InitializedRule | None = rule
        while current is not None:
            if current.initializer is not None:
                values = _changed(current, context, package, values)
            current = current.parent
    finally:
        context.is_initializing = False
    return values


def _changed(
    rule: InitializedRule,
    context: EvaluationContext,
    package: CurrentPackage,
    values: dict[str, object],
) -> dict[str, object]:
    function, home = rule.options["initializer"], rule.options["home"]
    untyped = rule.specs.get("_legacy_any_type_attrs")
    kept = untyped.default if untyped is not None and isinstance(untyped.default, tuple) else ()

    def lifted(name: str, value: object, conversion: Conversion) -> object:
        spec = rule.specs.get(name)
        if spec is None or value is None or name in kept or isinstance(value, UnknownValue):
            return value
        return _lifted(context, conversion, f"attribute '{name}' of '{rule.name}'", spec, value)

    here = Conversion(package.id, package.repo_mapping, package.stack_number)
    given = {
        name: lifted(name, values[name], here)
        for name in ("name", *rule.specs)
        if name in values and name[0] != "_"
    }
    changed = function(**given)
    if changed is None or isinstance(changed, UnknownValue):
        return values
    there = Conversion(home, context.mapping_of(home.repository), package.stack_number)
    result = dict(values)
    for name, value in want_fields(changed, "rule's initializer return value").items():
        if name == "name":
            if value != values.get("name") and not isinstance(value, UnknownValue):
                starlark.fail_with("Initializer can't change the name of the target")
            continue
        if name[0] == "_" and not _sets_private(context, home):
            file = context.label_of_path.get(rule.defined_at[0].location.path)
            starlark.fail_with(f"file '{file}' cannot use private API")
        if name not in rule.specs and name in rule.all_attributes():
            starlark.fail_with(
                f"Initializer can only set Starlark defined attributes, not '{name}'"
            )
        spec = rule.specs.get(name)
        is_output = spec is not None and spec.type in OUTPUT_TYPES
        result[name] = lifted(name, value, here if is_output else there)
    return result


def _sets_private(context: EvaluationContext, home: PackageId) -> bool:
    """Whether initializers of a file may set private attributes. Bazel has a list of rule sets
    whose may, which differs between releases: here, any module of such a name."""
    name, _ = context.module_of(home.repository) or ("", "")
    return bool(home.repository) or (name or "").startswith("rules_")


def _lifted(
    context: EvaluationContext,
    conversion: Conversion,
    what: str,
    spec: AttributeSpec,
    value: object,
) -> object:
    """The value with labels for texts, which are relative to the file that wrote them. Bazel:
    `BuildType.copyAndLiftStarlarkValue`. What is unknown stays as it is."""
    convert = converter_for(spec.type, False)
    try:
        if isinstance(value, SelectValue):
            encoded = conversion.selects(value, convert)
        else:
            encoded = convert(conversion, value)
        result = starlark_value(encoded, spec.type, context.label_style, conversion.context)
    except NotRepresentableError:
        return value
    except ConversionError as error:
        from bazelscope.loading.evaluation.attribute_values.wrong_values import wrong_value

        raise starlark.fail_with(wrong_value(what, what.rsplit("'", 2)[1], error)) from error
    return starlark.List(result) if isinstance(result, tuple) else result
