"""Which configurations `cquery --transitions` says that a dependency leads to.

They are made by the transitions alone, without what Bazel does to configurations afterwards:
no platform is filled in, no platform mapping applied, no setting cleaned of its default.
Bazel: `TransitionsOutputFormatterCallback`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bazelscope.analysis.conditions.configured_edges import ConfiguredEdge, ConfiguredNode
from bazelscope.analysis.configuration.configuration import Configuration, ConfigurationKind
from bazelscope.analysis.configuration.starlark_options import Elements
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.transition_runs import Held, shown_steps
from bazelscope.analysis.graph.transition_steps import Step
from bazelscope.base.label import Label
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import Configured
from bazelscope.loading.packages.targets import Rule


class ShownTransitions:
    """Applies the transitions of a graph's edges, each once for a configuration."""

    def __init__(self, graph: ConfiguredGraph) -> None:
        self._graph = graph
        self._known: dict[tuple[object, ...], tuple[Held, ...] | Unknown] = {}

    def held(self, configuration: Configuration) -> Mapping[Label, Elements]:
        """The build settings that a configuration holds."""
        after = self._after(configuration, ())
        return {} if isinstance(after, Unknown) else after[0][1]

    def of(self, node: ConfiguredNode, edge: ConfiguredEdge) -> tuple[Held, ...] | Unknown:
        """What the transitions of an edge out of `node` make. `Unknown` where one cannot be
        run."""
        own = node.configuration
        assert own is not None
        if own.is_final:
            return self._after(own, ())
        rule = self._graph.target(node)
        definitions = rule.rule_class.attributes if isinstance(rule, Rule) else {}
        definition = definitions.get(edge.edge.attribute)
        steps = self._graph.nodes.rule_steps(edge.edge.target)
        if definition is not None and definition.configured is Configured.EXEC:
            return self._after(
                self._graph.nodes.configurations.exec_of(own, edge.edge.source), steps
            )
        if edge.edge.is_tool:
            return self._after(_host_of(own), ())
        if definition is not None and definition.configured is Configured.TRANSITION:
            assert isinstance(rule, Rule)
            steps = (Step(rule, edge.edge.attribute), *steps)
        return self._after(own, steps)

    def _after(
        self, configuration: Configuration, steps: tuple[Step, ...]
    ) -> tuple[Held, ...] | Unknown:
        key = (configuration, *((step.rule.label, step.attribute) for step in steps))
        known = self._known.get(key)
        if known is None:
            conditions = self._graph.conditions(configuration)
            known = self._known[key] = shown_steps(self._graph.graph.source, conditions, steps)
        return known


def _host_of(configuration: Configuration) -> Configuration:
    """The host's configuration as it is made of this one, though there is but one in the end.
    Bazel: `HostTransition`."""
    return replace(
        configuration,
        kind=ConfigurationKind.HOST,
        changes={},
        before_exec={**configuration.before_exec, **configuration.changes},
        execution_platform=None,
    )
