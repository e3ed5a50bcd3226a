"""Targets that others name as a platform, a constraint value, a toolchain or a key of a select(),
and whose own analysis fails: Bazel then refuses whoever names them, before it looks at what that
depends on.

Bazel: `PlatformLookupUtil`, `ConstraintValueLookupUtil`, `RegisteredToolchainsFunction`,
`ConfigConditions`; measured with 4.2.3, 2.1.0 and 0.24.1. The words of release 6 are those that
its users quote (rules_pip#82, ghost-userspace#28), and those of 5 of rules_docker#1953.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from bazelscope.analysis.conditions.alias_dependencies import takes_part_in_resolution
from bazelscope.analysis.conditions.configured_edges import ConfiguredNode, Taken
from bazelscope.analysis.conditions.edges import EdgeKind
from bazelscope.analysis.configuration.build_settings import LABEL_SETTINGS
from bazelscope.analysis.configuration.platforms import host_platform_label, target_platform_label
from bazelscope.analysis.graph.aliases import behind_aliases
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.target_marks import LOOKED_AT
from bazelscope.analysis.graph.toolchain_resolution import group_constraints
from bazelscope.analysis.refusals.refusal import Refusal, RefusalCause, RefusalKind
from bazelscope.base.label import Label
from bazelscope.base.memoized import memoized
from bazelscope.bazel.attribute_types import ExecGroup, RuleClass
from bazelscope.bazel.native_toolchains import native_requirements
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Absent, Provenance, Rule

NOT_BUILT = (EdgeKind.PACKAGE_GROUP, EdgeKind.ASPECT)
"""Edges to what Bazel does not analyse for a target."""


class Role(enum.Enum):
    """As what a target is named."""

    PLATFORM = "platform"
    CONSTRAINT = "constraint_value"
    TOOLCHAIN = "toolchain"
    KEY = "key"
    OTHER = ""
    """A constraint value of a toolchain, which an attribute holds."""


Named = Sequence[tuple[ConfiguredNode, Role]]

_TOOLCHAIN = "toolchain"
_OWN = ExecGroup("", (), ())
"""What a rule asks for itself."""
_DRAWN_UP = (Provenance.DRY_RUN, Provenance.MODEL)
_OF_KEYS = (
    *(RefusalKind.MISSING_PACKAGE, RefusalKind.MISSING_TARGET),
    *(RefusalKind.VISIBILITY, RefusalKind.CONDITION),
)
"""What is refused of the keys of select()s, before anything that these come to."""
_INFO = {Role.PLATFORM: "PlatformInfo", Role.CONSTRAINT: "ConstraintValueInfo"}


class NamedTargets:
    """What targets name, over one configured graph; `failed` says of each target that was left
    whether it, or something below it, fails."""

    def __init__(
        self,
        graph: ConfiguredGraph,
        failed: Mapping[ConfiguredNode, bool],
        told: Iterable[Refusal],
    ) -> None:
        """`told` is what was refused so far."""
        self._graph = graph
        self._source = graph.graph.source
        self._failed = failed
        self._told = told
        self._release = graph.configuration.release
        self._sound: dict[tuple[int, object], RuleClass] = {}
        """Classes, by the configuration, for which no platform and no toolchain fails."""

    # ---- What is named

    def of_toolchains(self, node: ConfiguredNode) -> Named:
        """The platforms and toolchains that are looked at for a target, until all are known to be
        well, and the constraint values that it asks of where it is built."""
        rule_class = self._graph.graph.shape(node.label).rule_class
        if rule_class is None:
            return ()
        constraints = self._constraints(node, rule_class)
        key = (id(rule_class), node.configuration)
        if key in self._sound:
            return constraints
        described = self._described(node, rule_class)
        if all(self._failed.get(one) is False for one, _ in described):
            self._sound[key] = rule_class
        return (*described, *constraints)

    def _constraints(self, node: ConfiguredNode, rule_class: RuleClass) -> Named:
        """The constraint values that a target, or its class, asks of where it is built, or a
        toolchain of where it runs."""
        if not (rule_class.constraints or self._graph.graph.is_marked(node.label, LOOKED_AT)):
            return ()
        takes_part = takes_part_in_resolution(rule_class, self._release)
        rule = self._graph.graph.node(node.label)
        if not isinstance(rule, Rule) or not (takes_part or rule_class.name == _TOOLCHAIN):
            return ()
        own = self._graph.configuration_of(node)
        groups = rule_class.exec_groups or (_OWN,)
        wanted = [label for group in groups for label in group_constraints(rule, group, own)]
        there = [one for one in wanted if isinstance(self._source.target(one), Rule)]
        role = Role.CONSTRAINT if takes_part else Role.OTHER
        return [(self._graph.nodes.node(one, own), role) for one in there]

    def _described(self, node: ConfiguredNode, rule_class: RuleClass) -> Named:
        """The platforms and toolchains of the tree that Bazel looks at for a target, whichever it
        chooses: what is wrong with one of them, is so with the target."""
        own = self._graph.configuration_of(node)
        if not takes_part_in_resolution(rule_class, self._release):
            return ()
        resolution = self._graph.nodes.resolution(own)
        platforms = [host_platform_label(own), target_platform_label(own)]
        platforms += resolution.registered_platforms()
        labels = [(one, Role.PLATFORM) for one in platforms]
        if rule_class.toolchains or native_requirements(rule_class, self._release):
            labels += [(one, Role.TOOLCHAIN) for one in resolution.registered_toolchains()]
        return [
            (self._graph.nodes.node(one, own), role)
            for one, role in dict.fromkeys(labels)
            if isinstance(one, Label) and self._is_rule(one)
        ]

    def _is_rule(self, label: Label) -> bool:
        """Whether a label leads to a rule of the tree."""
        package = self._source.package(label.package_id)
        is_own = isinstance(package, Package) and package.provenance not in _DRAWN_UP
        return is_own and isinstance(self._source.target(label), Rule)

    def first(
        self, named: Sequence[ConfiguredNode], below: Sequence[ConfiguredNode]
    ) -> Iterator[ConfiguredNode]:
        """Yields what a target names, then, if all that is well, its dependencies `below`."""
        yield from named
        if not any(self._failed.get(one) for one in named):
            yield from below

    # ---- What is refused

    def refused(self, node: ConfiguredNode, refused: list[Refusal]) -> list[Refusal]:
        """What is refused of a target before Bazel comes to its dependencies, something below it
        being in error: what it names may be that, or else it is what was `refused` of it."""
        if is_setting(self._graph, node):
            return []  # Bazel does not come to what it compares.
        of_toolchains = [one for one in refused if one.kind is RefusalKind.TOOLCHAIN]
        of_keys = [one for one in refused if one.kind in _OF_KEYS]
        failed = self._failing(node, self.of_toolchains(node))
        if failed is not None:
            of_toolchains = [failed]
        keys = [
            (edge.target, Role.KEY)
            for edge in self._graph.built(node)
            if edge.taken is Taken.YES and edge.edge.kind is EdgeKind.CONDITION
        ]
        failed = self._failing(node, keys)
        if failed is not None and all(one.kind is RefusalKind.CONDITION for one in of_keys):
            refused = of_keys = [failed] if self._release.failed_keys_are_told else []
        if self._release.keys_before_toolchains:
            return of_keys or of_toolchains or refused
        return of_toolchains or of_keys or refused

    def _failing(self, node: ConfiguredNode, named: Named) -> Refusal | None:
        """Why Bazel refuses a target for the first of those `named` that fails. None where none
        does; and where a target only leads to a cycle, which is told by itself."""
        for target, role in named:
            if role is not Role.OTHER and self._failed.get(target):
                way = self._way_down(target)
                if way is not None and (role is not Role.KEY or self._absent(way[-1]) is None):
                    return self._refusal(node, role, way)
        return None

    def _absent(self, node: ConfiguredNode) -> Label | None:
        """What an alias stands for and is not there, of which whoever depends on it tells; None if
        it is there, and for what is no alias."""
        behind = behind_aliases(self._graph, node)
        if behind is node or not isinstance(self._graph.target(behind), Absent):
            return None
        is_setting = self._is_label_setting(node)
        return None if is_setting and self._release.label_settings_are_told else behind.label

    def _is_label_setting(self, node: ConfiguredNode) -> bool:
        return self._graph.graph.shape(node.label).class_name in LABEL_SETTINGS

    def _way_down(self, start: ConfiguredNode) -> list[ConfiguredNode] | None:
        """The targets from one that fails to the one that is refused itself; None if they lead
        into a cycle."""
        way = [start]
        while True:
            below = [
                edge.target
                for edge in self._graph.built(way[-1])
                if edge.taken is Taken.YES and edge.edge.kind not in NOT_BUILT
            ]
            below += [target for target, _ in self.of_toolchains(way[-1])]
            failing = [one for one in below if self._failed.get(one)]
            following = next((one for one in failing if one not in way), None)
            if following is None:
                while len(way) > 1 and self._absent(way[-1]) is not None:
                    way.pop()
                return None if failing else way
            way.append(following)

    def _refusal(self, node: ConfiguredNode, role: Role, way: list[ConfiguredNode]) -> Refusal:
        graph = self._graph.graph
        labels = [one.label for one in way]
        causes = [
            RefusalCause(f"{upper} depends on {lower}", graph.location(upper))
            for upper, lower in pairwise(labels)
        ]
        causes.append(RefusalCause(f"{labels[-1]} is refused itself", graph.location(labels[-1])))
        return Refusal(
            RefusalKind.CONDITION if role is Role.KEY else RefusalKind.TOOLCHAIN,
            self._message(node, role, way),
            node.label,
            location=graph.location(node.label),
            causes=tuple(causes),
            remedy=self._remedy(labels[-1]),
        )

    @memoized
    def _remedy(self, refused: Label) -> str:
        """What mends a target that is refused itself."""
        said = (one.remedy for one in self._told if one.target == refused and one.remedy)
        return next(said, f"mend {refused}")

    def _message(self, node: ConfiguredNode, role: Role, way: list[ConfiguredNode]) -> str:
        start = way[0].label
        resolving = f"While resolving toolchains for target {node.label}: "
        if role in _INFO:
            named = f"Target {self._absent(way[0]) or start} was referenced as a {role.value}"
            return f"{resolving}{named}, but does not provide {_INFO[role]}"
        if role is Role.TOOLCHAIN:
            return f"{resolving}invalid registered toolchain '{start}': {self._why(way[-1])}"
        if not self._release.failed_analysis_is_named:
            return f"errors encountered resolving select() keys for {node.label}"
        return f"While resolving configuration keys for {node.label}: {self._why(way[-1])}"

    def _why(self, refused: ConfiguredNode) -> str:
        """What Bazel says of an analysis that failed: of a target that is not there it has no
        name."""
        if not self._release.failed_analysis_is_named:
            return ""
        is_setting = self._is_label_setting(refused)
        said = "Analysis" if is_setting else f"Analysis of target '{refused.label}'"
        aborted = "; build aborted" if self._release.failed_analysis_aborts else ""
        return f"{said} failed{aborted}"


def is_setting(graph: ConfiguredGraph, node: ConfiguredNode) -> bool:
    """Whether a target is a config_setting."""
    return graph.graph.shape(node.label).class_name == "config_setting"
