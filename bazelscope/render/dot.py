"""A drawing as DOT, the text that Graphviz draws.

Clusters are packages, colours repositories; dashed arrows hang on a select() branch,
dotted ones cannot be told, blue ones lead to tools. Every box and arrow has a tooltip.
"""

from __future__ import annotations

from bazelscope.render.drawing import FILLS, Drawing, DrawnEdge, DrawnNode, Line

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
        lines += [f"    {_node(node)}" for node in clustered.get(cluster, ())]
        lines.append("  }")
    lines += [f"  {_node(node)}" for node in clustered.get("", ())]
    lines += [f"  {_edge(edge, drawing.is_dense)}" for edge in drawing.edges]
    for number, text in enumerate(drawing.hidden):
        note = {"label": text, "tooltip": text, "shape": "note", "style": "filled"}
        lines.append(f"  hidden_{number} [{_attributes({**note, 'fillcolor': '#ffffe0'})}];")
    if drawing.has_legend:
        lines += _legend(drawing)
    lines.append("}")
    return "\n".join(lines) + "\n"


def _settings(drawing: Drawing) -> list[str]:
    is_dense = drawing.is_dense
    ranksep = "0.9" if is_dense and drawing.is_sideways else "0.6" if is_dense else "0.5"
    graph = {
        "rankdir": "LR" if drawing.is_sideways else "TB",
        "fontname": _FONT,
        "fontsize": "11",
        "nodesep": "0.1" if is_dense else "0.3",
        "ranksep": ranksep,
        "tooltip": drawing.name,
    }
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
    return [
        f"  graph [{_attributes({**graph, **(cluster if drawing.clusters else {})})}];",
        f"  node [{_attributes(node)}];",
        f"  edge [{_attributes(edge)}];",
    ]


def _node(node: DrawnNode) -> str:
    attributes = {
        "label": "\n".join(node.lines),
        "tooltip": node.tooltip,
        "fillcolor": FILLS[node.fill],
    }
    if node.is_end:
        attributes["penwidth"] = "2.4"
        attributes["color"] = "#20303f"
    if node.is_unknown:
        attributes["style"] = "rounded,filled,dashed"
        attributes["color"] = "#b02020"
    return f"{quoted(node.key)} [{_attributes(attributes)}];"


def _edge(edge: DrawnEdge, is_dense: bool) -> str:
    attributes: dict[str, str] = {}
    if edge.lines and not is_dense:
        # The spaces keep a label apart from the line that it stands beside.
        attributes["label"] = "\n".join(f" {line} " for line in edge.lines)
        attributes["labeltooltip"] = edge.tooltip
    attributes["tooltip"] = edge.tooltip
    attributes.update(_LINES[edge.line])
    return f"{quoted(edge.source)} -> {quoted(edge.target)} [{_attributes(attributes)}];"


def _legend(drawing: Drawing) -> list[str]:
    """What the colours and lines mean, as far as they occur."""
    lines = [line for line in drawing.lines_used if line is not Line.PLAIN]
    fills: dict[int, list[str]] = {}
    for name, fill in drawing.fills:
        fills.setdefault(fill, []).append(name)
    if not lines and len(fills) < 2:
        return []
    out = ["  subgraph cluster_legend {"]
    title = {"label": "legend", "tooltip": "legend", "style": "rounded", "color": "#c3ccd5"}
    out.append(f"    graph [{_attributes(title)}];")
    for number, (fill, names) in enumerate(sorted(fills.items())):
        more = f" and {len(names) - _NAMES_IN_LEGEND} more" if len(names) > _NAMES_IN_LEGEND else ""
        text = "\n".join(names[:_NAMES_IN_LEGEND]) + more
        box = {"label": text, "fillcolor": FILLS[fill], "tooltip": "\n".join(names)}
        out.append(f"    legend_fill_{number} [{_attributes({**box, 'fontsize': '9'})}];")
    for number, line in enumerate(lines):
        wording = {"label": line.value, "tooltip": line.value, "shape": "plaintext", "style": ""}
        wording["fontsize"] = "9"
        point = {"shape": "point", "label": "", "tooltip": line.value, "style": ""}
        out.append(f"    legend_from_{number} [{_attributes(point)}];")
        out.append(f"    legend_to_{number} [{_attributes(wording)}];")
        style = _attributes({"tooltip": line.value, **_LINES[line]})
        out.append(f"    legend_from_{number} -> legend_to_{number} [{style}];")
    out.append("  }")
    return out


_NAMES_IN_LEGEND = 3


def _attributes(attributes: dict[str, str]) -> str:
    return ", ".join(f"{key}={quoted(value)}" for key, value in attributes.items())


_BACKSLASH = "\N{REVERSE SOLIDUS OPERATOR}"
"""Stands for a backslash: Graphviz expands its own escapes (`\\N`) more than once, in names
as in tooltips. No label of Bazel has one."""


def quoted(text: str) -> str:
    """A DOT string, in which Graphviz reads HTML's entities too."""
    escaped = text.replace("&", "&amp;").replace("\\", _BACKSLASH).replace('"', '\\"')
    return '"' + escaped.replace("\n", "\\n") + '"'
