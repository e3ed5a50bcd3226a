"""All that some targets come to under a configuration, as columns, kept for the next run."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.bazel.encoded_values import decode_label

Closure = dict[ConfiguredNode, tuple[ConfiguredNode, ...]]
"""What each target depends on, breadth first from those that were asked for."""

_Columns = tuple[tuple[str, ...], bytes, bytes, tuple[tuple[int, int], ...], bytes, bytes]
"""Labels; of each node the number of its label, and that of its configuration (0: it has none);
by which edge of which node each configuration is met; of node `n`, the dependencies `bounds[n]`
to `bounds[n + 1]`."""


def columns_of(
    graph: ConfiguredGraph, tops: Sequence[ConfiguredNode], closure: Closure
) -> _Columns | None:
    """Returns the columns of what `tops` come to in `graph`; None where only an aspect leads into
    a configuration."""
    numbers = {node: number for number, node in enumerate(closure)}
    texts: dict[str, int] = {}
    met: dict[Configuration, int] = {}
    ways: list[tuple[int, int]] = []
    named, configured, ends = array("I"), array("I"), array("I")
    bounds = array("I", [0])
    first_sources: dict[ConfiguredNode, ConfiguredNode | None] = dict.fromkeys(tops)
    for node, below in closure.items():
        for target in below:
            first_sources.setdefault(target, node)
        own = node.configuration
        if own is not None and own not in met:
            met[own] = len(met) + 1
            way = _way(graph, numbers, first_sources[node], node) if node in first_sources else None
            if way is None:
                return None
            ways.append(way)
        named.append(texts.setdefault(str(node.label), len(texts)))
        configured.append(met[own] if own is not None else 0)
        ends.extend([numbers[target] for target in below])
        bounds.append(len(ends))
    of_bounds, of_ends = bounds.tobytes(), ends.tobytes()
    return tuple(texts), named.tobytes(), configured.tobytes(), tuple(ways), of_bounds, of_ends


def _way(
    graph: ConfiguredGraph,
    numbers: dict[ConfiguredNode, int],
    source: ConfiguredNode | None,
    node: ConfiguredNode,
) -> tuple[int, int] | None:
    """The number of a node's source and the place of the edge that leads to it; of a target that
    was asked for, -1 and its own number; None where no edge leads to it."""
    if source is None:
        return -1, numbers[node]
    ends = [edge.target for edge in graph.edges(source)]
    return (numbers[source], ends.index(node)) if node in ends else None


def closure_from(
    graph: ConfiguredGraph, tops: Sequence[ConfiguredNode], columns: _Columns
) -> Closure:
    """Returns the closure of `tops` that was written as columns. Only the nodes at which another
    configuration begins are expanded."""
    texts, of_labels, of_configurations, ways, of_bounds, of_ends = columns
    labels = [decode_label(text) for text in texts]
    configurations: list[Configuration | None] = [None]
    nodes: list[ConfiguredNode] = []
    given = graph.nodes.given
    for named, number in zip(array("I", of_labels), array("I", of_configurations), strict=True):
        if number == len(configurations):
            source, place = ways[number - 1]
            met = tops[place] if source < 0 else graph.edges(nodes[source])[place].target
            configurations.append(met.configuration)
        nodes.append(given(labels[named], configurations[number]))
    bounds, ends = array("I", of_bounds), array("I", of_ends)
    below = [nodes[end] for end in ends]
    return {
        node: tuple(below[bounds[number] : bounds[number + 1]]) for number, node in enumerate(nodes)
    }
