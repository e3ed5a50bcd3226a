"""The configured closure and attribute values, as real cquery and as bazelscope has them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from bazelscope.analysis.conditions.condition_visibility import ENFORCE, conditions_have_visibility
from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.conditions.edges import EdgeKind
from bazelscope.analysis.conditions.select_choice import resolve_value
from bazelscope.analysis.configuration.build_settings import (
    current_value,
    default_value,
    is_label_setting,
)
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.configuration.flag_types import parse_value
from bazelscope.analysis.graph.compatibility import why_incompatible
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.analysis.refusals.kept_refusals import refusals_below
from bazelscope.api import Workspace
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.bazel.attribute_types import DictValue
from bazelscope.bazel.release import Release
from bazelscope.loading.packages.targets import Rule

# (label, kind of configuration, its options as text)
Node = tuple[str, str, str]
# label -> attribute -> value, once for each configuration that the label is in
Values = Mapping[str, Counter[str]]

OPTIONS = ("cpu", "compilation_mode", "copt", "platforms", "force_pic")
BUILD_SETTINGS = ("color", "fast", "size", "parts", "pick")
_HOST_PLATFORM = "@local_config_platform//:host"

FORMAT = (
    f"""\
NATIVE = {list(OPTIONS)}
SETTINGS = {list(BUILD_SETTINGS)}
"""
    """
def format(target):
    options = build_options(target)
    if not options:
        return "%s\\tsource\\t" % target.label
    native = "//command_line_option:"
    kind = "target"
    if options.get(native + "is host configuration"):
        kind = "host"
    elif options.get(native + "is exec configuration"):
        kind = "exec"
    shown = [str(options.get(native + name)) for name in NATIVE]
    shown += [str(options.get("//flags:" + name)) for name in SETTINGS]
    if target.label.name.startswith("top"):
        shown.append(str("IncompatiblePlatformProvider" in (providers(target) or {})))
    return "%s\\t%s\\t%s" % (target.label, kind, " ".join(shown))
"""
)


def their_nodes(lines: Iterable[str]) -> Counter[Node]:
    """The output of `FORMAT`."""
    found: Counter[Node] = Counter()
    for line in lines:
        label, kind, options = line.split("\t")
        found[label, kind, options] += 1
    return found


class Ours:
    """bazelscope on one workspace and one command line."""

    def __init__(self, root: Path, version: str, flags: Sequence[str]) -> None:
        asked = Workspace.open(root, bazel_version=version).configure(list(flags))
        world = asked.world
        enforced = world.configuration.value(ENFORCE).value
        graph = TargetGraph(
            asked.loader,
            version,
            condition_visibility=conditions_have_visibility(Release.of(version), enforced),
        )
        mappings = world.mappings_of(world.configuration)
        self.graph = ConfiguredGraph(graph, world.configuration, mappings)
        self.loader = asked.loader

    @staticmethod
    def label(text: str) -> Label:
        """The label that `text` means in the main repository's root."""
        return parse_label(text, PackageId("", ""))

    def problem(self, label: str) -> str | None:
        """Why Bazel does not analyse the target, if it does not."""
        refused = refusals_below(self.graph, [self.label(label)])
        return f"{refused[0].target}: {refused[0].message}" if refused else None

    def nodes(self, labels: Iterable[str]) -> Counter[Node]:
        closure = self.graph.deps([self.label(label) for label in labels])
        return Counter(
            (str(self._behind(node)), node.description, self._shown(node)) for node in closure
        )

    def _shown(self, node: ConfiguredNode) -> str:
        shown = self._options(node.configuration)
        if node.label.name.startswith("top"):
            return f"{shown} {why_incompatible(self.graph, node) is not None}"
        return shown

    def _behind(self, node: ConfiguredNode) -> Label:
        """`target.label` of cquery's Starlark: an alias has its target's."""
        target = self.graph.target(node)
        if isinstance(target, Rule) and is_label_setting(target):
            assert node.configuration is not None
            behind = current_value(target, node.configuration, target.label).elements[0]
            assert isinstance(behind, Label)
            return self._behind(self.graph.node(behind, node.configuration))
        is_alias = isinstance(target, Rule) and target.kind in ("alias rule", "bind rule")
        # What stands for an incompatible alias is no alias.
        if is_alias and why_incompatible(self.graph, node) is None:
            for edge in self.graph.taken(node):
                if edge.edge.attribute == "actual" and edge.edge.kind is not EdgeKind.CONDITION:
                    return self._behind(edge.target)
        return node.label

    def _options(self, configuration: Configuration | None) -> str:
        if configuration is None:
            return ""
        shown = [_option(configuration, name) for name in OPTIONS]
        for name in BUILD_SETTINGS:
            label = Label("", "flags", name)
            given = configuration.starlark_value(label)
            rule = self.loader.target(label)
            assert isinstance(rule, Rule)
            value = current_value(rule, configuration, label).elements
            # Bazel does not hold a default, but for what a transition only reads.
            is_default = value == default_value(rule, configuration.release).elements
            if is_default and label in configuration.explicit_defaults:
                shown.append(str(value[0][1] if isinstance(value[0], tuple) else value[0]))
            elif is_default or given is None:
                shown.append("None")
            else:
                shown.append(_typed(name, given.values))
        return " ".join(shown)

    def values(self, labels: Iterable[str]) -> Values:
        found: dict[str, Counter[str]] = {}
        for node in self.graph.deps([self.label(label) for label in labels]):
            target = self.graph.target(node)
            if isinstance(target, Rule) and target.label.package.startswith("w"):
                text = json.dumps(self._attributes(node, target), sort_keys=True)
                found.setdefault(str(node.label), Counter())[text] += 1
        return found

    def _attributes(self, node: ConfiguredNode, rule: Rule) -> dict[str, object]:
        values: dict[str, object] = {}
        for attribute in rule.attributes.values():
            if attribute.is_explicit and attribute.name not in _NOT_COMPARED:
                default = rule.rule_class.attributes[attribute.name].default
                conditions = self.graph.conditions(node.configuration)
                values[attribute.name] = _plain(
                    resolve_value(attribute.value, conditions, default).value
                )
        return values


_NOT_COMPARED = frozenset(
    {"name", "visibility", "generator_name", "generator_function", "generator_location"}
)


def their_values(text: str) -> Values:
    """`--output=jsonproto`: the attributes that a BUILD file or a macro sets."""
    found: dict[str, Counter[str]] = {}
    for result in json.loads(text).get("results", ()):
        rule = result["target"].get("rule")
        if rule is None or not rule["name"].startswith("//w"):
            continue
        values = {
            attribute["name"]: _json_value(attribute)
            for attribute in rule["attribute"]
            if attribute.get("explicitlySpecified") and attribute["name"] not in _NOT_COMPARED
        }
        text = json.dumps(values, sort_keys=True)
        found.setdefault(rule["name"], Counter())[text] += 1
    return found


def _json_value(attribute: dict[str, object]) -> object:
    kind = attribute["type"]
    if kind == "BOOLEAN":
        return attribute.get("booleanValue", False)
    for name in ("intValue", "stringValue", "intListValue", "stringListValue"):
        if name in attribute:
            return attribute[name]
    for name in ("stringDictValue", "stringListDictValue", "labelKeyedStringDictValue"):
        if name in attribute:
            entries = attribute[name]
            assert isinstance(entries, list)
            return {entry["key"]: entry.get("value", []) for entry in entries}
    if str(kind).endswith("_DICT"):
        return {}
    return [] if str(kind).endswith("_LIST") else None


def _plain(value: object) -> object:
    if isinstance(value, DictValue):
        return {str(key): _plain(item) for key, item in value.items}
    if isinstance(value, tuple) and not isinstance(value, Label):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, str | int):
        return value
    return str(value)


def _option(configuration: Configuration, name: str) -> str:
    value = configuration.value(name)
    if name == "platforms":
        text = value.value or configuration.value("host_platform").value or _HOST_PLATFORM
        return f'[Label("{text.split(",")[0]}")]'
    if name == "copt":
        return json.dumps(list(value.values))
    definition = configuration.definition(name)
    assert definition is not None
    text = parse_value(definition, value.values[-1]).text
    return {"true": "True", "false": "False"}.get(text, text)


def _typed(name: str, values: tuple[str, ...]) -> str:
    if name == "parts":
        return json.dumps([part for text in values for part in text.split(",")])
    return {"true": "True", "false": "False"}.get(values[-1], values[-1])
