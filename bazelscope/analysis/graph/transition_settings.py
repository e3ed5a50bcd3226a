"""The settings that a transition reads, and those that it writes into a configuration, if they may
have these values.

Bazel: `FunctionTransitionUtil`, `StarlarkTransition.validate`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bazelscope import starlark
from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.configuration.build_settings import (
    UnknownSettingError,
    current_value,
    is_build_setting,
    parse_setting,
    setting_type,
)
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.configuration.flag_types import ValueTypeError, parse_boolean, parse_value
from bazelscope.analysis.configuration.invalid_options import problems_of_directories
from bazelscope.analysis.configuration.option_values import option_value, setting_value
from bazelscope.analysis.configuration.platforms import follow_aliases, value_for_conditions
from bazelscope.analysis.configuration.starlark_options import Elements
from bazelscope.analysis.configuration.target_source import TargetSource
from bazelscope.analysis.graph.transition_steps import SET_BY
from bazelscope.base.errors import LabelError
from bazelscope.base.label import MAIN_ROOT, Label, parse_label, parse_option_label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Span
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import AttributeType
from bazelscope.bazel.flag_catalog import FlagDefinition, FlagKind
from bazelscope.bazel.native_options import is_configuration_option
from bazelscope.bazel.release import Release
from bazelscope.bazel.value_forms import has_form
from bazelscope.flags.flag_values import FlagInstance, FlagValue, FromDefault, FromRc, Origin
from bazelscope.loading.evaluation.rules.rule_transitions import (
    OPTION_PREFIX,
    ModuleSource,
    TransitionDefinition,
)
from bazelscope.loading.evaluation.values.label_value import LabelValue
from bazelscope.loading.packages.targets import Rule

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
    if kind is FlagKind.LABEL and isinstance(value, str | list | tuple):
        for text in (value,) if isinstance(value, str) else value:
            for one in text.split(",") if isinstance(text, str) and takes_list else (text,):
                try:
                    if isinstance(one, str) and one:
                        parse_option_label(one)
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


_BOOLEANS = ("false", "true")


_PLATFORMS = f"{OPTION_PREFIX}platforms"
_WITH_SPACES = {"Android configuration distinguisher": "main", "android hwasan": "false"}
"""Options that transitions alone can set, since no command line can name them, with their
defaults. Bazel: `AndroidConfiguration.Options`."""


_FOR_ANALYSIS_TEST = "evaluating for analysis test"
"""An option of Bazel's own that no command line can set. Bazel: `CoreOptions`."""


def read_setting(conditions: Conditions, source: ModuleSource, key: str) -> object:
    """The value of an input as Starlark sees it."""
    configuration = conditions.configuration
    if key.startswith(OPTION_PREFIX):
        name = key.removeprefix(OPTION_PREFIX)
        definition = configuration.definition(name)
        if not _is_of_configurations(configuration, name):
            message = f"transition inputs [{key}] do not correspond to valid settings"
            return Unknown(Reason.FAILED, key, message)
        if definition is not None:
            return option_value(source, definition, _held(configuration, name))
        held = _held(configuration, name).values[0]
        return parse_boolean(held) if held in _BOOLEANS else held
    flag = parse_label(key, MAIN_ROOT)
    rule = setting_behind(conditions, flag)
    if isinstance(rule, Unknown):
        return rule
    return setting_value(source, rule, configuration, flag)


def _is_of_configurations(configuration: Configuration, name: str) -> bool:
    """Whether a transition may name an option: none of those that a command alone has."""
    definition = configuration.definition(name)
    if definition is None:
        return name in _WITH_SPACES
    return is_configuration_option(definition, configuration.release)


def _held(configuration: Configuration, name: str) -> FlagValue:
    """The value of a native option that a transition finds."""
    value = value_for_conditions(configuration, name)
    if name in _WITH_SPACES and not value.values:
        return replace(value, values=(_WITH_SPACES[name],))
    return value


def setting_behind(conditions: Conditions, flag: Label) -> Rule | Unknown:
    actual = follow_aliases(conditions.source, flag)
    if isinstance(actual, Unknown):
        return actual
    rule = conditions.source.target(actual)
    if isinstance(rule, Rule) and is_build_setting(rule):
        return rule
    if isinstance(rule, Rule) and not rule.rule_class.is_known:
        what = f"whether {rule.rule_class.name} is a build setting"
        return Unknown(Reason.DEPENDS_ON_UNKNOWN, str(flag), f"{what} nobody can tell")
    message = f"attempting to transition on '{flag}' which is not a build setting"
    return Unknown(Reason.FAILED, str(flag), message)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The configuration that one result of a transition makes; the native options that count
    as changed; and the build settings that it wrote, changed or not, as it names them."""

    configuration: Configuration
    native: frozenset[str]
    written: Mapping[Label, Elements]


def changed_by(
    conditions: Conditions, transition: TransitionDefinition, values: Mapping[str, object]
) -> Outcome | Unknown:
    """The configuration with the values that differ from what it has."""
    configuration = conditions.configuration
    if transition.native is None:
        values = _with_platforms_cleared(configuration, values)
    native: dict[str, FlagValue] = {}
    build_settings: dict[Label, FlagValue] = {}
    written: dict[Label, Elements] = {}
    behind: set[Label] = set()
    for key, value in values.items():
        if key.startswith(OPTION_PREFIX):
            name = key.removeprefix(OPTION_PREFIX)
            definition = configuration.definition(name)
            is_native = transition.native is not None
            if not is_native and not _is_of_configurations(configuration, name):
                message = f"transition output '{key}' does not correspond to a valid setting"
                return Unknown(Reason.FAILED, key, message)
            if definition is not None and transition.native is None:
                problem = problem_of_option(definition, value, configuration.release)
                if problem:
                    return failed(transition, problem)
            texts = texts_of(value)
            if definition is not None and definition.kind is FlagKind.LABEL:
                try:
                    texts = _labels(conditions.source, transition, value)
                except LabelError as error:
                    return failed(transition, f"OptionsParsingError for option '{name}': {error}")
            made = _flag_value(configuration, transition, name, texts)
            before_it = _held(configuration, name)
            if made.values != before_it.values and not _is_same(definition, made, before_it):
                native[name] = made
            continue
        flag = parse_label(key, MAIN_ROOT)
        rule = setting_behind(conditions, flag)
        if isinstance(rule, Unknown):
            return rule
        texts = texts_of(value)
        kind = setting_type(rule)
        repeats = rule.rule_class.is_repeatable
        problem = problem_of_setting(kind, str(rule.label), value, repeats)
        if problem:
            return failed(transition, problem)
        package, release = rule.label.package_id, configuration.release
        try:
            wanted = tuple(parse_setting(text, kind, package, release)[0] for text in texts)
            before = current_value(rule, configuration, rule.label).elements
        except UnknownSettingError:
            before = None
        except ValueTypeError as error:
            return failed(transition, f"`{flag}`: {error}")
        if rule.label in behind:
            message = (
                f"Error with aliased build settings related to '{rule.label}'. Either your aliases"
                " form a dependency cycle or you're attempting to set both an alias its actual"
                " target in the same transition."
            )
            return failed(transition, message)
        behind.add(rule.label)
        written[flag] = wanted
        if wanted != before:
            made = _flag_value(configuration, transition, str(rule.label), texts)
            build_settings[rule.label] = made
    changed = configuration
    if transition.is_for_analysis_tests:
        native[_FOR_ANALYSIS_TEST] = FlagValue(_FOR_ANALYSIS_TEST, ("true",), ())
    if native or build_settings:
        changed = configuration.with_changes(native, build_settings)
        for _, message, _ in problems_of_directories(changed, native):
            return failed(transition, message)
    if transition.native is not None:
        return Outcome(changed, frozenset(), written)
    affected = frozenset(native)
    if configuration.release.unchanged_options_count:
        names = (key for key in values if key.startswith(OPTION_PREFIX))
        affected |= frozenset(key.removeprefix(OPTION_PREFIX) for key in names)
    return Outcome(changed, affected, written)


def _with_platforms_cleared(
    configuration: Configuration, values: Mapping[str, object]
) -> Mapping[str, object]:
    """What a transition sets, without any `--platforms` if it changes `--cpu` alone."""
    cpu, release = values.get(f"{OPTION_PREFIX}cpu"), configuration.release
    if cpu is None or _PLATFORMS in values or not release.cpu_clears_platforms:
        return values
    if release.same_cpu_keeps_platforms and texts_of(cpu) == _held(configuration, "cpu").values:
        return values
    return {**values, _PLATFORMS: ()}


def _labels(
    source: TargetSource, transition: TransitionDefinition, value: object
) -> tuple[str, ...]:
    """Labels, of which texts are read as in the file that makes the transition. Bazel:
    `convertOptionsLabel`. Raises `LabelError`."""
    package = transition.package
    if package is None or not source.context.release.labels_of_transitions_are_relative:
        return texts_of(value)
    mapping = source.context.mapping_of(package.repository)
    labels: list[str] = []
    for one in value if isinstance(value, list | tuple) else (value,):
        if isinstance(one, str):
            labels += (str(parse_label(part, package, mapping)) for part in one.split(",") if part)
        else:
            labels += texts_of(one)
    return tuple(labels)


def _is_same(definition: FlagDefinition | None, one: FlagValue, other: FlagValue) -> bool:
    if definition is None or definition.repeats or not one.values or not other.values:
        return False
    try:
        first = parse_value(definition, one.values[-1])
        return first.key == parse_value(definition, other.values[-1]).key
    except ValueTypeError:
        return False


def texts_of(value: object) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, list | tuple):
        return tuple(text for element in value for text in texts_of(element))
    if isinstance(value, bool):
        return (str(value).lower(),)
    return (str(value.label),) if isinstance(value, LabelValue) else (starlark.str_of(value),)


def _flag_value(
    configuration: Configuration,
    transition: TransitionDefinition,
    name: str,
    texts: tuple[str, ...],
) -> FlagValue:
    """The value, set by the transition's function."""
    origin: Origin = FromDefault(configuration.bazel_version)
    if transition.location is not None:
        path, line, column = transition.location
        span = Span(path, line, column, line, column)
        origin = FromRc(span, f"transition {transition.name}")
    definition = configuration.definition(name)
    is_one_text = definition is not None and not definition.repeats and definition.splits_at_commas
    if is_one_text and len(texts) > 1:
        texts = (",".join(texts),)
    instances = tuple(
        FlagInstance(name, text, f"{SET_BY}{transition.name}", origin, ()) for text in texts
    )
    return FlagValue(name, texts, instances)


def failed(transition: TransitionDefinition, message: str) -> Unknown:
    return Unknown(Reason.FAILED, f"transition {transition.name}", message, transition.location)
