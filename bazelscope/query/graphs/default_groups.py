"""The package groups that see a rule by what its package says."""

from __future__ import annotations

from bazelscope.analysis.conditions.visibility import groups_of, is_seen_anyway
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.analysis.graph.target_marks import VISIBILITY
from bazelscope.base.label import Label
from bazelscope.bazel.attribute_types import RuleClass
from bazelscope.bazel.release import Release
from bazelscope.loading.packages.package import Package


def groups_by_default(
    graph: TargetGraph, label: Label, kind: RuleClass, package: Package | None, release: Release
) -> list[Label]:
    """The groups, which are implicit dependencies of the rule. Bazel: `LabelVisitationUtils`."""
    groups = groups_of(package.default_visibility) if package is not None else []
    if not groups or is_seen_anyway(kind, False, release):
        return []
    return [] if graph.is_marked(label, VISIBILITY) else groups
