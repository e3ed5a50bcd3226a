"""What lies between two targets, or below one: the answer to `graph`."""

from __future__ import annotations

from collections.abc import Iterable

from bazelscope.analysis.edges import Edge, EdgeKind
from bazelscope.explain.completeness import how_complete
from bazelscope.explain.describe import describe_node
from bazelscope.explain.endpoints import labels_of, which_target, which_targets
from bazelscope.explain.explanation import Setup
from bazelscope.explain.nodes import BranchAnswer, EdgeAnswer, NodeAnswer
from bazelscope.explain.path_answers import GraphAnswer, NameAnswer, PathOutcome
from bazelscope.explain.world import World
from bazelscope.label import Label
from bazelscope.loading.targets import Rule


def graph_between(
    world: World,
    setup: Setup,
    source: str,
    target: str | None,
    configured: bool,
    max_nodes: int,
) -> GraphAnswer:
    """The targets and edges on the paths from `source` to `target`, or all that `source`
    depends on. Of more than `max_nodes` targets those on the shortest paths are kept."""
    if target is None:
        start = which_target(world, source)
        if start.label is None:
            outcome = PathOutcome.NAME_AMBIGUOUS if start.candidates else PathOutcome.NAME_UNKNOWN
            completeness = how_complete(world.loader, labels_of(source))
            return GraphAnswer(setup, start, None, outcome, configured, completeness=completeness)
        leaving = _below(world, start.label, configured)
        distances = {label: distance for label, (distance, _) in leaving.items()}
        return _answer(world, setup, start, None, configured, leaving, distances, max_nodes)
    ends, start, end, outcome = which_targets(world, source, target)
    if ends is None:
        completeness = how_complete(world.loader, labels_of(source, target))
        return GraphAnswer(setup, start, end, outcome, configured, completeness=completeness)
    leaving = _below(world, ends.start, configured, conditions=True)
    distances = _between(leaving, ends.end)
    if ends.end not in leaving:
        return GraphAnswer(
            setup, start, end, PathOutcome.NO_PATH, configured,
            completeness=how_complete(world.loader, [ends.start, ends.end]),
        )  # fmt: skip
    return _answer(world, setup, start, end, configured, leaving, distances, max_nodes)


_Leaving = dict[Label, tuple[int, tuple[Edge, ...]]]
"""For each target that the start reaches: its distance, and the edges that leave it."""


def _below(world: World, start: Label, configured: bool, conditions: bool = False) -> _Leaving:
    leaving: _Leaving = {}
    if configured:
        graph = world.configured
        edges: dict[Label, dict[Edge, None]] = {}
        distances: dict[Label, int] = {}
        for node, distance in graph.deps([start]).items():
            distances.setdefault(node.label, distance)
            found = edges.setdefault(node.label, {})
            found.update((taken.edge, None) for taken in graph.shown(node))
        leaving = {label: (distances[label], tuple(edges[label])) for label in distances}
    else:
        reached = world.graph.deps([start])
        leaving = {label: (reached[label], world.graph.edges(label)) for label in reached}
    if conditions:
        return leaving
    kept = {
        label: (distance, tuple(e for e in found if e.kind is not EdgeKind.CONDITION))
        for label, (distance, found) in leaving.items()
    }
    wanted = {start} | {edge.target for _, found in kept.values() for edge in found}
    return {label: entry for label, entry in kept.items() if label in wanted}


def _between(leaving: _Leaving, end: Label) -> dict[Label, int]:
    """The targets on a path to `end`, each with the length of the shortest path over it."""
    arriving: dict[Label, list[Label]] = {}
    for label, (_, edges) in leaving.items():
        for edge in edges:
            arriving.setdefault(edge.target, []).append(label)
    back = {end: 0}
    frontier = [end]
    while frontier:
        following = []
        for label in frontier:
            for source in arriving.get(label, ()):
                if source not in back:
                    back[source] = back[label] + 1
                    following.append(source)
        frontier = following
    return {label: leaving[label][0] + length for label, length in back.items() if label in leaving}


def _answer(
    world: World,
    setup: Setup,
    start: NameAnswer,
    end: NameAnswer | None,
    configured: bool,
    leaving: _Leaving,
    lengths: dict[Label, int],
    max_nodes: int,
) -> GraphAnswer:
    ranked = sorted(lengths, key=lambda label: (lengths[label], leaving[label][0], label))
    kept = set(ranked[:max_nodes])
    edges = {
        (edge.target, edge.attribute, edge.kind, _condition(edge), edge.source): edge
        for label in kept
        for edge in leaving[label][1]
        if edge.target in kept
    }
    answers = [_edge(world, edge) for edge in edges.values()]
    return GraphAnswer(
        setup=setup,
        source=start,
        target=end,
        outcome=PathOutcome.FOUND,
        configured=configured,
        nodes=tuple(_nodes(world, sorted(kept))),
        edges=tuple(sorted(answers, key=_edge_order)),
        hidden_nodes=len(ranked) - len(kept),
        completeness=how_complete(world.loader, sorted(kept)),
    )


def _condition(edge: Edge) -> Label | None:
    return edge.branch.branch.condition if edge.branch else None


def _edge_order(edge: EdgeAnswer) -> tuple[Label, Label, str, str]:
    condition = str(edge.branch.condition) if edge.branch else ""
    return (edge.source, edge.target, edge.attribute, condition)


def _nodes(world: World, labels: Iterable[Label]) -> Iterable[NodeAnswer]:
    for label in labels:
        yield describe_node(label, world.graph.node(label), world.loader.package(label.package_id))


def _edge(world: World, edge: Edge) -> EdgeAnswer:
    rule = world.graph.node(edge.source)
    branch = None
    if edge.branch is not None:
        stack = edge.branch.selector.call_stack
        branch = BranchAnswer(
            edge.branch.branch.condition,
            edge.branch.branch.is_default,
            stack[-1].location if stack else None,
        )
    return EdgeAnswer(
        source=edge.source,
        target=edge.target,
        attribute=edge.attribute,
        kind=edge.kind.value,
        location=rule.location if isinstance(rule, Rule) else None,
        branch=branch,
        is_tool=edge.is_tool,
    )
