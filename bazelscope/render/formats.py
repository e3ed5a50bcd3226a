"""A drawing as a file: text formats by ourselves, SVG by the Graphviz that comes in a wheel,
PNG by the `dot` program where one is installed, or else from the SVG by a wheel, too; PDF by
`dot` alone."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable, Iterable
from pathlib import Path

from bazelscope.base.errors import Diagnostic, UsageError
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.render.dominators import BOXES, opened
from bazelscope.render.drawing import FILLS, Drawing, color_of
from bazelscope.render.folding import folded
from bazelscope.render.format_names import FORMATS
from bazelscope.render.hubs import hubs_apart
from bazelscope.render.label_places import with_free_labels
from bazelscope.render.layout import by_program, by_wheel, to_png
from bazelscope.render.programs import find_program
from bazelscope.render.themes import style_sheet
from bazelscope.render.thinning import thinned

_OTHER_NAMES = {"gv": "dot", "mermaid": "mmd"}
_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"


def draw(
    drawing: Drawing,
    file_format: str,
    every_edge: bool = False,
    keep_out: Path | None = None,
    boxes: int = BOXES,
    reduce: bool = False,
) -> bytes:
    """The content of a file of `file_format`, one of `FORMATS`. A drawing for people has no more
    than about `boxes`, and a dense one no arrows that say little, unless `every_edge` is wanted;
    `reduce`: none that others lead the longer way round, however few. GraphML has everything. No
    program below `keep_out`, the workspace, is run.

    Raises `UsageError` where that takes a program that is not installed, or the drawing
    fails.
    """
    pictures = file_format in ("svg", "png")
    drawings: Iterable[Drawing] = [drawing]
    if file_format != "graphml" and not every_edge and drawing.folds:
        whole = folded(thinned(drawing, reduce))
        counts = _FEWER if pictures and boxes == BOXES else (boxes,)
        drawings = (_of_few(whole, most) for most in counts)
    if pictures:
        if file_format == "png" and find_program("dot", keep_out) is not None:
            # It has fonts of its own, which may be wider than those of the wheel.
            return _best(drawings, lambda dot: by_program(dot, "png", keep_out), painted=False)
        svg = _best(drawings, by_wheel, painted=True)
        svg = with_free_labels(_with_squares(_with_room(svg)))
        return _with_titles(svg) if file_format == "svg" else to_png(svg)
    (drawing,) = drawings
    if file_format == "mmd":
        from bazelscope.render.mermaid import to_mermaid

        return to_mermaid(drawing).encode()
    if file_format == "graphml":
        from bazelscope.render.graphml import to_graphml

        return to_graphml(drawing)
    from bazelscope.render.dot import to_dot

    dot = to_dot(drawing)
    return dot.encode() if file_format == "dot" else by_program(dot, file_format, keep_out)


def _of_few(whole: Drawing, boxes: int) -> Drawing:
    few = opened(whole, boxes)
    if few is not whole and len(few.edges) > _MANY_ARROWS:
        few = thinned(few, always=True)
    return hubs_apart(few)


def _best(drawings: Iterable[Drawing], laid_out: Callable[[str], bytes], painted: bool) -> bytes:
    """The first of these drawings that a screen has room for, or the smallest, as SVG or PNG that
    DOT is laid out to; one that is folded with ranks as rows or as columns, whichever takes less
    of a screen."""
    from bazelscope.render.dot import to_dot

    best, least = b"", math.inf
    for drawing in drawings:
        for way in (False, True) if drawing.is_folded else (None,):
            picture = laid_out(to_dot(drawing, way, painted=painted))
            if (size := _too_large(picture)) < least:
                best, least = picture, size
        if least <= _LEGIBLE:
            break
    return best


_MANY_ARROWS = 20
"""With fewer, a folded drawing has each."""
_FEWER = (BOXES, 22, 16, 12)
"""So many boxes a picture may have, from the first to the last, until a screen has room for it."""

_LEGIBLE = 4 / 3
"""A picture so many times as large as `_SCREEN` is still read: 1,920 pixels wide."""


def _too_large(picture: bytes) -> float:
    """How many times as large as a screen a drawing is, along whichever side is the worse."""
    width: float
    height: float
    if picture.startswith(_PNG):
        width, height = (0.75 * pixels for pixels in struct.unpack_from(">II", picture, 16))
    else:
        size = _SIZE.search(picture)
        width, height = (float(size[1]), float(size[2])) if size else (0.0, 0.0)
    return max(width / _SCREEN[0], height / _SCREEN[1])


_PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
"""What PNG begins with; its width and height in pixels are next."""
_SIZE = lazy_pattern(rb'<svg width="([\d.]+)pt" height="([\d.]+)pt"')
_SCREEN = (1080.0, 675.0)
"""In points: 1440 by 900 pixels."""


def _with_squares(svg: bytes) -> bytes:
    """SVG with squares of colour in the legend, which stands before all boxes."""
    from bazelscope.render.dot import FIRST_SWATCH

    def painted(mark: re.Match[str]) -> str:
        number = (int(mark[1]) if mark[1] else ord(mark[0])) - FIRST_SWATCH
        fill = color_of(number) if number else "#5b6b7b"
        square = "\u25a0" if number else "\u25a1"
        return f'<tspan fill="{fill}" stroke="#5b6b7b" stroke-width="0.4">{square}</tspan>'

    last = FIRST_SWATCH + len(FILLS)
    entities = "|".join(str(code) for code in range(FIRST_SWATCH, last + 1))
    marks = re.compile(f"[{chr(FIRST_SWATCH)}-{chr(last)}]|&#({entities});")
    text = svg.decode()
    first = _FIRST_BOX.search(text)
    end = first.start() if first else len(text)
    above = _TEXTS.sub(lambda text_match: marks.sub(painted, text_match[0]), text[:end])
    return f"{above}{text[end:]}".encode()


_FIRST_BOX = lazy_pattern(r'<g id="[^"]*" class="(?:node|cluster|edge)">')
_TEXTS = lazy_pattern(r">[^<]*</text>")


def format_of(name: str) -> str:
    """The one of `FORMATS` that a file name ending or a name stands for; raises
    `UsageError` for none."""
    lowered = name.lower()
    name_of_ours = _OTHER_NAMES.get(lowered, lowered)
    if name_of_ours not in FORMATS:
        known = ", ".join(f".{known}" for known in FORMATS)
        raise UsageError(
            Diagnostic(
                "unknown-graph-format",
                f"cannot draw a graph as `.{name}`" if name else "the file name has no ending",
                hint=f"end the file name with one of {known}, or say --as FORMAT",
            )
        )
    return name_of_ours


def _with_room(svg: bytes) -> bytes:
    """SVG with somewhat smaller texts than its boxes were made for: where Helvetica and Arial are
    missing, as on most Linux machines, the font that is taken is up to an eighth wider."""

    def smaller(size: re.Match[bytes]) -> bytes:
        return b'font-size="%.2f"' % (float(size[1]) * _ROOM)

    return re.sub(rb'font-size="([\d.]+)"', smaller, svg)


_ROOM = 0.86


def _with_titles(svg: bytes) -> bytes:
    """SVG with a dark theme, whose `<title>`s, which browsers show, say what the tooltips say.

    Graphviz puts the names of nodes there, and tooltips into links that lead nowhere.
    """
    import xml.etree.ElementTree as ElementTree

    ElementTree.register_namespace("", _SVG)
    ElementTree.register_namespace("xlink", _XLINK)
    root = ElementTree.fromstring(svg)
    for group in root.iter(f"{{{_SVG}}}g"):
        title = group.find(f"{{{_SVG}}}title")
        link = group.find(f"./{{{_SVG}}}g/{{{_SVG}}}a")
        if title is not None and link is not None:
            title.text = link.get(f"{{{_XLINK}}}title")
    style = ElementTree.Element(f"{{{_SVG}}}style")
    style.text = style_sheet()
    root.insert(0, style)
    written: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return written + b"\n"
