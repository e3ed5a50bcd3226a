"""The answer to `graph` as a drawing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from bazelscope.base.source import Location
from bazelscope.questions.drawn.targets import (
    LARGE,
    drawn_dependency,
    drawn_target,
    edge_place,
    frames,
    named_fills,
    parallel_edges,
    place_links,
    repository_fills,
)
from bazelscope.questions.graph.answer import NOUNS, Collapse, GraphAnswer, GroupAnswer, GroupLink
from bazelscope.render.counting import plural
from bazelscope.render.drawing import Drawing, DrawnEdge, DrawnNode, Line, clean, wrapped

_TOOLTIP_EDGES = 6


def draw_graph(
    answer: GraphAnswer, link: Callable[[Location | None], str] = lambda location: ""
) -> Drawing:
    """A graph of targets, packages or repositories. `link` makes of a place what a click leads
    to."""
    fills = _fills(answer)
    if answer.collapse is not Collapse.NOTHING:
        asked_at = {one.target: one.examples[0].location for one in answer.links if one.examples}
        nodes = tuple(
            _group_node(group, fills, link(group.location) or link(asked_at.get(group.name)))
            for group in answer.groups
        )
        edges = tuple(_link_edge(link) for link in answer.links)
    else:
        ends = {answer.source.label, answer.target.label if answer.target else None}
        is_large = len(answer.nodes) > LARGE
        links = place_links(answer.nodes, answer.edges, link)
        nodes = tuple(
            drawn_target(node, node.label in ends, fills, is_large, links[node.label])
            for node in answer.nodes
        )
        edges = tuple(drawn_dependency(group) for group in parallel_edges(answer.edges))
    noun, nouns = NOUNS[answer.collapse]
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
        () if len(nodes) > LARGE else frames(nodes),
        tuple(hidden),
        () if answer.collapse is Collapse.REPOSITORY else named_fills(fills),
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


def _fills(answer: GraphAnswer) -> dict[str, int]:
    """A colour for each repository; where boxes are repositories, all external ones have the
    same."""
    counts = Counter(node.label.repository for node in answer.nodes)
    for group in answer.groups:
        counts[group.repository] += group.targets
    fills = repository_fills(counts)
    if answer.collapse is Collapse.REPOSITORY:
        return {name: min(fill, 1) for name, fill in fills.items()}
    return fills


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
        f"{edge.source} -> {edge.target}, {edge_place(edge)}"
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
