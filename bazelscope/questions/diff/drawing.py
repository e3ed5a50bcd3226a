"""The answer to `diff` as a drawing: where the dependencies of two command lines part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bazelscope.base.label import Label
from bazelscope.base.source import Location
from bazelscope.questions.diff.answer import DependencyDifference, DifferenceAnswer
from bazelscope.questions.drawn.targets import drawn_dependency, drawn_target
from bazelscope.questions.shared.nodes import NodeAnswer
from bazelscope.render.counting import plural
from bazelscope.render.drawing import Drawing, DrawnEdge, DrawnNode, Line, clean

_BOTH, _GAINED, _LOST = 0, 1, 3


def draw_difference(
    answer: DifferenceAnswer, link: Callable[[Location | None], str] = lambda location: ""
) -> Drawing:
    """What was asked about, the targets whose dependencies differ, and what each gains and loses:
    with the branch that does it, and how many targets it brings or takes. `link` makes of a place
    what a click leads to."""
    asked = [target.label for target in answer.targets if target.label is not None]
    nodes: dict[Label, DrawnNode] = {}
    edges: list[DrawnEdge] = []

    def add(node: NodeAnswer, fill: int, kind: str = "") -> None:
        box = drawn_target(node, node.label in asked, {node.label.repository: fill}, False, "")
        nodes[node.label] = replace(box, kind=clean(kind), link=link(node.location))

    for label in asked:
        add(NodeAnswer(label, ""), _BOTH)
    for differences, fill, sign, verb in (
        (answer.gained, _GAINED, "+", "brings"),
        (answer.lost, _LOST, "\N{MINUS SIGN}", "takes"),
    ):
        for one in differences:
            source = one.edge.source
            if source not in nodes:
                add(NodeAnswer(source, "", location=one.edge.location), _BOTH)
                edges += [_on_the_way(start, source) for start in asked]
            others = f" and {plural(one.brings - 1, 'more target')}" if one.brings > 1 else ""
            add(one.node, fill, f"{sign} {verb} this{others}")
            edges.append(_parting(one, sign))
    return Drawing(
        "difference",
        tuple(nodes.values()),
        tuple(edges),
        (),
        (_summary(answer),),
        (("needed before and after", _BOTH), ("gained", _GAINED), ("lost", _LOST)),
        title=clean(f"what {' '.join(answer.after.words) or 'no flags'} change"),
    )


def _parting(one: DependencyDifference, sign: str) -> DrawnEdge:
    edge = replace(one.edge, target=one.node.label)
    drawn = drawn_dependency([edge])
    first, *rest = drawn.lines or ("",)
    return replace(drawn, lines=(f"{sign} {first}", *rest))


def _on_the_way(start: Label, source: Label) -> DrawnEdge:
    text = "by way of others"
    tooltip = f"{start} needs {source}, before and after"
    return DrawnEdge(clean(str(start)), clean(str(source)), (text,), clean(tooltip), Line.PLAIN)


def _summary(answer: DifferenceAnswer) -> str:
    lines = [" ".join(line.words) or "(no flags)" for line in (answer.before, answer.after)]
    counts = f"{answer.more:,} more and {answer.fewer:,} fewer of {answer.after.reached:,} targets"
    return clean(f"{lines[0]}  \N{RIGHTWARDS ARROW}  {lines[1]}: {counts}")
