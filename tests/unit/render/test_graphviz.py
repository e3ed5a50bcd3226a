"""Pictures by a real `dot`: that they show the graph, whatever its names are.

Graphviz of the wheel draws SVG; the installed one draws PNG and PDF. Both get the same DOT,
and must read the same boxes, arrows and texts out of it.
"""

from __future__ import annotations

import json
import struct
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from bazelscope.cli import main
from bazelscope.render.dot import to_dot
from bazelscope.render.drawing import Drawing, Line
from bazelscope.render.folding import folded
from bazelscope.render.formats import draw
from bazelscope.render.layout import by_program, by_wheel
from bazelscope.render.thinning import thinned
from tests.support.parts import FIXTURES, need_dot
from tests.unit.render.test_drawings import CONFIG_DRAWING, HOSTILE, SAMPLES, hostile_drawing
from tests.unit.render.test_large_drawings import dense, fan

_SVG = "{http://www.w3.org/2000/svg}"
_BACKSLASH = "\N{REVERSE SOLIDUS OPERATOR}"

DRAWINGS = {
    **SAMPLES,
    "configs": CONFIG_DRAWING,
    "dense": dense(Line.CONDITIONAL),
    "fan": fan(45),
    "wide fan": fan(20),
}
WEIRD = (
    *HOSTILE,
    "x" * 10_000,
    "&" * 8_000,
    "long/path/" * 1_000,
    "<table>",
    "<<b>>",
    '"',
    "\\",
    "\\l\\r\\n\\E\\T",
    'trailing\\"',
    "a:b:n",
    "&amp;&#10;&nbsp;",
    "; } digraph y {",
    "// # /* */",
    " spaces ",
    "\t",
    "\N{GRINNING FACE}e\N{COMBINING ACUTE ACCENT}\N{RIGHT-TO-LEFT OVERRIDE}",
    "$(id)`id`",
)
PNG = b"\x89PNG\r\n\x1a\n"

Graph = tuple[set[str], set[tuple[str, str]]]


def shown(svg: bytes) -> tuple[list[tuple[str, str]], list[str]]:
    """The boxes and arrows of a picture as Graphviz wrote it, and the texts on it."""
    root = ElementTree.fromstring(svg)
    things = []
    for group in root.iter(f"{_SVG}g"):
        title = group.find(f"{_SVG}title")
        if title is not None and group.get("class") in ("node", "edge"):
            things.append((str(group.get("class")), str(title.text)))
    texts = ["".join((found.text or "").split()) for found in root.iter(f"{_SVG}text")]
    return sorted(things), sorted(texts)


def read_by_dot(dot: str) -> Graph:
    """The boxes and arrows that the real `dot` reads."""
    done = subprocess.run(
        [need_dot(), "-Tjson0"], input=dot.encode(), capture_output=True, check=True
    )
    assert done.stderr == b""
    found = json.loads(done.stdout)
    names = {one["_gvid"]: one["name"] for one in found["objects"] if "nodes" not in one}
    edges = {(names[one["tail"]], names[one["head"]]) for one in found.get("edges", ())}
    return (
        set(names.values()),
        set(edges),
    )


def graph_of(drawing: Drawing) -> Graph:
    return (
        {node.key for node in drawing.nodes},
        {(edge.source, edge.target) for edge in drawing.edges},
    )


@pytest.mark.parametrize("name", DRAWINGS)
def test_both_show_the_graph_that_is_drawn(name: str) -> None:
    need_dot()
    drawing = folded(thinned(DRAWINGS[name]))
    dot = to_dot(drawing)
    assert read_by_dot(dot) == graph_of(drawing)
    assert shown(by_wheel(dot)) == shown(by_program(dot, "svg"))


@pytest.mark.parametrize("text", WEIRD, ids=lambda text: text[:20])
def test_weird_names_are_read_as_they_are_written(text: str) -> None:
    need_dot()
    drawing = hostile_drawing(text)
    dot = to_dot(drawing)
    things, texts = shown(by_program(dot, "svg"))
    assert shown(by_wheel(dot)) == (things, texts)
    boxes = {name for kind, name in things if kind == "node"}
    # Graphviz knows nothing of a newline in a name; Bazel allows none.
    assert boxes == {
        node.key.replace("\\", _BACKSLASH).replace("\n", "\\n") for node in drawing.nodes
    }
    for node in drawing.nodes:
        for line in "\n".join(drawing.lines_of(node)).replace("\\", _BACKSLASH).split("\n"):
            assert "".join(line.split()) in ("", *texts)


@pytest.mark.parametrize("name", DRAWINGS)
def test_png_and_pdf(name: str) -> None:
    """A PNG has the size that Graphviz says the layout has: it is not scaled down."""
    drawing, dot = DRAWINGS[name], need_dot()
    # A number of boxes that is asked for is not brought down to what a screen has room for.
    png = draw(drawing, "png", boxes=31)
    assert png.startswith(PNG)
    done = subprocess.run(
        [dot, "-Tplain"], input=draw(drawing, "dot", boxes=31), capture_output=True, check=True
    )
    inches = [float(number) for number in done.stdout.split()[2:4]]
    # 96 points to the inch of a picture, and a margin of four points at each side.
    expected = [inch * 96 + 8 * 96 / 72 for inch in inches]
    assert struct.unpack(">II", png[16:24]) == pytest.approx(expected, abs=3)
    pdf = draw(drawing, "pdf")
    assert pdf.startswith(b"%PDF-")
    assert pdf.rstrip().endswith(b"%%EOF")


@pytest.mark.parametrize("ending", ["png", "pdf"])
def test_the_command_draws_files(tmp_path: Path, ending: str) -> None:
    need_dot()
    output = tmp_path / f"mkl.{ending}"
    words = ["build_pip_package", "mkl_dnn", "-w", str(FIXTURES / "tf-2.4-mkl"), "--no-cache"]
    assert main(["graph", *words, "-o", str(output)]) == 0
    assert output.read_bytes().startswith(PNG if ending == "png" else b"%PDF-")
    assert output.stat().st_size > 10_000
