"""`cquery --output=transitions`: which transition each dependency of the answer goes through.

Bazel: `TransitionsOutputFormatterCallback`. Only dependencies between targets of the answer are
shown, and none of what is in no configuration or in that of the host. The names of transitions
are those that 4.2.3 prints; behind the arrow stands the kind of configuration for its hash.
"""

from __future__ import annotations

from collections.abc import Collection

from bazelscope.analysis.aliases import behind_aliases
from bazelscope.analysis.configured import ConfiguredGraph
from bazelscope.analysis.configured_edges import ConfiguredEdge, ConfiguredNode
from bazelscope.analysis.edges import EdgeKind
from bazelscope.analysis.query.configured import configuration_name
from bazelscope.analysis.query.parsing import QueryError
from bazelscope.errors import Diagnostic
from bazelscope.explain.queries import QueriedConfigured
from bazelscope.label import Label
from bazelscope.loading.targets import OutputFile, Rule
from bazelscope.loading.values import Configured

_TRIMMING = "(TestTrimmingTransition + ConfigFeatureFlagTaggedTrimmingTransition)"
_HOST = "HostTransition"
_OF_ATTRIBUTE = "FunctionSplitTransition"
_OF_RULE = "FunctionPatchTransition"
_NO_TRANSITION = frozenset({EdgeKind.CONDITION, EdgeKind.PACKAGE_GROUP, EdgeKind.ASPECT})


def to_transitions(found: QueriedConfigured, level: str) -> str:
    """The text; `level` is what `--transitions` says.

    Raises `QueryError` for a level that is none, and for `full`, which lists options of
    every configuration by values that Bazel makes up as it analyses.
    """
    if level.lower() != "lite":
        message = "set the `--transitions` flag explicitly to `lite`"
        hint = None
        if level.lower() == "full":
            message = "`--transitions=full` shows values that Bazel makes up as it analyses"
            hint = "`--transitions=lite` shows the transitions without them"
        raise QueryError(Diagnostic("query-output", message, hint=hint))
    graph = found.environment.graph
    shown = {node.label for node in found.nodes}
    return "".join(line for node in found.nodes for line in _lines(graph, node, shown))


def _lines(graph: ConfiguredGraph, node: ConfiguredNode, shown: Collection[Label]) -> list[str]:
    is_rule = isinstance(graph.target(node), Rule)
    own = f"{_OF_RULE} -> " if is_rule and _has_transition(graph, node.label) else ""
    lines = [f"{own}{node.label} ({configuration_name(node)})\n"]
    # An alias has nothing of its own: Bazel takes it for its target here.
    if not is_rule or node.configuration is None or node.configuration.is_final:
        return lines
    if behind_aliases(graph, node) != node:
        return lines
    reached: dict[tuple[str, Label, str], list[str]] = {}
    for edge in graph.taken(node):
        if edge.edge.kind in _NO_TRANSITION or edge.target.configuration is None:
            continue
        if edge.target.label in shown:
            attribute = edge.edge.attribute
            if attribute.startswith("_"):
                attribute = f"${attribute[1:]}"
            key = (attribute, edge.target.label, _transition(graph, node, edge))
            reached.setdefault(key, []).append(configuration_name(edge.target))
    for (attribute, label, name), configurations in reached.items():
        lines.append(f"  {attribute}#{label}#{name} -> {', '.join(configurations)}\n")
    return lines


def _transition(graph: ConfiguredGraph, node: ConfiguredNode, edge: ConfiguredEdge) -> str:
    if edge.target.configuration is not None and edge.target.configuration.is_final:
        return _HOST
    rule = graph.target(node)
    definitions = rule.rule_class.attributes if isinstance(rule, Rule) else {}
    definition = definitions.get(edge.edge.attribute)
    names = []
    if edge.edge.is_tool:
        names.append("exec")
    elif definition is not None and definition.configured is Configured.TRANSITION:
        names.append(_OF_ATTRIBUTE)
    if _has_transition(graph, edge.target.label):
        names.append(_OF_RULE)
    if not names:
        return _TRIMMING
    before = names[0] if len(names) == 1 else f"({' + '.join(names)})"
    return f"({before} + {_TRIMMING})"


def _has_transition(graph: ConfiguredGraph, label: Label) -> bool:
    """Whether the rule behind a label has a transition of its own."""
    target = graph.graph.node(label)
    if isinstance(target, OutputFile):
        target = graph.graph.node(target.generating_rule)
    return isinstance(target, Rule) and target.rule_class.transition is not None
