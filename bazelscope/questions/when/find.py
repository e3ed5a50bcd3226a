"""Under which flags a target depends on another, or on each external repository, or can be built
at all: the answers to `when`.

One formula over all flags decides; what is told of it is tried under the flags it tells of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace

from bazelscope.analysis.conditions.diagrams import TooLargeError
from bazelscope.analysis.names.short_names import Endpoints
from bazelscope.analysis.paths.clashes import why_none
from bazelscope.analysis.paths.kept_reach import ReachSummary
from bazelscope.analysis.paths.path_finder import PathFinder, leading_edges
from bazelscope.analysis.paths.routes import FREE_ROUTE, covers
from bazelscope.analysis.paths.shortest_steps import shortest_steps
from bazelscope.analysis.refusals.refusal import Refusal
from bazelscope.base.errors import is_severe
from bazelscope.base.label import Label
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Absent, NoSuchPackage
from bazelscope.questions.shared.completeness import Completeness, how_complete
from bazelscope.questions.shared.conditions.condition_finder import ConditionFinder
from bazelscope.questions.shared.conditions.flag_conditions import (
    TOO_MANY,
    FlagCondition,
    Now,
    OtherPackages,
    Verdict,
)
from bazelscope.questions.shared.conditions.graph_reach import GraphReach, Wanted
from bazelscope.questions.shared.conditions.loaded_sets import LoadedSets
from bazelscope.questions.shared.endpoint_answers import NameAnswer
from bazelscope.questions.shared.endpoints import labels_of, unnamed, which_target, which_targets
from bazelscope.questions.shared.envelope import Envelope
from bazelscope.questions.shared.missing_dependencies import missing_below
from bazelscope.questions.shared.target_groups import group_named, is_there
from bazelscope.questions.shared.unknown_below import unknown_below, unknown_below_group
from bazelscope.questions.shared.world import World
from bazelscope.questions.when.answer import RepositoryConditionsAnswer, RepositoryGroup, WhenAnswer

LoadSets = Callable[[], LoadedSets]


def when_needed(
    world: World, envelope: Envelope, names: tuple[str, str], load: LoadSets
) -> WhenAnswer:
    """Under which flags the first name depends on the second, over all paths. `load` loads the
    packages that the configs of the rc files lead to."""
    ends, source, target, _ = which_targets(world, *names)
    group = group_named(world, names[1])
    if ends is None and group is None:
        answer = _only_elsewhere(world, envelope, names, load)
        if answer is not None:
            return answer
    if ends is None:
        target, hidden = unknown_below_group(world, source, target)
        closed = unnamed(world, envelope, *names)
        is_met_nowhere = source.label is not None and group is not None and is_there(world, group)
        is_misspelt = bool(target.suggestions)
        never = FlagCondition(Verdict.NEVER) if is_met_nowhere and not is_misspelt else None
        return WhenAnswer(closed, source, target, never, unknown_below=hidden)
    finder = ConditionFinder(world)

    def wanted(there: ReachSummary) -> Iterable[Label]:
        if group is None:
            return (ends.end,)
        return [label for label in there.labels() if covers(group, label)]

    answer = WhenAnswer(envelope, source, target, TOO_MANY)
    hidden = None
    below = _graphs_below(finder, ends.start, load, wanted)
    here = None
    if below is not None:
        graphs, packages = below
        here = graphs[0]
        if group is not None:
            target = replace(target, members=here.wanted)
        condition = finder.of_graphs(graphs)
        answer = replace(answer, packages=packages)
        if condition.may_be_wider:
            hidden = unknown_below(world, ends.start, ends.end, FREE_ROUTE, False)
        if condition.verdict is Verdict.NEVER:
            reaches = here.reaches
            start = reaches.start(ends.start)
            chain = shortest_steps(reaches, start, here.wanted, lambda formula: True)
            clash = why_none(reaches, chain or ())
            answer = replace(
                answer,
                has_chain=chain is not None,
                clash=None if clash is None else finder.edges.clash(clash),
            )
        else:
            shared, cut = finder.edges.deciding(here)
            answer = replace(answer, has_chain=True, shared=shared, cut=cut)
        answer = replace(answer, target=target, condition=condition)
    if answer.condition == TOO_MANY and group is None:
        answer = replace(answer, condition=_known(world, ends))
    told = (ends.end,) if here is None else here.wanted
    closed = _closed_below(world, envelope, ends.start, *told)
    return replace(answer, envelope=closed, unknown_below=hidden)


def _only_elsewhere(
    world: World, envelope: Envelope, names: tuple[str, str], load: LoadSets
) -> WhenAnswer | None:
    """The answer about a target whose package is in error as the line loads it, and well as other
    flags do; None if no flags lead to such a target."""
    source, (end, *_) = which_target(world, names[0]), (*labels_of(names[1]), None)
    if source.label is None or end is None:
        return None
    package = world.loader.package(end.package_id)
    if not isinstance(package, Package | NoSuchPackage):
        return None
    if not any(map(is_severe, package.diagnostics)):
        return None
    finder = ConditionFinder(world)
    below = _graphs_below(finder, source.label, load, lambda there: (end,))
    condition = None if below is None else finder.of_graphs(below[0])
    if below is None or condition is None or condition.verdict is Verdict.NEVER:
        return None
    aside = world.packages_aside(source.label)
    closed = envelope.closed(how_complete(world.loader, [source.label], aside=aside))
    target = NameAnswer(names[1], end)
    return WhenAnswer(closed, source, target, condition, packages=below[1], has_chain=True)


def _graphs_below(
    finder: ConditionFinder, start: Label, load: LoadSets, wanted: Wanted = lambda there: ()
) -> tuple[list[GraphReach], OtherPackages] | None:
    """What `start` reaches, in the packages of the line first, then in those that other flags
    load; and which packages that are, with the label flags whose values are not all known. None
    if there are too many cases."""
    here = finder.reach.graph(start, wanted)
    if here is None:
        return None
    loaded = load()
    graphs = [here, *finder.other_graphs(start, loaded, wanted)]
    settings = {label for one in graphs for label in one.reached.label_settings}
    return graphs, replace(loaded.described(), label_settings=tuple(sorted(settings)))


def _known(world: World, ends: Endpoints) -> FlagCondition:
    """What is known where there are too many cases: the path that changes the fewest flags, and
    whether one is there now."""
    allowed = leading_edges(world.graph, world.closures(ends.start), ends.start, ends.end)
    finder = ConditionFinder(world, allowed=allowed)
    paths = PathFinder(finder.reaches, world.conditions, ends.start, ends.end)
    try:
        path = paths.best(None)
        if path is None or path.clash is not None:
            return TOO_MANY
        condition = finder.of_formula(path.formula)
    except TooLargeError:
        return TOO_MANY
    now = Now.YES if condition.now is Now.YES else Now.UNKNOWN
    alternatives = condition.alternatives
    return replace(TOO_MANY, now=now, alternatives=alternatives, is_complete=False)


def when_built(world: World, envelope: Envelope, name: str, load: LoadSets) -> WhenAnswer:
    """Under which flags a target can be built: Bazel refuses none of what it depends on, and
    its platform has what they ask for."""
    source = which_target(world, name)
    if source.label is None:
        return WhenAnswer(unnamed(world, envelope, name), source, None)
    finder = ConditionFinder(world)
    answer = WhenAnswer(envelope, source, None, TOO_MANY)
    below = _graphs_below(finder, source.label, load)
    completeness = _completeness_below(world, source.label)  # That meets all that is missing.
    refusals: tuple[Refusal, ...] = ()
    if below is not None:
        graphs, packages = below
        absent = world.graph.absent.items()
        missing = [label for label, node in absent if isinstance(node, Absent)]
        condition = finder.of_build(graphs, missing)
        if condition.now is Now.YES:
            # Formulas tell of select()s, platforms and what is missing alone.
            refusals = world.refusals_below([source.label])
        refused = tuple(sorted({label for one in graphs for label in one.reached.refused_at}))
        answer = replace(answer, condition=condition, refused_targets=refused, packages=packages)
    missing_targets = missing_below(world, source.label, False)
    return replace(answer, envelope=envelope.closed(completeness, missing_targets, refusals))


def _closed_below(world: World, envelope: Envelope, start: Label, *told: Label) -> Envelope:
    """What stands around an answer about all that is below `start`, which names the targets
    `told`, too."""
    completeness = _completeness_below(world, start, *told)
    return envelope.closed(completeness, missing_below(world, start, False))


def _completeness_below(world: World, start: Label, *told: Label) -> Completeness:
    return how_complete(world.loader, [start, *told], aside=world.packages_aside(start))


def when_repositories(
    world: World, envelope: Envelope, name: str, load: LoadSets
) -> RepositoryConditionsAnswer:
    """Under which flags `name` depends on each external repository that some flags lead to."""
    source = which_target(world, name)
    if source.label is None:
        return RepositoryConditionsAnswer(unnamed(world, envelope, name), source)
    start = source.label
    finder = ConditionFinder(world)
    answer = RepositoryConditionsAnswer(envelope, source)
    below = _graphs_below(finder, start, load)
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
    closed = _closed_below(world, envelope, start)
    return replace(answer, envelope=closed, groups=tuple(groups))


def _order(group: RepositoryGroup) -> tuple[bool, int, tuple[str, ...]]:
    """Those first that are always needed, then the largest."""
    is_always = group.condition.verdict is Verdict.ALWAYS
    return not is_always, -len(group.repositories), group.repositories
