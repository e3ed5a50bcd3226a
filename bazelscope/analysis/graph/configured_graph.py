"""The configured graph, as `bazel cquery --noimplicit_deps` sees it.

A node is a label in a configuration; files and package groups have none. Only the
branches that the configuration chooses are edges. Branches that it does not choose are
kept beside them, so that a search can tell what cuts a path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from bazelscope.analysis.conditions.alias_dependencies import ALIASES
from bazelscope.analysis.conditions.configured_edges import (
    ConfiguredEdge,
    ConfiguredNode,
    SelectChoice,
    Taken,
    is_taken,
)
from bazelscope.analysis.conditions.edges import Edge, EdgeKind
from bazelscope.analysis.conditions.select_choice import SelectResult
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.configuration.platform_mappings import NO_MAPPINGS, PlatformMappings
from bazelscope.analysis.configuration.target_source import TargetSource
from bazelscope.analysis.graph.configured_nodes import ConfiguredNodes
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.analysis.graph.toolchain_resolution import EXEC_COMPATIBLE
from bazelscope.analysis.graph.unwritten_edges import UnwrittenEdges
from bazelscope.base import budget
from bazelscope.base.graph_walk import distances, walk
from bazelscope.base.label import Label
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.bazel.attribute_types import AttributeDefinition, Configured, selectors_of
from bazelscope.loading.packages.targets import Rule, TargetResult

_NO_ATTRIBUTES: Mapping[str, AttributeDefinition] = {}


# Python 3.11 takes its time to look up a member of an enumeration, and graphs ask for these
# a hundred thousand times.
_YES, _NO = Taken.YES, Taken.NO
_ASPECT, _CONDITION = EdgeKind.ASPECT, EdgeKind.CONDITION
_TRANSITION = Configured.TRANSITION


_QUIET_LEVELS = 3
"""After so many distances that need nothing to be evaluated, most likely none does."""


class AskedByRule(NamedTuple):
    """The question of a `genquery`, and within which targets it may ask."""

    expression: str
    options: tuple[str, ...]
    scope: tuple[Label, ...]
    is_strict: bool


CheckGenquery = Callable[[TargetGraph, Configuration, AskedByRule], str | None]
"""Says what is wrong with such a question: who knows the language of queries does."""


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
        self.configuration = configuration
        self.mappings = mappings
        self.check_genquery: CheckGenquery | None = None
        """None: no question of a rule is looked at."""
        self.nodes = ConfiguredNodes(graph, configuration, mappings, decided_by or graph.source)
        self.unwritten = UnwrittenEdges(self.nodes)
        self.conditions = self.nodes.conditions
        self.node = self.nodes.node
        self.top = self.nodes.top
        self.behind: dict[ConfiguredNode, ConfiguredNode] = {}
        """What aliases stand for, and other targets for themselves, as far as somebody asked."""
        self._edges: dict[ConfiguredNode, tuple[ConfiguredEdge, ...]] = {}
        self._defaults: dict[ConfiguredNode, tuple[ConfiguredEdge, ...]] = {}
        self._unshown: dict[ConfiguredNode, tuple[ConfiguredEdge, ...]] = {}
        """To defaults that a branch of a select() takes, where implicit edges are left out."""
        release = configuration.release
        self._hides_constraints = release.explicit_graph_hides_platforms and not graph.implicit
        self._hides_keys = release.selects_hide_conditions

    def target(self, node: ConfiguredNode) -> TargetResult:
        return self.graph.node(node.label)

    def configuration_of(self, node: ConfiguredNode) -> Configuration:
        """The configuration of a target; of what has none, that of the command line."""
        return node.configuration or self.configuration

    def edges(self, node: ConfiguredNode) -> tuple[ConfiguredEdge, ...]:
        """Every edge of the target, each told whether it is taken."""
        known = self._edges.get(node)
        if known is None:
            found = self._expand(node)
            if self.graph.implicit:
                found += self.unwritten.of_defaults(node)
            known = self._edges[node] = tuple(found)
        return known

    def built(self, node: ConfiguredNode) -> tuple[ConfiguredEdge, ...]:
        """Every edge of the target, and those of what its attributes have by default: a graph
        without implicit dependencies leaves these out, and Bazel builds them all the same."""
        defaults = self._defaults.get(node)
        if defaults is None:
            self.edges(node)
            of_class = () if self.graph.implicit else self.unwritten.of_defaults(node)
            defaults = of_class + self._unshown.get(node, ())
            self._defaults[node] = defaults
        return (*self.edges(node), *defaults) if defaults else self.edges(node)

    def taken(self, node: ConfiguredNode) -> tuple[ConfiguredEdge, ...]:
        """The edges that are taken, or may be."""
        return tuple([e for e in self.edges(node) if e.taken is not _NO])

    def edges_of(self, node: ConfiguredNode, *names: str) -> Iterator[ConfiguredEdge]:
        """The edges that the attributes `names` give, one attribute after the other; those that
        are surely not taken are left out."""
        written = [edge for edge in self.taken(node) if edge.edge.kind is EdgeKind.ATTRIBUTE]
        for name in names:
            yield from (edge for edge in written if edge.edge.attribute == name)

    def taken_among(
        self, node: ConfiguredNode, counts: Callable[[Edge], bool]
    ) -> list[ConfiguredEdge]:
        """The edges that are taken, or may be, of those that count; no others are configured."""
        known = self._edges.get(node)
        edges = self._expand(node, counts) if known is None else known
        return [e for e in edges if e.taken is not _NO and counts(e.edge)]

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
        self.graph.prepare_below(labels)
        return self.graph.prepare(edge.target for label in labels for edge in edges(label))

    def load_below(self, labels: Iterable[Label]) -> None:
        """Loads what a walk in another order will ask for, many packages at once; looks no
        further where nothing has to be loaded."""
        quiet = 0
        tops = [*map(self.top, labels)]
        # Nobody waits for the last of a distance: its packages' cores would idle meanwhile.
        targets = self.graph.targets
        built = (top.label for top in tops if top.configuration is not None)
        self.graph.prepare_below([target for label in built for target in targets(label)])

        def prepare(nodes: Iterable[ConfiguredNode]) -> None:
            nonlocal quiet
            quiet = 0 if self.prepare(nodes) else quiet + 1

        for _ in walk(tops, self.taken, prepare=prepare):
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
            for index, selector in enumerate(selectors_of(attribute.value)):
                result = conditions.resolve(selector)
                choices.append(SelectChoice(attribute.name, index, selector, result))
        return tuple(choices)

    def _expand(
        self, node: ConfiguredNode, counts: Callable[[Edge], bool] | None = None
    ) -> list[ConfiguredEdge]:
        budget.current().check()
        label, start = node.label, node
        own = node.configuration or self.configuration
        rule_class = self.graph.shape(label).rule_class
        definitions = rule_class.attributes if rule_class is not None else _NO_ATTRIBUTES
        edges = self.graph.edges(label)
        expanded: list[ConfiguredEdge] = []
        unshown: list[ConfiguredEdge] = []
        if rule_class is not None:
            expanded, edges = self.unwritten.of(label, rule_class, own, edges)
            if rule_class.name == "genquery" and own.release.genquery_loads_its_scope:
                edges = tuple(edge for edge in edges if edge.attribute != "scope")
        if counts is not None:
            edges = tuple([edge for edge in edges if counts(edge)])
        if not edges:
            return expanded
        conditions = self.conditions(own)
        resolved: dict[int, SelectResult] = {}
        is_final = own.is_final
        hides = self._hides_constraints
        nodes_here, built_here = self.nodes.made_in(own)
        new = tuple.__new__  # A hundred thousand named tuples: made so, they take half the time.
        for edge in edges:
            _, target, attribute, kind, branch, is_tool = edge
            if kind is _ASPECT:
                continue  # what an aspect needs is no dependency of the configured target
            if hides and attribute == EXEC_COMPATIBLE:
                continue
            taken, choice = _YES, None
            into = expanded
            if branch is not None:
                for one in (branch,) if branch.under is None else branch.chain():
                    selector = one.selector
                    result = resolved.get(id(selector))
                    if result is None:
                        result = resolved[id(selector)] = conditions.resolve(selector)
                    own_taken = is_taken(result, one.branch)
                    if choice is None or own_taken is _NO or taken is _YES:
                        taken, choice = own_taken, result
                if edge.is_of_default and not self.graph.implicit:
                    if taken is _NO or counts is not None or self.unwritten.is_of_bazel(target):
                        continue
                    into = unshown
            if kind is _CONDITION:
                key = nodes_here.get(target) or self.node(target, own)
                expanded.append(new(ConfiguredEdge, (edge, key, taken, choice, None)))
                continue
            definition = definitions.get(attribute)
            stays = not is_tool and (definition is None or definition.configured is not _TRANSITION)
            if stays or is_final:
                node, unknown = built_here.get(target) or self.nodes.build(target, own)
                into.append(new(ConfiguredEdge, (edge, node, taken, choice, unknown)))
                continue
            for built in self.nodes.after_attribute(edge, own, definition):
                into.append(ConfiguredEdge(edge, built.node, taken, choice, built.unknown))
        if unshown:
            self._unshown[start] = tuple(unshown)
        return expanded
