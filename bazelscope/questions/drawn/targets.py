"""Targets and dependencies as boxes and arrows: what all drawings of targets share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from bazelscope.base.label import Label, at_sign
from bazelscope.base.source import Location
from bazelscope.questions.shared.nodes import BranchAnswer, EdgeAnswer, NodeAnswer
from bazelscope.questions.shared.phrases import macro_text
from bazelscope.questions.shared.text_flag_conditions import branch_note, needs_text
from bazelscope.render.drawing import FILLS, DrawnEdge, DrawnNode, Line, clean, wrapped

LARGE = 150
"""From so many nodes on packages are named in the boxes: a frame for each of them would
make the drawing many times as large, with arrows across all of it."""


def frames(nodes: tuple[DrawnNode, ...]) -> tuple[str, ...]:
    """The packages of several targets; the others are named in the box of their one."""
    counts = Counter(node.cluster for node in nodes if node.cluster)
    return tuple(sorted(package for package, count in counts.items() if count > 1))


def repository_fills(counts: Counter[str]) -> dict[str, int]:
    """A colour for each repository: one of their own for those with the most targets, the same
    for all others."""
    external = sorted(counts.keys() - {""}, key=lambda name: (-counts[name], name))
    fills = {name: min(number, len(FILLS)) for number, name in enumerate(external, 1)}
    return {"": 0, **fills} if "" in counts else fills


def named_fills(fills: dict[str, int]) -> tuple[tuple[str, int], ...]:
    """What the colours of repositories are called in a legend."""
    return tuple(
        (clean(at_sign(name)) if name else "the workspace", fills[name]) for name in sorted(fills)
    )


def drawn_target(
    node: NodeAnswer, is_end: bool, fills: dict[str, int], is_large: bool, link: str
) -> DrawnNode:
    """The box of a target; in a large drawing it does not say what rule it is."""
    label = node.label
    kind = node.shown_kind
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


def parallel_edges(edges: Iterable[EdgeAnswer]) -> list[list[EdgeAnswer]]:
    """Edges between the same two targets together: they are drawn as one."""
    groups: dict[tuple[Label, Label], list[EdgeAnswer]] = {}
    for edge in edges:
        groups.setdefault((edge.source, edge.target), []).append(edge)
    return [groups[key] for key in sorted(groups)]


def place_links(
    nodes: Iterable[NodeAnswer], edges: Iterable[EdgeAnswer], link: Callable[[Location | None], str]
) -> dict[Label, str]:
    """What a click on each target leads to: to its place, or where that is no file of the
    workspace, to the first place that asks for it."""
    links = {node.label: link(node.location) for node in nodes}
    for edge in edges:
        links[edge.target] = links.get(edge.target) or link(edge.location)
    return links


def drawn_dependency(group: list[EdgeAnswer]) -> DrawnEdge:
    """The arrow of several edges between the same two targets: attributes, and conditions."""
    first = group[0]
    texts: list[str] = []
    for edge in group:
        texts.append(edge.attribute or edge.kind)
        if edge.branch is not None:
            texts += wrapped(f"if {_short_condition(edge.branch)}", 26)
        if edge.needs:
            texts += wrapped(f"if {needs_text(edge.needs)}", 26)
    places = list(dict.fromkeys(edge_place(edge) for edge in group))
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
    return bool(edge.needs) or (edge.branch is not None and not edge.is_always)


def _short_condition(branch: BranchAnswer) -> str:
    # The tooltip has the whole label; beside an arrow its name has to do.
    return "no other branch" if branch.is_default else f":{branch.condition.name}"


def edge_place(edge: EdgeAnswer) -> str:
    """Where an edge was written, and why it is there, in a line."""
    place = f"{edge.location.short}: " if edge.location else ""
    reason = edge.attribute or edge.kind
    if edge.branch is not None:
        reason += f", {branch_note(edge.branch)}"
        if edge.branch.select_at is not None:
            reason += f" (select() at {edge.branch.select_at.short})"
    if edge.needs:
        reason += f", if {needs_text(edge.needs)}"
    if edge.is_tool:
        reason += ", for the execution platform"
    if edge.uncertain is not None:
        reason += f", cannot be told: {edge.uncertain}"
    return place + reason
