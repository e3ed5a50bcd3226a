"""The entries of a config_setting: read, compared with each other, checked.

Bazel: `ConfigSetting`: an entry's expected value is parsed by its flag's own converter; a
flag that is not given has its default; a repeatable flag must contain the expected value;
of `--define` the last instance of each name counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from bazelscope.analysis.conditions.match_result import Requirement
from bazelscope.analysis.configuration.build_settings import (
    FEATURE_FLAG,
    SettingValue,
    UnknownSettingError,
    current_value,
    is_build_setting,
    parse_setting,
    setting_type,
)
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.configuration.flag_types import ValueTypeError, parse_value
from bazelscope.analysis.configuration.platforms import (
    Constraint,
    PlatformInfo,
    actual_label,
    behind_setting,
    constraint_of,
    follow_aliases,
    refined_constraints,
    value_for_conditions,
)
from bazelscope.analysis.configuration.target_source import TargetSource
from bazelscope.analysis.configuration.toolchain_flags import (
    Compiler,
    MayBeChosen,
    compiler_of,
    is_toolchain_flag,
)
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Reason, Unknown, all_known
from bazelscope.bazel.attribute_types import AttributeType, DictValue
from bazelscope.bazel.flag_catalog import FlagDefinition, FlagKind
from bazelscope.bazel.flag_conversion import convert
from bazelscope.bazel.native_options import (
    is_configuration_option,
    means_unset,
    never_matches,
    why_not_selectable,
)
from bazelscope.bazel.release import Release
from bazelscope.flags.flag_values import FlagInstance, FlagValue
from bazelscope.loading.packages.targets import Rule

ProvidedValue = Callable[[Label, Configuration], str | Unknown | None]
"""The value of a rule that acts as a setting; None for one that does not."""

# Measured: 0.24.1 and 0.26.1 take feature flags alone, 2.1.0 takes build settings too.


@dataclass(frozen=True, slots=True)
class SettingEntries:
    """What a config_setting asks for, as raw text: `define_values` count as `define`."""

    native: tuple[tuple[str, str], ...]
    flags: tuple[tuple[Label, str], ...]
    constraints: tuple[Label, ...]

    def refines(self, other: SettingEntries, source: TargetSource, release: Release) -> bool:
        """Whether this is a strict superset of `other`.

        Constraint values do not count in 4.2.3 (measured) nor in early 2022 (bazel issue
        14604), and do in late releases; 6.0 as the boundary is not measured. Since 9.2.0 one
        counts for those too that its setting refines (bazel#29655).
        """
        if self._is_above(other, release):
            return True
        if not release.constraints_refine or not self.constraints:
            return False
        return self._implied(source)._is_above(other._implied(source), release)

    def _implied(self, source: TargetSource) -> SettingEntries:
        implied = [v for label in self.constraints for v in refined_constraints(source, label)]
        return replace(self, constraints=(*self.constraints, *implied))

    def _is_above(self, other: SettingEntries, release: Release) -> bool:
        mine, theirs = self._sets(release), other._sets(release)
        return all(a >= b for a, b in zip(mine, theirs, strict=True)) and mine != theirs

    def _sets(self, release: Release) -> tuple[frozenset[object], ...]:
        sets: tuple[frozenset[object], ...] = (frozenset(self.native), frozenset(self.flags))
        if release.constraints_specialize:
            sets = (*sets, frozenset(self.constraints))
        return sets


def entries_of(rule: Rule) -> SettingEntries | Unknown:
    """The entries of the config_setting `rule`."""
    native: list[tuple[str, str]] = []
    flags: list[tuple[Label, str]] = []
    constraints: list[Label] = []
    for name in ("values", "define_values", "flag_values", "constraint_values"):
        value = rule.value(name)
        if isinstance(value, Unknown):
            return value
        items = value.items if isinstance(value, DictValue) else ()
        for key, expected in items:
            if isinstance(expected, Unknown):
                return expected
            if isinstance(key, Label):
                flags.append((key, str(expected)))
            elif name == "define_values":
                native.append(("define", f"{key}={expected}"))
            else:
                native.append((key, str(expected)))
        for constraint in value if isinstance(value, tuple) else ():
            if isinstance(constraint, Unknown):
                return constraint
            if isinstance(constraint, Label):
                constraints.append(constraint)
    if not native and not flags and not constraints:
        detail = "Either values, flag_values or constraint_values must be specified and non-empty"
        return Unknown(Reason.FAILED, str(rule.label), detail, rule.location)
    return SettingEntries(tuple(native), tuple(flags), tuple(constraints))


def entries_of_key(source: TargetSource, value: Label, release: Release) -> SettingEntries:
    """The entries of a constraint_value that is the key of a select() by itself: it has none, so
    that every config_setting is more special, but where its setting refines another value.
    Bazel: `ConstraintValueInfo.configMatchingProvider`; of 9.2 by what bazel#29655 says it does."""
    refined = refined_constraints(source, value) if release.constraints_refine else ()
    return SettingEntries((), (), (value,) if any(refined) else ())


def without_aliases(source: TargetSource, entries: SettingEntries) -> SettingEntries:
    """The entries with every flag under its own name, as one is compared with another."""
    flags = tuple([(actual_label(source, flag), expected) for flag, expected in entries.flags])
    return SettingEntries(entries.native, flags, entries.constraints)


@dataclass(eq=False)
class SettingCheck:
    """Compares the entries of the config_setting `rule` with what is in force.

    `provided` says what a rule that is no build setting provides as one; `may_be_chosen`, which
    C++ toolchains may serve.
    """

    _source: TargetSource
    _configuration: Configuration
    _rule: Rule
    _platform: Callable[[], PlatformInfo]
    _provided: ProvidedValue | None = None
    _may_be_chosen: MayBeChosen | None = None

    def checked(self, entries: SettingEntries) -> tuple[Requirement, ...] | Unknown:
        """Every entry with the value it wants and the value in force.

        An `Unknown` result means that the config_setting is in error, or that an entry cannot
        be decided and no other entry already differs.
        """
        native = all_known(self._native(name, expected) for name, expected in entries.native)
        if isinstance(native, Unknown):
            return native
        flags = list(self._of_flags(entries))
        constraints = [self._constraint(label) for label in entries.constraints]
        unknown = [one for one in (*flags, *constraints) if isinstance(one, Unknown)]
        failed = next((one for one in unknown if one.reason is Reason.FAILED), None)
        if failed is not None:
            return failed
        settings = [one.what for one in constraints if isinstance(one, Requirement)]
        for index, setting in enumerate(settings):
            if setting in settings[:index]:
                return self._bad(f"`constraint_values` has two values of `{setting}`")
        others = [one for one in (*flags, *constraints) if isinstance(one, Requirement)]
        checked = (*native, *others)
        if unknown and all(entry.holds for entry in checked):
            return unknown[0]
        return checked

    def _of_flags(self, entries: SettingEntries) -> Iterator[Requirement | Unknown]:
        """Each entry of `flag_values`, or what is wrong with one."""
        referenced: dict[Label, Label] = {}
        for flag, expected in entries.flags:
            actual = follow_aliases(self._source, flag)
            if isinstance(actual, Label) and referenced.setdefault(actual, flag) != flag:
                both = f"`{referenced[actual]}` and `{flag}`"
                yield self._bad(f"`flag_values` names `{actual}` twice: {both}")
            if is_toolchain_flag(actual if isinstance(actual, Label) else flag):
                compiler = compiler_of(self._source, self._configuration, flag, self._may_be_chosen)
                yield _of_compiler(compiler, flag, expected)
            else:
                yield self._flag(flag, expected)

    def _native(self, name: str, expected: str) -> Requirement | Unknown:
        if name == "define":
            key, equals, value = expected.partition("=")
            if not key or not equals:
                return self._bad(f"`{expected}` in `values` is no `name=value` of --define")
            define = self._configuration.define(key)
            return Requirement(
                f"--define={key}",
                value,
                define.value if define is not None else None,
                define.instance if define is not None else None,
            )
        refused = why_not_selectable(name, self._rule.label, self._configuration.release)
        if refused is not None:
            return self._bad(f"`values` may not have the option `{name}`: {refused}")
        definition = self._configuration.definition(name)
        if definition is None or not is_configuration_option(
            definition, self._configuration.release
        ):
            return self._unknown_option(name)
        if definition.is_expansion:
            return self._bad(f"`{name}` in `values` stands for other options")
        try:
            wanted = parse_value(definition, expected)
            if self._is_checked(definition, expected):
                convert(definition, expected)
        except (ValueError, ValueTypeError) as error:
            return self._bad(f"`{name}` in `values`: {error}")
        value_in_force = value_for_conditions(self._configuration, name)
        what, instance = f"--{name}", value_in_force.set_by
        if definition.repeats:
            return self._repeatable(definition, expected)
        if never_matches(definition, expected):
            return Requirement(what, wanted.text, value_in_force.value or None, instance)
        if not value_in_force.values:
            got = wanted.text if means_unset(definition, expected) else None
            return Requirement(what, wanted.text, got, instance)
        if name in ("cpu", "host_cpu") and expected == "":
            wanted = parse_value(definition, self._configuration.default(name).value or "")
        try:
            of_command = parse_value(definition, value_in_force.values[-1])
        except ValueTypeError as error:
            # The command line is in error, not the setting.
            detail = f"--{name} has no value that Bazel takes: {error}"
            return Unknown(
                Reason.DEPENDS_ON_UNKNOWN, str(self._rule.label), detail, self._rule.location
            )
        same = of_command.key == wanted.key
        return Requirement(what, wanted.text, wanted.text if same else of_command.text, instance)

    def _is_checked(self, definition: FlagDefinition, text: str) -> bool:
        """Whether it is known which values of an option Bazel refuses here."""
        if definition.kind is not FlagKind.LABEL or definition.splits_at_commas:
            return True
        # Whether a repository may lack its `@` was not asked of Bazel.
        return "//" not in text.removeprefix("//") or text.startswith("@")

    def _unknown_option(self, name: str) -> Unknown:
        catalog = self._configuration.catalog
        if not catalog.is_exact and catalog.known_elsewhere(name):
            detail = f"whether Bazel {self._configuration.bazel_version} has the option `{name}`"
            return Unknown(Reason.NOT_MODELLED, str(self._rule.label), detail, self._rule.location)
        return self._bad(f"unknown option `{name}` in `values`")

    def _repeatable(self, definition: FlagDefinition, expected: str) -> Requirement:
        name = definition.name
        value = self._configuration.value(name)
        as_list = definition.kind is FlagKind.LIST
        keys: dict[object, int] = {}
        texts: list[str] = []
        for index, text in enumerate(value.values):
            for element in text.split(",") if as_list else (text,):
                keys[element] = index
                texts.append(element)
        # Bazel: ConfigSetting.optionMatches: all that is wanted must be there; nothing is wanted
        # of an empty list, which only an empty one is equal to.
        wanted = [part for part in expected.split(",") if part] if as_list else [expected]
        if definition.kind is FlagKind.LABEL and not expected:
            wanted = []
        numbers = [keys[part] for part in wanted if part in keys]
        if len(numbers) == len(wanted) and bool(wanted) == bool(texts):
            return Requirement(f"--{name}", expected, expected, _instance_of(value, numbers))
        got = ",".join(texts) if texts else None
        return Requirement(f"--{name}", expected, got if got != expected else None, value.set_by)

    def _flag(self, flag: Label, expected: str) -> Requirement | Unknown:
        actual = follow_aliases(self._source, flag)
        if isinstance(actual, Unknown):
            return actual
        result = self._source.target(actual)
        if not isinstance(result, Rule):
            return self._bad(f"`{flag}` in `flag_values` is no build setting")
        if not result.rule_class.is_known:
            detail = f"`{flag}` is made by `{result.rule_class.name}`, which is not known"
            return Unknown(Reason.NOT_FETCHED, str(flag), detail, self._rule.location)
        if not is_build_setting(result):
            return self._of_implementation(flag, result, expected)
        if result.rule_class.name == FEATURE_FLAG:
            return self._feature_flag(flag, result, expected)
        if self._provided is not None and result.rule_class.defined_at:
            # What its implementation says counts before the value that flags or a default give.
            got = self._provided(result.label, self._configuration)
            if got is not None:
                return got if isinstance(got, Unknown) else _provided(result, expected, got)
        if not self._configuration.release.build_settings_in_flag_values:
            return self._bad(f"`{flag}` in `flag_values` is no feature flag, as it must be")
        kind = setting_type(result)
        context = self._rule.label.package_id
        try:
            wanted, wanted_text = parse_setting(
                expected, kind, context, self._configuration.release
            )
            # Through an alias, 4.2.3 and older compare with the flag's default.
            asked = actual if self._configuration.release.flag_values_through_aliases else flag
            value = current_value(result, self._configuration, asked)
        except UnknownSettingError as error:
            return error.unknown
        except ValueTypeError as error:
            return self._bad(f"`{flag}` in `flag_values`: {error}")
        if kind is AttributeType.STRING_LIST and (not expected or "," in expected):
            return self._bad(f"`{flag}` in `flag_values` takes one value, not `{expected}`")
        return _compare(str(actual), wanted, wanted_text, value)

    def _of_implementation(
        self, flag: Label, setting: Rule, expected: str
    ) -> Requirement | Unknown:
        """Compares what the implementation of a rule returns as `config_common.FeatureFlagInfo`."""
        if not setting.rule_class.defined_at:
            return self._bad(f"`{flag}` in `flag_values` is no build setting")
        if self._provided is None:
            detail = (
                f"what the implementation of {setting.rule_class.name} provides is not asked here"
            )
            return Unknown(Reason.NOT_MODELLED, str(flag), detail, setting.location)
        got = self._provided(setting.label, self._configuration)
        if isinstance(got, Unknown):
            return got
        if got is None:
            return self._bad(f"`{flag}` in `flag_values` is no build setting")
        return _provided(setting, expected, got)

    def _feature_flag(self, flag: Label, setting: Rule, expected: str) -> Requirement | Unknown:
        """An Android feature flag: it has its default unless a binary's transition sets it."""
        values = setting.value("allowed_values", ())
        if isinstance(values, tuple) and expected not in values:
            return self._bad(f"`{flag}` in `flag_values` may not be `{expected}`")
        got = setting.value("default_value")
        if isinstance(got, Unknown):
            return got
        if not isinstance(got, str) or not got:
            return self._bad(f"the feature flag `{flag}` has no value and no default")
        return Requirement(str(setting.label), expected, got)

    def _constraint(self, label: Label) -> Requirement | Unknown:
        value = behind_setting(self._source, self._configuration, label)
        constraint = constraint_of(self._source, value)
        if isinstance(constraint, Unknown):
            return constraint
        return compared(constraint, self._platform())

    def _bad(self, message: str) -> Unknown:
        return Unknown(Reason.FAILED, str(self._rule.label), message, self._rule.location)


def _instance_of(value: FlagValue, numbers: list[int]) -> FlagInstance | None:
    """What set the last of the values at these indexes; values that Bazel puts first itself
    have no instance."""
    own = len(value.values) - len(value.instances) if value.instances else 0
    last = max(numbers, default=len(value.values)) - own
    if last < 0:
        return None
    return value.instances[last] if last < len(value.instances) else value.set_by


def _provided(setting: Rule, expected: str, got: str) -> Requirement:
    return Requirement(str(setting.label), expected, got, provided_by=setting.location)


def _of_compiler(compiler: Compiler | Unknown, flag: Label, expected: str) -> Requirement | Unknown:
    if isinstance(compiler, Unknown):
        return compiler
    if expected not in compiler.possible:
        return Requirement(str(flag), expected, compiler.name)
    return Requirement(str(flag), expected, compiler.name, assumed=compiler.assumed)


def _compare(what: str, wanted: object, text: str, value: SettingValue) -> Requirement:
    if wanted in value.elements:
        return Requirement(what, text, text, value.instance)
    got = value.text if value.texts else None
    return Requirement(what, text, got, value.instance)


def compared(constraint: Constraint, platform: PlatformInfo) -> Requirement | Unknown:
    """A constraint value that is wanted, with the one that a platform has."""
    got = platform.get(constraint.setting) or constraint.default
    if got is None and platform.unknown is not None:
        return platform.unknown
    return Requirement(
        str(constraint.setting),
        str(constraint.value),
        str(got) if got is not None else None,
        platform.set_by,
    )
