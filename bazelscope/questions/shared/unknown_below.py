"""What below a target cannot be told, and so may hide a path from it.

Counted are targets that are unknown themselves, what packages in error lack, and rules with
an attribute that may hold labels nobody can tell. What `glob()` would find are files of the
rule's own package, which lead nowhere: that counts for a path to such a file alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from bazelscope.analysis.conditions.alias_dependencies import NAMING_OPTIONS
from bazelscope.analysis.conditions.configured_edges import ConfiguredEdge, ConfiguredNode
from bazelscope.analysis.conditions.edges import Edge
from bazelscope.analysis.conditions.visibility import admits, groups_of, is_told, rule_visibility
from bazelscope.analysis.graph.target_marks import UNKNOWNS
from bazelscope.analysis.paths.routes import FREE_ROUTE, Route, RoutedEdges
from bazelscope.base.errors import LabelError
from bazelscope.base.graph_walk import walk
from bazelscope.base.label import MAIN_ROOT, Label, PackageId, parse_label
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.memoized import memoized
from bazelscope.bazel.builtin_modules import BUILTIN_MODULES
from bazelscope.loading.evaluation.values.label_value import LabelValue
from bazelscope.loading.packages.invisible_names import invisible_name
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import OutputFile, PackageGroup, Rule
from bazelscope.loading.packages.unknown_declarations import declares_unknown
from bazelscope.questions.shared.described_edges import describe_edge
from bazelscope.questions.shared.endpoint_answers import NameAnswer, UnknownBelow, UnknownDependency
from bazelscope.questions.shared.target_groups import group_named, is_there, nothing_of
from bazelscope.questions.shared.target_unknowns import unknowns_of
from bazelscope.questions.shared.world import World

if TYPE_CHECKING:
    from bazelscope.loading.modules.extension_repositories import ExtensionRepositories
    from bazelscope.loading.modules.module_repositories import ModuleRepositories

_CANONICAL = lazy_pattern(r"@@?([\w.~+-]*)//")
_MOST_TARGETS = 200
"""Of so many targets is it found out who sees them."""


class OutOfReach:
    """Tells which unknown dependencies cannot lead to `end`."""

    def __init__(self, world: World, end: Label) -> None:
        self._world = world
        self._end = end

    def is_proven(self, label: Label, attribute: str) -> bool:
        """Whether nothing leads to the end from a target, or by the one `attribute` of it that
        nobody can tell."""
        leads = not self._is_other_repository(label.repository)
        if leads and self._leading is not None:
            leads = bool(attribute) and label in self._leading
        # What flags name is walked last: it takes loading their toolchains.
        return not leads and not self._is_named

    @cached_property
    def _is_named(self) -> bool:
        """Whether flags or registrations lead to the end, as they may from everywhere."""
        loader, graph = self._world.loader, self._world.graph
        starts = [
            label
            for what in ("register_toolchains", "register_execution_platforms")
            for label in loader.registered(what)
            if isinstance(label, Label)
        ]
        names = loader.table.typed_names
        for text in self._texts_of_flags():
            try:
                starts += [parse_label(text, MAIN_ROOT, names)] if "//" in text else []
            except LabelError:
                continue  # It is no label.
        return any(visit.node == self._end for visit in walk(starts, graph.edges))

    def _texts_of_flags(self) -> Iterator[str]:
        """What flags in force, and those of named configs, give where a target is named."""
        configuration, effects = self._world.configuration, self._world.configs.effects
        for flag in configuration.starlark_flags():
            value = configuration.starlark_value(flag)
            yield from value.values if value is not None else ()
        for name in NAMING_OPTIONS:
            yield from configuration.value(name).values
            yield from self._world.option_values(name)
        for config in effects.names():
            for one in effects.sets(config):
                if one.name.startswith(("/", "@")):
                    yield one.value or ""

    # ---- Repositories ----

    def _is_other_repository(self, start: str) -> bool:
        """Whether files of the repository `start` see none that leads to the end's."""
        reached = {start}
        waiting = [start]
        for repository in waiting:
            seen = self._sees(repository)
            if seen is None or self._end.repository in seen:
                return False
            waiting += seen - reached
            reached |= seen
        return self._end.repository not in reached

    @memoized
    def _sees(self, repository: str) -> frozenset[str] | None:
        """The repositories that files of a repository can name; None if nobody can tell."""
        table = self._world.loader.table
        modules, extensions = table.resolved_modules, table.extensions
        if modules is None or extensions is None:
            return None
        named = table.repo_mapping(repository).values()
        seen = frozenset((repository, *(one for one in named if invisible_name(one) is None)))
        module = modules.modules.get(repository)
        if module is None:
            host = extensions.host_of(repository)
            if host is None:
                return None
            # What makes it may write what it is given, or what tags of the extension name.
            seen = seen.union(self._users_of(modules, extensions, host))
            return seen.union(self._named_in(table.arguments_of(repository) or {}))
        if module.file is not None or repository in BUILTIN_MODULES:
            return seen
        selected = modules.resolution.selected.get(module.key)
        if selected is None or selected.facts is None or selected.unknown is not None:
            # Whatever modules it asks for, the root is none of them if it has no name.
            root = modules.root.file
            is_named = root is None or root.name or self._end.repository
            return None if is_named else frozenset(modules.modules) - {""}
        return seen.union(self._users_of(modules, extensions, repository))

    def _users_of(
        self, modules: ModuleRepositories, extensions: ExtensionRepositories, host: str
    ) -> Iterator[str]:
        """The modules whose tags may name something to extensions of the module `host`."""
        for extension in extensions.extensions.values():
            if extension.host.repository == host:
                yield from (user.repository for user, use in extension.uses if use.tags)
        for name, module in modules.modules.items():
            if module.file is None and host in module.mapping.values():
                yield name

    def _named_in(self, value: object) -> Iterator[str]:
        """The repositories that arguments of a repository rule name, which can write what they
        name into files."""
        if isinstance(value, LabelValue):
            value = value.label
        if isinstance(value, Label):
            yield value.repository
        elif isinstance(value, str):
            for name in _CANONICAL.findall(value):
                yield self._world.loader.table.repository_called(name) or name
        elif isinstance(value, Mapping):
            for key, part in value.items():
                yield from self._named_in(key)
                yield from self._named_in(part)
        elif isinstance(value, Iterable):
            for part in value:
                yield from self._named_in(part)

    # ---- Visibility ----

    @cached_property
    def _leading(self) -> frozenset[Label] | None:
        """The targets of known packages that may lead to the end; None if others may, too."""
        if not self._world.configuration.is_on("check_visibility", True):
            return None
        leading = {self._end}
        waiting = [self._end]
        for label in waiting:
            readers = self._readers(label)
            if readers is None or len(leading) > _MOST_TARGETS:
                return None
            for reader in readers:
                dependents = self._dependents(reader, label)
                if dependents is None:
                    return None
                waiting += dependents - leading
                leading |= dependents
        return frozenset(leading)

    def _readers(self, label: Label) -> list[PackageId] | None:
        """The packages that may depend on a target; None if some nobody knows may."""
        loader, graph = self._world.loader, self._world.graph
        package, target = loader.package(label.package_id), graph.node(label)
        if label.repository or not isinstance(package, Package):
            return None
        rule = graph.node(target.generating_rule) if isinstance(target, OutputFile) else target
        release = self._world.flags.release
        if not isinstance(rule, Rule) or not is_told(rule, package, release):
            return None
        visibility = rule_visibility(rule, package, release)
        for group in groups_of(visibility):
            target = graph.node(group)
            if not isinstance(target, PackageGroup) or target.includes:
                return None
            if any(
                pattern == "//..." or pattern[:2] not in ("//", "-/") for pattern in target.packages
            ):
                return None
        if any(one.package == "visibility" and one.name != "private" for one in visibility):
            return None
        if any(one.repository for one in visibility):
            return None
        return [
            reader
            for reader in loader.trees.packages()
            if reader == label.package_id or admits(visibility, reader, release, graph.node)
        ]

    def _dependents(self, reader: PackageId, label: Label) -> set[Label] | None:
        """The targets of a package that depend on `label`, or may; None if there may be such as
        nobody knows."""
        loader, graph = self._world.loader, self._world.graph
        package = loader.package(reader)
        if not isinstance(package, Package) or package.diagnostics or declares_unknown(package):
            return None
        own = (Label(*reader, name) for name in package.targets)
        return {
            one
            for one in own
            if graph.is_marked(one, UNKNOWNS) or any(e.target == label for e in graph.edges(one))
        }


_SHOWN = 5

_Reached = tuple[Iterable[Label], Callable[[Label], Edge | None]]
"""What is reached and may be unknown, nearest first, and the edge that first reaches each."""


def unknown_below(
    world: World,
    start: Label,
    end: Label | None,
    route: Route = FREE_ROUTE,
    configured: bool = False,
) -> UnknownBelow | None:
    """Finds what a route from `start` reaches and nobody can tell; with `configured`, through
    branches that the flags choose. None if all is known.

    Any of it may lead to `end` (None: to a group of targets, of which none is reached); what
    certainly does not is left out.
    """
    routed = RoutedEdges(world.graph, route, start, end if end is not None else start)
    reached, edge_to = (_configured if configured else _reached)(world, start, routed)
    package = _globbed(world, end)
    unknowns = [
        (label, attribute, unknown)
        for label in reached
        if label != end
        for attribute, unknown in unknowns_of(world.loader, world.graph, label, package)
    ]
    if unknowns and end is not None:
        proof = OutOfReach(world, end)
        unknowns = [one for one in unknowns if not proof.is_proven(one[0], one[1])]
    if not unknowns:
        return None
    first = []
    for label, attribute, unknown in unknowns[:_SHOWN]:
        edge = edge_to(label)
        asks = describe_edge(world, edge, None, False) if edge is not None else None
        first.append(
            UnknownDependency(
                label,
                unknown,
                attribute,
                asks.source if asks is not None else None,
                asks.location if asks is not None else None,
            )
        )
    return UnknownBelow(len({label for label, _, _ in unknowns}), tuple(first))


def any_unknown(world: World, reached: Iterable[Label], end: Label) -> bool:
    """Whether any of what is reached cannot be told, and so may lead to `end`."""
    package = _globbed(world, end)
    return any(
        label != end and any(unknowns_of(world.loader, world.graph, label, package))
        for label in reached
    )


def _globbed(world: World, end: Label | None) -> PackageId | None:
    """The package whose unknown globs may find `end`."""
    may_be_globbed = end is not None and not isinstance(world.graph.node(end), Rule)
    return end.package_id if end is not None and may_be_globbed else None


def unknown_below_group(
    world: World, source: NameAnswer, target: NameAnswer
) -> tuple[NameAnswer, UnknownBelow | None]:
    """Finds what may hide a way to a repository or to the targets of a pattern, none of which
    is known to be reached. Returns that behind the answer for the name, worded for it."""
    group = group_named(world, target.asked)
    if group is None or source.label is None or not is_there(world, group):
        return target, None
    # A group is looked for through every branch.
    hidden = unknown_below(world, source.label, None)
    if hidden is not None and hidden.first[0].label != source.label:
        why = f"no target of `{target.asked}` is known to be below {source.label}"
        target = nothing_of(world, target.asked, group, why)
    return target, hidden


def _reached(world: World, start: Label, routed: RoutedEdges) -> _Reached:
    if routed.is_every:
        # What an earlier run has kept of the whole graph is in the order of a walk.
        graph = world.graph
        closure = graph.arrivals(start)

        def edge_to(label: Label) -> Edge | None:
            source = closure.first_source(label)
            edges = graph.edges(source) if source is not None else ()
            return next((edge for edge in edges if edge.target == label), None)

        return map(closure.label, closure.open), edge_to
    reached = {visit.node: visit.edge for visit in walk([start], routed.edges)}
    return reached, reached.get


def _configured(world: World, start: Label, routed: RoutedEdges) -> _Reached:
    graph = world.configured

    def allowed(node: ConfiguredNode) -> list[ConfiguredEdge]:
        return [edge for edge in graph.taken(node) if routed.allows(edge.edge)]

    reached: dict[Label, Edge | None] = {}
    for visit in walk([graph.top(start)], allowed):
        reached.setdefault(visit.node.label, visit.edge.edge if visit.edge else None)
    return reached, reached.get
