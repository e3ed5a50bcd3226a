"""The fewest words on the command line that make a condition so, each tried before it is told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from itertools import islice

from bazelscope.analysis.conditions.atoms import in_force
from bazelscope.analysis.conditions.configured_edges import Taken
from bazelscope.analysis.conditions.diagrams import FALSE, TRUE
from bazelscope.analysis.conditions.formula_variables import Atoms
from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.paths.configured_paths import follow
from bazelscope.analysis.paths.dependence import Alternative
from bazelscope.analysis.paths.shortest_steps import shortest_steps
from bazelscope.analysis.paths.witnesses import Witnesses
from bazelscope.base.graph_walk import distances
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Unknown
from bazelscope.questions.shared.conditions.flag_conditions import AddedWords, Now
from bazelscope.questions.shared.conditions.flag_trials import FlagTrials
from bazelscope.questions.shared.conditions.graph_reach import GraphReach
from bazelscope.questions.shared.conditions.loaded_sets import LoadedSets

_MOST_VALUES = 2
_MOST_TRIED = 24
"""Command lines that are tried before none is told."""

IsReached = bool | None
"""Whether one of the targets that are wanted has to be reached in the configured graph, or must
not be; None: it is not asked."""


def holds_now(atoms: Atoms, formula: int, refused: int, conditions: Conditions) -> Now:
    """Whether a formula holds under a configuration."""
    if atoms.in_force(refused, conditions) == TRUE:
        return Now.REFUSED
    result = atoms.in_force(formula, conditions)
    return {TRUE: Now.YES, FALSE: Now.NO}.get(result, Now.UNKNOWN)


@dataclass(frozen=True, slots=True)
class LineFinder:
    """Tries command lines, by `trials`, in the packages of the line and those that were `loaded`
    for other flags: of each set its graph, and where Bazel refuses it."""

    trials: FlagTrials
    loaded: LoadedSets | None
    atoms: Atoms
    graphs: Sequence[GraphReach]
    refused: Sequence[int]
    _may_reach: dict[tuple[tuple[str, ...], int], bool] = field(default_factory=dict)
    """By words and the number of their graph; several ways often lead to the same words."""

    def line(
        self,
        alternatives: Iterable[Alternative],
        formulas: Sequence[int],
        is_reached: IsReached = None,
    ) -> AddedWords | None:
        """The fewest words under which the one of `formulas` of the graph that they load holds, and
        one of its targets is reached, or none is, if that is said."""
        return self._first(self._candidates(alternatives), formulas, is_reached)

    def line_of(
        self, alternative: Alternative, formulas: Sequence[int], is_reached: IsReached = None
    ) -> AddedWords | None:
        """The fewest words to add so that one alternative holds, each word of it."""
        is_now = not any(True for _ in self.trials.open_words(alternative))
        candidates = [()] if is_now else self._candidates((alternative,))
        return self._first(candidates, formulas, is_reached, alternative)

    def _first(
        self,
        candidates: Iterable[tuple[str, ...]],
        formulas: Sequence[int],
        is_reached: IsReached,
        alternative: Alternative = (),
    ) -> AddedWords | None:
        for words in islice(dict.fromkeys(candidates), _MOST_TRIED):
            if self._is_so(words, formulas, is_reached, alternative):
                return AddedWords(words)
        return None

    def _is_so(
        self,
        words: tuple[str, ...],
        formulas: Sequence[int],
        is_reached: IsReached,
        alternative: Alternative,
    ) -> bool:
        number = 0 if self.loaded is None else self.loaded.number_of(words)
        if number is None:
            return False
        there = self.graphs[number]
        graph = self.trials.graph(words, world=there.world)
        conditions = graph.conditions()
        for asked, is_so in alternative:
            if isinstance(asked, Unknown) or in_force(asked, conditions).holds != is_so:
                return False
        if holds_now(self.atoms, formulas[number], self.refused[number], conditions) is not Now.YES:
            return False
        if is_reached is None:
            return True
        if is_reached:
            return self._is_taken(there, graph)
        may_be = self._may_reach.get((words, number))
        if may_be is None:
            may_be = self._may_reach[words, number] = self._may_be(there, graph)
        return not may_be

    def _is_taken(self, there: GraphReach, graph: ConfiguredGraph) -> bool:
        """Whether the configured graph has a path to one of the targets that are wanted."""
        witnesses = Witnesses(self.atoms, graph.conditions())
        start = there.reaches.start(there.start)
        steps = shortest_steps(there.reaches, start, there.wanted, witnesses.taken({}))
        if steps is None:
            return False
        labels = (start.label, *(step.target.label for step in steps))
        return follow(graph, labels) is Taken.YES

    def _may_be(self, there: GraphReach, graph: ConfiguredGraph) -> bool:
        """Whether the configured graph may have such a path."""
        counts, wanted = there.reaches.counts, set(there.wanted)
        below = distances(
            [graph.top(there.start)],
            lambda node: [one.target for one in graph.taken_among(node, counts)],
        )
        return any(node.label in wanted for node in below)

    def _candidates(self, alternatives: Iterable[Alternative]) -> Iterator[tuple[str, ...]]:
        """Words that may make an alternative so: a config that does, one with what it does not
        say, or the flags themselves."""
        ways = tuple(alternatives)
        for alternative in ways:
            if all(word.is_so for word in alternative):
                for source in self.trials.configs(alternative):
                    yield (f"--config={source.config}",)
        for alternative in ways:
            against = tuple(word for word in alternative if not word.is_so)
            for source in self.trials.configs(alternative) if against else ():
                for words in islice(self.trials.lines(against), _MOST_VALUES):
                    yield (f"--config={source.config}", *words)
            yield from self.trials.lines(alternative)
