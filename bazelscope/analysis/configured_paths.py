"""Why one target depends on another under given flags, or what stands in the way.

A path costs first the branches that are not chosen (its cuts), then the values that their
conditions miss, then the choices that cannot be told, then its length. Without a cut it is
a path of `cquery`; with cuts it is the best there would be, and they are what the flags
would have to change.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

from bazelscope.analysis.configured import (
    ConfiguredEdge,
    ConfiguredGraph,
    ConfiguredNode,
    Taken,
)
from bazelscope.analysis.matching import MatchResult, NoMatch
from bazelscope.label import Label

_Cost = tuple[int, int, int, int]
_Item = tuple[_Cost, int, ConfiguredNode, "ConfiguredNode | None", "ConfiguredEdge | None"]
_Arrivals = dict[ConfiguredNode, "tuple[ConfiguredNode | None, ConfiguredEdge | None]"]


@dataclass(frozen=True, slots=True)
class ConfiguredStep:
    """One edge of a configured path, from `source` to `edge.target`."""

    source: ConfiguredNode
    edge: ConfiguredEdge


@dataclass(frozen=True, slots=True)
class Cut:
    """A branch on a path that is not taken: `index` of its step, its condition's match
    (None: it is the default branch, and another one is taken)."""

    index: int
    step: ConfiguredStep
    match: MatchResult | None


@dataclass(frozen=True, slots=True)
class ConfiguredPath:
    """A path under a configuration; `cuts` are what stands in its way, if anything."""

    source: Label
    target: Label
    steps: tuple[ConfiguredStep, ...]
    cuts: tuple[Cut, ...] = ()

    @property
    def exists(self) -> bool:
        return not self.cuts

    @property
    def labels(self) -> tuple[Label, ...]:
        return (self.source, *(step.edge.edge.target for step in self.steps))

    @property
    def uncertain(self) -> tuple[ConfiguredStep, ...]:
        """The steps whose branch may or may not be taken."""
        return tuple(step for step in self.steps if step.edge.taken is Taken.UNKNOWN)


def find_configured_path(
    graph: ConfiguredGraph, source: Label, target: Label
) -> ConfiguredPath | None:
    """The best path under the graph's configuration, with its cuts if it is cut.

    None if not even the unconfigured graph has a path.
    """
    start = graph.top(source)
    serial = 0
    queue: list[_Item] = [((0, 0, 0, 0), 0, start, None, None)]
    arrived: _Arrivals = {}
    while queue:
        (cuts, missed, uncertain, length), _, node, parent, by = heapq.heappop(queue)
        if node in arrived:
            continue
        arrived[node] = (parent, by)
        if node.label == target:
            return _configured_path(graph, source, target, node, arrived)
        for edge in graph.edges(node):
            if edge.target in arrived:
                continue
            serial += 1
            is_cut = edge.taken is Taken.NO
            cost = (
                cuts + is_cut,
                missed + (_missed(graph, node, edge) if is_cut else 0),
                uncertain + (edge.taken is Taken.UNKNOWN),
                length + 1,
            )
            heapq.heappush(queue, (cost, serial, edge.target, node, edge))
    return None


def _missed(graph: ConfiguredGraph, node: ConfiguredNode, edge: ConfiguredEdge) -> int:
    """How many values of its condition keep a branch from being taken."""
    branch = edge.edge.branch
    if branch is None or branch.branch.is_default:
        return 1
    match = graph.conditions(node.configuration).match(branch.branch.condition)
    return len(match.diffs) if isinstance(match, NoMatch) else 1


def _configured_path(
    graph: ConfiguredGraph,
    source: Label,
    target: Label,
    end: ConfiguredNode,
    arrived: _Arrivals,
) -> ConfiguredPath:
    steps: list[ConfiguredStep] = []
    node = end
    while True:
        parent, edge = arrived[node]
        if parent is None or edge is None:
            break
        steps.append(ConfiguredStep(parent, edge))
        node = parent
    steps.reverse()
    cuts: list[Cut] = []
    for index, step in enumerate(steps):
        branch = step.edge.edge.branch
        if step.edge.taken is not Taken.NO or branch is None:
            continue
        match: MatchResult | None = None
        if not branch.branch.is_default:
            conditions = graph.conditions(step.source.configuration)
            match = conditions.match(branch.branch.condition)
        cuts.append(Cut(index, step, match))
    return ConfiguredPath(source, target, tuple(steps), tuple(cuts))
