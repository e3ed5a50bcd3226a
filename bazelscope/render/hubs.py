"""Boxes that half of a drawing leads to, drawn apart: the arrows to them say little, and cross
everything else."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from bazelscope.render.counting import plural
from bazelscope.render.drawing import Drawing, DrawnEdge

FRAME = "needed by many"

_DENSE = 40
"""Arrows that a drawing may have before that is done."""

_FEW_LEAVE = 3
"""So many arrows leave a hub at most: what much hangs on has its place among the others."""

_LEAST = 6
"""Boxes that lead to a hub, at least; and at least one in eight of all."""


def hubs_apart(drawing: Drawing) -> Drawing:
    """`drawing`, or, if it is dense, the same with its hubs in a frame of their own, where each
    says how many lead to it, without these arrows; and a note that says so."""
    if len(drawing.edges) <= _DENSE:
        return drawing
    arriving = Counter(edge.target for edge in drawing.edges)
    least = max(_LEAST, len(drawing.nodes) // 8)
    ends = {node.key for node in drawing.nodes if node.is_end}
    leaving = Counter(edge.source for edge in drawing.edges)
    apart = ends | {node.key for node in drawing.nodes if node.is_list}
    hubs = {
        key
        for key, count in arriving.items()
        if count >= least and key not in apart and leaving[key] <= _FEW_LEAVE
    }
    if not hubs:
        return drawing
    sources: dict[str, list[str]] = {}
    kept: list[DrawnEdge] = []
    for edge in drawing.edges:
        if edge.target in hubs:
            sources.setdefault(edge.target, []).append(edge.source)
        else:
            kept.append(edge)
    nodes = []
    for node in drawing.nodes:
        if node.key not in hubs:
            nodes.append(node)
            continue
        count = len(sources[node.key])
        needed = f"needed by {plural(count, 'box', 'boxes')}"
        lines = node.lines
        if node.cluster:
            whole = node.cluster + node.lines[0]
            lines = (whole, *node.lines[1:]) if len(whole) < 36 else (node.cluster, *node.lines)
        tooltip = "\n".join([node.tooltip, f"{needed}:", *sources[node.key]])
        nodes.append(replace(node, lines=(*lines, needed), tooltip=tooltip, cluster=FRAME))
    left_out = len(drawing.edges) - len(kept)
    note = f"{plural(left_out, 'arrow')} to what is {FRAME} left out (--every-edge)"
    return replace(
        drawing,
        nodes=tuple(nodes),
        edges=tuple(kept),
        clusters=(*drawing.clusters, FRAME),
        hidden=(*drawing.hidden, note),
    )
