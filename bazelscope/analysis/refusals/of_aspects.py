"""What Bazel refuses of an aspect on a target: what it depends on itself, the toolchains that it
asks for, and the error in which its implementation ends.

It is told at the target that the aspect meets, by the aspect's name. Bazel: `AspectFunction`.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import field

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.graph.aliases import is_stand_in
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.refusals.causes import of_problem
from bazelscope.analysis.refusals.implicit_dependencies import ImplicitDependencies
from bazelscope.analysis.refusals.of_dependencies import DependencyChecks
from bazelscope.analysis.refusals.of_toolchains import ToolchainChecks
from bazelscope.analysis.refusals.refusal import Refusal, RefusalCause, RefusalKind
from bazelscope.analysis.rules.aspects import AspectNode
from bazelscope.analysis.rules.aspects_on_targets import TWICE, Node
from bazelscope.analysis.rules.implementations import Implementations
from bazelscope.analysis.rules.prerequisites import problems_of
from bazelscope.analysis.rules.provided import FailsBelow, Implemented
from bazelscope.base.errors import Diagnostic
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.memoized import memoized
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import ToolchainRequirement
from bazelscope.loading.packages.targets import Rule


@dataclass(eq=False)
class AspectChecks:
    """The checks, over one configured graph."""

    _graph: ConfiguredGraph
    _implementations: Implementations
    _implicit: ImplicitDependencies
    _dependencies: DependencyChecks
    _toolchains: ToolchainChecks
    _incompatible: Container[ConfiguredNode]
    _sound: set[AspectNode] = field(default_factory=set)
    """Of those that were looked at: neither they nor any aspect below is refused."""

    def refused_below(self, node: Node, failed: Mapping[ConfiguredNode, bool]) -> list[Refusal]:
        """What is refused of the aspects that run before a target; of one that depends on what
        `failed` itself, nothing."""
        looked_at = self.below(node, self._sound)
        refused = [
            refusal
            for key in looked_at
            if not any(failed.get(one) for one in self.needed(key))
            for refusal in self.refused(key)
        ]
        if not refused:
            # What many targets depend on is below each of them.
            self._sound.update(looked_at)
        return refused

    def below(self, node: Node, passed_over: Container[AspectNode] = ()) -> dict[AspectNode, None]:
        """The aspects that run before a target, or that an aspect goes on with, deepest first."""
        found: dict[AspectNode, None] = {}
        pending: list[tuple[AspectNode, bool]] = [(one, False) for one in self._on_way(node)]
        while pending:
            one, is_left = pending.pop()
            if is_left:
                found[one] = None
            elif one not in found and one not in passed_over:
                pending.append((one, True))
                pending += [(each, False) for each in self._on_way(one) if each not in found]
        return found

    def needed(self, key: AspectNode) -> Iterator[ConfiguredNode]:
        """The targets that an aspect itself depends on, as far as they are there."""
        for name, spec in key.own.aspect.specs.items():
            for entry in self._implementations.aspects.own_entries(key, name, spec).values():
                if not isinstance(entry, Unknown) and not self._implicit.is_absent(entry[0]):
                    yield entry[0]

    def _on_way(self, node: Node) -> list[AspectNode]:
        return [one for one in self._implementations.needs(node) if isinstance(one, AspectNode)]

    @memoized
    def refused(self, key: AspectNode) -> list[Refusal]:
        """What is refused of one aspect on one target, whatever it depends on."""
        rule = self._graph.target(key.node)
        if not isinstance(rule, Rule):
            return []
        refused = self._of_toolchains(key) + self._of_attributes(key, rule)
        result = None if refused else self._implementations.run(key)
        if not isinstance(result, Implemented) or result.failure is None:
            return refused
        for one in self._on_way(key):
            below = self._implementations.run(one)
            if isinstance(below, FailsBelow) or getattr(below, "failure", None) is not None:
                return []
        return [self._failed(key, rule, result.failure)]

    def _failed(self, key: AspectNode, rule: Rule, error: Diagnostic) -> Refusal:
        name = key.own.aspect.shown(self._graph.graph.source.context.label_style)
        place = "" if error.code == TWICE else f"in {name} aspect on {rule.kind} {rule.label}: "
        return Refusal(
            RefusalKind.IMPLEMENTATION,
            f"{place}{error.message}",
            rule.label,
            location=error.location or rule.location,
            causes=(RefusalCause(f"{rule.label} is a {rule.kind}", rule.location),),
            call_stack=error.call_stack,
        )

    def _of_toolchains(self, key: AspectNode) -> list[Refusal]:
        given = key.own.aspect.options.get("toolchains")
        listed = given if isinstance(given, tuple) else ()
        types = [one for one in listed if isinstance(one, ToolchainRequirement)]
        refusal = self._toolchains.of_types(key.node, types) if types else None
        return [] if refusal is None else [refusal]

    def _of_attributes(self, key: AspectNode, rule: Rule) -> list[Refusal]:
        """What is refused of what an aspect's own attributes lead to."""
        label = rule.label
        absent: list[Refusal] = []
        checked: list[Refusal] = []
        for name, spec in key.own.aspect.specs.items():
            for entry in self._implementations.aspects.own_entries(key, name, spec).values():
                if isinstance(entry, Unknown) or entry[1] is not None:
                    continue
                node = entry[0]
                if self._implicit.is_absent(node):
                    absent.append(self._implicit.refusal(label, node))
                    continue
                if node in self._incompatible or is_stand_in(self._graph, node):
                    continue
                checked += self._dependencies.refused_of_defaults(
                    key.node, [(name, node)], key.own.aspect.file
                )
                result = self._implementations.run(node)
                if isinstance(result, Implemented) and result.failure is None:
                    of_class = rule.rule_class.name
                    source = self._graph.graph.source
                    problems = problems_of(of_class, name, spec, result, self._graph, node)
                    checked += [of_problem(rule, one, source) for one in problems]
        return absent or checked
