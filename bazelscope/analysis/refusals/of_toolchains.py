"""What Bazel refuses of a target for toolchains and platforms: what is no platform, no toolchain
type and no toolchain where one is named, constraints that no execution platform has, and a type
for which nothing is registered.

Bazel: `ToolchainResolutionFunction`, `PlatformLookupUtil`, `RegisteredToolchainsFunction`,
`ConstraintValueLookupUtil`; measured with 4.2.3, 2.1.0 and 0.24.1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeGuard

from bazelscope.analysis.conditions.alias_dependencies import ALIASES, takes_part_in_resolution
from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.configuration.build_settings import LABEL_SETTINGS
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.configuration.platforms import (
    PlatformInfo,
    constraint_of,
    follow_aliases,
    host_platform_label,
    is_bazels_platform,
    platform_rule,
    suits,
    target_platform,
    target_platform_label,
)
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.resolved_toolchains import ResolvedToolchain, missing_toolchains
from bazelscope.analysis.graph.target_marks import LOOKED_AT
from bazelscope.analysis.graph.toolchain_resolution import (
    EXEC_COMPATIBLE,
    group_constraints,
    may_name_types,
)
from bazelscope.analysis.refusals.causes import set_by
from bazelscope.analysis.refusals.exec_groups import problem_of_groups, with_unknown_groups
from bazelscope.analysis.refusals.refusal import Refusal, RefusalCause, RefusalKind
from bazelscope.base.label import Label
from bazelscope.base.memoized import memoized
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import ExecGroup, RuleClass, ToolchainRequirement
from bazelscope.bazel.native_toolchains import CC_TYPE, native_requirements
from bazelscope.loading.evaluation.values.structs import Provider
from bazelscope.loading.packages.targets import (
    Absent,
    EnvironmentGroup,
    InputFile,
    OutputFile,
    PackageGroup,
    Rule,
    UnreadRegistration,
)

if TYPE_CHECKING:
    from bazelscope.analysis.rules.implementations import Implementations

_NO_RULE = InputFile | OutputFile | PackageGroup | EnvironmentGroup
_ADD = "--extra_execution_platforms=LABEL"
_CONSTRAINT = "constraint_value"
_PLATFORM = "platform"
_TOOLCHAIN = "toolchain"
_TYPE = "toolchain_type"
_INFO = {_CONSTRAINT: "ConstraintValueInfo", _PLATFORM: "PlatformInfo", _TYPE: "ToolchainTypeInfo"}
_OWN = ExecGroup("", (), ())
"""What a rule asks for itself."""
_NAMED = {_TYPE: "toolchain type"}
_BAZELS_CC = "@local_config_cc_toolchains//:all"
_ANDROID = (Label("platforms", "os", "android"),)


class ToolchainChecks:
    """The checks, over one configured graph."""

    def __init__(
        self, graph: ConfiguredGraph, implementations: Callable[[], Implementations]
    ) -> None:
        """`implementations` gives what targets of the graph provide."""
        self._graph = graph
        self._source = graph.graph.source
        self._implementations = implementations
        self._without_cc: dict[Configuration, bool] = {}
        self._usual: dict[tuple[int, Configuration], RuleClass] = {}
        """Classes of which no rule is refused for what it does not say itself."""

    def refused(self, node: ConfiguredNode, rule_class: RuleClass) -> Iterator[Refusal]:
        """Yields why no toolchain, or no platform to run on, is found for a target."""
        own = self._graph.configuration_of(node)
        if takes_part_in_resolution(rule_class, self._graph.configuration.release):
            usual = (id(rule_class), own)
            refusal = None if usual in self._usual else self._of_class(node, rule_class, own)
            if refusal is None:
                self._usual[usual] = rule_class
            refusal = refusal or self._of_constraints(node)
            if refusal is not None:
                yield refusal
                return
        if rule_class.toolchains or (
            may_name_types(rule_class, own.release)
            and self._graph.graph.is_marked(node.label, LOOKED_AT)
        ):
            refusal = self._of_resolved(node)
            if refusal is not None:
                yield refusal

    def _of_class(
        self, node: ConfiguredNode, rule_class: RuleClass, own: Configuration
    ) -> Refusal | None:
        """What is refused of every rule of a class under a configuration."""
        types = tuple(one for one in rule_class.toolchains if not isinstance(one, Unknown))
        for one in types:
            message = self._misnamed(one.type, _TYPE)
            if message:
                return self._refusal(node, message, "toolchains")
        message, option = self._of_platforms(own)
        if message:
            return self._refusal(node, message, option, option=option, own=own)
        wanted = native_requirements(rule_class, own.release)
        is_cc = any(one.type == CC_TYPE for one in (*types, *wanted))
        message = self._of_registered(own) if types or wanted else ""
        if message:
            return self._refusal(node, message, "toolchains", option="extra_toolchains", own=own)
        if is_cc and own.release.cc_toolchain_type_is_mandatory and self._lacks_cc(node, own):
            message = f"no matching toolchains found for types {CC_TYPE}"
            return self._refusal(node, message, "toolchains", option="platforms", own=own)
        return None

    def _lacks_cc(self, node: ConfiguredNode, own: Configuration) -> bool:
        """Whether surely no toolchain for C++ suits the platforms of a configuration: none that is
        registered, and none of those that Bazel makes on Linux, for the machine itself and for
        Android. Bazel: `cc_configure.bzl`, `BUILD.toolchains.tpl`."""
        if own not in self._without_cc:
            self._without_cc[own] = self._found_no_cc(node, own)
        return self._without_cc[own]

    def _found_no_cc(self, node: ConfiguredNode, own: Configuration) -> bool:
        rule = self._graph.target(node)
        resolution = self._graph.nodes.resolution(own)
        platforms = resolution.execution_platforms
        names = (host_platform_label(own), target_platform_label(own))
        if own.host.os != "linux" or all(
            isinstance(one, Label) and is_bazels_platform(one) for one in names
        ):
            return False
        known = [one for one in platforms if isinstance(one, PlatformInfo)]
        if not isinstance(rule, Rule) or len(known) != len(platforms):
            return False
        if any(isinstance(one, Label) and self._clashes(one) for one in names):
            return False  # The platform is refused itself.
        (found,) = resolution.resolve(rule, (ToolchainRequirement(CC_TYPE),))
        doubt = found.doubt
        if found.implementation is not None or not isinstance(doubt, UnreadRegistration):
            return False
        if doubt.subject != _BAZELS_CC:
            return False
        target = target_platform(self._source, own)
        machine = own.host.constraint_values(own.release)
        is_for_others = any(
            suits(self._source, wanted, target) is not False for wanted in (machine, _ANDROID)
        )
        runs = any(suits(self._source, machine, one) is not False for one in known)
        return not (is_for_others and runs)

    def _clashes(self, platform: Label) -> bool:
        """Whether a platform has two values of one constraint."""
        rule = platform_rule(self._source, platform)
        values = () if isinstance(rule, Unknown) else rule.labels("constraint_values")
        made = [constraint_of(self._source, one) for one in values]
        settings = [one.setting for one in made if not isinstance(one, Unknown)]
        return len(settings) != len({*settings})

    def of_types(
        self, node: ConfiguredNode, types: Sequence[ToolchainRequirement]
    ) -> Refusal | None:
        """What is refused of the types that an aspect on a target asks for."""
        for one in types:
            message = self._misnamed(one.type, _TYPE)
            if message:
                return self._refusal(node, message, "toolchains")
        rule = self._graph.target(node)
        if not isinstance(rule, Rule):
            return None
        resolution = self._graph.nodes.resolution(self._graph.configuration_of(node))
        return self._of_all_resolved(node, resolution.resolve(rule, types))

    # ---- Platforms

    @memoized
    def _of_platforms(self, own: Configuration) -> tuple[str, str]:
        """What is wrong with the platforms of a configuration, which Bazel looks at before the
        first toolchain; and the option that names the one."""
        named = (
            ("host_platform", host_platform_label(own)),
            ("platforms", target_platform_label(own)),
        )
        for option, label in named:
            if isinstance(label, Label) and not is_bazels_platform(label):
                message = "" if _is_of_module(label) else self._misnamed(label, _PLATFORM)
                if message:
                    return message, option
        for one in self._graph.nodes.resolution(own).registered_platforms():
            message = ""
            if isinstance(one, Label) and not is_bazels_platform(one):
                message = self._misnamed(one, _PLATFORM)
            elif _is_failed(one):
                message = f"invalid registered execution platform '{one.subject}': {one.detail}"
            if message:
                return message, "extra_execution_platforms"
        return "", ""

    def _of_constraints(self, node: ConfiguredNode) -> Refusal | None:
        """What is refused for what a target, or its class, asks of where it is built."""
        rule_class = self._graph.graph.shape(node.label).rule_class
        of_class = () if rule_class is None else rule_class.constraints
        has_groups = rule_class is not None and (
            rule_class.exec_groups or with_unknown_groups(rule_class)
        )
        if not (of_class or has_groups or self._graph.graph.is_marked(node.label, LOOKED_AT)):
            return None
        rule = self._graph.graph.node(node.label)
        if not isinstance(rule, Rule):
            return None
        own = self._graph.configuration_of(node)
        message = problem_of_groups(rule, own.release)
        for group in rule.rule_class.exec_groups or (_OWN,):
            wanted = group_constraints(rule, group, own)
            told = [
                *filter(None, map(self._absent, wanted)),
                *(self._misnamed(one, _CONSTRAINT) for one in wanted),
            ]
            message = message or next(filter(None, told), "")
            if not message and wanted:
                message = self._unsuited(own, wanted)
        if not message:
            return None
        remedy = f"ask for constraint values that an execution platform has, or add one: {_ADD}"
        return self._refusal(node, message, EXEC_COMPATIBLE, remedy)

    def _unsuited(self, own: Configuration, wanted: tuple[Label, ...]) -> str:
        """Why no execution platform has the constraint values, if that is sure."""
        lacking = [
            isinstance(one, PlatformInfo) and suits(self._source, wanted, one) is False
            for one in self._graph.nodes.resolution(own).execution_platforms
        ]
        if not lacking or not all(lacking):
            return ""
        target = target_platform_label(own)
        return f"Unable to find an execution platform for target platform {target}"

    # ---- Toolchains

    @memoized
    def _of_registered(self, own: Configuration) -> str:
        """What is wrong with a toolchain that is registered, which Bazel refuses whatever type is
        asked for."""
        for one in self._graph.nodes.resolution(own).registered_toolchains():
            if _is_failed(one):
                return f"invalid registered toolchain '{one.subject}': {one.detail}"
            if isinstance(one, Label):
                message = self._misnamed(one, _TOOLCHAIN)
                if message:
                    return f"invalid registered toolchain '{one}': {message}"
        return ""

    def _of_resolved(self, node: ConfiguredNode) -> Refusal | None:
        """What is refused of what the types that a rule asks for have come to."""
        groups = self._graph.unwritten.toolchains_of_groups(node)
        refused = (self._of_all_resolved(node, resolved, group) for group, resolved in groups)
        return next(filter(None, refused), None)

    def _of_all_resolved(
        self, node: ConfiguredNode, resolved: Sequence[ResolvedToolchain], group: ExecGroup = _OWN
    ) -> Refusal | None:
        missing = missing_toolchains(resolved)
        if missing:
            from bazelscope.analysis.refusals.missing_toolchains import why_missing

            wanted = [one.requirement.type for one in resolved if one.requirement.mandatory]
            message, remedy = why_missing(self._graph, node, missing, wanted, group)
            return self._refusal(node, message, "toolchains", remedy)
        for one in resolved:
            if one.implementation is None or one.doubt is not None:
                continue
            absent = self._absent(one.implementation)
            if absent:
                return self._refusal(
                    node,
                    f"it depends on toolchain '{one.implementation}', which cannot be found:"
                    f" {absent}",
                    "toolchains",
                )
        return self._of_one_for_two(node, resolved)

    def _of_one_for_two(
        self, node: ConfiguredNode, resolved: Sequence[ResolvedToolchain]
    ) -> Refusal | None:
        """What a Bazel crashes of that holds each target to implement one type."""
        if not self._graph.configuration.release.toolchains_implement_one_type:
            return None
        types: dict[Label, Label] = {}
        for one in resolved:
            if one.implementation is not None and one.doubt is None:
                type_ = one.requirement.type
                first = types.setdefault(one.implementation, type_)
                if first != type_:
                    message = (
                        f"toolchain types {first} and {type_} both resolved to target"
                        f" {one.implementation}, of which this Bazel crashes"
                    )
                    return self._refusal(node, message, "toolchains")
        return None

    # ---- What labels lead to

    def _absent(self, label: Label) -> str:
        """Why there is no target of that label, if that is sure."""
        target = self._source.target(label)
        if isinstance(target, Absent) and not self._graph.graph.is_modelled(label):
            return target.message
        return ""

    def _misnamed(self, label: Label, wanted: str) -> str:
        """Why a label does not lead to a rule of the class `wanted`, if that is sure."""
        actual = follow_aliases(self._source, label)
        absent = self._absent(label)
        if absent or not isinstance(actual, Label):
            return absent
        target = self._source.target(actual)
        if isinstance(target, Rule):
            kind = target.rule_class
            is_open = not kind.is_known or kind.name in ALIASES or kind.name in LABEL_SETTINGS
            is_open = is_open or target.is_stand_in
            if is_open or kind.name == wanted:
                return ""
            if kind.defined_at and wanted != _TOOLCHAIN and not self._lacks(actual, wanted):
                return ""
        elif not isinstance(target, _NO_RULE):
            return ""
        if wanted == _TOOLCHAIN:
            return "target does not provide the DeclaredToolchainInfo provider"
        named = _NAMED.get(wanted, wanted)
        return f"Target {actual} was referenced as a {named}, but does not provide {_INFO[wanted]}"

    def _lacks(self, label: Label, wanted: str) -> bool:
        """Whether a target of a Starlark rule surely does not hand on what `wanted` rules
        provide."""
        node = self._graph.nodes.build(label, self._graph.configuration).node
        made = self._implementations().run(node)
        if isinstance(made, Unknown) or made.failure is not None:
            return False
        return made.provider(Provider(_INFO[wanted])) is None

    def _refusal(
        self,
        node: ConfiguredNode,
        message: str,
        attribute: str,
        remedy: str = "",
        option: str = "",
        own: Configuration | None = None,
    ) -> Refusal:
        causes: tuple[RefusalCause, ...] = ()
        if own is not None:
            causes = tuple(
                RefusalCause(f"--{option} is {one.value}{set_by(one)}", one.location)
                for one in own.value(option).instances
            )
        return Refusal(
            RefusalKind.TOOLCHAIN,
            f"While resolving toolchains for target {node.label}: {message}",
            node.label,
            "" if option else attribute,
            self._graph.graph.location(node.label),
            causes,
            remedy=remedy,
        )


def _is_failed(one: object) -> TypeGuard[Unknown]:
    """Whether what is registered is no label at all."""
    is_unread = isinstance(one, UnreadRegistration)
    return isinstance(one, Unknown) and not is_unread and one.reason is Reason.FAILED


def _is_of_module(label: Label) -> bool:
    """Whether a label has a canonical name of a module, as a transition writes it: which
    repository here that is, the value of an option does not say."""
    return "+" in label.repository or "~" in label.repository
