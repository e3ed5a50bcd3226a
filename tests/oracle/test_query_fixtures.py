"""The fixtures' targets and edges, as bazelscope and as real Bazel see them.

Both sides get the same external world (`support.worlds`). bazelscope is then asked without
any of it, too: of its own tree it must say the same from overlays, dry runs and models alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from bazelscope.base.label import Label
from bazelscope.loading.packages.package import Package
from tests.support import ours, query_output
from tests.support.bazel import Bazel
from tests.support.query_output import differences
from tests.support.worlds import WORLDS, World

pytestmark = pytest.mark.oracle


@dataclass(frozen=True)
class Side:
    """A fixture, its laid-out world, and the Bazel that was asked."""

    world: World
    flags: tuple[str, ...]
    bazel: Bazel

    @property
    def deps(self) -> str:
        return f"deps({self.world.target})"


@pytest.fixture(scope="module", params=WORLDS, ids=lambda world: world.fixture)
def side(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    bazel: Callable[[str], Bazel],
) -> Side:
    world: World = request.param
    real = bazel(world.bazel_version)
    flags = world.lay_out(tmp_path_factory.mktemp(world.fixture))
    return Side(world, flags, real)


def test_labels_and_kinds(side: Side) -> None:
    asked = side.bazel.query(
        side.world.workspace, side.deps, "--noimplicit_deps", "--output=label_kind", *side.flags
    ).checked()
    graph = ours.graph_of(
        ours.open_loader(side.world.workspace, side.world.bazel_version, side.flags)
    )
    deps = graph.deps([ours.label(side.world.target)])
    difference = differences(ours.label_kinds(graph, deps), query_output.label_kinds(asked.lines))
    assert not difference, difference


def test_edges_and_their_conditions(side: Side) -> None:
    asked = side.bazel.query(
        side.world.workspace,
        side.deps,
        "--noimplicit_deps",
        "--output=graph",
        "--nograph:factored",
        "--graph:node_limit=-1",
        "--graph:conditional_edges_limit=-1",
        *side.flags,
    ).checked()
    graph = ours.graph_of(
        ours.open_loader(side.world.workspace, side.world.bazel_version, side.flags)
    )
    deps = graph.deps([ours.label(side.world.target)])
    difference = differences(
        ours.edges(graph, deps).items(), query_output.graph_edges(asked.lines).items()
    )
    assert not difference, difference


def test_every_target_of_the_tree(side: Side) -> None:
    asked = side.bazel.query(
        side.world.workspace, "//...:*", "--output=label_kind", *side.flags
    ).checked()
    loader = ours.open_loader(side.world.workspace, side.world.bazel_version, side.flags)
    found = ours.all_label_kinds(loader, loader.trees.packages())
    difference = differences(found, query_output.label_kinds(asked.lines))
    assert not difference, difference


def test_the_tree_is_the_same_without_the_world(side: Side) -> None:
    target = ours.label(side.world.target)
    with_world = ours.open_loader(side.world.workspace, side.world.bazel_version, side.flags)
    alone = ours.open_loader(side.world.workspace, side.world.bazel_version)
    assert _in_tree(ours.graph_of(alone).deps([target])) == _in_tree(
        ours.graph_of(with_world).deps([target])
    )


def test_no_package_of_the_tree_is_in_error(side: Side) -> None:
    """Without the world either: a package may hold unknowns, but no errors."""
    loader = ours.open_loader(side.world.workspace, side.world.bazel_version)
    for package in loader.trees.packages():
        result = loader.package(package)
        assert isinstance(result, Package)
        assert result.diagnostics == ()


def _in_tree(labels: dict[Label, int]) -> set[Label]:
    return {label for label in labels if not label.repository}
