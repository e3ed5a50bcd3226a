"""Why a build setting has its value: a flag of the project's own, named by its label."""

from __future__ import annotations

from bazelscope.analysis.configuration.build_settings import (
    current_value,
    default_value,
    is_build_setting,
    reaches_tools,
    setting_type,
)
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.configuration.flag_types import ValueTypeError
from bazelscope.analysis.configuration.given_settings import behind_aliases, nearest_settings
from bazelscope.analysis.configuration.platforms import follow_aliases
from bazelscope.base.errors import LabelError
from bazelscope.base.label import MAIN_ROOT, Label, parse_label
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import AttributeType
from bazelscope.loading.packages.targets import Absent, Rule
from bazelscope.questions.flag.answer import FlagAnswer, FlagFacts, RankedSetting, ranked_settings
from bazelscope.questions.shared.envelope import Envelope
from bazelscope.questions.shared.world import World

_TYPES = {
    AttributeType.BOOLEAN: "a boolean",
    AttributeType.INTEGER: "an integer",
    AttributeType.LABEL: "a label",
    AttributeType.STRING_LIST: "strings, separated by commas",
    AttributeType.LABEL_LIST: "labels, separated by commas",
}


def why_setting(envelope: Envelope, asked: str, world: World) -> FlagAnswer:
    """Who set the build setting whose label `asked` is, in any spelling; its default if
    nobody did. A label that is no build setting gets no facts, and neither does one of which it
    cannot be told: of that, it cannot be told either whether earlier values count."""
    text = asked.lstrip("-").partition("=")[0]
    text = text.removeprefix("no") if text.startswith(("no//", "no@")) else text
    release = world.flags.release
    try:
        written = parse_label(text, MAIN_ROOT, world.loader.table.typed_names)
    except LabelError:
        return _unknown(envelope, text, ())
    label = behind_aliases(world.loader, written, release)
    rule = world.loader.target(label)
    value = world.configuration.starlark_value(label)
    untold = follow_aliases(world.loader, label)
    if isinstance(untold, Unknown) and not isinstance(rule, Absent):
        instances = value.instances if value is not None else ()
        return FlagAnswer(
            envelope,
            text,
            None,
            (instances[-1].value or "",) if instances else (),
            tuple(RankedSetting(one, one is instances[-1]) for one in instances),
            is_default=not instances,
            suggestions=tuple(map(str, nearest_settings(world.loader, label))),
            unknown=untold,
        )
    if not isinstance(rule, Rule) or not is_build_setting(rule):
        return _unknown(envelope, text, nearest_settings(world.loader, label))
    counting = value.instances if value is not None else ()
    return FlagAnswer(
        envelope,
        text,
        _facts(rule, label, world.configuration),
        _values(rule, label, world),
        ranked_settings(counting, value.overridden if value is not None else ()),
        is_default=not counting,
    )


def _unknown(envelope: Envelope, text: str, near: tuple[Label, ...]) -> FlagAnswer:
    suggestions = tuple(map(str, near))
    return FlagAnswer(envelope, text, None, (), (), is_default=True, suggestions=suggestions)


def _values(rule: Rule, label: Label, world: World) -> tuple[str, ...]:
    try:
        return current_value(rule, world.configuration, label).texts
    except ValueTypeError:
        given = world.configuration.starlark_value(label)  # A value that is refused is told.
        return given.values if given is not None else ()


def _facts(rule: Rule, label: Label, configuration: Configuration) -> FlagFacts:
    release = configuration.release
    scope = rule.attributes.get("scope") if release.build_setting_scope else None
    try:
        default: str | None = default_value(rule, release).text
    except ValueTypeError:
        default = None
    return FlagFacts(
        name=str(label),
        abbreviation=None,
        type=_TYPES.get(setting_type(rule), "a string"),
        default=default,
        accumulates=rule.rule_class.is_repeatable,
        last_of_a_name=False,
        commands=(),
        lifetime="",
        is_certain=True,
        former_names=(),
        changes=(),
        declared_at=rule.location,
        scope=scope.value if scope is not None and isinstance(scope.value, str) else "",
        reaches_tools=reaches_tools(rule, configuration),
    )
