"""What has to be set for a condition to hold, or for a branch to be taken.

The answer is a disjunction: a tuple of `Alternative`s, each of which says what must hold
(`needs`) and which combinations must not (`forbids`). No configuration is involved, but
values are parsed as the flags of one Bazel version.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from bazelscope.analysis.conditions.config_settings import (
    SettingEntries,
    entries_of,
    without_aliases,
)
from bazelscope.analysis.conditions.match_result import Requirement
from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.conditions.select_choice import distinct_branches
from bazelscope.analysis.configuration.build_settings import (
    current_value,
    is_build_setting,
    is_flag,
    parse_setting,
    setting_type,
)
from bazelscope.analysis.configuration.configuration import set_by
from bazelscope.analysis.configuration.flag_types import ValueTypeError, parse_value
from bazelscope.analysis.configuration.platforms import (
    Constraint,
    constraint_of,
    follow_aliases,
    target_platform,
)
from bazelscope.analysis.configuration.toolchain_flags import is_toolchain_flag
from bazelscope.analysis.paths.alternatives import FREE, Alternative, FlagRequirement, sorted_needs
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import AttributeType, Branch, Selector, SelectorList
from bazelscope.bazel.flag_catalog import FlagKind
from bazelscope.bazel.version_order import at_least
from bazelscope.loading.packages.targets import Rule

_MAX_ALTERNATIVES = 128
_MAIN_ROOT = PackageId("", "")


def in_force(requirement: FlagRequirement, conditions: Conditions) -> Requirement:
    """What a requirement wants beside what the configuration of `conditions` has."""
    what, wanted = requirement.what, requirement.wanted
    configuration = conditions.configuration
    if requirement.is_constraint:
        platform = conditions.platform
        if requirement.of_exec:
            platform = target_platform(conditions.source, configuration.exec())
        constraint = constraint_of(conditions.source, parse_label(wanted, _MAIN_ROOT))
        there = next((value for setting, value in platform.values if str(setting) == what), None)
        if there is None and isinstance(constraint, Constraint):
            there = constraint.default
        return Requirement(what, wanted, str(there) if there else None, platform.set_by)
    if what.startswith("--define="):
        define = configuration.define(what.removeprefix("--define="))
        if define is None:
            return Requirement(what, wanted, None)
        return Requirement(what, wanted, define.value, define.instance)
    if not what.startswith("--"):
        return _build_setting_in_force(requirement, conditions)
    name = what.removeprefix("--")
    value = configuration.value(name)
    if requirement.accumulates:
        got = wanted if wanted in value.values else ",".join(value.values) or None
        return Requirement(what, wanted, got, set_by(value))
    got = value.value
    definition = configuration.definition(name)
    if got is not None and definition is not None:
        try:
            got = parse_value(definition, got).text
        except ValueTypeError:
            return Requirement(what, wanted, got, set_by(value))
    return Requirement(what, wanted, got, set_by(value))


def _build_setting_in_force(requirement: FlagRequirement, conditions: Conditions) -> Requirement:
    what, wanted = requirement.what, requirement.wanted
    flag = parse_label(what, _MAIN_ROOT)
    rule = conditions.source.target(flag)
    if not isinstance(rule, Rule):
        return Requirement(what, wanted, None)
    try:
        value = current_value(rule, conditions.configuration, flag)
    except ValueTypeError:
        return Requirement(what, wanted, None)
    if wanted in value.texts:
        return Requirement(what, wanted, wanted, value.instance)
    return Requirement(what, wanted, value.text if value.texts else None, value.instance)


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
        return mine.refines(theirs, self._source, self._conditions.bazel_version)

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
        version = self._conditions.bazel_version
        if at_least(version, 6, 2):
            return branch.value == other.value
        if at_least(version, 1):
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
                need = self._of_constraint(rule.label, rule)
                if isinstance(need, Unknown):
                    return need
                entries = SettingEntries((), (), (rule.label,))
                return (_Way(Alternative(frozenset({need})), entries),)
            if kind in ("alias", "bind"):
                return self._of_alias(rule)
        return Unknown(Reason.FAILED, str(condition), f"`{condition}` is no config_setting")

    def _of_setting(self, rule: Rule) -> tuple[_Way, ...] | Unknown:
        entries = entries_of(rule)
        if isinstance(entries, Unknown):
            return entries
        needs: set[FlagRequirement] = set()
        for name, expected in entries.native:
            needs.add(self._of_option(rule, name, expected))
        for flag, expected in entries.flags:
            actual = follow_aliases(self._source, flag)
            needs.add(
                self._of_flag(rule, flag if isinstance(actual, Unknown) else actual, expected)
            )
        for value in entries.constraints:
            need = self._of_constraint(value, rule)
            if isinstance(need, Unknown):
                return need
            needs.add(need)
        way = _Way(Alternative(frozenset(needs)), without_aliases(self._source, entries))
        return _consistent(rule.label, [way])

    def _of_option(self, rule: Rule, name: str, expected: str) -> FlagRequirement:
        if name == "define":
            key, _, value = expected.partition("=")
            return FlagRequirement(f"--define={key}", value, rule.label, rule.location)
        definition = self._conditions.configuration.definition(name)
        accumulates = definition is not None and definition.repeats
        wanted = expected
        if definition is not None and not accumulates:
            try:
                wanted = parse_value(definition, expected).text
            except ValueTypeError:
                wanted = expected  # Matching reports it; the text is the best there is.
        return FlagRequirement(
            f"--{name}",
            wanted,
            rule.label,
            rule.location,
            accumulates=accumulates,
            domain=self._domain(name),
        )

    def _domain(self, name: str) -> tuple[str, ...]:
        """Every value of a native option, if they are few and one of them always holds."""
        configuration = self._conditions.configuration
        definition = configuration.definition(name)
        if definition is None or definition.repeats or not configuration.value(name).values:
            return ()
        if definition.kind is FlagKind.BOOLEAN:
            return ("true", "false")
        if definition.kind is FlagKind.TRISTATE:
            return ("auto", "true", "false")
        return definition.enum_values if definition.kind is FlagKind.ENUM else ()

    def _of_flag(self, rule: Rule, flag: Label, expected: str) -> FlagRequirement:
        setting = self._source.target(flag)
        wanted, accumulates = expected, False
        domain: tuple[str, ...] = ()
        is_settable = not is_toolchain_flag(flag)
        if isinstance(setting, Rule):
            is_settable = is_settable and (is_flag(setting) or not is_build_setting(setting))
            kind = setting_type(setting)
            accumulates = kind is AttributeType.STRING_LIST
            context, version = rule.label.package_id, self._conditions.bazel_version
            try:
                wanted = parse_setting(expected, kind, context, version)[1]
            except ValueTypeError:
                wanted = expected  # As above: matching reports it.
            if kind is AttributeType.BOOLEAN:
                both = ("true", "false")
                domain = tuple(parse_setting(text, kind, context, version)[1] for text in both)
        return FlagRequirement(
            str(flag),
            wanted,
            rule.label,
            rule.location,
            accumulates=accumulates,
            is_settable=is_settable,
            domain=domain,
        )

    def _of_constraint(self, value: Label, rule: Rule) -> FlagRequirement | Unknown:
        constraint = constraint_of(self._source, value)
        if isinstance(constraint, Unknown):
            return constraint
        return FlagRequirement(
            str(constraint.setting),
            str(constraint.value),
            rule.label,
            rule.location,
            is_constraint=True,
        )

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
