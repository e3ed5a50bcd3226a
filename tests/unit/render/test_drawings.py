"""Drawings in every format: golden files, hostile names, what is thinned and what is said."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.base.errors import UsageError
from bazelscope.base.label import Label
from bazelscope.base.source import Location
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.cli import main
from bazelscope.questions.configs.drawing import draw_configs
from bazelscope.questions.graph.answer import Collapse, GraphAnswer, GroupAnswer, GroupLink
from bazelscope.questions.graph.drawing import draw_graph
from bazelscope.questions.shared.nodes import BranchAnswer, EdgeAnswer, NodeAnswer
from bazelscope.render.dot import to_dot
from bazelscope.render.drawing import Drawing, DrawnEdge, DrawnNode, clean, wrapped
from bazelscope.render.formats import draw, format_of
from bazelscope.render.mermaid import escaped
from tests.unit.questions.golden import check_golden
from tests.unit.questions.samples import CONFIGS, GRAPH

TOOL = Label("", "core", "gen")
GONE = Label("gone", "x", "y")
FULL = replace(
    GRAPH,
    nodes=(
        *GRAPH.nodes,
        NodeAnswer(TOOL, "py_binary rule", Location("core/BUILD", 1, 1)),
        NodeAnswer(GONE, "", unknown=Unknown(Reason.NOT_FETCHED, "@gone")),
    ),
    edges=(
        *GRAPH.edges,
        EdgeAnswer(GRAPH.nodes[1].label, TOOL, "tools", "attribute", is_tool=True),
        EdgeAnswer(
            TOOL,
            GONE,
            "deps",
            "attribute",
            Location("core/BUILD", 3, 1),
            uncertain=Unknown(Reason.NOT_FETCHED, "@gone//:cond"),
        ),
    ),
)
"""A graph with an arrow of every kind."""
COLLAPSED = replace(
    GRAPH,
    nodes=(),
    edges=(),
    collapse=Collapse.PACKAGE,
    groups=(
        GroupAnswer("//app", "", 3, Location("app/BUILD", 3, 1), holds_end=True),
        GroupAnswer("@mkl_dnn//", "mkl_dnn", 1),
    ),
    links=(GroupLink("//app", "@mkl_dnn//", 5, 5, 0, GRAPH.edges[1:]),),
    hidden_nodes=1,
    hidden_levels=7,
)
SAMPLES = {"graph": draw_graph(FULL), "collapsed": draw_graph(COLLAPSED)}
CONFIG_DRAWING = draw_configs(CONFIGS)


@pytest.mark.parametrize("ending", ["dot", "mmd", "graphml"])
@pytest.mark.parametrize("name", SAMPLES)
def test_golden(name: str, ending: str) -> None:
    check_golden(f"{name}.{ending}", draw(SAMPLES[name], ending).decode())


def test_golden_configs() -> None:
    check_golden("configs.dot", to_dot(CONFIG_DRAWING))
    check_golden("configs.mmd", draw(CONFIG_DRAWING, "mmd").decode())


def titles(svg: bytes) -> set[str]:
    root = ElementTree.fromstring(svg)
    return {str(found.text) for found in root.iter("{http://www.w3.org/2000/svg}title")}


def test_svg_says_in_titles_what_tooltips_say() -> None:
    drawing = SAMPLES["graph"]
    drawn = draw(drawing, "svg")
    told = titles(drawn)
    for thing in (*drawing.nodes, *drawing.edges):
        assert thing.tooltip in told
    text = drawn.decode()
    for shown in (
        "@mkl_dnn//",
        ":core",
        "deps",
        "if :with_mkl",
        "only if a select() takes that branch",
        "@mkl_dnn",
    ):
        assert shown in text


HOSTILE = (
    'quote"d',
    "back\\slash",
    "<b>&amp;&lt;script&gt;</b>",
    "bracket]{brace}|pipe`tick",
    "%% comment; end --> x",
    "line\nbreak\rreturn",
    "bell\x07\x00null",
    "surrogate\udcff",
    "#quot;#35; &quot;",
    "ünïcödé 漢字",
    "\\N\\G\\l",
    "]]><!--",
    "line\u2028paragraph\u2029%%{init: {}}%%",
)


def hostile_drawing(text: str) -> Drawing:
    return draw_graph(hostile_graph(text))


def hostile_graph(text: str) -> GraphAnswer:
    one, two = Label(text, text, text), Label("", text, "two")
    condition = Label("", text, text)
    return replace(
        GRAPH,
        source=replace(GRAPH.source, label=one),
        nodes=(
            NodeAnswer(one, text, Location(text, 1, 1), text),
            NodeAnswer(two, "x rule", unknown=Unknown(Reason.FAILED, text, text)),
        ),
        edges=(
            EdgeAnswer(
                one, two, text, text, Location(text, 2, 1), None,
                BranchAnswer(condition, False, Location(text, 3, 1)),
            ),
        ),
    )  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_names_are_texts_in_every_format(text: str) -> None:
    drawing = hostile_drawing(text)
    wanted = clean(text)
    svg = ElementTree.fromstring(draw(drawing, "svg"))
    assert not [found for found in svg.iter() if found.tag.endswith("script")]
    told = [title.split() for title in titles(draw(drawing, "svg"))]
    for thing in (*drawing.nodes, *drawing.edges):
        assert thing.tooltip.replace("\\", "\N{REVERSE SOLIDUS OPERATOR}").split() in told
    graphml = ElementTree.fromstring(draw(drawing, "graphml"))
    data = [str(found.text) for found in graphml.iter() if found.tag.endswith("data")]
    assert any(wanted.split()[0] in one for one in data)
    mermaid = draw(drawing, "mmd").decode()
    for line in mermaid.splitlines():
        if not line.lstrip().startswith("%%"):
            assert line.count('"') in (0, 2), line
            assert "<b>" not in line
            assert "script>" not in line


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("plain", "plain"),
        ("//a:b", '"//a:b"'),
        ("a:b:n", '"a:b:n"'),
        ("<b>", '"<b>"'),
        ("<<b>:>", '"<<b>:>"'),
        ("node", '"node"'),
        ("-1.5", "-1.5"),
        ("", '""'),
        ("&lt;", '"&amp;lt;"'),
        ('"x"', r'"\"x\""'),
        ('\\"', '"\N{REVERSE SOLIDUS OPERATOR}\\""'),
        ("\\N", '"\N{REVERSE SOLIDUS OPERATOR}N"'),
        ("x\ny", r'"x\ny"'),
    ],
)
def test_texts_in_dot(text: str, written: str) -> None:
    """Names are names, neither HTML nor a box and a place on it, and so are other texts."""
    drawing = Drawing("x", (DrawnNode(text, (text,), text),), (DrawnEdge(text, text, (), text),))
    assert to_dot(drawing).splitlines()[-3:] == [
        f'\t{written} [label={written} fillcolor="#ffffff" tooltip={written}]',
        f"\t{written} -> {written} [tooltip={written}]",
        "}",
    ]


@pytest.mark.parametrize("text", ["x" * 20_000, "&" * 20_000, "\N{GRINNING FACE}" * 20_000])
def test_long_texts_in_dot_come_in_pieces(text: str) -> None:
    """Graphviz 2.43 reads no 16 KiB without a quote or a backslash."""
    written = to_dot(hostile_drawing(text))
    assert max(len(piece.encode()) for piece in re.split(r'["\\]', written)) < 16 * 1024
    assert text.replace("&", "&amp;") in written.replace("\\\n", "")


def test_mermaid_escapes() -> None:
    assert escaped('a"b#c<d>') == "a#34;b#35;c#60;d#62;"
    assert escaped("//pkg:name-1_2.cc") == "//pkg:name-1_2.cc"


def test_long_names_wrap_without_losing_a_letter() -> None:
    for text in ("//a/very/long/package/path/of/many/parts:name", "x" * 90, "a_b_" * 20, ""):
        lines = wrapped(text)
        assert "".join(lines) == text
        assert all(len(line) <= 34 for line in lines)


def test_a_box_names_its_package_if_no_frame_does() -> None:
    node = DrawnNode("//a:b", (":b",), "", "//a", kind="rule")
    far = DrawnNode(
        "//a/long/package/of/many:name", (":name_that_is_long",), "", "//a/long/package/of/many"
    )
    plain = Drawing("x", (node, far), ())
    assert plain.lines_of(node) == ("//a:b", "rule")
    assert plain.lines_of(far) == ("//a/long/package/of/many", ":name_that_is_long")
    assert replace(plain, clusters=("//a",)).lines_of(node) == (":b", "rule")


def test_the_same_graph_is_drawn_the_same() -> None:
    shuffled = replace(FULL, edges=tuple(reversed(FULL.edges)))
    for ending in ("dot", "mmd", "graphml", "svg"):
        again = draw(draw_graph(FULL), ending)
        assert draw(draw_graph(FULL), ending) == again
        assert draw(draw_graph(shuffled), ending) == again


@pytest.mark.parametrize(
    ("name", "expected"), [("svg", "svg"), ("SVG", "svg"), ("gv", "dot"), ("mermaid", "mmd")]
)
def test_format_of(name: str, expected: str) -> None:
    assert format_of(name) == expected


@pytest.mark.parametrize("name", ["", "jpeg", "svgz"])
def test_no_such_format(name: str) -> None:
    with pytest.raises(UsageError):
        format_of(name)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "WORKSPACE").write_text("")
    for package in ("a", "b", "c"):
        (tmp_path / package).mkdir()
    (tmp_path / "a/BUILD").write_text(
        'filegroup(name = "top", srcs = ["//b:x", "//b:y"], visibility = ["//visibility:public"])\n'
    )
    (tmp_path / "b/BUILD").write_text(
        'package(default_visibility = ["//visibility:public"])\n'
        'filegroup(name = "x", srcs = ["//c:end"])\n'
        'filegroup(name = "y", srcs = ["//c:end", ":x"])\n'
    )
    (tmp_path / "c/BUILD").write_text(
        'filegroup(name = "end", srcs = [], visibility = ["//visibility:public"])\n'
    )
    return tmp_path


def test_what_hangs_on_a_condition_alone_is_not_drawn(tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").write_text("")
    (tmp_path / "BUILD").write_text(
        'filegroup(name = "top", srcs = select({":on": [":x"], "//conditions:default": []}))\n'
        'filegroup(name = "x")\n'
        'config_setting(name = "on", constraint_values = [":os"])\n'
        'constraint_setting(name = "any")\n'
        'constraint_value(name = "os", constraint_setting = ":any")\n'
    )
    graph = Workspace.open(tmp_path).configure().graph_between("//:top")
    assert [str(node.label) for node in graph.nodes] == ["//:top", "//:x"]


def test_levels_bound_the_distance(root: Path) -> None:
    graph = Workspace.open(root).configure().graph_between("//a:top", levels=1)
    assert [str(node.label) for node in graph.nodes] == ["//a:top", "//b:x", "//b:y"]
    assert graph.hidden_levels == 1


def test_packages_stand_for_their_targets(root: Path) -> None:
    graph = Workspace.open(root).configure().graph_between("//a:top", "//c:end", collapse="package")
    assert [(group.name, group.targets) for group in graph.groups] == [
        ("//a", 1),
        ("//b", 2),
        ("//c", 1),
    ]
    assert [(link.source, link.target, link.edges) for link in graph.links] == [
        ("//a", "//b", 2),
        ("//b", "//c", 2),
    ]
    one = Workspace.open(root).configure().graph_between("//a:top", collapse="repository")
    assert [group.name for group in one.groups] == ["the workspace"]


def test_more_packages_than_wanted_are_counted(root: Path) -> None:
    configured = Workspace.open(root).configure()
    graph = configured.graph_between("//a:top", collapse="package", max_nodes=2)
    assert (len(graph.groups), graph.hidden_nodes) == (2, 1)


@pytest.mark.parametrize(
    ("words", "start"),
    [
        ((), b"digraph bazelscope {"),
        (("--as", "mmd"), b"flowchart TB"),
        (("--as", "graphml"), b"<?xml"),
        (("--as", "svg", "--collapse", "package"), b"<?xml"),
    ],
)
def test_the_command_draws_on_standard_output(
    root: Path, capfdbinary: pytest.CaptureFixture[bytes], words: tuple[str, ...], start: bytes
) -> None:
    assert main(["graph", "//a:top", "-w", str(root), "--no-cache", *words]) == 0
    assert capfdbinary.readouterr().out.startswith(start)


def test_the_command_goes_by_the_file_name(root: Path, tmp_path: Path) -> None:
    output = tmp_path / "drawn.mmd"
    assert main(["graph", "//a:top", "-w", str(root), "--no-cache", "-o", str(output)]) == 0
    assert output.read_text().startswith("flowchart")
