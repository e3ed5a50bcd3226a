"""The configured graph, as `bazel cquery --noimplicit_deps` sees it.

A node is a label in a configuration; files and package groups have none. Only the
branches that the configuration chooses are edges. Branches that it does not choose are
kept beside them, so that a search can tell what cuts a path.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from bazelscope.analysis.conditions.alias_dependencies import (
    ALIASES,
    TOOLCHAINS,
    WITH_PLATFORMS,
    takes_part_in_resolution,
    toolchain_edges,
)
from bazelscope.analysis.conditions.config_settings import ProvidedValue
from bazelscope.analysis.conditions.configured_edges import (
    ConfiguredEdge,
    ConfiguredNode,
    SelectChoice,
    Taken,
    is_taken,
)
from bazelscope.analysis.conditions.edges import Edge, EdgeKind
from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.conditions.select_choice import SelectResult
from bazelscope.analysis.configuration.build_settings import (
    DEFAULT_ATTRIBUTE,
    LABEL_SETTINGS,
    label_behind,
)
from bazelscope.analysis.configuration.configuration import Configuration, ConfigurationKind
from bazelscope.analysis.configuration.configurations import Configurations
from bazelscope.analysis.configuration.flag_types import ValueTypeError
from bazelscope.analysis.configuration.platform_mappings import NO_MAPPINGS, PlatformMappings
from bazelscope.analysis.configuration.platforms import host_platform_label
from bazelscope.analysis.configuration.target_source import TargetSource
from bazelscope.analysis.graph.platform_dependencies import (
    PlatformDependency,
    has_usual_platforms,
    platform_dependencies,
)
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.analysis.graph.toolchain_resolution import (
    EXEC_COMPATIBLE,
    ResolvedToolchain,
    ToolchainResolution,
    requirements_of,
)
from bazelscope.analysis.graph.transitions import Step, Transitions
from bazelscope.base import budget
from bazelscope.base.graph_walk import distances, walk
from bazelscope.base.label import Label
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import (
    AttributeDefinition,
    Configured,
    RuleClass,
    Selector,
    SelectorList,
    ToolchainRequirement,
)
from bazelscope.bazel.native_toolchains import keeps_configuration, native_requirements
from bazelscope.loading.packages.targets import Rule, TargetResult

_EXEC_TRANSITION = "experimental_exec_config"
"""The option that puts a transition of the project's own in the place of Bazel's for tools."""
_NO_ATTRIBUTES: Mapping[str, AttributeDefinition] = {}


# Python 3.11 takes its time to look up a member of an enumeration, and graphs ask for these
# a hundred thousand times.
_YES, _NO = Taken.YES, Taken.NO
_ASPECT, _CONDITION = EdgeKind.ASPECT, EdgeKind.CONDITION
_TRANSITION = Configured.TRANSITION


_QUIET_LEVELS = 3
"""After so many distances that need nothing to be evaluated, most likely none does."""
_EACH = 20
"""So many configurations there may be for each target, in all."""


class _Built(NamedTuple):
    node: ConfiguredNode
    unknown: Unknown | None
    """Why it may be another."""


class ConfiguredGraph:
    """The configured graph over a `TargetGraph`, lazily expanded and cached."""

    def __init__(
        self,
        graph: TargetGraph,
        configuration: Configuration,
        mappings: PlatformMappings = NO_MAPPINGS,
        decided_by: TargetSource | None = None,
    ) -> None:
        """`mappings` are applied to every configuration that a transition makes, as they
        have been to `configuration`. `decided_by` is asked for the targets that decide about
        branches, toolchains and transitions, in the place of the graph's source."""
        self.graph = graph
        self._decided_by = decided_by or graph.source
        self.configuration = configuration
        self.mappings = mappings
        self._configurations = Configurations(configuration, mappings, self._execution_platform)
        self.provided_value: ProvidedValue | None = None
        """What rules provide that act as settings; whoever runs implementations sets it."""
        self._conditions: dict[Configuration, Conditions] = {}
        self._transitions = Transitions(graph.source)
        self._nodes: dict[Configuration, dict[Label, ConfiguredNode]] = {}
        self._seen: set[Label] = set()
        """The targets that have been given a configuration."""
        self._made_for: dict[Label, set[Configuration]] = {}
        self._made = 0
        """The configurations that transitions have made, by target, and how many in all."""
        self._unconfigured: dict[Label, ConfiguredNode] = {}
        self._built: dict[Configuration, dict[Label, _Built]] = {}
        self._edges: dict[ConfiguredNode, tuple[ConfiguredEdge, ...]] = {}
        self._resolutions: dict[Configuration, ToolchainResolution] = {}
        self._usual_toolchains: dict[
            tuple[int, Configuration], tuple[RuleClass, Sequence[ResolvedToolchain]]
        ] = {}
        self._usual: dict[Configuration, tuple[PlatformDependency, ...]] = {}
        release = configuration.release
        shows = release.explicit_graph_shows_toolchains
        self.resolves_toolchains = graph.implicit or release.explicit_graph_resolves
        self._resolves_for_all = graph.implicit or release.explicit_graph_resolves_all
        self.hides_toolchains = not shows
        self._hides_constraints = release.explicit_graph_hides_platforms
        self._shows_toolchains = graph.implicit or shows
        self._hides_keys = release.selects_hide_conditions

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
        return self._build(label, self.configuration).node

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
        return known

    def target(self, node: ConfiguredNode) -> TargetResult:
        return self.graph.node(node.label)

    def edges(self, node: ConfiguredNode) -> tuple[ConfiguredEdge, ...]:
        """Every edge of the target, each told whether it is taken."""
        known = self._edges.get(node)
        if known is None:
            known = self._edges[node] = tuple(self._expand(node))
        return known

    def taken(self, node: ConfiguredNode) -> tuple[ConfiguredEdge, ...]:
        """The edges that are taken, or may be."""
        return tuple([e for e in self.edges(node) if e.taken is not _NO])

    def shown(self, node: ConfiguredNode) -> tuple[ConfiguredEdge, ...]:
        """The edges of `taken` that `cquery --noimplicit_deps` follows.

        Before 0.26 the keys of a native rule's selects are implicit dependencies of it; an
        alias and a Starlark rule show theirs. Bazel: `$config_dependencies`.
        """
        taken = self.taken(node)
        if not self._hides_keys:
            return taken
        return tuple(e for e in taken if not self.is_hidden_key(e.edge))

    def is_hidden_key(self, edge: Edge) -> bool:
        """Whether an edge leads to a select's key that is an implicit dependency."""
        if edge.kind is not EdgeKind.CONDITION or not self._hides_keys:
            return False
        rule = self.graph.node(edge.source)
        if not isinstance(rule, Rule) or rule.rule_class.defined_at:
            return False
        return rule.rule_class.name not in ALIASES

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

    def deps(self, labels: Iterable[Label], depth: int | None = None) -> dict[ConfiguredNode, int]:
        """Every node that `labels` reach by the edges that are shown, breadth first."""
        shown = self.shown
        starts = map(self.top, labels)
        return distances(starts, lambda node: [e.target for e in shown(node)], depth, self.prepare)

    def prepare(self, nodes: Iterable[ConfiguredNode]) -> bool:
        """Loads the packages that edges of nodes lead to, all at once: whoever expands a node
        looks at what is at their ends. Returns whether a package had to be evaluated."""
        edges = self.graph.edges
        labels = dict.fromkeys(node.label for node in nodes if node.configuration is not None)
        return self.graph.prepare(edge.target for label in labels for edge in edges(label))

    def load_below(self, start: ConfiguredNode) -> None:
        """Loads what a walk in another order will ask for, many packages at once; looks no
        further where nothing has to be loaded."""
        quiet = 0

        def prepare(nodes: Iterable[ConfiguredNode]) -> None:
            nonlocal quiet
            quiet = 0 if self.prepare(nodes) else quiet + 1

        for _ in walk([start], self.taken, prepare=prepare):
            if quiet == _QUIET_LEVELS:
                return

    def selects(
        self, label: Label, configuration: Configuration | None = None
    ) -> tuple[SelectChoice, ...]:
        """Every select of a target in written order, resolved."""
        target = self.graph.node(label)
        if not isinstance(target, Rule):
            return ()
        conditions = self.conditions(configuration)
        choices: list[SelectChoice] = []
        for attribute in target.attributes.values():
            value = attribute.value
            parts = value.parts if isinstance(value, SelectorList) else (value,)
            selectors = [part for part in parts if isinstance(part, Selector)]
            for index, selector in enumerate(selectors):
                result = conditions.resolve(selector)
                choices.append(SelectChoice(attribute.name, index, selector, result))
        return tuple(choices)

    def _expand(self, node: ConfiguredNode) -> list[ConfiguredEdge]:
        budget.current().check()
        label = node.label
        own = node.configuration or self.configuration
        rule_class = self.graph.shape(label).rule_class
        definitions = rule_class.attributes if rule_class is not None else _NO_ATTRIBUTES
        edges = self.graph.edges(label)
        expanded: list[ConfiguredEdge] = []
        if rule_class is not None and self._is_resolved(rule_class):
            if self.graph.implicit:
                wanted = native_requirements(rule_class, self.configuration.release)
                if wanted:
                    chosen = self._resolved_for(label, rule_class, edges, own, wanted)
                    expanded.extend(self._toolchains(label, rule_class, own, chosen))
            if has_usual_platforms(rule_class, edges):
                expanded += self._platform_edges(label, own, self._usual_platforms(label, own))
            else:
                expanded.extend(self._of_configuration(self._rule(label), own))
            if rule_class.name in WITH_PLATFORMS:
                # The configuration decides, not the default that a query goes by.
                edges = tuple(edge for edge in edges if edge.kind is not EdgeKind.IMPLICIT)
                edges = (*edges, *toolchain_edges(self._rule(label), own))
        loads_scope = self.configuration.release.genquery_loads_its_scope
        if loads_scope and rule_class is not None and rule_class.name == "genquery":
            edges = tuple(edge for edge in edges if edge.attribute != "scope")
        if not edges:
            return expanded
        conditions = self.conditions(own)
        resolved: dict[int, SelectResult] = {}
        is_final = own.is_final
        hides = self._hides_constraints and not self.graph.implicit
        nodes_here = self._nodes.setdefault(own, {})
        built_here = self._built.setdefault(own, {})
        new = tuple.__new__  # A hundred thousand named tuples: made so, they take half the time.
        for edge in edges:
            _, target, attribute, kind, branch, is_tool = edge
            if kind is _ASPECT:
                continue  # what an aspect needs is no dependency of the configured target
            if hides and attribute == EXEC_COMPATIBLE:
                continue
            taken, choice = _YES, None
            if branch is not None:
                if edge.is_of_default and not self.graph.implicit:
                    continue
                for one in (branch,) if branch.under is None else branch.chain():
                    selector = one.selector
                    result = resolved.get(id(selector))
                    if result is None:
                        result = resolved[id(selector)] = conditions.resolve(selector)
                    own_taken = is_taken(result, one.branch)
                    if choice is None or own_taken is _NO or taken is _YES:
                        taken, choice = own_taken, result
            if kind is _CONDITION:
                key = nodes_here.get(target) or self.node(target, own)
                expanded.append(new(ConfiguredEdge, (edge, key, taken, choice, None)))
                continue
            definition = definitions.get(attribute)
            stays = not is_tool and (definition is None or definition.configured is not _TRANSITION)
            if stays or is_final:
                node, unknown = built_here.get(target) or self._build(target, own)
                expanded.append(new(ConfiguredEdge, (edge, node, taken, choice, unknown)))
                continue
            for built in self._after_attribute(edge, own, definition):
                expanded.append(ConfiguredEdge(edge, built.node, taken, choice, built.unknown))
        return expanded

    def _is_resolved(self, rule_class: RuleClass) -> bool:
        """Whether rules of a class have dependencies that only a configuration tells."""
        if rule_class.name in WITH_PLATFORMS or rule_class.name in LABEL_SETTINGS:
            return True
        if self._resolves_for_all:
            return takes_part_in_resolution(rule_class, self.configuration.release)
        return self.resolves_toolchains and bool(rule_class.toolchains)

    def _of_configuration(self, rule: Rule, own: Configuration) -> Iterable[ConfiguredEdge]:
        """The edges that no attribute holds: to the value of a label setting, to toolchains
        and to platforms."""
        if rule.rule_class.name in LABEL_SETTINGS:
            yield from self._behind(rule, own)
            return
        if self._shows_toolchains and rule.rule_class.toolchains:
            resolved = self._resolution(own).resolve(rule, requirements_of(rule))
            yield from self._toolchains(rule.label, rule.rule_class, own, resolved)
        platforms = platform_dependencies(rule, own, self._resolution(own))
        yield from self._platform_edges(rule.label, own, platforms)

    def _usual_platforms(self, label: Label, own: Configuration) -> tuple[PlatformDependency, ...]:
        """The platforms of the rules that `has_usual_platforms` tells of, `label` among them."""
        usual = self._usual.get(own)
        if usual is None:
            all_of_them = platform_dependencies(self._rule(label), own, self._resolution(own))
            usual = self._usual[own] = tuple(all_of_them)
        return usual

    def _platform_edges(
        self, label: Label, own: Configuration, platforms: Iterable[PlatformDependency]
    ) -> list[ConfiguredEdge]:
        edges: list[ConfiguredEdge] = []
        for one in platforms:
            if one.is_implicit and not self.graph.implicit:
                continue
            kind = EdgeKind.IMPLICIT if one.is_implicit else EdgeKind.TOOLCHAIN
            edge = Edge(label, one.label, one.what, kind)
            edges.append(ConfiguredEdge(edge, self.node(one.label, own), _YES, None, one.doubt))
        return edges

    def _rule(self, label: Label) -> Rule:
        rule = self.graph.node(label)
        assert isinstance(rule, Rule)
        return rule

    def _behind(self, setting: Rule, own: Configuration) -> Iterable[ConfiguredEdge]:
        """A label setting leads to its value, like an alias. Bazel: `LabelBuildSettings`."""
        try:
            label = label_behind(setting, own)
        except ValueTypeError:
            return  # Whoever needs the value reports it.
        built = self._build(label, own)
        edge = Edge(setting.label, label, DEFAULT_ATTRIBUTE)
        yield ConfiguredEdge(edge, built.node, Taken.YES, None, built.unknown)

    def toolchains(self, node: ConfiguredNode) -> tuple[ResolvedToolchain, ...]:
        """What became of the toolchain types that a target's rule asks for."""
        target = self.graph.node(node.label)
        if not isinstance(target, Rule) or not target.rule_class.toolchains:
            return ()
        resolution = self._resolution(node.configuration or self.configuration)
        return resolution.resolve(target, requirements_of(target))

    def is_hidden_toolchain(self, edge: Edge) -> bool:
        """Whether an edge of toolchain resolution is an implicit dependency."""
        if edge.attribute == EXEC_COMPATIBLE:
            return self._hides_constraints
        return self.hides_toolchains and edge.attribute == TOOLCHAINS

    def _resolution(self, configuration: Configuration) -> ToolchainResolution:
        known = self._resolutions.get(configuration)
        if known is None:
            conditions = self.conditions(configuration)
            known = ToolchainResolution(self._decided_by, conditions)
            self._resolutions[configuration] = known
        return known

    def _resolved_for(
        self,
        label: Label,
        rule_class: RuleClass,
        edges: Iterable[Edge],
        own: Configuration,
        wanted: Sequence[ToolchainRequirement],
    ) -> Sequence[ResolvedToolchain]:
        """What becomes of the toolchain types that a rule needs: the same for each rule of a class
        about which nothing takes part in the choice."""
        narrowed = rule_class.attributes.get(EXEC_COMPATIBLE)
        is_usual = (narrowed is None or not narrowed.default) and EXEC_COMPATIBLE not in [
            edge.attribute for edge in edges
        ]
        known = self._usual_toolchains.get((id(rule_class), own)) if is_usual else None
        if known is None:
            known = rule_class, self._resolution(own).resolve(self._rule(label), wanted)
            if is_usual:
                self._usual_toolchains[id(rule_class), own] = known
        return known[1]

    def _toolchains(
        self,
        label: Label,
        rule_class: RuleClass,
        own: Configuration,
        resolved: Iterable[ResolvedToolchain],
    ) -> Iterable[ConfiguredEdge]:
        """Toolchain types, for the target, and what implements them, for the host until Bazel
        5. 0.24.1 shows the latter alone; and under `--noimplicit_deps` it is hidden where it
        has the configuration of the rule (measured)."""
        for one in resolved:
            type_ = one.requirement.type
            if one.implementation is None or own.release.toolchain_type_edges:
                # Without an implementation the edge to the type carries the doubt.
                doubt = one.doubt if one.implementation is None else None
                edge = Edge(label, type_, TOOLCHAINS, EdgeKind.TOOLCHAIN)
                yield ConfiguredEdge(edge, self.node(type_, own), Taken.YES, None, doubt)
            if one.implementation is not None:
                made = own
                if not keeps_configuration(rule_class, own.release):
                    made = self._configurations.host_of(own, label)
                if made is own and not self.graph.implicit:
                    continue
                kind = EdgeKind.IMPLICIT if made is own else EdgeKind.TOOLCHAIN
                edge = Edge(label, one.implementation, TOOLCHAINS, kind, None, True)
                built = self._build(one.implementation, made)
                yield ConfiguredEdge(edge, built.node, Taken.YES, None, one.doubt or built.unknown)

    def _after_attribute(
        self, edge: Edge, own: Configuration, definition: AttributeDefinition | None
    ) -> Iterable[_Built]:
        """The nodes that an edge leads to out of the configuration `own`: the attribute's
        transition comes first, then that of the rule that is depended on."""
        made = own
        if definition is not None and definition.configured is Configured.EXEC:
            made = self._configurations.exec_of(own, edge.source)
        elif edge.is_tool:
            made = self._configurations.host_of(own, edge.source)
            if own.release.host_configuration:
                # The host's is final: no transition of the target's own rule comes after it.
                return (_Built(self.node(edge.target, made), None),)
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
        return (self._build(edge.target, made),)

    def _build(self, label: Label, configuration: Configuration) -> _Built:
        """The node that a dependency on `label` out of `configuration` means."""
        built = self._built.setdefault(configuration, {})
        known = built.get(label)
        if known is None:
            steps = () if configuration.is_final else self.rule_steps(label)
            if steps:
                known = self._after(label, configuration, steps)[0]
            else:
                known = _Built(self.node(label, self._configurations.settled(configuration)), None)
            built[label] = known
        return known

    def _after(
        self, label: Label, configuration: Configuration, steps: tuple[Step, ...]
    ) -> tuple[_Built, ...]:
        """The nodes of `label` after transitions, platform mappings applied once at the end."""
        settled = self._configurations.settled
        if not steps or configuration.is_final:
            return (_Built(self.node(label, settled(configuration)), None),)
        made = self._transitions.apply(self.conditions(configuration), steps)
        if not isinstance(made, Unknown):
            made = self._within_limits(label, tuple(map(settled, made)))
        if isinstance(made, Unknown):
            return (_Built(self.node(label, settled(configuration)), made),)
        return tuple(_Built(self.node(label, one), None) for one in made)

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

    def prerequisites(
        self, node: ConfiguredNode, attribute: AttributeDefinition, label: Label
    ) -> tuple[tuple[ConfiguredNode, Unknown | None], ...]:
        """What a label in an attribute of `node` leads to, several nodes where a transition
        splits; each with why it may be another."""
        own = node.configuration or self.configuration
        is_tool = attribute.configured in (Configured.EXEC, Configured.HOST)
        edge = Edge(node.label, label, attribute.name, EdgeKind.ATTRIBUTE, None, is_tool)
        return tuple((one.node, one.unknown) for one in self._after_attribute(edge, own, attribute))

    def toolchain_node(
        self, node: ConfiguredNode, implementation: Label
    ) -> tuple[ConfiguredNode, Unknown | None]:
        """The target that implements a toolchain type for `node`, and why it may be another."""
        own = node.configuration or self.configuration
        rule = self._rule(node.label)
        made = own
        if not keeps_configuration(rule.rule_class, own.release):
            made = self._configurations.host_of(own, rule.label)
        built = self._build(implementation, made)
        return built.node, built.unknown

    def exec_of(self, configuration: Configuration, user: Label) -> Configuration:
        """The configuration of tools of the rule `user`: for its execution platform."""
        return self._configurations.exec_of(configuration, user)

    def host_of(self, configuration: Configuration, user: Label) -> Configuration:
        """The configuration of host tools of the rule `user`."""
        return self._configurations.host_of(configuration, user)

    def rule_steps(self, label: Label) -> tuple[Step, ...]:
        """The transition of the rule itself that stands behind a label, if it has one."""
        shape = self.graph.shape(label)
        if shape.generating_rule is not None:
            label = shape.generating_rule
            shape = self.graph.shape(label)
        if shape.rule_class is None or shape.rule_class.transition is None:
            return ()
        rule = self.graph.node(label)
        return (Step(rule, None),) if isinstance(rule, Rule) else ()

    def _execution_platform(self, configuration: Configuration, user: Label) -> Label | None:
        """The one that toolchain resolution chooses for a rule, itself where an alias names it;
        None for the host's.

        Where an unknown function may have registered others, those that are known count.
        """
        resolution = self._resolution(configuration)
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
        chosen = resolution.execution_platform(rule)
        actual = None if chosen is None else resolution.actual(chosen)
        return None if actual == host else actual
