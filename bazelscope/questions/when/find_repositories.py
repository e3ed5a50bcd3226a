"""Under which flags a target depends on each external repository: `when TARGET --repositories`."""

from __future__ import annotations

from dataclasses import replace

from bazelscope.analysis.conditions.diagrams import TooLargeError
from bazelscope.questions.shared.completeness import how_complete
from bazelscope.questions.shared.condition_finder import ConditionFinder
from bazelscope.questions.shared.endpoints import labels_of, which_target
from bazelscope.questions.shared.envelope import Envelope
from bazelscope.questions.shared.flag_conditions import TOO_MANY, FlagCondition, Verdict
from bazelscope.questions.shared.missing_dependencies import missing_below
from bazelscope.questions.shared.world import ResolveWords, World
from bazelscope.questions.when.answer import RepositoryConditionsAnswer, RepositoryGroup
from bazelscope.questions.when.find import LoadSets, other_packages

_Groups = list[tuple[tuple[str, ...], FlagCondition]]


def when_repositories(
    world: World,
    envelope: Envelope,
    name: str,
    words: tuple[str, ...],
    resolve_words: ResolveWords,
    load: LoadSets,
) -> RepositoryConditionsAnswer:
    """Under which flags `name` depends on each external repository that some flags lead to."""
    source = which_target(world, name)
    if source.label is None:
        closed = envelope.closed(how_complete(world.loader, labels_of(name)))
        return RepositoryConditionsAnswer(closed, source)
    start = source.label
    finder = ConditionFinder(world, words, resolve_words)
    here = finder.graph(start, lambda there: ())
    answer = RepositoryConditionsAnswer(envelope, source)
    found: _Groups = []
    if here is not None:
        loaded = load()
        graphs = [here, *finder.other_graphs(start, loaded, lambda there: ())]
        answer = replace(answer, packages=other_packages(loaded, graphs))
        try:
            found = finder.of_repositories(graphs)
        except TooLargeError:
            here = None
    if here is None:
        reached = {label.repository for label in world.graph.deps([start])}
        found = [(tuple(sorted(reached - {""})), TOO_MANY)]
    groups = sorted((RepositoryGroup(*one) for one in found if one[0]), key=_order)
    closed = envelope.closed(
        how_complete(world.loader, [start]), missing_below(world, start, False)
    )
    return replace(answer, envelope=closed, groups=tuple(groups))


def _order(group: RepositoryGroup) -> tuple[bool, int, tuple[str, ...]]:
    """Those first that are always needed, then the largest."""
    is_always = group.condition.verdict is Verdict.ALWAYS
    return not is_always, -len(group.repositories), group.repositories
