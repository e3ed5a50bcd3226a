"""The edges of a configured target that no attribute holds: to toolchains and their types, to
platforms, and to the value of a label setting. Only the configuration tells them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from bazelscope.analysis.conditions.alias_dependencies import (
    TOOLCHAINS,
    WITH_PLATFORMS,
    takes_part_in_resolution,
    toolchain_edges,
)
from bazelscope.analysis.conditions.configured_edges import ConfiguredEdge, ConfiguredNode, Taken
from bazelscope.analysis.conditions.edges import Edge, EdgeKind
from bazelscope.analysis.configuration.build_settings import (
    DEFAULT_ATTRIBUTE,
    LABEL_SETTINGS,
    label_behind,
)
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.configuration.flag_types import ValueTypeError
from bazelscope.analysis.configuration.late_bound import (
    is_late_bound,
    late_bound_labels,
    named_instead,
)
from bazelscope.analysis.graph.configured_nodes import ConfiguredNodes
from bazelscope.analysis.graph.platform_dependencies import (
    PlatformDependency,
    has_usual_platforms,
    platform_dependencies,
)
from bazelscope.analysis.graph.resolved_toolchains import ResolvedToolchain, each_resolved
from bazelscope.analysis.graph.toolchain_resolution import EXEC_COMPATIBLE, may_name_types
from bazelscope.base.identity_table import IdentityTable
from bazelscope.base.label import Label
from bazelscope.base.memoized import memoized
from bazelscope.bazel.attribute_types import (
    AttributeDefinition,
    AttributeType,
    ExecGroup,
    RuleClass,
    ToolchainRequirement,
    labels_in,
)
from bazelscope.bazel.native_toolchains import native_requirements
from bazelscope.loading.packages.encoded_targets import explicit_values
from bazelscope.loading.packages.targets import Rule

_LABELS = (AttributeType.LABEL, AttributeType.LABEL_LIST)


def _defaults_of(rule_class: RuleClass) -> tuple[tuple[AttributeDefinition, Label], ...]:
    """The labels that attributes have by default, but for those that Bazel itself computes."""
    return tuple(
        (definition, label)
        for definition in rule_class.attributes.values()
        if definition.type in _LABELS and not (definition.nodep or definition.computed_default)
        for label in labels_in(definition.default)
        if label.repository != "bazel_tools"
    )


_DEFAULTS = IdentityTable(_defaults_of)
_AN_ASPECT = RuleClass("aspect", {})


class UnwrittenEdges:
    """Tells these edges of each target under a configuration."""

    def __init__(self, nodes: ConfiguredNodes) -> None:
        self._nodes = nodes
        self._graph = nodes.graph
        self._usual_toolchains: dict[
            tuple[int, Configuration], tuple[RuleClass, Sequence[ResolvedToolchain]]
        ] = {}
        self._usual: dict[Configuration, tuple[PlatformDependency, ...]] = {}
        release = nodes.configuration.release
        implicit = nodes.graph.implicit
        shows = release.explicit_graph_shows_toolchains
        self._resolves = implicit or release.explicit_graph_resolves
        self._resolves_for_all = implicit or release.explicit_graph_resolves_all
        self._hides_toolchains = not shows
        self._hides_constraints = release.explicit_graph_hides_platforms
        self._shows_toolchains = implicit or shows

    def of(
        self, label: Label, rule_class: RuleClass, own: Configuration, edges: tuple[Edge, ...]
    ) -> tuple[list[ConfiguredEdge], tuple[Edge, ...]]:
        """Those of one target of the class, and its other `edges`: without the defaults that a
        query goes by where the configuration decides."""
        if self._graph.implicit and self.named_instead(own):
            edges = tuple(self._in_force(edge, own) for edge in edges)
        names_types = self._may_name_types(rule_class) and any(
            edge.attribute == TOOLCHAINS for edge in edges
        )
        if not (names_types or self._is_resolved(rule_class)):
            return [], edges
        expanded: list[ConfiguredEdge] = []
        if self._graph.implicit:
            wanted = native_requirements(rule_class, own.release)
            if wanted:
                chosen = self._resolved_for(label, rule_class, edges, own, wanted)
                expanded.extend(self._toolchains(label, rule_class, own, chosen))
        if not names_types and has_usual_platforms(rule_class, edges):
            expanded += self._platform_edges(label, own, self._usual_platforms(label, own))
        else:
            expanded.extend(self._of_configuration(self._nodes.rule(label), own))
        if rule_class.name in WITH_PLATFORMS:
            kept = [edge for edge in edges if edge.kind is not EdgeKind.IMPLICIT]
            edges = (*kept, *toolchain_edges(self._nodes.rule(label), own))
        return expanded, edges

    def of_defaults(
        self, node: ConfiguredNode, private: bool = False
    ) -> tuple[ConfiguredEdge, ...]:
        """The edges to what a rule's attributes hold by default, which a graph without implicit
        dependencies leaves out and Bazel builds all the same; those of `private` ones, too. Of what
        comes with Bazel and of the repositories that models stand in for, it tells nothing."""
        rule_class = self._graph.shape(node.label).rule_class
        if rule_class is None or node.configuration is None:
            return ()
        in_graph = self._graph.implicit or not rule_class.is_known
        offered = () if in_graph else _DEFAULTS[rule_class]
        if not private:
            offered = tuple(one for one in offered if not one[0].is_implicit)
        besides = self._of_package(node.label, rule_class)
        if named := self._named_by_options(node.configuration):
            besides += tuple(
                (rule_class.attributes[name], one)
                for name, labels in named.items()
                if name in rule_class.attributes
                for one in labels
            )
        if not (offered or besides):
            return ()
        given = self._nodes.rule(node.label).attributes
        offered = tuple(one for one in offered if one[0].name not in given) + besides
        edges = []
        for definition, label in offered:
            if self.is_of_bazel(label):
                continue
            edge = Edge(node.label, label, definition.name, EdgeKind.IMPLICIT)
            for target, doubt in self._nodes.prerequisites(node, definition, label):
                edges.append(ConfiguredEdge(edge, target, Taken.YES, None, doubt))
        return tuple(edges)

    @memoized
    def _named_by_options(self, own: Configuration) -> Mapping[str, tuple[Label, ...]]:
        """The labels that options name for private attributes of rules, whichever have them."""
        return late_bound_labels(own)

    @memoized
    def named_instead(self, own: Configuration) -> Mapping[Label, Label]:
        """What options name in the place of defaults of late-bound attributes."""
        return named_instead(own)

    def _in_force(self, edge: Edge, own: Configuration) -> Edge:
        """An edge of a query, to what the configuration names."""
        if edge.kind is EdgeKind.IMPLICIT and is_late_bound(edge.attribute):
            return edge._replace(target=self.named_instead(own).get(edge.target, edge.target))
        return edge

    def _of_package(
        self, label: Label, rule_class: RuleClass
    ) -> tuple[tuple[AttributeDefinition, Label], ...]:
        """The environments that a package names for its rules. Bazel: `DependencyResolver`."""
        named = self._graph.environments_of_package(label)
        if not named:
            return ()
        target = self._graph.encoded(label)
        written = dict(explicit_values(target)) if target is not None else {}
        return tuple(
            (rule_class.attributes[name], one)
            for name, labels in named.items()
            if name in rule_class.attributes and name not in written
            for one in labels or ()
        )

    def is_of_bazel(self, label: Label) -> bool:
        """Whether a target comes with Bazel, or of a repository that a model stands in for."""
        return label.repository == "bazel_tools" or self._graph.is_modelled(label)

    def toolchains(self, node: ConfiguredNode) -> tuple[ResolvedToolchain, ...]:
        """What became of the toolchain types that a target's rule asks for."""
        groups = self.toolchains_of_groups(node)
        return each_resolved(groups) if groups else ()

    def implementations(self, node: ConfiguredNode) -> Iterator[ConfiguredNode]:
        """Yields the targets that implement the toolchains which a target's rule asks for, as far
        as it is certain which these are; none that comes with Bazel or that a model stands for."""
        rule_class = self._graph.shape(node.label).rule_class
        own = node.configuration
        if rule_class is None or own is None:
            return
        for one in self.toolchains(node):
            label = one.implementation
            if label is None or one.doubt is not None or self.is_of_bazel(label):
                continue
            keeps = self._nodes.keeps_toolchains(rule_class, own)
            built = self._nodes.build(label, self._nodes.of_toolchains(node.label, own, keeps))
            if built.unknown is None:
                yield built.node

    def of_types(
        self, node: ConfiguredNode, types: Sequence[ToolchainRequirement], keeps: bool
    ) -> Iterator[ConfiguredNode]:
        """The targets that toolchain types come to where an aspect on a rule asks for them; it may
        say that they keep the rule's configuration."""
        own, rule = node.configuration, self._nodes.rule(node.label)
        if own is not None and types:
            resolved = self._nodes.resolution(own).resolve(rule, types)
            keeps |= self._nodes.keeps_toolchains(_AN_ASPECT, own)
            for edge in self._toolchains(node.label, rule.rule_class, own, resolved, keeps):
                yield edge.target

    def toolchains_of_groups(
        self, node: ConfiguredNode
    ) -> tuple[tuple[ExecGroup, tuple[ResolvedToolchain, ...]], ...]:
        """What `toolchains` tells, by execution group."""
        target = self._graph.node(node.label)
        if not isinstance(target, Rule) or not self._may_ask(target):
            return ()
        resolution = self._nodes.resolution(node.configuration or self._nodes.configuration)
        return resolution.resolve_groups(target)

    def is_hidden(self, edge: Edge) -> bool:
        """Whether an edge of toolchain resolution is an implicit dependency."""
        if edge.attribute == EXEC_COMPATIBLE:
            return self._hides_constraints
        is_resolved = edge.attribute == TOOLCHAINS and edge.kind is not EdgeKind.ATTRIBUTE
        return self._hides_toolchains and is_resolved

    def _is_resolved(self, rule_class: RuleClass) -> bool:
        """Whether rules of a class have dependencies that only a configuration tells."""
        if rule_class.name in WITH_PLATFORMS or rule_class.name in LABEL_SETTINGS:
            return True
        if self._resolves_for_all:
            return takes_part_in_resolution(rule_class, self._nodes.configuration.release)
        return self._resolves and bool(rule_class.toolchains)

    def _may_ask(self, rule: Rule) -> bool:
        """Whether a rule asks for toolchain types by its class, or may by an attribute."""
        return bool(rule.rule_class.toolchains) or (
            TOOLCHAINS in rule.attributes and self._may_name_types(rule.rule_class)
        )

    def _may_name_types(self, rule_class: RuleClass) -> bool:
        return may_name_types(rule_class, self._nodes.configuration.release)

    def _of_configuration(self, rule: Rule, own: Configuration) -> Iterable[ConfiguredEdge]:
        """The edges that no attribute holds: to the value of a label setting, to toolchains
        and to platforms."""
        if rule.rule_class.name in LABEL_SETTINGS:
            yield from self._behind(rule, own)
            return
        if self._shows_toolchains and self._may_ask(rule):
            resolved = each_resolved(self._nodes.resolution(own).resolve_groups(rule))
            yield from self._toolchains(rule.label, rule.rule_class, own, resolved)
        platforms = platform_dependencies(rule, own, self._nodes.resolution(own))
        yield from self._platform_edges(rule.label, own, platforms)

    def _usual_platforms(self, label: Label, own: Configuration) -> tuple[PlatformDependency, ...]:
        """The platforms of the rules that `has_usual_platforms` tells of, `label` among them."""
        usual = self._usual.get(own)
        if usual is None:
            rule, resolution = self._nodes.rule(label), self._nodes.resolution(own)
            usual = self._usual[own] = tuple(platform_dependencies(rule, own, resolution))
        return usual

    def _platform_edges(
        self, label: Label, own: Configuration, platforms: Iterable[PlatformDependency]
    ) -> list[ConfiguredEdge]:
        edges: list[ConfiguredEdge] = []
        for one in platforms:
            if one.is_implicit and not self._graph.implicit:
                continue
            kind = EdgeKind.IMPLICIT if one.is_implicit else EdgeKind.TOOLCHAIN
            edge = Edge(label, one.label, one.what, kind)
            node = self._nodes.node(one.label, own)
            edges.append(ConfiguredEdge(edge, node, Taken.YES, None, one.doubt))
        return edges

    def _behind(self, setting: Rule, own: Configuration) -> Iterable[ConfiguredEdge]:
        """A label setting leads to its value, like an alias. Bazel: `LabelBuildSettings`."""
        try:
            label = label_behind(setting, own)
        except ValueTypeError:
            return  # Whoever needs the value reports it.
        built = self._nodes.build(label, own)
        edge = Edge(setting.label, label, DEFAULT_ATTRIBUTE)
        yield ConfiguredEdge(edge, built.node, Taken.YES, None, built.unknown)

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
            known = rule_class, self._nodes.resolution(own).resolve(self._nodes.rule(label), wanted)
            if is_usual:
                self._usual_toolchains[id(rule_class), own] = known
        return known[1]

    def _toolchains(
        self,
        label: Label,
        rule_class: RuleClass,
        own: Configuration,
        resolved: Iterable[ResolvedToolchain],
        keeps: bool | None = None,
    ) -> Iterable[ConfiguredEdge]:
        """Toolchain types, for the target, and what implements them, for the host until Bazel
        5. 0.24.1 shows the latter alone; and under `--noimplicit_deps` it is hidden where it
        has the configuration of the rule (measured). `keeps`: it has, other than by its class."""
        keeps = self._nodes.keeps_toolchains(rule_class, own) if keeps is None else keeps
        for one in resolved:
            type_ = one.requirement.type
            if one.implementation is None or own.release.toolchain_type_edges:
                # Without an implementation the edge to the type carries the doubt.
                doubt = one.doubt if one.implementation is None else None
                edge = Edge(label, type_, TOOLCHAINS, EdgeKind.TOOLCHAIN)
                yield ConfiguredEdge(edge, self._nodes.node(type_, own), Taken.YES, None, doubt)
            if one.implementation is not None:
                made = self._nodes.of_toolchains(label, own, keeps)
                if made is own and not self._graph.implicit:
                    continue
                kind = EdgeKind.IMPLICIT if made is own else EdgeKind.TOOLCHAIN
                edge = Edge(label, one.implementation, TOOLCHAINS, kind, None, True)
                built = self._nodes.build(one.implementation, made)
                yield ConfiguredEdge(edge, built.node, Taken.YES, None, one.doubt or built.unknown)
