"""Which named configs of the rc files meet a requirement, directly or through others."""

from __future__ import annotations

from bazelscope.analysis.alternatives import FlagRequirement
from bazelscope.analysis.flag_types import ValueTypeError, parse_value
from bazelscope.flags.catalog import Catalog
from bazelscope.flags.configs import Setter, define_setters, setters
from bazelscope.flags.imports import RcFiles

_DEFINE = "--define="


def configs_meeting(
    requirement: FlagRequirement, rc_files: RcFiles, catalog: Catalog, command: str = "build"
) -> tuple[Setter, ...]:
    """The configs under which the requirement's flag ends up with the value it needs.

    A constraint of the platform is met by a platform, so no config is listed for it.
    """
    if requirement.is_constraint:
        return ()
    what, wanted = requirement.what, requirement.wanted
    if what.startswith(_DEFINE):
        name = what.removeprefix(_DEFINE)
        return define_setters(rc_files, catalog, name, wanted, command=command)
    name = what.removeprefix("--")
    found = setters(rc_files, catalog, name, command=command)
    definition = catalog.find(name, command)
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
