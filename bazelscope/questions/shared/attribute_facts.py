"""What a target's attributes hold under the flags, and the dependencies that they give."""

from __future__ import annotations

from bazelscope.analysis.conditions.configured_edges import ConfiguredEdge, ConfiguredNode, Taken
from bazelscope.analysis.conditions.edges import EdgeKind
from bazelscope.analysis.conditions.select_choice import Chosen, UnknownChoice
from bazelscope.analysis.graph.dependency_edges import labels_in
from bazelscope.base.label import Label
from bazelscope.base.source import Location
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import Selector, SelectorList
from bazelscope.loading.origins.terms import why_label
from bazelscope.loading.packages.targets import (
    NoSuchPackage,
    NoSuchTarget,
    Rule,
    UnknownPackage,
    UnknownTarget,
)
from bazelscope.questions.shared.described_conditions import value_texts
from bazelscope.questions.shared.described_targets import describe_term
from bazelscope.questions.shared.nodes import TermAnswer
from bazelscope.questions.shared.target_answers import (
    AttributeAnswer,
    AttributeValue,
    DependencyGroup,
    DirectDependency,
    HiddenAttribute,
)
from bazelscope.questions.shared.world import World

_UNTOLD = frozenset({"name", "generator_name", "generator_function", "generator_location"})


def what_attributes_hold(world: World, rule: Rule) -> tuple[AttributeAnswer, ...]:
    """Each attribute that a BUILD file or macro set, its select()s resolved."""
    conditions = world.configured.conditions(world.configured.top(rule.label).configuration)
    found = []
    for attribute in rule.attributes.values():
        if attribute.name in _UNTOLD:
            continue
        value = attribute.value
        values: list[AttributeValue] = []
        undecided = 0
        for part in value.parts if isinstance(value, SelectorList) else (value,):
            if not isinstance(part, Selector):
                values += [AttributeValue(text) for text in value_texts(part)]
                continue
            choice = conditions.resolve(part)
            if not isinstance(choice, Chosen):
                undecided += 1
                continue
            branch = choice.branch
            texts = value_texts(branch.value)
            values += [AttributeValue(text, branch.condition) for text in texts]
        found.append(AttributeAnswer(attribute.name, tuple(values), undecided))
    return tuple(found)


def what_it_depends_on(world: World, rule: Rule) -> tuple[DependencyGroup, ...]:
    """The direct dependencies under the flags, by the piece of the BUILD file that gives
    them, in written order."""
    made: dict[object, tuple[ConfiguredEdge, TermAnswer | None, list[DirectDependency]]] = {}
    for edge in world.configured.taken(world.configured.top(rule.label)):
        if edge.edge.kind is not EdgeKind.ATTRIBUTE:
            continue
        term = _term(world, rule, edge)
        branch = edge.edge.branch
        key = (
            edge.edge.attribute,
            branch.branch.condition if branch else None,
            id(branch.selector) if branch else None,
            (term.kind, term.text, term.defined_at)
            if term is not None and term.kind != "literal"
            else None,
        )
        made.setdefault(key, (edge, term, []))[2].append(_dependency(world, edge))
    return tuple(_group(edge, term, found) for edge, term, found in made.values())


def _term(world: World, rule: Rule, edge: ConfiguredEdge) -> TermAnswer | None:
    selector = edge.edge.branch.selector if edge.edge.branch else None
    found = why_label(world.loader, rule, edge.edge.attribute, edge.edge.target, selector)
    return describe_term(found)


def _group(
    edge: ConfiguredEdge, term: TermAnswer | None, found: list[DirectDependency]
) -> DependencyGroup:
    branch = edge.edge.branch
    select_at: Location | None = None
    if branch is not None and branch.selector.call_stack:
        select_at = branch.selector.call_stack[-1].location
    return DependencyGroup(
        edge.edge.attribute,
        tuple(found),
        term,
        term.location if term is not None else None,
        branch.branch.condition if branch is not None else None,
        select_at,
    )


def _dependency(world: World, edge: ConfiguredEdge) -> DirectDependency:
    node: ConfiguredNode = edge.target
    return DirectDependency(
        node.label,
        kind_of(world, node.label),
        node.description,
        why_uncertain(edge),
        _unknown(world, node.label),
    )


def why_uncertain(edge: ConfiguredEdge) -> Unknown | None:
    """Why it cannot be told whether an edge is taken, or how its target is built."""
    if edge.taken is Taken.UNKNOWN and isinstance(edge.choice, UnknownChoice):
        return edge.choice.unknowns[0]
    return edge.unknown


def kind_of(world: World, label: Label) -> str:
    """What a label is, without Bazel's word `rule`: `cc_library`, `source file`."""
    found = world.graph.node(label)
    if isinstance(found, UnknownTarget | UnknownPackage):
        return "unknown"
    if isinstance(found, NoSuchTarget | NoSuchPackage):
        return "missing"
    return found.kind.removesuffix(" rule")


def _unknown(world: World, label: Label) -> Unknown | None:
    found = world.graph.node(label)
    return found.unknown if isinstance(found, UnknownTarget | UnknownPackage) else None


def what_is_hidden(world: World, rule: Rule) -> tuple[HiddenAttribute, ...]:
    """The attributes that may hold dependencies which the files do not tell."""
    found = world.graph.unknown_edges(rule.label)
    return tuple(HiddenAttribute(entry.attribute, entry.unknown) for entry in found)


def first_label(selector: Selector) -> Label | None:
    """A label in one of the branches of a select(), to find the select() in the text by."""
    for branch in selector.branches:
        label = next(labels_in(branch.value), None)
        if label is not None:
            return label
    return None
