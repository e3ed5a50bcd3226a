"""What Bazel refuses of a target for what it depends on: what is not there or in error, what it
may not see, what is for tests only.

Bazel: `DependencyResolver`, `RuleContext.Builder`, `CommonPrerequisiteValidator`.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import replace

from bazelscope.analysis.conditions.alias_dependencies import ALIASES, TOOLCHAINS
from bazelscope.analysis.conditions.configured_edges import ConfiguredEdge, ConfiguredNode, Taken
from bazelscope.analysis.conditions.edges import Edge, EdgeKind
from bazelscope.analysis.conditions.visibility import PUBLIC, admits, is_told, visibility_of
from bazelscope.analysis.configuration.build_settings import LABEL_SETTINGS
from bazelscope.analysis.configuration.platforms import follow_aliases
from bazelscope.analysis.graph.aliases import STAND_FOR_OTHERS, behind_aliases
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.platform_dependencies import OF_PLATFORMS
from bazelscope.analysis.graph.target_marks import TEST_ONLY, WRITTEN_PUBLIC
from bazelscope.analysis.refusals.causes import misnamed, set_by
from bazelscope.analysis.refusals.of_groups import GroupChecks, is_open
from bazelscope.analysis.refusals.packages_in_error import PackagesInError
from bazelscope.analysis.refusals.refusal import Refusal, RefusalCause, RefusalKind
from bazelscope.base.label import Label, PackageId
from bazelscope.base.memoized import memoized
from bazelscope.base.source import Location
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import RuleClass
from bazelscope.bazel.native_defaults import LATE_BOUND
from bazelscope.loading.evaluation.rules.rule_transitions import ModuleSource
from bazelscope.loading.packages.macro_homes import MacroHome
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import (
    Absent,
    EnvironmentGroup,
    InputFile,
    OutputFile,
    PackageGroup,
    Provenance,
    Rule,
)
from bazelscope.loading.packages.unknown_declarations import declares_unknown

# Members that the checks compare with: to look one up, or to hash it, takes Python 3.11 its time.
_YES = Taken.YES
_ASSUMED = EdgeKind.ASSUMED
_ATTRIBUTE = EdgeKind.ATTRIBUTE
_CONDITION = EdgeKind.CONDITION
_IMPLICIT = EdgeKind.IMPLICIT
_WRITTEN = (_ATTRIBUTE, _IMPLICIT)


class DependencyChecks:
    """The checks, over one configured graph."""

    def __init__(
        self,
        graph: ConfiguredGraph,
        packages: PackagesInError,
        groups: GroupChecks,
        incompatible: Container[ConfiguredNode],
    ) -> None:
        """Nothing is asked of what is `incompatible`: whoever depends on it is so, too."""
        self._graph = graph
        self._incompatible = incompatible
        self._groups = groups
        self._source = graph.graph.source
        self._packages = packages
        self._release = graph.configuration.release
        self._checks_visibility = graph.configuration.is_on("check_visibility", True)
        self._looks_from_definition = (
            self._release.visibility_from_definition
            or graph.configuration.is_on("incompatible_visibility_private_attributes_at_definition")
        )
        self._seen: dict[tuple[Label, PackageId], bool] = {}
        self._sound: set[Label] = set()
        """Targets that are there, in packages without errors."""
        self._plain: set[ConfiguredNode] = set()
        """Of these, those that whoever sees them may depend on."""
        self._public: set[Label] = set()
        """Targets that everybody may see."""
        self._open: set[ConfiguredNode] = set()
        """Plain ones that everybody may see."""

    def refused(self, node: ConfiguredNode) -> tuple[list[Refusal], list[Refusal]]:
        """What keeps Bazel from looking at what the target depends on, and what it refuses of
        it once that is analysed."""
        missing: dict[Refusal, None] = {}
        checked: dict[Refusal, None] = {}
        label = node.label
        home = self._home(label)
        if home is not None and not home.admits(label.name):
            missing[misnamed(label, home, self._graph.graph.location(label))] = None
        plain, open_ = self._plain, self._open
        rule_class = self._graph.graph.shape(label).rule_class
        # Measured: 4.2.3 checks nothing between a label_flag and its default.
        is_setting = self._graph.graph.shape(label).class_name in LABEL_SETTINGS
        for edge in self._graph.built(node):
            if edge.taken is not _YES:
                continue
            if edge.unknown is not None and edge.unknown.reason is Reason.FAILED:
                attribute = edge.edge.attribute
                missing[self.failed_transition(label, attribute, edge.unknown)] = None
            if edge.target in open_ or edge.target in self._incompatible:
                continue
            target = edge.target.label
            if edge.target in plain and self._sees(target, label):
                continue
            kind = edge.edge.kind
            if kind is _ASSUMED and edge.edge.may_be_none:
                continue
            if kind in _WRITTEN or kind is _ASSUMED:
                if target not in self._sound:
                    refusal = self._absent(node, edge)
                    if refusal is not None:
                        missing[refusal] = None
                        continue
                    self._sound.add(target)
                group = self._groups.misplaced(target, label, edge.edge.attribute)
                if group is not None and kind is _ATTRIBUTE:
                    checked[group] = None
                    continue
                if kind is _IMPLICIT and _is_private(rule_class, edge.edge.attribute):
                    continue
                if kind in _WRITTEN and not is_setting:
                    leads = self._leads_to_test_only(edge.target)
                    if leads or not self._sees(target, label):
                        for refusal in self._of_edge(label, edge, leads):
                            checked[refusal] = None
                    if not leads:
                        plain.add(edge.target)
                        if target in self._public:
                            open_.add(edge.target)
                elif is_setting and self._release.label_flags_see and not self._sees(target, label):
                    checked[self._not_visible(label, edge, label)] = None
            elif kind is _CONDITION and self._release.keys_are_for_tests_only:
                leads = self._leads_to_test_only(edge.target)
                checked |= dict.fromkeys(self._for_tests_only(label, edge) if leads else ())
        if self._release.rules_see_toolchains:
            checked |= dict.fromkeys(self._unseen_toolchains(node))
        return list(missing), list(checked)

    def _unseen_toolchains(self, node: ConfiguredNode) -> Iterator[Refusal]:
        """What is refused of what implements the toolchain types of a rule: old releases ask
        whether the rule may see it."""
        user = node.label
        for one in self._graph.unwritten.toolchains(node):
            if one.doubt is None and one.implementation is not None:
                target = self._graph.nodes.toolchain_node(node, one.implementation)[0]
                edge = Edge(user, one.implementation, TOOLCHAINS, _IMPLICIT)
                if not self._sees(one.implementation, user):
                    yield self._not_visible(
                        user, ConfiguredEdge(edge, target, _YES, None, None), user
                    )

    def refused_of_defaults(
        self,
        node: ConfiguredNode,
        private: Iterable[tuple[str, ConfiguredNode]],
        definer: Label | None = None,
    ) -> list[Refusal]:
        """What is refused of what the private attributes of a Starlark rule lead to, or those of
        an aspect on it, which `definer` defines. The file that defines one may see it in the
        rule's place. Bazel: `CommonPrerequisiteValidator`."""
        refused: dict[Refusal, None] = {}
        for attribute, target in private:
            if target in self._incompatible:
                continue
            definer = definer if self._looks_from_definition else None
            definer = definer or self._definer(node)
            leads = self._leads_to_test_only(target)
            sees = self._sees(target.label, node.label)
            if definer is not None:
                sees = sees or self._sees_from(target.label, definer.package_id)
            if leads or not sees:
                edge = ConfiguredEdge(
                    Edge(node.label, target.label, attribute, _IMPLICIT), target, _YES, None, None
                )
                if not sees:
                    refused[self._not_visible(node.label, edge, definer or node.label)] = None
                for refusal in self._for_tests_only(node.label, edge) if leads else ():
                    refused[refusal] = None
        return list(refused)

    def _definer(self, node: ConfiguredNode) -> Label | None:
        """The file that defines the rule, where what its private attributes lead to has to be
        visible from there; None where it has to be from the target."""
        rule_class = self._graph.graph.shape(node.label).rule_class
        if not self._looks_from_definition or rule_class is None or not rule_class.defined_at:
            return None
        source = self._source
        if not isinstance(source, ModuleSource):
            return None
        return source.label_of(rule_class.defined_at[0].location.path)

    def _absent(self, node: ConfiguredNode, edge: ConfiguredEdge) -> Refusal | None:
        id = edge.target.label.package_id
        if self._graph.graph.shape(edge.target.label).is_target and not self._packages.errors(id):
            return None
        target = self._graph.target(edge.target)
        if not isinstance(target, Absent) and not self._packages.errors(id):
            return None
        attribute, place = edge.edge.attribute, self._graph.graph.location(node.label)
        refusal = self._packages.of_dependency(
            edge.target.label, target, node.label, attribute, place
        )
        option, own = LATE_BOUND.get(attribute), node.configuration
        if refusal is None or option is None or own is None:
            return refusal
        causes = tuple(
            RefusalCause(f"{one.canonical} names it{set_by(one)}", one.location)
            for one in own.value(option).instances
        )
        return replace(refusal, causes=(*refusal.causes, *causes))

    def failed_transition(self, label: Label, attribute: str, unknown: Unknown) -> Refusal:
        """The refusal of a target, since a transition on its way to an attribute fails."""
        return Refusal(
            RefusalKind.TRANSITION,
            unknown.detail or str(unknown),
            label,
            attribute,
            unknown.location or self._graph.graph.location(label),
        )

    def _of_edge(self, user: Label, edge: ConfiguredEdge, leads: bool) -> Iterator[Refusal]:
        """What is refused of an edge that `leads` to what is for tests only, or not."""
        target = edge.target.label
        if not (_is_chosen(edge) or self._sees(target, user)):
            yield self._not_visible(user, edge, user)
        if leads:
            yield from self._for_tests_only(user, edge)

    def _for_tests_only(self, user: Label, edge: ConfiguredEdge) -> Iterator[Refusal]:
        """What is refused of an edge that leads to what is for tests only."""
        target = edge.target.label
        is_alias = self._graph.graph.shape(user).class_name in ALIASES
        if not (is_alias or self._is_test_only(user)):
            behind = behind_aliases(self._graph, edge.target).label
            maker = self._graph.graph.shape(behind).generating_rule
            led_to = f"testonly target '{target}'"
            if maker is not None:
                led_to, behind = f"the output file '{target}' of a testonly rule {maker}", maker
            yield Refusal(
                RefusalKind.TEST_ONLY,
                f"non-test target '{user}' depends on {led_to} and doesn't have testonly attribute"
                " set",
                user,
                edge.edge.attribute,
                self._graph.graph.location(user),
                (RefusalCause(f"{behind} is testonly", self._graph.graph.location(behind)),),
                f"set testonly = 1 for {user}, or take it from {target}",
            )

    # ---- Visibility ----

    def _sees(self, target: Label, user: Label) -> bool:
        home = self._home(user)
        if home is None:
            return self._sees_from(target, user.package_id)
        return any(self._sees_from(target, reader) for reader in home.readers(str(target)))

    def _home(self, label: Label) -> MacroHome | None:
        """The symbolic macro that declares a target."""
        if not self._release.symbolic_macros:
            return None
        package = self._source.package(label.package_id)
        return package.home(label.name) if isinstance(package, Package) else None

    def _sees_from(self, target: Label, reader: PackageId) -> bool:
        if not self._checks_visibility:
            return True
        is_own = target.package == reader.package and target.repository == reader.repository
        if is_own and self._home(target) is None:
            return True
        key = (target, reader)
        is_seen = self._seen.get(key)
        if is_seen is None:
            is_seen = self._seen[key] = self._looked_up(target, reader)
        return is_seen

    def _looked_up(self, label: Label, reader: PackageId) -> bool:
        if self._graph.graph.is_marked(label, WRITTEN_PUBLIC):
            self._public.add(label)
            return True
        package = self._source.package(label.package_id)
        target = self._graph.graph.node(label)
        if not isinstance(package, Package) or not isinstance(target, _VISIBLE):
            return True
        if package.provenance is Provenance.MODEL:
            return True  # models say what there is, not who may see it
        if is_open(target):
            return True
        if isinstance(target, InputFile) and not target.is_exported and declares_unknown(package):
            return True  # what nobody can tell may have declared a rule of this name
        if not is_told(target, package, self._release):
            return True
        labels = visibility_of(target, package, self._release)
        if PUBLIC in labels:
            self._public.add(label)
        return admits(labels, reader, self._release, self._graph.graph.node, in_doubt=True)

    def _not_visible(self, user: Label, edge: ConfiguredEdge, viewer: Label) -> Refusal:
        """The refusal of `user`, for `viewer`, itself or the file of its rule, does not see it."""
        target = edge.target.label
        dependency = self._graph.graph.node(target)
        package = self._source.package(target.package_id)
        place = getattr(dependency, "location", None)
        if (
            isinstance(dependency, InputFile)
            and not dependency.is_exported
            and isinstance(package, Package)
        ):
            place = Location(package.path, 1, 1)
            remedy = f'export it: exports_files(["{target.name}"]) in {package.path}'
        else:
            home = self._home(viewer) if viewer == user else None
            readers = (viewer.package_id,) if home is None else home.readers(str(target))
            remedy = f"give {target} a `visibility` that lets {readers[0]} in"
        return Refusal(
            RefusalKind.VISIBILITY,
            f"target '{target}' is not visible from target '{viewer}'",
            user,
            edge.edge.attribute,
            self._graph.graph.location(user),
            (RefusalCause(f"{target} is declared here", place),),
            remedy,
        )

    # ---- testonly ----

    @memoized
    def _leads_to_test_only(self, node: ConfiguredNode) -> bool:
        """Whether a target is for tests only, or what an alias or a label_flag stands for is.
        Measured with 4.2.3: what the flag says itself does not count."""
        if self._graph.graph.shape(node.label).class_name not in STAND_FOR_OTHERS:
            return self._is_test_only(node.label)
        behind = behind_aliases(self._graph, node)
        return behind != node and self._is_test_only(behind.label)

    @memoized
    def _is_test_only(self, label: Label) -> bool:
        graph = self._graph.graph
        kind = graph.shape(label).rule_class
        if kind is None:
            maker = graph.shape(label).generating_rule
            # Bazel: `CommonPrerequisiteValidator`.
            is_looked_at = self._graph.configuration.is_on(
                "incompatible_check_testonly_for_output_files"
            )
            return is_looked_at and maker is not None and self._is_test_only(maker)
        if kind.name in ALIASES:
            actual = follow_aliases(self._source, label)
            return isinstance(actual, Label) and actual != label and self._is_test_only(actual)
        return graph.is_marked(label, TEST_ONLY)


_VISIBLE = InputFile | OutputFile | Rule | PackageGroup | EnvironmentGroup


def _is_private(rule_class: RuleClass | None, attribute: str) -> bool:
    """Whether it is a private attribute of a Starlark rule, or one that an option is read for:
    whether that is visible, Bazel does not look at (`CommonPrerequisiteValidator`)."""
    if attribute in LATE_BOUND:
        return True
    if rule_class is None or not rule_class.defined_at:
        return False
    definition = rule_class.attributes.get(attribute)
    return definition is not None and definition.is_implicit


def _is_chosen(edge: ConfiguredEdge) -> bool:
    """Whether Bazel chose the target for its user, whatever its visibility: a platform or a
    toolchain. (`--incompatible_check_visibility_for_toolchains` is off by default.)"""
    name = edge.edge.attribute
    return name in OF_PLATFORMS or (name == TOOLCHAINS and edge.edge.kind is not _ATTRIBUTE)
