"""A drawing as DOT, the text that Graphviz draws.

Clusters are packages of several targets, colours repositories; dashed arrows hang on a branch,
dotted ones cannot be told, blue ones lead to tools. Every box and arrow has a tooltip.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from bazelscope.render.drawing import Drawing, DrawnEdge, DrawnNode, Line, color_of
from bazelscope.render.shape import is_sideways, lengths

_FONT = "Helvetica,Arial,sans-serif"
_LINES: dict[Line, dict[str, str]] = {
    Line.PLAIN: {},
    Line.CONDITIONAL: {"style": "dashed", "color": "#b35900", "fontcolor": "#8a4500"},
    Line.UNKNOWN: {
        "style": "dotted",
        "color": "#b02020",
        "fontcolor": "#b02020",
        "penwidth": "1.6",
    },
    Line.TOOL: {"color": "#1f6fb2", "fontcolor": "#1f5f95", "arrowhead": "empty"},
    Line.CONDITIONAL_TOOL: {
        "style": "dashed",
        "color": "#1f6fb2",
        "fontcolor": "#1f5f95",
        "arrowhead": "empty",
    },
}


def to_dot(drawing: Drawing) -> str:
    """The drawing as DOT text; the same drawing is always the same text."""
    lines = [f"digraph {drawing.name} {{", *_settings(drawing)]
    clustered: dict[str, list[DrawnNode]] = {}
    for node in drawing.nodes:
        clustered.setdefault(node.cluster, []).append(node)
    for number, cluster in enumerate(drawing.clusters):
        lines.append(f"  subgraph cluster_{number} {{")
        attributes = {"label": cluster, "tooltip": cluster}
        lines.append(f"    graph [{_attributes(attributes)}];")
        lines += [
            f"    {_node(node, drawing.lines_of(node))}" for node in clustered.pop(cluster, ())
        ]
        lines.append("  }")
    free = [node for nodes in clustered.values() for node in nodes]
    lines += [f"  {_node(node, drawing.lines_of(node))}" for node in free]
    spans = lengths(drawing)
    for edge in drawing.edges:
        lines.append(f"  {_edge(edge, drawing, spans.get((edge.source, edge.target), 1))}")
    if drawing.has_legend:
        lines += _legend(drawing)
    lines.append("}")
    return "\n".join(lines) + "\n"


def _settings(drawing: Drawing) -> list[str]:
    is_dense = drawing.is_dense
    sideways = is_sideways(drawing)
    ranksep = "0.9" if is_dense and sideways else "0.6" if is_dense else "0.5"
    graph = {
        "rankdir": "LR" if sideways else "TB",
        "fontname": _FONT,
        "fontsize": "11",
        "nodesep": "0.1" if is_dense else "0.3",
        "ranksep": ranksep,
        "tooltip": drawing.title or drawing.name,
    }
    if drawing.hidden or drawing.clusters:
        # On the left fewer arrows cross it.
        graph["labeljust"] = "l"
        graph["labelloc"] = "t"
    if len(drawing.edges) > _HARD:
        # Else dot takes minutes to place what gets no clearer by it.
        graph |= {"nslimit": "1", "nslimit1": "1", "mclimit": "0.3"}
    cluster = {"style": "rounded", "color": "#c3ccd5", "fontcolor": "#44515e"}
    node = {
        "shape": "box",
        "style": "rounded,filled",
        "fontname": _FONT,
        "fontsize": "11",
        "color": "#5b6b7b",
        "margin": "0.26,0.06",
        "height": "0.3",
    }
    edge = {
        "fontname": _FONT,
        "fontsize": "9",
        "color": "#5b6b7bb0" if is_dense else "#5b6b7b",
        "arrowsize": "0.7",
    }
    lines = [
        f"  graph [{_attributes({**graph, **(cluster if drawing.clusters else {})})}];",
        f"  node [{_attributes(node)}];",
        f"  edge [{_attributes(edge)}];",
    ]
    if drawing.hidden:
        lines.append(f"  label={_on_the_left(drawing.hidden)};")
    return lines


def _node(node: DrawnNode, lines: tuple[str, ...]) -> str:
    label = _on_the_left(lines) if node.is_list else quoted("\n".join(lines))
    attributes = {"tooltip": node.tooltip, "fillcolor": color_of(node.fill)}
    if node.is_end:
        attributes["penwidth"] = "2.4"
        attributes["color"] = "#20303f"
    if node.is_unknown:
        attributes["style"] = "rounded,filled,dashed"
        attributes["color"] = "#b02020"
    return f"{quoted(node.key)} [label={label}, {_attributes(attributes)}];"


def _on_the_left(lines: Iterable[str]) -> str:
    return quoted("".join(f"{line}\n" for line in lines)).replace("\\n", "\\l")


def _edge(edge: DrawnEdge, drawing: Drawing, minlen: int) -> str:
    attributes: dict[str, str] = {}
    lines = drawing.lines_at(edge)
    if lines and not drawing.is_dense:
        # The spaces keep a label apart from the line that it stands beside.
        attributes["label"] = "\n".join(f" {line} " for line in lines)
        attributes["labeltooltip"] = edge.tooltip
    attributes["tooltip"] = edge.tooltip
    attributes.update(_LINES[edge.line])
    if drawing.counts_edges and edge.weight > 1:
        attributes["penwidth"] = f"{1 + min(math.log10(edge.weight), 3):.1f}"
    if minlen > 1:
        attributes["minlen"] = str(minlen)
    return f"{quoted(edge.source)} -> {quoted(edge.target)} [{_attributes(attributes)}];"


def _legend(drawing: Drawing) -> list[str]:
    """What the colours and lines mean, as far as they occur."""
    lines = [line for line in drawing.lines_used if line is not Line.PLAIN]
    fills: dict[int, list[str]] = {}
    for name, fill in drawing.fills:
        fills.setdefault(fill, []).append(name)
    if len(fills) < 2:
        fills = {}
    if not lines and not fills:
        return []
    out = ["  subgraph cluster_legend {"]
    title = {"label": "legend", "tooltip": "legend", "style": "rounded", "color": "#c3ccd5"}
    out.append(f"    graph [{_attributes(title)}];")
    for number, (fill, names) in enumerate(sorted(fills.items())):
        more = f" and {len(names) - _NAMES_IN_LEGEND} more" if len(names) > _NAMES_IN_LEGEND else ""
        text = "\n".join(names[:_NAMES_IN_LEGEND]) + more
        box = {"label": text, "fillcolor": color_of(fill), "tooltip": "\n".join(names)}
        out.append(f"    legend_fill_{number} [{_attributes({**box, 'fontsize': '9'})}];")
    for number, line in enumerate(lines):
        wording = {"label": line.value, "tooltip": line.value, "shape": "plaintext", "style": ""}
        wording["fontsize"] = "9"
        point = {"shape": "point", "label": "", "tooltip": line.value, "style": ""}
        point |= {"width": "0.06", "height": "0.06"}
        out.append(f"    legend_from_{number} [{_attributes(point)}];")
        out.append(f"    legend_to_{number} [{_attributes(wording)}];")
        style = _attributes({"tooltip": line.value, **_LINES[line]})
        out.append(f"    legend_from_{number} -> legend_to_{number} [{style}];")
    out.append("  }")
    return out


_NAMES_IN_LEGEND = 3

_HARD = 300
"""Arrows that are placed as well as they can be; more of them as well as time allows."""


def _attributes(attributes: dict[str, str]) -> str:
    return ", ".join(f"{key}={quoted(value)}" for key, value in attributes.items())


_BACKSLASH = "\N{REVERSE SOLIDUS OPERATOR}"
"""Stands for a backslash: Graphviz expands its own escapes (`\\N`) more than once, in names
as in tooltips. No label of Bazel has one."""


_PIECE = 3000
"""Characters, at most five bytes each: Graphviz 2.43 reads no string of 16 KiB. `+` joins them."""


def quoted(text: str) -> str:
    """A DOT string, in which Graphviz reads HTML's entities too."""
    pieces = [text[at : at + _PIECE] for at in range(0, len(text), _PIECE)] or [""]
    return " + ".join(f'"{_escaped(piece)}"' for piece in pieces)


def _escaped(text: str) -> str:
    escaped = text.replace("&", "&amp;").replace("\\", _BACKSLASH).replace('"', '\\"')
    return escaped.replace("\n", "\\n")
