"""All that `query --output=xml` tells of targets, from Bazel's answer and from bazelscope.

A fact is a tuple of plain values: `("kind", label, kind)`, `("attribute", label, name, value)`,
`("input", label, label)`, ... so that two sets of them can be compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree import ElementTree

from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.base.label import Label
from bazelscope.bazel.attribute_types import AttributeType, DictValue, Selector, SelectorList
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import InputFile, OutputFile, PackageGroup, Rule

Fact = tuple[object, ...]

# What Bazel computes while it prints, or in later phases, and what names its machine.
_COMPUTED = {
    "$config_dependencies",
    "$implicit_tests",
    "distribs",
    "expect_failure",
    "generator_location",
    "licenses",
    "output_licenses",
    "transitive_configs",
}
_VALUES = {
    "boolean", "dict", "int", "label", "license", "list", "output", "string", "tristate",
}  # fmt: skip
_PLACE = re.compile(r":(\d+):(\d+)$")
_LISTS = {
    AttributeType.LABEL_LIST,
    AttributeType.STRING_LIST,
    AttributeType.OUTPUT_LIST,
    AttributeType.INTEGER_LIST,
}


def facts_of_xml(text: str) -> dict[str, set[Fact]]:
    """Facts by label, from Bazel's XML."""
    # Python's parser knows XML 1.0 alone; nothing of 1.1 is used here.
    root = ElementTree.fromstring(text.replace('version="1.1"', 'version="1.0"', 1))
    found: dict[str, set[Fact]] = {}
    for element in root:
        label = element.get("name", "")
        facts: set[Fact] = set()
        place = _PLACE.search(element.get("location", ""))
        if place is not None:
            facts.add(("place", int(place[1]), int(place[2])))
        if element.tag == "rule":
            facts.add(("kind", f"{element.get('class')} rule"))
            facts |= set(_rule_facts(element))
        elif element.tag == "generated-file":
            facts.add(("kind", "generated file"))
            facts.add(("made by", element.get("generating-rule")))
        elif element.tag == "source-file":
            facts.add(("kind", "source file"))
        elif element.tag == "package-group":
            facts.add(("kind", "package group"))
            for child in element:
                values = tuple(sorted(item.get("value", "") for item in child))
                facts.add((child.get("name"), values))
        found[label] = facts
    return found


def packages_in_error(text: str) -> set[str]:
    """The BUILD files of packages of which Bazel says that they contain errors."""
    return set(re.findall(r'<source-file [^>]*name="([^"]+)" package_contains_errors="true"', text))


def _rule_facts(rule: ElementTree.Element) -> Iterable[Fact]:
    for child in rule:
        name = child.get("name", "")
        if child.tag == "rule-input":
            yield ("input", name)
        elif child.tag == "rule-output":
            yield ("output", name)
        elif child.tag in _VALUES and name not in _COMPUTED:
            yield ("attribute", name, _xml_value(child))


def _xml_value(element: ElementTree.Element) -> object:
    if element.get("configurable") == "yes":
        return "several values"
    if element.tag == "list":
        return ("list", *(_xml_value(item) for item in element))
    if element.tag == "dict":
        pairs = [tuple(_xml_value(item) for item in pair) for pair in element]
        return ("dict", *sorted(pairs, key=str))
    value = element.get("value")
    if element.tag == "tristate":
        return {"YES": "1", "NO": "0", "AUTO": "-1"}[value or "AUTO"]
    if value is None or value == "":
        return None
    # Bazel holds text as bytes, and its serialiser takes each of them for a character.
    return value.encode("latin-1").decode("utf-8", "surrogateescape")


def facts_of_package(
    graph: TargetGraph, package: Package, default_values: bool = True
) -> dict[str, set[Fact]]:
    """Facts by label, of one package as bazelscope loads it.

    `default_values` as in `--xml:default_values`: also attributes that nothing sets.
    """
    found: dict[str, set[Fact]] = {}
    for target in package.targets.values():
        facts: set[Fact] = {("kind", target.kind)}
        if target.label != package.build_file:
            facts.add(("place", target.location.line, target.location.column))
        if isinstance(target, Rule):
            facts |= {("output", str(output)) for output in target.outputs}
            facts |= {("input", str(edge.target)) for edge in graph.edges(target.label)}
            if graph.implicit:
                facts |= {("input", str(item)) for item in target.rule_class.aspect_labels}
            facts |= set(_attribute_facts(target, default_values))
        elif isinstance(target, OutputFile):
            facts.add(("made by", str(target.generating_rule)))
        elif isinstance(target, PackageGroup):
            facts.add(("packages", tuple(sorted(_specification(t) for t in target.packages))))
            facts.add(("includes", tuple(sorted(map(str, target.includes)))))
        else:
            assert isinstance(target, InputFile)
        found[str(target.label)] = facts
    return found


def _specification(text: str) -> str:
    """As XML has it: without the slashes."""
    sign = "-" if text.startswith("-") else ""
    rest = text.removeprefix("-")
    return sign + (rest if rest == "//..." else rest.removeprefix("//"))


def _attribute_facts(rule: Rule, default_values: bool) -> Iterable[Fact]:
    names = dict.fromkeys((*rule.rule_class.attributes, *rule.attributes, "name"))
    for name in names:
        if name in _COMPUTED:
            continue
        if name == "name":
            yield ("attribute", name, rule.label.name)
            continue
        if name in ("generator_name", "generator_function"):
            made = getattr(rule, name)
            if default_values or made is not None:
                yield ("attribute", name, made)
            continue
        attribute = rule.attribute(name)
        if attribute is not None and (default_values or attribute.is_explicit):
            shown = _value(attribute.value, attribute.type)
            # Bazel writes the private attributes of Starlark rules like those of its own.
            yield ("attribute", f"${name[1:]}" if name.startswith("_") else name, shown)


def _value(value: object, kind: AttributeType) -> object:
    if isinstance(value, SelectorList):
        return _selected(value, kind)
    if isinstance(value, Label):
        return str(value)
    if isinstance(value, tuple):
        return ("list", *(_value(item, kind) for item in value))
    if isinstance(value, DictValue):
        pairs = [(_value(key, kind), _value(item, kind)) for key, item in value.items]
        return ("dict", *sorted(pairs, key=str))
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None or value == "":
        return ("list",) if value is None and kind in _LISTS else None
    return str(value) if isinstance(value, int | str) else value


def _selected(value: SelectorList, kind: AttributeType) -> object:
    """Bazel's XML: a list attribute has the values of all branches, in order, and a label only
    once; another has a value only if all branches agree."""
    if kind in _LISTS:
        merged: list[object] = []
        for part in value.parts:
            branches = [b.value for b in part.branches] if isinstance(part, Selector) else [part]
            for branch in branches:
                if isinstance(branch, tuple):
                    merged.extend(_value(item, kind) for item in branch)
        return ("list", *(dict.fromkeys(merged) if kind is AttributeType.LABEL_LIST else merged))
    return "several values"
