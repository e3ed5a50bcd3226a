"""Starlark transitions applied to configurations: what they read, what they change.

A transition that sets what is set already leaves the configuration as it is; a build
setting set to its default counts as not set. Bazel: `FunctionTransitionUtil`,
`StarlarkTransition`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from bazelscope import starlark
from bazelscope.analysis.conditions.config_settings import without_aliases
from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.conditions.select_choice import NoBranch, resolve_value
from bazelscope.analysis.configuration.build_settings import (
    UnknownSettingError,
    current_value,
    default_value,
    is_build_setting,
    parse_setting,
    setting_type,
)
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.configuration.flag_types import ValueTypeError, parse_boolean, parse_value
from bazelscope.analysis.configuration.option_values import option_value, setting_element
from bazelscope.analysis.configuration.platforms import follow_aliases, target_platform_label
from bazelscope.analysis.configuration.starlark_options import (
    Elements,
    NamedSetting,
    StarlarkOptions,
)
from bazelscope.base.label import MAIN_ROOT, Label, parse_label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.source import Span
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import (
    DEFAULT_CONDITION,
    AttributeType,
    Selector,
    SelectorList,
)
from bazelscope.bazel.flag_catalog import FlagDefinition
from bazelscope.bazel.native_options import is_configuration_option
from bazelscope.flags.flag_values import FlagInstance, FlagValue, FromDefault, FromRc, Origin
from bazelscope.loading.evaluation.rules.rule_transitions import (
    OPTION_PREFIX,
    ModuleSource,
    TransitionDefinition,
    find_transition,
    run_transition,
    takes_parameter,
)
from bazelscope.loading.evaluation.values.label_value import LabelValue
from bazelscope.loading.packages.targets import Rule

SET_BY = "transition "
"""How the text of a value begins that a transition sets."""
_TOO_MANY = "a rule's own transition makes one configuration, not several"
_FOR_ANALYSIS_TEST = "evaluating for analysis test"
"""An option of Bazel's own that no command line can set. Bazel: `CoreOptions`."""


class Step(NamedTuple):
    """One transition on the way to a target: of an attribute of `rule`, or of the rule
    itself (`attribute` is None)."""

    rule: Rule
    attribute: str | None


class Transitions:
    """Runs the transitions of rules, each one once for a configuration."""

    def __init__(self, source: object) -> None:
        self._source = source
        self._made: dict[tuple[object, ...], tuple[Configuration, ...] | Unknown] = {}
        self.outputs: set[str] = set()
        """What those that were applied so far declare to set."""
        self.are_told = True
        """Whether that is known of all of them."""

    def apply(
        self, conditions: Conditions, steps: tuple[Step, ...]
    ) -> tuple[Configuration, ...] | Unknown:
        """The configurations that the transitions make one after the other of the one of
        `conditions`. `Unknown` where one fails, or cannot be run.

        The attribute's and the rule's are one composed transition to Bazel.
        """
        key = (conditions.configuration, *((s.rule.label, s.attribute) for s in steps))
        result = self._made.get(key)
        if result is None:
            result = self._made[key] = self._apply(conditions, steps)
            self.are_told = self.are_told and not isinstance(result, Unknown)
        return result

    def _apply(
        self, conditions: Conditions, steps: tuple[Step, ...]
    ) -> tuple[Configuration, ...] | Unknown:
        source = self._source
        if not isinstance(source, ModuleSource):
            detail = "a transition, which is not run"
            rule = steps[0].rule
            return Unknown(Reason.NEEDS_ANALYSIS, str(rule.label), detail, rule.location)
        transitions: list[TransitionDefinition] = []
        for step in steps:
            transition = find_transition(source, step.rule.rule_class, step.attribute)
            if isinstance(transition, Unknown):
                return transition
            if f"{OPTION_PREFIX}define" in transition.outputs:
                return _failed(transition, "a transition may not set --define")
            transitions.append(transition)
            self.outputs.update(transition.outputs)
        options = _starlark_options(conditions, transitions)
        if isinstance(options, Unknown):
            return options
        states = [(conditions.configuration, options)]
        for step, transition in zip(steps, transitions, strict=True):
            following: list[tuple[Configuration, StarlarkOptions | None]] = []
            for configuration, held in states:
                own = conditions
                if configuration is not conditions.configuration:
                    own = Conditions(conditions.source, configuration, conditions.provided)
                results = _run(source, own, step, transition)
                if isinstance(results, Unknown):
                    return results
                if step.attribute is None and len(results) != 1:
                    return _failed(transition, _TOO_MANY)
                for values in results:
                    outcome = _changed(own, transition, values)
                    if isinstance(outcome, Unknown):
                        return outcome
                    after, made = held, outcome.configuration
                    if held is not None:
                        after, made = held.after(made, outcome.native, outcome.written)
                    following.append((made, after))
            states = following
        return tuple(
            configuration if held is None else held.settle(configuration)
            for configuration, held in states
        )

    def shown(self, conditions: Conditions, steps: tuple[Step, ...]) -> tuple[Held, ...] | Unknown:
        """What `cquery --transitions` says that they make: settings that nothing has set are
        not there, and a transition that fails changes nothing. `Unknown` where one cannot
        be run. Bazel: `TransitionsOutputFormatterCallback`, which applies them once more."""
        source = self._source
        assert isinstance(source, ModuleSource)
        try:
            own = conditions.configuration
            states = [(own, StarlarkOptions.before(own, _held_settings(conditions), ()))]
        except ValueTypeError as error:
            return Unknown(Reason.FAILED, "transition", str(error))
        for step in steps:
            following: list[tuple[Configuration, StarlarkOptions]] = []
            for configuration, options in states:
                inside = Conditions(conditions.source, configuration, conditions.provided)
                made = _shown_step(source, inside, options, step)
                if isinstance(made, Unknown):
                    if made.reason is not Reason.FAILED:
                        return made
                    made = [(configuration, options)]
                following += made
            states = following
        return tuple((configuration, options.held) for configuration, options in states)


Held = tuple[Configuration, Mapping[Label, Elements]]
"""A configuration, and the settings that it holds."""


def _shown_step(
    source: ModuleSource, conditions: Conditions, options: StarlarkOptions, step: Step
) -> list[tuple[Configuration, StarlarkOptions]] | Unknown:
    transition = find_transition(source, step.rule.rule_class, step.attribute)
    if isinstance(transition, Unknown):
        return transition
    for key in transition.inputs:
        if not key.startswith(OPTION_PREFIX) and parse_label(key, MAIN_ROOT) not in options.held:
            return _failed(transition, f"`{key}` is not set")
    results = _run(source, conditions, step, transition)
    if isinstance(results, Unknown):
        return results
    shown: list[tuple[Configuration, StarlarkOptions]] = []
    for values in results:
        outcome = _changed(conditions, transition, values)
        if isinstance(outcome, Unknown):
            return outcome
        after, made = options.after(outcome.configuration, outcome.native, outcome.written)
        shown.append((made, after))
    return shown


def constant_outputs(
    conditions: Conditions, source: ModuleSource, step: Step, transition: TransitionDefinition
) -> Mapping[str, tuple[str, ...]]:
    """The values that a transition sets whatever the flags: those of a function that looks at
    no setting, nor at an attribute that is a select()."""
    if transition.native is not None or (transition.inputs and takes_parameter(transition, 0)):
        return {}
    rule = step.rule
    has_select = any(
        isinstance(attribute.value, Selector | SelectorList)
        for attribute in rule.attributes.values()
    )
    sees_selects = step.attribute is not None or _sees_selects(conditions)
    if has_select and sees_selects and takes_parameter(transition, 1):
        return {}
    attributes = _SeenAttributes(conditions, step, transition)
    settings = dict.fromkeys(transition.inputs)
    results = run_transition(source, transition, settings, attributes)
    if isinstance(results, Unknown) or not results:
        return {}
    first = {key: _texts(value) for key, value in results[0].items()}
    return {
        key: texts
        for key, texts in first.items()
        if all(_texts(other[key]) == texts for other in results[1:])
    }


def _run(
    source: ModuleSource, conditions: Conditions, step: Step, transition: TransitionDefinition
) -> tuple[Mapping[str, object], ...] | Unknown:
    settings: dict[str, object] = {}
    if transition.native is not None:
        values = conditions.configuration.value
        held = _SeenAttributes(conditions, step, transition)
        made = transition.native(lambda name: values(name).values, held)
        return tuple(
            {f"{OPTION_PREFIX}{name}": texts for name, texts in one.items()} for one in made
        )
    for key in transition.inputs:
        value = _read(conditions, source, key)
        if isinstance(value, Unknown):
            return value
        settings[key] = value
    attributes = _SeenAttributes(conditions, step, transition)
    results = run_transition(source, transition, settings, attributes)
    return results if isinstance(results, Unknown) else tuple(results)


def _starlark_options(
    conditions: Conditions, transitions: Iterable[TransitionDefinition]
) -> StarlarkOptions | Unknown | None:
    """What older Bazels hold explicitly; None for newer ones."""
    configuration = conditions.configuration
    release = configuration.release
    if not release.holds_defaults_explicitly:
        return None
    named: list[NamedSetting] = []
    try:
        for transition in transitions:
            outputs = frozenset(transition.outputs)
            for key in dict.fromkeys((*transition.inputs, *transition.outputs)):
                if key.startswith(OPTION_PREFIX):
                    continue
                label = parse_label(key, MAIN_ROOT)
                rule = _setting(conditions, label)
                if isinstance(rule, Unknown):
                    return rule
                default = default_value(rule, release).elements
                named.append(NamedSetting(label, rule, default, key in outputs))
        return StarlarkOptions.before(configuration, _held_settings(conditions), named)
    except UnknownSettingError as error:
        return error.unknown
    except ValueTypeError as error:
        return Unknown(Reason.FAILED, "transition", str(error))


def _held_settings(conditions: Conditions) -> dict[Label, Rule]:
    """The rules of the settings that a configuration has."""
    configuration = conditions.configuration
    settings: dict[Label, Rule] = {}
    for label in configuration.starlark_flags() | configuration.explicit_defaults:
        setting = _setting(conditions, label)
        if isinstance(setting, Rule):
            settings[label] = setting
    return settings


class _SeenAttributes(Mapping[str, object]):
    """What a transition sees of its rule, found out of each attribute when it is asked for. One of
    the rule itself runs before selects are resolved: attributes that have some are not there, or
    only if it cannot change which branch is taken."""

    def __init__(
        self, conditions: Conditions, step: Step, transition: TransitionDefinition
    ) -> None:
        self._conditions = conditions
        self._step = step
        self._transition = transition
        self._found: dict[str, object] = {}

    def __getitem__(self, name: str) -> object:
        if name not in self._found:
            self._found[name] = self._value(name)
        value = self._found[name]
        if value is _UNSEEN:
            raise KeyError(name)
        return value

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._step.rule.rule_class.attributes if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _value(self, name: str) -> object:
        rule = self._step.rule
        definition = rule.rule_class.attributes.get(name)
        if definition is None:
            return _UNSEEN
        value = rule.value(name, definition.default)
        if not isinstance(value, Selector | SelectorList):
            return value
        conditions, is_of_rule = self._conditions, self._step.attribute is None
        if is_of_rule and not _is_seen(conditions, value, self._transition.outputs):
            return _UNSEEN
        resolved = resolve_value(value, conditions, definition.default)
        if is_of_rule and any(isinstance(choice, NoBranch) for choice in resolved.choices):
            return _UNSEEN
        return resolved.value


_UNSEEN = object()
"""Stands for an attribute that is not there, or that the transition does not see."""


def _sees_selects(conditions: Conditions) -> bool:
    return conditions.release.rule_transitions_see_selects


def _is_seen(
    conditions: Conditions, value: Selector | SelectorList, outputs: Collection[str]
) -> bool:
    """Whether the transition of a rule itself, which may set `outputs`, sees a select()."""
    if not _sees_selects(conditions):
        return False
    parts = value.parts if isinstance(value, SelectorList) else (value,)
    branches = [branch for part in parts if isinstance(part, Selector) for branch in part.branches]
    keys = {branch.condition for branch in branches} - {DEFAULT_CONDITION}
    for key in keys:
        entries = conditions.entries_of(key)
        if entries is None:  # Then its branch is taken or not by what cannot be told.
            continue
        asked = without_aliases(conditions.source, entries)
        names = {f"{OPTION_PREFIX}{name}" for name, _ in asked.native}
        names.update(str(flag) for flag, _ in (*entries.flags, *asked.flags))
        if not names.isdisjoint(outputs):
            return False
    return bool(keys)


def _read(conditions: Conditions, source: ModuleSource, key: str) -> object:
    """The value of an input as Starlark sees it."""
    configuration = conditions.configuration
    if key.startswith(OPTION_PREFIX):
        name = key.removeprefix(OPTION_PREFIX)
        definition = configuration.definition(name)
        if not _is_of_configurations(configuration, name):
            return _unknown_setting(key)
        if definition is not None:
            return option_value(source, definition, _held(configuration, name))
        held = _held(configuration, name).values[0]
        return parse_boolean(held) if held in _BOOLEANS else held
    flag = parse_label(key, MAIN_ROOT)
    rule = _setting(conditions, flag)
    if isinstance(rule, Unknown):
        return rule
    try:
        value = current_value(rule, configuration, flag)
    except UnknownSettingError as error:
        return error.unknown
    except ValueTypeError as error:
        return Unknown(Reason.FAILED, key, str(error), rule.location)
    items = [setting_element(source, element) for element in value.elements]
    if value.is_list or setting_type(rule) is AttributeType.STRING_LIST:
        return starlark.List(items)
    return items[0] if items else None


_BOOLEANS = ("false", "true")
_WITH_SPACES = {"Android configuration distinguisher": "main", "android hwasan": "false"}
"""Options that transitions alone can set, since no command line can name them, with their
defaults. Bazel: `AndroidConfiguration.Options`."""


def _is_of_configurations(configuration: Configuration, name: str) -> bool:
    """Whether a transition may name an option: none of those that a command alone has."""
    definition = configuration.definition(name)
    if definition is None:
        return name in _WITH_SPACES
    return is_configuration_option(definition, configuration.release)


def _held(configuration: Configuration, name: str) -> FlagValue:
    """The value of a native option that a transition finds: without `--platforms`, the platform
    that is built for. Bazel: `PlatformMappingValue`. Measured: 0.26.1, 2.1.0, 4.2.3."""
    value = configuration.value(name)
    if name in _WITH_SPACES and not value.values:
        return replace(value, values=(_WITH_SPACES[name],))
    if name != "platforms" or value.value:
        return value
    platform = target_platform_label(configuration)
    return value if isinstance(platform, Unknown) else replace(value, values=(str(platform),))


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


@dataclass(frozen=True, slots=True)
class _Outcome:
    """The configuration that one result of a transition makes; the native options that count
    as changed; and the build settings that it wrote, changed or not, as it names them."""

    configuration: Configuration
    native: frozenset[str]
    written: Mapping[Label, Elements]


def _changed(
    conditions: Conditions, transition: TransitionDefinition, values: Mapping[str, object]
) -> _Outcome | Unknown:
    """The configuration with the values that differ from what it has."""
    # Few workspaces have transitions: what checks their values is imported where there is one.
    from bazelscope.analysis.graph.transition_values import problem_of_option, problem_of_setting

    configuration = conditions.configuration
    native: dict[str, FlagValue] = {}
    build_settings: dict[Label, FlagValue] = {}
    written: dict[Label, Elements] = {}
    for key, value in values.items():
        if key.startswith(OPTION_PREFIX):
            name = key.removeprefix(OPTION_PREFIX)
            definition = configuration.definition(name)
            is_native = transition.native is not None
            if not is_native and not _is_of_configurations(configuration, name):
                return _unknown_setting(key)
            if definition is not None and transition.native is None:
                problem = problem_of_option(definition, value, configuration.release)
                if problem:
                    return _failed(transition, problem)
            made = _flag_value(configuration, transition, name, _texts(value))
            before_it = _held(configuration, name)
            if made.values != before_it.values and not _is_same(definition, made, before_it):
                native[name] = made
            continue
        flag = parse_label(key, MAIN_ROOT)
        rule = _setting(conditions, flag)
        if isinstance(rule, Unknown):
            return rule
        texts = _texts(value)
        kind = setting_type(rule)
        repeats = rule.rule_class.is_repeatable
        problem = problem_of_setting(kind, str(rule.label), value, repeats)
        if problem:
            return _failed(transition, problem)
        package, release = rule.label.package_id, configuration.release
        try:
            wanted = tuple(parse_setting(text, kind, package, release)[0] for text in texts)
            before = current_value(rule, configuration, rule.label).elements
        except UnknownSettingError:
            before = None
        except ValueTypeError as error:
            return _failed(transition, f"`{flag}`: {error}")
        written[flag] = wanted
        if wanted != before:
            made = _flag_value(configuration, transition, str(rule.label), texts)
            build_settings[rule.label] = made
    changed = configuration
    if transition.is_for_analysis_tests:
        native[_FOR_ANALYSIS_TEST] = FlagValue(_FOR_ANALYSIS_TEST, ("true",), ())
    if native or build_settings:
        changed = configuration.with_changes(native, build_settings)
    if transition.native is not None:
        return _Outcome(changed, frozenset(), written)
    affected = frozenset(native)
    if configuration.release.unchanged_options_count:
        names = (key for key in values if key.startswith(OPTION_PREFIX))
        affected |= frozenset(key.removeprefix(OPTION_PREFIX) for key in names)
    return _Outcome(changed, affected, written)


def _is_same(definition: FlagDefinition | None, one: FlagValue, other: FlagValue) -> bool:
    if definition is None or definition.repeats or not one.values or not other.values:
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
        return tuple(text for element in value for text in _texts(element))
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


def _failed(transition: TransitionDefinition, message: str) -> Unknown:
    return Unknown(Reason.FAILED, f"transition {transition.name}", message, transition.location)
