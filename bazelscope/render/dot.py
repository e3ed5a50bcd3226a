"""A graph answer as DOT, the text that Graphviz draws.

Colours tell repositories apart, dashed edges hang on a select() branch; every node and
edge carries its place as a tooltip. Labels wrap at slashes, so that boxes stay narrow.
"""

from __future__ import annotations

from bazelscope.explain.flag_answers import ConfigsAnswer
from bazelscope.explain.nodes import BranchAnswer, EdgeAnswer, NodeAnswer
from bazelscope.explain.path_answers import GraphAnswer
from bazelscope.label import Label
from bazelscope.render.phrases import macro_text, node_kind

_FILLS = ("#ffffff", "#e8f1fb", "#eaf6ea", "#fdf1e3", "#f5eafa", "#fbeaea", "#eef7f7", "#f7f7e6")
_WIDEST_LINE = 34
_NODE_STYLE = (
    '  node [shape=box, style="rounded,filled", fontname="Helvetica,Arial,sans-serif", fontsize=11,'
    ' color="#5b6b7b", margin="0.28,0.07"];'
)
_EDGE_STYLE = (
    '  edge [fontname="Helvetica,Arial,sans-serif", fontsize=9, color="#5b6b7b", arrowsize=0.7];'
)


def to_dot(answer: GraphAnswer) -> str:
    """The graph as DOT text, nodes and edges sorted."""
    ends = {answer.source.label, answer.target.label if answer.target else None}
    fills = _fill_of_repository(answer)
    lines = [
        "digraph bazelscope {",
        '  graph [rankdir=TB, fontname="Helvetica,Arial,sans-serif", nodesep=0.3, ranksep=0.45];',
        _NODE_STYLE,
        _EDGE_STYLE,
    ]
    for node in answer.nodes:
        attributes = {
            "label": _node_label(node),
            "tooltip": f"{node.label}\n{macro_text(node)}",
            "fillcolor": fills[node.label.repository],
        }
        if node.label in ends:
            attributes["penwidth"] = "2.2"
        if node.unknown is not None:
            attributes["style"] = "rounded,filled,dashed"
        lines.append(f"  {_quoted(str(node.label))} [{_attributes(attributes)}];")
    for group in _parallel_edges(answer.edges):
        lines.append(_edge_line(group))
    if answer.hidden_nodes:
        more = f"{answer.hidden_nodes} more targets are left out"
        note = {"label": more, "shape": "note", "fillcolor": "white"}
        lines.append(f"  {_quoted('...')} [{_attributes(note)}];")
    lines.append("}")
    return "\n".join(lines) + "\n"


def configs_to_dot(answer: ConfigsAnswer) -> str:
    """Which named config pulls in which, as DOT text."""
    lines = [
        "digraph configs {",
        '  graph [rankdir=LR, fontname="Helvetica,Arial,sans-serif", nodesep=0.15, ranksep=0.6];',
        _NODE_STYLE,
        _EDGE_STYLE,
    ]
    for config in answer.configs:
        options = [line.text for section in config.sections for line in section.lines]
        places = [section.lines[0].location.short for section in config.sections if section.lines]
        attributes = {
            "label": config.name,
            "tooltip": "\n".join([*places, *options]) or config.name,
            "fillcolor": _FILLS[1] if config.pulls_in else _FILLS[0],
        }
        if config.name == answer.asked:
            attributes["penwidth"] = "2.2"
        lines.append(f"  {_quoted(config.name)} [{_attributes(attributes)}];")
        for missing in config.missing:
            attributes = {"style": "rounded,dashed", "color": "#b02020"}
            lines.append(f"  {_quoted(missing)} [{_attributes(attributes)}];")
        for inner in config.pulls_in:
            lines.append(f"  {_quoted(config.name)} -> {_quoted(inner)};")
    lines.append("}")
    return "\n".join(lines) + "\n"


def _fill_of_repository(answer: GraphAnswer) -> dict[str, str]:
    repositories = sorted({node.label.repository for node in answer.nodes})
    return {name: _FILLS[index % len(_FILLS)] for index, name in enumerate(repositories)}


def _node_label(node: NodeAnswer) -> str:
    label = node.label
    package = f"@{label.repository}//{label.package}" if label.repository else f"//{label.package}"
    kind = node_kind(node)
    if node.macro not in (None, kind):
        kind = f"{node.macro} -> {kind}"
    return "\n".join([*_wrapped(package), f":{label.name}", kind])


def _wrapped(path: str) -> list[str]:
    """`path` cut behind slashes into lines of a readable width."""
    lines = [""]
    for piece in path.replace("/", "/\0").split("\0"):
        if lines[-1] and len(lines[-1]) + len(piece) > _WIDEST_LINE:
            lines.append("")
        lines[-1] += piece
    return lines


def _parallel_edges(edges: tuple[EdgeAnswer, ...]) -> list[list[EdgeAnswer]]:
    """Edges between the same two targets together: they are drawn as one."""
    groups: dict[tuple[Label, Label], list[EdgeAnswer]] = {}
    for edge in edges:
        groups.setdefault((edge.source, edge.target), []).append(edge)
    return [groups[key] for key in sorted(groups)]


def _edge_line(group: list[EdgeAnswer]) -> str:
    first = group[0]
    texts = list(dict.fromkeys(_edge_text(edge) for edge in group))
    places = list(dict.fromkeys(_edge_place(edge) for edge in group))
    # The spaces keep a label apart from the line that it stands beside.
    label = "\n".join(f" {line} " for text in texts for line in text.split("\n"))
    attributes = {"label": label, "tooltip": "\n".join(places)}
    if all(edge.branch is not None for edge in group):
        attributes["style"] = "dashed"
        attributes["color"] = "#b35900"
        attributes["fontcolor"] = "#8a4500"
    return (
        f"  {_quoted(str(first.source))} -> {_quoted(str(first.target))}"
        f" [{_attributes(attributes)}];"
    )


def _edge_text(edge: EdgeAnswer) -> str:
    text = edge.attribute or edge.kind
    if edge.branch is not None:
        text += f"\nif {_condition_text(edge.branch)}"
    return text


def _condition_text(branch: BranchAnswer) -> str:
    return "default" if branch.is_default else branch.condition.shorthand


def _edge_place(edge: EdgeAnswer) -> str:
    place = f"{edge.location.short}: " if edge.location else ""
    reason = _edge_text(edge).replace("\n", " ")
    return place + reason


def _attributes(attributes: dict[str, str]) -> str:
    return ", ".join(f"{key}={_quoted(value)}" for key, value in attributes.items())


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
