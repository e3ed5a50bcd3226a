"""What the attributes of configured targets hold, as `bazel cquery` asks for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.conditions.edges import EdgeKind
from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.conditions.select_choice import Chosen
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.base.label import Label, PackageId
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.bazel.attribute_types import (
    Attribute,
    AttributeType,
    Selector,
    SelectorList,
    labels_in,
    parts_of,
)
from bazelscope.bazel.release import Release
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Rule
from bazelscope.query.language.attribute_values import (
    attribute_of,
    possible_values,
    searched_attribute,
)


@dataclass(eq=False)
class ConfiguredAttributes:
    """Reads attributes of configured targets, with the branches that their configuration takes."""

    _graph: ConfiguredGraph
    _package: Callable[[PackageId], Package | None]
    _release: Release

    def of(self, node: ConfiguredNode, name: str, root: str = "") -> Attribute | None:
        """The attribute with every select resolved; where that cannot be done, unresolved.
        `root` is the directory of the workspace."""
        rule = self._graph.target(node)
        if not isinstance(rule, Rule):
            return None
        # What the package says of visibility is no part of a configured rule.
        package = None if name == "visibility" else self._package(node.label.package_id)
        written = attribute_of(rule, name, package, self._release, root)
        if written is None:
            return None
        conditions = self._graph.conditions(node.configuration)
        definition = rule.rule_class.attributes.get(name)
        default = definition.default if definition is not None else None
        value = self._chosen(written.value, written.type, conditions, default)
        return replace(written, value=value)

    def _chosen(
        self, value: object, type: AttributeType, conditions: Conditions, default: object
    ) -> object:
        """A value with its select()s resolved; as it is, if one cannot be. A branch that is None
        stands for the attribute's default."""
        if not isinstance(value, SelectorList | Selector):
            return value
        parts: list[object] = []
        for part in parts_of(value):
            if isinstance(part, Selector):
                result = conditions.resolve(part)
                if not isinstance(result, Chosen):
                    return value
                chosen = result.branch.value
                held = default if chosen is None else chosen
                parts.append(self._chosen(held, type, conditions, default))
            else:
                parts.append(part)
        joined = list(possible_values(SelectorList(tuple(parts)), type))
        return joined[0] if joined else None

    def values(self, node: ConfiguredNode, attribute: str) -> Iterable[object] | None:
        """What an attribute may hold, as `attr` searches it; None if there is no such one."""
        held = self.of(node, attribute)
        rule = self._graph.target(node)
        if isinstance(rule, Rule) and self._release.cquery_searches_every_branch:
            # 4.2.3 searches every branch, whatever the configuration.
            package = self._package(node.label.package_id)
            held = searched_attribute(rule, attribute, package, self._release)
        return None if held is None else possible_values(held.value, held.type)

    def labels(self, node: ConfiguredNode, attribute: str) -> Sequence[Label] | None:
        """The labels in an attribute; None if the rule's class has none such."""
        rule = self._graph.target(node)
        if not isinstance(rule, Rule):
            return None
        held = self.of(node, attribute)
        if held is not None and not isinstance(held.value, SelectorList | Selector):
            return list(labels_in(held.value))
        private = f"_{attribute[1:]}" if attribute.startswith("$") else attribute
        edges = [e.edge for e in self._graph.taken(node) if e.edge.kind is not EdgeKind.CONDITION]
        labels = [edge.target for edge in edges if edge.attribute in (attribute, private)]
        return labels if labels or held is not None or not rule.rule_class.is_known else None
