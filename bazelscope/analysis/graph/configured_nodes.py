"""The nodes of the configured graph: labels in the configurations that transitions make."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bazelscope.analysis.conditions.alias_dependencies import takes_part_in_resolution
from bazelscope.analysis.conditions.config_settings import ProvidedValue
from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.conditions.edges import Edge, EdgeKind
from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.configuration.configuration import Configuration, ConfigurationKind
from bazelscope.analysis.configuration.flag_types import parse_boolean
from bazelscope.analysis.configuration.platform_mappings import PlatformMappings
from bazelscope.analysis.configuration.platform_mappings import apply as apply_mappings
from bazelscope.analysis.configuration.platforms import host_platform_label
from bazelscope.analysis.configuration.target_source import TargetSource
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.analysis.graph.toolchain_resolution import RegisteredToolchain, ToolchainResolution
from bazelscope.analysis.graph.transition_steps import Step
from bazelscope.base import budget
from bazelscope.base.label import Label
from bazelscope.base.memoized import memoized
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import AttributeDefinition, Configured, RuleClass
from bazelscope.bazel.native_toolchains import keeps_configuration
from bazelscope.loading.packages.targets import Rule

_DISTINCT = "distinct_host_configuration"


class Configurations:
    """Those of a top-level configuration, its tools' and the transitions' ones among them.

    `mappings` are applied to each that a transition makes; `platform_of` tells the execution
    platform of a rule in a configuration, or of an execution group of it; None for the host's.
    """

    def __init__(
        self,
        top: Configuration,
        mappings: PlatformMappings,
        platform_of: Callable[[Configuration, Label, str], Label | None],
    ) -> None:
        self._top = top
        self._mappings = mappings
        self._platform_of = platform_of
        self._interned: dict[tuple[object, ...], Configuration] = {top.key: top}
        self._host: Configuration | None = None

    @memoized
    def settled(self, configuration: Configuration) -> Configuration:
        """The one object that stands for this configuration, platform mappings applied."""
        if configuration.key in self._interned:
            return self._interned[configuration.key]
        made = apply_mappings(configuration, self._mappings)
        settled = self._interned.setdefault(made.key, made)
        self._interned[configuration.key] = settled
        return settled

    def host_of(self, configuration: Configuration, user: Label) -> Configuration:
        """The configuration of host tools: the only one, made of the top-level one as platform
        mappings left it, or that one itself under `--nodistinct_host_configuration`.
        Bazel: `SkyframeExecutor.createConfigurations`."""
        if not configuration.release.host_configuration:
            return self.exec_of(configuration, user)
        if self._host is None:
            is_distinct = self._top.value(_DISTINCT).value
            if is_distinct is None or parse_boolean(is_distinct):
                self._host = self.settled(self._top.of_host())
            else:
                self._host = self._top
        return self._host

    def exec_of(self, configuration: Configuration, user: Label, group: str = "") -> Configuration:
        """The configuration of tools of the rule `user`: for its execution platform, or that of an
        execution group of it."""
        return self._exec_on(configuration, self._platform_of(configuration, user, group))

    @memoized
    def _exec_on(self, configuration: Configuration, platform: Label | None) -> Configuration:
        made, own_flags = configuration.exec(platform), self._mappings.own_flags
        has_flags = platform is not None and own_flags is not None and own_flags(platform)
        return self.settled(made) if has_flags else made


_EXEC_TRANSITION = "experimental_exec_config"
"""The option that puts a transition of the project's own in the place of Bazel's for tools."""
_ALL_KEEP = "incompatible_override_toolchain_transition"
_EACH = 20
"""So many configurations there may be for each target, in all."""


class BuiltNode(NamedTuple):
    node: ConfiguredNode
    unknown: Unknown | None
    """Why it may be another."""


class ConfiguredNodes:
    """Makes the nodes of a `ConfiguredGraph`, each once, with what decides about them: the
    conditions, transitions and toolchain resolution of each configuration."""

    def __init__(
        self,
        graph: TargetGraph,
        configuration: Configuration,
        mappings: PlatformMappings,
        decided_by: TargetSource,
    ) -> None:
        """`decided_by` is asked for the targets that decide about branches, toolchains and
        transitions."""
        self.graph = graph
        self.configuration = configuration
        self.configurations = Configurations(configuration, mappings, self._execution_platform)
        self.provided_value: ProvidedValue | None = None
        """What rules provide that act as settings; whoever runs implementations sets it."""
        self._decided_by = decided_by
        self._conditions: dict[Configuration, Conditions] = {}
        self._transitions = Transitions(graph.source)
        self._nodes: dict[Configuration, dict[Label, ConfiguredNode]] = {}
        self._configured_files: dict[tuple[Label, Configuration], ConfiguredNode] = {}
        self._seen: set[Label] = set()
        """The targets that have been given a configuration."""
        self._made_for: dict[Label, set[Configuration]] = {}
        self._made = 0
        """The configurations that transitions have made, by target, and how many in all."""
        self._unconfigured: dict[Label, ConfiguredNode] = {}
        self._built: dict[Configuration, dict[Label, BuiltNode]] = {}
        self._resolutions: dict[Configuration, ToolchainResolution] = {}
        self._toolchains: dict[Label, RegisteredToolchain | Unknown] = {}

    def conditions(self, configuration: Configuration | None = None) -> Conditions:
        """The matcher of a configuration, the top-level one by default."""
        chosen = configuration or self.configuration
        known = self._conditions.get(chosen)
        if known is None:
            known = Conditions(self._decided_by, chosen, self.provided_value)
            self._conditions[chosen] = known
        return known

    def assumed(self) -> tuple[Unknown, ...]:
        """What was taken for granted to decide conditions so far, each once, and of tools."""
        unknowns = [one for conditions in self._conditions.values() for one in conditions.assumed]
        own = self.configuration.value(_EXEC_TRANSITION)
        if own.instances and any(one.kind is ConfigurationKind.EXEC for one in self._nodes):
            detail = "not followed: tools are told as Bazel's own transition makes them"
            place = own.instances[-1].location
            unknowns.append(Unknown(Reason.NOT_MODELLED, own.instances[-1].text, detail, place))
        return tuple(dict.fromkeys(unknowns))

    def top(self, label: Label) -> ConfiguredNode:
        """The node of `label` as a top-level target, after its rule's own transition."""
        return self.build(label, self.configuration).node

    def node(self, label: Label, configuration: Configuration) -> ConfiguredNode:
        nodes = self._nodes.setdefault(configuration, {})
        known = nodes.get(label)
        if known is None:
            is_configured = self.graph.shape(label).has_configuration
            known = nodes[label] = self.given(label, configuration if is_configured else None)
        return known

    def given(self, label: Label, configuration: Configuration | None) -> ConfiguredNode:
        """The node of which is known whether it has a configuration."""
        if configuration is None:
            return self._unconfigured.setdefault(label, ConfiguredNode(label, None))
        nodes = self._nodes.setdefault(configuration, {})
        known = nodes.get(label)
        if known is None:
            known = nodes[label] = ConfiguredNode(label, configuration)
            self._seen.add(label)
        elif known.configuration is None:
            # A file behind an alias that an aspect is on has a configuration all the same.
            named = (label, configuration)
            known = self._configured_files.setdefault(named, ConfiguredNode(*named))
        return known

    def made_in(
        self, configuration: Configuration
    ) -> tuple[dict[Label, ConfiguredNode], dict[Label, BuiltNode]]:
        """The nodes of a configuration that are there, and those that dependencies out of it lead
        to: whoever expands a hundred thousand edges looks here first."""
        nodes = self._nodes.setdefault(configuration, {})
        return nodes, self._built.setdefault(configuration, {})

    def rule(self, label: Label) -> Rule:
        """The rule of that label, which is known to be one."""
        rule = self.graph.node(label)
        assert isinstance(rule, Rule)
        return rule

    @property
    def set_by_transitions(self) -> frozenset[str] | None:
        """The flags that the transitions met so far may set, as they write them; None if a
        transition could not be told."""
        met = self._transitions
        return frozenset(met.outputs) if met.are_told else None

    def settings_of_toolchains(self) -> Iterable[tuple[Configuration, Label]]:
        """The conditions that toolchains asked for so far, each with its configuration."""
        for configuration, resolution in self._resolutions.items():
            for label in resolution.settings:
                yield configuration, label

    def resolution(self, configuration: Configuration) -> ToolchainResolution:
        known = self._resolutions.get(configuration)
        if known is None:
            conditions = self.conditions(configuration)
            known = ToolchainResolution(self._decided_by, conditions, known=self._toolchains)
            self._resolutions[configuration] = known
        return known

    def prerequisites(
        self, node: ConfiguredNode, attribute: AttributeDefinition, label: Label
    ) -> tuple[tuple[ConfiguredNode, Unknown | None], ...]:
        """What a label in an attribute of `node` leads to, several nodes where a transition
        splits; each with why it may be another."""
        own = node.configuration or self.configuration
        is_tool = attribute.configured in (Configured.EXEC, Configured.HOST)
        edge = Edge(node.label, label, attribute.name, EdgeKind.ATTRIBUTE, None, is_tool)
        return tuple((one.node, one.unknown) for one in self.after_attribute(edge, own, attribute))

    def toolchain_node(
        self, node: ConfiguredNode, implementation: Label
    ) -> tuple[ConfiguredNode, Unknown | None]:
        """The target that implements a toolchain type for `node`, and why it may be another."""
        own = node.configuration or self.configuration
        rule = self.rule(node.label)
        made = self.of_toolchains(rule.label, own, self.keeps_toolchains(rule.rule_class, own))
        built = self.build(implementation, made)
        return built.node, built.unknown

    def keeps_toolchains(self, rule_class: RuleClass, own: Configuration) -> bool:
        """Whether the toolchains of a rule have its configuration; if not, that of the host."""
        return own.is_on(_ALL_KEEP) or keeps_configuration(rule_class, own.release)

    def of_toolchains(self, label: Label, own: Configuration, keeps: bool) -> Configuration:
        """The configuration of a target's toolchains."""
        return own if keeps else self.configurations.host_of(own, label)

    def after_attribute(
        self, edge: Edge, own: Configuration, definition: AttributeDefinition | None
    ) -> Iterable[BuiltNode]:
        """The nodes that an edge leads to out of the configuration `own`: the attribute's
        transition comes first, then that of the rule that is depended on."""
        made = own
        if definition is not None and definition.configured is Configured.EXEC:
            made = self.configurations.exec_of(own, edge.source, definition.transition or "")
        elif edge.is_tool:
            made = self.configurations.host_of(own, edge.source)
            if own.release.host_configuration:
                # The host's is final: no transition of the target's own rule comes after it.
                return (BuiltNode(self.node(edge.target, made), None),)
        elif (
            definition is not None
            and definition.configured is Configured.TRANSITION
            and (
                own.release.transitions_run_for_files
                or self.graph.shape(edge.target).has_configuration
            )
        ):
            source = self.graph.node(edge.source)
            if isinstance(source, Rule):
                steps = (Step(source, edge.attribute), *self.rule_steps(edge.target))
                return self._after(edge.target, own, steps)
        return (self.build(edge.target, made),)

    def build(self, label: Label, configuration: Configuration) -> BuiltNode:
        """The node that a dependency on `label` out of `configuration` means."""
        built = self._built.setdefault(configuration, {})
        known = built.get(label)
        if known is None:
            steps = () if configuration.is_final else self.rule_steps(label)
            if steps:
                known = self._after(label, configuration, steps)[0]
            else:
                made = self.configurations.settled(configuration)
                if not made.is_final and self._is_environment(label):
                    made = self.configurations.host_of(configuration, label)
                known = BuiltNode(self.node(label, made), None)
            built[label] = known
        return known

    def _after(
        self, label: Label, configuration: Configuration, steps: tuple[Step, ...]
    ) -> tuple[BuiltNode, ...]:
        """The nodes of `label` after transitions, platform mappings applied once at the end."""
        settled = self.configurations.settled
        if not steps or configuration.is_final:
            return (BuiltNode(self.node(label, settled(configuration)), None),)
        made = self._transitions.apply(self.conditions(configuration), steps)
        if not isinstance(made, Unknown):
            made = self._within_limits(label, tuple(map(settled, made)))
        if isinstance(made, Unknown):
            return (BuiltNode(self.node(label, settled(configuration)), made),)
        return tuple(BuiltNode(self.node(label, one), None) for one in made)

    def _within_limits(
        self, label: Label, made: tuple[Configuration, ...]
    ) -> tuple[Configuration, ...] | Unknown:
        """The configurations that transitions make for a target; `Unknown` where these are too
        many: transitions may make new ones for ever."""
        account = budget.current()
        most = account.limits.configurations
        known = self._made_for.setdefault(label, set())
        fresh = [one for one in made if one not in known]
        why = ""
        if len(known) + len(fresh) > most:
            why = f"it has more than {most} configurations"
        elif self._made > _EACH * max(len(self._seen), most):
            why = f"there are more than {_EACH} configurations for each target"
        if why:
            account.cuts += 1
            rest = f"{why}; --max-configurations={most} sets the limit"
            return Unknown(Reason.LIMIT, str(label), rest)
        known.update(fresh)
        self._made += len(fresh)
        return made

    def rule_steps(self, label: Label) -> tuple[Step, ...]:
        """The transition of the rule itself that stands behind a label, if it has one."""
        rule = self.graph.rule_with_transition(label)
        return (Step(rule, None),) if rule is not None else ()

    def _is_environment(self, label: Label) -> bool:
        """Whether a target is an environment: these are of the host. Bazel: `EnvironmentRule`."""
        return self.graph.shape(label).class_name == "environment"

    def _execution_platform(
        self, configuration: Configuration, user: Label, group: str
    ) -> Label | None:
        """The one that toolchain resolution chooses for a rule, or an execution group of it, itself
        where an alias names it; None for the host's.

        Where an unknown function may have registered others, those that are known count.
        """
        resolution = self.resolution(configuration)
        host = host_platform_label(configuration)
        is_host_itself = not isinstance(host, Label) or resolution.actual(host) == host
        if is_host_itself and not resolution.has_choice():
            return None
        rule = self.graph.node(user)
        if not isinstance(rule, Rule):
            return None
        if not takes_part_in_resolution(rule.rule_class, configuration.release):
            return None
        if not (rule.rule_class.toolchains or configuration.release.every_rule_resolves):
            return None
        chosen = resolution.execution_platform(rule, group)
        actual = None if chosen is None else resolution.actual(chosen)
        return None if actual == host else actual


class Transitions:
    """Runs the transitions of rules, each one once for a configuration."""

    def __init__(self, source: object) -> None:
        self._source = source
        self._made: dict[tuple[object, ...], tuple[Configuration, ...] | Unknown] = {}
        self.outputs: set[str] = set()
        """What those that were applied so far declare to set."""
        self.are_told = True
        """Whether that is known of all of them."""

    def apply(
        self, conditions: Conditions, steps: tuple[Step, ...]
    ) -> tuple[Configuration, ...] | Unknown:
        """The configurations that the transitions make one after the other of the one of
        `conditions`. `Unknown` where one fails, or cannot be run.

        The attribute's and the rule's are one composed transition to Bazel.
        """
        key = (conditions.configuration, *((s.rule.label, s.attribute) for s in steps))
        result = self._made.get(key)
        if result is None:
            # Few workspaces have transitions: what runs them is imported where there is one.
            from bazelscope.analysis.graph.transition_runs import apply_steps

            result = apply_steps(self._source, conditions, steps, self.outputs)
            self._made[key] = result
            self.are_told = self.are_told and not isinstance(result, Unknown)
        return result
