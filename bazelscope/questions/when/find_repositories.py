"""Under which flags a target depends on each external repository: `when TARGET --repositories`."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from bazelscope.analysis.conditions.diagrams import TooLargeError
from bazelscope.questions.shared.conditions.condition_finder import ConditionFinder
from bazelscope.questions.shared.conditions.flag_conditions import TOO_MANY, FlagCondition, Verdict
from bazelscope.questions.shared.endpoints import unnamed, which_target
from bazelscope.questions.shared.envelope import Envelope
from bazelscope.questions.shared.world import World
from bazelscope.questions.when.answer import RepositoryConditionsAnswer, RepositoryGroup
from bazelscope.questions.when.find import LoadSets, closed_below, graphs_below


def when_repositories(
    world: World,
    envelope: Envelope,
    name: str,
    load: LoadSets,
) -> RepositoryConditionsAnswer:
    """Under which flags `name` depends on each external repository that some flags lead to."""
    source = which_target(world, name)
    if source.label is None:
        return RepositoryConditionsAnswer(unnamed(world, envelope, name), source)
    start = source.label
    finder = ConditionFinder(world)
    answer = RepositoryConditionsAnswer(envelope, source)
    below = graphs_below(finder, start, load)
    conditions: list[tuple[tuple[str, ...], FlagCondition]] | None = None
    if below is not None:
        graphs, packages = below
        answer = replace(answer, packages=packages)
        with suppress(TooLargeError):
            conditions = finder.of_repositories(graphs)
    if conditions is None:
        reached = {label.repository for label in world.graph.deps([start])}
        conditions = [(tuple(sorted(reached - {""})), TOO_MANY)]
    groups = sorted((RepositoryGroup(*one) for one in conditions if one[0]), key=_order)
    closed = closed_below(world, envelope, start)
    return replace(answer, envelope=closed, groups=tuple(groups))


def _order(group: RepositoryGroup) -> tuple[bool, int, tuple[str, ...]]:
    """Those first that are always needed, then the largest."""
    is_always = group.condition.verdict is Verdict.ALWAYS
    return not is_always, -len(group.repositories), group.repositories
