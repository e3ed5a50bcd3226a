"""What has to be set for a condition to hold, or for a branch to be taken.

The answer is a disjunction: a tuple of `Alternative`s, each of which says what must hold
(`needs`) and which combinations must not (`forbids`). No configuration is involved, but
values are parsed as the flags of one Bazel version.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from bazelscope.analysis.build_settings import current_value, parse_setting, setting_type
from bazelscope.analysis.conditions import Conditions
from bazelscope.analysis.config_settings import entries_of
from bazelscope.analysis.configuration import set_by
from bazelscope.analysis.flag_types import ValueTypeError, parse_value
from bazelscope.analysis.matching import Requirement
from bazelscope.analysis.platforms import constraint_of, follow_aliases, problem_of
from bazelscope.analysis.selects import distinct_branches
from bazelscope.label import Label, PackageId, parse_label
from bazelscope.loading.targets import Rule
from bazelscope.loading.values import AttributeType, Branch, Selector, SelectorList
from bazelscope.source import Location
from bazelscope.unknown import Reason, Unknown

_MAX_ALTERNATIVES = 16


@dataclass(frozen=True, slots=True)
class FlagRequirement:
    """One value that one flag (or the platform) must have.

    `what` is written as in `matching.Requirement`. `setting` asks for it, at `location`.
    `accumulates`: the flag holds several values at once, so another one does no harm.
    """

    what: str
    wanted: str
    setting: Label = field(compare=False)
    location: Location | None = field(default=None, compare=False)
    accumulates: bool = field(default=False, compare=False)
    is_constraint: bool = field(default=False, compare=False)

    @property
    def flag(self) -> str | None:
        """The word for the command line; None for a constraint of the platform."""
        if self.is_constraint:
            return None
        dashes = "" if self.what.startswith("--") else "--"
        return f"{dashes}{self.what}={self.wanted}"

    @property
    def text(self) -> str:
        return self.flag or f"a platform with {self.wanted}"


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way to make something hold: all of `needs`, and none of `forbids`.

    Each member of `forbids` is a combination that must not hold as a whole.
    """

    needs: frozenset[FlagRequirement] = frozenset()
    forbids: frozenset[frozenset[FlagRequirement]] = frozenset()

    @property
    def is_free(self) -> bool:
        """Whether this asks for nothing."""
        return not self.needs and not self.forbids

    def contradiction(self) -> tuple[FlagRequirement, ...]:
        """Requirements that cannot all be met; empty if nothing speaks against them."""
        by_flag: dict[str, FlagRequirement] = {}
        for need in self.needs:
            other = by_flag.setdefault(need.what, need)
            if other is not need and not need.accumulates:
                return (other, need)
        for combination in self.forbids:
            if combination <= self.needs:
                return tuple(sorted(combination, key=_order))
        return ()

    def merge(self, other: Alternative) -> Alternative:
        return Alternative(self.needs | other.needs, self.forbids | other.forbids)

    def covers(self, other: Alternative) -> bool:
        """Whether whatever meets `other` meets this."""
        return self.needs <= other.needs and self.forbids <= other.forbids


FREE = Alternative()


def in_force(requirement: FlagRequirement, conditions: Conditions) -> Requirement:
    """What a requirement wants beside what the configuration of `conditions` has."""
    what, wanted = requirement.what, requirement.wanted
    configuration = conditions.configuration
    if requirement.is_constraint:
        platform = conditions.platform
        got = next((str(v) for s, v in platform.values if str(s) == what), None)
        return Requirement(what, wanted, got, platform.set_by)
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
    flag = parse_label(what, PackageId("", ""))
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


def sorted_needs(needs: Iterable[FlagRequirement]) -> tuple[FlagRequirement, ...]:
    return tuple(sorted(needs, key=_order))


def _order(requirement: FlagRequirement) -> tuple[str, str]:
    return requirement.what, requirement.wanted


class Requirements:
    """Derives requirements, each condition once."""

    def __init__(self, conditions: Conditions) -> None:
        self._conditions = conditions
        self._source = conditions.source
        self._known: dict[Label, tuple[Alternative, ...] | Unknown] = {}
        self._active: set[Label] = set()
        self._branches: dict[int, tuple[Branch, tuple[Alternative, ...] | Unknown]] = {}

    def of_condition(self, condition: Label) -> tuple[Alternative, ...] | Unknown:
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

    def of_branch(self, selector: Selector, branch: Branch) -> tuple[Alternative, ...] | Unknown:
        """The ways to have `branch` of `selector` taken; empty if there is none."""
        cached = self._branches.get(id(branch))
        if cached is None or cached[0] is not branch:
            cached = (branch, self._derive_branch(selector, branch))
            self._branches[id(branch)] = cached
        return cached[1]

    def _derive_branch(
        self, selector: Selector, branch: Branch
    ) -> tuple[Alternative, ...] | Unknown:
        positive: tuple[Alternative, ...] = (FREE,)
        if not branch.is_default:
            found = self.of_condition(branch.condition)
            if isinstance(found, Unknown):
                return found
            positive = found
        forbidden: set[frozenset[FlagRequirement]] = set()
        for other in distinct_branches(selector):
            if other.is_default or other.condition == branch.condition:
                continue
            # A condition that this one refines may hold as well; any other may not.
            if not branch.is_default and self._conditions.refines(
                branch.condition, other.condition
            ):
                continue
            against = self.of_condition(other.condition)
            if isinstance(against, Unknown):
                continue
            # What is forbidden within a group's alternative weakens it: leave those out,
            # so that nothing is ever called contradictory that is not.
            forbidden.update(a.needs for a in against if not a.forbids)
        return _consistent(a.merge(Alternative(forbids=frozenset(forbidden))) for a in positive)

    def _derive(self, condition: Label) -> tuple[Alternative, ...] | Unknown:
        actual = follow_aliases(self._source, condition)
        if isinstance(actual, Unknown):
            return actual
        rule = self._source.target(actual)
        problem = problem_of(rule, actual)
        if problem is not None:
            return problem
        if isinstance(rule, Rule):
            kind = rule.rule_class.name
            if kind == "config_setting":
                return self._of_setting(rule)
            if kind == "constraint_value":
                need = self._of_constraint(rule.label, rule)
                return need if isinstance(need, Unknown) else (Alternative(frozenset({need})),)
            if kind in ("alias", "bind"):
                return self._of_alias(rule)
        return Unknown(Reason.FAILED, str(condition), f"`{condition}` is no config_setting")

    def _of_setting(self, rule: Rule) -> tuple[Alternative, ...] | Unknown:
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
        return _consistent([Alternative(frozenset(needs))])

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
            f"--{name}", wanted, rule.label, rule.location, accumulates=accumulates
        )

    def _of_flag(self, rule: Rule, flag: Label, expected: str) -> FlagRequirement:
        setting = self._source.target(flag)
        wanted, accumulates = expected, False
        if isinstance(setting, Rule):
            kind = setting_type(setting)
            accumulates = kind is AttributeType.STRING_LIST
            try:
                wanted = parse_setting(
                    expected, kind, rule.label.package_id, self._conditions.bazel_version
                )[1]
            except ValueTypeError:
                wanted = expected  # As above: matching reports it.
        return FlagRequirement(
            str(flag), wanted, rule.label, rule.location, accumulates=accumulates
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

    def _of_alias(self, rule: Rule) -> tuple[Alternative, ...] | Unknown:
        """A link of a config_setting_group: a branch is taken, and what it names holds."""
        attribute = rule.attribute("actual")
        value: object = attribute.value if attribute is not None else None
        if isinstance(value, SelectorList) and len(value.parts) == 1:
            value = value.parts[0]
        if isinstance(value, Unknown):
            return value
        if not isinstance(value, Selector):
            return Unknown(Reason.FAILED, str(rule.label), "an alias of no label")
        found: list[Alternative] = []
        for branch in distinct_branches(value):
            if not isinstance(branch.value, Label):
                continue
            taken = self.of_branch(value, branch)
            holds = self.of_condition(branch.value)
            if isinstance(taken, Unknown):
                return taken
            if isinstance(holds, Unknown):
                return holds
            found += [a.merge(b) for a in taken for b in holds]
        return _consistent(found)


def _consistent(alternatives: Iterable[Alternative]) -> tuple[Alternative, ...]:
    """Those that can be met, without the ones that another covers."""
    kept: list[Alternative] = []
    for alternative in alternatives:
        if alternative.contradiction() or any(k.covers(alternative) for k in kept):
            continue
        kept = [k for k in kept if not alternative.covers(k)]
        kept.append(alternative)
        if len(kept) >= _MAX_ALTERNATIVES:
            break
    # `a, or b without a` is `a or b`.
    plain = {k.needs for k in kept if not k.forbids}
    return tuple(Alternative(k.needs, k.forbids - plain) for k in kept)
