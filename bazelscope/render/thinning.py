"""A dense drawing without the arrows that say nothing new.

An arrow is left out if unconditional arrows lead the longer way round to the same box:
what depends on what stays as it was. Arrows to tools and uncertain ones always stay.
"""

from __future__ import annotations

from dataclasses import replace

from bazelscope.base.graph_orders import strong_components
from bazelscope.render.counting import plural
from bazelscope.render.drawing import Drawing, Line

_THINNED_FROM = 150
"""Edges that a drawing may have before that is done."""

_MAY_GO = frozenset({Line.PLAIN, Line.CONDITIONAL})


def thinned(drawing: Drawing) -> Drawing:
    """`drawing`, or, if it is dense, the same with fewer arrows and a note that says so.

    Boxes on a cycle of unconditional arrows reach each other, so they count as one: their
    arrows among each other stay, and so does one that leads to the next such group.
    """
    if len(drawing.edges) <= _THINNED_FROM:
        return drawing
    after: dict[str, list[str]] = {node.key: [] for node in drawing.nodes}
    for edge in drawing.edges:
        if edge.line is Line.PLAIN:
            after[edge.source].append(edge.target)
    component = strong_components(after)
    steps: list[set[int]] = [set() for _ in range(max(component.values(), default=-1) + 1)]
    for source, targets in after.items():
        steps[component[source]].update(component[target] for target in targets)
    beyond: list[int] = []
    # Components are numbered in the order in which others can be reached from them.
    for number, following in enumerate(steps):
        following.discard(number)
        beyond.append(0)
        for step in following:
            beyond[number] |= 1 << step | beyond[step]

    def goes_round(source: int, target: int) -> bool:
        return source != target and any(
            step != target and beyond[step] >> target & 1 for step in steps[source]
        )

    kept = tuple(
        edge
        for edge in drawing.edges
        if edge.line not in _MAY_GO
        or not goes_round(component[edge.source], component[edge.target])
    )
    left_out = len(drawing.edges) - len(kept)
    if not left_out:
        return drawing
    note = (
        f"{plural(left_out, 'arrow')} left out where others lead the longer way round"
        " (--every-edge)"
    )
    return replace(drawing, edges=kept, hidden=(*drawing.hidden, note))
