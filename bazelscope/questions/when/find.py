"""Under which flags one target depends on another, or can be built at all: the answer to `when`.

One formula over all flags decides; what is told of it is tried under the flags it tells of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bazelscope.analysis.conditions.edges import Edge
from bazelscope.analysis.graph.cuts import minimum_cut, shared_by_all_paths
from bazelscope.analysis.paths.reach import Reach, Reaches
from bazelscope.analysis.paths.routes import FREE_ROUTE, covers
from bazelscope.base.label import Label
from bazelscope.questions.shared.completeness import how_complete
from bazelscope.questions.shared.condition_finder import ConditionFinder, ResolveWords
from bazelscope.questions.shared.described_edges import describe_edge
from bazelscope.questions.shared.endpoints import labels_of, which_target, which_targets
from bazelscope.questions.shared.envelope import Envelope
from bazelscope.questions.shared.flag_conditions import TOO_MANY, FlagCondition, Verdict
from bazelscope.questions.shared.missing_dependencies import missing_below
from bazelscope.questions.shared.nodes import EdgeAnswer
from bazelscope.questions.shared.target_groups import group_named
from bazelscope.questions.shared.unknown_below import unknown_below
from bazelscope.questions.shared.world import World
from bazelscope.questions.when.answer import WhenAnswer

_MOST_SHARED = 12
_MOST_CUT = 6
_MOST_STATES = 6_000
"""Targets between two others, up to which what all paths share is looked for."""


def when_needed(
    world: World,
    envelope: Envelope,
    names: tuple[str, str],
    words: tuple[str, ...],
    resolve_words: ResolveWords,
) -> WhenAnswer:
    """Under which flags the first name depends on the second, over all paths."""
    ends, source, target, _ = which_targets(world, *names)
    if ends is None:
        closed = envelope.closed(how_complete(world.loader, labels_of(*names)))
        is_group = source.label is not None and group_named(world, names[1]) is not None
        never = FlagCondition(Verdict.NEVER) if is_group and not target.suggestions else None
        return WhenAnswer(closed, source, target, never)
    finder = ConditionFinder(world, words, resolve_words)
    group = group_named(world, names[1])
    wanted = [ends.end]
    reach = finder.reach(ends.start)
    answer = WhenAnswer(envelope, source, target, TOO_MANY)
    hidden = None
    if reach is not None:
        if group is not None:
            wanted = [label for label in reach.labels() if covers(group, label)]
            target = replace(target, members=tuple(wanted))
        condition = finder.of_targets(reach, wanted)
        shared: tuple[EdgeAnswer, ...] = ()
        cut: tuple[EdgeAnswer, ...] = ()
        if condition.verdict is Verdict.NEVER:
            hidden = unknown_below(world, ends.start, ends.end, FREE_ROUTE, False)
        else:
            shared, cut = _deciding_edges(world, finder.reaches, reach, wanted)
        has_chain = any(reach.states(label) for label in wanted)
        answer = WhenAnswer(envelope, source, target, condition, shared, cut, has_chain=has_chain)
    completeness = how_complete(world.loader, [ends.start, *wanted])
    missing = missing_below(world, ends.start, False)
    return replace(answer, envelope=envelope.closed(completeness, missing), unknown_below=hidden)


def when_built(
    world: World,
    envelope: Envelope,
    name: str,
    words: tuple[str, ...],
    resolve_words: ResolveWords,
) -> WhenAnswer:
    """Under which flags a target can be built: Bazel refuses none of what it depends on, and
    its platform has what they ask for."""
    source = which_target(world, name)
    if source.label is None:
        closed = envelope.closed(how_complete(world.loader, labels_of(name)))
        return WhenAnswer(closed, source, None)
    finder = ConditionFinder(world, words, resolve_words)
    reach = finder.reach(source.label)
    answer = WhenAnswer(envelope, source, None, TOO_MANY)
    if reach is not None:
        refused = tuple(sorted(reach.refused_at))
        condition = finder.of_build(reach)
        answer = replace(answer, condition=condition, refused_targets=refused)
    completeness = how_complete(world.loader, [source.label])
    missing = missing_below(world, source.label, False)
    return replace(answer, envelope=envelope.closed(completeness, missing))


def _deciding_edges(
    world: World, reaches: Reaches, reach: Reach, wanted: Sequence[Label]
) -> tuple[tuple[EdgeAnswer, ...], tuple[EdgeAnswer, ...]]:
    """The edges that all paths share, and the fewest without which there are none."""
    if len(wanted) != 1 or wanted[0] == reach.start.label:
        return (), ()
    steps = reaches.between(reach, wanted)
    first: dict[tuple[Label, Label], Edge] = {}
    for step in steps:
        first.setdefault((step.edge.source, step.edge.target), step.edge)
    if len(first) > _MOST_STATES:
        return (), ()

    def edge(pair: tuple[Label, Label]) -> EdgeAnswer:
        return describe_edge(world, first[pair], None, with_term=True)

    start, end = reach.start.label, wanted[0]
    shared = shared_by_all_paths(first, start, end)
    cut = minimum_cut(first, start, end) or () if not shared else ()
    return (
        tuple(edge(pair) for pair in shared[-_MOST_SHARED:]),
        tuple(edge(pair) for pair in cut) if len(cut) <= _MOST_CUT else (),
    )
