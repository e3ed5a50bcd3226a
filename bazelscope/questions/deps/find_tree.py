"""The tree of `deps --tree` and `rdeps --tree`: each target below the one that leads to it, and
what leads on from it once, where it comes first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

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


class _Next(NamedTuple):
    """An edge to a node of the tree."""

    node: object
    label: Label
    edge: Edge
    configuration: str | None = None
    uncertain: Unknown | None = None


_Words = EdgeWords | PossibleArrivals
"""Who describes edges."""


class _Place(NamedTuple):
    """Where in the tree a node stands, and by which edge."""

    depth: int
    following: _Next | None
    node: object
    is_last: bool


def with_tree(world: World, answer: DependenciesAnswer, levels: int | None) -> DependenciesAnswer:
    """`answer` with its tree, as far as `levels` edges; unchanged if nothing was asked about."""
    if answer.node is None or answer.target.label is None:
        return answer
    starts = answer.target.members or (answer.target.label,)
    is_forward = answer.direction is Direction.DEPENDENCIES
    if answer.configured:
        roots, below = _configured(world, answer, starts, is_forward)
    else:
        roots, below = list(starts), _forward(world)
    words: _Words = ConditionFinder(world, free=True).edges
    if not answer.configured and not is_forward:
        within = answer.within.label if answer.within is not None else None
        words = possible = possible_arrivals(world, within, lambda closures: starts)
        below = _backward(possible)
    tree = tuple(_rows(world, words, roots, below, levels))
    return replace(answer, tree=tree, tree_levels=levels)


def _forward(world: World) -> Callable[[object], list[_Next]]:
    def below(node: object) -> list[_Next]:
        assert isinstance(node, Label)
        return _ordered(_Next(edge.target, edge.target, edge) for edge in world.graph.edges(node))

    return below


def _backward(possible: PossibleArrivals) -> Callable[[object], list[_Next]]:
    def above(node: object) -> list[_Next]:
        edges = possible.arriving.get(node, ()) if isinstance(node, Label) else ()
        nexts = (_Next(edge.source, edge.source, edge) for edge in edges)
        return _ordered(one for one in nexts if one.label not in possible.ends)

    return above


def _configured(
    world: World, answer: DependenciesAnswer, starts: Sequence[Label], is_forward: bool
) -> tuple[list[object], Callable[[object], list[_Next]]]:
    graph = world.configured
    if is_forward:

        def below(node: object) -> list[_Next]:
            if node.configuration is None:  # type: ignore[attr-defined]
                return []  # Files lead nowhere.
            return _ordered(
                _Next(e.target, e.target.label, e.edge, e.target.description, e.uncertain)
                for e in graph.shown(node)  # type: ignore[arg-type]
            )

        return [graph.top(start) for start in starts], below
    within = answer.within.label if answer.within is not None else None
    arriving = configured_arrivals(world, within)
    meant = set(starts)
    roots: list[object] = [node for node in arriving if node.label in meant]

    def above(node: object) -> list[_Next]:
        return _ordered(
            _Next(source, source.label, e.edge, source.description, e.uncertain)
            for source, e in arriving.get(node, ())  # type: ignore[call-overload]
            if source.label not in meant
        )

    return roots, above


def _ordered(edges: Iterable[_Next]) -> list[_Next]:
    """One edge to each node. The keys of select()s stand as conditions on the edges already."""
    first: dict[object, _Next] = {}
    for one in sorted(edges, key=lambda one: one.label):
        if one.edge.kind is not EdgeKind.CONDITION:
            first.setdefault(one.node, one)
    return list(first.values())


def _configuration(place: _Place) -> str | None:
    """The configuration that an edge leads to; of a root its own."""
    if place.following is not None:
        return place.following.configuration
    described = getattr(place.node, "description", None)
    return described if isinstance(described, str) else None


def _rows(
    world: World,
    words: _Words,
    roots: Sequence[object],
    below: Callable[[object], list[_Next]],
    levels: int | None,
) -> Iterable[TreeRow]:
    """The tree in the order of reading. What leads on from a target stands where the target comes
    first; where it comes again, it is marked."""
    opened: set[object] = set()
    terms = _TERMS
    todo = [_Place(0, None, root, is_last=True) for root in reversed(roots)]
    while todo:
        place = todo.pop()
        label = place.node if isinstance(place.node, Label) else place.node.label  # type: ignore[attr-defined]
        following = below(place.node)
        is_shown = place.node in opened
        is_deep = levels is not None and place.depth >= levels
        edge = None
        if place.following is not None:
            terms -= 1
            edge = words.described(place.following.edge, place.following.uncertain, terms >= 0)
        yield TreeRow(
            describe_node(world, label),
            place.depth,
            place.is_last,
            edge,
            _configuration(place),
            is_shown=is_shown and bool(following),
            hidden=len(following) if is_deep and not is_shown else 0,
        )
        if is_shown or is_deep:
            continue
        opened.add(place.node)
        places = [
            _Place(place.depth + 1, one, one.node, number == len(following))
            for number, one in enumerate(following, start=1)
        ]
        todo.extend(reversed(places))
