"""Why a target has no toolchains of the types that it asks for, and what would mend it.

Bazel: `ToolchainResolutionFunction.UnresolvedToolchainsException`, `NoMatchingPlatformData`.
"""

from __future__ import annotations

from collections.abc import Sequence

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.configuration.platforms import (
    actual_target,
    parents_first,
    target_platform_label,
)
from bazelscope.analysis.configuration.target_source import TargetSource
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.base.label import Label
from bazelscope.bazel.attribute_types import ExecGroup, ToolchainRequirement
from bazelscope.loading.packages.targets import Rule

_RUNS_ALL = "add an execution platform on which tools of all these types run"
_REGISTER = "register a toolchain of this type for the target platform, or build for another"


def why_missing(
    graph: ConfiguredGraph,
    node: ConfiguredNode,
    missing: Sequence[Label],
    wanted: Sequence[Label],
    group: ExecGroup,
) -> tuple[str, str]:
    """What Bazel says of the types `missing` of those `wanted` in an execution group, and the
    remedy: words of the types are part of it, and those of the target platform come before ours."""
    own = node.configuration or graph.configuration
    source = graph.graph.source
    target = target_platform_label(own)
    nowhere = [type_ for type_ in missing if not _is_found(graph, node, type_, group)]
    if not nowhere:
        types = ", ".join(map(str, wanted))
        message = f"Unable to find an execution platform for toolchains [{types}]"
        return f"{message} and target platform {target}", _RUNS_ALL
    told = [(type_, _text_of(source, type_, "no_match_error")) for type_ in nowhere]
    names = ", ".join(f"{type_}: {text}" if text else str(type_) for type_, text in told)
    remedy = _REGISTER
    for label, _ in parents_first(source, target) if isinstance(target, Label) else ():
        remedy = _text_of(source, label, "missing_toolchain_error") or remedy
    return f"no matching toolchains found for types {names}", remedy


def _is_found(graph: ConfiguredGraph, node: ConfiguredNode, type_: Label, group: ExecGroup) -> bool:
    """Whether a type that is asked for alone has a toolchain, on whichever platform."""
    rule = graph.target(node)
    if not isinstance(rule, Rule):
        return False
    resolution = graph.nodes.resolution(node.configuration or graph.configuration)
    (found,) = resolution.resolve(rule, (ToolchainRequirement(type_),), group)
    return found.implementation is not None


def _text_of(source: TargetSource, label: Label, name: str) -> str:
    """The text that a rule behind a label gives for an attribute."""
    rule = actual_target(source, label)
    return rule.text(name) if isinstance(rule, Rule) else ""
