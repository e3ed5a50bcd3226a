"""Targets that cannot be built for a platform, and which `target_compatible_with` says so.

A target is incompatible if the platform of its configuration lacks a constraint value that
it asks for, or if anything that it depends on is incompatible. Bazel:
`IncompatiblePlatformProvider`, `RuleContextConstraintSemantics`.
"""

from __future__ import annotations

from collections.abc import Iterable, Set

from bazelscope.analysis.conditions.alias_dependencies import takes_part_in_resolution
from bazelscope.analysis.conditions.configured_edges import ConfiguredEdge, ConfiguredNode, Taken
from bazelscope.analysis.conditions.edges import EdgeKind
from bazelscope.analysis.conditions.match_result import Requirement
from bazelscope.analysis.conditions.select_choice import resolve_value
from bazelscope.analysis.configuration.platforms import (
    behind_setting,
    constraint_of,
    is_of_no_platform,
)
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.target_marks import ASKS_PLATFORM
from bazelscope.base.graph_walk import distances, walk, way_to
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Unknown
from bazelscope.loading.packages.targets import Rule

ATTRIBUTE = "target_compatible_with"
_BUILT = frozenset({EdgeKind.ATTRIBUTE, EdgeKind.ASSUMED, EdgeKind.IMPLICIT, EdgeKind.GENERATED_BY})


@dataclass(frozen=True, slots=True)
class Incompatible:
    """`chain` leads from the target that was asked about to the one that says so itself;
    `missing` are the constraint values that it wants and its platform does not have."""

    chain: tuple[ConfiguredNode, ...]
    missing: tuple[Requirement, ...]


def why_incompatible(graph: ConfiguredGraph, start: ConfiguredNode) -> Incompatible | None:
    """The nearest reason why a target cannot be built; None if it can, as far as is known.

    Bazel has the attribute since 4.0; before that nothing is incompatible.
    """
    if not graph.configuration.release.incompatible_targets:
        return None

    parents: dict[ConfiguredNode, ConfiguredNode | None] = {}
    for visit in walk([start], lambda node: built(graph, node)):
        parents[visit.node] = visit.source
        missing = missing_constraints(graph, visit.node)
        if missing:
            return Incompatible(tuple(way_to(visit.node, parents)), missing)
    return None


def incompatible_among(
    graph: ConfiguredGraph, starts: Iterable[ConfiguredNode]
) -> Set[ConfiguredNode]:
    """Returns which of some targets, and of what they are made from, cannot be built: as
    `why_incompatible` says it of each, by one walk through what is below all of them."""
    users: dict[ConfiguredNode, list[ConfiguredNode]] = {start: [] for start in starts}
    pending = list(users)
    refused: list[ConfiguredNode] = []
    for node in pending:
        if missing_constraints(graph, node):
            refused.append(node)
            continue
        for edge in built(graph, node):
            if edge.target not in users:
                users[edge.target] = []
                pending.append(edge.target)
            users[edge.target].append(node)
    return distances(refused, users.__getitem__).keys()


def built(graph: ConfiguredGraph, node: ConfiguredNode) -> list[ConfiguredEdge]:
    """The edges to what a target is made from: what is incompatible there makes it so, too."""
    return [
        edge
        for edge in (*graph.edges(node), *graph.unwritten.of_defaults(node, private=True))
        if edge.taken is Taken.YES and edge.edge.kind in _BUILT and edge.edge.attribute != ATTRIBUTE
    ]


def missing_constraints(graph: ConfiguredGraph, node: ConfiguredNode) -> tuple[Requirement, ...]:
    """The constraint values of a target's own attribute that its platform does not have."""
    if node.configuration is None or not graph.graph.is_marked(node.label, ASKS_PLATFORM):
        return ()
    target = graph.target(node)
    if not isinstance(target, Rule):
        return ()
    release = graph.configuration.release
    is_alias = target.rule_class.name == "alias" and release.aliases_ask_platform
    if not is_alias and not takes_part_in_resolution(target.rule_class, release):
        return ()  # A toolchain says of others what they are for.
    attribute = target.attributes.get(ATTRIBUTE)
    if attribute is None:
        return ()
    conditions = graph.conditions(node.configuration)
    value = resolve_value(attribute.value, conditions, ()).value
    missing: list[Requirement] = []
    for label in value if isinstance(value, tuple) else ():
        source = graph.graph.source
        constraint = constraint_of(source, behind_setting(source, node.configuration, label))
        if isinstance(constraint, Unknown):
            continue
        platform = conditions.platform
        got = platform.get(constraint.setting) or constraint.default
        if got is None and platform.unknown is not None and not is_of_no_platform(label):
            continue
        if got != constraint.value:
            missing.append(
                Requirement(
                    str(constraint.setting),
                    str(constraint.value),
                    str(got) if got is not None else None,
                    platform.set_by,
                )
            )
    return tuple(missing)
