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
from bazelscope.analysis.conditions.edges import Edge, EdgeKind
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.analysis.graph.target_marks import ASKS_PLATFORM
from bazelscope.analysis.rules.feature_flags import with_feature_flags
from bazelscope.base.label import Label, PackageId
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.bazel.encoded_values import decode_label
from bazelscope.loading.packages.package import Package
from bazelscope.questions.affected.decisions import Decisions
from bazelscope.questions.affected.own_facts import OwnFacts
from bazelscope.questions.shared.world import World

NodeKey = tuple[str, str]
"""A label and a hash of its configuration: the same in both states for what is the same."""

FILE, RULE, TEST, TRANSITION, ASKS = 1, 2, 4, 8, 16
"""Bits of a node; the last two: its rule, or that which generates it, has a transition of its own;
it asks for a platform by `target_compatible_with`."""


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
    made_by: dict[str, int] = field(default_factory=dict)
    """By hash of a configuration: a node that has dependencies in it."""

    def edges(self, number: int) -> array[int]:
        """The numbers of the nodes that a node depends on."""
        return self.targets[self.starts[number] : self.starts[number + 1]]

    def reverse(self) -> dict[int, list[int]]:
        """By node: those that depend on it."""
        users: dict[int, list[int]] = {}
        starts, targets = self.starts, self.targets
        for number in range(len(self.keys)):
            for target in targets[starts[number] : starts[number + 1]]:
                users.setdefault(target, []).append(number)
        return users


class StateGraph:
    """The configured graph of one state, implicit dependencies and toolchains included."""

    def __init__(self, world: World) -> None:
        self.world = world
        graph = TargetGraph(
            world.loader, world.flags.bazel_version, visibility=False, implicit=True
        )
        mappings = world.mappings_of(world.configuration)
        self.decisions = Decisions(world.loader)
        self.graph = with_feature_flags(
            ConfiguredGraph(graph, world.configuration, mappings, self.decisions)
        )
        self.decisions.watch(self.graph)
        self.facts = OwnFacts(self.graph, world.loader)
        own = self.graph.configuration
        self._configurations: dict[str, Configuration | None] = {self.facts.configuration(own): own}

    def key(self, node: ConfiguredNode) -> NodeKey:
        """The node's name in every state."""
        return str(node.label), self.facts.configuration(node.configuration)

    def edges(self, node: ConfiguredNode) -> list[ConfiguredEdge]:
        """The dependencies of a node; keys of selects are none."""
        edges = [e for e in self.graph.taken(node) if e.edge.kind is not EdgeKind.CONDITION]
        kind = self.graph.graph.shape(node.label).rule_class
        if kind is not None and kind.aspect_attributes:
            # What the aspects of an attribute need is built with the rule.
            own = self.graph.configuration_of(node)
            for label in kind.aspect_labels:
                edge = Edge(node.label, label, "", EdgeKind.ASPECT)
                edges.append(ConfiguredEdge(edge, self.graph.node(label, own), Taken.YES))
        return edges

    def bits(self, label: Label) -> int:
        """What there is to know of a target for those that depend on it."""
        shape = self.graph.graph.shape(label)
        bits = FILE if not shape.has_configuration else 0
        if shape.rule_class is not None:
            bits |= RULE | (TEST if shape.rule_class.is_test else 0)
            bits |= ASKS if self.graph.graph.is_marked(label, ASKS_PLATFORM) else 0
        return bits | (TRANSITION if self.graph.nodes.rule_steps(label) else 0)

    def kind(self, label: Label) -> str:
        """The name of a target's rule class; empty for what is no rule."""
        return self.graph.graph.shape(label).class_name

    def named(self, key: NodeKey, prints: Fingerprints) -> ConfiguredNode | None:
        """The node of that name; None if its configuration is not found again. `prints` are of
        this state, or of one that the configurations of most nodes are alike in."""
        label, configuration = decode_label(key[0]), self._configuration(key[1], prints)
        node = self.graph.node(label, configuration) if configuration is not None else None
        return node if node is not None and self.key(node) == key else None

    def _configuration(self, wanted: str, prints: Fingerprints) -> Configuration | None:
        if not wanted:
            return self.graph.configuration
        if wanted not in self._configurations:
            self._configurations[wanted] = None  # Where one is made by itself.
            number = prints.made_by.get(wanted)
            made: Iterable[ConfiguredNode] = ()
            if number is not None and number in prints.tops:
                made = (self.graph.top(decode_label(prints.keys[number][0])),)
            if number is not None and not any(self.key(node)[1] == wanted for node in made):
                user = self.named(prints.keys[number], prints)
                made = [edge.target for edge in self.edges(user)] if user is not None else ()
            for node in made:
                if node.configuration is not None and self.key(node)[1] == wanted:
                    self._configurations[wanted] = node.configuration
        return self._configurations[wanted]


def fingerprints(state: StateGraph, labels: Iterable[Label]) -> Fingerprints:
    """Walks from `labels` through all that they depend on."""
    made = Fingerprints()
    numbers: dict[ConfiguredNode, int] = {}
    pending: list[ConfiguredNode] = []

    def number_of(node: ConfiguredNode, user: int | None = None) -> int:
        number = numbers.get(node)
        if number is None:
            number = numbers[node] = len(numbers)
            pending.append(node)
            if node.configuration is not None:
                user = number if user is None else user
                made.made_by.setdefault(state.facts.configuration(node.configuration), user)
        return number

    for label in labels:
        made.tops.append(number_of(state.graph.top(label)))
    position = 0
    while position < len(pending):
        node = pending[position]
        edges = state.edges(node)
        made.keys.append(state.key(node))
        made.own.append(state.facts.digest(node, edges))
        made.bits.append(state.bits(node.label))
        made.kinds.append(state.kind(node.label))
        made.targets.extend(dict.fromkeys([number_of(edge.target, position) for edge in edges]))
        position += 1
        made.starts.append(len(made.targets))
    made.roots = roots_of(state.world)
    return made


def roots_of(world: World) -> dict[str, str]:
    """The directories of the repositories that were looked at, by name, where they have one."""
    loader = world.loader
    names = {package.repository for package in loader.packages_rested_on()} - {""}
    roots = {"": str(loader.workspace.root)}
    for name in sorted(names):
        repository = loader.table.get(name)
        if repository is not None and repository.root is not None:
            roots[name] = repository.root
    return roots


def rules_below(world: World, labels: Iterable[Label]) -> Iterator[Label]:
    """Those of `labels` that are rules."""
    for label in labels:
        package = world.loader.package(PackageId(label.repository, label.package))
        if isinstance(package, Package) and label.name in package.targets:
            yield from [label] if package.targets.is_rule(label.name) else []
