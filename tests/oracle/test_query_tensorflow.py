"""The whole of TensorFlow 1.14.0, beside what real Bazel 0.24.1 answered about it.

The answers and the flags of the external world lie beside the checkout (`../shared/oracle`,
`../oracle`, `../trees/tf1.14`), since neither can be had from a registry. Bazel 0.24.1 keeps
`@org_tensorflow//x` apart from `//x`; both sides are compared with the two folded.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from bazelscope.analysis.graph import TargetGraph
from bazelscope.label import Label, PackageId, parse_label
from bazelscope.loading.loader import Loader
from support import ours, query_output
from support.parts import need_sibling
from support.query_output import GraphEdge, differences

pytestmark = [pytest.mark.oracle, pytest.mark.slow]

TARGET = parse_label("//tensorflow/tools/pip_package:build_pip_package", PackageId("", ""))
BAZEL = "0.24.1"

# 0.24.1 writes it from the machine's compiler, and has no model.
_TOOLCHAIN = "@local_config_cc//"

# Bazel's ERROR lines about this tree (load_errors.txt).
_ABSENT = {"//tensorflow/core:saved_model_portable_proto", "@androidndk//:cpufeatures"}


def _fold(label: str) -> str:
    return label.replace("@org_tensorflow//", "//")


class Answers:
    """What Bazel answered, file by file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def lines(self, name: str) -> list[str]:
        return gzip.decompress((self.folder / f"{name}.gz").read_bytes()).decode().splitlines()

    def labels(self) -> set[str]:
        found = self.lines("pip_package.deps.noimplicit.labels.txt")
        return {_fold(label) for label in found}

    def edges(self) -> dict[GraphEdge, frozenset[str]]:
        found = {}
        for line in self.lines("pip_package.deps.noimplicit.edges.tsv"):
            source, target, conditions = line.split("\t")
            named = frozenset(_fold(c) for c in conditions.split(" | ") if c)
            found[_fold(source), _fold(target)] = named
        return found


@dataclass(frozen=True)
class Asked:
    """The tree under bazelscope, and everything that the target reaches."""

    loader: Loader
    graph: TargetGraph
    deps: dict[Label, int]

    def labels(self) -> set[str]:
        return {_fold(str(label)) for label in ours.existing(self.graph, self.deps)}


def _ask(flags: Iterable[str]) -> Asked:
    tree = need_sibling("BAZELSCOPE_TF114", "trees/tf1.14")
    loader = ours.open_loader(tree, BAZEL, tuple(flags))
    graph = ours.graph_of(loader)
    return Asked(loader, graph, graph.deps([TARGET]))


@pytest.fixture(scope="module")
def answers() -> Answers:
    return Answers(need_sibling("BAZELSCOPE_SHARED", "shared") / "oracle" / "tf-1.14.0")


@pytest.fixture(scope="module")
def in_the_world() -> Asked:
    """Asked with every external repository laid out, as it was for Bazel."""
    world = need_sibling("BAZELSCOPE_ORACLE", "oracle")
    return _ask((world / "flags.txt").read_text().split())


def test_labels(answers: Answers, in_the_world: Asked) -> None:
    wanted = {label for label in answers.labels() if not label.startswith(_TOOLCHAIN)}
    found = {label for label in in_the_world.labels() if not label.startswith(_TOOLCHAIN)}
    difference = differences(found, wanted)
    assert not difference, difference


def test_what_bazel_reports_as_absent_is_absent(in_the_world: Asked) -> None:
    absent = set(in_the_world.deps) - set(ours.existing(in_the_world.graph, in_the_world.deps))
    assert {str(label) for label in absent} == _ABSENT


def test_edges(answers: Answers, in_the_world: Asked) -> None:
    found = {
        (_fold(source), _fold(target)): frozenset(map(_fold, conditions))
        for (source, target), conditions in ours.edges(
            in_the_world.graph, in_the_world.deps
        ).items()
    }
    wanted = answers.edges()
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
        if not edge[0].startswith(_TOOLCHAIN) and edge[1] not in _ABSENT
    }


def test_every_target_of_the_tree(answers: Answers, in_the_world: Asked) -> None:
    loader = in_the_world.loader
    found = ours.all_label_kinds(loader, loader.packages())
    difference = differences(found, query_output.label_kinds(answers.lines("all.label_kind.txt")))
    assert not difference, difference


def test_the_tree_alone(answers: Answers) -> None:
    """Without any external repository: overlays, dry runs and models lead to the same labels.

    `//external:x` labels that only an archive's own BUILD file names cannot be known; nor
    can it that a target is absent, in a package that calls macros of an archive.
    """
    alone = _ask(())
    wanted = {label for label in answers.labels() if _is_in_tree(label)}
    found = {label for label in alone.labels() - _ABSENT if _is_in_tree(label)}
    difference = differences(found, wanted)
    assert not difference, difference


def _is_in_tree(label: str) -> bool:
    return label.startswith("//") and not label.startswith("//external:")
