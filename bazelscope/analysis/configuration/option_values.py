"""The values of options and build settings as Starlark sees them.

Bazel: `FunctionTransitionUtil.buildSettings`, which hands them to transitions.
"""

from __future__ import annotations

from bazelscope import starlark
from bazelscope.analysis.configuration.build_settings import (
    UnknownSettingError,
    current_value,
    setting_type,
)
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.configuration.flag_types import ValueTypeError, parse_value
from bazelscope.base.label import Label, parse_option_label
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import AttributeType
from bazelscope.bazel.flag_catalog import FlagDefinition, FlagKind
from bazelscope.flags.flag_values import FlagValue
from bazelscope.loading.evaluation.rules.rule_transitions import ModuleSource
from bazelscope.loading.packages.targets import Rule

_LABELS = frozenset({"crosstool_top", "grte_top", "host_platform", "platforms"})


def setting_value(
    source: ModuleSource, rule: Rule, configuration: Configuration, label: Label
) -> object:
    """The value of a build setting under a configuration; `Unknown` where that cannot be told."""
    try:
        value = current_value(rule, configuration, label)
    except UnknownSettingError as error:
        return error.unknown
    except ValueTypeError as error:
        return Unknown(Reason.FAILED, str(label), str(error), rule.location)
    items = [setting_element(source, element) for element in value.elements]
    if value.is_list or setting_type(rule) is AttributeType.STRING_LIST:
        return starlark.List(items)
    return items[0] if items else None


def setting_element(source: ModuleSource, element: object) -> object:
    """One element of a build setting's value."""
    if isinstance(element, Label):
        return source.context.label_value(element)
    # A parsed number or boolean carries its type beside it, to tell 1 from True.
    return element[1] if isinstance(element, tuple) else element


def option_value(source: ModuleSource, definition: FlagDefinition, value: FlagValue) -> object:
    """The value of a native option as Starlark sees it."""
    if definition.repeats or definition.splits_at_commas:
        texts = [part for text in value.values for part in _parts(definition, text)]
        return starlark.List([_text_value(source, definition, text) for text in texts])
    if value.value is None:
        return None
    return _text_value(source, definition, value.value)


def _parts(definition: FlagDefinition, text: str) -> list[str]:
    if not definition.splits_at_commas:
        return [text]
    return [part for part in text.split(",") if part]


def _text_value(source: ModuleSource, definition: FlagDefinition, text: str) -> object:
    if definition.kind is FlagKind.LABEL or definition.name in _LABELS:
        label = parse_option_label(text) if text else None
        return source.context.label_value(label) if label is not None else None
    try:
        key = parse_value(definition, text).key
    except ValueTypeError:
        return text
    is_typed = isinstance(key, tuple) and key[:1] in (("bool",), ("int",))
    return key[1] if is_typed and isinstance(key, tuple) else text
