"""What arrives at each target: the same as the graph says, kept until a package changes."""

from __future__ import annotations

from array import array
from pathlib import Path
from typing import Any

import pytest

from bazelscope.analysis.conditions.edges import Edge
from bazelscope.analysis.graph import reverse_edges as module
from bazelscope.analysis.graph import target_graph
from bazelscope.analysis.graph.arrivals import Arrivals, packed, unpacked
from bazelscope.analysis.graph.arrivals_search import Found
from bazelscope.analysis.graph.reverse_edges import all_arrivals
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.base.label import Label, PackageId
from bazelscope.bazel.encoded_values import decode_label
from bazelscope.loading.cache import package_cache
from bazelscope.loading.cache.package_codec import ClassTable, counts_in
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.package_data import KeptPackage
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.workspace_files import Workspace
from tests.support.files import write_files

FILES = {
    "WORKSPACE": """
new_local_repository(name = "ext", path = "ext_files", build_file = "//:ext.BUILD")
bind(name = "bound", actual = "@ext//:lib")
""",
    "BUILD": """
cc_library(name = "top", deps = [":left", ":right"], data = [":left"])
cc_library(name = "left", deps = ["//low", "@ext//:lib"])
cc_library(name = "right", deps = select({"//low:key": ["//low"], "//conditions:default": []}))
cc_library(name = "round", deps = [":round"])
cc_library(name = "bound", deps = ["//external:bound"])
""",
    "low/BUILD": """
cc_library(name = "low", srcs = ["low.cc"], deps = ["//gone", "//:not_there"])
config_setting(name = "key", values = {"cpu": "k8"})
genrule(name = "made", outs = ["low.cc"], cmd = "", srcs = ["in.txt"])
""",
    "ext.BUILD": 'cc_library(name = "lib", deps = [":inner"])\ncc_library(name = "inner")\n',
    "ext_files/x": "",
}


class Runs:
    """Runs over one workspace, each by a new loader, as separate processes would make them."""

    def __init__(self, root: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = root
        self.cache = cache
        self.made = 0
        """How often a search was made."""
        self.read: set[str] = set()
        """The targets whose edges were read, since no earlier run has kept them."""
        self.loader = self.open()
        make = module._search

        def counted(*arguments: Any) -> Found:
            self.made += 1
            return make(*arguments)

        monkeypatch.setattr(module, "_search", counted)
        read = target_graph.edges_of

        def noted(package: Package, name: str, *others: Any, **named: Any) -> tuple[Edge, ...]:
            self.read.add(str(Label(*package.id, name)))
            return read(package, name, *others, **named)

        monkeypatch.setattr(target_graph, "edges_of", noted)

    def open(self, cached: bool = True) -> Loader:
        options = LoadingOptions("4.2.3")
        self.loader = Loader(Workspace.open(self.root), options, self.cache if cached else None)
        return self.loader

    def run(self, cached: bool = True, start: str | None = None) -> Arrivals:
        """Asks once and saves."""
        self.made = 0
        self.read.clear()
        loader = self.open(cached)
        begin = None if start is None else decode_label(start)
        graph = TargetGraph(loader, "4.2.3", keeper=loader)
        found = all_arrivals(graph, loader) if begin is None else graph.arrivals(begin)
        loader.save()
        return found


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runs:
    monkeypatch.setattr("bazelscope.loading.tree.contents._TICK", 0)
    root = tmp_path / "w"
    write_files(root, FILES)
    made = Runs(root, tmp_path / "cache", monkeypatch)
    made.run()
    assert made.made == 1
    return made


def above(found: Arrivals, *ends: str) -> list[tuple[str, int, str]]:
    numbers = found.numbers(map(decode_label, ends))
    return [
        (str(found.label(item.number)), item.distance, str(found.label(item.following)))
        for item in found.above(numbers)
    ]


@pytest.mark.parametrize("cached", [False, True])
def test_what_leads_to_a_target(runs: Runs, cached: bool) -> None:
    found = runs.run(cached)
    assert above(found, "//low:low") == [
        ("//:left", 1, "//low:low"),
        ("//:right", 1, "//low:low"),
        ("//:top", 2, "//:left"),
    ]
    assert above(found, "//low:in.txt") == [
        ("//low:made", 1, "//low:in.txt"),
        ("//low:low.cc", 2, "//low:made"),
        ("//low:low", 3, "//low:low.cc"),
        ("//:left", 4, "//low:low"),
        ("//:right", 4, "//low:low"),
        ("//:top", 5, "//:left"),
    ]
    assert above(found, "@ext//:inner", "@ext//:lib") == [
        ("//:left", 1, "@ext//:lib"),
        ("//external:bound", 1, "@ext//:lib"),
        ("//:top", 2, "//:left"),
        ("//:bound", 2, "//external:bound"),
    ]
    assert above(found, "//gone:gone")[0] == ("//low:low", 1, "//gone:gone")
    assert above(found, "//:round") == []
    assert above(found, "//:nobody") == []


def test_conditions_of_selects_are_kept_until_they_change(runs: Runs) -> None:
    before = runs.run(start="//:top")
    write_files(runs.root, {"BUILD": FILES["BUILD"].replace("//low:key", "//low:other")})
    after = runs.run(start="//:top")
    told = [
        one.keys[one.keys_of[one.numbers([decode_label("//:right")])[0]]] for one in (before, after)
    ]
    assert told == [
        (("//low:key", "//conditions:default"),),
        (("//low:other", "//conditions:default"),),
    ]


def test_the_graph_turned_round_says_the_same(runs: Runs) -> None:
    found = runs.run()
    loader = runs.open(cached=False)
    graph = TargetGraph(loader, "4.2.3")
    own = [
        Label(*id, name)
        for id in loader.trees.packages()
        if isinstance(package := loader.package(id), Package)
        for name in package.targets
    ]
    reverse: dict[Label, list[Label]] = {}
    for label in graph.deps(own):
        reverse.setdefault(label, [])
        for edge in graph.edges(label):
            reverse.setdefault(edge.target, []).append(label)
    assert sorted(map(str, reverse)) == sorted(found.texts)
    for number, text in enumerate(found.texts):
        arriving = reverse[decode_label(text)]
        sources = found.sources[found.bounds[number] : found.bounds[number + 1]]
        assert [found.label(source) for source in sources] == list(dict.fromkeys(arriving))


def test_a_start_has_arrivals_of_its_own(runs: Runs) -> None:
    found = runs.run(start="//:right")
    assert runs.made == 1
    assert above(found, "//low:low") == [("//:right", 1, "//low:low")]
    assert runs.run(start="//:right") == found
    assert runs.made == 0


def test_the_second_run_reads_no_edges_and_knows_as_much(runs: Runs) -> None:
    fresh = runs.run(cached=False)
    before = runs.loader.completeness()
    packages = list(runs.loader.loaded_packages())
    assert runs.run() == fresh
    assert runs.made == 0
    assert runs.loader.completeness() == before
    assert before.packages.unknown == 0 and before.targets.total > 10
    assert list(runs.loader.loaded_packages()) == packages


_FAR = """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "far", urls = ["https://far/away.tar"])
"""
_IN_DOUBT = """
load("@far//:rules.bzl", "rule")
cc_library(name = "wrong", nonsense = 1)
[cc_library(name = "of_" + one) for one in rule]
"""


def test_packages_that_a_search_came_by_are_counted_without_being_read(
    runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(runs.root, {"WORKSPACE": FILES["WORKSPACE"] + _FAR, "doubt/BUILD": _IN_DOUBT})
    runs.run()
    read: list[str] = []
    decode = package_cache.decode_package

    def noted(content: bytes, classes: ClassTable) -> KeptPackage:
        kept = decode(content, classes)
        read.append(str(kept.id))
        return kept

    monkeypatch.setattr(package_cache, "decode_package", noted)
    runs.run()
    loader = runs.loader
    assert read and {"//doubt", "//low"}.isdisjoint(read)
    told = loader.completeness()
    assert told.errors and told.packages.partly
    assert told == _completeness(runs)
    diagnosed = dict(loader.account.diagnosed())
    assert [id for id, _ in loader.account.diagnosed()] == [PackageId("", "doubt")]
    packages = loader.loaded_packages()
    assert packages[PackageId("", "doubt")].diagnostics == diagnosed[PackageId("", "doubt")]
    assert isinstance(packages[PackageId("", "low")], Package)
    assert loader.completeness() == told


def test_what_is_counted_of_packages_that_load_the_same_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bazelscope.loading.tree.contents._TICK", 0)
    root = tmp_path / "w"
    text = 'load("//:x.bzl", "x")\nx(name = "x")\n'
    files = {f"p{n}/BUILD": "\n" * n + text for n in range(2)}
    write_files(root, {"WORKSPACE": "", "BUILD": "", "x.bzl": "x = native.filegroup\n", **files})
    content = []
    for number in range(2):
        loader = Loader(Workspace.open(root), LoadingOptions("4.2.3"), tmp_path / "cache")
        package = loader.package(PackageId("", f"p{number}"))
        assert isinstance(package, Package) and len(package.loads) == 1
        assert loader.parts.cache is not None
        content.append(loader.parts.cache._fresh[package.id][0])
    assert content[0] != content[1]
    assert counts_in(content[0]) == counts_in(content[1])


def test_what_is_counted_is_not_believed_of_another_package(runs: Runs) -> None:
    loader = runs.open()
    low, found = PackageId("", "low"), loader.package_digest(PackageId("", "low"))
    again = runs.open()
    again._cores.look_at([low])
    assert found is not None and again.same.is_same(low, found)
    assert again.package_digest(low) == found and low not in again.packages_made
    assert not again.same.is_same(low, b"another")
    assert again.package_digest(low) == found


def test_of_many_packages_those_before_another_one_count_as_loaded(runs: Runs) -> None:
    loader = runs.open()
    ids = [PackageId("", name) for name in ("low", "", "gone")]
    digests = {id: digest for id in ids if (digest := loader.package_digest(id)) is not None}
    assert list(digests) == ids
    again = runs.open()
    assert again.same.are_same(digests)
    assert list(again.loaded_packages()) == ids
    again = runs.open()
    assert not again.same.are_same({**digests, ids[1]: b"another"})
    assert list(again.loaded_packages()) == ids[:2]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("low/BUILD", FILES["low/BUILD"].replace('"//gone"', '"@ext//:inner"')),
        ("ext.BUILD", 'cc_library(name = "lib")\n'),
        ("gone/BUILD", 'cc_library(name = "gone", deps = ["//:round"])\n'),
        ("BUILD", FILES["BUILD"] + 'cc_library(name = "not_there")\n'),
        ("WORKSPACE", FILES["WORKSPACE"].replace("@ext//:lib", "//low")),
        ("WORKSPACE", FILES["WORKSPACE"].replace('"ext"', '"other"')),
    ],
)
def test_a_change_is_seen(runs: Runs, path: str, text: str) -> None:
    (runs.root / path).parent.mkdir(exist_ok=True)
    (runs.root / path).write_text(text)
    found = runs.run()
    assert runs.made == 1
    assert runs.loader.completeness() == _completeness(runs)
    assert runs.run() == found == runs.run(cached=False)


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (
            "BUILD",
            'cc_library(name = "round"',
            'cc_library(name = "new")\ncc_library(name = "round"',
        ),
        ("BUILD", 'data = [":left"]', 'data = [":left"], copts = ["-O3"]'),
        ("BUILD", '"//conditions:default": []', '"//conditions:default": ["//low"]'),
        ("low/BUILD", 'srcs = ["in.txt"]', 'srcs = ["in.txt", "in.txt"][:1]'),
        ("low/BUILD", '["//gone", "//:not_there"]', '["//gone"] + ["//:not_there"]'),
    ],
)
def test_a_change_of_no_edge_leaves_what_was_found(
    runs: Runs, path: str, old: str, new: str
) -> None:
    runs.run(start="//:top")
    file = runs.root / path
    assert old in FILES[path]
    file.write_text(FILES[path].replace(old, new))
    found = runs.run(start="//:top")
    assert all(text.startswith(_package_of(path)) for text in runs.read)
    assert runs.loader.completeness() == _completeness(runs, "//:top")
    assert found == runs.run(start="//:top") == runs.run(cached=False, start="//:top")


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("BUILD", '"//low", "@ext//:lib"', '"@ext//:lib", "//low"'),
        ("BUILD", '[":left", ":right"], data', '[":right", ":left"], data'),
        ("BUILD", '"//low", "@ext//:lib"', '"//low", "@ext//:inner"'),
        ("BUILD", 'cc_library(name = "left"', 'cc_binary(name = "left"'),
        ("BUILD", 'deps = ["//low", "@ext//:lib"]', 'deps = ["//:top"]'),
        ("BUILD", 'cc_library(name = "round", deps = [":round"]', 'filegroup(name = "not_there"'),
        ("BUILD", 'cc_library(name = "round"',
         'exports_files(["not_there"])\ncc_library(name = "round"'),
        ("BUILD", '"//low", "@ext//:lib"', '"//low"'),
        ("low/BUILD", '"//:not_there"', '"//:neither"'),
        ("low/BUILD", 'genrule(', 'fail("here")\ngenrule('),
    ],
)  # fmt: skip
def test_a_change_of_an_edge_or_a_class_is_seen_from_a_start(
    runs: Runs, path: str, old: str, new: str
) -> None:
    runs.run(start="//:top")
    assert old in FILES[path]
    (runs.root / path).write_text(FILES[path].replace(old, new))
    found = runs.run(start="//:top")
    # Of packages that have not changed, no edges are read.
    assert all(text.startswith(_package_of(path)) for text in runs.read)
    assert runs.loader.completeness() == _completeness(runs, "//:top")
    assert found == runs.run(start="//:top") == runs.run(cached=False, start="//:top")


def test_where_targets_stand_does_not_count(runs: Runs) -> None:
    before = runs.run()
    for _ in range(2):
        for path in ("BUILD", "low/BUILD"):
            text = (runs.root / path).read_text()
            (runs.root / path).write_text("# One line more.\n\n" + text.replace("(name", "( name"))
        assert runs.run() == before
        assert runs.made == 0
        assert runs.loader.completeness() == _completeness(runs)
        # It rests on the packages as they are now, which none has to be evaluated for.
        assert runs.run() == before
        assert runs.made == 0
    text = (runs.root / "low/BUILD").read_text()
    (runs.root / "low/BUILD").write_text("\n" + text.replace('"//gone"', '"//lost"'))
    found = runs.run()
    assert runs.made == 1
    assert found != before
    assert found == runs.run(cached=False)


@pytest.mark.parametrize(
    ("old", "new", "is_searched"),
    [
        ("", 'cc_library(name = "new", deps = [":left"])\n', 0),
        ("", 'cc_library(name = "new", srcs = ["top.cc"])\n', 0),
        ("", 'sh_binary(name = "new", srcs = ["a.sh"])\n', 0),
        ('deps = [":round"]', 'deps = [":top"]', 0),
        ('name = "round", deps = [":round"]', 'name = "other"', 0),
        ("", 'package(default_visibility = ["//visibility:public"])\n', 1),
        ("", 'filegroup(name = "not_there")\n', 1),
        ('name = "right"', 'name = "wrong"', 1),
    ],
)
def test_targets_that_no_search_came_by_may_change(
    runs: Runs, old: str, new: str, is_searched: int
) -> None:
    runs.run(start="//:top")
    text = FILES["BUILD"].replace(old, new) if old else FILES["BUILD"] + new
    assert text != FILES["BUILD"]
    (runs.root / "BUILD").write_text(text)
    for made in (is_searched, 0):
        found = runs.run(start="//:top")
        assert runs.made == made
        assert runs.loader.completeness() == _completeness(runs, "//:top")
        assert found == runs.run(cached=False, start="//:top")
    # Where every target is a start, another one counts.
    assert runs.run() == runs.run(cached=False)


def _package_of(path: str) -> str:
    """How labels of the package begin whose BUILD file has that path."""
    return f"//{path.rpartition('/')[0]}:"


def _completeness(runs: Runs, start: str | None = None) -> object:
    """What a run without a cache knows of the same question."""
    loader = runs.loader
    runs.run(cached=False, start=start)
    made, runs.loader = runs.loader.completeness(), loader
    return made


def test_a_removed_package_is_seen(runs: Runs) -> None:
    (runs.root / "low/BUILD").unlink()
    assert above(runs.run(), "//low:low") == [
        ("//:left", 1, "//low:low"),
        ("//:right", 1, "//low:low"),
        ("//:top", 2, "//:left"),
    ]
    assert "//low:made" not in runs.run().texts


def test_what_cannot_be_compared_is_not_kept(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bazelscope.loading.tree.contents._TICK", 3_600_000_000_000)
    (runs.root / "low/BUILD").write_text("# changed just now\n")
    runs.run()
    assert runs.made == 1
    runs.run()
    assert runs.made == 1


def test_damage_is_no_harm(runs: Runs) -> None:
    (file,) = (runs.cache / "arrivals").iterdir()
    content = bytearray(file.read_bytes())
    content[-10] ^= 0xFF
    file.write_bytes(content)
    assert runs.run() == runs.run(cached=False)


def test_other_code_of_analysis_makes_them_anew(
    runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bazelscope.loading.cache import kept_entries

    digest = kept_entries.code_digest

    def changed(*packages: str) -> str:
        return "a later version" if "analysis" in packages else digest(*packages)

    monkeypatch.setattr(kept_entries, "code_digest", changed)
    runs.run()
    assert runs.made == 1


@pytest.mark.parametrize("cached", [True, False])
def test_what_is_no_target_or_may_be_unknown_is_told(runs: Runs, cached: bool) -> None:
    for _ in range(2):
        found = runs.run(cached, start="//:top")
        assert [found.texts[number] for number in found.open] == ["//gone:gone", "//:not_there"]


@pytest.mark.parametrize("cached", [True, False])
def test_rules_of_a_class_are_found(runs: Runs, cached: bool) -> None:
    found = runs.run(cached, start="//:top")
    for _ in range(2):
        assert set(map(str, found.of_kinds({"cc_library", "java_library"}))) == {
            "//:top", "//:left", "//:right", "//low:low", "@ext//:lib", "@ext//:inner",
        }  # fmt: skip
        assert [*map(str, found.of_kinds({"genrule"}))] == ["//low:made"]
        assert not found.of_kinds({"java_library"})
        found = runs.run(cached, start="//:top")


@pytest.mark.parametrize("numbers", [[], [0], [1, 255, 256, 65536, 1 << 24, (1 << 32) - 1]])
def test_numbers_are_read_as_they_were(numbers: list[int]) -> None:
    assert unpacked(packed(array("I", numbers))) == array("I", numbers)
