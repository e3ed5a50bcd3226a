"""A dense drawing without the arrows that say nothing new.

An arrow is left out if unconditional arrows lead the longer way round to the same box:
what depends on what stays as it was. Arrows to tools and uncertain ones always stay.
"""

from __future__ import annotations

from dataclasses import replace

from bazelscope.render.drawing import Drawing, Line

_THINNED_FROM = 150
"""Edges that a drawing may have before that is done."""

_MAY_GO = frozenset({Line.PLAIN, Line.CONDITIONAL})


def thinned(drawing: Drawing) -> Drawing:
    """`drawing`, or, if it is dense, the same with fewer arrows and a note that says so."""
    if len(drawing.edges) <= _THINNED_FROM:
        return drawing
    bits = {node.key: 1 << index for index, node in enumerate(drawing.nodes)}
    after: dict[str, list[str]] = {}
    for edge in drawing.edges:
        if edge.line is Line.PLAIN:
            after.setdefault(edge.source, []).append(edge.target)
    beyond = _reachable(after, bits)
    if beyond is None:
        return drawing
    kept = tuple(
        edge
        for edge in drawing.edges
        if edge.line not in _MAY_GO
        or not any(
            step != edge.target and beyond[step] & bits[edge.target]
            for step in after.get(edge.source, ())
        )
    )
    left_out = len(drawing.edges) - len(kept)
    if not left_out:
        return drawing
    note = f"{left_out} arrows left out where others lead the longer way round (--every-edge)"
    return replace(drawing, edges=kept, hidden=(*drawing.hidden, note))


def _reachable(after: dict[str, list[str]], bits: dict[str, int]) -> dict[str, int] | None:
    """For each box, those that it leads to, as bits; None if there is a cycle."""
    arriving = dict.fromkeys(bits, 0)
    for targets in after.values():
        for target in targets:
            arriving[target] += 1
    free = [key for key, count in arriving.items() if not count]
    ordered: list[str] = []
    while free:
        key = free.pop()
        ordered.append(key)
        for target in after.get(key, ()):
            arriving[target] -= 1
            if not arriving[target]:
                free.append(target)
    if len(ordered) < len(bits):
        return None
    beyond: dict[str, int] = {}
    for key in reversed(ordered):
        found = 0
        for target in after.get(key, ()):
            found |= bits[target] | beyond[target]
        beyond[key] = found
    return beyond
