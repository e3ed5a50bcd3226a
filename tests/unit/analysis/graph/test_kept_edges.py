"""A graph that a run has kept says what the packages say, and is read without them."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from bazelscope.analysis.graph import kept_edges, target_marks
from bazelscope.analysis.graph.arrivals import EdgesTo
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.base.label import Label
from bazelscope.bazel.encoded_values import decode_label
from bazelscope.loading.cache import package_codec
from bazelscope.loading.loader import Loader
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.workspace_files import Workspace
from tests.support.files import write_files

FILES = {
    "WORKSPACE": """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
local_repository(name = "here", path = "here")
http_archive(name = "gone", urls = ["https://example.org/gone.zip"])
""",
    "BUILD": """
load("//low:defs.bzl", "carrier", "maker")
load("@gone//:defs.bzl", "strange")
package(default_visibility = ["//low:friends"])
cc_library(name = "top", deps = [":left", ":right", "//gone", "//low:not_there"])
cc_library(name = "left", srcs = ["made.cc"], deps = ["@here//:lib"], visibility = [":own"])
cc_library(
    name = "right",
    deps = [":left"] + select({"//low:key": ["//low"], "//conditions:default": []}),
    copts = select({"//low:key": ["-a"], "//conditions:default": []}),
)
genrule(name = "make", srcs = ["in.txt"], outs = ["made.cc"], cmd = "", tools = ["//low"])
package_group(name = "own", packages = ["//..."], includes = ["//low:friends"])
test_suite(name = "all_tests")
sh_test(name = "one_test", srcs = ["t.sh"], data = glob(["*.txt"]))
carrier(name = "carries", deps = ["//low"])
maker(name = "makes")
strange(name = "odd", deps = [":left"], out = "odd.out")
alias(name = "other", actual = select({"//low:key": ":left", "//conditions:default": ":right"}))
exports_files(["in.txt"])
""",
    "in.txt": "",
    "low/BUILD": """
cc_library(name = "low", srcs = ["low.cc"])
config_setting(name = "key", values = {"cpu": "k8"}, visibility = [":friends"])
package_group(name = "friends", packages = ["//..."])
""",
    "low/defs.bzl": """
def _nothing(*arguments):
    pass
seeing = aspect(implementation = _nothing, attrs = {"_tool": attr.label(default = "//low:low")})
carrier = rule(_nothing, attrs = {"deps": attr.label_list(aspects = [seeing])})
maker = rule(_nothing, attrs = {"_with": attr.label(default = "//low", cfg = "exec")})
""",
    "here/WORKSPACE": "",
    "here/BUILD": 'cc_library(name = "lib", deps = [":inner"])\ncc_library(name = "inner")\n',
}
MODES = [
    dict(zip(("implicit", "visibility", "condition_visibility"), one, strict=True))
    for one in product((False, True), repeat=3)
]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("bazelscope.loading.tree.contents._TICK", 0)
    write_files(tmp_path / "w", FILES)
    return tmp_path / "w"


def opened(root: Path, kept: bool = True) -> Loader:
    options = LoadingOptions("4.2.3")
    return Loader(Workspace.open(root), options, root.parent / "cache" if kept else None)


def graph_of(loader: Loader, mode: dict[str, bool], kept: bool = True) -> TargetGraph:
    return TargetGraph(loader, "4.2.3", **mode, keeper=loader if kept else None)


STARTS = [
    decode_label(f"//:{name}")
    for name in ("top", "left", "right", "all_tests", "carries", "makes", "odd", "other", "own")
]


MARKS = (
    target_marks.HAS_SELECTS,
    target_marks.UNKNOWNS,
    target_marks.VISIBILITY,
    target_marks.LOOKED_AT,
    target_marks.TEST_ONLY,
    target_marks.WRITTEN_PUBLIC,
)


def all_that_is_said(graph: TargetGraph) -> dict[Label, tuple[object, ...]]:
    said = {}
    for label in graph.deps(STARTS):
        shape = graph.shape(label)
        name = shape.rule_class.name if shape.rule_class is not None else ""
        said[label] = (
            tuple(graph.targets(label)),
            tuple(
                (end, link.attribute, link.kind, link.is_tool) for end, link in graph.links(label)
            ),
            (name, *shape[1:]),
            tuple(graph.select_keys(label)),
            tuple(graph.is_marked(label, mark) for mark in MARKS),
            tuple(map(str, graph.edges(label))),
        )
    return said


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_a_kept_graph_says_what_packages_say(root: Path, mode: dict[str, bool]) -> None:
    fresh = graph_of(opened(root, kept=False), mode, kept=False)
    wanted = all_that_is_said(fresh)
    for _ in range(3):
        loader = opened(root)
        graph = graph_of(loader, mode)
        assert all_that_is_said(graph) == wanted
        assert graph.absent.keys() == fresh.absent.keys()
        loader.save()


@pytest.mark.parametrize("kept", MODES, ids=str)
def test_a_graph_says_what_packages_say_whichever_other_is_kept(
    root: Path, kept: dict[str, bool]
) -> None:
    loader = opened(root)
    all_that_is_said(graph_of(loader, kept))
    loader.save()
    for mode in MODES:
        wanted = all_that_is_said(graph_of(opened(root, kept=False), mode, kept=False))
        assert all_that_is_said(graph_of(opened(root), mode)) == wanted


def test_what_was_not_asked_about_is_added(root: Path) -> None:
    mode = MODES[0]
    wanted = all_that_is_said(graph_of(opened(root, kept=False), mode, kept=False))
    for start in ("//:left", "//:top"):
        loader = opened(root)
        graph_of(loader, mode).deps([decode_label(start)])
        loader.save()
    loader = opened(root)
    assert all_that_is_said(graph_of(loader, mode)) == wanted


def test_marks_that_a_graph_of_other_edges_has_kept_are_taken(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loader = opened(root)
    wanted = all_that_is_said(graph_of(loader, MODES[0]))
    loader.save()
    looked: list[object] = []
    monkeypatch.setattr(kept_edges, "marks_of", lambda *one: looked.append(one) or 0)
    graph = graph_of(opened(root), MODES[1])
    kept = [label for label in graph.deps(STARTS) if label in wanted]
    assert len(kept) > len(STARTS)
    for label in kept:
        assert tuple(graph.is_marked(label, mark) for mark in MARKS) == wanted[label][4]
    assert not looked


def test_edges_that_lead_somewhere_are_those_of_all_that_do(root: Path) -> None:
    mode = MODES[0]
    for _ in range(2):
        loader = opened(root)
        every, some = graph_of(loader, mode), graph_of(loader, mode)
        reached = list(every.deps(STARTS))
        for count in range(len(reached)):
            above = EdgesTo(dict.fromkeys(map(str, reached[:count]), 0), ())
            for label in reached:
                leading = [edge for edge in every.edges(label) if above(edge)]
                assert list(some.edges_to(label, above)) == leading
        loader.save()


@pytest.fixture
def unpacked(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What is unpacked of packages: what is counted of each, and where one was looked at, its head
    and its targets."""
    seen: list[object] = []
    load = package_codec._load

    def counted(content: bytes) -> object:
        seen.append(content)
        return load(content)

    monkeypatch.setattr(package_codec, "_load", counted)
    return seen


@pytest.mark.parametrize("kept", [MODES[0], MODES[-1]], ids=str)
def test_a_walk_unpacks_no_package(
    root: Path, unpacked: list[object], kept: dict[str, bool]
) -> None:
    """Nor where a graph has kept edges that are not walked."""
    for _ in range(2):
        loader = opened(root)
        graph_of(loader, kept).deps([decode_label("//:top")])
        loader.save()
    unpacked.clear()
    loader = opened(root)
    reached = graph_of(loader, MODES[0]).deps([decode_label("//:top")])
    counted = {label.package_id for label in reached} - {decode_label("//gone:gone").package_id}
    heads = ["//low"]  # It may have declared what it lacks.
    if kept == MODES[0]:  # What is reached was kept, and what is counted of own packages.
        counted = {id for id in counted if id.repository or str(id) in heads}
    assert len(unpacked) == len(counted) + len(heads)


def test_an_edited_package_is_read_anew(root: Path) -> None:
    mode, top = MODES[0], decode_label("//:top")
    for deps in ('["//low"]', '["//low", ":one_more"]', "[]"):
        text = FILES["BUILD"].replace('[":left", ":right", "//gone", "//low:not_there"]', deps)
        (root / "BUILD").write_text(text)
        loader = opened(root)
        graph = graph_of(loader, mode)
        fresh = graph_of(opened(root, kept=False), mode, kept=False)
        assert graph.deps([top]) == fresh.deps([top])
        loader.save()
