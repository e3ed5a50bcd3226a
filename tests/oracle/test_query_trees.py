"""Whole real trees, gRPC's and Bazel's own, beside what a real Bazel 4.2.3 tells of every target.

Their archives cannot be downloaded, so both sides get the same stubs of them
(`support.stub_repositories`). Compared are, set against set, every target with its kind, its
place, its attributes and its inputs, and every edge with its conditions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.base.errors import Severity
from bazelscope.bazel.builtin_repositories import builtin_repositories
from bazelscope.bazel.release import Release
from bazelscope.loading.packages.package import Package
from tests.support import ours, query_output
from tests.support.bazel import Bazel
from tests.support.query_facts import Fact, facts_of_package, facts_of_xml, packages_in_error
from tests.support.query_output import differences
from tests.support.trees import BAZEL, GRPC, RealTree

pytestmark = [pytest.mark.oracle, pytest.mark.corpus, pytest.mark.slow]

VERSION = "4.2.3"
UNIVERSE = "//...:*"
DEBIANS_LACKS = {
    f"//external:{name}"
    for name in builtin_repositories(Release.of(VERSION)).prefix_binds
    if name != "cc_toolchain"
}
"""What Bazel 4.2.3 binds for its rules of Android, which Debian's was built without."""


@dataclass(frozen=True)
class Side:
    """A tree under both: the packages that are compared, and the Bazel that was asked."""

    tree: RealTree
    flags: tuple[str, ...]
    bazel: Bazel
    graph: TargetGraph
    packages: tuple[Package, ...]

    def query(self, expression: str, *options: str) -> str:
        return self.bazel.query(self.tree.find(), expression, *options, *self.flags).stdout

    def is_compared(self, label: str) -> bool:
        return label.partition(":")[0] not in self.tree.apart


@pytest.fixture(scope="module", params=(BAZEL, GRPC), ids=lambda tree: tree.name)
def side(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    bazel: Callable[[str], Bazel],
) -> Side:
    tree: RealTree = request.param
    flags = tree.lay_out(tmp_path_factory.mktemp(tree.name))
    loader = ours.open_loader(tree.find(), VERSION, flags)
    packages = []
    for id in loader.trees.packages():
        result = loader.package(id)
        assert isinstance(result, Package), result
        packages.append(result)
    # The implicit inputs of each rule class are the subject of `test_query_rule_classes`.
    graph = TargetGraph(loader, VERSION, implicit=False, visibility=False)
    return Side(tree, flags, bazel(VERSION), graph, tuple(packages))


def test_every_fact_of_every_target(side: Side) -> None:
    answer = side.query(UNIVERSE, "--output=xml", "--noimplicit_deps")
    assert packages_in_error(answer) <= {f"{name}:BUILD" for name in side.tree.apart}
    found: dict[str, set[Fact]] = {}
    for package in side.packages:
        if side.is_compared(str(package.id)):
            errors = [item for item in package.diagnostics if item.severity is Severity.ERROR]
            assert not errors, errors
            found.update(facts_of_package(side.graph, package, default_values=False))
    wanted = {
        label: facts for label, facts in facts_of_xml(answer).items() if side.is_compared(label)
    }
    assert len(wanted) >= side.tree.targets
    assert not differences(found, wanted), differences(found, wanted)
    lines = [
        f"{label}:\n{difference}"
        for label, facts in wanted.items()
        if (difference := differences(found[label], facts))
    ]
    assert not lines, "\n".join(lines[:40])


def test_edges_and_their_conditions(side: Side) -> None:
    answer = side.query(
        f"deps({UNIVERSE}, 1)",
        "--noimplicit_deps",
        "--output=graph",
        "--nograph:factored",
        "--graph:node_limit=-1",
        "--graph:conditional_edges_limit=-1",
    )
    wanted = {
        (edge, conditions)
        for edge, conditions in query_output.graph_edges(answer.splitlines()).items()
        if _is_within(edge, side)
    }
    assert len(wanted) >= side.tree.edges
    labels = [
        target.label
        for package in side.packages
        if side.is_compared(str(package.id))
        for target in package.targets.values()
    ]
    graph = ours.graph_of(side.graph.source)
    targets = {edge.target for label in labels for edge in graph.edges(label)}
    alive = set(map(str, ours.existing(graph, targets)))
    found = {
        (edge, conditions)
        for edge, conditions in ours.edges(graph, labels).items()
        if edge[1] in alive and _is_within(edge, side)
    }
    difference = differences(found, wanted)
    assert not difference, difference


def _is_within(edge: tuple[str, str], side: Side) -> bool:
    """Whether an edge goes from the tree to the tree, or to a stub: what else is there to be
    depended on differs with the machine."""
    source, target = edge
    if not (side.is_compared(source) and side.is_compared(target)):
        return False
    if not source.startswith("//") or source.startswith("//external:") or target in DEBIANS_LACKS:
        return False
    repository = target.partition("//")[0].removeprefix("@")
    laid_out = any(flag.startswith(f"--override_repository={repository}=") for flag in side.flags)
    return not repository or laid_out
