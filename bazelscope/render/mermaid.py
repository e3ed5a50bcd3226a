"""A drawing as a Mermaid flowchart, which web pages of repositories show as it is.

Mermaid has no tooltips without links: what they would say stands in comments.
"""

from __future__ import annotations

from bazelscope.render.drawing import Drawing, DrawnNode, Line, color_of
from bazelscope.render.shape import is_sideways

_ARROWS = {
    Line.PLAIN: "-->",
    Line.CONDITIONAL: "-.->",
    Line.UNKNOWN: "-.->",
    Line.TOOL: "==>",
    Line.CONDITIONAL_TOOL: "-.->",
}
_STYLES = {
    Line.CONDITIONAL: "stroke:#b35900,color:#8a4500",
    Line.UNKNOWN: "stroke:#b02020,color:#b02020,stroke-dasharray:2 4",
    Line.TOOL: "stroke:#1f6fb2,color:#1f5f95",
    Line.CONDITIONAL_TOOL: "stroke:#1f6fb2,color:#1f5f95",
}


def to_mermaid(drawing: Drawing) -> str:
    """The drawing as Mermaid text."""
    names = {node.key: f"n{number}" for number, node in enumerate(drawing.nodes)}
    lines = [f"flowchart {'LR' if is_sideways(drawing) else 'TB'}"]
    clustered: dict[str, list[DrawnNode]] = {}
    for node in drawing.nodes:
        clustered.setdefault(node.cluster, []).append(node)
    for number, cluster in enumerate(drawing.clusters):
        lines.append(f'  subgraph c{number}["{escaped(cluster)}"]')
        for node in clustered.pop(cluster, ()):
            lines += [
                f"    {line}" for line in _node(names[node.key], node, drawing.lines_of(node))
            ]
        lines.append("  end")
    for node in (node for nodes in clustered.values() for node in nodes):
        lines += [f"  {line}" for line in _node(names[node.key], node, drawing.lines_of(node))]
    by_line: dict[Line, list[int]] = {}
    for number, edge in enumerate(drawing.edges):
        said = "<br/>".join(map(escaped, drawing.lines_at(edge)))
        text = f'|"{said}"|' if said else ""
        lines.append(f"  %% {_comment(edge.tooltip)}")
        lines.append(f"  {names[edge.source]} {_ARROWS[edge.line]}{text} {names[edge.target]}")
        by_line.setdefault(edge.line, []).append(number)
    for number, hidden in enumerate(drawing.hidden):
        lines.append(f'  hidden{number}>"{escaped(hidden)}"]')
    for fill in sorted({node.fill for node in drawing.nodes}):
        lines.append(f"  classDef fill{fill} fill:{color_of(fill)},stroke:#5b6b7b,color:#000")
    if any(node.is_end for node in drawing.nodes):
        lines.append("  classDef asked stroke-width:3px")
    if any(node.is_unknown for node in drawing.nodes):
        lines.append("  classDef unknown stroke:#b02020,stroke-dasharray:4 3")
    for line, style in _STYLES.items():
        if line in by_line:
            lines.append(f"  linkStyle {','.join(map(str, by_line[line]))} {style}")
    return "\n".join(lines) + "\n"


def _node(name: str, node: DrawnNode, said: tuple[str, ...]) -> list[str]:
    classes = [f"fill{node.fill}"]
    classes += ["asked"] if node.is_end else []
    classes += ["unknown"] if node.is_unknown else []
    lines = [f"%% {_comment(node.tooltip)}"]
    lines.append(f'{name}["{"<br/>".join(map(escaped, said))}"]')
    lines.append(f"class {name} {','.join(classes)}")
    return lines


def escaped(text: str) -> str:
    """Text within quotes: Mermaid has entity codes, and reads Markdown and HTML else."""
    out = []
    for character in text:
        if character.isalnum() or character in " /:@.,-_()+=~":
            out.append(character)
        elif character == "\n":
            out.append("<br/>")
        else:
            out.append(f"#{ord(character)};")
    return "".join(out)


def _comment(text: str) -> str:
    # Braces would make a directive of a comment.
    return " | ".join(text.split("\n")).replace("{", "(").replace("}", ")")
