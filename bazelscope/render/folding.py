"""A large drawing with one box for targets that have the same arrows.

Forty kernels that one target names, and that all lead to the same two libraries, are forty
boxes that differ by name only. One box lists them; its tooltip has the place of each.
"""

from __future__ import annotations

from dataclasses import replace

from bazelscope.render.counting import plural
from bazelscope.render.drawing import Drawing, DrawnEdge, DrawnNode, Line, wrapped

_FOLDED_FROM = 30
"""Boxes that a drawing may have before that is done."""

_FEWEST = 3
"""So many boxes are worth being put into one."""

_NAMES = 10
"""So many names stand in a box; the tooltip has all."""

_LONGEST_NAME = 48
"""Characters of a line; what is wider runs out of its box where fonts are wide."""

_Arrow = tuple[str, Line, tuple[str, ...]]


def folded(drawing: Drawing) -> Drawing:
    """`drawing`, or, if it is large, the same with fewer boxes and a note that says so.

    Boxes are put together that agree in colour, in frame, and in the arrows that lead to
    and from them, with what stands at these. What was asked about keeps its own.
    """
    if len(drawing.nodes) <= _FOLDED_FROM:
        return drawing
    arriving: dict[str, set[_Arrow]] = {}
    leaving: dict[str, set[_Arrow]] = {}
    for edge in drawing.edges:
        leaving.setdefault(edge.source, set()).add((edge.target, edge.line, edge.lines))
        arriving.setdefault(edge.target, set()).add((edge.source, edge.line, edge.lines))
    alike: dict[tuple[object, ...], list[DrawnNode]] = {}
    for node in drawing.nodes:
        key: tuple[object, ...] = (node.key,)
        if not node.is_end:
            into = frozenset(arriving.get(node.key, ()))
            out = frozenset(leaving.get(node.key, ()))
            frame = node.cluster if node.cluster in drawing.clusters else ""
            key = (frame, node.fill, node.is_unknown, into, out)
        alike.setdefault(key, []).append(node)
    listing = [group for group in alike.values() if len(group) >= _FEWEST]
    if not listing:
        return drawing
    box_of = {node.key: node.key for node in drawing.nodes}
    box_of |= {node.key: group[0].key for group in listing for node in group}
    boxes = {group[0].key: _one_box(group, drawing.nouns) for group in listing}
    nodes = tuple(
        boxes.get(node.key, node) for node in drawing.nodes if box_of[node.key] == node.key
    )
    together: dict[tuple[str, str], list[DrawnEdge]] = {}
    for edge in drawing.edges:
        together.setdefault((box_of[edge.source], box_of[edge.target]), []).append(edge)
    note = (
        f"{plural(len(listing), 'box stands', 'boxes stand')} for {sum(map(len, listing)):,}"
        f" {drawing.nouns} that have the same arrows (--every-edge)"
    )
    return replace(
        drawing,
        nodes=nodes,
        edges=tuple(
            _one_arrow(source, target, edges) for (source, target), edges in together.items()
        ),
        hidden=(*drawing.hidden, note),
    )


def _one_box(group: list[DrawnNode], nouns: str) -> DrawnNode:
    first = group[0]
    package = first.cluster if len({node.cluster for node in group}) == 1 else ""
    kind = first.kind if len({node.kind for node in group}) == 1 else ""
    shown = group if len(group) <= _NAMES + 1 else group[:_NAMES]
    more = [f"and {len(group) - len(shown)} more"] if len(shown) < len(group) else []
    lines = [line for node in shown for line in _named(node, package, "" if kind else node.kind)]
    return replace(
        first,
        lines=(
            f"{len(group)} \N{MULTIPLICATION SIGN} {kind}:" if kind else f"{len(group)} {nouns}:",
            *lines,
            *more,
        ),
        tooltip="\n".join([f"{len(group)} {nouns}", *(node.tooltip for node in group)]),
        cluster=package,
        kind="",
        is_list=True,
        stands_for=len(group),
    )


def _named(node: DrawnNode, package: str, kind: str) -> tuple[str, ...]:
    """A name in a list and what it is, beside it where there is room."""
    name = node.key.removeprefix(package)
    whole = f"{name}  {kind}".rstrip()
    if len(whole) <= _LONGEST_NAME or not kind:
        return wrapped(whole, _LONGEST_NAME)
    return (*wrapped(name, _LONGEST_NAME), f"    {kind}")


def _one_arrow(source: str, target: str, edges: list[DrawnEdge]) -> DrawnEdge:
    first = edges[0]
    if len(edges) == 1:
        return replace(first, source=source, target=target)
    return replace(
        first,
        source=source,
        target=target,
        tooltip="\n".join(dict.fromkeys(edge.tooltip for edge in edges)),
        weight=sum(edge.weight for edge in edges),
    )
