"""The walks that the graphs of this package are searched by: the nearest first, or in depth.

A graph is a function from a node to what leaves it: edges that have a `target`, or the next
nodes themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from bazelscope.base import budget

N = TypeVar("N", bound=Hashable)
N_co = TypeVar("N_co", bound=Hashable, covariant=True)


Prepare = Callable[[Sequence[N]], object]


class HasTarget(Protocol[N_co]):
    """An edge, as far as a walk looks at it."""

    @property
    def target(self) -> N_co: ...


E = TypeVar("E", bound=HasTarget)  # type: ignore[type-arg]


class Visit(NamedTuple, Generic[N, E]):
    """A node that a walk came to: how far from the start, and by which edge of which node
    first; a start has neither."""

    node: N
    distance: int
    source: N | None
    edge: E | None


def walk(
    starts: Iterable[N],
    edges: Callable[[N], Iterable[E]],
    depth: int | None = None,
    prepare: Prepare[N] | None = None,
) -> Iterator[Visit[N, E]]:
    """Visits every node that `starts` reach, themselves first, each once and nearest first;
    none further away than `depth`. `prepare` is given the nodes of each distance before their
    edges are asked for. Whoever stops asking stops the walk."""
    level: list[N] = list(dict.fromkeys(starts))
    seen = set(level)
    for start in level:
        yield Visit(start, 0, None, None)
    distance = 0
    account = budget.current()
    while level and (depth is None or distance < depth):
        distance += 1
        following: list[N] = []
        if prepare is not None:
            prepare(level)
        for node in level:
            account.check()
            for edge in edges(node):
                target = edge.target
                if target not in seen:
                    seen.add(target)
                    following.append(target)
                    yield Visit(target, distance, node, edge)
        level = following


def distances(
    starts: Iterable[N],
    successors: Callable[[N], Iterable[N]],
    depth: int | None = None,
    prepare: Prepare[N] | None = None,
) -> dict[N, int]:
    """Returns every node that `starts` reach and how far it is, in the order of `walk`, with
    its `prepare`."""
    reached = dict.fromkeys(starts, 0)
    level = list(reached)
    distance = 0
    account = budget.current()
    while level and (depth is None or distance < depth):
        distance += 1
        following: list[N] = []
        if prepare is not None:
            prepare(level)
        for node in level:
            account.check()
            for target in successors(node):
                if target not in reached:
                    reached[target] = distance
                    following.append(target)
        level = following
    return reached


def find_way(
    starts: Iterable[N], successors: Callable[[N], Iterable[N]], is_end: Callable[[N], bool]
) -> list[N]:
    """Returns a shortest way from one of `starts` to the nearest node that is an end; empty where
    none is reached."""
    before: dict[N, N | None] = dict.fromkeys(starts)
    queue = list(before)
    account = budget.current()
    for node in queue:
        if is_end(node):
            return way_to(node, before)
        account.check()
        for target in successors(node):
            if target not in before:
                before[target] = node
                queue.append(target)
    return []


def way_to(end: N, before: Mapping[N, N | None]) -> list[N]:
    """Returns the nodes from where a walk began to `end`, itself included: `before` has the node
    that it came to each from, and None or nothing for the first."""
    way = [end]
    while (previous := before.get(way[-1])) is not None:
        way.append(previous)
    return way[::-1]


def _itself(node: N) -> N:
    return node


def post_order(
    starts: Iterable[N],
    successors: Callable[[N], Iterable[N]],
    key: Callable[[N], Hashable] = _itself,
) -> list[N]:
    """Returns every node that `starts` reach, each once and behind all that it leads to, cycles
    aside. Goes in depth, by successors in their order; their iterables are begun when a node is
    entered. `key` tells nodes apart."""
    ordered: list[N] = []
    seen: set[Hashable] = set()
    account = budget.current()
    for start in starts:
        if key(start) in seen:
            continue
        seen.add(key(start))
        path = [(start, iter(successors(start)))]
        while path:
            node, rest = path[-1]
            for target in rest:
                at = key(target)
                if at not in seen:
                    account.check()
                    seen.add(at)
                    path.append((target, iter(successors(target))))
                    break
            else:
                path.pop()
                ordered.append(node)
    return ordered
