"""Which toolchain a rule gets for each toolchain type that it asks for.

Execution platforms are tried in order: those of `--extra_execution_platforms`, the
registered ones, the host's. Of those for which every mandatory type has a toolchain, the one
that has the most optional ones is chosen, the first of several such; and for each type the first
toolchain that suits it and the target platform. Where something on the way cannot be told, the
answer is the best guess with its doubt.
Bazel: `ToolchainResolutionFunction`, `SingleToolchainResolutionFunction`,
`RegisteredToolchainsFunction`, `RegisteredExecutionPlatformsFunction`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property

from bazelscope.analysis.conditions.alias_dependencies import TOOLCHAINS
from bazelscope.analysis.conditions.match_result import Match, UnknownMatch
from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.conditions.select_choice import resolve_value
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.configuration.platforms import (
    TARGET_COMPATIBLE,
    TARGET_SETTINGS,
    USE_TARGET_PLATFORM,
    PlatformInfo,
    actual_label,
    follow_aliases,
    host_platform,
    is_bazels_platform,
    platform_of,
    platform_rule,
    required_settings,
    suits,
    target_platform,
)
from bazelscope.analysis.configuration.target_source import TargetSource
from bazelscope.analysis.configuration.toolchain_flags import (
    extra_toolchains,
    is_bazels_own,
    is_unlikely,
)
from bazelscope.analysis.graph.resolved_toolchains import (
    ResolvedToolchain,
    behind_doubt,
    resolved_toolchain,
    with_most,
)
from bazelscope.base.errors import LabelError
from bazelscope.base.label import Label, at_sign, parse_label, parse_option_label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.memoized import memoized
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import (
    DEFAULT_CONDITION,
    DictValue,
    ExecGroup,
    RuleClass,
    Selector,
    SelectorList,
    ToolchainRequirement,
    selectors_of,
)
from bazelscope.bazel.native_toolchains import FOR_JAVA_BY_BAZEL, REGISTERED_BY_BAZEL
from bazelscope.bazel.release import Release
from bazelscope.loading.packages.targets import Rule, unread

_REGISTERED = "register_toolchains"
_PLATFORMS = "register_execution_platforms"
_UNREAD_MODULES = "unread modules"
EXEC_COMPATIBLE = "exec_compatible_with"
_IMPLEMENTATION = "toolchain"
_ADDED = "experimental_add_exec_constraints_to_targets"
_AUTOMATIC = "_use_auto_exec_groups"
_BAZELS_OWN = frozenset({"bazel_tools"})


@dataclass(frozen=True, slots=True)
class RegisteredToolchain:
    """A registered `toolchain` rule."""

    label: Label
    rule: Rule
    type: Label
    implementation: Label


class ToolchainResolution:
    """Resolves toolchains under one configuration; every look-up is made once."""

    def __init__(
        self,
        source: TargetSource,
        conditions: Conditions,
        *,
        asks_bazels: bool = True,
        known: dict[Label, RegisteredToolchain | Unknown] | None = None,
    ) -> None:
        """`asks_bazels`: those that Bazel itself makes for the machine are looked at; else the
        search ends at the first of them. `known`: what registered labels lead to, for the
        resolutions of one graph to share."""
        self._source = source
        self._asks_bazels = asks_bazels
        self._conditions = conditions
        self._configuration: Configuration = conditions.configuration
        self._known = {} if known is None else known
        self.settings: set[Label] = set()
        """The conditions that toolchains ask for, as far as they were looked at."""

    def resolve(
        self,
        rule: Rule | None,
        wanted: Iterable[ToolchainRequirement],
        group: ExecGroup | None = None,
    ) -> tuple[ResolvedToolchain, ...]:
        """The toolchain of each of the types `wanted` for `rule`, in their order, on a platform
        that suits the rule itself, or a `group` of it; without a rule, on any."""
        types = tuple(wanted)
        constraints: Sequence[Label] = ()
        if rule is not None and group is None:
            constraints = constraints_of(rule, self._configuration)
        elif rule is not None and group is not None:
            constraints = group_constraints(rule, group, self._configuration)
        return self._resolve(constraints, types)[0] if types else ()

    def resolve_groups(
        self, rule: Rule
    ) -> tuple[tuple[ExecGroup, tuple[ResolvedToolchain, ...]], ...]:
        """The toolchains that the class of a rule asks for: those of each execution group are all
        on one platform, its own. Bazel: `ToolchainContextUtil`; 4.2.3 measured."""
        return tuple((group, self._resolve_group(rule, group)[0]) for group in self._groups(rule))

    def _resolve_group(
        self, rule: Rule, group: ExecGroup
    ) -> tuple[tuple[ResolvedToolchain, ...], Label | None]:
        constraints = group_constraints(rule, group, self._configuration)
        return self._resolve(constraints, known_types(group.toolchains))

    def _groups(self, rule: Rule) -> tuple[ExecGroup, ...]:
        """The execution groups of a rule, its own first. Where they are automatic, each of its own
        toolchain types has one, and itself it asks for none. Bazel: `ExecGroupCollection.process`,
        read from the sources of release 7, not measured."""
        rule_class = rule.rule_class
        own, *named = rule_class.exec_groups or (
            ExecGroup("", self._types(rule), rule_class.constraints),
        )
        if not self._has_automatic_groups(rule):
            return (own, *named)
        constraints = constraints_of(rule, self._configuration)
        types = known_types(own.toolchains)
        automatic = [ExecGroup(str(one.type), (one,), constraints) for one in types]
        return (own._replace(toolchains=()), *named, *automatic)

    def _types(self, rule: Rule) -> tuple[ToolchainRequirement | Unknown, ...]:
        """The toolchain types that a rule asks for itself: those of its class, and those that it
        names where it may."""
        of_class = rule.rule_class.toolchains
        if of_class or not may_name_types(rule.rule_class, self._configuration.release):
            return of_class
        named = [follow_aliases(self._source, one) for one in rule.labels(TOOLCHAINS)]
        return tuple(
            ToolchainRequirement(one)
            for one in named
            if isinstance(one, Label) and self._is_type(one)
        )

    def _is_type(self, label: Label) -> bool:
        target = self._source.target(label)
        return isinstance(target, Rule) and target.rule_class.name == "toolchain_type"

    def _has_automatic_groups(self, rule: Rule) -> bool:
        release = self._configuration.release
        if not (release.automatic_exec_groups and rule.rule_class.toolchains):
            return False
        said = rule.attribute(_AUTOMATIC)
        if said is not None and isinstance(said.value, int):
            return bool(said.value)
        return self._configuration.is_on("incompatible_auto_exec_groups")

    def execution_platform(self, rule: Rule, name: str = "") -> Label | None:
        """The execution platform that is chosen for `rule`, or for the execution group of that
        name; None if none will do."""
        for group in self._groups(rule):
            if group.name == name:
                return self._resolve_group(rule, group)[1]
        constraints = constraints_of(rule, self._configuration)
        return self._resolve(constraints, known_types(rule.rule_class.toolchains))[1]

    def actual(self, platform: Label) -> Label:
        """The platform itself that a label names; the label where that cannot be told."""
        return actual_label(self._source, platform)

    def builds_for_host(self) -> bool | Unknown:
        """Whether the target platform has what the machine's own has: a processor and a system."""
        host = host_platform(self._source, self._configuration)
        return suits(self._source, [value for _, value in host.values], self._target_platform)

    def has_choice(self) -> bool:
        """Whether there is any execution platform besides the host's."""
        return sum(isinstance(one, PlatformInfo) for one in self.execution_platforms) > 1

    def _resolve(
        self, constraints: Sequence[Label], wanted: Sequence[ToolchainRequirement]
    ) -> tuple[tuple[ResolvedToolchain, ...], Label | None]:
        """The toolchains on the execution platform that has the most of those `wanted`, the first
        of several such; without one that has all mandatory ones, those on the first that suits."""
        first: tuple[ResolvedToolchain, ...] | None = None
        able: list[tuple[tuple[ResolvedToolchain, ...], Label]] = []
        doubt: Unknown | None = None
        for number, platform in enumerate(self.execution_platforms):
            if isinstance(platform, Unknown):
                doubt = doubt or platform
                continue
            suited = suits(self._source, constraints, platform)
            if isinstance(suited, Unknown):
                doubt = doubt or suited
            elif not suited or not (wanted or self._takes(platform, None)):
                continue
            chosen = [self._choose(requirement, number) for requirement in wanted]
            resolved = tuple(one if doubt is None else behind_doubt(doubt, one) for one in chosen)
            if all(one.implementation or not one.requirement.mandatory for one in resolved):
                able.append((resolved, platform.label))
                if all(one.implementation for one in resolved):
                    break
            first = first or resolved
            doubt = doubt or next((one.doubt for one in resolved if one.doubt is not None), None)
        if able:
            return with_most(able, doubt)
        return first or tuple(
            ResolvedToolchain(requirement, None, doubt) for requirement in wanted
        ), None

    @memoized
    def _choose(self, requirement: ToolchainRequirement, number: int) -> ResolvedToolchain:
        """The toolchain of one type on the execution platform of that number, a known one."""
        platform = self.execution_platforms[number]
        assert isinstance(platform, PlatformInfo)
        doubt: Unknown | None = None
        unread: list[Unknown] = []
        wanted: Label | Unknown = requirement.type
        if self._configuration.release.toolchain_types_have_aliases:
            wanted = follow_aliases(self._source, requirement.type)
        if isinstance(wanted, Unknown):
            doubt, wanted = wanted, requirement.type
        if not self._takes(platform, wanted):
            return ResolvedToolchain(requirement, None)
        is_own = self._asks_bazels and wanted.repository in _BAZELS_OWN
        for toolchain in (*self._toolchains, *(self._own_toolchains if is_own else ())):
            if isinstance(toolchain, Unknown):
                if is_unlikely(toolchain, wanted):
                    unread.append(toolchain)
                else:
                    doubt = doubt or toolchain
            elif toolchain.type == wanted:
                if not self._asks_bazels and is_bazels_own(toolchain.label.repository):
                    break
                suited = self._is_suitable(toolchain, platform)
                if suited is True:
                    return resolved_toolchain(requirement, toolchain.implementation, doubt, unread)
                if isinstance(suited, Unknown):
                    doubt = doubt or suited
        if doubt is None and is_own:
            detail = "Bazel's own toolchains of this type are not modelled"
            doubt = Unknown(Reason.NOT_MODELLED, str(wanted), detail)
        doubt = doubt or self._of_unread_modules(wanted)
        return resolved_toolchain(requirement, None, doubt, unread)

    def _of_unread_modules(self, wanted: Label) -> Unknown | None:
        """Why some module may have a toolchain of a type; None where all can be read, or the type
        is the root module's, which no other knows, or Bazel's own."""
        if not wanted.repository or wanted.repository in _BAZELS_OWN:
            return None
        unread = self._source.registered(_UNREAD_MODULES, ())
        own = at_sign(wanted.repository)
        doubts = [one for one in unread if isinstance(one, Unknown)]
        return next((one for one in doubts if one.subject == own), doubts[0] if doubts else None)

    def _takes(self, platform: PlatformInfo, wanted: Label | None) -> bool:
        """Whether tools of a type may run on a platform, or those of rules that ask for none."""
        if not self._configuration.release.platforms_allow_types or is_bazels_platform(
            platform.label
        ):
            return True
        rule = platform_rule(self._source, platform.label)
        if isinstance(rule, Unknown) or not rule.is_true("check_toolchain_types"):
            return True
        return wanted in rule.labels("allowed_toolchain_types")

    def _is_suitable(
        self, toolchain: RegisteredToolchain, platform: PlatformInfo
    ) -> bool | Unknown:
        target = self._target_platform
        rule = toolchain.rule
        doubt: Unknown | None = None
        for name in (EXEC_COMPATIBLE, TARGET_COMPATIBLE, TARGET_SETTINGS):
            if not isinstance(rule.value(name, ()), tuple):
                detail = f"`{name}` is not a plain list"
                doubt = doubt or Unknown(Reason.DEPENDS_ON_UNKNOWN, str(toolchain.label), detail)
        runs_on, is_for = rule.labels(EXEC_COMPATIBLE), rule.labels(TARGET_COMPATIBLE)
        if rule.is_true(USE_TARGET_PLATFORM):
            runs_on, is_for = tuple(value for _, value in target.values), ()
            doubt = doubt or target.unknown
        answers = (
            suits(self._source, runs_on, platform),
            suits(self._source, is_for, target),
            self._holds(rule.labels(TARGET_SETTINGS)),
        )
        if any(answer is False for answer in answers):
            return False
        doubts = [answer for answer in answers if isinstance(answer, Unknown)]
        return doubt or (doubts[0] if doubts else True)

    @cached_property
    def _target_platform(self) -> PlatformInfo:
        return target_platform(self._source, self._configuration)

    def _holds(self, settings: Iterable[Label]) -> bool | Unknown:
        doubt: Unknown | None = None
        for label in settings:
            self.settings.add(label)
            match = self._conditions.match(label)
            if isinstance(match, UnknownMatch):
                doubt = doubt or match.unknown
            elif not isinstance(match, Match):
                return False
        return doubt or True

    @cached_property
    def _toolchains(self) -> tuple[RegisteredToolchain | Unknown, ...]:
        return tuple(map(self._toolchain, self.registered_toolchains()))

    def registered_toolchains(self) -> tuple[Label | Unknown, ...]:
        """What flags and calls register as toolchains, whether it is one or not."""
        return self._source.registered(_REGISTERED, extra_toolchains(self._configuration))

    def registered_platforms(self) -> tuple[Label | Unknown, ...]:
        """What flags and calls register as execution platforms, whether it is one or not."""
        extra = _split(self._configuration.value("extra_execution_platforms").values)
        return self._source.registered(_PLATFORMS, extra)

    @cached_property
    def _own_toolchains(self) -> tuple[RegisteredToolchain | Unknown, ...]:
        """Those that Bazel registers after all others."""
        labels = self._source.registered(_REGISTERED, REGISTERED_BY_BAZEL)
        known = {one.label for one in self._toolchains if isinstance(one, RegisteredToolchain)}
        toolchains = [
            *map(self._toolchain, labels),
            # Those for Java came and went, and models have none of them.
            *filter(_is_there, map(self._toolchain, FOR_JAVA_BY_BAZEL)),
        ]
        return tuple(
            one for one in toolchains if isinstance(one, Unknown) or one.label not in known
        )

    def _toolchain(self, label: Label | Unknown) -> RegisteredToolchain | Unknown:
        if isinstance(label, Unknown):
            return label
        toolchain = self._known.get(label)
        if toolchain is None:
            toolchain = self._look_up(label)
            by_flags = isinstance(toolchain, RegisteredToolchain) and isinstance(
                toolchain.rule.value(_IMPLEMENTATION), Selector | SelectorList
            )
            if not by_flags:
                self._known[label] = toolchain
        return toolchain

    def _implementation(self, rule: Rule) -> object:
        """What a `toolchain` names as the one that it stands for, under these flags."""
        value = rule.value(_IMPLEMENTATION)
        keys = {branch.condition for one in selectors_of(value) for branch in one.branches}
        self.settings |= keys - {DEFAULT_CONDITION}
        return resolve_value(value, self._conditions).value

    def _look_up(self, label: Label) -> RegisteredToolchain | Unknown:
        actual = follow_aliases(self._source, label)
        if isinstance(actual, Unknown):
            told = replace(actual, subject=str(label))
            return unread(told, self._source.rule_set_of(label.repository))
        rule = self._source.target(actual)
        if not isinstance(rule, Rule) or rule.rule_class.name != "toolchain":
            is_open = isinstance(rule, Rule) and (
                not rule.rule_class.is_known or rule.rule_class.defined_at
            )
            reason = Reason.NEEDS_ANALYSIS if is_open else Reason.FAILED
            return Unknown(reason, str(label), f"`{label}` is no `toolchain`")
        kind, value = rule.value("toolchain_type"), self._implementation(rule)
        if isinstance(value, str):
            try:
                value = parse_label(value, actual.package_id)
            except LabelError as error:
                return Unknown(Reason.FAILED, str(label), str(error))
        if not isinstance(kind, Label) or not isinstance(value, Label):
            detail = "its type or its implementation is no plain label"
            return Unknown(Reason.DEPENDS_ON_UNKNOWN, str(label), detail)
        return RegisteredToolchain(actual, rule, actual_label(self._source, kind), value)

    @cached_property
    def execution_platforms(self) -> tuple[PlatformInfo | Unknown, ...]:
        """Where tools may run, the best first: what flags name, what is registered, the host."""
        platforms: list[PlatformInfo | Unknown] = []
        for label in self.registered_platforms():
            held: bool | Unknown = True
            if isinstance(label, Label) and not is_bazels_platform(label):
                held = self._holds(required_settings(self._source, label))
            if isinstance(label, Unknown):
                platforms.append(label)
            elif isinstance(held, Unknown):
                platforms.append(held)
            elif held:
                platforms.append(platform_of(self._source, self._configuration, label))
        return (*platforms, host_platform(self._source, self._configuration))


def may_name_types(rule_class: RuleClass, release: Release) -> bool:
    """Whether rules of a class may name toolchain types in their attribute `toolchains`."""
    is_genrule = rule_class.name == "genrule" and not rule_class.defined_at
    return is_genrule and release.genrules_resolve_toolchains


def known_types(
    toolchains: Iterable[ToolchainRequirement | Unknown],
) -> tuple[ToolchainRequirement, ...]:
    """Those of the toolchain types of a rule class or an execution group that are known."""
    return tuple(one for one in toolchains if isinstance(one, ToolchainRequirement))


def group_constraints(
    rule: Rule, group: ExecGroup, configuration: Configuration
) -> tuple[Label, ...]:
    """What an execution group of a target asks of the platform that it runs on."""
    if not group.name:
        return constraints_of(rule, configuration)
    given = rule.given("exec_group_compatible_with")
    of_target = dict(given.items).get(group.name, ()) if isinstance(given, DictValue) else ()
    labels = of_target if isinstance(of_target, tuple) else ()
    return (*group.constraints, *(one for one in labels if isinstance(one, Label)))


def constraints_of(rule: Rule, configuration: Configuration) -> tuple[Label, ...]:
    """What a rule itself, and an option for it, asks of the platform that it runs on."""
    added: list[Label] = []
    for text in configuration.value(_ADDED).values:
        from bazelscope.bazel.value_forms import is_included, is_label  # Few lines have one.

        expressions, _, labels = text.partition("=")
        if is_included(expressions, str(rule.label)):
            added += (parse_option_label(one) for one in _split([labels]) if is_label(one))
    return (*rule.rule_class.constraints, *rule.labels(EXEC_COMPATIBLE), *added)


def _split(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(part for value in values for part in value.split(",") if part)


def _is_there(toolchain: RegisteredToolchain | Unknown) -> bool:
    return isinstance(toolchain, RegisteredToolchain)
