"""A drawing as a file: text formats by ourselves, SVG by the Graphviz that comes in a wheel,
PNG by the `dot` program where one is installed, or else from the SVG by a wheel, too; PDF by
`dot` alone."""

from __future__ import annotations

import re
from pathlib import Path

from bazelscope.base.errors import Diagnostic, UsageError
from bazelscope.render.drawing import Drawing
from bazelscope.render.folding import folded
from bazelscope.render.layout import by_program, by_wheel, to_png
from bazelscope.render.programs import find_program
from bazelscope.render.thinning import thinned

FORMATS = ("dot", "svg", "png", "pdf", "mmd", "graphml")
"""File name endings that `-o` understands, and what `--as` takes."""

_OTHER_NAMES = {"gv": "dot", "mermaid": "mmd"}
_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"


def draw(
    drawing: Drawing, file_format: str, every_edge: bool = False, keep_out: Path | None = None
) -> bytes:
    """The content of a file of `file_format`, one of `FORMATS`. A dense drawing for people
    is thinned unless `every_edge` is wanted; GraphML has everything. No program below
    `keep_out`, the workspace, is run.

    Raises `UsageError` where that takes a program that is not installed, or the drawing
    fails.
    """
    if file_format != "graphml" and not every_edge:
        drawing = folded(thinned(drawing))
    if file_format == "mmd":
        from bazelscope.render.mermaid import to_mermaid

        return to_mermaid(drawing).encode()
    if file_format == "graphml":
        from bazelscope.render.graphml import to_graphml

        return to_graphml(drawing)
    from bazelscope.render.dot import to_dot

    dot = to_dot(drawing)
    if file_format == "dot":
        return dot.encode()
    if file_format == "png" and find_program("dot", keep_out) is None:
        return to_png(_with_room(by_wheel(dot)))
    if file_format == "svg":
        return _with_titles(_with_room(by_wheel(dot)))
    return by_program(dot, file_format, keep_out)


def format_of(name: str) -> str:
    """The one of `FORMATS` that a file name ending or a name stands for; raises
    `UsageError` for none."""
    lowered = name.lower()
    found = _OTHER_NAMES.get(lowered, lowered)
    if found not in FORMATS:
        known = ", ".join(f".{known}" for known in FORMATS)
        raise UsageError(
            Diagnostic(
                "unknown-graph-format",
                f"cannot draw a graph as `.{name}`" if name else "the file name has no ending",
                hint=f"end the file name with one of {known}, or say --as FORMAT",
            )
        )
    return found


def _with_room(svg: bytes) -> bytes:
    """SVG with somewhat smaller texts than its boxes were made for: where Helvetica and Arial are
    missing, as on most Linux machines, the font that is taken is up to an eighth wider."""

    def smaller(size: re.Match[bytes]) -> bytes:
        return b'font-size="%.2f"' % (float(size[1]) * _ROOM)

    return re.sub(rb'font-size="([\d.]+)"', smaller, svg)


_ROOM = 0.88


def _with_titles(svg: bytes) -> bytes:
    """SVG whose `<title>`s, which browsers show, say what the tooltips say.

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
    written: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return written + b"\n"
