"""What rules depend on although no BUILD file says so: defaults of private attributes, and what
aspects on their attributes need. All rules of a class share it.

Bazel: `DependencyResolver`, which tells of a target that is not there that *every rule of type X
implicitly depends upon* it. Of what comes with Bazel itself models say no more than what there
is: of that, the alias of the C++ toolchain alone is looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bazelscope.analysis.conditions.configured_edges import ConfiguredEdge, ConfiguredNode
from bazelscope.analysis.conditions.edges import WRITTEN
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.configuration.late_bound import is_late_bound
from bazelscope.analysis.configuration.target_source import TargetSource
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.refusals.causes import absent_default
from bazelscope.analysis.refusals.packages_in_error import PackagesInError
from bazelscope.analysis.refusals.refusal import Refusal, RefusalKind
from bazelscope.base.errors import LabelError
from bazelscope.base.identity_table import IdentityTable
from bazelscope.base.label import Label, parse_option_label
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.bazel.attribute_types import (
    AttributeDefinition,
    AttributeType,
    RuleClass,
    labels_in,
)
from bazelscope.loading.packages.targets import Absent, Rule

_BAZEL_TOOLS = "bazel_tools"
_CC_TOOLCHAIN = "current_cc_toolchain"
_LABELS = (AttributeType.LABEL, AttributeType.LABEL_LIST)
_PROTO_LIBRARY = "proto_library"

_OF_CC_CHECKS = ":cc_toolchain"
"""What native rules hold there, others look at (`CcToolchainChecks`)."""


class _Implied(NamedTuple):
    """Of rules of one class in one configuration: what all need, and what those need of whose
    dependencies an aspect meets one; and which of each is not there."""

    nodes: tuple[ConfiguredNode, ...] = ()
    of_aspects: tuple[ConfiguredNode, ...] = ()
    private: tuple[tuple[str, ConfiguredNode], ...] = ()
    """The private attributes of a Starlark rule, and what each leads to, files too."""
    absent: tuple[ConfiguredNode, ...] = ()
    absent_of_aspects: tuple[ConfiguredNode, ...] = ()


_NOTHING = _Implied()


class ImplicitDependencies:
    """The implicit dependencies of the rules of one configured graph."""

    def __init__(self, graph: ConfiguredGraph, packages: PackagesInError) -> None:
        self._graph = graph
        self._packages = packages
        self._implied: dict[
            tuple[int, Label | None, Configuration], tuple[RuleClass, _Implied]
        ] = {}
        self._computes: IdentityTable[RuleClass, bool] = IdentityTable(
            lambda rule_class: any(_computed(rule_class))
        )
        """Of each class whether one of its private defaults is computed."""

    def nodes_of(
        self, node: ConfiguredNode, edges: Iterable[ConfiguredEdge]
    ) -> Sequence[ConfiguredNode]:
        """What a rule depends on without a word of its BUILD file, as far as it is there."""
        implied = self._of(node)
        if not implied.of_aspects or not self._meets_rules(edges):
            return implied.nodes
        return (*implied.nodes, *implied.of_aspects)

    def private(self, node: ConfiguredNode) -> Sequence[tuple[str, ConfiguredNode]]:
        """What the private attributes of a Starlark rule lead to, by their names."""
        return self._of(node).private

    def absent(self, node: ConfiguredNode) -> list[Refusal]:
        """What is refused of a rule for it depends on what is not there; and of the
        `proto_library` rules that an aspect of it goes through."""
        implied = self._of(node)
        refused = [self.refusal(node.label, one) for one in implied.absent]
        if implied.absent_of_aspects:
            for label in self._proto_libraries(node):
                refused += [self.refusal(label, one) for one in implied.absent_of_aspects]
        return refused

    def _of(self, node: ConfiguredNode) -> _Implied:
        rule_class = self._graph.graph.shape(node.label).rule_class
        if rule_class is None or node.configuration is None or not rule_class.is_known:
            return _NOTHING
        # What functions compute is every rule's own.
        own = node.label if self._computes[rule_class] else None
        key = (id(rule_class), own, node.configuration)
        known = self._implied.get(key)
        if known is None:
            known = self._implied[key] = (rule_class, self._implied_by(node, rule_class))
        return known[1]

    def _implied_by(self, node: ConfiguredNode, rule_class: RuleClass) -> _Implied:
        private: list[tuple[str, ConfiguredNode]] = []
        named = [*_private(rule_class), *self._computed(node, rule_class)]
        own, absent = self._sorted(node, named, rule_class, private)
        aspects = [
            (AttributeDefinition(one.name, one.type, configured=one.configured), one.labels)
            for one in rule_class.aspect_attributes
        ]
        of_aspects, absent_of_aspects = self._sorted(node, aspects, rule_class, [])
        if not rule_class.defined_at:
            return _Implied(own, of_aspects, (), absent, absent_of_aspects)
        # Who of what it meets an aspect is for, is not told.
        return _Implied(own, of_aspects, tuple(private), absent)

    def _sorted(
        self,
        node: ConfiguredNode,
        attributes: Iterable[tuple[AttributeDefinition, Sequence[Label]]],
        rule_class: RuleClass,
        met: list[tuple[str, ConfiguredNode]],
    ) -> tuple[tuple[ConfiguredNode, ...], tuple[ConfiguredNode, ...]]:
        """The nodes that the labels in some attributes lead to: those that may be there, and
        those that are not. Adds to `met` all that may be there, files too, by attribute."""
        there: dict[ConfiguredNode, None] = {}
        absent: dict[ConfiguredNode, None] = {}
        named = self._graph.unwritten.named_instead(self._graph.configuration_of(node))
        for definition, labels in attributes:
            for default in labels:
                label = default
                if is_late_bound(definition.name) and definition.name != _OF_CC_CHECKS:
                    label = named.get(default, default)
                if not _is_looked_at(label, rule_class):
                    continue
                for target, doubt in self._graph.nodes.prerequisites(node, definition, label):
                    if doubt is not None:
                        continue
                    if isinstance(self._graph.target(target), Absent):
                        if self.is_absent(target):
                            absent[target] = None
                        continue
                    met.append((definition.name, target))
                    if target.configuration is not None:
                        there[target] = None
        return tuple(there), tuple(absent)

    def _computed(
        self, node: ConfiguredNode, rule_class: RuleClass
    ) -> Iterator[tuple[AttributeDefinition, Sequence[Label]]]:
        """The private attributes of a rule whose defaults functions have computed."""
        for definition in _computed(rule_class):
            rule = self._graph.target(node)
            attribute = rule.attribute(definition.name) if isinstance(rule, Rule) else None
            if attribute is not None:
                yield definition, tuple(labels_in(attribute.value))

    def is_absent(self, node: ConfiguredNode) -> bool:
        """Whether a target surely is not there: a model says no more than what is."""
        target = self._graph.target(node)
        return isinstance(target, Absent) and not self._graph.graph.is_modelled(node.label)

    def _meets_rules(self, edges: Iterable[ConfiguredEdge]) -> bool:
        # The graph of a query has edges for what aspects may need, too, and for toolchains.
        written = (edge.target.label for edge in edges if edge.edge.kind in WRITTEN)
        return any(self._graph.graph.shape(label).rule_class for label in written)

    def _proto_libraries(self, node: ConfiguredNode) -> Iterator[Label]:
        """The rules that an aspect for protocol buffers goes through."""
        seen = {node}
        rest = [node]
        while rest:
            for edge in self._graph.edges(rest.pop()):
                is_one = self._graph.graph.shape(edge.target.label).class_name == _PROTO_LIBRARY
                if is_one and edge.edge.attribute == "deps" and edge.target not in seen:
                    seen.add(edge.target)
                    rest.append(edge.target)
                    yield edge.target.label

    def refusal(self, user: Label, absent: ConfiguredNode) -> Refusal:
        """The refusal of a rule, for what its class or an aspect on it needs is `absent`."""
        kind = self._graph.graph.shape(user).class_name
        target = self._graph.target(absent)
        place = self._graph.graph.location(user)
        message = absent_default(kind, absent.label, getattr(target, "message", ""))
        told = self._packages.of_dependency(absent.label, target, user, "", place)
        of_kind = RefusalKind.MISSING_TARGET if told is None else told.kind
        causes = () if told is None else told.causes
        return Refusal(of_kind, message, user, "", place, causes, dependency=absent.label)


def label_in_workspace(source: TargetSource, text: str) -> Label | None:
    """The label that an option names as the workspace's own files do; None where it is none."""
    table = getattr(source, "table", None)
    try:
        names = dict(table.repo_mapping("")) if table else {}
        return parse_option_label(text, names)
    except LabelError:
        return None


def _private(rule_class: RuleClass) -> Iterator[tuple[AttributeDefinition, Sequence[Label]]]:
    for definition in rule_class.attributes.values():
        if not definition.is_implicit or definition.nodep or definition.computed_default:
            continue
        if definition.type in _LABELS:
            labels = tuple(labels_in(definition.default))
            if labels:
                yield definition, labels


def _computed(rule_class: RuleClass) -> Iterator[AttributeDefinition]:
    for definition in rule_class.attributes.values() if rule_class.defined_at else ():
        is_looked_at = definition.is_implicit and not definition.nodep
        if definition.computed_default and is_looked_at and definition.type in _LABELS:
            yield definition


def _is_looked_at(label: Label, rule_class: RuleClass) -> bool:
    if label.repository == _BAZEL_TOOLS:
        return bool(rule_class.defined_at) and label.name == _CC_TOOLCHAIN
    return True
