"""The exact formula of a condition, and of each branch of a select(), over what they look at.

A branch is taken where its condition holds and no more specific one does; the default, where
none holds; where several are left, or none and there is no default, Bazel refuses the target,
which is neither. Bazel: `ConfiguredAttributeMapper.resolveSelector`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import field, replace

from bazelscope.analysis.conditions.atoms import AskedOf, FlagRequirement, SettingAtoms
from bazelscope.analysis.conditions.config_settings import SettingCheck, SettingEntries, entries_of
from bazelscope.analysis.conditions.diagrams import FALSE, TRUE, Diagrams
from bazelscope.analysis.conditions.formula_variables import Atoms
from bazelscope.analysis.conditions.matcher import (
    CONDITION_ALIASES,
    Conditions,
    actual_of,
    condition_rule,
)
from bazelscope.analysis.conditions.select_choice import distinct_branches
from bazelscope.analysis.configuration.build_settings import is_flag, label_behind
from bazelscope.analysis.configuration.flag_types import ValueTypeError
from bazelscope.analysis.configuration.platform_mappings import NO_MAPPINGS, PlatformMappings
from bazelscope.base import budget
from bazelscope.base.errors import LabelError
from bazelscope.base.label import MAIN_ROOT, Label, parse_label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.memoized import memoized
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import Branch, Selector
from bazelscope.bazel.encoded_values import decode_label
from bazelscope.loading.packages.targets import Rule

_MOST_BRANCHES = 400
"""Branches of one select() that are compared with each other."""
_MANY = 1 << 30
"""More entries than any setting has."""
_MOST_ALIASES = 100
"""Aliases that lead to a condition, one behind the other."""


class Case(NamedTuple):
    """A way in which a condition may be meant: where `guard` holds it is the setting with these
    entries, and holds itself where `holds` does."""

    guard: int
    holds: int
    setting: Label
    entries: SettingEntries | None


@dataclass(frozen=True, slots=True)
class ConditionFormula:
    """Where a condition holds, and where it is in error. The guards of its cases exclude each
    other; an alias that is a select() has several."""

    cases: tuple[Case, ...]
    refused: int = FALSE


@dataclass(frozen=True, slots=True)
class SelectFormula:
    """Where each branch of a select() is taken, and where Bazel refuses all of them."""

    branches: tuple[Branch, ...]
    taken: tuple[int, ...]
    refused: int

    def of(self, branch: Branch) -> int:
        """Where that very branch is taken."""
        for one, taken in zip(self.branches, self.taken, strict=True):
            if one is branch or one == branch:
                return taken
        return FALSE  # Another spelling of the label has taken its place.


@dataclass(eq=False)
class Formulas:
    """Makes the formulas of conditions and selects, each once.

    `conditions` are of the configuration whose tables of options count; none of its values do.
    `label_values` are labels that rc files give to a label flag: what it stands for with others
    is not known. `option_values` are those that rc files give to an option which names a target.
    `mappings` are what the workspace's platforms stand for.
    """

    conditions: Conditions
    atoms: Atoms = field(default_factory=Atoms)
    label_values: Callable[[Label], Iterable[str]] = lambda flag: ()
    mappings: PlatformMappings = NO_MAPPINGS
    option_values: Callable[[str], Iterable[str]] = lambda name: ()
    _settings: SettingAtoms = field(init=False)
    _known: dict[Label, ConditionFormula] = field(default_factory=dict)
    _selects: dict[tuple[object, ...], SelectFormula] = field(default_factory=dict)
    _active: set[Label] = field(default_factory=set)
    _asked_by: dict[Label, dict[FlagRequirement, FlagRequirement]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._settings = SettingAtoms(self.conditions)

    @property
    def diagrams(self) -> Diagrams:
        return self.atoms.diagrams

    def of_condition(self, condition: Label) -> ConditionFormula:
        """Where `condition` holds."""
        known = self._known.get(condition)
        if known is None:
            if condition in self._active:
                return _REFUSED
            if len(self._active) > _MOST_ALIASES:
                detail = f"more than {_MOST_ALIASES} aliases lead to it"
                unknown = Unknown(Reason.NOT_MODELLED, str(condition), detail)
                return self._open(condition, unknown)
            self._active.add(condition)
            self._asked_by[condition] = {}
            try:
                known = self._derive(condition)
            finally:
                self._active.discard(condition)
            self._known[condition] = known
        # Who asks for something behind an alias is asked by the alias.
        for user in self._active:
            self._asked_by[user].update(self._asked_by[condition])
        return known

    def known(self) -> Iterable[Label]:
        """The conditions that were asked for so far."""
        return tuple(self._known)

    def differing(self, other: Formulas, conditions: Iterable[Label]) -> set[Label]:
        """Those of some conditions whose formula is another one in other packages."""
        return {one for one in conditions if self.of_condition(one) != other.of_condition(one)}

    def asked_by(self, condition: Label) -> Iterable[FlagRequirement]:
        """What a condition asks for, itself or through an alias, each with the place of the
        setting that does: equal requirements of other settings have other places."""
        self.of_condition(condition)
        return self._asked_by[condition].values()

    def of_select(self, selector: Selector) -> SelectFormula:
        """Where each branch of `selector` is taken."""
        branches = distinct_branches(selector)
        key: tuple[object, ...] = tuple(branch.condition for branch in branches)
        if self.same_values_do:
            first: dict[int, int] = {}
            for number, branch in enumerate(branches):
                same = (n for n in first.values() if branches[n].value == branch.value)
                first[number] = next(same, number)
            key = (*key, *first.values())
        known = self._selects.get(key)
        if known is None:
            known = self._selects[key] = self._derive_select(branches)
        return SelectFormula(branches, known.taken, known.refused)

    @memoized
    def refused(self, conditions: tuple[str, ...]) -> int:
        """Where Bazel refuses a select() with these conditions whose branches all differ."""
        branches = (Branch(decode_label(text), n) for n, text in enumerate(conditions))
        return self.of_select(Selector(tuple(branches))).refused

    @property
    def same_values_do(self) -> bool:
        """Since 6.2 branches of one value do not compete."""
        return self.conditions.release.equal_branches_agree

    def _derive_select(self, branches: tuple[Branch, ...]) -> SelectFormula:
        diagrams = self.diagrams
        numbers = [n for n, branch in enumerate(branches) if not branch.is_default]
        if len(numbers) > _MOST_BRANCHES:
            return self._too_many(branches)
        formulas = {n: self.of_condition(branches[n].condition) for n in numbers}
        refused = diagrams.any(formula.refused for formula in formulas.values())
        matches = {
            n: diagrams.any(diagrams.both(case.guard, case.holds) for case in formula.cases)
            for n, formula in formulas.items()
        }
        best: dict[int, int] = {}
        largest = {n: _most_entries(formula) for n, formula in formulas.items()}
        smallest = {n: _fewest_entries(formula) for n, formula in formulas.items()}
        for n in numbers:
            beaten = diagrams.any(
                self._beats(formulas[other], formulas[n])
                for other in numbers
                if largest[other] > smallest[n]
            )
            best[n] = diagrams.without(matches[n], beaten)
        if self.conditions.release.branches_by_setting:
            for n in numbers:
                for later in (number for number in numbers if number > n):
                    merged = self._merged(formulas[n], formulas[later])
                    if merged != FALSE:
                        merged = diagrams.both(merged, diagrams.both(best[n], best[later]))
                        best[n] = diagrams.without(best[n], merged)
        groups: dict[object, int] = {}
        for n in numbers:
            group = branches[n].value if self.same_values_do else n
            earlier = groups.get(group, FALSE)
            best[n] = diagrams.without(best[n], earlier)
            groups[group] = diagrams.either(earlier, best[n])
        # From the last one on, so that each step adds to the top of what is there.
        one = two = FALSE
        for group_formula in reversed(groups.values()):
            two = diagrams.either(diagrams.both(group_formula, one), two)
            one = diagrams.either(group_formula, one)
        refused = diagrams.either(refused, two)
        any_match = diagrams.any(reversed(matches.values()))
        taken: list[int] = []
        for n, branch in enumerate(branches):
            chosen = diagrams.negation(any_match) if branch.is_default else best[n]
            taken.append(diagrams.without(chosen, refused))
        if not any(branch.is_default for branch in branches):
            refused = diagrams.either(refused, diagrams.negation(any_match))
        return SelectFormula(branches, tuple(taken), refused)

    def _too_many(self, branches: tuple[Branch, ...]) -> SelectFormula:
        detail = f"a select() of {len(branches)} branches, too many to compare with each other"
        taken: list[int] = []
        # The last one first: their variables are in the order in which they are put together.
        for branch in reversed(branches):
            unknown = Unknown(Reason.NOT_MODELLED, str(branch.condition), detail)
            taken.append(self.atoms.of_unknown(f"{branches[0].condition} {len(taken)}", unknown))
        taken.reverse()
        unknown = Unknown(Reason.NOT_MODELLED, str(branches[0].condition), f"ambiguity of {detail}")
        refused = self.atoms.of_unknown(f"{branches[0].condition} refused", unknown)
        return SelectFormula(branches, tuple(taken), refused)

    def _beats(self, winner: ConditionFormula, loser: ConditionFormula) -> int:
        """Where `winner` holds and is more specific than `loser`."""
        diagrams, source = self.diagrams, self.conditions.source
        release = self.conditions.release
        budget.current().check()
        result = FALSE
        for mine in winner.cases:
            for theirs in loser.cases:
                if mine.entries is None or theirs.entries is None:
                    continue
                if mine.entries.refines(theirs.entries, source, release):
                    where = diagrams.all((mine.guard, mine.holds, theirs.guard))
                    result = diagrams.either(result, where)
        return result

    def _merged(self, one: ConditionFormula, later: ConditionFormula) -> int:
        """Where two keys are one setting to Bazel, of which the later one counts: until 1.0."""
        diagrams = self.diagrams
        return diagrams.any(
            diagrams.both(mine.guard, theirs.guard)
            for mine in one.cases
            for theirs in later.cases
            if mine.setting == theirs.setting
        )

    def _derive(self, condition: Label) -> ConditionFormula:
        conditions = self.conditions
        rule = condition_rule(conditions.source, condition, conditions.release)
        if isinstance(rule, Unknown):
            return self._open(condition, rule)
        kind = rule.rule_class.name
        if kind == "config_setting":
            return self._of_setting(rule)
        if kind == "constraint_value":
            return self._of_atoms(rule, self._settings.of_constraint_value(rule))
        return self._of_alias(rule) if kind in CONDITION_ALIASES else self._of_label_setting(rule)

    def _of_setting(self, rule: Rule) -> ConditionFormula:
        asked = self._settings.of_setting(rule)
        conditions = self.conditions
        if not isinstance(asked, Unknown):
            entries = entries_of(rule)
            assert not isinstance(entries, Unknown)
            # Whoever is in error is so under all flags, but for values that are no values.
            check = SettingCheck(
                conditions.source, conditions.configuration, rule, lambda: conditions.platform
            )
            result = check.checked(entries)
            if isinstance(result, Unknown) and result.reason is Reason.FAILED:
                asked = result
        return self._of_atoms(rule, asked)

    def _of_atoms(self, rule: Rule, asked: AskedOf | Unknown) -> ConditionFormula:
        if isinstance(asked, Unknown):
            return self._open(rule.label, asked)
        for user in self._active:
            self._asked_by[user].update({need: need for need in asked.needs})
        holds = self.diagrams.all(map(self._of_need, asked.needs))
        return ConditionFormula((Case(TRUE, holds, rule.label, asked.entries),))

    def _of_need(self, need: FlagRequirement) -> int:
        if need.unknown is not None:
            name = f"{need.what}={need.wanted}"
            about = name if need.accumulates else need.what
            return self.atoms.of_unknown(name, replace(need.unknown, subject=name), about)
        return self.atoms.of_requirement(need)

    def _open(self, condition: Label, unknown: Unknown) -> ConditionFormula:
        if unknown.reason is Reason.FAILED:
            return _REFUSED
        name = str(condition)
        # Not by the file that would tell it, which is that of many.
        holds = self.atoms.of_unknown(name, replace(unknown, subject=name))
        return ConditionFormula((Case(TRUE, holds, condition, None),))

    def _of_alias(self, rule: Rule) -> ConditionFormula:
        """The condition that an alias names, or one after the other those of its select(): a
        link of a config_setting_group."""
        value = actual_of(rule)
        if isinstance(value, Label):
            return self.of_condition(value)
        if isinstance(value, Unknown):
            return self._open(rule.label, value)
        if self.conditions.constraint_without_toolchains(rule, value) is not None:
            return _REFUSED
        diagrams = self.diagrams
        chosen = self.of_select(value)
        refused = chosen.refused
        cases: list[Case] = []
        for branch, taken in zip(chosen.branches, chosen.taken, strict=True):
            if taken == FALSE:
                continue
            if not isinstance(branch.value, Label):
                refused = diagrams.either(refused, taken)
                continue
            behind = self.of_condition(branch.value)
            refused = diagrams.either(refused, diagrams.both(taken, behind.refused))
            for case in behind.cases:
                guard = diagrams.both(taken, case.guard)
                if guard != FALSE:
                    cases.append(case._replace(guard=guard))
        return ConditionFormula(tuple(cases), refused)

    def _of_label_setting(self, rule: Rule) -> ConditionFormula:
        """The condition that a label flag stands for, for each of its values that is known."""
        diagrams = self.diagrams
        cases: list[Case] = []
        refused, others = FALSE, TRUE
        for value in self.values_of(rule):
            guard = self.atoms.of_requirement(self.is_value(rule, value))
            others = diagrams.without(others, guard)
            behind = self.of_condition(value)
            refused = diagrams.either(refused, diagrams.both(guard, behind.refused))
            cases += [
                case._replace(guard=both)
                for case in behind.cases
                if (both := diagrams.both(guard, case.guard)) != FALSE
            ]
        if not cases and refused == FALSE:
            return _REFUSED
        detail = "it may stand for any other target"
        unknown = Unknown(Reason.NOT_MODELLED, str(rule.label), detail, rule.location)
        holds = self.atoms.of_unknown(str(rule.label), unknown)
        cases.append(Case(others, holds, rule.label, None))
        return ConditionFormula(tuple(cases), refused)

    def values_of(self, rule: Rule, *more: str) -> tuple[Label, ...]:
        """The labels that a label setting may stand for, as far as they are known: its default,
        what it is now, those of rc files, and `more`."""
        labels: dict[Label, None] = {}
        for configuration in (None, self.conditions.configuration):
            with suppress(ValueTypeError):  # Whoever needs the value reports it.
                labels[label_behind(rule, configuration)] = None
        for text in (*self.label_values(rule.label), *more):
            with suppress(LabelError):
                labels[parse_label(text, MAIN_ROOT)] = None
        return tuple(labels)

    def is_value(self, rule: Rule, value: Label) -> FlagRequirement:
        """The requirement that a label setting stands for a target."""
        flag, place = rule.label, rule.location
        settable = is_flag(rule)
        return FlagRequirement(str(flag), str(value), flag, place, is_settable=settable)


def _entries(formula: ConditionFormula) -> list[SettingEntries]:
    return [case.entries for case in formula.cases if case.entries is not None]


def _most_entries(formula: ConditionFormula) -> int:
    """How many entries a condition has at the most; a constraint value may stand for many."""
    sizes = (_MANY if one.constraints else _plain_entries(one) for one in _entries(formula))
    return max(sizes, default=0)


def _fewest_entries(formula: ConditionFormula) -> int:
    """How many entries, constraint values aside, a condition has at the least: who has no more
    than that cannot refine it."""
    return min(map(_plain_entries, _entries(formula)), default=_MANY)


def _plain_entries(entries: SettingEntries) -> int:
    return len({*entries.native, *entries.flags})


_REFUSED = ConditionFormula((), TRUE)
