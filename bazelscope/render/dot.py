"""A drawing as DOT, the text that Graphviz draws; the library `graphviz` writes and quotes it.

Clusters are packages of several targets, colours repositories; dashed arrows hang on a branch,
dotted ones cannot be told, blue ones lead to tools. Every box and arrow has a tooltip.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import graphviz

from bazelscope.render.drawing import FILLS, Drawing, DrawnEdge, DrawnNode, Line, color_of
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


def to_dot(drawing: Drawing, sideways: bool | None = None, painted: bool = False) -> str:
    """The drawing as DOT text; the same drawing is always the same text. `sideways`: with ranks
    as columns; None: as whichever is the less elongated. `painted`: with
    marks in the legend that somebody makes squares of colour of; else it names the colours."""
    digraph = graphviz.Digraph(
        drawing.name,
        graph_attr=_literal(_graph(drawing, sideways)),
        node_attr=_literal(_NODE),
        edge_attr=_literal(_ARROW | ({"color": "#5b6b7bb0"} if drawing.is_dense else {})),
    )
    label = _label(drawing, painted)
    if label:
        digraph.attr(label=label)
    clustered: dict[str, list[DrawnNode]] = {}
    for node in drawing.nodes:
        clustered.setdefault(node.cluster, []).append(node)
    for number, cluster in enumerate(drawing.clusters):
        title = _literal({"label": cluster, "tooltip": cluster})
        with digraph.subgraph(name=f"cluster_{number}", graph_attr=title) as frame:
            for node in clustered.pop(cluster, ()):
                _add_node(frame, node, drawing)
    for nodes in clustered.values():
        for node in nodes:
            _add_node(digraph, node, drawing)
    spans = lengths(drawing)
    for edge in drawing.edges:
        _add_edge(digraph, edge, drawing, spans.get((edge.source, edge.target), 1))
    return str(digraph.source)


_NODE = {
    "shape": "box",
    "style": "rounded,filled",
    "fontname": _FONT,
    "fontsize": "11",
    "color": "#5b6b7b",
    "margin": "0.26,0.06",
    "height": "0.3",
}
_ARROW = {"fontname": _FONT, "fontsize": "9", "color": "#5b6b7b", "arrowsize": "0.7"}


def _graph(drawing: Drawing, sideways: bool | None) -> dict[str, str]:
    """What holds of the whole drawing, and of its frames."""
    is_dense = drawing.is_dense
    if sideways is None:
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
    if _label(drawing, painted=False) or drawing.clusters:
        # On the left fewer arrows cross it.
        graph |= {"labeljust": "l", "labelloc": "t"}
    if len(drawing.edges) > _HARD:
        # Else dot takes minutes to place what gets no clearer by it.
        graph |= {"nslimit": "1", "nslimit1": "1", "mclimit": "0.3"}
    if drawing.clusters:
        graph |= {"style": "rounded", "color": "#c3ccd5", "fontcolor": "#44515e"}
    return graph


def _add_node(digraph: graphviz.Digraph, node: DrawnNode, drawing: Drawing) -> None:
    lines = drawing.lines_of(node)
    attributes = {"tooltip": node.tooltip, "fillcolor": color_of(node.fill)}
    if node.link:
        attributes["URL"] = node.link
    if node.is_end:
        attributes |= {"penwidth": "2.4", "color": "#20303f"}
    if node.is_unknown:
        attributes |= {"style": "rounded,filled,dashed", "color": "#b02020"}
    label = _on_the_left(lines) if node.is_list else literal("\n".join(lines))
    digraph.node(literal(node.key), label, **_literal(attributes))


def _add_edge(digraph: graphviz.Digraph, edge: DrawnEdge, drawing: Drawing, minlen: int) -> None:
    attributes = {"tooltip": edge.tooltip, **_LINES[edge.line]}
    lines = drawing.lines_at(edge)
    if lines and not drawing.is_dense:
        # The spaces keep a label apart from the line that it stands beside.
        attributes["label"] = "\n".join(f"  {line}  " for line in lines)
        attributes["labeltooltip"] = edge.tooltip
    if drawing.counts_edges and edge.weight > 1:
        attributes["penwidth"] = f"{1 + min(math.log10(edge.weight), 3):.1f}"
    if minlen > 1:
        attributes["minlen"] = str(minlen)
    digraph.edge(_End(literal(edge.source)), _End(literal(edge.target)), **_literal(attributes))


def _label(drawing: Drawing, painted: bool) -> str:
    """What stands above a drawing: what was left out, and what the colours and lines mean, as far
    as they occur, in lines of text: that takes no room from the boxes."""
    told: list[str] = []
    if drawing.has_legend:
        told = [f"{_MARKS[line]} {line.value}" for line in drawing.lines_used if line in _MARKS]
        if any(node.is_unknown for node in drawing.nodes):
            told.append("- - - red frame: could not be read")
        fills: dict[int, list[str]] = {}
        shown = {node.fill for node in drawing.nodes}
        for name, fill in drawing.fills:
            if fill in shown:
                fills.setdefault(fill, []).append(name)
        if any(fill < 0 for fill in shown):
            fills.setdefault(len(FILLS), []).insert(0, "several of these")
        if len(fills) > 1:
            told += [_named(fill, names, painted) for fill, names in sorted(fills.items())]
    width = _LETTERS if len(drawing.nodes) < _MANY_BOXES else _LETTERS_OF_MANY_BOXES
    lines = [*drawing.hidden, *_filled(told, width)]
    return _on_the_left(map(_with_room, lines) if painted else lines) if lines else ""


def _filled(parts: Iterable[str], width: int) -> list[str]:
    """Parts side by side, in as few lines of so many letters as they fit into."""
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + len(_GAP) + len(part) <= width:
            lines[-1] += _GAP + part
        else:
            lines.append(part)
    return lines


def _with_room(line: str) -> str:
    """A line that takes somewhat more room than its letters, which other fonts have wider."""
    return line + " " * (len(line) // _LETTERS_OF_A_SPACE)


_LETTERS_OF_A_SPACE = 5


def _named(fill: int, names: list[str], painted: bool) -> str:
    rest = len(names) - _NAMES_IN_LEGEND
    text = ", ".join(names[:_NAMES_IN_LEGEND]) + (f" and {rest} more" if rest > 0 else "")
    number = min(fill, len(FILLS))
    return f"{chr(FIRST_SWATCH + number)} {text}" if painted else f"{_COLORS[number]}: {text}"


_COLORS = ("white", "blue", "green", "orange", "purple", "red", "teal", "yellow", "grey")
"""The names of `FILLS`, and of what all others have."""


_MARKS = {
    Line.CONDITIONAL: "- - >",
    Line.UNKNOWN: ". . >",
    Line.TOOL: "\u2014\u25b7",
    Line.CONDITIONAL_TOOL: "- - \u25b7",
}
"""The arrows of the legend, as text."""

FIRST_SWATCH = 0x2460
"""Stands for a square of the first colour in the text of a legend."""

_GAP = "    "
_LETTERS = 90
_MANY_BOXES = 15
_LETTERS_OF_MANY_BOXES = 150
"""A legend is no wider than the boxes below it mostly are, else it would widen the picture."""

_NAMES_IN_LEGEND = 3

_HARD = 300
"""Arrows that are placed as well as they can be; more of them as well as time allows."""


class _End(str):
    """The name of the box at an end of an arrow. `Digraph.edge` splits a name at its colons,
    into a box and a place on it; names of ours hold colons, and mean the whole box."""

    __slots__ = ()

    def partition(self, separator: str, /) -> tuple[str, str, str]:
        return _plain(self), "", ""


_BACKSLASH = "\N{REVERSE SOLIDUS OPERATOR}"
"""Stands for a backslash, which `graphviz.escape` would double: but Graphviz expands its own
escapes (`\\N`) twice in tooltips, and never in names. No label of Bazel has one."""

_PIECE = 3000
"""Characters, at most five bytes each: Graphviz 2.43 reads no 16 KiB of a string at once."""


def literal(text: str) -> str:
    """`text` for `graphviz`, which quotes it: as a string that Graphviz shows as it is, though
    it reads HTML's entities and, between `<` and `>`, HTML in strings."""
    pieces = [text[at : at + _PIECE] for at in range(0, len(text), _PIECE)]
    # A backslash at the end of a line joins it with the next.
    return _plain("\\\n".join(_escaped(piece) for piece in pieces))


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("\\", _BACKSLASH).replace("\n", "\\n")


def _literal(attributes: dict[str, str]) -> dict[str, str]:
    return {name: literal(value) for name, value in attributes.items()}


def _on_the_left(lines: Iterable[str]) -> str:
    return _plain(literal("".join(f"{line}\n" for line in lines)).replace("\\n", "\\l"))


def _plain(text: str) -> str:
    plain: str = graphviz.nohtml(text)
    return plain
