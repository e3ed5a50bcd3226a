"""Large drawings: which arrows go, which boxes are put together, which way they run."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from itertools import pairwise

import pytest

from bazelscope.render.drawing import Drawing, DrawnEdge, DrawnNode, Line
from bazelscope.render.folding import folded
from bazelscope.render.formats import draw
from bazelscope.render.shape import is_sideways, lengths
from bazelscope.render.thinning import thinned


def dense(line: Line) -> Drawing:
    """Twenty boxes in a row, each with an arrow to every later one."""
    nodes = tuple(DrawnNode(f"n{number:02}", (), "") for number in range(20))
    edges = tuple(
        DrawnEdge(a.key, b.key, (), "", line if index else Line.PLAIN)
        for number, a in enumerate(nodes)
        for index, b in enumerate(nodes[number + 1 :])
    )
    return Drawing("x", nodes, edges)


@pytest.mark.parametrize(
    ("line", "left"),
    [(Line.PLAIN, 19), (Line.CONDITIONAL, 19), (Line.TOOL, 190), (Line.UNKNOWN, 190)],
)
def test_a_dense_drawing_keeps_what_says_something(line: Line, left: int) -> None:
    found = thinned(dense(line))
    assert len(found.edges) == left
    note = "171 arrows left out where others lead the longer way round (--every-edge)"
    assert found.hidden == ((note,) if left == 19 else ())


def test_a_drawing_that_is_not_dense_is_left_alone() -> None:
    drawing = replace(dense(Line.PLAIN), edges=dense(Line.PLAIN).edges[:150])
    assert thinned(drawing) is drawing


def test_cycles_are_not_thinned() -> None:
    drawing = dense(Line.PLAIN)
    back = DrawnEdge("n19", "n00", (), "")
    round_and_round = replace(drawing, edges=(*drawing.edges, back))
    assert thinned(round_and_round) is round_and_round


def test_a_cycle_counts_as_one_box() -> None:
    """a <-> b, and both lead to each of a chain of twenty: one arrow each will do."""
    chain = [f"n{number:02}" for number in range(20)]
    nodes = tuple(DrawnNode(key, (), "") for key in ("a", "b", *chain))
    pairs = [("a", "b"), ("b", "a"), *pairwise(chain)]
    pairs += [(key, far) for far in chain for key in "ab"]
    more = [(near, far) for at, near in enumerate(chain) for far in chain[at + 2 :]]
    edges = tuple(DrawnEdge(one, two, (), "") for one, two in pairs + more)
    found = thinned(Drawing("x", nodes, edges))
    assert {(edge.source, edge.target) for edge in found.edges} == {
        *(("a", "b"), ("b", "a"), ("a", "n00"), ("b", "n00")),
        *pairwise(chain),
    }


def fan(count: int, lines: tuple[str, ...] = ("deps",)) -> Drawing:
    """One box with arrows to so many, the last of them to an end."""
    leaves = [f"//p:{number:03}" for number in range(count)]
    nodes = [DrawnNode("//p:top", (":top",), "top", "//p", is_end=True)]
    nodes += [DrawnNode(key, (key[3:],), f"{key} tip", "//p", kind="rule") for key in leaves]
    nodes.append(DrawnNode("@q//:end", (":end",), "end", "@q//", 1))
    edges = [DrawnEdge("//p:top", key, lines, f"to {key}") for key in leaves]
    edges.append(DrawnEdge(leaves[-1], "@q//:end", (), "to the end"))
    return Drawing("x", tuple(nodes), tuple(edges), clusters=("//p",))


def test_what_has_the_same_arrows_is_one_box_of_a_large_drawing() -> None:
    found = folded(fan(45))
    assert [node.key for node in found.nodes] == ["//p:top", "//p:000", "//p:044", "@q//:end"]
    box = found.nodes[1]
    assert box.lines == (
        "44 \N{MULTIPLICATION SIGN} rule:",
        *(f":{n:03}" for n in range(10)),
        "and 34 more",
    )
    assert box.tooltip.split("\n") == ["44 targets", *(f"//p:{n:03} tip" for n in range(44))]
    assert [(edge.source, edge.target, edge.weight) for edge in found.edges] == [
        ("//p:top", "//p:000", 44),
        ("//p:top", "//p:044", 1),
        ("//p:044", "@q//:end", 1),
    ]
    assert found.hidden == ("1 box stands for 44 targets that have the same arrows (--every-edge)",)


def test_what_differs_keeps_its_box() -> None:
    """Another colour, frame, reason or line, and whatever was asked about."""
    drawing = fan(40)
    changed = list(drawing.nodes)
    changed[1] = replace(changed[1], fill=2)
    changed[2] = replace(changed[2], is_unknown=True)
    changed[3] = replace(changed[3], is_end=True)
    changed[4] = replace(changed[4], cluster="//r")
    edges = list(drawing.edges)
    edges[4] = replace(edges[4], line=Line.CONDITIONAL)
    edges[5] = replace(edges[5], lines=("data",))
    found = folded(
        replace(drawing, nodes=tuple(changed), edges=tuple(edges), clusters=("//p", "//r"))
    )
    own = ["//p:top", *(f"//p:{n:03}" for n in range(6)), "//p:039", "@q//:end"]
    assert sorted(node.key for node in found.nodes) == sorted([*own, "//p:006"])


def test_a_drawing_that_is_not_large_is_not_folded() -> None:
    drawing = fan(20)
    assert folded(drawing) is drawing


def test_a_drawing_runs_the_way_in_which_it_is_less_elongated() -> None:
    assert is_sideways(fan(20))
    assert not is_sideways(fan(4))
    assert not is_sideways(thinned(dense(Line.PLAIN)))


def test_a_fan_stands_in_several_ranks() -> None:
    drawing = fan(49)
    found = lengths(drawing)
    leaves = [("//p:top", f"//p:{number:03}") for number in range(48)]
    assert found == {leaf: 1 + number % 2 for number, leaf in enumerate(leaves)}
    assert lengths(fan(13)) == {}


def test_graphml_has_every_edge_of_a_dense_graph() -> None:
    root = ElementTree.fromstring(draw(dense(Line.PLAIN), "graphml"))
    assert len([found for found in root.iter() if found.tag.endswith("}edge")]) == 190


@pytest.mark.parametrize(
    ("length", "reach", "boxes", "is_told"), [(16, 2, 8, False), (40, 8, 30, True)]
)
def test_arrows_that_a_folded_drawing_leaves_out_are_told(
    length: int, reach: int, boxes: int, is_told: bool
) -> None:
    """A chain of boxes, with arrows to those behind the next."""
    row = [f"n{number:02}" for number in range(length)]
    pairs = [(a, b) for at, a in enumerate(row) for b in row[at + 1 : at + 1 + reach]]
    nodes = tuple(DrawnNode(key, (key,), "") for key in row)
    drawing = Drawing("x", nodes, tuple(DrawnEdge(one, two, (), "") for one, two in pairs))
    text = "".join(ElementTree.fromstring(draw(drawing, "svg", boxes=boxes)).itertext())
    assert ("left out where others lead the longer way round" in text) is is_told
