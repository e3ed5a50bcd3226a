"""What implementations see of the toolchains that their rules have come to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.configuration.platforms import follow_aliases
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.resolved_toolchains import ResolvedToolchain
from bazelscope.analysis.rules.provided import Implemented, not_modelled, variables_of
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Unknown
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.values.structs import Provider
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue

TOOLCHAIN_INFO = Provider("ToolchainInfo")


@dataclass(eq=False)
class ToolchainValues:
    """Tells what the toolchains of the targets of one graph provide; `result_of` a dependency says
    what it does."""

    _graph: ConfiguredGraph
    _result_of: Callable[[tuple[ConfiguredNode, Unknown | None]], Implemented | Unknown]

    def provided(
        self,
        node: ConfiguredNode,
        resolved: Iterable[ResolvedToolchain],
        evaluation: EvaluationContext,
    ) -> Mapping[Label, object]:
        """`ctx.toolchains` for those that are `resolved`, by their types and by what these are
        aliases of."""
        providers: dict[Label, object] = {}
        for one in resolved:
            result: object = self._result(node, one)
            if isinstance(result, Implemented):
                result = result.provider(TOOLCHAIN_INFO)
            if isinstance(result, Unknown):
                what = f"ctx.toolchains[{one.requirement.type}]"
                result = UnknownValue(result, what, evaluation)
            providers[one.requirement.type] = result
            actual = follow_aliases(self._graph.graph.source, one.requirement.type)
            if isinstance(actual, Label):
                providers[actual] = result
        return providers

    def variables(self, node: ConfiguredNode) -> Mapping[str, object] | None:
        """The Make variables that the toolchains of a rule add; None where nobody can tell."""
        variables: dict[str, object] = {}
        for one in self._graph.unwritten.toolchains(node):
            result = self._result(node, one)
            added = variables_of(result) if result is not None else {}
            if added is None:
                return None
            variables |= added
        return variables

    def _result(self, node: ConfiguredNode, one: ResolvedToolchain) -> Implemented | Unknown | None:
        """What the target that implements a toolchain type provides; None where there is none."""
        if one.doubt is not None or one.implementation is None:
            return one.doubt
        return self._result_of(self._graph.nodes.toolchain_node(node, one.implementation))


def toolchains_of_aspect(types: object, evaluation: EvaluationContext) -> dict[Label, object]:
    """The toolchains that an aspect asks for, none of which is looked for."""
    return {
        one.type: UnknownValue(not_modelled(f"ctx.toolchains[{one.type}]"), "", evaluation)
        for one in (types if isinstance(types, tuple) else ())
        if not isinstance(one, Unknown)
    }
