"""Which named configs of the rc files meet a requirement, directly or through others."""

from __future__ import annotations

from bazelscope.analysis.alternatives import FlagRequirement
from bazelscope.analysis.flag_types import ValueTypeError, parse_value
from bazelscope.flags.configs import ConfigEffects, Setter

_DEFINE = "--define="


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
    name = what.removeprefix("--")
    found = effects.setters(name)
    definition = effects.catalog.find(name, effects.command)
    if definition is None or requirement.accumulates:
        return tuple(s for s in found if s.instance.value == wanted)
    meeting: list[Setter] = []
    for setter in found:
        try:
            text = parse_value(definition, setter.instance.value or "").text
        except ValueTypeError:
            continue
        if text == wanted:
            meeting.append(setter)
    return tuple(meeting)
