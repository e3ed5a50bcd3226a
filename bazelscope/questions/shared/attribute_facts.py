"""What a target's attributes hold under the flags, and the dependencies that they give."""

from __future__ import annotations

from bazelscope.analysis.conditions.configured_edges import ConfiguredEdge, ConfiguredNode
from bazelscope.analysis.conditions.edges import EdgeKind
from bazelscope.analysis.conditions.select_choice import Chosen
from bazelscope.analysis.configuration.build_settings import DEFAULT_ATTRIBUTE, is_label_setting
from bazelscope.base.label import Label
from bazelscope.bazel.attribute_types import Selector, labels_in, parts_of
from bazelscope.loading.origins.term import Term, TermKind
from bazelscope.loading.origins.terms import why_label
from bazelscope.loading.packages.targets import (
    TAKEN_BRANCH,
    Absent,
    Rule,
    UnknownResult,
    unknown_of,
)
from bazelscope.questions.shared.described_selects import value_texts
from bazelscope.questions.shared.missing_dependencies import names_absent
from bazelscope.questions.shared.target_answers import (
    AttributeAnswer,
    AttributeValue,
    DependencyGroup,
    DirectDependency,
)
from bazelscope.questions.shared.world import World

OF_MACROS = frozenset({"name", "generator_name", "generator_function", "generator_location"})
"""The name, and what Bazel adds about the macro: they are told with the target."""


def what_attributes_hold(world: World, rule: Rule) -> tuple[AttributeAnswer, ...]:
    """Returns each attribute that a BUILD file or macro set, with its select()s resolved."""
    conditions = world.configured.conditions(world.configured.top(rule.label).configuration)
    attributes = []
    for attribute in rule.attributes.values():
        if attribute.name in OF_MACROS or attribute.name == TAKEN_BRANCH:
            continue
        values: list[AttributeValue] = []
        undecided = 0
        for part in parts_of(attribute.value):
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
        attributes.append(AttributeAnswer(attribute.name, tuple(values), undecided))
    return tuple(attributes)


def what_it_depends_on(world: World, rule: Rule) -> tuple[DependencyGroup, ...]:
    """Returns the direct dependencies under the flags, grouped by the piece of the BUILD file
    that gives them, in written order."""
    made: dict[object, tuple[ConfiguredEdge, Term | None, list[DirectDependency]]] = {}
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
            if term is not None and term.kind is not TermKind.LITERAL
            else None,
        )
        made.setdefault(key, (edge, term, []))[2].append(_dependency(world, edge))
    return tuple(_group(edge, term, dependencies) for edge, term, dependencies in made.values())


def _term(world: World, rule: Rule, edge: ConfiguredEdge) -> Term | None:
    if is_label_setting(rule) and edge.edge.attribute == DEFAULT_ATTRIBUTE:
        default = rule.attributes[DEFAULT_ATTRIBUTE].value
        if default != edge.edge.target:
            return None  # A flag says so, and not the file.
    selector = edge.edge.branch.selector if edge.edge.branch else None
    return why_label(world.loader, rule, edge.edge.attribute, edge.edge.target, selector)


def _group(
    edge: ConfiguredEdge, term: Term | None, dependencies: list[DirectDependency]
) -> DependencyGroup:
    branch = edge.edge.branch
    return DependencyGroup(
        edge.edge.attribute,
        tuple(dependencies),
        term,
        term.location if term is not None else None,
        branch.branch.condition if branch is not None else None,
        branch.selector.location if branch is not None else None,
    )


def _dependency(world: World, edge: ConfiguredEdge) -> DirectDependency:
    node: ConfiguredNode = edge.target
    return DirectDependency(
        node.label,
        kind_of(world, node.label),
        node.description,
        edge.uncertain,
        unknown_of(world.graph.node(node.label)),
        names_absent(world, edge.edge),
    )


def kind_of(world: World, label: Label) -> str:
    """Says what a label is, without Bazel's word `rule`: `cc_library`, `source file`."""
    target = world.graph.node(label)
    if isinstance(target, UnknownResult):
        return "unknown"
    if isinstance(target, Absent):
        return "missing"
    return target.kind.removesuffix(" rule")


def first_label(selector: Selector) -> Label | None:
    """Returns a label in one of the branches of a select(), to find it in the text by."""
    for branch in selector.branches:
        label = next(labels_in(branch.value), None)
        if label is not None:
            return label
    return None
