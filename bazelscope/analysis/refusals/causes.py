"""Why a condition holds or does not, as a link of a refusal's chain of causes."""

from __future__ import annotations

from bazelscope.analysis.conditions.match_result import Requirement
from bazelscope.analysis.refusals.refusal import RefusalCause
from bazelscope.base.label import Label
from bazelscope.flags.flag_values import FlagInstance


def cause_of(requirement: Requirement, condition: Label) -> RefusalCause:
    """One entry of the setting `condition`, and what has set the value that it asks about."""
    asked = f"{requirement.what}={requirement.wanted}"
    setter, provided_by = requirement.set_by, requirement.provided_by
    origin = set_by(setter) if provided_by is None else ", by its implementation"
    if requirement.holds:
        text = f"{condition} holds: {asked}{origin}"
    elif requirement.got is None:
        text = f"{condition} does not hold: {asked} is not set"
    else:
        got = f"{requirement.got}{origin}"
        text = f"{condition} does not hold: it wants {asked}, got {got}"
    return RefusalCause(text, provided_by if setter is None else setter.location)


def set_by(setter: FlagInstance | None) -> str:
    """What has set a value, behind what is said of it: the chain of flags that expand to it."""
    if setter is None:
        return ", the default"
    chain = [instance.text for instance in setter.chain[:-1]]
    return f", by {' -> '.join(chain)}" if chain else ""
