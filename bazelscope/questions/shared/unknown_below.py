"""What below a target cannot be told, and so may hide a path from it.

Counted are targets that are unknown themselves, what packages in error lack, and rules with
an attribute that may hold labels nobody can tell. What `glob()` would find are files of the
rule's own package, which lead nowhere: that counts for a path to such a file alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bazelscope.analysis.conditions.configured_edges import ConfiguredEdge, ConfiguredNode
from bazelscope.analysis.conditions.edges import Edge
from bazelscope.analysis.paths.routes import FREE_ROUTE, Route, RoutedEdges
from bazelscope.base.graph_walk import walk
from bazelscope.base.label import Label, PackageId
from bazelscope.loading.packages.targets import Rule
from bazelscope.questions.shared.described_edges import describe_edge
from bazelscope.questions.shared.endpoint_answers import NameAnswer, UnknownBelow, UnknownDependency
from bazelscope.questions.shared.out_of_reach import OutOfReach
from bazelscope.questions.shared.target_groups import group_named, is_there, nothing_of
from bazelscope.questions.shared.target_unknowns import unknowns_of
from bazelscope.questions.shared.world import World

_SHOWN = 5

_Reached = tuple[Iterable[Label], Callable[[Label], Edge | None]]
"""What is reached and may be unknown, nearest first, and the edge that first reaches each."""


def unknown_below(
    world: World,
    start: Label,
    end: Label | None,
    route: Route = FREE_ROUTE,
    configured: bool = False,
) -> UnknownBelow | None:
    """Finds what a route from `start` reaches and nobody can tell; with `configured`, through
    branches that the flags choose. None if all is known.

    Any of it may lead to `end` (None: to a group of targets, of which none is reached); what
    certainly does not is left out.
    """
    routed = RoutedEdges(world.graph, route, start, end if end is not None else start)
    reached, edge_to = (_configured if configured else _reached)(world, start, routed)
    package = _globbed(world, end)
    unknowns = [
        (label, attribute, unknown)
        for label in reached
        if label != end
        for attribute, unknown in unknowns_of(world.loader, world.graph, label, package)
    ]
    if unknowns and end is not None:
        proof = OutOfReach(world, end)
        unknowns = [one for one in unknowns if not proof.is_proven(one[0], one[1])]
    if not unknowns:
        return None
    first = []
    for label, attribute, unknown in unknowns[:_SHOWN]:
        edge = edge_to(label)
        asks = describe_edge(world, edge, None, False) if edge is not None else None
        first.append(
            UnknownDependency(
                label,
                unknown,
                attribute,
                asks.source if asks is not None else None,
                asks.location if asks is not None else None,
            )
        )
    return UnknownBelow(len({label for label, _, _ in unknowns}), tuple(first))


def any_unknown(world: World, reached: Iterable[Label], end: Label) -> bool:
    """Whether any of what is reached cannot be told, and so may lead to `end`."""
    package = _globbed(world, end)
    return any(
        label != end and any(unknowns_of(world.loader, world.graph, label, package))
        for label in reached
    )


def _globbed(world: World, end: Label | None) -> PackageId | None:
    """The package whose unknown globs may find `end`."""
    may_be_globbed = end is not None and not isinstance(world.graph.node(end), Rule)
    return end.package_id if end is not None and may_be_globbed else None


def unknown_below_group(
    world: World, source: NameAnswer, target: NameAnswer
) -> tuple[NameAnswer, UnknownBelow | None]:
    """Finds what may hide a way to a repository or to the targets of a pattern, none of which
    is known to be reached. Returns that behind the answer for the name, worded for it."""
    group = group_named(world, target.asked)
    if group is None or source.label is None or not is_there(world, group):
        return target, None
    # A group is looked for through every branch.
    hidden = unknown_below(world, source.label, None)
    if hidden is not None and hidden.first[0].label != source.label:
        why = f"no target of `{target.asked}` is known to be below {source.label}"
        target = nothing_of(world, target.asked, group, why)
    return target, hidden


def _reached(world: World, start: Label, routed: RoutedEdges) -> _Reached:
    if routed.is_every:
        # What an earlier run has kept of the whole graph is in the order of a walk.
        graph = world.graph
        closure = graph.arrivals(start)

        def edge_to(label: Label) -> Edge | None:
            source = closure.first_source(label)
            edges = graph.edges(source) if source is not None else ()
            return next((edge for edge in edges if edge.target == label), None)

        return map(closure.label, closure.open), edge_to
    reached = {visit.node: visit.edge for visit in walk([start], routed.edges)}
    return reached, reached.get


def _configured(world: World, start: Label, routed: RoutedEdges) -> _Reached:
    graph = world.configured

    def allowed(node: ConfiguredNode) -> list[ConfiguredEdge]:
        return [edge for edge in graph.taken(node) if routed.allows(edge.edge)]

    reached: dict[Label, Edge | None] = {}
    for visit in walk([graph.top(start)], allowed):
        reached.setdefault(visit.node.label, visit.edge.edge if visit.edge else None)
    return reached, reached.get
