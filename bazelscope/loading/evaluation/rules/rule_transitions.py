"""The transition that a rule, or an attribute of one, was defined with: found and run.

A rule class knows its transition by name only. The object itself, with its function, lives
in the module that exports the rule; it is looked for when somebody needs it.
Bazel: `StarlarkDefinedConfigTransition`.
"""

from __future__ import annotations

import dis
from collections.abc import Iterable, Mapping
from types import FunctionType
from typing import ClassVar, Protocol, runtime_checkable

from bazelscope import starlark
from bazelscope.base.errors import LabelError, StarlarkError
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel import android_transitions
from bazelscope.bazel.apple_transitions import (
    CROSSTOOL_TRANSITION,
    SPLIT,
    NativeTransition,
    function_of,
    outputs_of,
)
from bazelscope.bazel.attribute_types import DictValue, RuleClass
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext, doubted
from bazelscope.loading.evaluation.rules.rule_values import StarlarkRule, Transition
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue

OPTION_PREFIX = "//command_line_option:"

LIMITS = starlark.Limits(steps=200_000)


@runtime_checkable
class ModuleSource(Protocol):
    """The loader, as far as transitions need it."""

    @property
    def context(self) -> EvaluationContext: ...

    def module(self, label: Label, /) -> starlark.Module | Unknown: ...

    def label_of(self, display_path: str, /) -> Label | None: ...

    def analysis_test(self, package: PackageId, name: str, /) -> StarlarkRule | None: ...


@dataclass(frozen=True, slots=True)
class TransitionDefinition:
    """A Starlark transition: its function, what it may read and what it must set; or, without
    a function, what it always sets, which is for tests of the analysis.

    Keys are `//command_line_option:NAME`, or labels of build settings in canonical text;
    `written` gives each key as the transition's own dictionaries have it, `read` those that the
    function reads under another name.
    """

    name: str
    function: object
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    written: Mapping[str, str]
    location: Location | None
    settings: Mapping[str, object] | None = None
    native: NativeTransition | None = None
    """What one of Bazel's own does, in the place of a function."""
    read: Mapping[str, str] | None = None
    package: PackageId | None = None
    """That of the file that makes it, where one does."""

    @property
    def is_for_analysis_tests(self) -> bool:
        return self.settings is not None


def find_rule(source: ModuleSource, rule_class: RuleClass) -> StarlarkRule | Unknown:
    """What `rule()` returned for a class that Starlark defines."""
    place = rule_class.defined_at[0].location
    label = source.label_of(place.path)
    rule: object = None
    if label is not None and not label.name.endswith((".bzl", ".scl")):
        rule = source.analysis_test(label.package_id, rule_class.name)
    elif label is not None:
        module = source.module(label)
        if isinstance(module, Unknown):
            return module
        rule = module.globals.get(rule_class.name)
    if not isinstance(rule, StarlarkRule):
        detail = "its rule is not found again"
        return Unknown(Reason.NOT_MODELLED, rule_class.name, detail, place)
    return rule


def find_transitions(
    source: ModuleSource, rule_class: RuleClass, attribute: str | None
) -> tuple[TransitionDefinition, ...] | Unknown:
    """The transitions of `rule_class` itself (None), its own before those of rules that it extends;
    or the one of an attribute."""
    subject = f"{rule_class.name}.{attribute}" if attribute else rule_class.name
    if not rule_class.defined_at:
        named = rule_class.transition
        if attribute is not None:
            named = rule_class.attributes[attribute].transition
        native = _native(named, subject, None)
        return native if isinstance(native, Unknown) else (native,)
    place = rule_class.defined_at[0].location
    rule = find_rule(source, rule_class)
    if isinstance(rule, Unknown):
        return rule
    if attribute is None:
        cfgs = (rule.options.get("cfg"), *rule.options.get("following_cfgs", ()))
    else:
        spec = rule.specs.get(attribute)
        cfgs = (spec.cfg if spec is not None else None,)
    transitions: list[TransitionDefinition] = []
    for cfg in cfgs:
        if isinstance(cfg, UnknownValue):
            return cfg.as_unknown()
        if isinstance(cfg, Transition):
            made = _definition(source.context, cfg)
        else:
            made = _native(getattr(cfg, "transition_name", None), subject, place)
        if isinstance(made, Unknown):
            return made
        transitions.append(made)
    return tuple(transitions)


def _native(
    name: str | None, subject: str, place: Location | None
) -> TransitionDefinition | Unknown:
    """A transition of Bazel's own."""
    options: tuple[str, ...]
    native: NativeTransition
    if name == android_transitions.MULTI_CPU:
        options, native = android_transitions.OUTPUTS, android_transitions.split
    elif name in (CROSSTOOL_TRANSITION, SPLIT):
        options, native = outputs_of(name), function_of(name)
    else:
        detail = f"{name or 'it'} is a transition of Bazel's own"
        return Unknown(Reason.NOT_MODELLED, subject, detail, place)
    outputs = tuple(f"{OPTION_PREFIX}{option}" for option in options)
    return TransitionDefinition(name, None, (), outputs, {}, None, native=native)


def _definition(
    context: EvaluationContext, transition: Transition
) -> TransitionDefinition | Unknown:
    package = transition.package
    written: dict[str, str] = {}
    keys: dict[str, str] = {}
    for text in (*transition.inputs, *transition.outputs):
        key = text
        if not text.startswith(OPTION_PREFIX):
            try:
                mapping = context.mapping_of(package.repository)
                key = str(parse_label(text, package, mapping))
            except LabelError as error:
                return Unknown(Reason.FAILED, transition.transition_name, str(error))
        keys[text] = key
        written[key] = text
    if transition.unknown is not None:
        return transition.unknown
    function = transition.implementation
    if transition.settings is not None:
        settings = {keys[text]: value for text, value in transition.settings.items()}
        name = transition.transition_name
        return TransitionDefinition(
            name, None, (), tuple(settings), written, None, settings, package=package
        )
    if not isinstance(function, FunctionType):
        kind = starlark.type_of(function)
        detail = f"its implementation is a {kind}, not a function"
        return Unknown(Reason.FAILED, transition.transition_name, detail)
    return TransitionDefinition(
        transition.transition_name,
        function,
        tuple(keys[text] for text in transition.inputs),
        tuple(keys[text] for text in transition.outputs),
        written,
        starlark.definition(function).location,
        read={keys[text]: text for text in transition.inputs if written[keys[text]] != text},
        package=package,
    )


@dataclass(slots=True, eq=False, repr=False)
class AttributeValues(starlark.Value):
    """The second argument of a transition: the attributes of the rule that it belongs to."""

    starlark_type: ClassVar[str] = "struct"
    _context: EvaluationContext
    _values: Mapping[str, object]
    _is_of_rule: bool

    def get_attr(self, name: str) -> object:
        if name not in self._values:
            raise AttributeError(name)
        value = as_starlark(self._context, self._values[name])
        starlark.freeze(value)
        return value

    def attr_names(self) -> Iterable[str]:
        return sorted(self._values)

    def words_of_missing(self, name: str) -> str | None:
        """Bazel: `StarlarkRuleTransitionProvider`. Measured: 4.2.3."""
        if not self._is_of_rule:
            return None
        return f"No attribute '{name}'. Either this attribute does not exist for this rule or " + (
            "the attribute was not resolved because it is set by a select that reads flags the"
            " transition may set."
            if self._context.release.rule_transitions_see_selects
            else "is set by a select. Starlark rule transitions currently cannot read attributes"
            " behind selects."
        )


def as_starlark(context: EvaluationContext, value: object) -> object:
    """A plain attribute value as Starlark code sees it."""
    if isinstance(value, Label):
        return context.label_value(value)
    if isinstance(value, Unknown):
        return UnknownValue(value, value.subject, context)
    if isinstance(value, tuple):
        return starlark.List([as_starlark(context, element) for element in value])
    if isinstance(value, DictValue):
        return starlark.Dict(
            {as_starlark(context, k): as_starlark(context, v) for k, v in value.items}
        )
    return value


def run_transition(
    source: ModuleSource,
    transition: TransitionDefinition,
    settings: Mapping[str, object],
    attributes: Mapping[str, object],
    is_of_rule: bool,
) -> tuple[Mapping[str, object], ...] | Unknown:
    """What a transition sets, once for each configuration that it makes, by canonical key.

    `settings` are the values of its inputs, by canonical key; `is_of_rule`: it is the rule's own,
    not that of an attribute. A transition that fails, or that sets something else than its
    outputs, is unknown with Bazel's reason.
    """
    if transition.settings is not None:
        return (transition.settings,)
    context = source.context
    thread = starlark.Thread(LIMITS)
    names = {**transition.written, **(transition.read or {})}
    given = starlark.Dict({names[key]: one for key, one in settings.items()})
    starlark.freeze(given)
    for name, one in given.items():
        if isinstance(one, list):
            dict.__setitem__(given, name, starlark.List(one))  # Of its lists it hands out copies.
    try:
        with context.evaluating():
            seen = AttributeValues(context, attributes, is_of_rule)
            result = starlark.call(transition.function, (given, seen), {}, thread)
    except StarlarkError as error:
        doubt = doubted(error.diagnostic, context.doubtful_files)
        for decided in thread.doubts.values():
            doubt = doubt or (decided if isinstance(decided, Unknown) else None)
        if doubt is not None:
            return doubt
        return _failed(transition, error.diagnostic.message)
    if isinstance(result, UnknownValue):
        return result.as_unknown()
    if context.release.transitions_may_set_nothing and (result is None or result == {}):
        return ({},)
    made: list[Mapping[str, object]] = []
    for one in _results(result):
        if not isinstance(one, dict):
            message = "Transition function must return a dictionary or list of dictionaries."
            return _failed(transition, message)
        unknown = next((key for key in one if isinstance(key, UnknownValue)), None)
        if unknown is not None:
            return unknown.as_unknown()
        keys = {text: key for key, text in transition.written.items()}
        unexpected = [key for key in one if keys.get(key) not in transition.outputs]
        if unexpected:
            key = unexpected[0]
            shown = key if isinstance(key, str) else starlark.repr_of(key)
            message = f"transition function returned undeclared output '{shown}'"
            return _failed(transition, message)
        values = {keys[key]: value for key, value in one.items()}
        missing = [transition.written[key] for key in transition.outputs if key not in values]
        if missing:
            message = (
                f"transition outputs [{', '.join(missing)}] were not defined by transition function"
            )
            return _failed(transition, message)
        for value in values.values():
            if isinstance(value, UnknownValue):
                return value.as_unknown()
        made.append(values)
    return tuple(made)


def takes_parameter(transition: TransitionDefinition, number: int) -> bool:
    """Whether the function of a transition does anything with a parameter of its own."""
    function = transition.function
    if transition.native is not None:
        return True
    if not isinstance(function, FunctionType):
        return False
    code = function.__code__
    if code.co_argcount <= number:
        return True
    name = code.co_varnames[number]
    return name in (*code.co_cellvars, *code.co_freevars) or any(
        one.argval == name and one.opname.startswith("LOAD") for one in dis.get_instructions(code)
    )


def _results(result: object) -> list[object]:
    """One dictionary of settings; a list of them; or a dictionary of them, by name."""
    if isinstance(result, dict):
        inner = list(result.values())
        if inner and all(isinstance(one, dict) for one in inner):
            odd = next((key for key in result if not isinstance(key, str)), None)
            return inner if odd is None else [result]
        return [result]
    return list(result) if isinstance(result, list | tuple) else [result]


def _failed(transition: TransitionDefinition, message: str) -> Unknown:
    return Unknown(Reason.FAILED, f"transition {transition.name}", message, transition.location)
