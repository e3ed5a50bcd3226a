"""Drawings of hundreds of boxes: folded by dominators, hubs apart, legible in both themes."""

from __future__ import annotations

import math
import re
import struct
from dataclasses import replace
from pathlib import Path

import pytest

from bazelscope.render import formats
from bazelscope.render.dominators import BOXES, opened
from bazelscope.render.dot import _LINES, to_dot
from bazelscope.render.drawing import FILLS, OTHER_FILL, Drawing, DrawnEdge, DrawnNode, Line
from bazelscope.render.folding import folded
from bazelscope.render.formats import draw
from bazelscope.render.hubs import FRAME, hubs_apart
from bazelscope.render.themes import DARK_FILLS, DARK_LINES, DARK_PAGE, DARK_TEXT, style_sheet


def _node(key: str, is_end: bool = False) -> DrawnNode:
    package, _, name = key.partition(":")
    return DrawnNode(key, (f":{name}",), key, package, is_end=is_end)


def _drawing(edges: list[tuple[str, str]], ends: tuple[str, ...]) -> Drawing:
    keys = dict.fromkeys(key for edge in edges for key in edge)
    return Drawing(
        "test",
        tuple(_node(key, key in ends) for key in keys),
        tuple(DrawnEdge(a, b, ("deps",), f"{a} -> {b}") for a, b in edges),
    )


def _wide(count: int) -> Drawing:
    """A start with `count` trees below it, of three boxes each, and one box that all need."""
    edges = []
    for number in range(count):
        top = f"//p{number % 7}:top{number}"
        edges += [("//a:start", top), (top, f"{top}_low"), (top, f"{top}_other")]
        edges.append((f"{top}_low", "//lib:all"))
    return _drawing(edges, ("//a:start",))


@pytest.mark.parametrize("count", [20, 60, 300, 1000])
def test_a_large_drawing_has_no_more_boxes_than_there_is_room_for(count: int) -> None:
    drawing = _wide(count // 3)
    found = opened(drawing)
    assert len(found.nodes) <= BOXES
    if count == 20:
        assert found is drawing
        return
    assert "stand" in found.hidden[0] and "(--boxes N opens more)" in found.hidden[0]
    keys = {node.key for node in found.nodes}
    assert "//a:start" in keys, "what was asked about has its own box"
    assert all({edge.source, edge.target} <= keys for edge in found.edges)
    # Nothing is lost: what the boxes say that they stand for is all that there was.
    standing = sum(_stands_for(node) for node in found.nodes)
    assert standing == len(drawing.nodes)
    for node in found.nodes:
        if node.is_list and node.lines[-1].startswith("and "):
            head, told = (int(node.lines[n].split()[bool(n)].replace(",", "")) for n in (0, -1))
            # Names may be wrapped: a new one begins with its package.
            names = sum(line.startswith(("//", ":")) for line in node.lines)
            assert told == head - names, node.lines


def _stands_for(node: DrawnNode) -> int:
    if node.is_list:
        return int(node.tooltip.partition(" ")[0].replace(",", ""))
    more = re.search(r"\+ ([\d,]+) more below", node.kind)
    return 1 + (int(more[1].replace(",", "")) if more else 0)


def test_a_box_stands_for_what_is_reached_through_it_alone() -> None:
    edges = [("//:top", f"//:side{number}") for number in range(40)]
    edges += [("//:top", "//:one"), ("//:one", "//:below"), ("//:below", "//:deep")]
    edges += [("//:one", "//:shared"), ("//:side0", "//:shared")]
    found = opened(_drawing(edges, ("//:top",)), boxes=3)
    assert [node.kind for node in found.nodes if node.key == "//:one"] == ["+ 2 more below"]
    assert "//:shared" in {node.key for node in found.nodes} or any(
        "//:shared" in node.tooltip for node in found.nodes
    )


def test_both_ends_keep_their_boxes_however_deep() -> None:
    chain = [(f"//:c{n}", f"//:c{n + 1}") for n in range(60)]
    found = opened(_drawing(chain, ("//:c0", "//:c60")), boxes=5)
    assert {"//:c0", "//:c60"} <= {node.key for node in found.nodes if node.is_end}


def test_cycles_and_what_nothing_leads_to_are_drawn_too() -> None:
    edges = [(f"//:r{n}", f"//:r{(n + 1) % 50}") for n in range(50)] + [("//x:a", "//x:b")]
    found = opened(_drawing(edges, ()), boxes=8)
    assert sum(_stands_for(node) for node in found.nodes) == 52


def test_a_hub_stands_apart_and_says_who_needs_it() -> None:
    edges = [("//a:top", f"//a:n{number}") for number in range(30)]
    edges += [(f"//a:n{number}", "//lib:hub") for number in range(30)]
    found = hubs_apart(_drawing(edges, ("//a:top",)))
    (hub,) = (node for node in found.nodes if node.cluster == FRAME)
    assert hub.lines == ("//lib:hub", "needed by 30 boxes")
    assert "//a:n7" in hub.tooltip
    assert not [edge for edge in found.edges if edge.target == "//lib:hub"]
    assert "30 arrows to what is needed by many left out (--every-edge)" in found.hidden


def test_every_edge_and_graphml_draw_all() -> None:
    drawing = _wide(100)
    assert draw(drawing, "graphml").count(b"<node ") == len(drawing.nodes)
    assert draw(drawing, "dot", every_edge=True).count(b" -> ") >= len(drawing.edges)
    assert draw(drawing, "dot").count(b" -> ") < 2 * BOXES


def test_svg_has_both_themes() -> None:
    assert style_sheet() in draw(_wide(2), "svg").decode()


# ---- Colours: contrast as WCAG 2 has it, and as people see them who lack a kind of cone ----


def _linear(color: str) -> tuple[float, float, float]:
    values = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    r, g, b = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values)
    return r, g, b


def _contrast(one: str, other: str) -> float:
    lights = sorted(
        (0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in map(_linear, (one, other))),
        reverse=True,
    )
    return (lights[0] + 0.05) / (lights[1] + 0.05)


THEMES = [
    ("#ffffff", "#000000", dict.fromkeys([*FILLS, OTHER_FILL]), False),
    (DARK_PAGE, DARK_TEXT, DARK_FILLS, True),
]


@pytest.mark.parametrize(("page", "text", "fills", "is_dark"), THEMES, ids=["light", "dark"])
def test_contrast(page: str, text: str, fills: dict[str, str], is_dark: bool) -> None:
    for light in (*FILLS, OTHER_FILL):
        assert _contrast(text, fills[light] if is_dark else light) >= 4.5
    for look in _LINES.values():
        color = look.get("color", "#5b6b7b")
        assert _contrast(DARK_LINES[color] if is_dark else color, page) >= 3
        color = look.get("fontcolor", "#000000")
        shown = DARK_LINES.get(color, DARK_TEXT) if is_dark else color
        assert _contrast(shown, page) >= 4.5


_LACKING = {
    # Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB.
    "protanopia": (
        (0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}  # fmt: skip


def _lab(color: str, lacking: str) -> tuple[float, float, float]:
    r, g, b = (
        min(1.0, max(0.0, sum(a * c for a, c in zip(row, _linear(color), strict=True))))
        for row in _LACKING[lacking]
    )
    x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089
    fx, fy, fz = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


@pytest.mark.parametrize("lacking", _LACKING)
@pytest.mark.parametrize("is_dark", [False, True], ids=["light", "dark"])
def test_arrows_are_told_apart_without_a_kind_of_cone(lacking: str, is_dark: bool) -> None:
    """By colour, or by how they are drawn: dashes, dots, an empty head."""
    looks = {line: _LINES[line] for line in Line}
    for one in Line:
        for other in Line:
            if one is other:
                continue
            drawn = [
                (looks[x].get("style", ""), looks[x].get("arrowhead", "")) for x in (one, other)
            ]
            if drawn[0] != drawn[1]:
                continue
            colors = [looks[x].get("color", "#5b6b7b") for x in (one, other)]
            shown = [DARK_LINES[color] for color in colors] if is_dark else colors
            assert math.dist(*(_lab(color, lacking) for color in shown)) >= 20


def test_every_colour_of_a_drawing_has_a_dark_one() -> None:
    assert {*FILLS, OTHER_FILL} == set(DARK_FILLS)
    for look in _LINES.values():
        assert {look.get("color", "#5b6b7b"), look.get("fontcolor", "#5b6b7b")} <= set(DARK_LINES)


def test_the_legend_is_painted_and_names_of_a_workspace_are_not() -> None:
    odd = "//a:\u2460<b>"
    nodes = (_node(odd, is_end=True), DrawnNode("@r//:x", (":x",), "", "@r//", fill=1))
    drawing = Drawing(
        "test", nodes, (DrawnEdge(odd, "@r//:x", (), odd),), title=odd,
        fills=(("the workspace", 0), ("@r", 1)),
    )  # fmt: skip
    svg = draw(drawing, "svg").decode()
    assert svg.count("<tspan") == 2
    assert 'fill="#dceafa"' in svg.partition("</tspan> @r")[0]
    assert "white: the workspace    blue: @r" in draw(drawing, "dot").decode()


def test_the_legend_names_no_colour_that_no_box_has() -> None:
    nodes = (_node("//a:a", is_end=True), DrawnNode("@r//:x", (":x",), "", "@r//", fill=1))
    drawing = Drawing(
        "test", nodes, (DrawnEdge("//a:a", "@r//:x", (), ""),),
        fills=(("the workspace", 0), ("@r", 1), ("@folded", 2)),
    )  # fmt: skip
    text = draw(drawing, "dot").decode()
    assert "white: the workspace    blue: @r" in text and "@folded" not in text


def test_targets_of_lists_that_are_folded_again_are_all_counted() -> None:
    edges = [("//:top", f"//:side{number}") for number in range(9)]
    edges += [("//:side0", f"//x:leaf{number}") for number in range(40)]
    found = opened(folded(_drawing(edges, ("//:top",))), boxes=3)
    assert sum(_stands_for(node) for node in found.nodes) == 50


def test_a_picture_has_fewer_boxes_where_a_screen_has_no_room_for_as_many() -> None:
    drawing = _wide(100)
    usual, most = (draw(drawing, "svg", boxes=boxes).count(b'class="node"') for boxes in (30, 31))
    assert usual < most <= 31 + 1


def test_the_fonts_of_an_installed_graphviz_say_how_many_boxes_a_png_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: dict[str, int] = {}

    def by_program(dot: str, file_format: str, keep_out: Path | None = None) -> bytes:
        drawn[file_format] = len(re.findall(r"^\s*\"[^\"]+\" \[", dot, re.MULTILINE))
        return formats._PNG + struct.pack(">II", 107 * drawn[file_format], 100)

    monkeypatch.setattr(formats, "by_program", by_program)
    monkeypatch.setattr(formats, "find_program", lambda name, keep_out: Path("dot"))
    draw(_wide(100), "png")
    assert 0 < drawn["png"] * 107 <= 1920


def test_a_picture_in_which_few_arrows_are_joined_says_what_they_are() -> None:
    drawing = _drawing([("//a:a", "//b:b"), ("//b:b", "//c:c")], ("//a:a", "//c:c"))
    whole = replace(drawing, is_folded=True)
    assert to_dot(whole).count("deps") == 2
    joined = replace(whole.edges[1], lines=())
    assert "deps" not in to_dot(replace(whole, edges=(whole.edges[0], joined)))


def test_a_name_in_a_list_stays_whole_beside_what_is_said_of_it() -> None:
    drawing = _drawing(
        [("//a:start", f"//p:quite_a_long_name_{number}") for number in range(40)], ("//a:start",)
    )
    start, first, *others = drawing.nodes
    first = replace(first, kind="brings this and 4 more targets")
    box = folded(replace(drawing, nodes=(start, first, *others))).nodes[1]
    assert box.lines[1:3] == (":quite_a_long_name_0", "    brings this and 4 more targets")
