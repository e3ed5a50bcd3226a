"""Which named configs of the rc files meet a requirement, directly or through others."""

from __future__ import annotations

from bazelscope.analysis.conditions.atoms import ENVIRONMENT, FlagRequirement
from bazelscope.analysis.configuration.flag_types import ValueTypeError, parse_boolean, parse_value
from bazelscope.base.label import MAIN_ROOT, parse_label
from bazelscope.flags.config_effects import ConfigEffects, Setter

_DEFINE = "--define="
_BOOLEANS = frozenset({"false", "true"})


def configs_meeting(requirement: FlagRequirement, effects: ConfigEffects) -> tuple[Setter, ...]:
    """The configs under which the requirement's flag ends up with the value it needs.

    A constraint of the platform is met by a platform, so no config is listed for it.
    """
    if requirement.is_constraint:
        return ()
    what, wanted = requirement.what, requirement.wanted
    if what.startswith(_DEFINE):
        name = what.removeprefix(_DEFINE)
        return effects.define_setters(name, wanted)
    if what.startswith(ENVIRONMENT):
        text = f"{what.partition('=')[2]}={wanted}"
        return tuple(s for option in ENVIRONMENT for s in effects.setters(option[2:-1], text))
    if not what.startswith("--"):
        flag = parse_label(what, MAIN_ROOT)
        return tuple(s for s in effects.build_setting_setters(flag) if _gives(s, requirement))
    name = what.removeprefix("--")
    setters = effects.setters(name)
    definition = effects.catalog.find(name, effects.command)
    if definition is None or requirement.accumulates:
        return tuple(s for s in setters if s.instance.value == wanted)
    meeting: list[Setter] = []
    for setter in setters:
        try:
            text = parse_value(definition, setter.instance.value or "").text
        except ValueTypeError:
            continue
        if text == wanted:
            meeting.append(setter)
    return tuple(meeting)


def _gives(setter: Setter, requirement: FlagRequirement) -> bool:
    """Whether a build setting gets the value that is wanted, however it is spelt."""
    value = setter.instance.value or ""
    if requirement.accumulates:
        return requirement.wanted in value.split(",")
    if requirement.wanted in _BOOLEANS and requirement.domain:
        try:
            return str(parse_boolean(value)).lower() == requirement.wanted
        except ValueTypeError:
            return False
    return value == requirement.wanted
