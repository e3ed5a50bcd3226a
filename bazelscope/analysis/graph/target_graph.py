"""The target graph as `bazel query` sees it, expanded as far as somebody asks.

Nodes are labels, edges are `Edge`s. A label whose target does not exist or cannot be told
is a node all the same: `node()` says what it is. networkx graphs for programs are made
here too; besides, only the writer of GraphML knows networkx.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bazelscope.analysis.conditions.edges import Edge, EdgeKind, UnknownEdges
from bazelscope.analysis.configuration.target_source import TargetSource
from bazelscope.analysis.graph.dependency_edges import edges_of, unknown_edges_of
from bazelscope.analysis.graph.edge_columns import (
    NO_TARGET,
    Keys,
    Link,
    Piece,
    TargetShape,
    select_keys,
    shape_from,
)
from bazelscope.analysis.graph.kept_edges import KeptEdges
from bazelscope.analysis.graph.target_marks import UNKNOWNS, is_marked
from bazelscope.base import budget
from bazelscope.base.graph_walk import distances
from bazelscope.base.label import Label, PackageId
from bazelscope.base.memoized import memoized
from bazelscope.base.source import Location
from bazelscope.bazel.attribute_types import RuleClass
from bazelscope.bazel.release import Release
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.encoded_targets import TargetData
from bazelscope.loading.packages.package import Package, PackageResult
from bazelscope.loading.packages.targets import (
    EnvironmentGroup,
    InputFile,
    NoSuchPackage,
    NoSuchTarget,
    OutputFile,
    PackageGroup,
    Provenance,
    Rule,
    TargetResult,
    UnknownPackage,
    UnknownTarget,
)

if TYPE_CHECKING:
    import networkx

    from bazelscope.analysis.graph.arrivals import Arrivals, EdgesTo

_TARGETS = (Rule, InputFile, OutputFile, PackageGroup, EnvironmentGroup)


class TargetGraph:
    """The unconfigured graph over a `TargetSource`, lazily expanded and cached.

    `implicit`: include the edges of rule classes' defaults (`--implicit_deps`).
    `visibility`: include the edges to the package groups of `visibility` (`--nodep_deps`);
    `condition_visibility`: those of config_settings too, whose visibility newer Bazels only
    look at if a flag says so. `like`: a graph of the same kind, whose edges are taken over as far
    as they are known and both have the same package.
    """

    def __init__(
        self,
        source: TargetSource,
        bazel_version: str = "",
        *,
        implicit: bool = False,
        visibility: bool = True,
        condition_visibility: bool = True,
        like: TargetGraph | None = None,
        keeper: Loader | None = None,
    ) -> None:
        """`keeper` keeps what is found out of packages for later runs."""
        self.source = source
        self.release = Release.of(bazel_version) if bazel_version else None
        self.implicit = implicit
        self.visibility = visibility
        self.condition_visibility = condition_visibility
        self._packages: dict[PackageId, PackageResult] = {}
        self._shapes: dict[Label, TargetShape] = {}
        self._edges: dict[Label, tuple[Edge, ...]] = {}
        self._places: dict[Label, tuple[Piece, int] | None] = {}
        """Where an earlier run has kept what there is to know of targets."""
        self._ahead: set[PackageId] = set()
        """Those that are loaded with all that leads on from them, whoever asks for them when."""
        self._shapes_ahead: dict[Label, TargetShape] = {}
        """What their targets are, until somebody asks."""
        self._marks: dict[Label, int] = {}
        """All of a target, which is asked about one after the other."""
        self._closures: dict[Label, dict[Label, int]] = {}
        self.absent: dict[Label, TargetResult] = {}
        """What was met so far and is no target, and what it is instead."""
        self._like = like
        self.keeper = keeper
        self._kept: KeptEdges | None = None
        if keeper is not None:
            modes = (implicit, visibility, condition_visibility)
            self._kept = KeptEdges(keeper, "".join(str(int(mode)) for mode in modes))

    @memoized
    def node(self, label: Label) -> TargetResult:
        """The target of that label, or why there is none."""
        package = self._package(label)
        result = package.targets.get(label.name) if isinstance(package, Package) else None
        return self.source.target(label) if result is None else result

    def location(self, label: Label) -> Location | None:
        """Where a target stands; None for what is no target, or is not known."""
        return getattr(self.node(label), "location", None)

    def edges(self, label: Label) -> tuple[Edge, ...]:
        """The edges that leave a node, in written order; none for what is no target."""
        edges = self._edges.get(label)
        if edges is None:
            budget.current().check()
            edges = self._edges[label] = self._edges_from(label)
        return edges

    def edges_to(self, label: Label, above: EdgesTo) -> Sequence[Edge]:
        """Those of the edges that leave a node that lead to one of `above`."""
        kept = self._piece(label) if self._like is None else None
        if kept is None:
            return [edge for edge in self.edges(label) if above(edge)]
        budget.current().check()
        return kept[0].edges_to(label, kept[1], above.far)

    def _like_of(self, label: Label) -> TargetGraph | None:
        """The graph like this one, if both have the same package of a target."""
        like = self._like
        if like is None:
            return None
        id = label.package_id
        return like if like._packages.get(id) is self._packages.get(id) else None

    def _edges_from(self, label: Label) -> tuple[Edge, ...]:
        package, kept = self._package(label), self._kept_at(label)
        if not isinstance(package, Package) or not (kept or label.name in package.targets):
            # The source remembers what it was asked for in vain, too.
            self.absent[label] = self.node(label)
            return ()
        like = self._like_of(label)
        shared = like._edges.get(label) if like is not None else None
        if shared is not None:
            return shared
        if kept is not None:
            return kept[0].edges(label, kept[1])
        groups = self.visibility
        if groups and not self.condition_visibility:
            groups = self.shape(label).class_name != "config_setting"
        edges = edges_of(
            package, label.name, self.release, implicit=self.implicit, visibility=groups
        )
        if self.implicit:
            kind = self.shape(label).rule_class
            if kind is not None and kind.aspect_attributes:
                # They depend on other packages.
                return edges + self._aspect_edges(label, kind, edges)
        if self._kept is not None:
            self._kept.note(package, label.name, edges)
        return edges

    def _piece(self, label: Label) -> tuple[Piece, int] | None:
        """Where an earlier run has kept the edges of a target that is not expanded yet."""
        return None if label in self._edges else self._kept_at(label)

    def _kept_at(self, label: Label) -> tuple[Piece, int] | None:
        """Where an earlier run has kept what there is to know of a target."""
        if self._kept is None:
            return None
        if label not in self._places:
            piece = self.piece(label)
            number = piece.number(label.name) if piece is not None else None
            place = None if piece is None or number is None else (piece, number)
            self._places[label] = place
        return self._places[label]

    def piece(self, label: Label) -> Piece | None:
        """What an earlier run has kept of a target's package, if it has."""
        package = self._package(label)
        if self._kept is None or not isinstance(package, Package):
            return None
        return self._kept.piece(package)

    @memoized
    def targets(self, label: Label) -> Sequence[Label]:
        """What the edges that leave a node lead to, in their order; one may come twice."""
        self._package(label)  # Its edges may be there ahead of it.
        kept = self._piece(label)
        if kept is None:
            return [edge.target for edge in self.edges(label)]
        return kept[0].targets(kept[1])

    def links(self, label: Label) -> Iterable[tuple[Label, Link | Edge]]:
        """What the edges of a node lead to, each with what makes it; without the branches, which
        are dear."""
        kept = self._piece(label)
        if kept is None:
            return [(edge.target, edge) for edge in self.edges(label)]
        piece, number = kept
        return zip(piece.targets(number), piece.links_of(number), strict=True)

    def is_marked(self, label: Label, mark: int) -> bool:
        """Whether a target has a mark, one of `target_marks`, without decoding it."""
        if self._kept is None:
            return self._has_mark(label, mark)  # Of all, few would be asked for.
        marks = self._marks.get(label)
        if marks is None:
            kept = self._kept_at(label)
            if kept is not None:
                marks = kept[0].marks[kept[1]]
            else:
                package, target = self._package(label), self.encoded(label)
                if target is None or not isinstance(package, Package):
                    marks = 0
                else:
                    marks = self._kept.marks(package, label.name, target)
            self._marks[label] = marks
        return bool(marks & mark)

    @memoized
    def _has_mark(self, label: Label, mark: int) -> bool:
        package, target = self._package(label), self.encoded(label)
        if target is None or not isinstance(package, Package):
            return False
        return is_marked(package, target, mark)

    @memoized
    def is_open(self, label: Label) -> bool:
        """Whether there may be something to a label that nobody can tell, or no target at all."""
        return not self.has(label) or self.is_marked(label, UNKNOWNS)

    def has(self, label: Label) -> bool:
        """Whether there is a target of that label."""
        if self._kept_at(label) is not None:
            return True
        package = self._package(label)
        return isinstance(package, Package) and label.name in package.targets

    def is_modelled(self, label: Label) -> bool:
        """Whether only a model says what there is in a target's package."""
        package = self._package(label)
        return isinstance(package, Package) and package.provenance is Provenance.MODEL

    def shape(self, label: Label) -> TargetShape:
        """What there is to know of a target without decoding it."""
        known = self._shapes.get(label)
        if known is None:
            known = self._shapes[label] = self._shape_of(label)
        return known

    def rule_with_transition(self, label: Label) -> Rule | None:
        """The rule whose own transition a target is built behind, if there is one: that of the
        target, or of the file that it is."""
        shape = self.shape(label)
        if shape.generating_rule is not None:
            label = shape.generating_rule
            shape = self.shape(label)
        if shape.rule_class is None or shape.rule_class.transition is None:
            return None
        rule = self.node(label)
        return rule if isinstance(rule, Rule) else None

    def _shape_of(self, label: Label) -> TargetShape:
        package, like = self._package(label), self._like_of(label)
        shape = self._shapes_ahead.pop(label, None)
        if shape is None and like is not None:
            shape = like._shapes.get(label)
        if shape is not None:
            return shape
        if not isinstance(package, Package):
            return NO_TARGET
        kept = self._kept_at(label)
        if kept is not None:
            return kept[0].shape(label, kept[1])
        if label.name not in package.targets:
            return NO_TARGET
        target = package.targets.encoded(label.name)
        return NO_TARGET if target is None else shape_from(package, label, target)

    def encoded(self, label: Label) -> TargetData | None:
        """A target as its package keeps it; None where there is none."""
        package = self._package(label)
        if isinstance(package, Package) and label.name in package.targets:
            return package.targets.encoded(label.name)
        return None  # Its name tells, for which nothing is unpacked.

    def environments_of_package(self, label: Label) -> Mapping[str, tuple[Label, ...] | None]:
        """What a target's package says of the environments that its rules are for."""
        package = self._package(label)
        return package.environments if isinstance(package, Package) else {}

    def _aspect_edges(
        self, label: Label, kind: RuleClass, edges: tuple[Edge, ...]
    ) -> tuple[Edge, ...]:
        """What the aspects of a rule's attributes need, if they meet a rule there at all.
        Bazel: `AspectDefinition.visitAspectsIfRequired`."""
        carriers = {name for name, definition in kind.attributes.items() if definition.aspects}
        meets = any(
            edge.kind is EdgeKind.ATTRIBUTE
            and (not kind.defined_at or edge.attribute in carriers)
            and self.shape(edge.target).rule_class is not None
            for edge in edges
        )
        labels = kind.aspect_labels if meets else ()
        return tuple(Edge(label, needed, "", EdgeKind.ASPECT) for needed in labels)

    def select_keys(self, label: Label) -> Keys:
        """The conditions of each select() that is written into a rule, without decoding it."""
        kept = self._kept_at(label)
        if kept is not None:
            return kept[0].select_keys(kept[1])
        target = self.encoded(label)
        return () if target is None else select_keys(target)

    def unknown_edges(self, label: Label) -> tuple[UnknownEdges, ...]:
        """The attributes of a node that may hold dependencies nobody can tell."""
        target = self.node(label)
        return unknown_edges_of(target) if isinstance(target, _TARGETS) else ()

    def deps(
        self,
        labels: Iterable[Label],
        depth: int | None = None,
        keep: Callable[[Edge], bool] | None = None,
    ) -> dict[Label, int]:
        """Every node that `labels` reach (themselves included) and its distance.

        In breadth-first order. `depth` limits the distance; `keep` says which edges count.
        """
        starts = tuple(labels)
        if keep is None and depth is None and len(starts) == 1:
            # One question asks again and again what its start reaches.
            closure = self._closures.get(starts[0])
            if closure is None:
                closure = self._closures[starts[0]] = self.arrivals(starts[0]).distances()
            return dict(closure)
        if keep is None:
            prepare = self.prepare_below if depth is None else self.prepare
            return distances(starts, self.targets, depth, prepare)
        edges, wanted = self.edges, keep
        return distances(
            starts, lambda label: [e.target for e in edges(label) if wanted(e)], depth, self.prepare
        )

    def prepare(self, labels: Iterable[Label]) -> bool:
        """Loads the packages of labels whose edges will be asked for, all at once; returns
        whether one had to be."""
        known = self._packages
        # Equal to their packages' ids, without the calls that would make those.
        new = {label[:2] for label in labels} - known.keys()
        return bool(new) and self.source.prepare([PackageId(*one) for one in sorted(new)])

    def prepare_below(self, labels: Collection[Label]) -> bool:
        """Loads the packages of `labels`, and where that is done on every core, those that they
        lead to, each as soon as it is known. Returns whether one had to be."""
        if not {label[:2] for label in labels} - self._packages.keys() - self._ahead:
            return False
        waiting: dict[PackageId, list[Label]] = {}
        met: set[Label] = set()
        before: list[dict[Any, Any]] = []

        def meet(targets: Iterable[Label]) -> Iterator[PackageId]:
            for target in targets:
                if target not in met:
                    met.add(target)
                    id = target.package_id
                    waiting.setdefault(id, []).append(target)
                    yield id

        def following(id: PackageId, package: PackageResult) -> Iterable[PackageId]:
            if not before:
                # Whoever walks asks in an order of its own, which counts.
                known = self._packages, self._shapes, self._places, self._marks
                before.extend([dict(one) for one in known])
            self._packages[id] = package
            self._ahead.add(id)
            further: dict[PackageId, None] = {}
            while isinstance(package, Package) and id in waiting:
                for label in waiting.pop(id):
                    if label.name in package.targets:
                        further.update(dict.fromkeys(meet(self._targets_ahead(package, label))))
                further.pop(id, None)
            return further

        new = set(meet(labels)) - self._packages.keys() - self._ahead
        try:
            return self.source.prepare(sorted(new), following)
        finally:
            if before:
                self._shapes_ahead |= self._shapes
                self._packages, self._shapes, self._places, self._marks = before

    def _targets_ahead(self, package: Package, label: Label) -> Sequence[Label]:
        """What a node leads to, as far as it is known while packages are still being loaded."""
        kind = self.shape(label).rule_class if self.implicit else None
        if kind is not None and kind.aspect_attributes:
            return [edge.target for edge in edges_of(package, label.name, self.release)]
        self.is_open(label)  # Whoever walks wants to know, and here other processes work meanwhile.
        kept = self._piece(label)
        return [e.target for e in self.edges(label)] if kept is None else kept[0].targets(kept[1])

    @memoized
    def arrivals(self, start: Label) -> Arrivals:
        """What `start` reaches, turned round."""
        from bazelscope.analysis.graph.reverse_edges import arrivals

        return arrivals(self, start)

    def missing(self, labels: Iterable[Label]) -> dict[Label, TargetResult]:
        """Those of `labels` that are no targets, and what they are instead."""
        nodes = ((label, self.node(label)) for label in labels)
        absent = (NoSuchPackage, NoSuchTarget, UnknownPackage, UnknownTarget)
        return {label: node for label, node in nodes if isinstance(node, absent)}

    def _package(self, label: Label) -> PackageResult:
        # Equal to the package's id, without the call that would make one.
        package: PackageResult | None = self._packages.get(label[:2])  # type: ignore[call-overload]
        if package is None:
            id = label.package_id
            package = self._packages[id] = self.source.package(id)
        return package


def multigraph(
    nodes: Iterable[tuple[str, Mapping[str, object]]],
    edges: Iterable[tuple[str, str, Mapping[str, object]]],
) -> networkx.MultiDiGraph[str]:
    """A networkx graph of named nodes, both with attributes."""
    import networkx

    graph: networkx.MultiDiGraph[str] = networkx.MultiDiGraph()
    graph.add_nodes_from((name, dict(attributes)) for name, attributes in nodes)
    graph.add_edges_from((source, target, dict(held)) for source, target, held in edges)
    return graph
