"""Starlark transitions applied to configurations: what they read, what they change.

A transition that sets what is set already leaves the configuration as it is; a build
setting set to its default counts as not set. Bazel: `FunctionTransitionUtil`,
`StarlarkTransition`.
"""

from __future__ import annotations

from collections.abc import Mapping

from bazelscope import starlark
from bazelscope.analysis.build_settings import (
    current_value,
    is_build_setting,
    parse_setting,
    setting_type,
)
from bazelscope.analysis.conditions import Conditions
from bazelscope.analysis.configuration import Configuration
from bazelscope.analysis.flag_types import ValueTypeError, parse_value
from bazelscope.analysis.platforms import follow_aliases
from bazelscope.analysis.selects import resolve_value
from bazelscope.flags.catalog import FlagDefinition, FlagKind
from bazelscope.flags.values import FlagInstance, FlagValue, FromDefault, FromRc, Origin
from bazelscope.label import Label, PackageId, parse_label
from bazelscope.loading.label_value import LabelValue
from bazelscope.loading.targets import Rule
from bazelscope.loading.transitions import (
    OPTION_PREFIX,
    ModuleSource,
    TransitionDefinition,
    find_transition,
    run_transition,
)
from bazelscope.loading.values import AttributeType, Selector, SelectorList
from bazelscope.source import Span
from bazelscope.unknown import Reason, Unknown

_MAIN_ROOT = PackageId("", "")
_LABELS = frozenset({"crosstool_top", "grte_top", "host_platform", "platforms"})


class Transitions:
    """Runs the transitions of rules, each one once for a configuration."""

    def __init__(self, source: object) -> None:
        self._source = source
        self._made: dict[
            tuple[Label, str | None, Configuration], tuple[Configuration, ...] | Unknown
        ] = {}

    def apply(
        self, conditions: Conditions, rule: Rule, attribute: str | None
    ) -> tuple[Configuration, ...] | Unknown:
        """The configurations that the transition of `rule` (or of its attribute) makes of
        the one of `conditions`. `Unknown` where it fails, or cannot be run."""
        key = (rule.label, attribute, conditions.configuration)
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = self._apply(conditions, rule, attribute)
        return found

    def _apply(
        self, conditions: Conditions, rule: Rule, attribute: str | None
    ) -> tuple[Configuration, ...] | Unknown:
        source = self._source
        if not isinstance(source, ModuleSource):
            detail = "a transition, which is not run"
            return Unknown(Reason.NEEDS_ANALYSIS, str(rule.label), detail, rule.location)
        transition = find_transition(source, rule.rule_class, attribute)
        if isinstance(transition, Unknown):
            return transition
        if f"{OPTION_PREFIX}define" in transition.outputs:
            return _failed(transition, "a transition may not set --define")
        settings: dict[str, object] = {}
        for key in transition.inputs:
            value = _read(conditions, source, key)
            if isinstance(value, Unknown):
                return value
            settings[key] = value
        attributes = _attributes(conditions, rule, is_own=attribute is None)
        results = run_transition(source, transition, settings, attributes)
        if isinstance(results, Unknown):
            return results
        made: list[Configuration] = []
        for values in results:
            changed = _changed(conditions, transition, values)
            if isinstance(changed, Unknown):
                return changed
            made.append(changed)
        return tuple(made)


def _attributes(conditions: Conditions, rule: Rule, is_own: bool) -> Mapping[str, object]:
    """What a transition sees of its rule. One of the rule itself runs before selects are
    resolved, so attributes that have some are not there."""
    found: dict[str, object] = {}
    for name, definition in rule.rule_class.attributes.items():
        attribute = rule.attribute(name)
        value = attribute.value if attribute is not None else definition.default
        if isinstance(value, Selector | SelectorList):
            if is_own:
                continue
            value = resolve_value(value, conditions, definition.default).value
        found[name] = value
    return found


def _read(conditions: Conditions, source: ModuleSource, key: str) -> object:
    """The value of an input as Starlark sees it."""
    configuration = conditions.configuration
    if key.startswith(OPTION_PREFIX):
        name = key.removeprefix(OPTION_PREFIX)
        definition = configuration.definition(name)
        if definition is None:
            return _unknown_setting(key)
        return _option(source, definition, configuration.value(name))
    flag = parse_label(key, _MAIN_ROOT)
    rule = _setting(conditions, flag)
    if isinstance(rule, Unknown):
        return rule
    try:
        value = current_value(rule, configuration, flag)
    except ValueTypeError as error:
        return Unknown(Reason.FAILED, key, str(error), rule.location)
    items = [_element(source, item) for item in value.elements]
    if value.is_list or setting_type(rule) is AttributeType.STRING_LIST:
        return starlark.List(items)
    return items[0] if items else None


def _element(source: ModuleSource, item: object) -> object:
    if isinstance(item, Label):
        return source.context.label_value(item)
    # A parsed number or boolean carries its type beside it, to tell 1 from True.
    return item[1] if isinstance(item, tuple) else item


def _option(source: ModuleSource, definition: FlagDefinition, value: FlagValue) -> object:
    if definition.repeats or definition.kind is FlagKind.LIST or definition.name == "platforms":
        texts = [part for text in value.values for part in _parts(definition, text)]
        return starlark.List([_text_value(source, definition, text) for text in texts])
    if value.value is None:
        return None
    return _text_value(source, definition, value.value)


def _parts(definition: FlagDefinition, text: str) -> list[str]:
    is_list = definition.kind is FlagKind.LIST or definition.name == "platforms"
    return [part for part in text.split(",") if part] if is_list else [text]


def _text_value(source: ModuleSource, definition: FlagDefinition, text: str) -> object:
    if definition.kind is FlagKind.LABEL or definition.name in _LABELS:
        spelled = text if text[:1] in "/@" else f"//{text}"
        return source.context.label_value(parse_label(spelled, _MAIN_ROOT)) if text else None
    try:
        key = parse_value(definition, text).key
    except ValueTypeError:
        return text
    is_typed = isinstance(key, tuple) and key[:1] in (("bool",), ("int",))
    return key[1] if is_typed and isinstance(key, tuple) else text


def _setting(conditions: Conditions, flag: Label) -> Rule | Unknown:
    actual = follow_aliases(conditions.source, flag)
    if isinstance(actual, Unknown):
        return actual
    rule = conditions.source.target(actual)
    if isinstance(rule, Rule) and is_build_setting(rule):
        return rule
    return _unknown_setting(str(flag))


def _unknown_setting(key: str) -> Unknown:
    return Unknown(Reason.FAILED, key, f"`{key}` is no setting that a transition may name")


def _changed(
    conditions: Conditions, transition: TransitionDefinition, values: Mapping[str, object]
) -> Configuration | Unknown:
    """The configuration with the values that differ from what it has."""
    configuration = conditions.configuration
    native: dict[str, FlagValue] = {}
    build_settings: dict[Label, FlagValue] = {}
    for key, value in values.items():
        if key.startswith(OPTION_PREFIX):
            name = key.removeprefix(OPTION_PREFIX)
            definition = configuration.definition(name)
            if definition is None:
                return _unknown_setting(key)
            made = _flag_value(configuration, transition, name, _texts(value))
            if made.values != configuration.value(name).values and not _is_same(
                definition, made, configuration.value(name)
            ):
                native[name] = made
            continue
        flag = parse_label(key, _MAIN_ROOT)
        rule = _setting(conditions, flag)
        if isinstance(rule, Unknown):
            return rule
        texts = _texts(value)
        kind = setting_type(rule)
        package, version = rule.label.package_id, configuration.bazel_version
        try:
            wanted = tuple(parse_setting(text, kind, package, version)[0] for text in texts)
            before = current_value(rule, configuration, flag)
        except ValueTypeError as error:
            return _failed(transition, f"`{flag}`: {error}")
        if wanted != before.elements:
            build_settings[flag] = _flag_value(configuration, transition, str(flag), texts)
    if not native and not build_settings:
        return configuration
    return configuration.with_changes(native, build_settings)


def _is_same(definition: FlagDefinition, one: FlagValue, other: FlagValue) -> bool:
    if definition.repeats or not one.values or not other.values:
        return False
    try:
        first = parse_value(definition, one.values[-1])
        return first.key == parse_value(definition, other.values[-1]).key
    except ValueTypeError:
        return False


def _texts(value: object) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, list | tuple):
        return tuple(text for item in value for text in _texts(item))
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
    if definition is not None and definition.name == "platforms" and len(texts) > 1:
        texts = (",".join(texts),)
    instances = tuple(
        FlagInstance(name, text, f"transition {transition.name}", origin, ()) for text in texts
    )
    return FlagValue(name, texts, instances)


def _failed(transition: TransitionDefinition, message: str) -> Unknown:
    return Unknown(Reason.FAILED, f"transition {transition.name}", message, transition.location)
