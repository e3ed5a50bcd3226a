"""Rules whose own implementations fail. Bazel: `StarlarkRuleConfiguredTargetUtil.buildRule`.

Every one is run whose dependencies are sound; one that cannot be followed is refused by nobody.
What runs them is imported where the first is met: of few targets, it often is none.
"""

from __future__ import annotations

from collections.abc import Container
from functools import cached_property
from typing import TYPE_CHECKING

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.refusals.causes import of_problem, set_by
from bazelscope.analysis.refusals.of_attributes import AttributeChecks
from bazelscope.analysis.refusals.refusal import Refusal, RefusalCause, RefusalKind
from bazelscope.base.unknown import Unknown
from bazelscope.loading.packages.targets import Rule

if TYPE_CHECKING:
    from bazelscope.analysis.refusals.native_rules.checks import NativeRuleChecks
    from bazelscope.analysis.refusals.of_outputs import OutputChecks
    from bazelscope.analysis.rules.aspects_on_targets import Node
    from bazelscope.analysis.rules.implementations import Implementations


class ImplementationChecks:
    """The checks, over one configured graph."""

    def __init__(self, graph: ConfiguredGraph, incompatible: Container[ConfiguredNode]) -> None:
        """What is `incompatible` is taken by any attribute."""
        self._graph = graph
        self._incompatible = incompatible
        self._attributes = AttributeChecks(graph, lambda: self.implementations, incompatible)

    @cached_property
    def implementations(self) -> Implementations:
        """What targets of the graph provide."""
        from bazelscope.analysis.rules.implementations import Implementations

        return Implementations(self._graph)

    @cached_property
    def _outputs(self) -> OutputChecks:
        from bazelscope.analysis.refusals.of_outputs import OutputChecks

        return OutputChecks(self._graph, self.implementations)

    @cached_property
    def _native(self) -> NativeRuleChecks:
        from bazelscope.analysis.refusals.native_rules.checks import NativeRuleChecks

        return NativeRuleChecks(self._graph, lambda: self.implementations)

    def refused_of_attributes(self, node: ConfiguredNode) -> list[Refusal]:
        """What attributes do not take of what they are given."""
        rule_class = self._graph.graph.shape(node.label).rule_class
        if rule_class is None or not rule_class.is_known:
            return []
        of_every_rule = list(self._attributes.refused(node, rule_class))
        if not rule_class.defined_at:
            return of_every_rule
        from bazelscope.analysis.rules.provided import FailsBelow

        rule = self._graph.target(node)
        if not isinstance(rule, Rule) or isinstance(self.implementations.run(node), FailsBelow):
            return of_every_rule
        problems = self.implementations.problems_of(node, self._incompatible)
        source = self._graph.graph.source
        of_attributes = [of_problem(rule, one, source) for one in problems]
        return of_every_rule + self._of_toolchains(node, rule) + of_attributes

    def _of_toolchains(self, node: ConfiguredNode, rule: Rule) -> list[Refusal]:
        """What implements a toolchain type and is none. Bazel: `ResolvedToolchainContext`."""
        if not self._graph.configuration.release.toolchains_are_checked:
            return []
        return [
            Refusal(
                RefusalKind.TOOLCHAIN,
                f"While resolving toolchains for target {rule.label}: toolchain type {type_}"
                f" resolved to target {label}, but that target does not provide ToolchainInfo",
                rule.label,
                "toolchains",
                rule.location,
            )
            for type_, label in self.implementations.no_toolchains_of(node)
        ]

    def refused_of_outputs(self, node: Node) -> list[Refusal]:
        """What a sound target, or an aspect on one, makes that another makes in another way."""
        if isinstance(node, ConfiguredNode):
            rule_class = self._graph.graph.shape(node.label).rule_class
            if rule_class is None or not (rule_class.defined_at or rule_class.name == "genrule"):
                return []
        return self._outputs.refused(node)

    def refused(self, node: ConfiguredNode) -> list[Refusal]:
        """The error in which the implementation of a rule ends, if it does; Bazel runs it where
        attributes take all that they are given."""
        rule_class = self._graph.graph.shape(node.label).rule_class
        if rule_class is None or not rule_class.is_known:
            return []
        of_test = self._native.refused_of_test(node) if rule_class.is_test else []
        if not rule_class.defined_at:
            return of_test + self._native.refused(node, rule_class.name)
        rule = self._graph.target(node)
        result = self.implementations.run(node)
        if not isinstance(rule, Rule) or isinstance(result, Unknown):
            return of_test
        if result.failure is None:
            is_program = rule_class.is_executable or rule_class.is_test
            return of_test + (self._native.refused_of_program(node) if is_program else [])
        error = result.failure
        return [
            Refusal(
                RefusalKind.IMPLEMENTATION,
                error.message,
                rule.label,
                location=error.location or rule.location,
                causes=(
                    RefusalCause(f"{rule.label} is a {rule.kind}", rule.location),
                    *(
                        RefusalCause(
                            f"{label} is {value.text}{set_by(value.instance)}",
                            value.instance.location if value.instance is not None else None,
                        )
                        for label, value in self.implementations.attributes.settings_of(node)
                    ),
                ),
                call_stack=error.call_stack,
            )
        ]
