"""A label of an arrow that another arrow or a box runs through is moved, and no other is."""

from __future__ import annotations

import re

import pytest

from bazelscope.render.label_places import with_free_labels

_NODE = (
    '<g id="node{n}" class="node">\n<polygon fill="none" points="{left},{top} {right},{top} '
    '{right},{bottom} {left},{bottom}" />\n</g>\n'
)
_EDGE = '<g id="edge{n}" class="edge">\n<path fill="none" d="{d}" />\n{text}</g>\n'
_TEXT = '<text text-anchor="middle" x="{x}" y="{y}" font-size="10.00">{words}</text>\n'


def _svg(*lines: tuple[str, tuple[float, float] | None], boxes: str = "") -> str:
    edges = [
        _EDGE.format(n=n, d=d, text=_TEXT.format(x=at[0], y=at[1], words="  deps  ") if at else "")
        for n, (d, at) in enumerate(lines)
    ]
    corners = _NODE.format(n=1, left=-200, right=-190, top=-200, bottom=-190)
    corners += _NODE.format(n=2, left=190, right=200, top=190, bottom=200)
    return f"<svg>{corners}{boxes}{''.join(edges)}</svg>"


def _places(svg: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r' x="([-\d.]+)" y="([-\d.]+)"', svg)]


_OWN = "M-100,0C-50,0 50,0 100,0"
_ACROSS = "M-100,-20C-50,-20 50,-20 100,-20"
_CURVED = "M-100,60C-40,-80 40,-80 100,60"
"""At its middle it comes up to -45."""


def test_a_label_beside_its_arrow_stays() -> None:
    svg = _svg((_OWN, (0.0, -6.0)), (_ACROSS, None))
    assert with_free_labels(svg.encode()).decode() == svg


@pytest.mark.parametrize(
    ("lines", "low", "high"),
    [
        pytest.param(((_OWN, (0.0, 2.0)),), -22.0, -2.4, id="its own arrow"),
        pytest.param(((_OWN, (0.0, -18.0)), (_ACROSS, None)), -12.4, -2.4, id="another arrow"),
        pytest.param(((_ACROSS, (0.0, -43.0)), (_CURVED, None)), -60.0, -34.0, id="a curve"),
    ],
)
def test_a_label_is_moved_off_an_arrow(
    lines: tuple[tuple[str, tuple[float, float] | None], ...], low: float, high: float
) -> None:
    before = _svg(*lines)
    ((x, y),) = _places(with_free_labels(before.encode()).decode())
    assert (x, y) != _places(before)[0]
    assert low <= y <= high or abs(x) > 20 or y >= 7.6


def test_a_label_is_moved_off_a_box_and_not_onto_another_label() -> None:
    box = _NODE.format(n=3, left=-10, right=60, top=-30, bottom=-3)
    svg = _svg((_OWN, (0.0, -6.0)), ("M0,40C0,41 0,42 0,43", (-24.0, -6.0)), boxes=box)
    (x, y), other = _places(with_free_labels(svg.encode()).decode())
    half, above, below = 4 * 10 * 0.52 / 2, 7.6, 2.4
    assert other == (-24.0, -6.0)
    assert x + half <= -10 or y - above >= -3 or y + below <= -30
    assert abs(x - other[0]) >= 2 * half or abs(y - other[1]) >= above + below


def test_a_label_stays_where_nothing_is_better() -> None:
    box = _NODE.format(n=3, left=-150, right=150, top=-150, bottom=150)
    svg = _svg(("M0,170C0,171 0,172 0,173", (0.0, 0.0)), boxes=box)
    assert with_free_labels(svg.encode()).decode() == svg
