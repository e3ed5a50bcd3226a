"""The whole of TensorFlow 1.14.0, beside what real Bazel 0.24.1 answered about it.

Bazel 0.24.1 keeps `@org_tensorflow//x` apart from `//x`, and so does bazelscope.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import pytest

from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.loading.loader import Loader
from tests.oracle import tensorflow_1_14 as tensorflow
from tests.support import ours, query_output
from tests.support.query_output import GraphEdge, differences

pytestmark = [pytest.mark.oracle, pytest.mark.slow]

TARGET = parse_label(tensorflow.TARGET, PackageId("", ""))

# Bazel's ERROR lines about this tree (load_errors.txt).
_ABSENT = {"//tensorflow/core:saved_model_portable_proto", "@androidndk//:cpufeatures"}


def recorded_labels() -> set[str]:
    return set(tensorflow.lines("pip_package.deps.noimplicit.labels.txt"))


def recorded_edges() -> dict[GraphEdge, frozenset[str]]:
    found = {}
    for line in tensorflow.lines("pip_package.deps.noimplicit.edges.tsv"):
        source, target, conditions = line.split("\t")
        found[source, target] = frozenset(filter(None, conditions.split(" | ")))
    return found


@dataclass(frozen=True)
class Asked:
    """The tree under bazelscope, and everything that the target reaches."""

    loader: Loader
    graph: TargetGraph
    deps: dict[Label, int]

    def labels(self) -> set[str]:
        return {str(label) for label in ours.existing(self.graph, self.deps)}


def _ask(flags: Iterable[str]) -> Asked:
    loader = ours.open_loader(tensorflow.tree(), tensorflow.BAZEL, tuple(flags))
    graph = ours.graph_of(loader)
    return Asked(loader, graph, graph.deps([TARGET]))


@pytest.fixture(scope="module")
def in_the_world() -> Asked:
    """Asked with every external repository laid out, as it was for Bazel."""
    return _ask(tensorflow.world())


def test_labels(in_the_world: Asked) -> None:
    wanted = recorded_labels()
    difference = differences(in_the_world.labels(), wanted)
    assert not difference, difference
    assert len(wanted) == 15975


def test_what_bazel_reports_as_absent_is_absent(in_the_world: Asked) -> None:
    absent = set(in_the_world.deps) - set(ours.existing(in_the_world.graph, in_the_world.deps))
    assert {str(label) for label in absent} == _ABSENT


def test_edges(in_the_world: Asked) -> None:
    found = ours.edges(in_the_world.graph, in_the_world.deps)
    wanted = recorded_edges()
    assert len(wanted) == 59818
    # Bazel printed three conditions of an edge at most, and then an ellipsis.
    cut = {edge for edge, conditions in wanted.items() if any("..." in c for c in conditions)}
    difference = differences(_comparable(found, cut), _comparable(wanted, cut))
    assert not difference, difference


def _comparable(
    edges: dict[GraphEdge, frozenset[str]], cut: set[GraphEdge]
) -> set[tuple[GraphEdge, frozenset[str]]]:
    return {
        (edge, frozenset() if edge in cut else conditions)
        for edge, conditions in edges.items()
        if edge[1] not in _ABSENT
    }


def test_every_target_of_the_tree(in_the_world: Asked) -> None:
    loader = in_the_world.loader
    found = ours.all_label_kinds(loader, loader.trees.packages())
    wanted = query_output.label_kinds(tensorflow.lines("all.label_kind.txt"))
    difference = differences(found, wanted)
    assert not difference, difference
    assert len(wanted) == 34639


def test_the_tree_alone() -> None:
    """Without any external repository: overlays, dry runs and models lead to the same labels.

    `//external:x` labels that only an archive's own BUILD file names cannot be known; nor
    can it that a target is absent, in a package that calls macros of an archive.
    """
    alone = _ask(())
    wanted = {label for label in recorded_labels() if _is_in_tree(label)}
    found = {label for label in alone.labels() - _ABSENT if _is_in_tree(label)}
    difference = differences(found, wanted)
    assert not difference, difference


def _is_in_tree(label: str) -> bool:
    return label.startswith("//") and not label.startswith("//external:")
