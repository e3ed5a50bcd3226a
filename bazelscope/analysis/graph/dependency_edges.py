"""The edges that leave a target, as `bazel query --noimplicit_deps` sees them.

Every branch of every select counts. Edges that come from a rule class's defaults are
there too, marked `IMPLICIT`. Bazel: `LabelVisitor`, `AggregatingAttributeMapper`,
`DependencyFilter`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping

from bazelscope.analysis.conditions.edges import ChosenBranch, Edge, EdgeKind, UnknownEdges
from bazelscope.base.identity_table import IdentityTable
from bazelscope.base.label import Label
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import (
    DEFAULT_CONDITION,
    INPUT_TYPES,
    OUTPUT_TYPES,
    Attribute,
    AttributeDefinition,
    AttributeType,
    Configured,
    DictValue,
    RuleClass,
    Selector,
    SelectorList,
    labels_in,
    parts_of,
)
from bazelscope.bazel.encoded_values import Encoded, decode_label, label_text, selects_in
from bazelscope.bazel.release import Release
from bazelscope.loading.packages.encoded_targets import (
    ENVIRONMENTS,
    GROUP,
    INPUT,
    OUTPUT,
    RULE,
    TargetData,
    explicit_values,
    generating_rule,
    group_includes,
    is_exported,
    output_names,
    own_visibility,
    shape_of,
)
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.package_data import LazyTargets
from bazelscope.loading.packages.tags import tag_filter
from bazelscope.loading.packages.targets import Rule, Target

_LABEL_TYPES = INPUT_TYPES | {AttributeType.UNKNOWN}
# Members that the loops below compare with: to look one up takes Python 3.11 its time.
_LABEL, _LABEL_LIST = AttributeType.LABEL, AttributeType.LABEL_LIST
_CONDITION = EdgeKind.CONDITION
_new = tuple.__new__
"""Makes an edge in half the time."""
_TOOLS = frozenset({Configured.EXEC, Configured.HOST})
_PACKAGE_SPECIFICATIONS = frozenset({"__pkg__", "__subpackages__"})
TEST_SUITE = "test_suite"
IMPLICIT_TESTS = "$implicit_tests"


def edges_of(
    package: Package,
    name: str,
    release: Release | None = None,
    *,
    implicit: bool = True,
    visibility: bool = True,
) -> tuple[Edge, ...]:
    """All edges from a target of `package`, in written order, implicit ones (if wanted) last;
    none if it has no such target. `visibility`: those to package groups too.

    The target stays encoded where that will do: most targets of a graph are passed through
    and never looked at.
    """
    targets = package.targets
    target = targets.encoded(name)
    if target is None:
        return ()
    label = Label(package.id.repository, package.id.package, name)
    shape = shape_of(target)
    if shape == INPUT:
        return _group_edges(label, _seen_by(package, target)) if visibility else ()
    if shape == OUTPUT:
        made_by = Edge(label, label.sibling(generating_rule(target)), "", EdgeKind.GENERATED_BY)
        groups = _seen_by(package, target) if visibility else ()
        return (made_by, *_group_edges(label, groups))
    if shape == GROUP:
        return tuple(
            Edge(label, decode_label(included), "includes", EdgeKind.PACKAGE_GROUP)
            for included in group_includes(target)
            if visibility and type(included) is str
        )
    if shape == ENVIRONMENTS:
        return ()
    rule_class = targets.class_of(target)
    explicit = explicit_values(target)
    edges = _attribute_edges(
        label,
        rule_class,
        explicit,
        () if rule_class.is_known else tuple(map(label.sibling, output_names(target))),
        lambda: _decoded(targets, name).attributes,
    )
    if visibility:
        edges += _group_edges(label, _groups(_own_visibility(rule_class, explicit) or ()))
    if rule_class.name == TEST_SUITE:
        for test in implicit_tests(_decoded(targets, name), package, release):
            edges.append(Edge(label, test, IMPLICIT_TESTS, EdgeKind.ATTRIBUTE))
    if implicit:
        inherited = targets.inherited(target)
        written = {attribute for attribute, _ in explicit} | inherited.keys()
        edges += _default_edges(label, rule_class, written)
        for attribute in inherited:
            if _is_dependency(rule_class, attribute):
                edges += _inherited_edges(_decoded(targets, name), attribute)
    return tuple(edges)


def _decoded(targets: LazyTargets, name: str) -> Rule:
    rule = targets[name]
    assert isinstance(rule, Rule)
    return rule


def unknown_edges_of(target: Target) -> tuple[UnknownEdges, ...]:
    """The attributes of `target` that may hold labels which the files do not tell."""
    if not isinstance(target, Rule):
        return ()
    unknown_edges: list[UnknownEdges] = []
    for attribute in target.attributes.values():
        if attribute.type in _LABEL_TYPES:
            for unknown in unknowns_in(attribute.value):
                unknown_edges.append(UnknownEdges(target.label, attribute.name, unknown))
    for required in target.rule_class.toolchains:
        if isinstance(required, Unknown):
            unknown_edges.append(UnknownEdges(target.label, "toolchains", required))
    return tuple(unknown_edges)


def unknowns_in(value: object) -> Iterator[Unknown]:
    """Every part of an attribute's value that nobody can tell, in any branch."""
    if isinstance(value, Unknown):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from unknowns_in(part)
    elif isinstance(value, DictValue):
        for _, part in value.items:
            yield from unknowns_in(part)
    elif isinstance(value, SelectorList):
        for part in value.parts:
            yield from unknowns_in(part)
    elif isinstance(value, Selector):
        for branch in value.branches:
            yield from unknowns_in(branch.value)


def is_tool(definition: AttributeDefinition | None) -> bool:
    """Whether the attribute's targets are built for the execution platform."""
    return definition is not None and definition.configured in _TOOLS


class _Link(NamedTuple):
    """What becomes of the labels in an attribute of a rule class."""

    type: AttributeType
    holds: bool
    """They are dependencies."""
    kind: EdgeKind
    is_tool: bool


# Rule classes are few, so what their attributes and their defaults amount to is found out once
# per class.
_LINKS: IdentityTable[RuleClass, dict[str, _Link]] = IdentityTable(lambda _: {})


def _link(rule_class: RuleClass, name: str) -> _Link:
    definition = rule_class.attributes.get(name)
    is_known = rule_class.is_known and definition is not None
    return _Link(
        AttributeType.UNKNOWN if definition is None else definition.type,
        _is_dependency(rule_class, name),
        EdgeKind.ATTRIBUTE if is_known else EdgeKind.ASSUMED,
        is_tool(definition),
    )


def _is_dependency(rule_class: RuleClass, name: str) -> bool:
    """Whether labels in an attribute of that name are dependencies."""
    definition = rule_class.attributes.get(name)
    if definition is None:
        return name != "visibility"
    return definition.type in _LABEL_TYPES and not definition.nodep and name != "visibility"


def _attribute_edges(
    label: Label,
    rule_class: RuleClass,
    explicit: Iterable[tuple[str, Encoded]],
    outputs: tuple[Label, ...],
    decoded: Callable[[], Mapping[str, Attribute]],
) -> list[Edge]:
    """The edges that what was written into a rule makes, to the keys of selects last.

    `explicit` is read as it is kept; `decoded` gives the rule's attributes where a value is
    more than a plain list of labels.
    """
    edges: list[Edge] = []
    conditions: dict[str, str] = {}
    links = _LINKS[rule_class]
    for name, value in explicit:
        link = links.get(name)
        if link is None:
            link = links[name] = _link(rule_class, name)
        shape = type(value)
        if not link.holds:
            if shape is list:
                for branches in selects_in(value):
                    for condition, _ in branches:
                        conditions.setdefault(condition, name)
            continue
        type_, _, kind, tool = link
        if shape is tuple and type_ is _LABEL_LIST:
            for element in value:
                target = element if type(element) is str else label_text(element)
                if target is not None:
                    edges.append(_new(Edge, (label, decode_label(target), name, kind, None, tool)))
        elif shape is str and type_ is _LABEL:
            edges.append(Edge(label, decode_label(value), name, kind, None, tool))
        elif shape is tuple or shape is list:
            definition = rule_class.attributes.get(name)
            default = definition.default if definition is not None else None
            for dependency, branch in labels_and_branches(decoded()[name].value, default):
                edges.append(_new(Edge, (label, dependency, name, kind, branch, tool)))
            for branches in selects_in(value):
                for condition, _ in branches:
                    conditions.setdefault(condition, name)
    if outputs and not rule_class.is_known:
        # Nothing says which attributes of an unknown rule are its outputs.
        own = frozenset(outputs)
        edges = [edge for edge in edges if edge.target not in own]
    conditions.pop(_DEFAULT, None)
    for condition, name in conditions.items():
        edges.append(Edge(label, decode_label(condition), name, _CONDITION))
    return edges


_DEFAULT = str(DEFAULT_CONDITION)


def labels_and_branches(
    value: object, default: object = None, under: ChosenBranch | None = None
) -> Iterator[tuple[Label, ChosenBranch | None]]:
    """The labels of an attribute's value, each with the branch that it stands in. A branch
    that is None has the attribute's `default`."""
    for part in parts_of(value):
        if not isinstance(part, Selector):
            for one in labels_in(part):
                yield one, under
            continue
        for branch in part.branches:
            held = default if branch.value is None else branch.value
            yield from labels_and_branches(held, default, ChosenBranch(part, branch, under))


def _defaults_of(rule_class: RuleClass) -> tuple[tuple[str, tuple[Label, ...], bool], ...]:
    """The attributes that have labels by default: name, labels, and whether they are tools."""
    defaults = []
    for definition in rule_class.attributes.values():
        if definition.nodep or definition.type in OUTPUT_TYPES or definition.default is None:
            continue
        labels = tuple(labels_in(definition.default))
        if labels:
            defaults.append((definition.name, labels, is_tool(definition)))
    return tuple(defaults)


_DEFAULTS = IdentityTable(_defaults_of)


def _default_edges(label: Label, rule_class: RuleClass, written: Container[str]) -> Iterator[Edge]:
    """The edges of the rule class's defaults, for attributes that are not `written`."""
    for name, labels, tool in _DEFAULTS[rule_class]:
        if name not in written:
            for dependency in labels:
                yield Edge(label, dependency, name, EdgeKind.IMPLICIT, None, tool)


def _inherited_edges(rule: Rule, name: str) -> Iterator[Edge]:
    """The edges of what a package gives to all its rules (`default_compatible_with`), and of
    what loading computed."""
    tool = is_tool(rule.rule_class.attributes.get(name))
    for dependency, branch in labels_and_branches(rule.attributes[name].value):
        yield Edge(rule.label, dependency, name, EdgeKind.IMPLICIT, branch, tool)


def implicit_tests(rule: Rule, package: Package, release: Release | None) -> tuple[Label, ...]:
    """The tests that a `test_suite` without `tests` stands for.

    Until Bazel 6 the query graph has every test of the package that is not `manual`, and
    `tags` only filter what `tests()` expands to; since then, the edges obey the tags too.
    """
    if rule.given("tests") not in ((), None):
        return ()
    obeys = release is not None and release.suites_obey_tags
    asked = tag_filter(rule.texts("tags") if obeys else ())
    labels: list[Label] = []
    for target in package.targets.values():
        if isinstance(target, Rule) and target.rule_class.is_test:
            tags = {*target.texts("tags")}
            if "manual" not in tags and asked.takes(tags | {target.text("size") or "medium"}):
                labels.append(target.label)
    return tuple(sorted(labels))


def _seen_by(package: Package, file: TargetData) -> tuple[Label, ...]:
    """The package groups that may see a file: a generated one is seen as its rule is, and a
    source file that nothing exports by the package's default."""
    own: tuple[Label, ...] | None = None
    if shape_of(file) == OUTPUT:
        rule = package.targets.encoded(generating_rule(file))
        if rule is not None and shape_of(rule) == RULE:
            own = _own_visibility(package.targets.class_of(rule), explicit_values(rule))
    elif (seen_by := own_visibility(file)) is not None:
        own = tuple([decode_label(text) for text in seen_by if type(text) is str])
    elif is_exported(file):
        own = ()
    return _groups(package.default_visibility if own is None else own)


def _own_visibility(
    rule_class: RuleClass, explicit: Iterable[tuple[str, Encoded]]
) -> tuple[Label, ...] | None:
    """What a rule says of its visibility; None if it says nothing."""
    for name, value in explicit:
        if name == "visibility":
            if type(value) is not tuple or name not in rule_class.attributes:
                return ()
            texts = map(label_text, value)
            return tuple([decode_label(text) for text in texts if text is not None])
    return None


def _group_edges(label: Label, groups: Iterable[Label]) -> tuple[Edge, ...]:
    return tuple([Edge(label, group, "visibility", EdgeKind.PACKAGE_GROUP) for group in groups])


def _groups(visibility: tuple[Label, ...]) -> tuple[Label, ...]:
    """The package groups among visibility labels (`//visibility:public` is none)."""
    return tuple(
        [
            label
            for label in visibility
            if label.name not in _PACKAGE_SPECIFICATIONS and label.package != "visibility"
        ]
    )


CARRIES_ASPECTS: IdentityTable[RuleClass, bool] = IdentityTable(
    lambda one: bool(one.defined_at) and any(each.aspects for each in one.attributes.values())
)
"""Whether an attribute of a rule class that a `.bzl` file defines carries aspects."""
