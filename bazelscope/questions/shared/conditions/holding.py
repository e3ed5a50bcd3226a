"""What has a condition hold that does not: words to add to the command line, each tried."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from bazelscope.analysis.conditions.diagrams import FALSE, TooLargeError
from bazelscope.analysis.conditions.match_result import Outcome
from bazelscope.analysis.paths.dependence import Alternative
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.questions.shared.conditions.condition_finder import ConditionFinder
from bazelscope.questions.shared.conditions.flag_trials import FlagTrials
from bazelscope.questions.shared.world import World

_MOST_WAYS = 3
_MOST_TRIED = 12


@dataclass(frozen=True, slots=True)
class WordsThatDo:
    """Words to add to the command line; with them it was tried. `location` is the line of the
    config among them that decides it."""

    words: tuple[str, ...]
    location: Location | None = None


def ways_to_hold(world: World, label: Label) -> tuple[tuple[WordsThatDo, ...], bool]:
    """Returns what has a condition hold, configs first, and whether any flags can, as far as that
    can be told."""
    finder = ConditionFinder(world, free=True)
    formulas = finder.reach.formulas
    try:
        cases = formulas.of_condition(label).cases
        diagrams = formulas.diagrams
        formula = diagrams.any(diagrams.both(case.guard, case.holds) for case in cases)
    except TooLargeError:
        return (), True
    trials = finder.trials
    ways: dict[tuple[str, ...], WordsThatDo] = {}
    for way in islice(_candidates(trials, finder.edges.ways(formula)), _MOST_TRIED):
        if len(ways) == _MOST_WAYS:
            break
        if way.words not in ways and _holds_with(trials, way.words, label):
            ways[way.words] = way
    return tuple(ways.values()), formula != FALSE


def _candidates(trials: FlagTrials, alternatives: Sequence[Alternative]) -> Iterator[WordsThatDo]:
    """Words that may have a condition hold: one config, or the flags themselves."""
    for alternative in alternatives:
        for config in trials.configs(alternative):
            yield WordsThatDo((f"--config={config.config}",), config.location)
    for alternative in alternatives:
        for words in islice(trials.lines(alternative), _MOST_WAYS):
            if words:
                yield WordsThatDo(words)


def _holds_with(trials: FlagTrials, words: tuple[str, ...], label: Label) -> bool:
    return trials.graph(words).conditions().match(label).outcome is Outcome.HOLDS
