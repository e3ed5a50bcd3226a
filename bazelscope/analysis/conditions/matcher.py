"""Whether a condition of a select() holds under a configuration, and why.

A condition is a config_setting, a constraint_value (as a key by itself), or an alias of
one; skylib's config_setting_group is a chain of aliases whose `actual` is a select.
Bazel: `ConfigSetting`, `ConfigMatchingProvider`, `ConstraintValue`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace
from functools import cached_property

from bazelscope.analysis.conditions.alias_dependencies import takes_part_in_resolution
from bazelscope.analysis.conditions.config_settings import (
    ProvidedValue,
    SettingCheck,
    SettingEntries,
    compared,
    entries_of,
    entries_of_key,
    without_aliases,
)
from bazelscope.analysis.conditions.match_result import (
    Match,
    MatchResult,
    NoMatch,
    Requirement,
    UnknownMatch,
)
from bazelscope.analysis.conditions.select_choice import (
    Ambiguous,
    Chosen,
    NoBranch,
    SelectResult,
    UnknownChoice,
    chosen_as,
    is_settled_by_keys,
    resolve,
)
from bazelscope.analysis.configuration.build_settings import is_label_setting, label_behind
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.configuration.flag_types import ValueTypeError
from bazelscope.analysis.configuration.platforms import (
    TARGET_COMPATIBLE,
    TARGET_SETTINGS,
    PlatformInfo,
    actual_target,
    constraint_of,
    problem_of,
    suits,
    target_platform,
)
from bazelscope.analysis.configuration.target_source import TargetSource
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import Selector, SelectorList
from bazelscope.bazel.release import Release
from bazelscope.loading.packages.targets import Rule

CONDITIONS = frozenset({"config_setting", "constraint_value"})
"""The rules that are conditions themselves; aliases of them are conditions too."""

CONDITION_ALIASES = frozenset({"alias", "bind"})
_LONGEST_CHAIN = 100
"""Aliases of conditions that are followed one behind the other."""


@dataclass(frozen=True, slots=True)
class _Decided:
    result: MatchResult
    entries: SettingEntries | None
    """None where they cannot be told."""


@dataclass(eq=False)
class Conditions:
    """Decides conditions under one configuration, each one once.

    `provided` says what rules provide that act as settings.
    """

    source: TargetSource
    configuration: Configuration
    provided: ProvidedValue | None = None
    _decided: dict[Label, _Decided] = field(default_factory=dict)
    _settled: dict[tuple[Label, ...], Chosen] = field(default_factory=dict)
    """By the keys of select()s that they settle, what became of the first of these."""
    _active: dict[Label, None] = field(default_factory=dict)
    assumed: dict[Unknown, None] = field(default_factory=dict)
    """What was taken for granted to decide conditions."""

    @property
    def release(self) -> Release:
        return self.configuration.release

    @cached_property
    def platform(self) -> PlatformInfo:
        """The target platform of this configuration."""
        return target_platform(self.source, self.configuration)

    def entries_of(self, condition: Label) -> SettingEntries | None:
        """What a condition asks for; None where that cannot be told."""
        return self._decide(condition).entries

    def provided_value(self, setting: object) -> str | Unknown | None:
        """What the implementation of a rule provides in the place of a build setting's value;
        None if it provides nothing, and where nobody may ask."""
        if not isinstance(setting, Rule) or not setting.rule_class.defined_at:
            return None
        if self.provided is None:
            return None
        return self.provided(setting.label, self.configuration)

    def match(self, condition: Label) -> MatchResult:
        """Whether `condition` holds. Never raises: errors are `UnknownMatch`es."""
        return self._decide(condition).result

    def refines(self, condition: Label, other: Label) -> bool:
        """Whether the entries of `condition` are a strict superset of those of `other`."""
        mine, theirs = self.entries_of(condition), self.entries_of(other)
        if mine is None or theirs is None:
            return False
        return mine.refines(theirs, self.source, self.release)

    def resolve(self, selector: Selector) -> SelectResult:
        """The branch of `selector` that is taken under this configuration."""
        if self._active:
            # On the way round a cycle of conditions, matches are not what they are by themselves.
            return resolve(selector, self)
        keys = tuple([branch.condition for branch in selector.branches])
        like = self._settled.get(keys)
        if like is not None:
            return chosen_as(like, selector)
        result = resolve(selector, self)
        if is_settled_by_keys(result):
            self._settled[keys] = result
        return result

    def _decide(self, condition: Label) -> _Decided:
        decided = self._decided.get(condition)
        if decided is None:
            if condition in self._active:
                cycle = " -> ".join(map(str, [*self._active, condition]))
                return _failed(condition, f"cycle of conditions: {cycle}")
            if len(self._active) >= _LONGEST_CHAIN:
                detail = f"more than {_LONGEST_CHAIN} aliases lead to it"
                limit = Unknown(Reason.LIMIT, str(condition), detail)
                return _Decided(UnknownMatch(condition, limit), None)
            self._active[condition] = None
            try:
                decided = self._evaluate(condition)
            finally:
                del self._active[condition]
            self._decided[condition] = decided
        return decided

    def _evaluate(self, condition: Label) -> _Decided:
        rule = condition_rule(self.source, condition, self.release)
        if isinstance(rule, Unknown):
            return _Decided(UnknownMatch(condition, rule), None)
        kind = rule.rule_class.name
        if kind == "config_setting":
            return self._setting(rule, condition)
        if kind == "constraint_value":
            return self._constraint(rule, condition)
        if kind in CONDITION_ALIASES:
            return self._alias(rule, condition)
        try:
            return self._behind(condition, label_behind(rule, self.configuration))
        except ValueTypeError as error:
            return _failed(condition, str(error), rule)

    def _setting(self, rule: Rule, condition: Label) -> _Decided:
        entries = entries_of(rule)
        if isinstance(entries, Unknown):
            return _Decided(UnknownMatch(condition, entries), None)
        checked = SettingCheck(
            self.source,
            self.configuration,
            rule,
            lambda: self.platform,
            self.provided,
            self._may_be_chosen,
        ).checked(entries)
        compared = without_aliases(self.source, entries)
        if isinstance(checked, Unknown):
            return _Decided(UnknownMatch(condition, checked), compared)
        self.assumed.update((one.assumed, None) for one in checked if one.assumed is not None)
        return _Decided(_result(condition, rule, checked), compared)

    def _may_be_chosen(self, toolchain: Rule) -> bool:
        """Whether a registered toolchain may serve under this configuration, for all that is
        known: its platform and its settings do not say otherwise."""
        asked = [toolchain.value(name, ()) for name in (TARGET_COMPATIBLE, TARGET_SETTINGS)]
        if not all(isinstance(one, tuple) for one in asked):
            return True
        wanted = toolchain.labels(TARGET_COMPATIBLE)
        return suits(self.source, wanted, self.platform) is not False and not any(
            isinstance(self.match(setting), NoMatch)
            for setting in toolchain.labels(TARGET_SETTINGS)
        )

    def _constraint(self, rule: Rule, condition: Label) -> _Decided:
        constraint = constraint_of(self.source, rule.label)
        if isinstance(constraint, Unknown):
            return _Decided(UnknownMatch(condition, constraint), None)
        entries = entries_of_key(self.source, constraint.value, self.release)
        checked = compared(constraint, self.platform)
        if isinstance(checked, Unknown):
            return _Decided(UnknownMatch(condition, checked), entries)
        return _Decided(_result(condition, rule, (checked,)), entries)

    def _alias(self, rule: Rule, condition: Label) -> _Decided:
        actual = actual_of(rule)
        if isinstance(actual, Unknown):
            return _Decided(UnknownMatch(condition, actual), None)
        if isinstance(actual, Label):
            return self._behind(condition, actual)
        return self._alias_of_select(rule, condition, actual)

    def constraint_without_toolchains(self, rule: Rule, selector: Selector) -> Label | None:
        """A key of `selector` that is a constraint_value where `rule` may have none: it takes
        no part in toolchain resolution. Bazel 5.1 and newer let aliases (bazel issue 14702).
        Bazel: `ConfigConditions`, `RuleClass.useToolchainResolution`."""
        if self.release.constraint_conditions_everywhere:
            return None
        if takes_part_in_resolution(rule.rule_class, self.release):
            return None
        for branch in selector.branches:
            if branch.is_default:
                continue
            behind = actual_target(self.source, branch.condition)
            if isinstance(behind, Rule) and behind.rule_class.name == "constraint_value":
                return branch.condition
        return None

    def _behind(self, condition: Label, actual: Label) -> _Decided:
        decided = self._decide(actual)
        return _Decided(replace(decided.result, condition=condition), decided.entries)

    def _alias_of_select(self, rule: Rule, condition: Label, selector: Selector) -> _Decided:
        """One link of a config_setting_group: what was asked on the way counts as well."""
        choice = self.resolve(selector)
        if isinstance(choice, UnknownChoice):
            return _Decided(UnknownMatch(condition, choice.unknowns[0]), None)
        refused = self.constraint_without_toolchains(rule, selector)
        if refused is not None:
            return _failed(condition, f"`{refused}` is no condition for the alias `{rule.label}`")
        if isinstance(choice, Ambiguous | NoBranch):
            return _failed(condition, choice.diagnostic.message, rule)
        target = choice.branch.value
        if not isinstance(target, Label):
            return _failed(condition, f"`{condition}` is an alias of no label", rule)
        decided = self._decide(target)
        result = decided.result
        if isinstance(result, Match):
            asked = [*_requirements(choice), *result.requirements]
            result = replace(result, condition=condition, requirements=_unique(asked))
        elif isinstance(result, NoMatch):
            diffs = _unique([*_diffs(choice), *result.diffs])
            asked = [*_requirements(choice), *result.requirements]
            ways = tuple(dict.fromkeys([*self._other_ways(choice), *result.unmet_ways]))
            result = replace(
                result,
                condition=condition,
                diffs=diffs,
                requirements=_unique(asked),
                alternatives=ways if ways != (diffs,) else (),
            )
        else:
            result = replace(result, condition=condition)
        return _Decided(result, decided.entries)

    def _other_ways(self, choice: Chosen) -> Iterator[tuple[Requirement, ...]]:
        """What each key lacks instead of which the default was taken, and that leads to what
        holds: to itself in a group of which any member is enough."""
        if choice.branch.is_default:
            for outcome in choice.outcomes:
                value, key = outcome.branch.value, outcome.branch.condition
                if outcome.match is None or not isinstance(value, Label):
                    continue
                if value == key or isinstance(self.match(value), Match):
                    yield from outcome.match.unmet_ways


def condition_rule(source: TargetSource, condition: Label, release: Release) -> Rule | Unknown:
    """The rule of that label, which is a condition or leads to one; or why it is none."""
    result = source.target(condition)
    problem = problem_of(result, condition)
    if problem is not None:
        return problem
    if not isinstance(result, Rule):
        kind = str(getattr(result, "kind", "target"))
        return _failure(condition, f"`{condition}` is a {kind}, no config_setting")
    kind = result.rule_class.name
    if kind == "constraint_value" and not release.constraint_conditions:
        since = Release.constraint_conditions.series
        message = f"`{condition}` is a constraint_value; Bazel {since} and newer take it as a key"
        return _failure(condition, message, result)
    if kind in CONDITIONS or kind in CONDITION_ALIASES or is_label_setting(result):
        return result
    if result.rule_class.is_known:
        return _failure(condition, f"`{condition}` is a {kind}, which is no condition", result)
    detail = f"`{condition}` is made by `{kind}`, which is not known"
    return Unknown(Reason.NOT_FETCHED, str(condition), detail, result.location)


def actual_of(alias: Rule) -> Label | Selector | Unknown:
    """What an alias of a condition stands for, or the select() that chooses that."""
    value = alias.value("actual")
    if isinstance(value, SelectorList) and len(value.parts) == 1:
        value = value.parts[0]
    if isinstance(value, Label | Selector | Unknown):
        return value
    return _failure(alias.label, f"`{alias.label}` is an alias of no label", alias)


def is_condition(rule: Rule) -> bool:
    """Whether the rule itself is a condition (aliases aside)."""
    return rule.rule_class.name in CONDITIONS


def _result(condition: Label, rule: Rule, checked: tuple[Requirement, ...]) -> MatchResult:
    diffs = tuple(entry for entry in checked if not entry.holds)
    if diffs:
        return NoMatch(condition, rule.label, diffs, checked, rule.location)
    return Match(condition, rule.label, checked, rule.location)


def _requirements(choice: Chosen) -> Iterator[Requirement]:
    for outcome in choice.outcomes:
        if outcome.is_chosen and isinstance(outcome.match, Match):
            yield from outcome.match.requirements


def _diffs(choice: Chosen) -> Iterator[Requirement]:
    if choice.branch.is_default:
        for outcome in choice.outcomes:
            if isinstance(outcome.match, NoMatch):
                yield from outcome.match.diffs


def _unique(requirements: list[Requirement]) -> tuple[Requirement, ...]:
    return tuple(dict.fromkeys(requirements))


def _failed(condition: Label, message: str, rule: Rule | None = None) -> _Decided:
    return _Decided(UnknownMatch(condition, _failure(condition, message, rule)), None)


def _failure(condition: Label, message: str, rule: Rule | None = None) -> Unknown:
    location = rule.location if rule is not None else None
    return Unknown(Reason.FAILED, str(condition), message, location)
