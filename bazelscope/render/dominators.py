"""A drawing of hundreds of boxes as one of few: each opened as far as there is room.

A box dominates those that every way from the start goes through it to. What one box dominates can
stand in its place without hiding a way round it, so the drawing begins with the start alone and
opens the box that most stands behind, again and again, until its budget of boxes is spent. Where
a box has too many others right below it (a fan), the least of these stand together: by package,
then by repository.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import replace

from bazelscope.render.counting import plural
from bazelscope.render.drawing import Drawing, DrawnEdge, DrawnNode, Line, wrapped

BOXES = 30
"""So many boxes are legible on a screen."""

_FEWEST = 6
"""So many parts a box is opened into at least, if there is room at all."""

_NAMES = 3
_SHORT = 18
_ROOT = ""


class _Tree:
    """Which box dominates which, and how many stand behind each."""

    def __init__(self, drawing: Drawing) -> None:
        import networkx

        graph = drawing.digraph()
        starts = [node.key for node in drawing.nodes if not graph.pred[node.key]]
        starts += [node.key for node in drawing.nodes if node.is_end and node.key not in starts][:1]
        graph.add_edges_from((_ROOT, start) for start in starts)
        reached = networkx.descendants(graph, _ROOT)
        for node in drawing.nodes:  # What only a cycle leads to.
            if node.key not in reached:
                graph.add_edge(_ROOT, node.key)
                reached |= {node.key, *networkx.descendants(graph, node.key)}
        self.above: dict[str, str] = dict(networkx.immediate_dominators(graph, _ROOT))
        self.above.pop(_ROOT, None)
        self.below: dict[str, list[str]] = {}
        for key, parent in sorted(self.above.items()):
            self.below.setdefault(parent, []).append(key)
        self.sizes: dict[str, int] = {}
        for key in reversed(self._in_order()):
            self.sizes[key] = 1 + sum(self.sizes[one] for one in self.below.get(key, ()))

    def _in_order(self) -> list[str]:
        order = [_ROOT]
        for key in order:
            order.extend(self.below.get(key, ()))
        return order

    def members(self, keys: Iterable[str]) -> list[str]:
        """`keys` and all that they dominate."""
        inside = list(keys)
        for key in inside:
            inside.extend(self.below.get(key, ()))
        return inside


def opened(drawing: Drawing, boxes: int = BOXES) -> Drawing:
    """`drawing`, or, if it has more than `boxes`, the same with boxes that stand for all that they
    dominate, and a note that says so. What was asked about keeps its own box."""
    if len(drawing.nodes) <= boxes:
        return drawing
    tree, by_key = _Tree(drawing), {node.key: node for node in drawing.nodes}
    parts = _parts(tree, by_key, boxes)
    box_of = {key: part[0] for part in parts for key in tree.members(part)}
    # Those that were opened stand for themselves alone.
    shown = {part[0]: part for part in parts}
    for key in by_key:
        box_of.setdefault(key, key)
        if box_of[key] == key:
            shown.setdefault(key, (key,))
    standing: dict[str, list[str]] = {}
    for key, box in box_of.items():
        standing.setdefault(box, []).append(key)
    nodes = tuple(
        _box([by_key[key] for key in shown[box]], [by_key[key] for key in standing[box]], drawing)
        for box in (node.key for node in drawing.nodes)
        if box in shown
    )
    folded = sum(
        by_key[key].stands_for for keys in standing.values() if len(keys) > 1 for key in keys
    )
    count = sum(len(keys) > 1 for keys in standing.values())
    note = (
        f"{folded:,} {drawing.nouns} stand in {plural(count, 'box', 'boxes')}, each with what is"
        " reached through it alone (--boxes N opens more)"
    )
    return replace(
        drawing,
        nodes=nodes,
        edges=_arrows(drawing.edges, box_of),
        clusters=(),
        is_folded=True,
        hidden=(*drawing.hidden, note),
    )


def _parts(tree: _Tree, by_key: dict[str, DrawnNode], boxes: int) -> list[tuple[str, ...]]:
    """The closed boxes: keys that stand together, each with all that it dominates."""
    must_open = {_ROOT}
    for key, node in by_key.items():
        while node.is_end and key in tree.above:
            key = tree.above[key]
            must_open.add(key)
    closed: list[tuple[str, ...]] = []
    waiting: list[tuple[int, str]] = []
    used = 0

    def place(key: str, room: int) -> None:
        nonlocal used
        parts = _together(tree, by_key, tree.below.get(key, []), room)
        used += len(parts)
        for part in parts:
            if len(part) == 1 and tree.below.get(part[0]):
                first = 0 if part[0] in must_open else -tree.sizes[part[0]]
                heapq.heappush(waiting, (first if first else -len(tree.sizes) - 1, part[0]))
            else:
                closed.append(part)

    place(_ROOT, boxes)
    while waiting:
        _, key = heapq.heappop(waiting)
        room = max((boxes - used) // 2, min(_FEWEST, boxes - used))
        if key in must_open:
            room = max(room, 2)
        if room < min(len(tree.below[key]), 2):
            closed.append((key,))
            continue
        place(key, room)
    return closed


def _together(
    tree: _Tree, by_key: dict[str, DrawnNode], keys: Sequence[str], room: int
) -> list[tuple[str, ...]]:
    """`keys` in no more parts than `room`: the ones that most stands behind by themselves, the
    others by package, by repository, or all together."""
    ranked = sorted(keys, key=lambda key: (not by_key[key].is_end, -tree.sizes[key], key))
    if len(ranked) <= room:
        return [(key,) for key in ranked]
    ends = sum(by_key[key].is_end for key in ranked)
    alone = max(ends, room // 2)
    parts = [(key,) for key in ranked[:alone]]
    rest, room = ranked[alone:], max(1, room - alone)
    by_package = {key: by_key[key].cluster or by_key[key].lines[0] for key in rest}
    by_repository = {key: str(by_key[key].fill) for key in rest}
    for group_of in (by_package, by_repository):
        groups: dict[str, list[str]] = {}
        for key in rest:
            groups.setdefault(group_of[key], []).append(key)
        if len(groups) <= room:
            return [*parts, *map(tuple, groups.values())]
    return [*parts, tuple(rest)]


def _box(members: list[DrawnNode], behind_it: list[DrawnNode], drawing: Drawing) -> DrawnNode:
    first = members[0]
    if len(behind_it) == 1:
        return first
    standing = sum(node.stands_for for node in behind_it)
    if len(members) == 1 and not first.is_list:
        behind = f"+ {plural(standing - 1, 'more', 'more')} below"
        return replace(
            first,
            kind=f"{first.kind}, {behind}" if 0 < len(first.kind) < _SHORT else behind,
            tooltip=f"{first.tooltip}\nstands for {standing:,} {drawing.nouns}",
        )
    packages = {node.cluster for node in members}
    package = packages.pop() if len(packages) == 1 else ""
    names = [node.key.removeprefix(package) for node in members[:_NAMES]]
    rest = standing - len(names)
    lines = [line for name in names for line in wrapped(name)]
    return replace(
        first,
        lines=(f"{standing:,} {drawing.nouns}:", *lines, *([f"and {rest:,} more"] if rest else [])),
        tooltip="\n".join([f"{standing:,} {drawing.nouns}", *(node.key for node in members)]),
        cluster=package,
        fill=first.fill if len({node.fill for node in members}) == 1 else -1,
        kind="",
        is_list=True,
        is_unknown=all(node.is_unknown for node in members),
    )


def _arrows(edges: Sequence[DrawnEdge], box_of: dict[str, str]) -> tuple[DrawnEdge, ...]:
    together: dict[tuple[str, str], list[DrawnEdge]] = {}
    for edge in edges:
        ends = box_of[edge.source], box_of[edge.target]
        if ends[0] != ends[1]:
            together.setdefault(ends, []).append(edge)
    return tuple(_arrow(*ends, group) for ends, group in together.items())


def _arrow(source: str, target: str, edges: list[DrawnEdge]) -> DrawnEdge:
    if len(edges) == 1:
        return replace(edges[0], source=source, target=target)
    lines = {edge.line for edge in edges}
    line = next(iter(lines)) if len(lines) == 1 else Line.PLAIN
    if lines == {Line.CONDITIONAL, Line.CONDITIONAL_TOOL}:
        line = Line.CONDITIONAL
    shown = [edge.tooltip for edge in edges[:_NAMES]]
    rest = [f"and {len(edges) - len(shown)} more"] if len(edges) > len(shown) else []
    return replace(
        edges[0],
        source=source,
        target=target,
        lines=(),
        line=line,
        tooltip="\n".join([*shown, *rest]),
        weight=sum(edge.weight for edge in edges),
    )
