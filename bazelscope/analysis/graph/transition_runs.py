"""Transitions run one after the other: what each sees of its rule, what they come to.

A transition that sets what is set already leaves the configuration as it is; a build
setting set to its default counts as not set. Bazel: `FunctionTransitionUtil`,
`StarlarkTransition`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from bazelscope.analysis.conditions.config_settings import without_aliases
from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.conditions.select_choice import NoBranch, resolve_value
from bazelscope.analysis.configuration.build_settings import UnknownSettingError, default_value
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.configuration.flag_types import ValueTypeError
from bazelscope.analysis.configuration.starlark_options import (
    Elements,
    NamedSetting,
    StarlarkOptions,
)
from bazelscope.analysis.graph.transition_settings import (
    changed_by,
    failed,
    read_setting,
    setting_behind,
    texts_of,
)
from bazelscope.analysis.graph.transition_steps import Step
from bazelscope.base.label import MAIN_ROOT, Label, parse_label
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import DEFAULT_CONDITION, Selector, SelectorList, selectors_of
from bazelscope.loading.evaluation.rules.rule_transitions import (
    OPTION_PREFIX,
    ModuleSource,
    TransitionDefinition,
    find_transitions,
    run_transition,
    takes_parameter,
)
from bazelscope.loading.packages.targets import Rule

Held = tuple[Configuration, Mapping[Label, Elements]]
"""A configuration, and the settings that it holds."""

_TOO_MANY = "Rule transition only allowed to return a single transitioned configuration."


def apply_steps(
    source: object, conditions: Conditions, steps: tuple[Step, ...], outputs: set[str]
) -> tuple[Configuration, ...] | Unknown:
    """The configurations that transitions make one after the other; `outputs` gets what they
    declare to set. `Unknown` where one fails, or cannot be run."""
    if not isinstance(source, ModuleSource):
        detail = "a transition, which is not run"
        rule = steps[0].rule
        return Unknown(Reason.NEEDS_ANALYSIS, str(rule.label), detail, rule.location)
    transitions: list[tuple[Step, TransitionDefinition]] = []
    for step in steps:
        of_step = find_transitions(source, step.rule.rule_class, step.attribute)
        if isinstance(of_step, Unknown):
            return of_step
        for transition in of_step:
            if f"{OPTION_PREFIX}define" in transition.outputs:
                return failed(
                    transition,
                    "Starlark transition on --define not supported - try using build settings",
                )
            transitions.append((step, transition))
            outputs.update(transition.outputs)
    options = _starlark_options(conditions, [transition for _, transition in transitions])
    if isinstance(options, Unknown):
        return options
    states = [(conditions.configuration, options)]
    for step, transition in transitions:
        following: list[tuple[Configuration, StarlarkOptions | None]] = []
        for configuration, held in states:
            own = conditions
            if configuration is not conditions.configuration:
                own = Conditions(conditions.source, configuration, conditions.provided)
            results = _run(source, own, step, transition)
            if isinstance(results, Unknown):
                return results
            if step.attribute is None and len(results) != 1:
                return failed(transition, _TOO_MANY)
            for values in results:
                outcome = changed_by(own, transition, values)
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


def shown_steps(
    source: object, conditions: Conditions, steps: tuple[Step, ...]
) -> tuple[Held, ...] | Unknown:
    """What `cquery --transitions` says that they make: settings that nothing has set are
    not there, and a transition that fails changes nothing. `Unknown` where one cannot
    be run. Bazel: `TransitionsOutputFormatterCallback`, which applies them once more."""
    assert isinstance(source, ModuleSource)
    try:
        own = conditions.configuration
        states = [(own, StarlarkOptions.before(own, _held_settings(conditions), ()))]
    except ValueTypeError as error:
        return Unknown(Reason.FAILED, "transition", str(error))
    for step in steps:
        transitions = find_transitions(source, step.rule.rule_class, step.attribute)
        if isinstance(transitions, Unknown) and transitions.reason is not Reason.FAILED:
            return transitions
        for transition in () if isinstance(transitions, Unknown) else transitions:
            following: list[tuple[Configuration, StarlarkOptions]] = []
            for configuration, options in states:
                inside = Conditions(conditions.source, configuration, conditions.provided)
                made = _shown_step(source, inside, options, step, transition)
                if isinstance(made, Unknown):
                    if made.reason is not Reason.FAILED:
                        return made
                    made = [(configuration, options)]
                following += made
            states = following
    return tuple((configuration, options.held) for configuration, options in states)


def _shown_step(
    source: ModuleSource,
    conditions: Conditions,
    options: StarlarkOptions,
    step: Step,
    transition: TransitionDefinition,
) -> list[tuple[Configuration, StarlarkOptions]] | Unknown:
    for key in transition.inputs:
        if not key.startswith(OPTION_PREFIX) and parse_label(key, MAIN_ROOT) not in options.held:
            return failed(transition, f"`{key}` is not set")
    results = _run(source, conditions, step, transition)
    if isinstance(results, Unknown):
        return results
    shown: list[tuple[Configuration, StarlarkOptions]] = []
    for values in results:
        outcome = changed_by(conditions, transition, values)
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
    results = run_transition(source, transition, settings, attributes, step.attribute is None)
    if isinstance(results, Unknown) or not results:
        return {}
    first = {key: texts_of(value) for key, value in results[0].items()}
    return {
        key: texts
        for key, texts in first.items()
        if all(texts_of(other[key]) == texts for other in results[1:])
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
        value = read_setting(conditions, source, key)
        if isinstance(value, Unknown):
            return value
        settings[key] = value
    attributes = _SeenAttributes(conditions, step, transition)
    results = run_transition(source, transition, settings, attributes, step.attribute is None)
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
                rule = setting_behind(conditions, label)
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
        setting = setting_behind(conditions, label)
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
    branches = (branch for selector in selectors_of(value) for branch in selector.branches)
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
