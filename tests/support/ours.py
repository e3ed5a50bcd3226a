"""bazelscope's own answers in the shape of Bazel's output, for comparisons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from bazelscope.analysis.graph.aliases import cquery_label
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.api import ConfiguredWorkspace
from bazelscope.api import Workspace as Workspaces
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import (
    InputFile,
    NoSuchPackage,
    NoSuchTarget,
    OutputFile,
    PackageGroup,
    Rule,
    TargetResult,
)
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.workspace_files import Workspace
from tests.support.query_output import GraphEdge, LabelKind

_TARGETS = (Rule, InputFile, OutputFile, PackageGroup)


def label(text: str) -> Label:
    """The label that `text` means in the main repository's root."""
    return parse_label(text, PackageId("", ""))


def open_loader(
    workspace: Path, bazel_version: str, flags: Sequence[str] = (), cache: Path | None = None
) -> Loader:
    """A loader under `--override_repository` flags as Bazel takes them."""
    overrides = {}
    for flag in flags:
        name, _, root = flag.removeprefix("--override_repository=").partition("=")
        overrides[name] = root
    options = LoadingOptions(bazel_version=bazel_version, override_repositories=overrides)
    return Loader(Workspace.open(workspace), options, cache)


def share_packages(asked: ConfiguredWorkspace, earlier: list[ConfiguredWorkspace]) -> None:
    """Lets a line that has not begun to load take its packages from the first of some `earlier`
    ones that loads alike; where none does, it becomes one of them."""
    for one in earlier:
        if one.loading_options == asked.loading_options:
            asked.load_like(one)
            return
    earlier.append(asked)


def graph_of(loader: Loader) -> TargetGraph:
    """The graph that `query --noimplicit_deps` walks."""
    return TargetGraph(loader, loader.options.bazel_version)


def label_kind(label: Label, target: TargetResult) -> LabelKind:
    """As `--output=label_kind` says it; what is no target says so in its kind."""
    if isinstance(target, _TARGETS):
        return (str(label), target.kind)
    return (str(label), type(target).__name__)


def label_kinds(graph: TargetGraph, labels: Iterable[Label]) -> set[LabelKind]:
    return {label_kind(label, graph.node(label)) for label in labels}


def edges(graph: TargetGraph, labels: Iterable[Label]) -> dict[GraphEdge, frozenset[str]]:
    """Every edge that leaves `labels`, with the conditions of all branches that make it.

    A select that has only a default is no condition, as in Bazel's output.
    """
    found: dict[GraphEdge, set[str]] = {}
    for label in labels:
        for edge in graph.edges(label):
            conditions = found.setdefault((str(edge.source), str(edge.target)), set())
            chosen = edge.branch
            if chosen is not None and not all(b.is_default for b in chosen.selector.branches):
                conditions.add(str(chosen.branch.condition))
    return {edge: frozenset(conditions) for edge, conditions in found.items()}


def existing(graph: TargetGraph, labels: Iterable[Label]) -> list[Label]:
    """Those of `labels` of which Bazel would not say that there is no such thing."""
    absent = (NoSuchPackage, NoSuchTarget)
    return [label for label in labels if not isinstance(graph.node(label), absent)]


def configured_labels(workspace: Path, bazel_version: str, words: Sequence[str]) -> set[str]:
    """What `cquery --noimplicit_deps 'deps(TARGET)'` prints, through the public API.

    `words` are the flags and the target, as after `bazel build`.
    """
    return {label for label, _ in configured_nodes(workspace, bazel_version, words)}


def configured_nodes(
    workspace: Path,
    bazel_version: str,
    words: Sequence[str],
    rc: Path | None = None,
    implicit: bool = False,
) -> set[tuple[str, str]]:
    """The same with `target`, `host` or `source` beside each label (what cquery prints tells
    `exec` and `target` not apart), and with `implicit` as `--implicit_deps` has it. `rc` is
    one more file."""
    startup = [f"--bazelrc={rc}"] if rc is not None else []
    opened = Workspaces.open(workspace, bazel_version=bazel_version)
    build = opened.configure(words, startup=startup)
    whole = TargetGraph(build.loader, bazel_version, implicit=implicit)
    graph = ConfiguredGraph(whole, build.world.configuration)
    top = [parse_label(name, PackageId("", "")) for name in build.names]
    kinds = {"exec": "target"}
    return {
        (str(cquery_label(graph, node)), kinds.get(node.description, node.description))
        for node in graph.deps(top)
    }


def all_label_kinds(loader: Loader, packages: Iterable[PackageId]) -> set[LabelKind]:
    """`//...:*` as label and kind."""
    found = set()
    for package in packages:
        result = loader.package(package)
        if isinstance(result, Package):
            for target in result.targets.values():
                found.add(label_kind(target.label, target))
    return found
