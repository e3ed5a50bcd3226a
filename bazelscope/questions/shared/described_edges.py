"""Edges of the target graph put into the form that answers show."""

from __future__ import annotations

from bazelscope.analysis.conditions.edges import WRITTEN, Edge
from bazelscope.base.unknown import Unknown
from bazelscope.loading.origins.terms import why_label
from bazelscope.loading.packages.targets import Rule
from bazelscope.questions.shared.nodes import BranchAnswer, EdgeAnswer
from bazelscope.questions.shared.world import World


def describe_edge(
    world: World, edge: Edge, uncertain: Unknown | None, with_term: bool
) -> EdgeAnswer:
    """Puts an edge into the form of an answer, with its select() and its place: that of the
    rule or, `with_term`, of the expression that put the label there. `uncertain` is why it may
    not be taken; else that the branch which made the rule was taken for granted."""
    rule = world.graph.node(edge.source)
    branch = None
    term = None
    if edge.branch is not None:
        chosen = edge.branch.branch
        branch = BranchAnswer(chosen.condition, chosen.is_default, edge.branch.selector.location)
    if with_term and isinstance(rule, Rule) and edge.kind in WRITTEN:
        selector = edge.branch.selector if edge.branch else None
        term = why_label(world.loader, rule, edge.attribute, edge.target, selector)
    if uncertain is None and isinstance(rule, Rule):
        from bazelscope.loading.packages.patched_models import why_doubtful

        package = world.graph.source.package(rule.label.package_id)
        uncertain = rule.taken_branch or why_doubtful(package, rule)
    location = term.location if term else None
    if location is None and isinstance(rule, Rule):
        location = rule.location
    return EdgeAnswer(
        source=edge.source,
        target=edge.target,
        attribute=edge.attribute,
        kind=edge.kind.value,
        location=location,
        term=term,
        branch=branch,
        is_tool=edge.is_tool,
        uncertain=uncertain,
    )
