"""What the functions of the query language ask of the graph that they walk.

A node is a label (`query`) or a configured target (`cquery`). That of `query` also remembers
which edges it has shown: Bazel orders and draws its results by these, not by all there are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import field
from typing import Generic, Protocol, TypeVar

from bazelscope.base.errors import Diagnostic
from bazelscope.base.label import MAIN_ROOT, Label, PackageId
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.bazel.attribute_types import RuleClass
from bazelscope.bazel.release import Release
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Target, TargetResult
from bazelscope.query.language.graph_orders import strong_components
from bazelscope.query.language.query_syntax import Literal

N = TypeVar("N", bound=Hashable)


@dataclass(frozen=True, slots=True)
class QuerySettings:
    """The options that change which targets a query is about.

    `directory` is the package of the working directory; `condition_visibility` says whether
    that of config_settings counts. `universe` are the target patterns of
    `--universe_scope`.
    """

    bazel_version: str
    directory: PackageId = MAIN_ROOT
    implicit_deps: bool = True
    tool_deps: bool = True
    nodep_deps: bool = True
    condition_visibility: bool = True
    keep_going: bool = False
    strict_test_suite: bool = False
    takes_manual: bool = False
    """`--build_manual_tests`"""
    universe: tuple[str, ...] = ()
    infers_universe: bool = False
    """Whether the patterns of the question are the universe, where none is given."""
    include_aspects: bool = False
    """Whether cquery goes on to what aspects need."""
    sorts_output: bool | None = None
    """`--incompatible_lexicographical_output`, if it is given."""
    is_sky: bool = False
    """Whether the universe is looked through: it is given, and no order is asked for."""

    @property
    def release(self) -> Release:
        return Release.of(self.bazel_version)

    @property
    def is_sorted(self) -> bool:
        """Whether a result that no order is asked for stands in that of the alphabet."""
        return self.release.sorts_query_output if self.sorts_output is None else self.sorts_output


@dataclass(slots=True)
class Shown(Generic[N]):
    """The part of the graph that an evaluation has walked."""

    edges: dict[N, tuple[N, ...]] = field(default_factory=dict)

    def add(self, source: N, targets: Sequence[N]) -> None:
        """Takes note of edges, none of them twice; those of the same source come after what was
        noted before."""
        before = self.edges.get(source)
        merged = dict.fromkeys((*before, *targets)) if before else targets
        self.edges[source] = tuple(merged)

    def between(self, nodes: Iterable[N]) -> dict[N, tuple[N, ...]]:
        """For each of `nodes`, those of them that a shown edge leads to, or a way over others
        that are not among them. Bazel: `Digraph.extractSubgraph`."""
        chosen = dict.fromkeys(nodes)
        edges = {node: self.edges.get(node, ()) for node in chosen}
        is_chosen = chosen.__contains__
        leaving = [node for node, targets in edges.items() if not all(map(is_chosen, targets))]
        behind = self._behind(chosen, leaving)
        for node in leaving:
            reached: dict[N, None] = {}
            for target in edges[node]:
                reached.update({target: None} if target in chosen else behind[target])
            edges[node] = tuple(reached)
        for node, targets in edges.items():
            if node in targets:
                edges[node] = tuple([target for target in targets if target != node])
        return edges

    def _behind(self, chosen: dict[N, None], leaving: Iterable[N]) -> dict[N, dict[N, None]]:
        """For each node between the chosen ones, of which some are `leaving`, those that lie next
        behind it."""
        others = self._others(chosen, leaving)
        if not others:
            return {}
        members: dict[int, list[N]] = {}
        component = strong_components(others)
        for node, number in component.items():
            members.setdefault(number, []).append(node)
        behind: dict[N, dict[N, None]] = {}
        for number in sorted(members):
            reached: dict[N, None] = {}
            for node in members[number]:
                for target in self.edges.get(node, ()):
                    if target in chosen:
                        reached[target] = None
                    elif component[target] != number:
                        reached.update(behind[target])
            behind.update(dict.fromkeys(members[number], reached))
        return behind

    def _others(self, chosen: dict[N, None], leaving: Iterable[N]) -> dict[N, tuple[N, ...]]:
        """What is not chosen and reached from a chosen node, with its edges to such."""
        queue = [target for node in leaving for target in self.edges[node] if target not in chosen]
        others: dict[N, tuple[N, ...]] = {}
        while queue:
            node = queue.pop()
            if node not in others:
                others[node] = tuple(t for t in self.edges.get(node, ()) if t not in chosen)
                queue.extend(others[node])
        return others


class Environment(Protocol[N]):
    """The graph under one set of options. No method raises for what is no target: such
    nodes are left out, and told in `diagnostics`."""

    settings: QuerySettings
    diagnostics: list[Diagnostic]

    def matching(self, literal: Literal) -> Sequence[N]:
        """The nodes of a target pattern. Raises `QueryError` unless `keep_going`."""
        ...

    def successors(self, node: N) -> Sequence[N]:
        """The direct dependencies, under the options."""
        ...

    def steps(self, node: N) -> Sequence[N]:
        """The direct dependencies that a walk of some steps, of which `show` was told, has met.
        Bazel: `BlazeQueryEnvironment.getFwdDeps` asks the graph that its `LabelVisitor` made."""
        ...

    def prepare(self, nodes: Iterable[N]) -> object:
        """Is told whose successors will be asked for next, so as to load them at once."""
        ...

    def prepare_below(self, nodes: Collection[N]) -> object:
        """Is told that all will be asked for that nodes reach."""
        ...

    def load_below(self, starts: Iterable[N], is_walked: bool = True) -> object:
        """Notes what is not there of all that `starts` come to, along whatever the options leave
        out, too: Bazel loads all of it before it walks. `is_walked`: the caller walks all that
        the options do not leave out."""
        ...

    def neighbours(self, node: N) -> Sequence[N]:
        """What the ways back from a target go by: the dependencies, as `rdeps` counts them."""
        ...

    def arriving_otherwise(self, node: N) -> Iterable[N]:
        """What counts as what depends on a node besides that of which it is a neighbour."""
        ...

    def show(self, starts: Iterable[N], depth: int) -> None:
        """Notes the edges that a walk from `starts` meets, which goes `depth` far."""
        ...

    def label(self, node: N) -> Label: ...

    def target(self, node: N) -> TargetResult: ...

    def package(self, id: PackageId) -> Package | None: ...

    def stands_in_for(self, node: N) -> Package | None:
        """The package as part of whose making a file was named, if it was."""
        ...

    def values(self, node: N, attribute: str) -> Iterable[object] | None:
        """Each value that the attribute of a rule can have; None if there is no such."""
        ...

    def prerequisites(self, node: N, attribute: str) -> Sequence[N]:
        """The targets that the labels of an attribute name."""
        ...

    def sees(self) -> Callable[[Target, Package, Iterable[PackageId]], bool]:
        """Tells whether packages may all depend on a target. Raises `QueryError` where Bazel
        knows no visibility."""
        ...

    def in_package(self, node: N) -> Sequence[N]:
        """All targets of the node's package. Raises `QueryError` where there is no such
        thing as the targets of a package."""
        ...

    def files(self, nodes: Iterable[N], with_build_files: bool) -> Sequence[N]:
        """The files that the packages of `nodes` are made of. Raises `QueryError` where
        packages have no meaning."""
        ...

    def quietly(self) -> AbstractContextManager[None]:
        """While it is entered, dependencies that are not there are not told."""
        ...

    def universe(self) -> Collection[N]:
        """All that the patterns of `--universe_scope` come to."""
        ...

    def packages_loading(self, files: frozenset[str]) -> Sequence[N]:
        """The BUILD files of the universe's packages that rest on one of `files`."""
        ...

    def with_configuration(self, nodes: Iterable[N], name: str, literal: Literal) -> Sequence[N]:
        """Those of `nodes` that have, or the same targets under, a configuration."""
        ...


def rule_class_of(target: TargetResult | Target) -> RuleClass | None:
    """The class of a rule; None for what is no rule."""
    return getattr(target, "rule_class", None)
