"""The tree of `deps --tree` and `rdeps --tree`: each target below the one that leads to it, and
what leads on from it once, where it comes first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.conditions.edges import Edge, EdgeKind
from bazelscope.base.label import Label
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.unknown import Unknown
from bazelscope.questions.deps.answer import DependenciesAnswer, Direction, TreeRow
from bazelscope.questions.deps.find import configured_arrivals
from bazelscope.questions.deps.possible_arrivals import PossibleArrivals, possible_arrivals
from bazelscope.questions.shared.conditions.condition_finder import ConditionFinder
from bazelscope.questions.shared.conditions.edge_words import EdgeWords
from bazelscope.questions.shared.described_targets import describe_node
from bazelscope.questions.shared.world import World

_TERMS = 1000
"""So many edges have the term that their label came from: finding it reads the files."""


_Node = Label | ConfiguredNode
"""A node of the tree: a target, or where flags count one in a configuration."""


class _Next(NamedTuple):
    """An edge to a node of the tree."""

    node: _Node
    edge: Edge
    uncertain: Unknown | None = None


_Below = Callable[[_Node], list[_Next]]
"""What leads on from a node."""
_Words = EdgeWords | PossibleArrivals
"""Who describes edges."""


class _Place(NamedTuple):
    """Where in the tree a node stands, and by which edge: none leads to a root."""

    depth: int
    node: _Node
    is_last: bool
    by: _Next | None = None


def with_tree(world: World, answer: DependenciesAnswer, levels: int | None) -> DependenciesAnswer:
    """`answer` with its tree, as far as `levels` edges; unchanged if nothing was asked about."""
    if answer.node is None or answer.target.label is None:
        return answer
    starts = answer.target.members or (answer.target.label,)
    is_forward = answer.direction is Direction.DEPENDENCIES
    roots: Sequence[_Node] = starts
    below = _forward(world)
    if answer.configured:
        roots, below = _configured(world, answer, starts, is_forward)
    words: _Words = ConditionFinder(world, free=True).edges
    if not answer.configured and not is_forward:
        within = answer.within.label if answer.within is not None else None
        words = possible = possible_arrivals(world, within, lambda closures: starts)
        below = _backward(possible)
    tree = tuple(_rows(world, words, roots, below, levels))
    return replace(answer, tree=tree, tree_levels=levels)


def _forward(world: World) -> _Below:
    def below(node: _Node) -> list[_Next]:
        assert isinstance(node, Label)
        return _ordered(_Next(edge.target, edge) for edge in world.graph.edges(node))

    return below


def _backward(possible: PossibleArrivals) -> _Below:
    def above(node: _Node) -> list[_Next]:
        assert isinstance(node, Label)
        edges = possible.arriving.get(node, ())
        return _ordered(
            _Next(edge.source, edge) for edge in edges if edge.source not in possible.ends
        )

    return above


def _configured(
    world: World, answer: DependenciesAnswer, starts: Sequence[Label], is_forward: bool
) -> tuple[Sequence[_Node], _Below]:
    graph = world.configured
    if is_forward:

        def below(node: _Node) -> list[_Next]:
            assert isinstance(node, ConfiguredNode)
            if node.configuration is None:
                return []  # Files lead nowhere.
            return _ordered(_Next(e.target, e.edge, e.uncertain) for e in graph.shown(node))

        return [graph.top(start) for start in starts], below
    within = answer.within.label if answer.within is not None else None
    arriving = configured_arrivals(world, within)
    meant = set(starts)

    def above(node: _Node) -> list[_Next]:
        assert isinstance(node, ConfiguredNode)
        return _ordered(
            _Next(source, e.edge, e.uncertain)
            for source, e in arriving.get(node, ())
            if source.label not in meant
        )

    return [node for node in arriving if node.label in meant], above


def _ordered(edges: Iterable[_Next]) -> list[_Next]:
    """One edge to each node. The keys of select()s stand as conditions on the edges already."""
    first: dict[_Node, _Next] = {}
    for one in sorted(edges, key=lambda one: _label(one.node)):
        if one.edge.kind is not EdgeKind.CONDITION:
            first.setdefault(one.node, one)
    return list(first.values())


def _label(node: _Node) -> Label:
    return node if isinstance(node, Label) else node.label


def _rows(
    world: World,
    words: _Words,
    roots: Sequence[_Node],
    below: _Below,
    levels: int | None,
) -> Iterable[TreeRow]:
    """The tree in the order of reading. What leads on from a target stands where the target comes
    first; where it comes again, it is marked."""
    opened: set[_Node] = set()
    terms = _TERMS
    todo = [_Place(0, root, is_last=True) for root in reversed(roots)]
    while todo:
        place = todo.pop()
        following = below(place.node)
        is_shown = place.node in opened
        is_deep = levels is not None and place.depth >= levels
        edge = None
        if place.by is not None:
            terms -= 1
            edge = words.described(place.by.edge, place.by.uncertain, terms >= 0)
        yield TreeRow(
            describe_node(world, _label(place.node)),
            place.depth,
            place.is_last,
            edge,
            None if isinstance(place.node, Label) else place.node.description,
            is_shown=is_shown and bool(following),
            hidden=len(following) if is_deep and not is_shown else 0,
        )
        if is_shown or is_deep:
            continue
        opened.add(place.node)
        places = [
            _Place(place.depth + 1, one.node, number == len(following), one)
            for number, one in enumerate(following, start=1)
        ]
        todo.extend(reversed(places))
