"""Module resolution against lock files that real Bazels wrote: 267 commits of public trees.

`BAZELSCOPE_SHARED` names the folder with `bzlmod/`: pairs of MODULE.bazel and what its lock file
says, and the central registry of that time. What a lock says may be all there is to know (then
the pair is complete), or a module has an override that is not at hand.
"""

from __future__ import annotations

import gzip
import json
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from bazelscope.api import ConfiguredWorkspace, Workspace
from bazelscope.loading.modules.module_graph import Resolution
from bazelscope.loading.modules.registry_index import CENTRAL_REGISTRY
from tests.support.files import clear, write_files
from tests.support.parts import need_sibling, need_within

pytestmark = pytest.mark.corpus

_RELEASES = {
    3: ("7.0.0",),
    6: ("7.1.0",),
    11: ("7.2.0", "7.3.0", "7.4.0"),
    12: ("8.0.0",),
    13: ("7.5.0", "7.6.0", "7.6.2"),
    16: ("8.0.0",),
    18: ("8.1.0", "8.2.0", "8.3.0", "8.4.0", "8.4.2"),
    24: ("8.5.0", "8.6.0", "8.7.0"),
    26: ("9.0.0", "9.0.1", "9.1.0"),
    28: ("9.2.0",),
}
"""Releases that write a lock version; of those that ask for the same modules the first."""


@pytest.fixture(scope="session")
def shared() -> Path:
    return need_within(need_sibling("BAZELSCOPE_SHARED", "shared"), "bzlmod")


@pytest.fixture(scope="session")
def pairs(shared: Path) -> list[dict[str, Any]]:
    with gzip.open(shared / "pairs.jsonl.gz", "rt") as lines:
        return [json.loads(line) for line in lines]


@pytest.fixture(scope="session")
def registry(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("registry")
    # Of so many files Python's own module takes five times as long.
    subprocess.run(["tar", "-xf", shared / "registry.tar.xz", "-C", folder], check=True)
    return folder


_PATCH = re.compile(r'"//([^":]*):([^"]+\.(?:patch|diff))"')


def _lay(folder: Path, pair: Mapping[str, Any]) -> Path:
    """Lays out the files of a pair in place of those of the one before, and each patch that its
    overrides name, which no pair has, as one that changes no MODULE.bazel: Bazel wants each to be
    there. In one folder all are one project, whose compiled files are kept together."""
    clear(folder)
    named = _PATCH.findall(pair["files"]["MODULE.bazel"])
    files = {f"{package}/{name}".lstrip("/"): "" for package, name in named} | pair["files"]
    write_files(folder, files)
    return folder


def _releases(pair: Mapping[str, Any]) -> Iterator[str | None]:
    """The release that the tree names, then those that write such locks: a lock may have been
    written by another one."""
    if pair["files"].get(".bazelversion", "").strip():
        yield None
    yield from _RELEASES[pair["lock"]["lockFileVersion"]]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache of compiled files: the trees ask for much the same modules."""
    return tmp_path_factory.mktemp("kept")


def _configured(tree: Path, release: str | None, kept: Path, *flags: str) -> ConfiguredWorkspace:
    return Workspace.open(tree, bazel_version=release, cache_dir=kept).configure(
        ["--enable_bzlmod", "--allow_yanked_versions=all", *flags], command="mod"
    )


def _resolution(build: ConfiguredWorkspace) -> Resolution:
    modules = build.loader.table.modules
    assert modules is not None and modules.resolved is not None
    build.save()
    return modules.resolved.resolution


def _selected(found: Resolution) -> list[str]:
    return sorted(str(key) for key in found.selected if key.version)


def test_the_registry_alone_gives_what_bazel_selected(
    pairs: list[dict[str, Any]], registry: Path, kept: Path, tmp_path: Path
) -> None:
    complete = [pair for pair in pairs if pair["complete"]]
    assert len(complete) == 114
    differing, by_named = [], 0
    for pair in complete:
        tree = _lay(tmp_path, pair)
        wanted = (sorted(pair["lock"]["selected"]), sorted(pair["lock"]["asked"]))
        for release in _releases(pair):
            flags = (f"--registry=file://{registry}", "--lockfile_mode=off")
            found = _resolution(_configured(tree, release, kept, *flags))
            if (_selected(found), sorted(map(str, found.asked))) == wanted:
                by_named += release is None
                break
        else:
            differing.append(f"{pair['repo']} {pair['commit']}")
    assert differing == []
    # Two trees' locks were written by other releases than those that their .bazelversion names.
    named = sum(bool(pair["files"].get(".bazelversion", "").strip()) for pair in complete)
    assert by_named == named - 2


def _lock(told: Mapping[str, Any]) -> str:
    """A lock file that says what is told of one."""
    if "graph" in told:
        graph = {
            key: {"name": one["name"], "version": one["version"]}
            for key, one in told["graph"].items()
        }
        content: dict[str, Any] = {"moduleDepGraph": graph}
    else:
        hashes: dict[str, str] = {}
        for kind, file in (("asked", "MODULE.bazel"), ("selected", "source.json")):
            for key in told[kind]:
                name, _, version = key.partition("@")
                hashes[f"{CENTRAL_REGISTRY}/modules/{name}/{version}/{file}"] = "0" * 64
        content = {"registryFileHashes": hashes}
    return json.dumps({"lockFileVersion": told["lockFileVersion"], **content}, indent=2)


def _selected_in(told: Mapping[str, Any]) -> list[str]:
    if "graph" not in told:
        return sorted(told["selected"])
    modules = {key: one for key, one in told["graph"].items() if key != "<root>"}
    return sorted(key for key in modules if not key.endswith("@_"))


def test_with_its_lock_in_place_a_tree_agrees_with_it_or_it_is_told_as_stale(
    pairs: list[dict[str, Any]], kept: Path, tmp_path: Path
) -> None:
    assert len(pairs) == 267
    agreeing = stale = of_others = 0
    for pair in pairs:
        tree = _lay(tmp_path, pair)
        (tree / "MODULE.bazel.lock").write_text(_lock(pair["lock"]))
        build = _configured(tree, None, kept)
        found = _resolution(build)
        told = [p.message for p in build.loader.table.diagnostics if p.code == "stale-lock-file"]
        which = f"{pair['repo']} {pair['commit']}"
        if _selected(found) != _selected_in(pair["lock"]):
            assert told, which
            stale += 1
        elif told:
            # Written by another Bazel than that which .bazelversion names.
            assert "it lacks rules_java@8.12.0" in told[0], (which, told)
            of_others += 1
        else:
            agreeing += 1
    assert (agreeing, stale, of_others) == (233, 33, 1)
