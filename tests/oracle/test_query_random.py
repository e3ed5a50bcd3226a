"""Random workspaces, beside what a real Bazel 4.2.3 tells of every target in them.

`BAZELSCOPE_RANDOM_WORLDS` says how many (30 unless told); `BAZELSCOPE_RANDOM_SEED` where the
seeds begin. Of a package that Bazel refuses it is compared that we refuse it as well.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.base.errors import Severity
from bazelscope.base.label import PackageId
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import Package
from tests.support import ours, query_output
from tests.support.bazel import Bazel
from tests.support.query_facts import Fact, facts_of_package, facts_of_xml, packages_in_error
from tests.support.query_output import differences
from tests.support.random_worlds import RandomWorld, make_world

pytestmark = [pytest.mark.oracle, pytest.mark.slow]

VERSION = "4.2.3"
COUNT = int(os.environ.get("BAZELSCOPE_RANDOM_WORLDS", "30"))
SEED = int(os.environ.get("BAZELSCOPE_RANDOM_SEED", "0"))
ERRORS_AMONG = 5
"""One world in so many has a package in error."""


@dataclass(frozen=True)
class Worlds:
    """The workspace that holds them all, and the Bazel that was asked."""

    root: Path
    bazel: Bazel
    sound: tuple[RandomWorld, ...]
    broken: tuple[RandomWorld, ...]

    def loader(self) -> Loader:
        return ours.open_loader(self.root, VERSION)

    def query(self, expression: str, *flags: str) -> str:
        file = self.root.parent / "expression.txt"
        file.write_text(expression)
        asked = self.bazel.run(
            self.root,
            "query",
            "--noshow_progress",
            "--keep_going",
            f"--query_file={file}",
            *flags,
        )
        return asked.stdout


def _universe(worlds: tuple[RandomWorld, ...]) -> str:
    names = [f"//{world.name}/...:*" for world in worlds]
    names += [f"@{name}//...:*" for world in worlds for name in world.repositories]
    return " + ".join(names)


@pytest.fixture(scope="module")
def worlds(clear_room: Callable[[], Path], bazel: Callable[[str], Bazel]) -> Worlds:
    root = clear_room() / "w"
    sound: list[RandomWorld] = []
    broken: list[RandomWorld] = []
    definitions: list[str] = []
    for number in range(SEED, SEED + COUNT):
        is_broken = number % ERRORS_AMONG == ERRORS_AMONG - 1
        world = make_world(number, with_errors=is_broken)
        world.write(root)
        definitions.append(world.workspace)
        (broken if is_broken else sound).append(world)
    (root / "WORKSPACE").write_text("".join(definitions))
    return Worlds(root, bazel(VERSION), tuple(sound), tuple(broken))


def _packages(loader: Loader, worlds: tuple[RandomWorld, ...]) -> list[Package]:
    found = []
    for world in worlds:
        ids = list(loader.trees.packages_below(PackageId("", world.name)))
        for name in world.repositories:
            ids += loader.trees.packages(name)
        for id in ids:
            result = loader.package(id)
            assert isinstance(result, Package), result
            found.append(result)
    return found


def test_every_fact_of_every_target(worlds: Worlds) -> None:
    loader = worlds.loader()
    graph = TargetGraph(loader, VERSION, implicit=True, visibility=False)
    found: dict[str, set[Fact]] = {}
    for package in _packages(loader, worlds.sound):
        assert not [item for item in package.diagnostics if item.severity is Severity.ERROR], (
            package.diagnostics
        )
        found.update(facts_of_package(graph, package))
    answer = worlds.query(_universe(worlds.sound), "--output=xml", "--xml:default_values")
    wanted = facts_of_xml(answer)
    assert len(wanted) > COUNT
    difference = differences(_flat(found), _flat(wanted))
    assert not difference, difference


def _flat(facts: dict[str, set[Fact]]) -> set[Fact]:
    return {(label, *fact) for label, found in facts.items() for fact in found}


def test_edges_and_their_conditions(worlds: Worlds) -> None:
    loader = worlds.loader()
    graph = ours.graph_of(loader)
    labels = [
        target.label
        for package in _packages(loader, worlds.sound)
        for target in package.targets.values()
    ]
    deps = ours.existing(graph, graph.deps(labels))
    alive = set(map(str, deps))
    found = {
        (edge, conditions)
        for edge, conditions in ours.edges(graph, deps).items()
        if edge[1] in alive
    }
    answer = worlds.query(
        f"deps({_universe(worlds.sound)})",
        "--noimplicit_deps",
        "--output=graph",
        "--nograph:factored",
        "--graph:node_limit=-1",
        "--graph:conditional_edges_limit=-1",
    )
    wanted = query_output.graph_edges(answer.splitlines())
    assert len(wanted) > COUNT
    difference = differences(found, wanted.items())
    assert not difference, difference


def test_the_same_packages_are_in_error(worlds: Worlds) -> None:
    loader = worlds.loader()
    packages = _packages(loader, worlds.broken)
    mine = {
        str(package.build_file)
        for package in packages
        if any(item.severity is Severity.ERROR for item in package.diagnostics)
    }
    answer = worlds.query(_universe(worlds.broken), "--output=xml")
    theirs = packages_in_error(answer)
    loaded = facts_of_xml(answer)
    theirs |= {
        str(package.build_file) for package in packages if str(package.build_file) not in loaded
    }
    assert theirs
    difference = differences(mine, theirs)
    assert not difference, difference
