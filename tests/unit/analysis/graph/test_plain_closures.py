"""Targets below which nothing is in a cycle or an environment: those that a search from each says,
with its packages at least, whatever earlier runs have kept and whatever has changed since."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bazelscope.analysis.graph.plain_closures import packages_of_plain
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.base.label import Label, PackageId
from bazelscope.bazel.encoded_values import decode_label
from bazelscope.loading.loader import Loader
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.workspace_files import Workspace
from tests.support.files import write_files
from tests.support.kept_runs import calls_of, write_settled

FILES = {
    "WORKSPACE": "",
    "a/BUILD": """
filegroup(name = "top", srcs = [":mid", "//b:low"])
filegroup(name = "mid", srcs = ["//b:low", "//gone:x"])
filegroup(name = "other", srcs = ["//b:low", "//c:apart"])
filegroup(name = "round", srcs = [":back"])
filegroup(name = "back", srcs = [":round"])
filegroup(name = "above", srcs = [":round"])
filegroup(name = "named", restricted_to = ["//e:here"])
""",
    "b/BUILD": 'filegroup(name = "low", srcs = ["f.txt"])\n',
    "b/f.txt": "",
    "c/BUILD": 'filegroup(name = "apart")\n',
    "e/BUILD": 'environment(name = "here")\n',
}


class Runs:
    def __init__(self, root: Path) -> None:
        self.root = root

    def open(self) -> tuple[Loader, TargetGraph]:
        loader = Loader(
            Workspace.open(self.root), LoadingOptions("4.2.3"), self.root.parent / "cache"
        )
        return loader, TargetGraph(loader, "4.2.3", keeper=loader)

    def ask(self, label: str) -> set[PackageId] | None:
        loader, graph = self.open()
        packages = packages_of_plain(graph, decode_label(label))
        loader.save()
        return None if packages is None else set(packages)


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runs:
    return Runs(write_settled(tmp_path / "w", FILES, monkeypatch))


def _packages(*names: str) -> set[PackageId]:
    return {PackageId("", name) for name in names}


def test_what_a_target_reaches(runs: Runs) -> None:
    assert runs.ask("//a:top") == _packages("a", "b", "gone")
    for _ in range(2):
        assert runs.ask("//a:above") is None
        assert runs.ask("//a:named") is None
        # Kept is from which packages to which others targets lead.
        assert runs.ask("//a:other") == _packages("a", "b", "c", "gone")


def test_what_was_walked_is_not_walked_again(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    runs.ask("//a:top")
    asked = calls_of(monkeypatch, TargetGraph, "targets")
    runs.ask("//a:mid")
    assert not asked
    runs.ask("//a:other")
    assert {arguments[-1] for arguments in asked} == {
        Label("", "a", "other"),
        Label("", "c", "apart"),
    }


def test_what_has_changed_is_walked_again(runs: Runs) -> None:
    runs.ask("//a:top")
    write_files(runs.root, {"b/BUILD": 'filegroup(name = "low", srcs = ["//a:top"])\n'})
    assert runs.ask("//a:mid") is None
    write_files(runs.root, {"b/BUILD": 'filegroup(name = "low", srcs = ["//e:x"])\n'})
    assert runs.ask("//a:mid") == _packages("a", "b", "e", "gone")


def test_at_random(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    random_ = random.Random(7)
    runs = Runs(write_settled(tmp_path / "w", {"WORKSPACE": ""}, monkeypatch))
    names = [f"//p{package}:t{number}" for package in range(4) for number in range(4)]
    edges: dict[str, list[str]] = {name: [] for name in names}
    for _ in range(30):
        changed = random_.randrange(4)
        for name in names:
            if name.startswith(f"//p{changed}:"):
                edges[name] = random_.sample(names, random_.choice([0, 0, 1, 1, 2]))
        for package in range(4):
            text = "".join(
                f'filegroup(name = "{name.partition(":")[2]}", srcs = {edges[name]!r})\n'
                for name in names
                if name.startswith(f"//p{package}:")
            )
            write_files(runs.root, {f"p{package}/BUILD": text})
        for name in random_.sample(names, 3):
            packages, searched = runs.ask(name), _searched(edges, name)
            assert (packages is None) == (searched is None)
            assert packages is None or searched is None or packages >= searched


def _searched(edges: dict[str, list[str]], start: str) -> set[PackageId] | None:
    """The packages below a target; None where something there leads to itself."""
    below: dict[str, set[str]] = {}
    for name in edges:
        below[name] = set()
        pending = [*edges[name]]
        while pending:
            one = pending.pop()
            if one not in below[name]:
                below[name].add(one)
                pending += edges[one]
    if any(one in below[one] for one in {start, *below[start]}):
        return None
    return {decode_label(one).package_id for one in (start, *below[start])}
