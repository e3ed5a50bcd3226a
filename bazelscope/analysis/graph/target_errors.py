"""What Bazel's analysis refuses about one configured target; everything else stands.

Only what selects, conditions and transitions decide: what a rule's implementation would
refuse is not known. Bazel: `ConfiguredAttributeMapper`, `ConfigConditions`,
`RuleContext.Builder`.
"""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.analysis.conditions.condition_visibility import condition_is_visible
from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.conditions.edges import EdgeKind
from bazelscope.analysis.conditions.select_choice import (
    Ambiguous,
    Chosen,
    NoBranch,
    SelectResult,
    UnknownChoice,
)
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.toolchain_resolution import missing_toolchains
from bazelscope.base.errors import Diagnostic, Note
from bazelscope.base.source import Location, Span
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.packages.targets import NoSuchPackage, NoSuchTarget, Rule


def errors_of(graph: ConfiguredGraph, node: ConfiguredNode) -> tuple[Diagnostic, ...]:
    """The errors of the target itself, in the order of its attributes; none of what it
    depends on. A condition that cannot be told is no error."""
    target = graph.target(node)
    if not isinstance(target, Rule) or node.configuration is None:
        return ()
    found = [
        *_select_errors(graph, node, target),
        *_visibility_errors(graph, node, target),
        *_edge_errors(graph, node),
        *_toolchain_errors(graph, node, target),
    ]
    return tuple(dict.fromkeys(found))


def _select_errors(
    graph: ConfiguredGraph, node: ConfiguredNode, rule: Rule
) -> Iterator[Diagnostic]:
    for select in graph.selects(node.label, node.configuration):
        result = select.result
        where = Note(f"in attribute `{select.attribute}` of {node.label}", _span(rule.location))
        conditions = graph.conditions(node.configuration)
        refused = conditions.constraint_without_toolchains(rule, select.selector)
        if refused is not None:
            message = f"`{refused}` is no condition for a {rule.rule_class.name}"
            yield Diagnostic("invalid-condition", message, notes=(where,))
        elif isinstance(result, Ambiguous | NoBranch):
            yield result.diagnostic.with_note(where)
        elif isinstance(result, UnknownChoice):
            for unknown in result.unknowns:
                if unknown.reason is Reason.FAILED:
                    yield _of_unknown("invalid-condition", unknown).with_note(where)
        elif _is_missing(rule, select.attribute, result):
            message = f"the mandatory attribute `{select.attribute}` is None in the branch taken"
            stack = select.selector.call_stack
            yield Diagnostic("missing-attribute", message, notes=(where,)).with_call_stack(stack)


def _is_missing(rule: Rule, attribute: str, result: SelectResult) -> bool:
    definition = rule.rule_class.attributes.get(attribute)
    is_none = isinstance(result, Chosen) and result.branch.value is None
    return is_none and definition is not None and definition.mandatory


def _visibility_errors(
    graph: ConfiguredGraph, node: ConfiguredNode, rule: Rule
) -> Iterator[Diagnostic]:
    for edge in graph.graph.edges(node.label):
        if edge.kind is EdgeKind.CONDITION:
            source = graph.graph.source
            condition = source.target(edge.target)
            if isinstance(condition, Rule) and not condition_is_visible(
                # Flags that say who sees what are no part of a tool's configuration.
                source,
                graph.configuration,
                condition,
                node.label.package_id,
            ):
                yield Diagnostic(
                    "condition-not-visible",
                    f"`{edge.target}` is not visible from `{node.label}`",
                    _span(rule.location),
                    (Note("it is declared here", _span(condition.location)),),
                    hint=f"give it a `visibility` that lets {node.label.package_id} in",
                )


def _edge_errors(graph: ConfiguredGraph, node: ConfiguredNode) -> Iterator[Diagnostic]:
    for edge in graph.taken(node):
        if edge.unknown is not None and edge.unknown.reason is Reason.FAILED:
            yield _of_unknown("transition-failed", edge.unknown)
        target = graph.target(edge.target)
        if isinstance(target, NoSuchPackage | NoSuchTarget) and edge.edge.kind in _DEPENDENCIES:
            yield Diagnostic("no-such-target", target.message)


def _toolchain_errors(
    graph: ConfiguredGraph, node: ConfiguredNode, rule: Rule
) -> Iterator[Diagnostic]:
    for wanted in missing_toolchains(graph.toolchains(node)):
        message = f"{node.label}: no registered toolchain of the type `{wanted}` suits"
        yield Diagnostic("no-matching-toolchain", message, _span(rule.location))


_DEPENDENCIES = frozenset({EdgeKind.ATTRIBUTE, EdgeKind.GENERATED_BY})


def _of_unknown(code: str, unknown: Unknown) -> Diagnostic:
    return Diagnostic(code, f"{unknown.subject}: {unknown.detail}", _span(unknown.location))


def _span(location: Location | None) -> Span | None:
    if location is None:
        return None
    path, line, column = location
    return Span(path, line, column, line, column)
