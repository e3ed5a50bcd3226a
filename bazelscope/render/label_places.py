"""Moves the labels of arrows off other arrows and boxes.

Graphviz leaves room for a label beside its own arrow, and then leads other arrows, and those
between boxes of one rank, through it. A label that something runs through is moved to the
nearest place where nothing does; where there is none nearby, to that where least does.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern

Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

_GROUP = lazy_pattern(r'(<g id="[^"]*" class="(?:node|edge|cluster)">)')
_TEXT = lazy_pattern(
    r'(<text[^>]*? x=")(?P<x>-?[\d.]+)(" y=")(?P<y>-?[\d.]+)("[^>]*? font-size="(?P<size>[\d.]+)"'
    r"[^>]*>)(?P<words>[^<]*)"
)
_LINE = lazy_pattern(r'<path[^>]* d="([^"]*)"')
_OUTLINE = lazy_pattern(r'<(?:path|polygon)[^>]* (?:d|points)="([^"]*)"')
_NUMBER = lazy_pattern(r"-?\d+(?:\.\d+)?")

_PIECES = 12
"""A curve is looked at as so many straight pieces."""
_WIDTH_OF_LETTER, _ABOVE, _BELOW = 0.52, 0.76, 0.24
"""Of the size of a font."""
_RADII = (3.0, 5.0, 7.0, 9.0, 12.0, 15.0, 18.0, 22.0)
_DIRECTIONS = 16
_STAYS = (0.0, 0.0)
_AWAY = 2.0
_NEAR = 90.0
"""Nothing further away, in points, can come to lie below a label that is moved."""


@dataclass(frozen=True, slots=True)
class _Label:
    """The label of the arrow that this part of the file draws along these points."""

    part: int
    box: Box
    arrow: tuple[Point, ...]

    def away(self, by: Point) -> float:
        """How far its middle is then from the arrow."""
        left, top, right, bottom = self.at(by)
        middle = (left + right) / 2, (top + bottom) / 2
        return min((math.dist(middle, point) for point in self.arrow), default=0.0)

    def at(self, by: Point) -> Box:
        left, top, right, bottom = self.box
        return left + by[0], top + by[1], right + by[0], bottom + by[1]


def with_free_labels(svg: bytes) -> bytes:
    """SVG by Graphviz, with labels of arrows where nothing runs through them."""
    parts = _GROUP.split(svg.decode())
    lines: list[tuple[Point, Point]] = []
    boxes: list[Box] = []
    labels: list[_Label] = []
    for at in range(1, len(parts), 2):
        body = parts[at + 1]
        texts = [_box_of(match) for match in _TEXT.finditer(body)]
        if 'class="edge"' in parts[at]:
            curves = [_curve(drawn) for drawn in _LINE.findall(body)]
            lines += [piece for curve in curves for piece in pairwise(curve)]
            if texts:
                points = tuple(point for curve in curves for point in curve)
                labels.append(_Label(at + 1, _around(texts), points))
        elif 'class="node"' in parts[at]:
            boxes += [_bounds(_points(drawn)) for drawn in _OUTLINE.findall(body)]
        else:
            boxes += texts
    if not labels:
        return svg
    edge = _around([*boxes, *(_bounds(line) for line in lines), *(one.box for one in labels)])
    for label, by in _moved(labels, lines, boxes, edge):
        parts[label.part] = _TEXT.sub(lambda match, by=by: _shifted(match, by), parts[label.part])
    return "".join(parts).encode()


def _moved(
    labels: Sequence[_Label], lines: list[tuple[Point, Point]], boxes: list[Box], edge: Box
) -> Iterator[tuple[_Label, Point]]:
    """The labels that lie better elsewhere, and how far away that is."""
    placed = {label.part: label.box for label in labels}
    for label in labels:
        around = _grown(label.box, _NEAR)
        near_lines = [line for line in lines if _overlap(around, _bounds(line)) >= 0]
        others = [box for part, box in placed.items() if part != label.part]
        near_boxes = [box for box in (*boxes, *others) if _overlap(around, box) > 0]

        now = _faults(label.box, near_lines, near_boxes)
        if not now:
            continue
        ways = [(by, label.at(by)) for by in _ways()]
        ranked = [
            (_faults(box, near_lines, near_boxes), _strangeness(label, by), by)
            for by, box in ways
            if box[0] >= edge[0] and box[1] >= edge[1] and box[2] <= edge[2] and box[3] <= edge[3]
        ]
        least, _, best = min(ranked, default=(now, 0.0, _STAYS))
        if least < now:
            placed[label.part] = label.at(best)
            yield label, best


def _faults(box: Box, lines: Iterable[tuple[Point, Point]], boxes: Iterable[Box]) -> int:
    """How many lines run through a box, and other boxes lie over it."""
    return sum(_crosses(line, box) for line in lines) + sum(
        _overlap(box, other) > 0 for other in boxes
    )


def _strangeness(label: _Label, by: Point) -> float:
    """How far a label goes; further from its own arrow counts more, for it may come to stand by
    another one."""
    return math.hypot(*by) + _AWAY * max(0.0, label.away(by) - label.away(_STAYS))


def _ways() -> Iterator[Point]:
    """Where a label may go."""
    for radius in _RADII:
        for number in range(_DIRECTIONS):
            angle = 2 * math.pi * number / _DIRECTIONS
            yield round(radius * math.sin(angle), 2), round(-radius * math.cos(angle), 2)


def _box_of(match: re.Match[str]) -> Box:
    """Where about a line of text lies, whose middle is given."""
    x, y, size = float(match["x"]), float(match["y"]), float(match["size"])
    letters = len(re.sub(r"&[^;]*;", "x", match["words"].replace("&#160;", " ")).strip())
    half = letters * size * _WIDTH_OF_LETTER / 2
    return x - half, y - size * _ABOVE, x + half, y + size * _BELOW


def _shifted(match: re.Match[str], by: Point) -> str:
    x, y = float(match["x"]) + by[0], float(match["y"]) + by[1]
    return f"{match[1]}{x:.2f}{match[3]}{y:.2f}{match[5]}{match['words']}"


def _points(drawn: str) -> list[Point]:
    numbers = [float(number) for number in _NUMBER.findall(drawn)]
    return list(zip(numbers[::2], numbers[1::2], strict=False))


def _curve(drawn: str) -> list[Point]:
    """A chain of cubic curves as straight pieces."""
    points = _points(drawn)
    curve = points[:1]
    for a, b, c, d in zip(points[0::3], points[1::3], points[2::3], points[3::3], strict=False):
        for step in range(1, _PIECES + 1):
            t = step / _PIECES
            u = 1 - t
            w = (u**3, 3 * u * u * t, 3 * u * t * t, t**3)
            curve.append(
                (
                    w[0] * a[0] + w[1] * b[0] + w[2] * c[0] + w[3] * d[0],
                    w[0] * a[1] + w[1] * b[1] + w[2] * c[1] + w[3] * d[1],
                )
            )
    return curve


def _crosses(line: tuple[Point, Point], box: Box) -> bool:
    """Whether a straight piece runs through a box (by Liang and Barsky)."""
    (x, y), (end_x, end_y) = line
    first, last = 0.0, 1.0
    for start, way, low, high in ((x, end_x - x, box[0], box[2]), (y, end_y - y, box[1], box[3])):
        if not way:
            if not low < start < high:
                return False
            continue
        near, far = sorted(((low - start) / way, (high - start) / way))
        first, last = max(first, near), min(last, far)
    return first < last


def _bounds(points: Sequence[Point]) -> Box:
    xs, ys = [point[0] for point in points], [point[1] for point in points]
    return min(xs), min(ys), max(xs), max(ys)


def _around(boxes: Sequence[Box]) -> Box:
    return _bounds([corner for box in boxes for corner in (box[:2], box[2:])])


def _grown(box: Box, by: float) -> Box:
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def _overlap(one: Box, other: Box) -> float:
    """How far two boxes lie within one another, along the side where that is least."""
    return min(
        min(one[2], other[2]) - max(one[0], other[0]), min(one[3], other[3]) - max(one[1], other[1])
    )
