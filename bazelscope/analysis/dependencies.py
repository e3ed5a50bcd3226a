"""The edges that leave a target, as `bazel query --noimplicit_deps` sees them.

Every branch of every select counts. Edges that come from a rule class's defaults are
there too, marked `IMPLICIT`. Bazel: `LabelVisitor`, `AggregatingAttributeMapper`,
`DependencyFilter`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bazelscope.analysis.edges import ChosenBranch, Edge, EdgeKind
from bazelscope.analysis.versions import at_least
from bazelscope.label import Label
from bazelscope.loading.package_data import LazyAttributes
from bazelscope.loading.targets import InputFile, OutputFile, Package, PackageGroup, Rule, Target
from bazelscope.loading.values import (
    DEFAULT_CONDITION,
    Attribute,
    AttributeDefinition,
    AttributeType,
    Configured,
    DictValue,
    RuleClass,
    Selector,
    SelectorList,
)
from bazelscope.unknown import Unknown

_OUTPUTS = frozenset({AttributeType.OUTPUT, AttributeType.OUTPUT_LIST})
_LABEL_TYPES = frozenset(
    {
        AttributeType.LABEL,
        AttributeType.LABEL_LIST,
        AttributeType.LABEL_DICT_UNARY,
        AttributeType.LABEL_KEYED_STRING_DICT,
        AttributeType.STRING_KEYED_LABEL_DICT,
        AttributeType.UNKNOWN,
    }
)
_TOOLS = frozenset({Configured.EXEC, Configured.HOST})
_PACKAGE_SPECIFICATIONS = frozenset({"__pkg__", "__subpackages__"})
TEST_SUITE = "test_suite"
IMPLICIT_TESTS = "$implicit_tests"


@dataclass(frozen=True, slots=True)
class UnknownEdges:
    """Dependencies that an attribute may have and the files do not tell."""

    source: Label
    attribute: str
    unknown: Unknown


def edges_of(
    target: Target,
    package: Package | None = None,
    bazel_version: str = "",
    *,
    implicit: bool = True,
) -> tuple[Edge, ...]:
    """All edges from `target`, in written order, implicit ones (if wanted) last.

    `package` is the target's own; without it, edges that need its other targets are left
    out (a test_suite's implicit tests, the default visibility of files).
    """
    if isinstance(target, Rule):
        edges = _rule_edges(target, package, bazel_version)
        if implicit:
            edges.extend(_implicit_edges(target))
        return tuple(edges)
    if isinstance(target, OutputFile):
        label = target.label
        edges = [Edge(label, target.generating_rule, "", EdgeKind.GENERATED_BY)]
        if package is not None:
            rule = package.targets.get(target.generating_rule.name)
            if isinstance(rule, Rule):
                groups = _visibility_of(rule, package)
                edges += [Edge(label, g, "visibility", EdgeKind.PACKAGE_GROUP) for g in groups]
        return tuple(edges)
    if isinstance(target, PackageGroup):
        return tuple(
            Edge(target.label, include, "includes", EdgeKind.PACKAGE_GROUP)
            for include in target.includes
        )
    return _file_edges(target, package)


def unknown_edges_of(target: Target) -> tuple[UnknownEdges, ...]:
    """The attributes of `target` that may hold labels which the files do not tell."""
    if not isinstance(target, Rule):
        return ()
    found: list[UnknownEdges] = []
    for attribute in target.attributes.values():
        if attribute.type in _LABEL_TYPES:
            for unknown in _unknowns(attribute.value):
                found.append(UnknownEdges(target.label, attribute.name, unknown))
    for item in target.rule_class.toolchains:
        if isinstance(item, Unknown):
            found.append(UnknownEdges(target.label, "toolchains", item))
    return tuple(found)


def _unknowns(value: object) -> Iterator[Unknown]:
    if isinstance(value, Unknown):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _unknowns(item)
    elif isinstance(value, DictValue):
        for _, item in value.items:
            yield from _unknowns(item)
    elif isinstance(value, SelectorList):
        for part in value.parts:
            yield from _unknowns(part)
    elif isinstance(value, Selector):
        for branch in value.branches:
            yield from _unknowns(branch.value)


def labels_in(value: object) -> Iterator[Label]:
    """The labels of a plain attribute value."""
    if isinstance(value, Label):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            if isinstance(item, Label):
                yield item
            elif isinstance(item, tuple | DictValue):
                yield from labels_in(item)
    elif isinstance(value, DictValue):
        for key, item in value.items:
            if isinstance(key, Label):
                yield key
            yield from labels_in(item)


def holds_dependencies(attribute: Attribute, definition: AttributeDefinition | None) -> bool:
    """Whether labels in this attribute are dependencies."""
    if definition is not None and definition.nodep:
        return False
    return attribute.type in _LABEL_TYPES and attribute.name != "visibility"


def is_tool(definition: AttributeDefinition | None) -> bool:
    """Whether the attribute's targets are built for the execution platform."""
    return definition is not None and definition.configured in _TOOLS


def _rule_edges(rule: Rule, package: Package | None, bazel_version: str) -> list[Edge]:
    label = rule.label
    definitions = rule.rule_class.attributes
    edges: list[Edge] = []
    conditions: dict[Label, str] = {}
    for attribute in _written(rule):
        name, value = attribute.name, attribute.value
        selects = isinstance(value, SelectorList | Selector)
        if not attribute.is_explicit or (attribute.type not in _LABEL_TYPES and not selects):
            continue
        definition = definitions.get(name)
        is_known = rule.rule_class.is_known and definition is not None
        kind = EdgeKind.ATTRIBUTE if is_known else EdgeKind.ASSUMED
        holds = holds_dependencies(attribute, definition)
        tool = is_tool(definition)
        if not selects:
            if holds:
                for found in labels_in(value):
                    edges.append(Edge(label, found, name, kind, None, tool))
            continue
        for part in value.parts if isinstance(value, SelectorList) else (value,):
            if not isinstance(part, Selector):
                if holds:
                    for found in labels_in(part):
                        edges.append(Edge(label, found, name, kind, None, tool))
                continue
            for branch in part.branches:
                if branch.condition != DEFAULT_CONDITION:
                    conditions.setdefault(branch.condition, name)
                if not holds:
                    continue
                chosen: ChosenBranch | None = None
                for found in labels_in(branch.value):
                    chosen = chosen or ChosenBranch(part, branch)
                    edges.append(Edge(label, found, name, kind, chosen, tool))
    if rule.outputs and not rule.rule_class.is_known:
        # Nothing says which attributes of an unknown rule are its outputs.
        own = frozenset(rule.outputs)
        edges = [edge for edge in edges if edge.target not in own]
    for condition, name in conditions.items():
        edges.append(Edge(label, condition, name, EdgeKind.CONDITION))
    if package is not None:
        for group in _explicit_groups(rule):
            edges.append(Edge(label, group, "visibility", EdgeKind.PACKAGE_GROUP))
        if rule.rule_class.name == TEST_SUITE:
            for test in implicit_tests(rule, package, bazel_version):
                edges.append(Edge(label, test, IMPLICIT_TESTS, EdgeKind.ATTRIBUTE))
    return edges


# Rule classes are few and live as long as their packages, so the names of their attributes
# without labels, and the labels of their defaults, are collected once per class. Keyed by
# identity; the class is kept to keep its id.
_LABELLESS: dict[int, tuple[RuleClass, frozenset[str]]] = {}
_DEFAULTS: dict[int, tuple[RuleClass, tuple[tuple[str, tuple[Label, ...], bool], ...]]] = {}


def _written(rule: Rule) -> Iterable[Attribute]:
    """The attributes of a rule that may hold labels or select()s."""
    attributes = rule.attributes
    if not isinstance(attributes, LazyAttributes):
        return attributes.values()
    rule_class = rule.rule_class
    cached = _LABELLESS.get(id(rule_class))
    if cached is None:
        definitions = rule_class.attributes.values()
        names = frozenset(item.name for item in definitions if item.type not in _LABEL_TYPES)
        cached = _LABELLESS[id(rule_class)] = (rule_class, names)
    return attributes.written(except_plain=cached[1])


def _implicit_edges(rule: Rule) -> Iterator[Edge]:
    rule_class = rule.rule_class
    cached = _DEFAULTS.get(id(rule_class))
    if cached is None:
        defaults = []
        for definition in rule_class.attributes.values():
            if definition.nodep or definition.type in _OUTPUTS or definition.default is None:
                continue
            labels = tuple(labels_in(definition.default))
            if labels:
                defaults.append((definition.name, labels, is_tool(definition)))
        cached = (rule_class, tuple(defaults))
        _DEFAULTS[id(rule_class)] = cached
    for name, labels, tool in cached[1]:
        if name not in rule.attributes:
            for label in labels:
                yield Edge(rule.label, label, name, EdgeKind.IMPLICIT, None, tool)
    for attribute in rule.attributes.values():
        # What a package gives to all its rules (`default_compatible_with`).
        if not attribute.is_explicit:
            found = rule_class.attributes.get(attribute.name)
            if holds_dependencies(attribute, found):
                tool = is_tool(found)
                for label in labels_in(attribute.value):
                    yield Edge(rule.label, label, attribute.name, EdgeKind.IMPLICIT, None, tool)


def implicit_tests(rule: Rule, package: Package, bazel_version: str) -> tuple[Label, ...]:
    """The tests that a `test_suite` without `tests` stands for.

    Until Bazel 6 the query graph has every test of the package that is not `manual`, and
    `tags` only filter what `tests()` expands to; since then, the edges obey the tags too.
    """
    tests = rule.attributes.get("tests")
    if tests is not None and tests.value not in ((), None):
        return ()
    required: set[str] = set()
    excluded: set[str] = set()
    if bazel_version and at_least(bazel_version, 6):
        for tag in _strings(rule, "tags"):
            if tag.startswith("-"):
                excluded.add(tag[1:])
            elif tag != "manual":
                required.add(tag.removeprefix("+"))
    found: list[Label] = []
    for target in package.targets.values():
        if isinstance(target, Rule) and target.rule_class.is_test:
            tags = set(_strings(target, "tags"))
            if required or excluded:
                tags.add(_string(target, "size") or "medium")
            if "manual" not in tags and required <= tags and not excluded & tags:
                found.append(target.label)
    return tuple(sorted(found))


def _strings(rule: Rule, name: str) -> tuple[str, ...]:
    attribute = rule.attribute(name)
    value = attribute.value if attribute is not None else None
    return (
        tuple(item for item in value if isinstance(item, str)) if isinstance(value, tuple) else ()
    )


def _string(rule: Rule, name: str) -> str | None:
    attribute = rule.attribute(name)
    value = attribute.value if attribute is not None else None
    return value if isinstance(value, str) else None


def _file_edges(file: InputFile, package: Package | None) -> tuple[Edge, ...]:
    # A source file that nothing exports has the package's default visibility.
    if package is None:
        return ()
    visibility = file.visibility
    if visibility is None:
        visibility = () if file.is_exported else package.default_visibility
    return tuple(
        Edge(file.label, group, "visibility", EdgeKind.PACKAGE_GROUP)
        for group in _groups(visibility)
    )


def _explicit_groups(rule: Rule) -> tuple[Label, ...]:
    """The groups of a rule's own `visibility`; the package's default makes no edges."""
    attribute = rule.attributes.get("visibility")
    if attribute is None or not attribute.is_explicit or not isinstance(attribute.value, tuple):
        return ()
    return _groups(tuple(item for item in attribute.value if isinstance(item, Label)))


def _visibility_of(rule: Rule, package: Package) -> tuple[Label, ...]:
    attribute = rule.attributes.get("visibility")
    if attribute is not None and attribute.is_explicit:
        return _explicit_groups(rule)
    return _groups(package.default_visibility)


def _groups(visibility: tuple[Label, ...]) -> tuple[Label, ...]:
    """The package groups among visibility labels (`//visibility:public` is none)."""
    return tuple(
        label
        for label in visibility
        if label.name not in _PACKAGE_SPECIFICATIONS and label.package != "visibility"
    )
