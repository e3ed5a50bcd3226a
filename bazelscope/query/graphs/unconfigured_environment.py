"""The target graph as the functions of `bazel query` walk it.

Bazel: `BlazeQueryEnvironment`, and `SkyQueryEnvironment` for what takes a universe.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from bazelscope.analysis.conditions.edges import EdgeKind
from bazelscope.analysis.conditions.visibility import absent_groups, is_visible, visibility_of
from bazelscope.analysis.graph.dependency_edges import IMPLICIT_TESTS
from bazelscope.analysis.graph.missing_targets import MissingTargets
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.base.errors import Diagnostic, Severity
from bazelscope.base.label import Label, PackageId
from bazelscope.base.source import Location
from bazelscope.bazel.attribute_types import LABEL_TYPES, AttributeType, labels_in
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import (
    Absent,
    InputFile,
    NoSuchPackage,
    OutputFile,
    Rule,
    Target,
    TargetResult,
)
from bazelscope.query.graphs.default_groups import groups_by_default
from bazelscope.query.graphs.load_order import LoadOrder, loads_of
from bazelscope.query.graphs.query_patterns import Patterns
from bazelscope.query.graphs.rule_digests import RuleDigests
from bazelscope.query.graphs.unsettled import Unsettled, what_is_unsettled
from bazelscope.query.language.attribute_values import (
    attribute_of,
    possible_values,
    searched_attribute,
)
from bazelscope.query.language.environment import QuerySettings, Shown
from bazelscope.query.language.query_parser import QueryError
from bazelscope.query.language.query_syntax import Literal

if TYPE_CHECKING:
    from bazelscope.query.graphs.loaded_closures import LoadedClosures

_LABELS = LABEL_TYPES | {AttributeType.UNKNOWN}


class TargetEnvironment:
    """Nodes are labels; every branch of every select counts."""

    def __init__(self, loader: Loader, settings: QuerySettings) -> None:
        self.settings = settings
        self.diagnostics: list[Diagnostic] = []
        self.shown: Shown[Label] = Shown()
        self.graph = TargetGraph(
            loader,
            settings.bazel_version,
            implicit=settings.implicit_deps,
            condition_visibility=settings.condition_visibility,
            keeper=loader,
        )
        self._loader = loader
        self.sort_key = loader.table.sort_key
        self.load_order = LoadOrder(loader)
        self.rule_digests = RuleDigests(loader, self.load_order, settings.release)
        self._patterns = Patterns(loader, settings, self.diagnostics)
        self._successors: dict[Label, tuple[Label, ...]] = {}
        self._withheld: dict[Label, tuple[tuple[Label, ...], tuple[Label, ...]]] = {}
        """Dependencies of rules from which walks of some steps have come: those that they have
        met, and with them what only aspects need."""
        self._files: dict[Label, tuple[InputFile, Package]] = {}
        self._is_quiet = False
        self._there: set[Label] = set()
        """Targets that are known not to be absent."""
        self._absent: dict[Label, list[Label]] = {}
        """The dependencies of each node that are not there."""
        self._missing = MissingTargets(self.diagnostics, Severity.WARNING)
        self._loaded: LoadedClosures | None = None
        self._universe = self._open_universe(loader) if settings.is_sky else ()
        self._named: set[PackageId] = set()
        """Packages of targets that attributes name."""

    def _open_universe(self, loader: Loader) -> Collection[Label]:
        """Loads all that the universe comes to, whatever is left out of answers. Of what is not
        there Bazel tells nothing."""
        settings, graph = self.settings, self.graph
        if not graph.implicit:
            graph = TargetGraph(
                loader,
                settings.bazel_version,
                implicit=True,
                condition_visibility=settings.condition_visibility,
                keeper=loader,
            )
        self._loaded = self._closures_in(graph, None)
        return self._patterns.open_universe(self._loaded.load)

    def _closures_in(self, graph: TargetGraph, missing: MissingTargets | None) -> LoadedClosures:
        from bazelscope.query.graphs.loaded_closures import LoadedClosures

        return LoadedClosures(graph, self.settings.release, missing, self.package)

    def passed_by(self) -> frozenset[PackageId]:
        """The packages that only attributes name: Bazel tells no errors of these (measured)."""
        named = self._named | self._patterns.passed
        if not named:
            return frozenset()
        met: set[tuple[str, str]] = {*self._patterns.opened}
        met.update(self._loaded.packages if self._loaded is not None else ())
        met.update([label[:2] for label in self._patterns.expanded()])
        for node, targets in chain(self._successors.items(), self._met_so_far()):
            met.add(node[:2])
            met.update([target[:2] for target in targets])
        # Equal to their packages' ids, without the calls that would make those.
        return frozenset([id for id in named if id not in met])

    def unsettled(self, answered: Iterable[Label]) -> Unsettled:
        """What is unknown of an answer, and of all that was walked for it so far."""
        walked, named = (*self._successors, *self._withheld), self._patterns.expanded()
        opened = self._patterns.opened
        return what_is_unsettled(self._loader, self.graph, answered, walked, named, opened)

    # ---- What the graph is ----

    def matching(self, literal: Literal) -> Sequence[Label]:
        labels = self._patterns.expand(literal)
        if len(labels) > 1:
            self._show_between(labels)
        return labels

    def prepare(self, nodes: Iterable[Label]) -> None:
        self.graph.prepare(nodes)

    def prepare_below(self, nodes: Collection[Label]) -> None:
        # Tools may be much that is not asked for.
        (self.graph.prepare_below if self.settings.tool_deps else self.graph.prepare)(nodes)

    def load_below(self, starts: Iterable[Label], is_walked: bool = True) -> None:
        settings = self.settings
        shows_all = settings.implicit_deps and settings.tool_deps and settings.nodep_deps
        if not (settings.is_sky or (shows_all and is_walked)):
            self._loaded = self._loaded or self._closures_in(self.graph, self._missing)
            self._loaded.load(starts)
        named = [] if settings.release.walks_from_named_files else self._files
        for label in starts if named else ():
            absent = self.graph.node(label) if label in named else None
            if isinstance(absent, Absent):
                code, severity = "no-such-target", Severity.WARNING
                self.diagnostics.append(Diagnostic(code, absent.message, severity=severity))

    def successors(self, node: Label) -> Sequence[Label]:
        successors = self._successors.get(node)
        if successors is None:
            withheld = self._withheld.pop(node, None)
            found = withheld[1] if withheld else tuple(dict.fromkeys(self._expand(node)))
            successors = self._successors[node] = found
            self.shown.add(node, successors)
        self._note_absent(node)
        return successors

    neighbours = successors

    def steps(self, node: Label) -> Sequence[Label]:
        if self.settings.is_sky:
            return self.successors(node)
        return self.shown.edges.get(node, ())

    def _met_first(self, node: Label) -> Sequence[Label]:
        """The dependencies of a node, but for those that only aspects need, which come a step
        later, unless an earlier walk has met them all."""
        if node in self._successors or self.settings.is_sky:
            return self.successors(node)
        if node not in self._withheld:
            links = self.graph.links(node)
            of_aspects = {target for target, link in links if link.kind is EdgeKind.ASPECT}
            of_aspects -= {target for target, link in links if link.kind is not EdgeKind.ASPECT}
            if not of_aspects:
                return self.successors(node)
            successors = tuple(dict.fromkeys(self._expand(node)))
            met = tuple([target for target in successors if target not in of_aspects])
            self._withheld[node] = met, successors
            self.shown.add(node, met)
            self._note_absent(node)
        return self._withheld[node][0]

    def _met_so_far(self) -> Iterator[tuple[Label, tuple[Label, ...]]]:
        return ((node, met) for node, (met, _) in self._withheld.items())

    def _note_absent(self, node: Label) -> None:
        if self._absent and not self._is_quiet:
            for absent in self._absent.pop(node, ()):
                self._note_missing(absent, node)

    def arriving_otherwise(self, node: Label) -> Iterable[Label]:
        return ()

    def show(self, starts: Iterable[Label], depth: int) -> None:
        # Bazel: `LabelVisitor` goes from a generated file to its rule without a step. To what an
        # aspect needs it comes by way of what the aspect is on: by a step more than to that.
        layer = list(dict.fromkeys(starts))
        following: list[Label] = []
        seen: set[Label] = set()
        for distance in range(depth + 1):
            after: list[Label] = []
            for node in layer:
                if node in seen:
                    continue
                seen.add(node)
                shown = self.graph.node(node)
                is_output = isinstance(shown, OutputFile)
                if distance == depth:
                    if isinstance(shown, OutputFile):
                        self.shown.add(node, (shown.generating_rule,))
                    continue
                for target in self._met_first(node):
                    is_maker = is_output and target.package_id == node.package_id
                    (layer if is_maker else following).append(target)
                if distance + 2 <= depth and node in self._withheld:
                    after += self.successors(node)
            layer, following = following, after
            if not (layer or following):
                break

    def stands_in_for(self, label: Label) -> Package | None:
        """The package as part of whose making a file was named, if it was."""
        file = self._files.get(label)
        return file[1] if file is not None else None

    def label(self, node: Label) -> Label:
        return node

    def target(self, node: Label) -> TargetResult:
        file = self._files.get(node)
        return file[0] if file is not None else self.graph.node(node)

    def package(self, id: PackageId) -> Package | None:
        package = self._loader.package(id)
        return package if isinstance(package, Package) else None

    def _expand(self, node: Label) -> Iterator[Label]:
        tools, nodep = self.settings.tool_deps, self.settings.nodep_deps
        kind, there = self.graph.shape(node).rule_class, self._there
        for target, link in self.graph.links(node):
            if link.is_tool and not tools:
                continue
            is_group = link.kind is EdgeKind.PACKAGE_GROUP
            if kind is not None and is_group and not nodep:
                continue
            if target in there or self._is_there(target, node, link.kind):
                yield target
        if kind is not None and nodep and self.settings.implicit_deps:
            package, release = self.package(node.package_id), self.settings.release
            for group in groups_by_default(self.graph, node, kind, package, release):
                if self._is_there(group, node):
                    yield group

    def _is_there(self, label: Label, wanted_by: Label, kind: EdgeKind = EdgeKind.IMPLICIT) -> bool:
        if self.graph.has(label):
            self._there.add(label)
            return True
        if isinstance(self.graph.node(label), Absent):
            # A string in an attribute of an unknown rule may be no label at all.
            if kind is not EdgeKind.ASSUMED:
                self._absent.setdefault(wanted_by, []).append(label)
            return False
        return True

    def _note_missing(self, label: Label, wanted_by: Label) -> None:
        target = self.graph.node(label)
        if isinstance(target, Absent):
            self._missing.note(target, wanted_by, self.graph.location(wanted_by))

    def _show_between(self, labels: Sequence[Label]) -> None:
        """Bazel orders what one pattern matched by the edges among it."""
        chosen = frozenset(labels)
        tools = self.settings.tool_deps
        for label in labels:
            edges = self.graph.edges(label)
            # What aspects and visibility of conditions add is looked at for the edges.
            self._named.update([edge.target.package_id for edge in edges])
            targets = dict.fromkeys(
                edge.target
                for edge in edges
                if edge.target in chosen
                and edge.kind is not EdgeKind.PACKAGE_GROUP
                and (tools or not edge.is_tool)
            )
            if targets:
                self.shown.add(label, tuple(targets))

    # ---- Attributes ----

    def values(self, node: Label, attribute: str) -> Iterable[object] | None:
        rule = self.graph.node(node)
        if not isinstance(rule, Rule):
            return None
        package = self.package(node.package_id)
        if attribute == IMPLICIT_TESTS and rule.rule_class.name == "test_suite":
            return (self.prerequisites(node, attribute),)
        held = searched_attribute(rule, attribute, package, self.settings.release)
        return None if held is None else possible_values(held.value, held.type)

    def prerequisites(self, node: Label, attribute: str) -> Sequence[Label]:
        rule = self.graph.node(node)
        if not isinstance(rule, Rule):
            return ()
        if attribute == IMPLICIT_TESTS:
            tests = (e.target for e in self.graph.edges(node) if e.attribute == IMPLICIT_TESTS)
            return list(dict.fromkeys(tests))
        # What the package says, or Bazel for a rule, is no value of `visibility`.
        package = None if attribute == "visibility" else self.package(node.package_id)
        held = attribute_of(rule, attribute, package, self.settings.release)
        if held is None or held.type not in _LABELS:
            return ()
        if attribute == "visibility" and not held.is_explicit:
            return ()
        named = dict.fromkeys(
            label for value in possible_values(held.value, held.type) for label in labels_in(value)
        )
        present = []
        for label in named:
            if isinstance(self.graph.node(label), Absent):
                self._note_missing(label, node)
            else:
                self._named.add(label.package_id)
                present.append(label)
        return present

    # ---- Packages and files ----

    def sees(self) -> Callable[[Target, Package, Iterable[PackageId]], bool]:
        return self._all_see

    def _all_see(self, target: Target, package: Package, readers: Iterable[PackageId]) -> bool:
        release, find = self.settings.release, self.graph.node
        for absent in absent_groups(visibility_of(target, package, release), find):
            code = "no-such-package" if isinstance(absent, NoSuchPackage) else "no-such-target"
            told = Diagnostic(code, f"visibility of {target.label}: {absent.message}")
            if not (self.settings.keep_going and release.visible_goes_on):
                raise QueryError(told)
            self.diagnostics.append(replace(told, severity=Severity.WARNING))
        return all(is_visible(target, package, reader, release, find) for reader in readers)

    def in_package(self, node: Label) -> Sequence[Label]:
        package = self.stands_in_for(node) or self.package(node.package_id)
        if package is None:
            return (node,)
        return [Label(*package.id, name) for name in package.targets]

    def files(self, nodes: Iterable[Label], with_build_files: bool) -> Sequence[Label]:
        files: dict[Label, None] = {}
        own: set[Label] = set()
        seen: set[PackageId] = set()
        for node in nodes:
            package = self.stands_in_for(node) or self.package(node.package_id)
            if package is None or package.id in seen:
                continue
            seen.add(package.id)
            if with_build_files:
                files[package.build_file] = None
                self._files.pop(package.build_file, None)
                own.add(package.build_file)
            for loaded in loads_of(package):
                files[loaded.label] = None
                made_of = [loaded.label]
                beside = self.package(loaded.label.package_id) if with_build_files else None
                if beside is not None:
                    made_of.append(beside.build_file)
                for label in made_of:
                    files[label] = None
                    if label not in own:
                        file = InputFile(label, Location(package.path, 1, 1))
                        self._files.setdefault(label, (file, package))
        return list(files)

    # ---- Universes ----

    @contextmanager
    def quietly(self) -> Iterator[None]:
        before, self._is_quiet = self._is_quiet, True
        try:
            yield
        finally:
            self._is_quiet = before

    def universe(self) -> Collection[Label]:
        return self._universe

    def packages_loading(self, files: frozenset[str]) -> Sequence[Label]:
        build_files: dict[Label, None] = {}
        of_prelude = self.load_order.paths_of_prelude(self.settings.release)
        for id in sorted(self._patterns.in_universe()):
            package = self.package(id)
            if package is None:
                continue
            paths = {package.path, *self.load_order.external_paths(package)}
            paths.update(of_prelude if not id.repository and id.package != "external" else ())
            paths.update(file.label.path for file in package.loads if not file.label.repository)
            if not files.isdisjoint(paths):
                build_files[package.build_file] = None
        return list(build_files)

    def with_configuration(
        self, nodes: Iterable[Label], name: str, literal: Literal
    ) -> Sequence[Label]:
        raise QueryError(
            Diagnostic("unknown-query-function", "`query` knows no configurations", literal.span)
        )
