"""Flags that meet an alternative: what it needs, and other values for what it forbids.

A combination that must not hold is often in force anyway: `cpu` is `k8` by default, and
the default branch of a select() on `k8` is wanted. Then one of its members takes another
value: the flag's other one where it has two, its default, or a value that something else
asks for. A value that nobody mentions is not made up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bazelscope.analysis.conditions.atoms import FlagRequirement, in_force, sorted_needs
from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.configuration.build_settings import DEFAULT_ATTRIBUTE
from bazelscope.analysis.configuration.flag_types import ValueTypeError, parse_value
from bazelscope.analysis.paths.alternatives import Alternative
from bazelscope.base.label import PackageId, parse_label
from bazelscope.loading.packages.targets import Rule

_Values = dict[tuple[str, bool], FlagRequirement]
# Choices tried before it is given up: what must not hold is rarely in force at all.
_MAX_TRIES = 500
_DEFINE = "--define="
_ROOT = PackageId("", "")


class Witness:
    """Finds values under one configuration; `known` are requirements seen elsewhere, whose
    values may serve."""

    def __init__(self, conditions: Conditions, known: tuple[FlagRequirement, ...] = ()) -> None:
        self._conditions = conditions
        self._known = known
        self._got: dict[tuple[str, bool], str | None] = {}

    def find(self, alternative: Alternative) -> tuple[FlagRequirement, ...] | None:
        """The values to set so that `alternative` holds, sorted; empty if it holds anyway.

        None if no values that are mentioned anywhere do it. Platforms are not looked for:
        a constraint that is not met is part of the result as it is.
        """
        if alternative.contradiction():
            return None
        fixed = {need.key: need for need in alternative.needs if not need.accumulates}
        forbids = sorted((sorted_needs(one) for one in alternative.forbids), key=str)
        self._tries = 0
        added = [n for n in alternative.needs if not self._holds(n, {})]
        chosen = {need.key: need for need in added if not need.accumulates}
        lists = frozenset(need for need in added if need.accumulates)
        found = self._settle(alternative, fixed, forbids, chosen, lists)
        return None if found is None else sorted_needs((*found.values(), *lists))

    def _settle(
        self,
        alternative: Alternative,
        fixed: _Values,
        forbids: list[tuple[FlagRequirement, ...]],
        chosen: _Values,
        lists: frozenset[FlagRequirement],
    ) -> _Values | None:
        """`chosen` with more values, so that nothing forbidden holds as a whole."""
        self._tries += 1
        if self._tries > _MAX_TRIES:
            return None
        broken = next((f for f in forbids if self._all_hold(f, chosen, lists)), None)
        if broken is None:
            return chosen
        for member in broken:
            if member.key in fixed or member.key in chosen:
                continue
            if member.accumulates or member.is_constraint or not member.is_settable:
                continue
            for other in other_values(member, self._conditions, self._known):
                found = self._settle(
                    alternative, fixed, forbids, {**chosen, member.key: other}, lists
                )
                if found is not None:
                    return found
        return None

    def _all_hold(
        self,
        members: tuple[FlagRequirement, ...],
        chosen: _Values,
        lists: frozenset[FlagRequirement],
    ) -> bool:
        return all(member in lists or self._holds(member, chosen) for member in members)

    def _holds(self, need: FlagRequirement, chosen: _Values) -> bool:
        if need.key in chosen and not need.accumulates:
            return chosen[need.key].wanted == need.wanted
        return in_force(need, self._conditions).holds


def other_values(
    member: FlagRequirement, conditions: Conditions, known: Iterable[FlagRequirement] = ()
) -> Iterator[FlagRequirement]:
    """The same flag with other values, likely ones first; those of `known` may serve."""
    values = [*_defaults(member, conditions), *member.domain]
    values += [need.wanted for need in known if need.key == member.key]
    if member.what.startswith(_DEFINE):
        values += ["false" if member.wanted == "true" else "true", ""]
    for value in dict.fromkeys(values):
        if value != member.wanted:
            yield member.with_value(value)


def _defaults(member: FlagRequirement, conditions: Conditions) -> Iterator[str]:
    """The default of a flag, in the spelling of requirements."""
    what = member.what
    configuration = conditions.configuration
    if what.startswith(_DEFINE):
        return
    if what.startswith("--"):
        name = what.removeprefix("--")
        definition = configuration.definition(name)
        default = configuration.default(name).value
        if definition is not None and default is not None:
            try:
                yield parse_value(definition, default).text
            except ValueTypeError:
                return  # A default that Bazel computes.
        return
    rule = conditions.source.target(parse_label(what, _ROOT))
    attribute = rule.attribute(DEFAULT_ATTRIBUTE) if isinstance(rule, Rule) else None
    value = attribute.value if attribute is not None else None
    if isinstance(value, bool):
        yield str(value).lower()
    elif isinstance(value, str | int):
        yield str(value)
