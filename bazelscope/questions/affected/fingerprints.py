"""The configured graph of one state, with a hash of each node's own facts.

Two states are compared by these alone. A node is affected if its own hash differs, if it is a
file whose content does, or if anything that it depends on is affected: so it has the same
fingerprint in both states exactly if it is not affected, and no hash over hashes is needed.
The keys of select()s are no dependencies: which branch they lead to is one of the own facts.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import field

from bazelscope.analysis.conditions.configured_edges import ConfiguredEdge, ConfiguredNode, Taken
from bazelscope.analysis.conditions.edges import EdgeKind
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.analysis.rules.feature_flags import with_feature_flags
from bazelscope.base.label import Label, PackageId
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.loading.packages.package import Package
from bazelscope.questions.affected.own_facts import OwnFacts
from bazelscope.questions.shared.world import World

NodeKey = tuple[str, str]
"""A label and a hash of its configuration: the same in both states for what is the same."""

FILE, RULE, TEST = 1, 2, 4
"""Bits of a node."""


@dataclass(slots=True)
class Fingerprints:
    """Nodes by number: `keys`, the hashes of their `own` facts, their `bits` and kinds; the
    dependencies of node n are `targets[starts[n]:starts[n + 1]]`. `tops` are the rules asked
    about. `roots` are directories of the repositories whose files lie in some directory."""

    keys: list[NodeKey] = field(default_factory=list)
    own: list[bytes] = field(default_factory=list)
    bits: bytearray = field(default_factory=bytearray)
    kinds: list[str] = field(default_factory=list)
    starts: array[int] = field(default_factory=lambda: array("I", [0]))
    targets: array[int] = field(default_factory=lambda: array("I"))
    tops: list[int] = field(default_factory=list)
    roots: dict[str, str] = field(default_factory=dict)
    conditions: set[str] = field(default_factory=set)
    """Labels that decide about others: keys of selects, and what stands behind them."""

    def edges(self, number: int) -> array[int]:
        """The numbers of the nodes that a node depends on."""
        return self.targets[self.starts[number] : self.starts[number + 1]]

    def reverse(self) -> dict[int, list[int]]:
        """By node: those that depend on it."""
        found: dict[int, list[int]] = {}
        starts, targets = self.starts, self.targets
        for number in range(len(self.keys)):
            for target in targets[starts[number] : starts[number + 1]]:
                found.setdefault(target, []).append(number)
        return found


class StateGraph:
    """The configured graph of one state, implicit dependencies and toolchains included."""

    def __init__(self, world: World) -> None:
        self.world = world
        graph = TargetGraph(
            world.loader, world.flags.bazel_version, visibility=False, implicit=True
        )
        mappings = world.mappings_of(world.configuration)
        self.graph = with_feature_flags(ConfiguredGraph(graph, world.configuration, mappings))
        self.facts = OwnFacts(self.graph, world.loader)

    def key(self, node: ConfiguredNode) -> NodeKey:
        """The node's name in every state."""
        return str(node.label), self.facts.configuration(node.configuration)

    def edges(self, node: ConfiguredNode) -> list[ConfiguredEdge]:
        """The dependencies of a node; keys of selects are none."""
        found = [e for e in self.graph.taken(node) if e.edge.kind is not EdgeKind.CONDITION]
        for edge in self.graph.graph.edges(node.label):
            if edge.kind is EdgeKind.ASPECT:
                # What the aspects of an attribute need is built with the rule.
                own = node.configuration or self.graph.configuration
                top = self.graph.node(edge.target, own)
                found.append(ConfiguredEdge(edge, top, Taken.YES))
        return found


def fingerprints(state: StateGraph, labels: Iterable[Label]) -> Fingerprints:
    """Walks from `labels` through all that they depend on."""
    made = Fingerprints()
    numbers: dict[ConfiguredNode, int] = {}
    pending: list[ConfiguredNode] = []

    def number_of(node: ConfiguredNode) -> int:
        number = numbers.get(node)
        if number is None:
            number = numbers[node] = len(numbers)
            pending.append(node)
        return number

    for label in labels:
        made.tops.append(number_of(state.graph.top(label)))
    position = 0
    graph = state.graph.graph
    while position < len(pending):
        node = pending[position]
        position += 1
        edges = state.edges(node)
        made.keys.append(state.key(node))
        made.own.append(state.facts.digest(node, edges))
        shape = graph.shape(node.label)
        rule_class = shape.rule_class
        bits = FILE if not shape.has_configuration else 0
        if rule_class is not None:
            bits |= RULE | (TEST if rule_class.is_test else 0)
        made.bits.append(bits)
        made.kinds.append(rule_class.name if rule_class is not None else "")
        made.targets.extend(dict.fromkeys([number_of(edge.target) for edge in edges]))
        made.starts.append(len(made.targets))
    made.roots = roots_of(state.world)
    return made


def roots_of(world: World) -> dict[str, str]:
    """The directories of the repositories that were looked at, by name, where they have one."""
    loader = world.loader
    names = {package.repository for package in loader.loaded_packages()} - {""}
    found = {"": str(loader.workspace.root)}
    for name in sorted(names):
        repository = loader.repository(name)
        if repository is not None and repository.root is not None:
            found[name] = repository.root
    return found


def rules_below(world: World, labels: Iterable[Label]) -> Iterator[Label]:
    """Those of `labels` that are rules."""
    for label in labels:
        package = world.loader.package(PackageId(label.repository, label.package))
        if isinstance(package, Package) and label.name in package.targets:
            yield from [label] if package.targets.is_rule(label.name) else []
