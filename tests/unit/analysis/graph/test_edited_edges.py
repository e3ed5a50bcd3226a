"""After edits of some packages, what arrives at each target is what a search finds that knows of no
earlier one."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("seed", range(6))
def test_edits_of_packages_at_random(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr("bazelscope.loading.tree.contents._TICK", 0)
    chosen = random.Random(seed)
    root = tmp_path / "w"
    write_files(root, {"WORKSPACE": _WORKSPACE})
    write_files(root, {f"p{n}/BUILD": _package(n, chosen) for n in range(_PACKAGES)})
    runs = Runs(root, tmp_path / "cache", monkeypatch)
    start = "//p0:a"
    runs.run(start=start)
    for _ in range(_EDITS):
        for number in chosen.sample(range(_PACKAGES), chosen.randrange(1, 3)):
            write_files(root, {f"p{number}/BUILD": _package(number, chosen)})
        found = runs.run(start=start)
        assert runs.made == 0
        told = runs.loader.completeness()
        assert found == runs.run(start=start)
        assert found == runs.run(cached=False, start=start)
        assert told == runs.loader.completeness()
