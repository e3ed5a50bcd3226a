"""What the attributes of configured targets hold, and which targets their labels lead to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.conditions.select_choice import resolve_value
from bazelscope.analysis.configuration.build_settings import SettingValue, current_value
from bazelscope.analysis.configuration.flag_types import ValueTypeError
from bazelscope.analysis.graph.aliases import behind_aliases
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.rules.attributes import labels_of
from bazelscope.analysis.rules.provided import not_modelled
from bazelscope.base.label import Label
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import INPUT_TYPES, AttributeDefinition
from bazelscope.loading.packages.targets import Rule

Entry = tuple[ConfiguredNode, Unknown | None] | Unknown
"""A configured target, and why that may be another one; or why it cannot be told."""
Targets = dict[Label, Entry]
"""By the label that an attribute has."""


class AttributeTargets:
    """Resolves the attributes of the targets of one graph, each once."""

    def __init__(self, graph: ConfiguredGraph) -> None:
        self._graph = graph
        self._attributes: dict[ConfiguredNode, dict[str, tuple[object, Targets]]] = {}

    def of(self, node: ConfiguredNode, rule: Rule, name: str) -> tuple[object, Targets]:
        """The resolved value of an attribute, and what its labels lead to."""
        known = self._attributes.setdefault(node, {})
        resolved = known.get(name)
        if resolved is None:
            resolved = known[name] = self._resolved(node, rule, rule.rule_class.attributes[name])
        return resolved

    def dependencies(
        self, node: ConfiguredNode, rule: Rule, names: Iterable[str] | None = None
    ) -> Iterator[ConfiguredNode]:
        """The targets that the attributes `names` lead to, by default all."""
        for name in names if names is not None else rule.rule_class.attributes:
            for target in self.of(node, rule, name)[1].values():
                if not isinstance(target, Unknown):
                    yield target[0]

    def settings_of(self, node: ConfiguredNode) -> Iterator[tuple[Label, SettingValue]]:
        """The build settings that a target depends on and that something sets, with their
        values."""
        rule = self._graph.target(node)
        if not isinstance(rule, Rule):
            return
        for below in dict.fromkeys(self.dependencies(node, rule)):
            behind = behind_aliases(self._graph, below)
            setting = self._graph.target(behind)
            if not isinstance(setting, Rule) or not setting.rule_class.is_build_setting:
                continue
            configuration = behind.configuration or self._graph.configuration
            with suppress(ValueTypeError):
                value = current_value(setting, configuration, behind.label)
                if value.instance is not None:
                    yield behind.label, value

    def _resolved(
        self, node: ConfiguredNode, rule: Rule, definition: AttributeDefinition
    ) -> tuple[object, Targets]:
        if definition.name == "name":
            return rule.label.name, {}
        value = rule.value(definition.name, definition.default)
        conditions = self._graph.conditions(node.configuration)
        value = resolve_value(value, conditions, definition.default).value
        targets: Targets = {}
        if definition.type in INPUT_TYPES and not definition.nodep:
            for label in labels_of(value):
                if isinstance(label, Unknown):
                    continue
                nodes = self._graph.nodes.prerequisites(node, definition, label)
                if len(nodes) != 1:
                    return not_modelled(str(label), "its transition splits"), {}
                targets[label] = nodes[0]
        return value, targets
