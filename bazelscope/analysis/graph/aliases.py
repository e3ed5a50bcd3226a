"""Targets that stand for others: aliases, binds, label settings, toolchains by name."""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.analysis.conditions.alias_dependencies import ALIAS, ALIASES
from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.conditions.edges import EdgeKind
from bazelscope.analysis.configuration.build_settings import DEFAULT_ATTRIBUTE, LABEL_SETTINGS
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.base.label import Label
from bazelscope.loading.packages.targets import InputFile, OutputFile, PackageGroup, Rule

STAND_FOR_OTHERS = ALIASES | LABEL_SETTINGS


def cquery_label(graph: ConfiguredGraph, node: ConfiguredNode) -> Label:
    """The label under which that Bazel's cquery prints a node: before 3.0 an alias appears
    as its target, if that is no package group, for which no alias can stand. Bazel:
    `AliasConfiguredTarget.getLabel`."""
    if graph.configuration.release.cquery_shows_aliases:
        return node.label
    behind = behind_aliases(graph, node)
    return node.label if isinstance(graph.target(behind), PackageGroup) else behind.label


def behind_aliases(graph: ConfiguredGraph, node: ConfiguredNode) -> ConfiguredNode:
    """The configured target that an alias stands for, or the node itself."""
    passed: dict[ConfiguredNode, None] = {}
    found = graph.behind.get(node)
    while found is None:
        passed[node] = None
        behind = _stands_for(graph, node)
        found = node if behind is None else graph.behind.get(behind)
        if behind in passed:
            return behind  # Each of a circle is what it begins with for who asks about it.
        node = behind or node
    graph.behind.update(dict.fromkeys(passed, found))
    return found


def through_aliases(graph: ConfiguredGraph, node: ConfiguredNode) -> list[ConfiguredNode]:
    """The aliases from `node` on, each of which stands for the next, and the target behind
    them."""
    passed: dict[ConfiguredNode, None] = {}
    while node not in passed:
        behind = _stands_for(graph, node)
        if behind is None:
            break
        passed[node] = None
        node = behind
    return [*passed, node]


def _stands_for(graph: ConfiguredGraph, node: ConfiguredNode) -> ConfiguredNode | None:
    """What an alias leads to; nothing where a target is none, or that cannot be told."""
    rule_class = graph.graph.shape(node.label).rule_class
    if rule_class is None or rule_class.name not in STAND_FOR_OTHERS:
        return None
    behind = [
        edge.target
        for edge in graph.taken(node)
        if edge.edge.attribute in ("actual", ALIAS, DEFAULT_ATTRIBUTE)
        and edge.edge.kind in (EdgeKind.ATTRIBUTE, EdgeKind.TOOLCHAIN)
    ]
    # Of a label setting the value comes first, then its default.
    if not behind or (len(behind) > 1 and rule_class.name not in LABEL_SETTINGS):
        return None
    return behind[0]


def described(graph: ConfiguredGraph, node: ConfiguredNode, kind: str) -> str:
    """A target of a `kind` as messages name it: with the aliases that lead to it. Bazel:
    `AliasProvider.describeTargetWithAliases`."""
    *aliases, behind = through_aliases(graph, node)
    text = f"{kind} '{behind.label}'"
    if not aliases:
        return text
    first, *others = (str(alias.label) for alias in aliases)
    through = "' -> '".join(others)
    also = f" through '{through}'" if others else ""
    return f"alias '{first}' referring to {text}{also}"


def misplaced_file(
    graph: ConfiguredGraph, node: ConfiguredNode, kind: str, endings: tuple[str, ...]
) -> tuple[str, Label | None]:
    """Returns what is wrong with a file, perhaps behind aliases, where an attribute takes only
    names with other `endings`, or no files: that it is there, or that it is not; and its label if
    it is not. Bazel: `RuleContext.Builder.validateDirectPrerequisiteType`."""
    behind = behind_aliases(graph, node).label
    target = graph.graph.node(behind)
    is_written = isinstance(target, InputFile) and not target.is_exported
    if is_written and not graph.graph.source.may_lie_there(behind):
        what = "target" if endings or "." in behind.name else "rule"
        return f"{what} '{behind}' does not exist", behind
    expected = listed(endings) or "no files"
    return f"{described(graph, node, kind)} is misplaced here (expected {expected})", None


def listed(names: tuple[str, ...]) -> str:
    """Returns names as Bazel's messages list what is expected."""
    return " or ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


def targets_of(
    graph: ConfiguredGraph, node: ConfiguredNode, *names: str
) -> Iterator[ConfiguredNode]:
    """The targets that the attributes `names` lead to, behind aliases."""
    return (behind_aliases(graph, edge.target) for edge in graph.edges_of(node, *names))


def is_stand_in(graph: ConfiguredGraph, node: ConfiguredNode) -> bool:
    """Whether it cannot be told for certain of which class a target is, or the one that an alias
    stands for: only a model tells, and another release of a macro, or one that was patched, may
    make another; or the branch that the alias takes cannot be told."""
    behind = behind_aliases(graph, node)
    for one in (node, behind):
        target = graph.target(one)
        if isinstance(target, OutputFile):
            target = graph.graph.node(target.generating_rule)
        if isinstance(target, Rule) and target.is_stand_in:
            return True
    return stands_for_others(graph, behind)


def stands_for_others(graph: ConfiguredGraph, node: ConfiguredNode) -> bool:
    """Whether a target is an alias or a label setting. What `behind_aliases` returns is one where
    it cannot be told what that stands for."""
    return graph.graph.shape(node.label).class_name in STAND_FOR_OTHERS
