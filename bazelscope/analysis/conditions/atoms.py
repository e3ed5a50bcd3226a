"""What conditions look at: the value of one option, flag or constraint setting.

Bazel: `ConfigSetting`, `ConstraintValue`. Values are spelt as the flags of one Bazel version
parse them, so that two spellings of one value are one atom.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field, replace

from bazelscope.analysis.conditions.config_settings import (
    SettingEntries,
    entries_of,
    entries_of_key,
    without_aliases,
)
from bazelscope.analysis.conditions.match_result import Requirement
from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.configuration.build_settings import (
    FEATURE_FLAG,
    current_value,
    default_value,
    is_build_setting,
    is_flag,
    parse_setting,
    setting_type,
)
from bazelscope.analysis.configuration.flag_types import ValueTypeError, parse_value
from bazelscope.analysis.configuration.platforms import (
    Constraint,
    PlatformInfo,
    actual_label,
    behind_setting,
    constraint_of,
    target_platform,
)
from bazelscope.analysis.configuration.toolchain_flags import compiler_of, is_toolchain_flag
from bazelscope.base.label import MAIN_ROOT, Label, parse_label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.source import Location
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import AttributeType
from bazelscope.bazel.flag_catalog import FlagKind
from bazelscope.bazel.native_options import means_unset
from bazelscope.flags.flag_values import FlagInstance
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.targets import Rule

ENVIRONMENT = ("--action_env=", "--repo_env=")
"""What stands before a variable that repository rules read; the stronger one last."""
UNSET = "(unset)"
"""The value of an option that has none."""


@dataclass(frozen=True, slots=True)
class FlagRequirement:
    """One value that one flag (or the platform) must have.

    `what` is written as in `matching.Requirement`. `setting` asks for it, at `location`.
    `accumulates`: the flag holds several values at once, so another one does no harm.
    `is_settable`: the command line may set it, as opposed to transitions or toolchains.
    `is_provided`: its rule's implementation says the value, by what it sees of other flags.
    `of_exec`: the constraint is one of the execution platform. `domain`: every value that
    the flag can have, where these are few and known.
    """

    what: str
    wanted: str
    setting: Label = field(compare=False)
    location: Location | None = field(default=None, compare=False)
    accumulates: bool = field(default=False, compare=False)
    is_constraint: bool = field(default=False, compare=False)
    is_settable: bool = field(default=True, compare=False)
    of_exec: bool = False
    domain: tuple[str, ...] = field(default=(), compare=False)
    is_provided: bool = field(default=False, compare=False)
    unknown: Unknown | None = field(default=None, compare=False)
    """Why nobody can tell whether it holds, whatever the flags."""

    def with_value(self, value: str) -> FlagRequirement:
        """The requirement that the same flag has another value."""
        return replace(self, wanted=value)

    @property
    def key(self) -> tuple[str, bool]:
        """What has one value at a time (unless it accumulates)."""
        return (self.what, self.of_exec)

    @property
    def flag(self) -> str | None:
        """The word for the command line; None where there is none."""
        if self.is_constraint or not self.is_settable or self.wanted == UNSET:
            return None
        dashes = "" if self.what.startswith("--") else "--"
        return f"{dashes}{self.what}={self.wanted}"

    @property
    def is_empty(self) -> bool:
        """Whether an option that names something is to name nothing."""
        is_option = self.what.startswith("--") and "=" not in self.what
        return is_option and not self.wanted and not self.accumulates

    @property
    def text(self) -> str:
        if self.is_provided:
            return f"{self.what}={self.wanted} (which its implementation says)"
        if not self.is_settable:
            return f"{self.what}={self.wanted} (which no flag sets)"
        if self.wanted == UNSET or self.is_empty:
            return f"no {self.what}"
        platform = "an execution platform" if self.of_exec else "a platform"
        return self.flag or f"{platform} with {self.wanted}"


def sorted_needs(needs: Iterable[FlagRequirement]) -> tuple[FlagRequirement, ...]:
    return tuple(sorted(needs, key=_order))


def _order(requirement: FlagRequirement) -> tuple[str, str, bool]:
    return requirement.what, requirement.wanted, requirement.of_exec


def in_force(requirement: FlagRequirement, conditions: Conditions) -> Requirement:
    """What a requirement wants beside what the configuration of `conditions` has."""
    what, wanted = requirement.what, requirement.wanted
    configuration = conditions.configuration
    if requirement.is_constraint:
        platform = _platform_of(requirement, conditions)
        constraint = constraint_of(conditions.source, parse_label(wanted, MAIN_ROOT))
        there = next((value for setting, value in platform.values if str(setting) == what), None)
        if there is None and isinstance(constraint, Constraint):
            there = constraint.default
        return Requirement(what, wanted, str(there) if there else None, platform.set_by)
    if what.startswith("--define="):
        define = configuration.define(what.removeprefix("--define="))
        if define is None:
            return Requirement(what, wanted, None)
        return Requirement(what, wanted, define.value, define.instance)
    if what.startswith(ENVIRONMENT):
        return _environment_in_force(requirement, conditions)
    if not what.startswith("--"):
        return _build_setting_in_force(requirement, conditions)
    name = what.removeprefix("--")
    value = configuration.value(name)
    if requirement.accumulates:
        definition = configuration.definition(name)
        is_list = definition is not None and definition.kind is FlagKind.LIST
        texts = [p for t in value.values for p in (t.split(",") if is_list else (t,))]
        holds = wanted in texts or (is_list and not wanted and not texts)
        got = wanted if holds else ",".join(texts) or None
        return Requirement(what, wanted, got, value.set_by)
    got = value.value
    if wanted == UNSET:
        is_unset = not value.values and name not in configuration.flags.values
        return Requirement(what, wanted, UNSET if is_unset else got, value.set_by)
    definition = configuration.definition(name)
    if got is not None and definition is not None:
        try:
            got = parse_value(definition, got).text
        except ValueTypeError:
            return Requirement(what, wanted, got, value.set_by)
    return Requirement(what, wanted, got, value.set_by)


def why_not_known(requirement: FlagRequirement, conditions: Conditions) -> Unknown | None:
    """Why nobody can tell whether a requirement holds under a configuration, where that is so:
    not all that its platform has is known."""
    if not requirement.is_constraint or in_force(requirement, conditions).got is not None:
        return None
    return _platform_of(requirement, conditions).unknown


def _platform_of(requirement: FlagRequirement, conditions: Conditions) -> PlatformInfo:
    if requirement.of_exec:
        return target_platform(conditions.source, conditions.configuration.exec())
    return conditions.platform


def _environment_in_force(requirement: FlagRequirement, conditions: Conditions) -> Requirement:
    """A variable that options set; a name alone stands for its value on this machine."""
    what, wanted = requirement.what, requirement.wanted
    _, _, name = what.partition("=")
    setter: FlagInstance | None = None
    for option in ENVIRONMENT:
        for one in conditions.configuration.value(option[2:-1]).instances:
            if (one.value or "").partition("=")[0] == name:
                setter = one
    if setter is None:
        return Requirement(what, wanted, UNSET if wanted == UNSET else None)
    _, equals, value = (setter.value or "").partition("=")
    if not equals:
        source: object = conditions.source
        known = source.options.repo_env if isinstance(source, Loader) else {}
        value = known.get(name, UNSET)
    return Requirement(what, wanted, value, setter)


def _build_setting_in_force(requirement: FlagRequirement, conditions: Conditions) -> Requirement:
    what, wanted = requirement.what, requirement.wanted
    flag = parse_label(what, MAIN_ROOT)
    rule = conditions.source.target(flag)
    if not isinstance(rule, Rule):
        return Requirement(what, wanted, None)
    provided = conditions.provided_value(rule)
    if provided is not None:
        got = provided if isinstance(provided, str) else None
        return Requirement(what, wanted, got, provided_by=rule.location)
    try:
        value = current_value(rule, conditions.configuration, flag)
    except ValueTypeError:
        return Requirement(what, wanted, None)
    if wanted in value.texts:
        return Requirement(what, wanted, wanted, value.instance)
    return Requirement(what, wanted, value.text if value.texts else None, value.instance)


class AskedOf(NamedTuple):
    """The atoms that a condition asks for, all of them, and its entries, by which Bazel finds
    out which of two conditions is the more specific."""

    needs: tuple[FlagRequirement, ...]
    entries: SettingEntries


class SettingAtoms:
    """Reads what conditions ask for, as the flags of one Bazel version are spelt."""

    def __init__(self, conditions: Conditions) -> None:
        self._conditions = conditions
        self._source = conditions.source

    def of_setting(self, rule: Rule) -> AskedOf | Unknown:
        """What a config_setting asks for."""
        entries = entries_of(rule)
        if isinstance(entries, Unknown):
            return entries
        needs: dict[FlagRequirement, None] = {}
        for name, expected in entries.native:
            for need in self._of_option(rule, name, expected):
                needs[need] = None
        for flag, expected in entries.flags:
            needs[self._of_flag(rule, flag, expected)] = None
        for value in entries.constraints:
            constraint = self._of_constraint(value, rule)
            if isinstance(constraint, Unknown):
                return constraint
            needs[constraint] = None
        return AskedOf(tuple(needs), without_aliases(self._source, entries))

    def of_constraint_value(self, rule: Rule) -> AskedOf | Unknown:
        """What a constraint_value asks for that is the key of a select() itself."""
        need = self._of_constraint(rule.label, rule)
        if isinstance(need, Unknown):
            return need
        release = self._conditions.release
        return AskedOf((need,), entries_of_key(self._source, rule.label, release))

    def _of_option(self, rule: Rule, name: str, expected: str) -> Iterator[FlagRequirement]:
        if name == "define":
            key, _, value = expected.partition("=")
            yield FlagRequirement(f"--define={key}", value, rule.label, rule.location)
            return
        definition = self._conditions.configuration.definition(name)
        accumulates = definition is not None and definition.repeats
        wanted = expected
        if definition is not None and not accumulates:
            try:
                if name in ("cpu", "host_cpu") and not expected:
                    wanted = self._conditions.configuration.default(name).value or ""
                wanted = parse_value(definition, wanted).text
                wanted = UNSET if means_unset(definition, expected) else wanted
            except ValueTypeError:
                wanted = expected  # Matching reports it; the text is the best there is.
        is_list = definition is not None and definition.kind is FlagKind.LIST
        # Of a list all members are wanted; nothing is wanted of an empty one but to be empty.
        parts = [part for part in wanted.split(",") if part] if accumulates and is_list else []
        for part in parts or [wanted]:
            yield FlagRequirement(
                f"--{name}",
                part,
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

    def _of_flag(self, rule: Rule, written: Label, expected: str) -> FlagRequirement:
        flag = actual_label(self._source, written)
        if is_toolchain_flag(flag):
            return self._of_toolchain_flag(rule, flag, expected)
        setting = self._source.target(flag)
        provided = self._conditions.provided_value(setting)
        if provided is not None:
            return FlagRequirement(
                str(flag),
                expected,
                rule.label,
                rule.location,
                is_settable=False,
                is_provided=True,
                unknown=provided if isinstance(provided, Unknown) else None,
            )
        wanted, accumulates = expected, False
        domain: tuple[str, ...] = ()
        is_settable = True
        if isinstance(setting, Rule):
            is_settable = is_flag(setting) or not is_build_setting(setting)
            kind = setting_type(setting)
            accumulates = kind is AttributeType.STRING_LIST or setting.rule_class.is_repeatable
            context, release = rule.label.package_id, self._conditions.release
            try:
                wanted = parse_setting(expected, kind, context, release)[1]
            except ValueTypeError:
                wanted = expected  # As above: matching reports it.
            if setting.rule_class.name == FEATURE_FLAG:
                domain = _text_of(setting, "default_value")  # Only an Android binary sets it.
            elif flag != written and not release.flag_values_through_aliases:
                domain = self._default_of(setting)  # Through an alias its default counts.
                flag = written
            elif kind is AttributeType.BOOLEAN:
                both = ("true", "false")
                domain = tuple(parse_setting(text, kind, context, release)[1] for text in both)
        return FlagRequirement(
            str(flag),
            wanted,
            rule.label,
            rule.location,
            accumulates=accumulates,
            is_settable=is_settable,
            domain=domain,
        )

    def _default_of(self, setting: Rule) -> tuple[str, ...]:
        try:
            texts = default_value(setting, self._conditions.release).texts
        except ValueTypeError:
            texts = ()
        return texts or ("",)

    def _of_toolchain_flag(self, rule: Rule, flag: Label, expected: str) -> FlagRequirement:
        """What the C++ toolchain says of itself: no flag sets it, but many choose another one."""
        compiler = compiler_of(self._source, self._conditions.configuration, flag)
        need = FlagRequirement(str(flag), expected, rule.label, rule.location, is_settable=False)
        if isinstance(compiler, Unknown):
            return replace(need, unknown=compiler)
        if compiler.assumed is not None and expected in compiler.possible:
            return replace(need, unknown=compiler.assumed)
        detail = f"the C++ toolchain of this line says `{compiler.name}`; another one may not"
        return replace(need, unknown=Unknown(Reason.NEEDS_ANALYSIS, str(flag), detail))

    def _of_constraint(self, value: Label, rule: Rule) -> FlagRequirement | Unknown:
        behind = behind_setting(self._source, self._conditions.configuration, value)
        constraint = constraint_of(self._source, behind)
        if isinstance(constraint, Unknown):
            return constraint
        return FlagRequirement(
            str(constraint.setting),
            str(constraint.value),
            rule.label,
            rule.location,
            is_constraint=True,
        )


def _text_of(rule: Rule, name: str) -> tuple[str, ...]:
    """The text that an attribute has."""
    return (str(rule.value(name, "")),)
