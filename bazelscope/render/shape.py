"""Which way a drawing is to run: whichever makes it the less elongated."""

from __future__ import annotations

import math
from collections import Counter

from bazelscope.render.drawing import Drawing

_ACROSS, _BELOW = 170, 80
"""Room that a box takes with its arrow where ranks are rows: beside its neighbour, and below
it. Names are wide and low."""

_RIGHT, _DOWN = 300, 45
"""Room that a box takes with its arrow where ranks are columns: towards the next rank, and below
its neighbour."""

_SCREEN = 1.5
"""How much wider than high a screen is."""


def is_sideways(drawing: Drawing) -> bool:
    """Whether ranks had better be columns, from left to right, than rows."""
    import networkx

    groups = networkx.condensation(drawing.digraph())
    members = groups.nodes(data="members")
    ranks = [
        sum(len(members[group]) for group in rank)
        for rank in networkx.topological_generations(groups)
    ]
    widest = max(ranks, default=0)
    as_rows = max(widest * _ACROSS / _SCREEN, len(ranks) * _BELOW)
    as_columns = max(len(ranks) * _RIGHT / _SCREEN, widest * _DOWN)
    return as_columns < as_rows


_FAN = 12
"""So many boxes that only one other leads to stand in one rank; more of them in several."""


def lengths(drawing: Drawing) -> dict[tuple[str, str], int]:
    """How many ranks arrows have to span that would else end in one long rank: those to
    boxes that nothing leaves, and that only one other leads to."""
    arriving = Counter(edge.target for edge in drawing.edges)
    leaving = {edge.source for edge in drawing.edges}
    fans: dict[str, list[str]] = {}
    for edge in drawing.edges:
        if arriving[edge.target] == 1 and edge.target not in leaving:
            fans.setdefault(edge.source, []).append(edge.target)
    by_edge: dict[tuple[str, str], int] = {}
    for source, targets in fans.items():
        ranks = math.ceil(math.sqrt(len(targets) / _FAN))
        if ranks > 1:
            by_edge |= {(source, t): 1 + number % ranks for number, t in enumerate(targets)}
    return by_edge
