"""Flags that make a path, tried before they are told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from bazelscope.analysis.conditions.configured_edges import Taken
from bazelscope.analysis.paths.configured_paths import follow
from bazelscope.analysis.paths.dependence import Alternative
from bazelscope.analysis.paths.path_finder import Path
from bazelscope.bazel.encoded_values import decode_label
from bazelscope.questions.path.answer import PathFlags, Tried
from bazelscope.questions.shared.conditions.condition_finder import ConditionFinder
from bazelscope.questions.shared.conditions.flag_trials import FlagTrials

_MOST_TRIED = 24
_TRIED = {Taken.YES: Tried.CONFIRMED, Taken.UNKNOWN: Tried.UNCERTAIN, Taken.NO: Tried.REFUTED}


def flags_for(finder: ConditionFinder, path: Path, ways: Sequence[Alternative]) -> PathFlags:
    """Returns the flags that make `path`, of which `ways` are all ways to make it, those with
    the fewest changes first."""
    graph, trials = finder.world.graph, finder.trials
    lines = _lines(trials, ways)
    if not lines:
        # What other targets ask for may serve as another value.
        for label in graph.deps([path.start.label]):
            for keys in graph.select_keys(label):
                for text in keys:
                    finder.dependences.formulas.of_condition(decode_label(text))
        lines = _lines(trials, ways)
    if not lines:
        nearest = ways[0] if ways else ()
        unmet = trials.unmet(nearest)
        met = tuple(word for word in nearest if word.asked not in unmet)
        words = next(trials.lines(met), ())
        return PathFlags(words, unmet=finder.in_words.needs(unmet))
    tried: dict[Taken, tuple[str, ...]] = {}
    for words in lines:
        tried.setdefault(follow(trials.graph(words), path.labels), words)
        if Taken.YES in tried:
            break
    best = next(taken for taken in (Taken.YES, Taken.UNKNOWN, Taken.NO) if taken in tried)
    sources = {}
    for way in ways:
        for source in trials.configs(way):
            if source.config not in sources:
                taken = follow(trials.graph((f"--config={source.config}",)), path.labels)
                sources[source.config] = source if taken is Taken.YES else None
    configs = tuple(source for source in sources.values() if source is not None)
    return PathFlags(tried[best], _TRIED[best], configs)


def _lines(trials: FlagTrials, ways: Iterable[Alternative]) -> list[tuple[str, ...]]:
    every = (words for way in ways for words in trials.lines(way))
    return list(dict.fromkeys(islice(every, _MOST_TRIED)))
