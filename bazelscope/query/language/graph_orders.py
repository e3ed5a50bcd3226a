"""The orders in which Bazel lists and ranks the results of a query.

Bazel: `Digraph.getTopologicalOrder`, `MinrankOutputFormatter`, `MaxrankOutputFormatter`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, TypeVar

from bazelscope.base.graph_walk import distances, post_order

N = TypeVar("N", bound=Hashable)

Successors = Mapping[N, Sequence[N]]
SortKey = Callable[[N], Any]


def full_order(successors: Successors[N], key: SortKey[N]) -> list[N]:
    """Every node before what it depends on, where there is no cycle.

    A depth-first walk from each node in alphabetical order, that takes successors in
    alphabetical order, too; its post-order reversed.
    """
    starts = sorted(successors, key=key)
    return post_order(starts, lambda node: sorted(successors[node], key=key))[::-1]


def dependency_order(successors: Successors[N]) -> list[N]:
    """Every node before what it depends on; where that leaves a choice, as they were found."""
    position = {node: -index for index, node in enumerate(successors)}
    return full_order(successors, position.__getitem__)


def minimal_ranks(successors: Successors[N], key: SortKey[N]) -> list[tuple[int, N]]:
    """The length of the shortest way from a root to each node, least first; a cycle counts as
    one node."""
    component = strong_components(successors)
    outgoing = _between(successors, component)
    reached = {target for targets in outgoing.values() for target in targets}
    roots = [number for number in outgoing if number not in reached]
    ranks = distances(roots, outgoing.__getitem__)
    pairs = [(ranks[component[node]], node) for node in successors]
    return sorted(pairs, key=lambda pair: (pair[0], key(pair[1])))


def _between(successors: Successors[N], component: Mapping[N, int]) -> dict[int, set[int]]:
    """Which components the members of each one lead to."""
    outgoing: dict[int, set[int]] = {}
    for node, targets in successors.items():
        own = outgoing.setdefault(component[node], set())
        own.update(component[target] for target in targets if component[target] != component[node])
    return outgoing


def maximal_ranks(successors: Successors[N], key: SortKey[N]) -> list[tuple[int, N]]:
    """The length of the longest way from a root to each node; a cycle counts as one node."""
    component = strong_components(successors)
    ranks: dict[int, int] = {}
    # Components come in reverse topological order: what depends on others has a higher number.
    outgoing = _between(successors, component)
    for number in sorted(outgoing, reverse=True):
        rank = ranks.setdefault(number, 0)
        for target in outgoing[number]:
            ranks[target] = max(ranks.get(target, 0), rank + 1)
    pairs = [(ranks[component[node]], node) for node in successors]
    return sorted(pairs, key=lambda pair: (pair[0], key(pair[1])))


def strong_components(successors: Successors[N]) -> dict[N, int]:
    """Numbers each node's strongly connected component; successors have lower ones."""
    import networkx

    graph: networkx.DiGraph[N] = networkx.DiGraph()
    graph.add_nodes_from(successors)
    graph.add_edges_from((node, target) for node in successors for target in successors[node])
    # In reverse topological order, as Tarjan's algorithm finds them.
    components = networkx.strongly_connected_components(graph)
    return {node: number for number, members in enumerate(components) for node in members}
