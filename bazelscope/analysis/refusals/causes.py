"""What several kinds of refusals say alike: of an attribute, and why a condition holds or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazelscope.analysis.conditions.match_result import Requirement
from bazelscope.analysis.configuration.target_source import TargetSource
from bazelscope.analysis.refusals.refusal import Refusal, RefusalCause, RefusalKind
from bazelscope.base.label import Label
from bazelscope.base.nearest import meaning
from bazelscope.base.source import Location
from bazelscope.flags.flag_values import FlagInstance
from bazelscope.loading.packages.macro_homes import NAMING_RULES, MacroHome
from bazelscope.loading.packages.meant_labels import target_meant
from bazelscope.loading.packages.targets import Rule

if TYPE_CHECKING:
    from bazelscope.analysis.rules.prerequisites import Problem


def of_attribute(
    kind: RefusalKind,
    rule: Rule,
    attribute: str,
    message: str,
    remedy: str = "",
    absent: Label | None = None,
) -> Refusal:
    """The refusal of a rule for what an attribute holds, as a target that is `absent`, or for
    itself where that is empty, in Bazel's words: a private attribute has no name that users
    know."""
    shown = "(an implicit dependency)" if attribute.startswith("_") else attribute
    where = f"{shown} attribute of " if attribute else ""
    text = f"in {where}{rule.kind} {rule.label}: {message}"
    place = rule.location
    return Refusal(kind, text, rule.label, attribute, place, remedy=remedy, dependency=absent)


def of_problem(rule: Rule, problem: Problem, source: TargetSource) -> Refusal:
    """The refusal of a Starlark rule for what one of its attributes, or of an aspect on it, does
    not take; `source` knows what else there is."""
    lacks = problem.lacks_provider
    kind = RefusalKind.MISSING_PROVIDER if lacks else RefusalKind.MISPLACED
    absent = problem.absent
    remedy = meaning_of(absent, source) if absent is not None else ""
    return of_attribute(kind, rule, problem.attribute, problem.message, remedy, absent)


def meaning_of(absent: Label, source: TargetSource) -> str:
    """Returns the remedy that names the target which a label that names nothing is most like; no
    text where none is near."""
    near = target_meant(source.package(absent.package_id), absent.name)
    return meaning([near] if near is not None else []) or ""


def misnamed(label: Label, home: MacroHome, place: Location | None) -> Refusal:
    """The refusal of a target of a symbolic macro whose name does not begin with the macro's."""
    return Refusal(
        RefusalKind.MACRO_NAME,
        f"Target {label} declared in symbolic macro '{home.name}' violates macro naming rules"
        f" and cannot be built. {NAMING_RULES}",
        label,
        location=place,
        remedy=f"let its name be {home.name} or begin with {home.name}_",
    )


def absent_default(rule_class: str, absent: Label, why: str) -> str:
    """What Bazel says of a rule whose class depends on a target that is not there."""
    return (
        f"every rule of type {rule_class} implicitly depends upon the target '{absent}', but this"
        f" target could not be found because of: {why}"
    )


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
