"""What depends on targets over paths that some flags take: what `rdeps` without flags tells."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace

from bazelscope.analysis.conditions.diagrams import TooLargeError
from bazelscope.analysis.conditions.edges import Edge
from bazelscope.analysis.graph.reverse_edges import all_arrivals
from bazelscope.analysis.paths.edges_of_flags import Closures
from bazelscope.analysis.paths.passable import Passable, passable
from bazelscope.analysis.paths.reach import State
from bazelscope.analysis.paths.transition_scopes import TOP
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Unknown
from bazelscope.questions.shared.conditions.condition_finder import ConditionFinder
from bazelscope.questions.shared.conditions.edge_words import EdgeWords
from bazelscope.questions.shared.nodes import EdgeAnswer
from bazelscope.questions.shared.world import World


@dataclass(frozen=True, slots=True)
class PossibleArrivals:
    """Who depends on `ends` under some flags: `arriving` has the edges to each target. `ways` is
    None where there are too many cases; `above` is everything that edges lead from."""

    ends: list[Label]
    arriving: Mapping[Label, list[Edge]]
    words: EdgeWords
    ways: Passable | None
    above: frozenset[Label]

    @property
    def never(self) -> tuple[Label, ...] | None:
        """What edges lead from to the ends that no flags take together."""
        if self.ways is None:
            return None
        return tuple(sorted(self.above.difference(self.ways.scopes, self.ends)))

    def described(self, edge: Edge, uncertain: Unknown | None, with_term: bool) -> EdgeAnswer:
        """An edge with what flags have to be for it."""
        if self.ways is None:
            return self.words.described(edge, uncertain, with_term)
        scope = self.ways.scopes.get(edge.source, TOP)
        answer = self.words.described(edge, uncertain, with_term, scope)
        needed = self.ways.named.get((edge.source, edge.target))
        return answer if needed is None else replace(answer, needs=self.words.needs(needed))


def possible_arrivals(
    world: World, start: Label | None, choose: Callable[[Closures], Iterable[Label]]
) -> PossibleArrivals:
    """Who depends on the targets that are chosen of all that `start`, or the workspace's own
    targets, depend on, over paths that some flags take."""
    graph = world.graph
    if start is None:
        closures = Closures(graph, world.formulas(), all_arrivals(graph, world.loader))
    else:
        closures = world.closures(start)
    ends = sorted(choose(closures))
    leading = closures.leading(ends)
    above = leading.labels
    finder = ConditionFinder(world, free=True, allowed=leading, as_query=True)
    starts = [label for label in above if not label.repository] if start is None else [start]
    ways: Passable | None = None
    edges: Mapping[Label, Collection[Edge]]
    try:
        ways = passable(finder.reaches, sorted(starts), ends)
    except TooLargeError:
        edges = {label: finder.reaches.edges(State(label, TOP)) for label in sorted(above)}
    else:
        edges = {label: ways.edges(label) for label in ways.scopes}
    arriving: dict[Label, list[Edge]] = {}
    for own in edges.values():
        for edge in own:
            arriving.setdefault(edge.target, []).append(edge)
    return PossibleArrivals(ends, arriving, finder.edges, ways, above)
