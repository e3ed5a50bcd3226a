"""What configured targets depend on, as far as the options of `bazel cquery` go."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode, Taken
from bazelscope.analysis.conditions.edges import Edge, EdgeKind
from bazelscope.analysis.configuration.configuration import ConfigurationKind
from bazelscope.analysis.graph.aliases import STAND_FOR_OTHERS
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.dependency_edges import CARRIES_ASPECTS
from bazelscope.analysis.rules.native_aspects import carries_native_aspects
from bazelscope.base.errors import Diagnostic, Severity
from bazelscope.base.label import PackageId
from bazelscope.bazel.attribute_types import RuleClass
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Absent
from bazelscope.query.graphs.default_groups import groups_by_default
from bazelscope.query.graphs.kept_closures import Closure
from bazelscope.query.graphs.told_once import Doubt, ToldOnce, why_doubtful
from bazelscope.query.language.environment import QuerySettings

if TYPE_CHECKING:
    from bazelscope.query.graphs.aspect_dependencies import AspectDependencies, Met

_NO = Taken.NO


class QueryDependencies:
    """Goes from configured targets to what they depend on; doubts and missing targets on the way
    are told."""

    def __init__(
        self,
        graph: ConfiguredGraph,
        settings: QuerySettings,
        package: Callable[[PackageId], Package | None],
        told: ToldOnce,
    ) -> None:
        self._graph = graph
        self._settings = settings
        self._package = package
        self._told = told
        self._there: set[ConfiguredNode] = set()
        """Nodes that are known not to be absent."""
        self._by_aspects: dict[ConfiguredNode, list[Met]] | None = None
        """The aspects that depend on each target, once somebody asks."""

    @cached_property
    def aspects(self) -> AspectDependencies:
        """What aspects on dependencies need."""
        from bazelscope.query.graphs.aspect_dependencies import AspectDependencies

        return AspectDependencies(self._graph)

    def of(self, node: ConfiguredNode) -> tuple[ConfiguredNode, ...]:
        """What a node depends on under the options of the query."""
        return tuple(dict.fromkeys(self._targets(node, is_whole=False)))

    def all_of(self, node: ConfiguredNode) -> tuple[ConfiguredNode, ...]:
        """What a node depends on, whatever the query is to leave out."""
        return tuple(dict.fromkeys(self._targets(node, is_whole=True)))

    def closure(self, tops: Iterable[ConfiguredNode]) -> Closure:
        """All that is analysed for `tops`, breadth first: what aspects need, too, whether or not
        the query shows it below others."""
        closure: Closure = {}
        asked_for = [*tops]
        pending: list[ConfiguredNode | Met] = [*asked_for]
        if self._graph.configuration.value("aspects").values:
            pending += [met for top in asked_for for met in self.aspects.on_top(top)]
        seen = set(pending)
        for one in pending:
            found: tuple[ConfiguredNode | Met, ...]
            if isinstance(one, ConfiguredNode):
                below = closure[one] = self.all_of(one)
                found = (*below, *self._carried_by(one))
            else:
                needs = self.aspects.of(one.key)
                there = [target for target in needs.targets if not self._is_absent(target)]
                found = (*there, *needs.aspects)
            for target in found:
                if target not in seen:
                    seen.add(target)
                    pending.append(target)
        return closure

    def arriving_through_aspects(
        self, node: ConfiguredNode, tops: Iterable[ConfiguredNode]
    ) -> list[ConfiguredNode]:
        """What counts as what depends on a target where aspects do, `tops` being analysed: Bazel
        goes on with what else these aspects need (measured: 4.2.3)."""
        if self._by_aspects is None:
            self._by_aspects = self.aspects.dependents(tops, self.all_of, self._carried_by)
        return self._shown(self._by_aspects.get(node, ()))

    def note_chance(self, node: ConfiguredNode) -> None:
        """Warns where it is chance what Bazel shows next to a target."""
        self._shown(self._carried_by(node))

    def _shown(self, met: Iterable[Met]) -> list[ConfiguredNode]:
        """What aspects need, of each the first that is met; which that is, is told to be chance."""
        if not met:
            return []
        chosen: dict[str, None] = {}
        shown = list(self.aspects.shown(met, chosen))
        for name in chosen:
            message = (
                f"the aspect `{name}` is on several targets, of which Bazel goes by the one that"
                " comes first: which one is chance, so that it may show others here"
            )
            told = Diagnostic("aspect-by-chance", message, severity=Severity.WARNING)
            self._told.add(("by-chance", name), told)
        return shown

    def _carried_by(self, node: ConfiguredNode) -> tuple[Met, ...]:
        """The aspects that the attributes of a target carry to what they lead to."""
        kind = self._graph.graph.shape(node.label).rule_class
        return self.aspects.carried_by(node) if kind is not None and _carries(kind) else ()

    def _targets(self, node: ConfiguredNode, is_whole: bool) -> Iterator[ConfiguredNode]:
        implicit, tools = self._settings.implicit_deps, is_whole or self._settings.tool_deps
        there = self._there
        kind = self._graph.graph.shape(node.label).rule_class
        # What stands for another target shows all that it has, too (measured: 2.1.0, 4.2.3). Bazel:
        # `PostAnalysisQueryEnvironment.getAllowedDeps` asks for a `RuleConfiguredTarget`.
        implicit |= kind is not None and kind.name in STAND_FOR_OTHERS
        for edge in self._graph.edges(node):
            is_quiet = not implicit and self._is_implicit(edge.edge)
            if is_quiet and not is_whole:
                continue
            if edge.unknown is not None and not is_quiet:
                doubt = why_doubtful(edge.edge, edge.unknown)
                if doubt is not None:
                    self._told.doubt(doubt)
            if edge.taken is _NO:
                continue
            target = edge.target
            if not tools and not _is_followed(node, target):
                continue
            if target not in there:
                if self._is_absent(target):
                    if not (is_quiet or edge.edge.may_be_none):
                        self._note_missing(target, node)
                    continue
                there.add(target)
            yield target
        if kind is not None and (implicit or is_whole) and self._settings.include_aspects:
            yield from self._needed_by_aspects(node, kind, tools)
        for target in self._groups_by_default(node, implicit or is_whole):
            if self._is_absent(target):
                self._note_missing(target, node)
            else:
                yield target

    def _groups_by_default(self, node: ConfiguredNode, implicit: bool) -> list[ConfiguredNode]:
        """The package groups that see a rule by what its package says."""
        graph = self._graph.graph
        kind = graph.shape(node.label).rule_class if node.configuration is not None else None
        if kind is None or not implicit:
            return []
        package, release = self._package(node.label.package_id), self._settings.release
        groups = groups_by_default(graph, node.label, kind, package, release)
        return [self._graph.nodes.given(group, None) for group in groups]

    def _is_absent(self, node: ConfiguredNode) -> bool:
        is_there = self._graph.graph.has(node.label)
        return not is_there and isinstance(self._graph.target(node), Absent)

    def _note_missing(self, node: ConfiguredNode, source: ConfiguredNode) -> None:
        self._told.missing(self._graph.graph.node(node.label), node.label, source.label)

    def _needed_by_aspects(
        self, node: ConfiguredNode, kind: RuleClass, tools: bool
    ) -> Iterator[ConfiguredNode]:
        """What the aspects that a rule carries need, as far as that is modelled. Bazel:
        `PostAnalysisQueryEnvironment.targetifyValues`."""
        if _carries(kind):
            for target in self.aspects.shown(self._carried_by(node)):
                if (tools or _is_followed(node, target)) and not self._is_absent(target):
                    yield target
            for doubt in self.aspects.doubts:
                self._told.doubt(Doubt("", str(doubt)))
        elif kind.aspect_labels and any(
            edge.kind is EdgeKind.ASPECT for edge in self._graph.graph.edges(node.label)
        ):
            message = (
                "what Bazel's own aspects need, such as those on dependencies of"
                f" {node.label}, is left out; Bazel has it here unless `--noinclude_aspects` is"
                " given"
            )
            told = Diagnostic("left-out-aspects", message, severity=Severity.WARNING)
            self._told.add("aspects", told)

    def _is_implicit(self, edge: Edge) -> bool:
        return (
            edge.kind is EdgeKind.IMPLICIT
            or edge.is_of_default
            or self._graph.is_hidden_key(edge)
            or self._graph.unwritten.is_hidden(edge)
        )


def _carries(kind: RuleClass) -> bool:
    """Whether a rule carries aspects that are looked at."""
    return CARRIES_ASPECTS[kind] or carries_native_aspects(kind)


def _is_followed(source: ConfiguredNode, target: ConfiguredNode) -> bool:
    """Whether `--notool_deps` follows the edge: it leads from tools to tools alone, and from
    others to others and to files. Bazel: `PostAnalysisQueryEnvironment.getAllowedDeps`."""
    return _is_for_tools(target) if _is_for_tools(source) else not _is_for_tools(target)


def _is_for_tools(node: ConfiguredNode) -> bool:
    own = node.configuration
    return own is not None and own.kind is not ConfigurationKind.TARGET
