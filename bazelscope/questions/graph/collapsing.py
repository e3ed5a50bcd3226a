"""A graph with packages or repositories in the place of their targets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from bazelscope.analysis.conditions.edges import Edge
from bazelscope.base.label import Label, at_sign
from bazelscope.base.source import Location
from bazelscope.questions.graph.answer import Collapse, GraphAnswer, GroupAnswer, GroupLink
from bazelscope.questions.shared.described_edges import describe_edge
from bazelscope.questions.shared.world import World

_EXAMPLES = 3


def collapsed(
    world: World,
    answer: GraphAnswer,
    labels: Sequence[Label],
    edges: Iterable[Edge],
    is_conditional: Callable[[Edge], bool],
    max_nodes: int,
) -> GraphAnswer:
    """`answer` with groups of `labels`, the most important first, and links for `edges`.

    The groups of the first labels are kept where there are more than `max_nodes`; edges
    within a group are not drawn.
    """
    collapse = answer.collapse
    members: dict[str, list[Label]] = {}
    for label in labels:
        members.setdefault(group_of(label, collapse), []).append(label)
    kept = dict(list(members.items())[:max_nodes])
    ends = {answer.source.label, answer.target.label if answer.target else None}
    groups = tuple(
        GroupAnswer(
            name,
            targets[0].repository,
            len(targets),
            _place(world, targets[0], collapse),
            any(label in ends for label in targets),
        )
        for name, targets in sorted(kept.items())
    )
    return replace(
        answer,
        groups=groups,
        links=tuple(_links(world, edges, is_conditional, kept)),
        hidden_nodes=len(members) - len(kept),
    )


def group_of(label: Label, collapse: Collapse) -> str:
    """The name of the package or repository of a target, as a graph shows it."""
    repository = at_sign(label.repository) if label.repository else ""
    if collapse is Collapse.REPOSITORY:
        return repository or "the workspace"
    return f"{repository}//{label.package}"


def _links(
    world: World,
    edges: Iterable[Edge],
    is_conditional: Callable[[Edge], bool],
    kept: dict[str, list[Label]],
) -> Iterable[GroupLink]:
    names = {label: name for name, labels in kept.items() for label in labels}
    between: dict[tuple[str, str], list[Edge]] = {}
    for edge in edges:
        source, target = names.get(edge.source), names.get(edge.target)
        if source is not None and target is not None and source != target:
            between.setdefault((source, target), []).append(edge)
    for (source, target), group in sorted(between.items()):
        first = sorted(group, key=lambda edge: (edge.source, edge.target, edge.attribute))
        yield GroupLink(
            source,
            target,
            len(group),
            sum(map(is_conditional, group)),
            sum(edge.is_tool for edge in group),
            tuple(describe_edge(world, edge, None, False) for edge in first[:_EXAMPLES]),
        )


def _place(world: World, label: Label, collapse: Collapse) -> Location | None:
    if label.repository and collapse is Collapse.REPOSITORY:
        repository = world.loader.repository(label.repository)
        definition = repository.definition if repository is not None else None
        return definition.location if definition is not None else None
    target = world.graph.node(label)
    return getattr(target, "location", None)
