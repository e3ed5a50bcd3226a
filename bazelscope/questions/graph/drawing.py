"""The answer to `graph` as a drawing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from bazelscope.base.label import Label, at_sign
from bazelscope.base.source import Location
from bazelscope.questions.graph.answer import Collapse, GraphAnswer, GroupAnswer, GroupLink
from bazelscope.questions.shared.nodes import BranchAnswer, EdgeAnswer, NodeAnswer
from bazelscope.questions.shared.phrases import macro_text, node_kind
from bazelscope.questions.shared.text_flag_conditions import branch_note
from bazelscope.render.counting import plural
from bazelscope.render.drawing import (
    FILLS,
    Drawing,
    DrawnEdge,
    DrawnNode,
    Line,
    clean,
    wrapped,
)

_TOOLTIP_EDGES = 6


def draw_graph(
    answer: GraphAnswer, link: Callable[[Location | None], str] = lambda location: ""
) -> Drawing:
    """A graph of targets, packages or repositories. `link` makes of a place what a click leads
    to."""
    fills = _fills(answer)
    if answer.collapse is not Collapse.NOTHING:
        nodes = tuple(_group_node(group, fills, link(group.location)) for group in answer.groups)
        edges = tuple(_link_edge(link) for link in answer.links)
    else:
        ends = {answer.source.label, answer.target.label if answer.target else None}
        is_large = len(answer.nodes) > _LARGE
        nodes = tuple(
            _target_node(node, node.label in ends, fills, is_large, link(node.location))
            for node in answer.nodes
        )
        edges = tuple(_target_edge(group) for group in _parallel_edges(answer.edges))
    noun, nouns = _NOUNS[answer.collapse]
    hidden = []
    if answer.folded:
        hidden.append(f"{plural(answer.folded, 'target')} folded (--collapse nothing)")
    if answer.hidden_nodes:
        left_out = plural(answer.hidden_nodes, f"more {noun}", f"more {nouns}")
        hidden.append(f"{left_out} left out (--max-nodes)")
    if answer.hidden_levels:
        what = plural(answer.hidden_levels, "target")
        hidden.append(f"{what} further away left out (--levels)")
    return Drawing(
        "bazelscope",
        nodes,
        edges,
        () if len(nodes) > _LARGE else _frames(nodes),
        tuple(hidden),
        ()
        if answer.collapse is Collapse.REPOSITORY
        else tuple(
            (clean(at_sign(name)) if name else "the workspace", fills[name])
            for name in sorted(fills)
        ),
        counts_edges=answer.collapse is not Collapse.NOTHING,
        nouns=nouns,
        title=clean(_title(answer)),
    )


def _title(answer: GraphAnswer) -> str:
    flags = "under these flags" if answer.configured else "through any branch"
    source = answer.source.label or answer.source.asked
    if answer.target is None:
        return f"what {source} depends on {flags}"
    return f"what lies between {source} and {answer.target.label or answer.target.asked} {flags}"


_NOUNS = {
    Collapse.NOTHING: ("target", "targets"),
    Collapse.PACKAGE: ("package", "packages"),
    Collapse.REPOSITORY: ("repository", "repositories"),
}


_LARGE = 150
"""From so many nodes on packages are named in the boxes: a frame for each of them would
make the drawing many times as large, with arrows across all of it."""


def _frames(nodes: tuple[DrawnNode, ...]) -> tuple[str, ...]:
    """The packages of several targets; the others are named in the box of their one."""
    counts = Counter(node.cluster for node in nodes if node.cluster)
    return tuple(sorted(package for package, count in counts.items() if count > 1))


def _fills(answer: GraphAnswer) -> dict[str, int]:
    """A colour for each repository: one of their own for those with the most targets, the
    same for all others. Where boxes are repositories, all external ones have the same."""
    counts = Counter(node.label.repository for node in answer.nodes)
    for group in answer.groups:
        counts[group.repository] += group.targets
    external = sorted(counts.keys() - {""}, key=lambda name: (-counts[name], name))
    if answer.collapse is Collapse.REPOSITORY:
        fills = dict.fromkeys(external, 1)
    else:
        fills = {name: min(number, len(FILLS)) for number, name in enumerate(external, 1)}
    return {"": 0, **fills} if "" in counts else fills


def _target_node(
    node: NodeAnswer, is_end: bool, fills: dict[str, int], is_large: bool, link: str
) -> DrawnNode:
    label = node.label
    kind = node_kind(node)
    if node.macro not in (None, kind):
        kind = f"{node.macro} -> {kind}"
    tooltip = "\n".join(text for text in (str(label), macro_text(node)) if text)
    if node.provenance:
        tooltip += f"\ncontent from: {node.provenance}"
    if node.unknown is not None:
        tooltip += f"\nunknown: {node.unknown}"
    facts = (
        ("label", str(label)),
        ("kind", node.kind),
        ("repository", label.repository),
        ("package", label.package),
        ("macro", node.macro or ""),
        ("location", node.location.short if node.location else ""),
        ("unknown", str(node.unknown) if node.unknown else ""),
    )
    package, name = clean(_package(label)), wrapped(clean(f":{label.name}"))
    return DrawnNode(
        clean(str(label)),
        name,
        clean(tooltip),
        package,
        fills[label.repository],
        is_end,
        node.unknown is not None,
        "" if is_large else clean(kind),
        facts=tuple((key, clean(value)) for key, value in facts),
        link=link,
    )


def _package(label: Label) -> str:
    return str(label.package_id)


def _parallel_edges(edges: tuple[EdgeAnswer, ...]) -> list[list[EdgeAnswer]]:
    """Edges between the same two targets together: they are drawn as one."""
    groups: dict[tuple[Label, Label], list[EdgeAnswer]] = {}
    for edge in edges:
        groups.setdefault((edge.source, edge.target), []).append(edge)
    return [groups[key] for key in sorted(groups)]


def _target_edge(group: list[EdgeAnswer]) -> DrawnEdge:
    first = group[0]
    texts: list[str] = []
    for edge in group:
        texts.append(edge.attribute or edge.kind)
        if edge.branch is not None:
            texts += wrapped(f"if {_short_condition(edge.branch)}", 26)
    places = list(dict.fromkeys(_edge_place(edge) for edge in group))
    if any(edge.is_always for edge in group):
        places.append("whatever the flags, one of these branches is taken")
    conditions = [str(edge.branch.condition) for edge in group if edge.branch]
    facts = (
        ("attribute", " ".join(dict.fromkeys(edge.attribute for edge in group))),
        ("kind", " ".join(dict.fromkeys(edge.kind for edge in group))),
        ("condition", " ".join(dict.fromkeys(conditions))),
        ("location", first.location.short if first.location else ""),
        ("is_conditional", str(all(map(_is_conditional, group))).lower()),
        ("is_tool", str(all(edge.is_tool for edge in group)).lower()),
        ("uncertain", str(first.uncertain) if first.uncertain else ""),
    )
    return DrawnEdge(
        clean(str(first.source)),
        clean(str(first.target)),
        tuple(clean(text) for text in dict.fromkeys(texts)),
        clean("\n".join([f"{first.source} -> {first.target}", *places])),
        _line_of(group),
        len(group),
        tuple((key, clean(value)) for key, value in facts),
    )


def _line_of(group: list[EdgeAnswer]) -> Line:
    """The line of several edges: what holds of all of them."""
    if all(edge.uncertain is not None or edge.kind == "assumed" for edge in group):
        return Line.UNKNOWN
    is_conditional = all(map(_is_conditional, group))
    if all(edge.is_tool for edge in group):
        return Line.CONDITIONAL_TOOL if is_conditional else Line.TOOL
    return Line.CONDITIONAL if is_conditional else Line.PLAIN


def _is_conditional(edge: EdgeAnswer) -> bool:
    return edge.branch is not None and not edge.is_always


def _short_condition(branch: BranchAnswer) -> str:
    # The tooltip has the whole label; beside an arrow its name has to do.
    return "no other branch" if branch.is_default else f":{branch.condition.name}"


def _edge_place(edge: EdgeAnswer) -> str:
    place = f"{edge.location.short}: " if edge.location else ""
    reason = edge.attribute or edge.kind
    if edge.branch is not None:
        reason += f", {branch_note(edge.branch)}"
        if edge.branch.select_at is not None:
            reason += f" (select() at {edge.branch.select_at.short})"
    if edge.is_tool:
        reason += ", for the execution platform"
    if edge.uncertain is not None:
        reason += f", cannot be told: {edge.uncertain}"
    return place + reason


def _group_node(group: GroupAnswer, fills: dict[str, int], link: str) -> DrawnNode:
    count = plural(group.targets, "target")
    place = group.location.short if group.location else ""
    facts = (
        ("label", group.name),
        ("repository", group.repository),
        ("targets", str(group.targets)),
        ("location", place),
    )
    return DrawnNode(
        clean(group.name),
        wrapped(clean(group.name)),
        clean("\n".join(text for text in (group.name, count, place) if text)),
        fill=fills[group.repository],
        is_end=group.holds_end,
        kind=count,
        facts=tuple((key, clean(value)) for key, value in facts),
        link=link,
    )


def _link_edge(link: GroupLink) -> DrawnEdge:
    line = Line.CONDITIONAL if link.conditional == link.edges else Line.PLAIN
    if link.tools == link.edges:
        line = Line.CONDITIONAL_TOOL if line is Line.CONDITIONAL else Line.TOOL
    shown = [
        f"{edge.source} -> {edge.target}, {_edge_place(edge)}"
        for edge in link.examples[:_TOOLTIP_EDGES]
    ]
    if link.edges > len(shown):
        shown.append(f"and {link.edges - len(shown)} more")
    facts = (
        ("edges", str(link.edges)),
        ("conditional", str(link.conditional)),
        ("tools", str(link.tools)),
    )
    return DrawnEdge(
        clean(link.source),
        clean(link.target),
        (),
        clean("\n".join([plural(link.edges, "edge"), *shown])),
        line,
        link.edges,
        facts,
    )
