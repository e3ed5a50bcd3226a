"""What of one target cannot be told."""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.analysis.graph.target_marks import UNKNOWNS
from bazelscope.base.label import Label, PackageId
from bazelscope.base.unknown import GLOB, Reason, Unknown
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import NoSuchTarget, UnknownResult


def unknowns_of(
    loader: Loader, graph: TargetGraph, label: Label, globbed: PackageId | None
) -> Iterator[tuple[str, Unknown]]:
    """What of one target cannot be told: attribute (`""`: all of it) and reason. Globs count
    in the package `globbed` alone."""
    package = loader.package(label.package_id)
    if not isinstance(package, Package) or label.name not in package.targets:
        node = graph.node(label)
        if isinstance(node, UnknownResult):
            yield "", node.unknown
        elif isinstance(node, NoSuchTarget):
            from bazelscope.questions.shared.endpoints import problem_of_package

            problem = problem_of_package(loader, label)
            if problem is not None:
                yield "", Unknown(Reason.FAILED, str(label), problem)
        return
    if not graph.is_marked(label, UNKNOWNS):
        return
    for hidden in graph.unknown_edges(label):
        if not hidden.unknown.subject.startswith(GLOB) or label.package_id == globbed:
            yield hidden.attribute, hidden.unknown
