"""What a target depends on, and what depends on it: the answers to `deps` and `rdeps`."""

from __future__ import annotations

from dataclasses import replace

from bazelscope.analysis.conditions.configured_edges import ConfiguredEdge, ConfiguredNode
from bazelscope.analysis.conditions.edges import Edge, EdgeKind
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.paths.edges_of_flags import Closures
from bazelscope.analysis.paths.routes import covers
from bazelscope.base.errors import Diagnostic
from bazelscope.base.graph_walk import distances, walk
from bazelscope.base.label import Label, TargetPattern
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Unknown
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Absent
from bazelscope.questions.deps.answer import DependenciesAnswer, Dependency, Direction
from bazelscope.questions.deps.possible_arrivals import PossibleArrivals, possible_arrivals
from bazelscope.questions.shared.completeness import how_complete
from bazelscope.questions.shared.conditions.condition_finder import ConditionFinder
from bazelscope.questions.shared.conditions.loaded_sets import configs_that_load_others
from bazelscope.questions.shared.described_targets import describe_node
from bazelscope.questions.shared.endpoint_answers import NameAnswer
from bazelscope.questions.shared.endpoints import labels_of, respelt, unnamed, which_target
from bazelscope.questions.shared.envelope import Envelope
from bazelscope.questions.shared.missing_dependencies import (
    absent_files_among,
    missing_among,
    names_absent,
)
from bazelscope.questions.shared.nodes import NodeAnswer
from bazelscope.questions.shared.target_groups import group_named, nothing_of
from bazelscope.questions.shared.world import World

# Looking up where a label was written goes through the expression that it stands in: up to so
# many edges have that.
_TERMS = 1000


@dataclass(frozen=True, slots=True)
class Reached:
    """A target, how far away it is, and the edge that it was first reached by. One target
    may be reached in several configurations."""

    label: Label
    distance: int
    edge: Edge
    configuration: str | None = None
    uncertain: Unknown | None = None


def depends_on(
    world: World, envelope: Envelope, asked: str, configured: bool, levels: int | None
) -> DependenciesAnswer:
    """Everything that the target `asked` depends on, listed as far as `levels` edges."""
    target = which_target(world, asked)
    answer = DependenciesAnswer(envelope, target, Direction.DEPENDENCIES, configured, levels)
    if target.label is None:
        if group_named(world, asked) is not None:
            why = f"`{asked}` is a pattern; `query 'deps({asked})'` asks it of all its targets"
            target = NameAnswer(asked, None, suggestions=respelt(world, asked), why=why)
            # Nothing that may be known of the workspace has to do with that.
            return replace(answer, target=target)
        return replace(answer, envelope=unnamed(world, envelope, asked))
    start = target.label
    below = configured_below(world, start) if configured else _below(world, start)
    reached = [one for one in below if not _is_no_label(world, one)]
    hidden = world.graph.unknown_edges(start)
    missing = missing_among(world, (start, *(below.label for below in reached)))
    named_by = {one.label: one.edge.source for one in reached if names_absent(world, one.edge)}
    missing += absent_files_among(world, named_by, named_by)
    return _filled(world, replace(answer, hidden=hidden), reached, diagnostics=missing)


def _is_no_label(world: World, one: Reached) -> bool:
    """Whether it is there for a text alone that is most likely no label: nothing is called so."""
    return one.edge.may_be_none and isinstance(world.graph.node(one.label), Absent)


def dependents_of(
    world: World,
    envelope: Envelope,
    asked: str,
    within: str | None,
    configured: bool,
    levels: int | None,
) -> DependenciesAnswer:
    """Everything that depends on the target `asked`, or on any target of a repository or
    pattern: of what the target `within` depends on, or of the workspace's own packages."""
    group = group_named(world, asked)
    target = which_target(world, asked) if group is None else NameAnswer(asked, None)
    undeclared = target if target.unknown is not None else None
    if undeclared is not None:
        # Whoever names it may know better.
        target = NameAnswer(asked, next(iter(labels_of(asked)), None))
    inside = which_target(world, within) if within is not None else None
    answer = DependenciesAnswer(envelope, target, Direction.DEPENDENTS, configured, levels, inside)
    if (target.label is None and group is None) or (inside is not None and inside.label is None):
        names = [name for name in (asked, within) if name is not None]
        return replace(answer, envelope=unnamed(world, envelope, *names))
    start = inside.label if inside is not None else None
    if start is None:
        world.loader.prepare(world.loader.trees.packages())
    find = _configured_above if configured else _above
    meant = _Meant(target.label, group)
    above = find(world, start, meant)
    ends = above.ends
    if undeclared is not None and not ends:
        return replace(answer, envelope=unnamed(world, envelope, asked), target=undeclared)
    if group is not None and not ends:
        target = nothing_of(world, asked, group, f"nothing depends on a target of `{asked}`")
        closed = envelope.closed(how_complete(world.loader, ()))
        return replace(answer, envelope=closed, target=target)
    if group is not None:
        answer = replace(answer, target=replace(target, label=ends[0], members=tuple(ends)))
    return _filled(world, answer, above.reached, possible=above.possible)


@dataclass(frozen=True, slots=True)
class _Meant:
    """What was asked about: one target, or a group of them."""

    label: Label | None
    group: TargetPattern | None

    def has(self, label: Label) -> bool:
        return label == self.label if self.group is None else covers(self.group, label)

    def of(self, closures: Closures) -> list[Label]:
        """Those that are reached."""
        if self.label is not None:
            return [self.label] if closures.has(self.label) else []
        return list(filter(self.has, closures.labels()))


def _below(world: World, start: Label) -> list[Reached]:
    return [
        Reached(visit.node, visit.distance, visit.edge)
        for visit in walk([start], world.graph.edges, prepare=world.graph.prepare)
        if visit.edge is not None
    ]


def configured_below(world: World, start: Label) -> list[Reached]:
    """What `start` depends on under the flags, nearest first; a target that is reached in
    several configurations stands there several times."""
    graph = world.configured
    first_edges = first_edges_below(graph, graph.top(start))
    return [_reached(node, distance, edge) for node, (distance, edge) in first_edges.items()]


def first_edges_below(
    graph: ConfiguredGraph, top: ConfiguredNode
) -> dict[ConfiguredNode, tuple[int, ConfiguredEdge]]:
    """Everything below `top`, nearest first: how far away it is, and the edge by which it is
    reached first."""

    def shown(node: ConfiguredNode) -> tuple[ConfiguredEdge, ...]:
        return () if node.configuration is None else graph.shown(node)  # Files lead nowhere.

    return {
        visit.node: (visit.distance, visit.edge)
        for visit in walk([top], shown, prepare=graph.prepare)
        if visit.edge is not None
    }


def _reached(node: ConfiguredNode, distance: int, edge: ConfiguredEdge) -> Reached:
    return Reached(node.label, distance, edge.edge, node.description, edge.uncertain)


@dataclass(frozen=True, slots=True)
class _Above:
    """Who depends on the targets that are meant: `ends` are those that are reached at all.
    `possible` is None where flags decide."""

    ends: list[Label]
    reached: list[Reached]
    possible: PossibleArrivals | None = None


def _above(world: World, start: Label | None, meant: _Meant) -> _Above:
    possible = possible_arrivals(world, start, meant.of)
    first: dict[Label, Edge] = {}

    def above(label: Label) -> list[Label]:
        edges = [edge for edge in possible.arriving.get(label, ()) if not meant.has(edge.source)]
        for edge in edges:
            first.setdefault(edge.source, edge)
        return [edge.source for edge in edges]

    far = distances(possible.ends, above)
    reached = [
        Reached(label, distance, first[label]) for label, distance in far.items() if distance
    ]
    return _Above(possible.ends, reached, possible)


def own_targets(world: World) -> list[Label]:
    """Returns every target of the workspace's own packages, loading them all."""
    loaded = map(world.loader.package, world.loader.trees.packages())
    packages = [package for package in loaded if isinstance(package, Package)]
    return [Label(*package.id, name) for package in packages for name in package.targets]


_Arriving = dict[ConfiguredNode, list[tuple[ConfiguredNode, ConfiguredEdge]]]


def configured_arrivals(world: World, start: Label | None) -> _Arriving:
    """Everything that `start`, or the workspace's own targets, depend on under the flags, and who
    has an edge to each."""
    graph = world.configured
    universe = own_targets(world) if start is None else [start]
    arriving: _Arriving = {}
    for node in graph.deps(universe):
        arriving.setdefault(node, [])
        for edge in graph.shown(node):
            arriving.setdefault(edge.target, []).append((node, edge))
    return arriving


def _configured_above(world: World, start: Label | None, meant: _Meant) -> _Above:
    arriving = configured_arrivals(world, start)
    ends = [node for node in arriving if meant.has(node.label)]
    first: dict[ConfiguredNode, ConfiguredEdge] = {}

    def above(node: ConfiguredNode) -> list[ConfiguredNode]:
        sources = [(s, e) for s, e in arriving.get(node, ()) if not meant.has(s.label)]
        for source, edge in sources:
            first.setdefault(source, edge)
        return [source for source, _ in sources]

    depending = [
        _reached(node, distance, first[node])
        for node, distance in distances(ends, above).items()
        if distance
    ]
    return _Above(sorted({node.label for node in ends}), depending)


def _filled(
    world: World,
    answer: DependenciesAnswer,
    reached: list[Reached],
    diagnostics: tuple[Diagnostic, ...] = (),
    possible: PossibleArrivals | None = None,
) -> DependenciesAnswer:
    """The answer with what was reached, as far away as it asks for."""
    target, within, configured = answer.target, answer.within, answer.configured
    assert target.label is not None
    most = answer.levels
    shown = sorted((r for r in reached if most is None or r.distance <= most), key=_order)
    nodes: dict[Label, NodeAnswer] = {}
    for near in shown:
        if near.label not in nodes:
            nodes[near.label] = describe_node(world, near.label)
    words = possible or ConditionFinder(world, free=True).edges
    listed = [
        Dependency(
            nodes[near.label],
            near.distance,
            words.described(near.edge, near.uncertain, near.distance == 1 and place < _TERMS),
            near.configuration,
        )
        for place, near in enumerate(shown)
    ]
    # Both may load more, which counts.
    incompatible = world.incompatible(target.label) if configured else None
    node = describe_node(world, target.label)
    completeness = how_complete(
        world.loader, [target.label, *nodes], assumed=world.assumed if configured else ()
    )
    not_covered = () if configured else configs_that_load_others(world)
    named = target.label if within is None else within.label
    # Of the members of a group nobody knows which are built, and how.
    is_built = configured and named is not None and not (target.members and within is None)
    tops = (named,) if named is not None else ()
    refusals = world.refusals_where(is_built, tops, target.members or (target.label,))
    return replace(
        answer,
        envelope=answer.envelope.closed(completeness, diagnostics, refusals, not_covered),
        node=node,
        dependencies=tuple(listed),
        total=len({one.label for one in reached}),
        direct=len({one.label for one in reached if one.distance == 1}),
        incompatible=incompatible,
        never=() if possible is None else possible.never,
    )


def _order(target: Reached) -> tuple[int, bool, Label, str]:
    """By distance; the keys of select()s after what the attributes name."""
    is_key = target.edge.kind is EdgeKind.CONDITION
    return (target.distance, is_key, target.label, target.configuration or "")
