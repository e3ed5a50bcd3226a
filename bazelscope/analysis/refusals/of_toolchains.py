"""What Bazel refuses of a target for toolchains and execution platforms: a type for which nothing
is registered, constraints that no platform has, and what is no constraint.

Bazel: `ToolchainResolutionFunction`, `ConstraintValueLookupUtil`; measured with 4.2.3, 2.1.0 and
0.24.1.
"""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.analysis.conditions.alias_dependencies import takes_part_in_resolution
from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.configuration.platforms import (
    PlatformInfo,
    follow_aliases,
    labels_of,
    suits,
    target_platform_label,
)
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.target_marks import LOOKED_AT
from bazelscope.analysis.graph.toolchain_resolution import EXEC_COMPATIBLE, missing_toolchains
from bazelscope.analysis.refusals.refusal import Refusal, RefusalKind
from bazelscope.base.label import Label
from bazelscope.bazel.attribute_types import RuleClass
from bazelscope.loading.packages.targets import (
    InputFile,
    NoSuchPackage,
    NoSuchTarget,
    OutputFile,
    PackageGroup,
    Rule,
)

_NO_CONSTRAINT = InputFile | OutputFile | PackageGroup | NoSuchPackage | NoSuchTarget


def refused_of_toolchains(
    graph: ConfiguredGraph, node: ConfiguredNode, rule_class: RuleClass
) -> Iterator[Refusal]:
    """Yields why no toolchain, or no platform to run on, is found for a target."""
    narrows = graph.graph.is_marked(node.label, LOOKED_AT)
    if narrows and takes_part_in_resolution(rule_class, graph.configuration.release):
        rule = graph.graph.node(node.label)
        message = _of_platforms(graph, node, rule) if isinstance(rule, Rule) else ""
        if message:
            remedy = f"ask for constraint values that an execution platform has, or add one: {_ADD}"
            yield _refusal(graph, node, message, EXEC_COMPATIBLE, remedy)
            return
    missing = missing_toolchains(graph.unwritten.toolchains(node)) if rule_class.toolchains else ()
    if missing:
        names = ", ".join(map(str, missing))
        yield _refusal(
            graph,
            node,
            f"no matching toolchains found for types {names}",
            "toolchains",
            "register a toolchain of this type for the target platform, or build for another one",
        )


_ADD = "--extra_execution_platforms=LABEL"


def _of_platforms(graph: ConfiguredGraph, node: ConfiguredNode, rule: Rule) -> str:
    """Why no execution platform is found, if that is sure."""
    own = node.configuration or graph.configuration
    wanted = labels_of(rule, EXEC_COMPATIBLE)
    for label in wanted:
        if _is_no_constraint(graph, label):
            return (
                f"Target {label} was referenced as a constraint_value, but does not provide"
                " ConstraintValueInfo"
            )
    platforms = graph.nodes.resolution(own).execution_platforms() if wanted else ()
    lacking = [
        isinstance(one, PlatformInfo) and suits(graph.graph.source, wanted, one) is False
        for one in platforms
    ]
    if not lacking or not all(lacking):
        return ""
    target = target_platform_label(own)
    return f"Unable to find an execution platform for target platform {target}"


def _is_no_constraint(graph: ConfiguredGraph, label: Label) -> bool:
    actual = follow_aliases(graph.graph.source, label)
    target = graph.graph.node(actual) if isinstance(actual, Label) else None
    if isinstance(target, Rule):
        kind = target.rule_class
        return kind.is_known and not kind.defined_at and kind.name != "constraint_value"
    return isinstance(target, _NO_CONSTRAINT)


def _refusal(
    graph: ConfiguredGraph, node: ConfiguredNode, message: str, attribute: str, remedy: str
) -> Refusal:
    return Refusal(
        RefusalKind.TOOLCHAIN,
        f"While resolving toolchains for target {node.label}: {message}",
        node.label,
        attribute,
        getattr(graph.target(node), "location", None),
        remedy=remedy,
    )
