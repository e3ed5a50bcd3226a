"""What Bazel loads before it walks: all that targets come to, whatever the options leave out.

Bazel: `BlazeQueryEnvironment.preloadTransitiveClosure`, `TransitiveTraversalFunction`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from bazelscope.analysis.conditions.edges import EdgeKind
from bazelscope.analysis.graph.missing_targets import MissingTargets
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.base.graph_walk import distances
from bazelscope.base.label import Label, PackageId
from bazelscope.bazel.attribute_types import LABEL_TYPES, AttributeType, RuleClass, labels_in
from bazelscope.bazel.release import Release
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Absent, Rule
from bazelscope.query.graphs.default_groups import groups_by_default

_LABELS = LABEL_TYPES | {AttributeType.UNKNOWN}
_Defaults = list[tuple[str, Label]]


class LoadedClosures:
    """Walks along every dependency, and notes what is `missing`, except where a model alone tells
    what there is: what Bazel brings is whole. In a graph without implicit dependencies it looks at
    what rules of Starlark need by default; what native ones do is Bazel's."""

    def __init__(
        self,
        graph: TargetGraph,
        release: Release,
        missing: MissingTargets | None,
        package: Callable[[PackageId], Package | None],
    ) -> None:
        self.packages: set[PackageId] = set()
        """Those of all that was loaded."""
        self._graph = graph
        self._release = release
        self._missing = missing
        self._package = package
        self._walked: dict[Label, None] = {}
        self._groups: dict[PackageId, Package | None] = {}
        """Each package met, if its visibility by default may name groups."""
        self._defaults: dict[int, _Defaults] = {}
        """What rules of each class need by default and have not been seen to need, by attribute."""

    def load(self, starts: Iterable[Label]) -> Collection[Label]:
        """Loads what `starts` come to; returns all that was loaded so far."""
        new = [label for label in starts if label not in self._walked]
        reached = distances(new, self._following, None, self._graph.prepare)
        self._walked.update(dict.fromkeys(reached))
        self.packages.update([label.package_id for label in reached])
        return self._walked.keys()

    def _following(self, node: Label) -> list[Label]:
        graph, missing = self._graph, self._missing
        if node in self._walked:
            return []
        following = []
        for target in self._named_by(node):
            absent = None if graph.has(target) else graph.node(target)
            if not isinstance(absent, Absent):
                following.append(target)
            elif missing and not (graph.is_modelled(node) or graph.is_modelled(target)):
                missing.note(absent, node, graph.location(node))
        return following

    def _named_by(self, node: Label) -> Iterator[Label]:
        graph = self._graph
        for target, link in graph.links(node):
            # A string in an attribute of an unknown rule may be no label at all.
            if link.kind is not EdgeKind.ASSUMED or graph.has(target):
                yield target
        kind = graph.shape(node).rule_class
        if kind is None:
            return
        id = node.package_id
        if id not in self._groups:
            package = self._package(id)
            self._groups[id] = package if package and package.default_visibility else None
        package = self._groups[id]
        if package is not None:
            yield from groups_by_default(graph, node, kind, package, self._release)
        if not graph.implicit:
            yield from self._defaults_of(node, kind)

    def _defaults_of(self, node: Label, kind: RuleClass) -> list[Label]:
        """What a rule of Starlark needs by default. A default that is there is named once: who
        else needs it adds nothing."""
        left = self._defaults.get(id(kind))
        if left is None:
            left = self._defaults[id(kind)] = [
                (definition.name, label)
                for definition in kind.attributes.values()
                if kind.defined_at and definition.type in _LABELS and not definition.nodep
                for label in labels_in(definition.default)
            ]
        if not left:
            return []
        rule = self._graph.node(node)
        given = rule.attributes if isinstance(rule, Rule) else {}
        needed = [
            (name, label)
            for name, label in left
            if name not in given or not given[name].is_explicit
        ]
        for default in needed:
            if self._graph.has(default[1]):
                left.remove(default)
        return [label for _, label in needed]
