"""A graph with packages or repositories in the place of their targets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from bazelscope.base.label import Label, at_sign
from bazelscope.base.source import Location
from bazelscope.questions.graph.answer import Collapse, GraphAnswer, GroupAnswer, GroupLink
from bazelscope.questions.shared.nodes import EdgeAnswer
from bazelscope.questions.shared.world import World

_EXAMPLES = 3


def collapsed(
    world: World,
    answer: GraphAnswer,
    labels: Sequence[Label],
    edges: Iterable[EdgeAnswer],
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
        links=tuple(_links(edges, collapse, kept)),
        hidden_nodes=len(members) - len(kept),
    )


def group_of(label: Label, collapse: Collapse) -> str:
    """The name of the package or repository of a target, as a graph shows it."""
    repository = at_sign(label.repository) if label.repository else ""
    if collapse is Collapse.REPOSITORY:
        return repository or "the workspace"
    return f"{repository}//{label.package}"


def _links(
    edges: Iterable[EdgeAnswer], collapse: Collapse, kept: dict[str, list[Label]]
) -> Iterable[GroupLink]:
    between: dict[tuple[str, str], list[EdgeAnswer]] = {}
    for edge in edges:
        ends = (group_of(edge.source, collapse), group_of(edge.target, collapse))
        if ends[0] != ends[1] and ends[0] in kept and ends[1] in kept:
            between.setdefault(ends, []).append(edge)
    for (source, target), group in sorted(between.items()):
        first = sorted(group, key=lambda edge: (edge.source, edge.target, edge.attribute))
        yield GroupLink(
            source,
            target,
            len(group),
            sum(edge.branch is not None for edge in group),
            sum(edge.is_tool for edge in group),
            tuple(first[:_EXAMPLES]),
        )


def _place(world: World, label: Label, collapse: Collapse) -> Location | None:
    if label.repository and collapse is Collapse.REPOSITORY:
        repository = world.loader.repository(label.repository)
        definition = repository.definition if repository is not None else None
        return definition.location if definition is not None else None
    target = world.graph.node(label)
    return getattr(target, "location", None)
