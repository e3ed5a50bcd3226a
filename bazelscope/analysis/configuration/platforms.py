"""Platforms and constraints: which constraint values the target platform has.

Bazel: `PlatformOptions.computeTargetPlatform`, `PlatformInfo`, `ConstraintCollection`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from bazelscope.analysis.configuration.build_settings import is_label_setting, label_behind
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.configuration.flag_types import ValueTypeError, parse_boolean
from bazelscope.analysis.configuration.target_source import TargetSource
from bazelscope.base.errors import LabelError
from bazelscope.base.label import Label, parse_option_label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import Selector, SelectorList
from bazelscope.flags.flag_values import FlagInstance, FlagValue
from bazelscope.loading.packages.targets import Absent, Rule, TargetResult, UnknownResult

_AUTOMATIC = Label("local_config_platform", "", "host")
_LEGACY_HOST = Label("bazel_tools", "platforms", "host_platform")
_DEFAULT_HOST = Label("bazel_tools", "tools", "host_platform")
"""What `--host_platform` is by default in later releases."""
_HOSTS = (_AUTOMATIC, _LEGACY_HOST, _DEFAULT_HOST, Label("platforms", "host", "host"))
"""What Bazel or `platforms` bring along for the machine that Bazel runs on."""
_LEGACY_TARGET = Label("bazel_tools", "platforms", "target_platform")
_FINDS_HOST = "incompatible_auto_configure_host_platform"

# Bazel: CPU and OS names of the legacy target platform, by --cpu.
_LEGACY_CPU = {
    "k8": "x86_64",
    "darwin": "x86_64",
    "darwin_x86_64": "x86_64",
    "x64_windows": "x86_64",
    "piii": "x86_32",
    "ppc": "ppc",
    "arm": "arm",
    "armeabi-v7a": "arm",
    "aarch64": "aarch64",
    "s390x": "s390x",
}
_LEGACY_OS = {"darwin": "osx", "x64_windows": "windows", "freebsd": "freebsd"}
TARGET_COMPATIBLE = "target_compatible_with"
TARGET_SETTINGS = "target_settings"
USE_TARGET_PLATFORM = "use_target_platform_constraints"
"""The attributes of a `toolchain` that say what it is for."""
REQUIRED_SETTINGS = "required_settings"
"""The conditions under which tools may run on a platform."""


@dataclass(frozen=True, slots=True)
class PlatformInfo:
    """A platform's constraint values by constraint setting.

    `set_by` is the flag that chose the platform; `unknown` says why `values` is not all.
    """

    label: Label
    values: tuple[tuple[Label, Label], ...]
    set_by: FlagInstance | None = None
    unknown: Unknown | None = None

    def get(self, setting: Label) -> Label | None:
        for key, value in self.values:
            if key == setting:
                return value
        return None


def problem_of(result: TargetResult, label: Label) -> Unknown | None:
    """Why a look-up gave no target; None if it gave one."""
    if isinstance(result, UnknownResult):
        return result.unknown
    if isinstance(result, Absent):
        return Unknown(Reason.FAILED, str(label), result.message)
    return None


ALIAS_CYCLE = "cycle of aliases"
"""What is unknown about an alias that leads back to itself."""


def follow_aliases(source: TargetSource, label: Label) -> Label | Unknown:
    """The target behind plain aliases, which exists, or why there is none; selects in an alias
    are not followed here."""
    return _behind(source.target, label)


def actual_label(source: TargetSource, label: Label) -> Label:
    """The target behind plain aliases; the label itself where that cannot be told."""
    actual = follow_aliases(source, label)
    return label if isinstance(actual, Unknown) else actual


def actual_target(source: TargetSource, label: Label) -> TargetResult | None:
    """What stands behind plain aliases; None where that cannot be told."""
    actual = follow_aliases(source, label)
    return None if isinstance(actual, Unknown) else source.target(actual)


def _behind(target_of: Callable[[Label], TargetResult], label: Label) -> Label | Unknown:
    seen: set[Label] = set()
    while label not in seen:
        seen.add(label)
        result = target_of(label)
        problem = problem_of(result, label)
        if problem is not None:
            return problem
        if not isinstance(result, Rule) or result.rule_class.name not in ("alias", "bind"):
            return label
        actual = result.value("actual")
        if not isinstance(actual, Label):
            return label
        label = actual
    return Unknown(Reason.FAILED, str(label), ALIAS_CYCLE)


@dataclass(frozen=True, slots=True)
class Constraint:
    """A constraint value and the setting it is a value of."""

    value: Label
    setting: Label
    default: Label | None = None


def constraint_of(source: TargetSource, label: Label) -> Constraint | Unknown:
    """The constraint value that `label` names, aliases followed."""
    actual = _behind(source.looked_up, label)
    if isinstance(actual, Unknown):
        return _well_known(label) or actual
    result = source.looked_up(actual)
    if not isinstance(result, Rule) or result.rule_class.name != "constraint_value":
        return Unknown(Reason.FAILED, str(label), f"`{label}` is not a constraint_value")
    named = result.value("constraint_setting")
    if not isinstance(named, Label):
        return Unknown(Reason.FAILED, str(label), f"`{label}` has no constraint_setting")
    setting = _behind(source.looked_up, named)
    if isinstance(setting, Unknown):
        return Constraint(actual, named)
    rule = source.looked_up(setting)
    default = rule.value("default_constraint_value") if isinstance(rule, Rule) else None
    return Constraint(actual, setting, default if isinstance(default, Label) else None)


def is_of_no_platform(value: Label) -> bool:
    """Whether a constraint value is the one that no platform may have: `@platforms//:incompatible`,
    which is there to say that a target can be built for none."""
    repository = value.repository.rstrip("+~")
    return repository == "platforms" and (value.package, value.name) == ("", "incompatible")


def refined_constraints(source: TargetSource, label: Label) -> Iterator[Label]:
    """The constraint values that the one `label` implies, since 9.2.0.

    Bazel: `ConstraintSettingInfo.refinementChain`.
    """
    seen: set[Label] = set()
    while True:
        constraint = constraint_of(source, label)
        if isinstance(constraint, Unknown):
            return
        setting = source.looked_up(constraint.setting)
        if not isinstance(setting, Rule):
            return
        refined = setting.value("refines_constraint_value")
        if not isinstance(refined, Label):
            return
        actual = _behind(source.looked_up, refined)
        if isinstance(actual, Unknown) or actual in seen:
            return
        seen.add(actual)
        yield actual
        label = actual


def _well_known(label: Label) -> Constraint | None:
    """The constraints every Bazel brings along, where their repository is not at hand."""
    if label.repository == "platforms" and label.package in ("cpu", "os"):
        return Constraint(label, Label("platforms", label.package, label.package))
    return None


def target_platform(source: TargetSource, configuration: Configuration) -> PlatformInfo:
    """The platform that `configuration` builds for, with its constraint values."""
    name = "platforms" if configuration.value("platforms").value else "host_platform"
    label = target_platform_label(configuration)
    if label == _LEGACY_TARGET:
        return _legacy_platform(source, configuration)
    return _named_by(source, configuration, name, label)


def target_platform_label(configuration: Configuration) -> Label | Unknown:
    """The platform that `configuration` builds for: without `--platforms`, the host's where
    Bazel finds out the host's by itself, else one that is made of `--cpu`."""
    chosen = configuration.value("platforms").value
    if chosen:
        return _platform_label(chosen.split(",")[0], configuration.names)
    # Tools are built for the host's own platform, which --host_cpu does not change (2.1.0).
    is_automatic = _finds_host(configuration)
    return host_platform_label(configuration) if is_automatic else _LEGACY_TARGET


def value_for_conditions(configuration: Configuration, name: str) -> FlagValue:
    """The value of an option that conditions and transitions find: without `--platforms`, the
    platform that is built for. Bazel: `PlatformMappingValue`. Measured up to 4.2.3."""
    value = configuration.value(name)
    if name != "platforms" or value.value or not configuration.release.platforms_are_filled_in:
        return value
    platform = target_platform_label(configuration)
    return value if isinstance(platform, Unknown) else replace(value, values=(str(platform),))


def host_platform_label(configuration: Configuration) -> Label | Unknown:
    """The platform of `--host_platform`, on which Bazel itself runs."""
    chosen = configuration.value("host_platform").value
    if chosen and chosen != str(_DEFAULT_HOST):
        return _platform_label(chosen, configuration.names)
    return _AUTOMATIC if _finds_host(configuration) else _LEGACY_HOST


def _finds_host(configuration: Configuration) -> bool:
    """Whether the platform of the host is the one that Bazel finds out about the machine."""
    chosen = configuration.value(_FINDS_HOST)
    if chosen.value is not None and chosen.instances:
        return parse_boolean(chosen.value)
    return configuration.release.finds_host_platform


def _platform_label(text: str, names: Mapping[str, str]) -> Label | Unknown:
    try:
        return parse_option_label(text, names)
    except LabelError as error:
        return Unknown(Reason.FAILED, text, str(error))


def is_bazels_platform(label: Label) -> bool:
    """Whether Bazel, or `platforms`, brings a platform along."""
    return label in _HOSTS or label == _LEGACY_TARGET


def platform_of(source: TargetSource, configuration: Configuration, label: Label) -> PlatformInfo:
    """The platform of that label, the automatic ones of this Bazel included."""
    if label in _HOSTS:
        return _host_info(source, configuration, label)
    if not configuration.release.platforms_have_no_configuration:
        label = behind_setting(source, configuration, label)
    values, unknown = _platform_values(source, configuration, label)
    return PlatformInfo(label, tuple(values.items()), None, unknown)


def _host_info(source: TargetSource, configuration: Configuration, label: Label) -> PlatformInfo:
    labels = configuration.host.constraint_values(configuration.release)
    return _info(source, label, labels, None)


def host_platform(source: TargetSource, configuration: Configuration) -> PlatformInfo:
    """The platform of `--host_platform`, with its constraint values."""
    label = host_platform_label(configuration)
    return _named_by(source, configuration, "host_platform", label)


def _named_by(
    source: TargetSource, configuration: Configuration, option: str, label: Label | Unknown
) -> PlatformInfo:
    if isinstance(label, Unknown):
        return PlatformInfo(Label("", "", label.subject), (), None, label)
    platform = platform_of(source, configuration, label)
    return replace(platform, set_by=configuration.value(option).set_by)


def _legacy_platform(source: TargetSource, configuration: Configuration) -> PlatformInfo:
    """The target platform that takes its constraints from `--cpu`."""
    cpu_flag = configuration.value("cpu")
    cpu = cpu_flag.value or ""
    known = _LEGACY_CPU.get(cpu)
    if configuration.release.constraints_in_platforms:
        places = (("platforms", "cpu"), ("platforms", "os"))
    else:
        places = (("bazel_tools", "platforms"), ("bazel_tools", "platforms"))
    labels: list[Label] = []
    if known is not None:
        labels.append(Label(*places[0], known))
    os = _LEGACY_OS.get(cpu, "linux" if known else None)
    if os is not None:
        labels.append(Label(*places[1], os))
    return _info(source, _LEGACY_TARGET, labels, cpu_flag.set_by)


def _info(
    source: TargetSource,
    label: Label,
    constraint_values: Iterable[Label],
    instance: FlagInstance | None,
) -> PlatformInfo:
    values: dict[Label, Label] = {}
    unknown: Unknown | None = None
    for value in constraint_values:
        constraint = constraint_of(source, value)
        if isinstance(constraint, Unknown):
            unknown = unknown or constraint
        else:
            values[constraint.setting] = constraint.value
    return PlatformInfo(label, tuple(values.items()), instance, unknown)


def platform_rule(source: TargetSource, label: Label) -> Rule | Unknown:
    """The platform behind a label and its aliases, or why there is none."""
    actual = _behind(source.looked_up, label)
    if isinstance(actual, Unknown):
        return actual
    rule = source.looked_up(actual)
    if not isinstance(rule, Rule):
        return Unknown(Reason.FAILED, str(label), f"`{label}` is not a platform")
    if rule.rule_class.name != "platform":
        is_told = rule.rule_class.is_known and not is_label_setting(rule)
        reason = Reason.FAILED if is_told else Reason.NEEDS_ANALYSIS
        return Unknown(reason, str(label), f"`{label}` is not a platform")
    return rule


def parents_first(
    source: TargetSource, platform: Label, configuration: Configuration | None = None
) -> Iterator[tuple[Label, Rule | Unknown]]:
    """A platform after its parents, and these after theirs, each once; not by recursion, for
    there may be a thousand. What label settings among them stand for, a `configuration` says."""
    entered = {platform}
    around = [(platform, platform_rule(source, platform))]
    while around:
        _, rule = around[-1]
        parents = () if isinstance(rule, Unknown) else _parents(source, rule, configuration)
        parent = next((one for one in parents if one not in entered), None)
        if parent is None:
            yield around.pop()
        else:
            entered.add(parent)
            around.append((parent, platform_rule(source, parent)))


def _parents(
    source: TargetSource, rule: Rule, configuration: Configuration | None
) -> Sequence[Label]:
    parents = rule.labels("parents")
    if configuration is None or configuration.release.platforms_have_no_configuration:
        return parents
    return [behind_setting(source, configuration, parent) for parent in parents]


def _platform_values(
    source: TargetSource, configuration: Configuration, platform: Label
) -> tuple[dict[Label, Label], Unknown | None]:
    known: dict[Label, tuple[dict[Label, Label], Unknown | None]] = {}
    for label, rule in parents_first(source, platform, configuration):
        if label in _HOSTS:
            host = _host_info(source, configuration, label)
            known[label] = dict(host.values), host.unknown
            continue
        if isinstance(rule, Unknown):
            known[label] = {}, rule
            continue
        values: dict[Label, Label] = {}
        unknown: Unknown | None = None
        for parent in _parents(source, rule, configuration):
            cycle = Unknown(Reason.FAILED, str(parent), "cycle of platform parents")
            inherited, problem = known.get(parent, ({}, cycle))
            values.update(inherited)
            unknown = unknown or problem
        own, problem = _own_values(source, configuration, rule, label)
        values.update(own)
        unknown = unknown or problem
        known[label] = values, unknown or _not_refined(source, rule.label, values)
    return known[platform]


def behind_setting(source: TargetSource, configuration: Configuration, label: Label) -> Label:
    """The label that a label setting or flag has under the configuration (4.2.3 measured); the
    label itself where it is none."""
    actual = _behind(source.looked_up, label)
    rule = actual if isinstance(actual, Unknown) else source.looked_up(actual)
    if not isinstance(rule, Rule) or not is_label_setting(rule):
        return label
    try:
        return label_behind(rule, configuration)
    except ValueTypeError:
        return label  # Whoever needs the value reports it.


def _own_values(
    source: TargetSource, configuration: Configuration, rule: Rule, label: Label
) -> tuple[dict[Label, Label], Unknown | None]:
    """The constraint values that a platform itself names."""
    values: dict[Label, Label] = {}
    unknown: Unknown | None = None
    for named in rule.labels("constraint_values"):
        value = behind_setting(source, configuration, named)
        if value != named and configuration.release.platforms_have_no_configuration:
            problem = (
                f"in constraint_values attribute of platform rule {label}: '{named}' does not have"
                " mandatory providers: 'ConstraintValueInfo'"
            )
            unknown = unknown or Unknown(Reason.FAILED, str(label), problem, rule.location)
            continue
        constraint = constraint_of(source, value)
        if isinstance(constraint, Unknown):
            unknown = unknown or constraint
        else:
            values[constraint.setting] = constraint.value
    for name in ("parents", "constraint_values"):
        if isinstance(rule.value(name), Unknown | Selector | SelectorList):
            detail = f"`{name}` of the platform is not a plain list"
            unknown = unknown or Unknown(Reason.DEPENDS_ON_UNKNOWN, str(label), detail)
    return values, unknown


def _not_refined(source: TargetSource, label: Label, values: dict[Label, Label]) -> Unknown | None:
    """What is wrong with a platform that has a constraint value, but not one that it refines."""
    for value in values.values():
        constraint = constraint_of(source, value)
        if isinstance(constraint, Unknown) or constraint.value == constraint.default:
            continue
        for refined in refined_constraints(source, value):
            if refined not in values.values():
                detail = f"`{label}` has `{value}`, but not `{refined}`, which that refines"
                return Unknown(Reason.FAILED, str(label), detail)
    return None


def required_settings(source: TargetSource, platform: Label) -> tuple[Label, ...]:
    """The conditions that have to hold for tools to run on a platform: its own and those of its
    parents. Bazel: `PlatformInfo.requiredSettings`."""
    rules = (rule for _, rule in parents_first(source, platform) if isinstance(rule, Rule))
    return tuple(label for rule in rules for label in rule.labels(REQUIRED_SETTINGS))


def suits(source: TargetSource, wanted: Iterable[Label], platform: PlatformInfo) -> bool | Unknown:
    """Whether a platform has all these constraint values."""
    doubt: Unknown | None = None
    for label in wanted:
        constraint = constraint_of(source, label)
        if isinstance(constraint, Unknown):
            doubt = doubt or constraint
            continue
        got = platform.get(constraint.setting)
        if got is None and platform.unknown is not None:
            doubt = doubt or platform.unknown
        elif (got or constraint.default) != constraint.value:
            return False
    return doubt or True
