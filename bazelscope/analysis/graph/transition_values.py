"""What a transition may set an option or a build setting to.

Bazel: `FunctionTransitionUtil.applyTransition`, `StarlarkTransition.validate`.
"""

from __future__ import annotations

from bazelscope import starlark
from bazelscope.analysis.configuration.flag_types import ValueTypeError, parse_value
from bazelscope.base.errors import LabelError
from bazelscope.base.label import MAIN_ROOT, parse_label
from bazelscope.bazel.attribute_types import AttributeType
from bazelscope.bazel.flag_catalog import FlagDefinition, FlagKind
from bazelscope.bazel.release import Release
from bazelscope.bazel.value_forms import has_form
from bazelscope.loading.evaluation.values.label_value import LabelValue

_NUMBERS = frozenset({FlagKind.INTEGER, FlagKind.LONG, FlagKind.UNKNOWN})
_WORDS = frozenset({FlagKind.BOOLEAN, FlagKind.ENUM, FlagKind.TRISTATE})
_OF_ONE_TEXT = (FlagKind.RUNS, FlagKind.STRING)
"""What one text is converted to a value of, which is no list."""
_PLAIN = frozenset({FlagKind.STRING, *_WORDS})
_OF_SETTINGS = {
    AttributeType.BOOLEAN: ("int", (bool, int)),
    AttributeType.INTEGER: ("int", (int,)),
    AttributeType.STRING: ("string", (str,)),
}


def problem_of_option(definition: FlagDefinition, value: object, release: Release) -> str:
    """What is wrong with the value of an option, if that is sure."""
    name, kind = definition.name, definition.kind
    invalid = f"Invalid value type for option '{name}'"
    is_list = isinstance(value, list | tuple)
    takes_list = definition.repeats or definition.splits_at_commas
    if isinstance(value, dict) or (is_list and not takes_list and kind in _PLAIN):
        return invalid
    if isinstance(value, bool):
        if not release.transitions_take_booleans:
            return invalid
        return invalid if kind in (FlagKind.STRING, FlagKind.ENUM) or takes_list else ""
    if isinstance(value, int):
        return "" if kind in _NUMBERS and not takes_list else invalid
    if isinstance(value, LabelValue):
        return invalid if takes_list else ""
    if isinstance(value, str) and definition.repeats and kind in _OF_ONE_TEXT:
        # What one text is converted to is no list, which the option holds.
        return f"{invalid}: it holds a list"
    if isinstance(value, str) and kind in _WORDS and not takes_list:
        try:
            parse_value(definition, value)
        except ValueTypeError as error:
            return f"OptionsParsingError for option '{name}': {error}"
    if isinstance(value, str) and not has_form(name, value, definition.bazel_version):
        return f"OptionsParsingError for option '{name}': '{value}'"
    if isinstance(value, str) and kind is FlagKind.LABEL and value and not takes_list:
        try:
            parse_label(value if value[0] in "/@" else f"//{value}", MAIN_ROOT)
        except LabelError as error:
            return f"OptionsParsingError for option '{name}': {error}"
    return ""


def problem_of_setting(kind: AttributeType, shown: str, value: object, is_repeated: bool) -> str:
    """What is wrong with the value of a build setting: texts are no numbers there."""
    wanted, types = _OF_SETTINGS.get(kind, ("", ()))
    if kind is AttributeType.STRING_LIST or (wanted and is_repeated):
        items = value if isinstance(value, list | tuple) else None
        if items is None:
            return _unexpected("list(string)", shown, value)
        wrong = [at for at, one in enumerate(items) if not isinstance(one, str)]
        if wrong and kind is not AttributeType.INTEGER:
            return _unexpected("string", f"element {wrong[0]} of {shown}", items[wrong[0]])
        return ""
    is_bool = isinstance(value, bool) and kind is not AttributeType.BOOLEAN
    if wanted and (is_bool or not isinstance(value, types)):
        return _unexpected(wanted, shown, value)
    return ""


def _unexpected(wanted: str, shown: str, value: object) -> str:
    kind = starlark.type_of(value)
    return (
        f"expected value of type '{wanted}' for {shown}, but got {starlark.repr_of(value)} ({kind})"
    )
