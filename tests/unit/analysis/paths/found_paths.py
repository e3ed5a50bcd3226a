"""Paths of the unconfigured graph as the questions look for them."""

from __future__ import annotations

from bazelscope.analysis.conditions.formulas import Formulas
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.analysis.paths.dependence import Alternative, Dependences
from bazelscope.analysis.paths.edges_of_flags import Closures
from bazelscope.analysis.paths.path_finder import Path, PathFinder, Paths, leading_edges
from bazelscope.analysis.paths.reach import Reaches
from bazelscope.analysis.paths.routes import FREE_ROUTE, Route
from bazelscope.base.label import Label


class Found:
    """Paths between two targets; `reference` is what is in force."""

    def __init__(
        self,
        graph: TargetGraph,
        source: Label,
        target: Label,
        reference: Configuration,
        route: Route = FREE_ROUTE,
    ) -> None:
        self.conditions = ConfiguredGraph(graph, reference).conditions()
        formulas = Formulas(self.conditions)
        allowed = leading_edges(
            graph, Closures(graph, formulas, graph.arrivals(source)), source, target, route
        )
        self.reaches = Reaches(graph, formulas, allowed=allowed)
        self.finder = PathFinder(self.reaches, self.conditions, source, target, route)
        self.dependences = Dependences(self.reaches, self.conditions)

    def best(self) -> Path | None:
        return self.finder.best(self.finder.reach())

    def every(self, most: int = 10) -> Paths:
        return self.finder.every(most)

    def ways(self, path: Path) -> tuple[Alternative, ...]:
        """All ways to make a path."""
        diagrams = self.reaches.formulas.diagrams
        return self.dependences.in_words(diagrams.primes(path.formula, path.formula)[0])

    def needs(self, path: Path) -> list[list[str]]:
        """All ways to make a path, as text."""
        return [
            [word.text if word.is_so else f"not {word.text}" for word in way]
            for way in self.ways(path)
        ]
