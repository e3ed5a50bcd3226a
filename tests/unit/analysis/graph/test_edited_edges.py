"""After edits of some packages, what arrives at each target is what a search finds that knows of no
earlier one."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bazelscope.analysis.graph.target_graph import TargetGraph
from tests.support.files import write_files
from tests.unit.analysis.graph.test_reverse_edges import Runs

_WORKSPACE = """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "far", urls = ["http://far/away.tar"])
"""
_PACKAGES, _TARGETS, _DEPS, _EDITS = 7, 4, 3, 12


def _package(number: int, chosen: random.Random) -> str:
    """A BUILD file whose targets lead to some of all packages, of which a few are not there, and of
    one nobody knows what it has."""
    lines = []
    for name in chosen.sample("abcde", _TARGETS):
        deps = [
            f'"//p{chosen.randrange(_PACKAGES + 1)}:{chosen.choice("abcde")}"'
            for _ in range(chosen.randrange(_DEPS + 1))
        ]
        kind = chosen.choice(("cc_library", "cc_binary"))
        deps += ['"@far//:x"', '"@far//:y"'][: chosen.randrange(3)]
        unique = ", ".join(dict.fromkeys(deps))
        lines.append(f'{kind}(name = "{name}", deps = [{unique}])\n')
    return f"# Number {number}.\n{''.join(lines)}"


@pytest.mark.parametrize("many", [0, 1 << 30])
@pytest.mark.parametrize("seed", range(6))
def test_edits_of_packages_at_random(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int, many: int
) -> None:
    """`many` says whether an earlier search is made use of, from the same start or another one."""
    monkeypatch.setattr("bazelscope.loading.tree.contents._TICK", 0)
    monkeypatch.setattr("bazelscope.analysis.graph.arrivals_search._MANY", many)
    chosen = random.Random(seed)
    root = tmp_path / "w"
    write_files(root, {"WORKSPACE": _WORKSPACE})
    write_files(root, {f"p{n}/BUILD": _package(n, chosen) for n in range(_PACKAGES)})
    runs = Runs(root, tmp_path / "cache", monkeypatch)
    start = "//p0:a"
    met = set(runs.run(start=start).texts)
    for _ in range(_EDITS):
        edited = chosen.sample(range(_PACKAGES), chosen.randrange(3))
        for number in edited:
            write_files(root, {f"p{number}/BUILD": _package(number, chosen)})
        if chosen.random() < 0.4:
            start = f"//p{chosen.randrange(_PACKAGES)}:{chosen.choice('abcde')}"
        found = runs.run(start=start)
        # Of what was met before and has not changed, no edges are read.
        anew = [f"//p{number}:" for number in edited]
        met = {text for text in met if not text.startswith(tuple(anew))}
        assert not runs.read & met
        met.update(found.texts)
        packages = list(runs.loader.loaded_packages())
        told = runs.loader.completeness()
        assert found == runs.run(start=start)
        assert packages == list(runs.loader.loaded_packages())
        assert found == runs.run(cached=False, start=start)
        assert packages == list(runs.loader.loaded_packages())
        assert told == runs.loader.completeness()


def test_of_what_another_start_has_met_nothing_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bazelscope.loading.tree.contents._TICK", 0)
    monkeypatch.setattr("bazelscope.analysis.graph.arrivals_search._MANY", 0)
    root = tmp_path / "w"
    write_files(root, {"WORKSPACE": ""})
    for number in range(4):
        deps = f'deps = ["//p{number + 1}:x"]' if number < 3 else ""
        write_files(root, {f"p{number}/BUILD": f'cc_library(name = "x", {deps})\n'})
    runs = Runs(root, tmp_path / "cache", monkeypatch)
    runs.run(start="//p0:x")
    pieces: list[object] = []
    monkeypatch.setattr(TargetGraph, "piece", lambda graph, label: pieces.append(label))
    found = runs.run(start="//p1:x")
    assert found.texts == ("//p1:x", "//p2:x", "//p3:x")
    assert runs.made and not runs.read and not pieces
