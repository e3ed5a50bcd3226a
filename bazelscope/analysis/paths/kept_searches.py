"""How searches of earlier runs came by each target from a start under some flags.

A search for the best path goes the same way whatever its end, and stops there: who asks for another
end that was come by needs no search, and only the targets on the path are looked at.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import Any

from bazelscope.analysis.conditions.configured_edges import ConfiguredEdge, ConfiguredNode
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.kept_findings import Asks, KeptFinding, Part
from bazelscope.base.label import Label

Step = tuple[ConfiguredNode, ConfiguredEdge]
Arrival = tuple[ConfiguredNode, ConfiguredNode | None, ConfiguredEdge | None]
"""A node, the one before it on its best path, and the edge between the two."""


class KeptSearch:
    """The searches from `start`. To be made before one begins."""

    def __init__(self, graph: ConfiguredGraph, start: Label) -> None:
        self._graph = graph
        self._start = start
        self._kept = KeptFinding(graph, "searches", [start])

    def path_to(self, end: Label) -> list[Step] | None:
        """The best path to `end`; None if no earlier search has come by it."""
        edges = self._kept.known(lambda found: _edges_to(str(end), found))
        if edges is None:
            return None
        node, steps = self._graph.top(self._start), []
        for place in edges:
            edge = self._graph.edges(node)[place]
            steps.append((node, edge))
            node = edge.target
        return steps

    def asked(self) -> Asks:
        """How much the search has asked for so far."""
        return self._kept.asked()

    def keep(self, arrivals: Iterable[Arrival], asked: Sequence[Asks]) -> None:
        """Keeps a search: where it came by, in that order, and what it had asked for each time."""
        if not self._kept.is_possible:
            return
        numbers: dict[ConfiguredNode, int] = {}
        texts, parents, places = [], array("I"), array("I")
        for node, parent, by in arrivals:
            numbers[node] = len(numbers)
            texts.append(str(node.label))
            parents.append(numbers[parent] if parent is not None else 0)
            among = self._graph.edges(parent) if parent is not None else ()
            places.append(next((n for n, edge in enumerate(among) if edge is by), 0))
        counts = [array("I", column).tobytes() for column in zip(*asked, strict=True)]
        self._kept.keep((texts, parents.tobytes(), places.tobytes(), counts))


def _edges_to(end: str, found: Any) -> Part | None:
    """The places of the edges of a path among those of their nodes."""
    texts, parents, places, counts = found
    if end not in texts:
        return None
    number = texts.index(end)
    packages, in_vain, absent = [array("I", column)[number] for column in counts]
    above, by = array("I", parents), array("I", places)
    edges: list[int] = []
    while number:
        edges.append(by[number])
        number = above[number]
    edges.reverse()
    return edges, (packages, in_vain, absent)
