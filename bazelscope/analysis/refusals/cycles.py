"""Targets that depend on themselves, with their steps. Bazel: `CycleReporter`."""

from __future__ import annotations

from collections.abc import Sequence

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.conditions.edges import EdgeKind
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.refusals.refusal import Refusal, RefusalCause, RefusalKind
from bazelscope.base.label import Label


def cycle_refusal(graph: ConfiguredGraph, nodes: Sequence[ConfiguredNode]) -> Refusal | None:
    """The refusal of a cycle: each of `nodes` depends on the next, the last on the first. It is
    told of the first in the order of labels, whichever the walk came to. None where a step rests
    on an attribute of an unknown rule alone: a string there may be no label at all."""
    least = min(range(len(nodes)), key=lambda index: nodes[index].label)
    around = [*nodes[least:], *nodes[:least]]
    causes = []
    for node, following in zip(around, [*around[1:], around[0]], strict=True):
        steps = [edge.edge for edge in graph.built(node) if edge.target is following]
        if steps and all(step.kind is EdgeKind.ASSUMED for step in steps):
            return None
        step = steps[0] if steps else None
        attribute = f" ({step.attribute})" if step is not None and step.attribute else ""
        place = graph.graph.location(node.label)
        causes.append(RefusalCause(f"{node.label} depends on {following.label}{attribute}", place))
    labels = [node.label for node in around]
    return told_cycle(labels, "", tuple(causes), "remove one of these dependencies")


def told_cycle(
    around: Sequence[Label], attribute: str, causes: tuple[RefusalCause, ...], remedy: str
) -> Refusal:
    """The refusal of the first of some targets, each of which depends on the next, and the last on
    the first; `causes` say so of each."""
    message = f"cycle in dependency graph: {' -> '.join(map(str, (*around, around[0])))}"
    place = causes[0].location
    return Refusal(RefusalKind.CYCLE, message, around[0], attribute, place, causes, remedy)
