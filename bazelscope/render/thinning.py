"""A dense drawing without the arrows that say nothing new.

An arrow is left out if unconditional arrows lead the longer way round to the same box:
what depends on what stays as it was. Arrows to tools and uncertain ones always stay.
"""

from __future__ import annotations

from dataclasses import replace

from bazelscope.render.counting import plural
from bazelscope.render.drawing import Drawing, Line

_THINNED_FROM = 150
"""Edges that a drawing may have before that is done."""

_NOTE = " left out where others lead the longer way round (--every-edge)"
_MAY_GO = frozenset({Line.PLAIN, Line.CONDITIONAL})


def thinned(drawing: Drawing, always: bool = False) -> Drawing:
    """`drawing`, or, if it is dense or that is wanted `always`, the same with fewer arrows and a
    note that says so.

    Boxes on a cycle of unconditional arrows reach each other, so they count as one: their
    arrows among each other stay, and so does one that leads to the next such group.
    """
    if len(drawing.edges) <= _THINNED_FROM and not always:
        return drawing
    import networkx

    groups = networkx.condensation(drawing.digraph((Line.PLAIN,)))
    group_of = groups.graph["mapping"]
    reached = networkx.transitive_closure_dag(groups)
    needed = networkx.transitive_reduction(groups)

    def goes_round(source: int, target: int) -> bool:
        return reached.has_edge(source, target) and not needed.has_edge(source, target)

    kept = tuple(
        edge
        for edge in drawing.edges
        if edge.line not in _MAY_GO or not goes_round(group_of[edge.source], group_of[edge.target])
    )
    left_out = len(drawing.edges) - len(kept)
    if not left_out:
        return drawing
    # Of what was thinned before it was folded, both are told.
    again = "more " if any(note.endswith(_NOTE) for note in drawing.hidden) else ""
    note = f"{plural(left_out, f'{again}arrow')}{_NOTE}"
    return replace(drawing, edges=kept, hidden=(*drawing.hidden, note))
