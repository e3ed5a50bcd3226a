"""What has to be set for a condition to hold, or for a branch to be taken.

The answer is a disjunction: a tuple of `Alternative`s, each of which says what must hold
(`needs`) and which combinations must not (`forbids`). No configuration is involved, but
values are parsed as the flags of one Bazel version.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from bazelscope.analysis.conditions.atoms import FlagRequirement, SettingAtoms, sorted_needs
from bazelscope.analysis.conditions.config_settings import (
    SettingEntries,
)
from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.conditions.select_choice import distinct_branches
from bazelscope.analysis.configuration.platforms import (
    follow_aliases,
)
from bazelscope.analysis.paths.alternatives import FREE, Alternative
from bazelscope.base.label import Label, PackageId
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import Branch, Selector, SelectorList
from bazelscope.loading.packages.targets import Rule

_MAX_ALTERNATIVES = 128
_MAIN_ROOT = PackageId("", "")


class _Way(NamedTuple):
    """A way to make a condition hold, and the entries of the setting behind its aliases
    then: which one that is may differ from way to way."""

    alternative: Alternative
    entries: SettingEntries | None

    @property
    def is_plain(self) -> bool:
        return not self.alternative.forbids

    def covers(self, other: _Way) -> bool:
        return self.entries == other.entries and self.alternative.covers(other.alternative)


class Requirements:
    """Derives requirements, each condition once."""

    def __init__(self, conditions: Conditions) -> None:
        self._conditions = conditions
        self._source = conditions.source
        self._atoms = SettingAtoms(conditions)
        self._known: dict[Label, tuple[_Way, ...] | Unknown] = {}
        self._active: set[Label] = set()
        self._branches: dict[int, tuple[Branch, tuple[Alternative, ...] | Unknown]] = {}

    def of_branch(self, selector: Selector, branch: Branch) -> tuple[Alternative, ...] | Unknown:
        """The ways to have `branch` of `selector` taken; empty if there is none."""
        cached = self._branches.get(id(branch))
        if cached is None or cached[0] is not branch:
            cached = (branch, self._derive_branch(selector, branch))
            self._branches[id(branch)] = cached
        return cached[1]

    def seen(self) -> tuple[FlagRequirement, ...]:
        """Every requirement of the conditions that were asked about so far, sorted."""
        found = {
            need
            for ways in self._known.values()
            if not isinstance(ways, Unknown)
            for way in ways
            for need in way.alternative.needs
        }
        return sorted_needs(found)

    def _derive_branch(
        self, selector: Selector, branch: Branch
    ) -> tuple[Alternative, ...] | Unknown:
        positive: tuple[_Way, ...] = (_Way(FREE, None),)
        if not branch.is_default:
            found = self._ways(branch.condition)
            if isinstance(found, Unknown):
                return found
            positive = found
        rivals: list[_Way] = []
        for other in distinct_branches(selector):
            if other.is_default or other.condition == branch.condition:
                continue
            if not branch.is_default and self._yields_to(branch, other, selector):
                continue
            against = self._ways(other.condition)
            # What cannot be told is left out, so that nothing is ever called contradictory
            # that is not.
            rivals += () if isinstance(against, Unknown) else against
        merged = (
            way.alternative.merge(Alternative(forbids=self._forbidden(way, rivals)))
            for way in positive
        )
        return _simplified(_consistent(branch.condition, (_Way(one, None) for one in merged)))

    def _forbidden(self, way: _Way, rivals: list[_Way]) -> frozenset[frozenset[FlagRequirement]]:
        """What may not hold, so that a branch whose condition holds that way is taken.

        What it refines may hold as well. Where a rival hangs on something that may not hold
        either (`b` unless `a`, and `a` is forbidden), its needs alone say it all.
        """
        competing = [
            rival
            for rival in rivals
            if not self._refines(way.entries, rival.entries)
            and not any(unless <= way.alternative.needs for unless in rival.alternative.forbids)
        ]
        forbidden: set[frozenset[FlagRequirement]] = set()
        found = True
        while found:
            found = False
            for rival in competing:
                needs, unless = rival.alternative.needs, rival.alternative.forbids
                if needs not in forbidden and unless <= forbidden:
                    forbidden.add(needs)
                    found = True
        return frozenset(forbidden)

    def _refines(self, mine: SettingEntries | None, theirs: SettingEntries | None) -> bool:
        if mine is None or theirs is None:
            return False
        return mine.refines(theirs, self._source, self._conditions.release)

    def _ways(self, condition: Label) -> tuple[_Way, ...] | Unknown:
        """The ways to make `condition` hold; empty if there is none."""
        known = self._known.get(condition)
        if known is None:
            if condition in self._active:
                return Unknown(Reason.FAILED, str(condition), "cycle of conditions")
            self._active.add(condition)
            try:
                known = self._derive(condition)
            finally:
                self._active.discard(condition)
            self._known[condition] = known
        return known

    def _yields_to(self, branch: Branch, other: Branch, selector: Selector) -> bool:
        """Whether `branch` does no worse if the condition of `other` holds beside its own.

        From 6.2 on, branches of one value do not compete. Before 1.0 branches were keyed
        by the setting behind an alias, and the last one counted.
        """
        release = self._conditions.release
        if release.equal_branches_agree:
            return branch.value == other.value
        if not release.branches_by_setting:
            return False
        mine = follow_aliases(self._source, branch.condition)
        theirs = follow_aliases(self._source, other.condition)
        order = [one.condition for one in distinct_branches(selector)]
        is_later = order.index(branch.condition) > order.index(other.condition)
        return is_later and isinstance(mine, Label) and mine == theirs

    def _derive(self, condition: Label) -> tuple[_Way, ...] | Unknown:
        actual = follow_aliases(self._source, condition)
        if isinstance(actual, Unknown):
            return actual
        rule = self._source.target(actual)
        if isinstance(rule, Rule):
            kind = rule.rule_class.name
            if kind == "config_setting":
                return self._of_setting(rule)
            if kind == "constraint_value":
                asked = self._atoms.of_constraint_value(rule)
                if isinstance(asked, Unknown):
                    return asked
                return (_Way(Alternative(frozenset(asked.needs)), asked.entries),)
            if kind in ("alias", "bind"):
                return self._of_alias(rule)
        return Unknown(Reason.FAILED, str(condition), f"`{condition}` is no config_setting")

    def _of_setting(self, rule: Rule) -> tuple[_Way, ...] | Unknown:
        asked = self._atoms.of_setting(rule)
        if isinstance(asked, Unknown):
            return asked
        return _consistent(rule.label, [_Way(Alternative(frozenset(asked.needs)), asked.entries)])

    def _of_alias(self, rule: Rule) -> tuple[_Way, ...] | Unknown:
        """A link of a config_setting_group: a branch is taken, and what it names holds."""
        attribute = rule.attribute("actual")
        value: object = attribute.value if attribute is not None else None
        if isinstance(value, SelectorList) and len(value.parts) == 1:
            value = value.parts[0]
        if isinstance(value, Unknown):
            return value
        if not isinstance(value, Selector):
            return Unknown(Reason.FAILED, str(rule.label), "an alias of no label")
        links: list[tuple[tuple[Alternative, ...], tuple[_Way, ...]]] = []
        for branch in distinct_branches(value):
            if not isinstance(branch.value, Label):
                continue
            taken = self.of_branch(value, branch)
            holds = self._ways(branch.value)
            if isinstance(taken, Unknown):
                return taken
            if isinstance(holds, Unknown):
                return holds
            links.append((taken, holds))
        return _consistent(
            rule.label,
            (
                _Way(one.merge(way.alternative), way.entries)
                for taken, holds in links
                for one in taken
                for way in holds
            ),
        )


def _consistent(subject: Label, ways: Iterable[_Way]) -> tuple[_Way, ...] | Unknown:
    """Those that can be met, without the ones that another covers."""
    kept: list[_Way] = []
    for way in ways:
        if way.alternative.contradiction() or any(k.covers(way) for k in kept):
            continue
        kept = [k for k in kept if not way.covers(k)]
        kept.append(way)
        if len(kept) > _MAX_ALTERNATIVES:
            detail = f"it holds in more than {_MAX_ALTERNATIVES} ways"
            return Unknown(Reason.NOT_MODELLED, str(subject), detail)
    return tuple(kept)


def _simplified(ways: tuple[_Way, ...] | Unknown) -> tuple[Alternative, ...] | Unknown:
    """The ways without what the others make idle: `a, or b without a` is `a or b`."""
    if isinstance(ways, Unknown):
        return ways
    plain = {way.alternative.needs for way in ways if way.is_plain}
    return tuple(
        Alternative(way.alternative.needs, way.alternative.forbids - plain) for way in ways
    )
