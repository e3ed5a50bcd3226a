"""What all paths between two nodes share, and the fewest edges that part them, by networkx."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeVar

N = TypeVar("N", bound=Hashable)
Pair = tuple[N, N]

_MOST_EDGES = 30_000
"""Edges between which a minimum cut is sought in a moment."""


def shared_by_all_paths(edges: Iterable[Pair[N]], start: N, end: N) -> tuple[Pair[N], ...]:
    """Returns the edges that every path from `start` to `end` takes, in their order.

    `edges` are those that lie on some path. They are the dominators of the end, each edge made
    a node of its own.
    """
    import networkx

    graph: networkx.DiGraph[object] = networkx.DiGraph()
    graph.add_node((start,))
    for source, target in edges:
        graph.add_edge((source,), (source, target))
        graph.add_edge((source, target), (target,))
    if (end,) not in graph or start == end:
        return ()
    above = networkx.immediate_dominators(graph, (start,))
    shared: list[Pair[N]] = []
    node: object = (end,)
    while node != (start,):
        if isinstance(node, tuple) and len(node) == 2:
            shared.append(node)
        node = above[node]
    return tuple(reversed(shared))


def minimum_cut(edges: Iterable[Pair[N]], start: N, end: N) -> tuple[Pair[N], ...] | None:
    """Returns the fewest edges without which `start` does not lead to `end`, those nearest to
    the end where there is a choice; None where there are too many edges to tell."""
    import networkx

    graph: networkx.DiGraph[N] = networkx.DiGraph()
    graph.add_edges_from(edges, capacity=1)
    if graph.number_of_edges() > _MOST_EDGES:
        return None
    if start not in graph or end not in graph or start == end:
        return ()
    # Turned round, the side of the cut that is found is the one of the end.
    _, (near_end, _) = networkx.minimum_cut(graph.reverse(copy=False), end, start)
    return tuple([(s, t) for s, t in graph.edges if t in near_end and s not in near_end])
