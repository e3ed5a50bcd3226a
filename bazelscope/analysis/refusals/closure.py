"""Everything that Bazel refuses of what some targets come to under a configuration.

One walk over the branches that are taken, dependencies first. Bazel stops at the first thing
that is wrong with a target, and analyses nothing above a target that failed: what it would come
to next is there too, marked `also`. Behind a branch that cannot be told nothing is refused.

Bazel: `ConfiguredTargetFunction` (toolchains, then the keys of select()s, then their choices,
then dependencies), `RuleContext` and `CommonPrerequisiteValidator` (who may depend on what).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode, Taken
from bazelscope.analysis.conditions.edges import EdgeKind
from bazelscope.analysis.graph.aliases import behind_aliases
from bazelscope.analysis.graph.compatibility import ATTRIBUTE as COMPATIBLE
from bazelscope.analysis.graph.compatibility import built, missing_constraints, why_incompatible
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.dependency_edges import CARRIES_ASPECTS
from bazelscope.analysis.graph.target_marks import HAS_ENVIRONMENTS
from bazelscope.analysis.refusals.implicit_dependencies import ImplicitDependencies
from bazelscope.analysis.refusals.of_cc_toolchains import CcToolchainChecks
from bazelscope.analysis.refusals.of_dependencies import DependencyChecks
from bazelscope.analysis.refusals.of_groups import GroupChecks
from bazelscope.analysis.refusals.of_implementations import ImplementationChecks
from bazelscope.analysis.refusals.of_named_targets import NOT_BUILT, NamedTargets, is_setting
from bazelscope.analysis.refusals.of_selects import SelectChecks
from bazelscope.analysis.refusals.of_toolchains import ToolchainChecks
from bazelscope.analysis.refusals.packages_in_error import PackagesInError
from bazelscope.analysis.refusals.refusal import Refusal, RefusalCause, RefusalKind
from bazelscope.analysis.refusals.test_suites import (
    cycle_of_suites,
    expanded,
    of_no_test,
    stands_for_tests,
)
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Reason
from bazelscope.loading.packages.patched_models import why_doubtful

if TYPE_CHECKING:
    from bazelscope.analysis.refusals.of_asked_aspects import AskedAspects
    from bazelscope.analysis.refusals.of_aspects import AspectChecks
    from bazelscope.analysis.refusals.of_environments import EnvironmentChecks
    from bazelscope.analysis.rules.aspects import AspectNode

# Members that the walk compares with: to look one up, or to hash it, takes Python 3.11 its time.
_YES = Taken.YES
_CONDITION = EdgeKind.CONDITION
_ASPECTS = "aspects"
_WANT_ENVIRONMENTS = ("target_environment", "auto_cpu_environment_group")


class ClosureWalk:
    """The walk; each configured target is looked at once, whatever leads to it."""

    def __init__(self, graph: ConfiguredGraph) -> None:
        self._graph = graph
        packages = PackagesInError(graph.graph.source)
        self._packages = packages
        self._toolchains = ToolchainChecks(graph, lambda: self._implementations.implementations)
        self._selects = SelectChecks(graph, self._toolchains)
        self._groups = GroupChecks(graph, packages)
        self._cc_toolchains = CcToolchainChecks(graph, packages)
        self._incompatible: set[ConfiguredNode] = set()
        """Of those that were left, or are about to be."""
        release = graph.configuration.release
        self._may_be_incompatible = release.incompatible_targets
        self._compatibility_is_first = release.incompatible_before_dependencies
        self._dependencies = DependencyChecks(graph, packages, self._groups, self._incompatible)
        self._implicit = ImplicitDependencies(graph, packages)
        self._implementations = ImplementationChecks(graph, self._incompatible)
        self._asked_aspects: AskedAspects | None = None
        self._environments: EnvironmentChecks | None = None
        """None until a target is met that names environments: most trees have none."""
        self._failed: dict[ConfiguredNode, bool] = {}
        """Every node that was left, and whether Bazel would fail at it or below."""
        self._suites: dict[Label, bool] = {}
        """Suites that were asked for by themselves, and whether something of them fails."""
        self._refused: dict[Refusal, None] = {}
        self._named = NamedTargets(graph, self._failed, self._refused)
        self._cycles: dict[frozenset[Label], bool] = {}

    @cached_property
    def _aspects(self) -> AspectChecks:
        from bazelscope.analysis.refusals.of_aspects import AspectChecks

        return AspectChecks(
            self._graph,
            self._implementations.implementations,
            self._implicit,
            self._dependencies,
            self._toolchains,
            self._incompatible,
        )

    def refusals(self) -> tuple[Refusal, ...]:
        """What was met so far, each once: one target may be refused in several configurations.
        What one of them would come to first is not told a second time as what follows."""
        refused = {**self._groups.refused, **self._refused}
        firsts = {replace(one, also=False) for one in refused if not one.also}
        return tuple(
            one for one in refused if not one.also or replace(one, also=False) not in firsts
        )

    def _note(self, refused: Iterable[Refusal]) -> None:
        self._refused.update(dict.fromkeys(refused))

    def visit(self, label: Label) -> None:
        """Looks at one target as it is asked for by itself."""
        top = self._graph.top(label)
        if self._stops_before_targets():
            self._failed[top] = True
            return
        refused = self._packages.of_top(label, self._graph.target(top))
        refused = refused or self._of_top_transition(label)
        if refused is not None:
            self._note([refused])
            self._failed[top] = True
        elif top.configuration is None:
            self._failed[top] = self._groups.fails(label)
        elif stands_for_tests(self._graph, top):
            self._suites[label] = self._is_suite_failing(label)
        else:
            self._walk(top)
            if not self._failed[top]:
                self.look_at_asked(top)
            if not self._failed[top] and self._asked_aspects is not None:
                self._look_at_aspects(top, self._asked_aspects)

    def look_at_asked(self, top: ConfiguredNode) -> None:
        """Looks at the environments that flags want of a sound target that is asked for."""
        configuration = self._graph.configuration
        if any(configuration.value(name).value for name in _WANT_ENVIRONMENTS):
            from bazelscope.analysis.refusals.of_asked_environments import AskedEnvironments

            asked = AskedEnvironments(self._graph, self._packages, self._looks_at_environments())
            refused = asked.refused(top)
            self._note(refused)
            self._failed[top] = bool(refused)

    def _stops_before_targets(self) -> bool:
        """Whether Bazel looks at no target, for what is wrong with a name of an aspect."""
        if self._asked_aspects is None and self._graph.configuration.value(_ASPECTS).values:
            from bazelscope.analysis.refusals.of_asked_aspects import AskedAspects

            asked = AskedAspects(self._graph, self._implementations.implementations)
            self._asked_aspects = asked
            self._note(asked.refused)
        return self._asked_aspects is not None and self._asked_aspects.stops

    def _look_at_aspects(self, top: ConfiguredNode, asked: AskedAspects) -> None:
        """Runs the aspects that the command line names on a sound target that is asked for,
        which is there for a query whatever becomes of them."""
        if top in self._incompatible and self._compatibility_is_first:
            return
        for one in asked.on(top):
            for key in (*self._aspects.below(one), one):
                self._look_at_aspect(key, asked.cause(one))

    def _look_at_aspect(self, key: AspectNode, cause: RefusalCause) -> None:
        """Looks at an aspect on a target, and at what that aspect itself depends on."""
        fails = False
        for node in self._aspects.needed(key):
            if node.configuration is None:
                self._failed.setdefault(node, bool(self._packages.errors(node.label.package_id)))
            else:
                self._walk(node)
            fails = fails or self._failed[node]
        refused = [] if fails else self._aspects.refused(key)
        if not (fails or refused):
            refused = self._implementations.refused_of_outputs(key)
        self._note(replace(one, causes=(*one.causes, cause)) for one in refused)

    def _looks_at_environments(self) -> EnvironmentChecks:
        if self._environments is None:
            from bazelscope.analysis.refusals.of_environments import EnvironmentChecks

            self._environments = EnvironmentChecks(self._graph)
        return self._environments

    def _names_environments(self, node: ConfiguredNode) -> bool:
        return self._graph.graph.is_marked(node.label, HAS_ENVIRONMENTS)

    def _of_top_transition(self, label: Label) -> Refusal | None:
        """What is refused of a target that is asked for, since the transition of its own rule
        fails."""
        unknown = self._graph.nodes.build(label, self._graph.configuration).unknown
        if unknown is None or unknown.reason is not Reason.FAILED:
            return None
        return self._dependencies.failed_transition(label, "cfg", unknown)

    def _of_suite(self, suite: ConfiguredNode) -> list[Refusal]:
        """What is refused of a suite that is not analysed: nobody asks whether it may see its
        tests."""
        missing, _ = self._dependencies.refused(suite)
        return missing or self._implementations.refused(suite)

    def _is_suite_failing(self, suite: Label) -> bool:
        """Looks at what a suite stands for."""
        around = cycle_of_suites(self._graph, suite)
        if around:
            from bazelscope.analysis.refusals.cycles import cycle_refusal

            cycle = cycle_refusal(self._graph, around)
            self._note([cycle] if cycle is not None else [])
            return True
        fails = False
        for label, is_test, no_tests in expanded(self._graph, suite):
            if is_test:
                fails = self.fails(label) or fails
                continue
            refused = self._of_suite(self._graph.top(label))
            if not refused:
                refused = [of_no_test(self._graph, label, one) for one in no_tests]
            self._note(refused)
            fails = fails or bool(refused)
        return fails

    def fails(self, label: Label) -> bool:
        """Whether Bazel builds nothing of a target, for what is refused of it or below it."""
        if self._graph.top(label) not in self._failed:
            self._graph.load_below([label])
        self.visit(label)
        if label in self._suites:
            return self._suites[label]
        return self._failed.get(self._graph.top(label), False)

    def has_failed(self, node: ConfiguredNode) -> bool:
        """Whether a node that was left, below what was asked for, fails or stands above one."""
        return self._failed.get(node, False)

    def look_at(self, node: ConfiguredNode) -> None:
        """Looks at one configured target and no further."""
        refused = self._packages.of_top(node.label, self._graph.target(node))
        if refused is None and node == self._graph.top(node.label):
            refused = self._of_top_transition(node.label)
        if refused is not None:
            self._note([refused])
        elif stands_for_tests(self._graph, node):
            self._note(self._of_suite(node))
        elif node not in self._failed:
            before = self._refused.copy() if self._may_be_incompatible else self._refused
            below = (behind_aliases(self._graph, edge.target) for edge in self._graph.built(node))
            names = self._names_environments(node)
            if names or any(map(self._names_environments, below)):
                self._looks_at_environments().look_below(node)
            self._leave(self._enter(node))
            if len(before) != len(self._refused):
                self._look_again(node, before)

    def _look_again(self, node: ConfiguredNode, before: Collection[Refusal]) -> None:
        """Looks at a target that is refused as at one whose dependencies are known, where it is
        incompatible; `before` is what others were refused for."""
        if why_incompatible(self._graph, node) is not None:
            whole = ClosureWalk(self._graph)
            whole._walk(node)
            of_whole = {replace(one, also=False) for one in whole._refused}
            for refusal in [one for one in self._refused if one not in before]:
                if replace(refusal, also=False) not in of_whole:
                    del self._refused[refusal]

    def _walk(self, top: ConfiguredNode) -> None:
        if top in self._failed:
            return
        path: dict[ConfiguredNode, None] = {top: None}
        frames = [self._enter(top)]
        while frames:
            frame = frames[-1]
            for child in frame.children:
                known = self._failed.get(child)
                if known is None and child in path:
                    if not self._cycle(path, child):
                        continue
                    inside = False
                    for one in frames:
                        inside = inside or one.node is child
                        one.stops = one.stops or inside
                    continue
                if known is None and child.configuration is None:
                    # A file is there, and leads to package groups alone.
                    known = bool(self._packages.errors(child.label.package_id))
                    known = known or self._groups.fails(child.label)
                    self._failed[child] = known
                if known is None:
                    path[child] = None
                    frames.append(self._enter(child))
                    break
                if known:
                    frame.below_failed = True
            else:
                frames.pop()
                del path[frame.node]
                self._leave(frame)
                if frames and self._failed[frame.node]:
                    frames[-1].below_failed = True

    def _enter(self, node: ConfiguredNode) -> _Frame:
        """Begins with a node."""
        if self._packages.errors(node.label.package_id):
            return _Frame(node, iter(()), [], True)  # whoever depends on it is refused for that
        if self._may_be_incompatible and missing_constraints(self._graph, node):
            self._incompatible.add(node)
            if self._compatibility_is_first:
                return self._enter_incompatible(node)
        edges = [] if self._cc_toolchains.is_bazels(node) else self._graph.built(node)
        edges = [e for e in edges if e.taken is _YES and e.edge.kind not in NOT_BUILT]
        refused, stops = self._selects.refused(node)
        if stops and not is_setting(self._graph, node):
            # What else is wrong with it, Bazel does not come to: the keys alone are looked at.
            edges = [edge for edge in edges if edge.edge.kind is _CONDITION]
        if any(one.kind is RefusalKind.TOOLCHAIN for one in refused):
            edges = []  # toolchains come before keys
        named = [target for target, _ in self._named.of_toolchains(node)]
        named += [edge.target for edge in edges if edge.edge.kind is _CONDITION]
        named = [one for one in named if self._failed.get(one) is not False]
        below = [edge.target for edge in edges]
        if not stops:
            below += self._implicit.nodes_of(node, edges)
            below += self._graph.unwritten.implementations(node)
        toolchain = None if stops else self._cc_toolchains.toolchain_of(node)
        if toolchain is not None:
            below.append(toolchain)
        children = self._named.first(named, below) if named else iter(below)
        return _Frame(node, children, refused, stops)

    def _enter_incompatible(self, node: ConfiguredNode) -> _Frame:
        """Enters an incompatible target, of which Bazel looks at the keys of select()s and at what
        it is compatible with alone."""
        refused, stops = self._selects.refused(node)
        keys = [
            edge.target
            for edge in self._graph.edges(node)
            if edge.taken is _YES
            and (edge.edge.kind is _CONDITION or edge.edge.attribute == COMPATIBLE)
        ]
        kinds = [RefusalKind.CONDITION]
        if not self._graph.configuration.release.incompatible_before_toolchains:
            kinds.append(RefusalKind.TOOLCHAIN)
        refused = [one for one in refused if one.kind in kinds]
        return _Frame(node, iter(keys), refused, stops and bool(refused))

    def _leave(self, frame: _Frame) -> None:
        before = len(self._refused)
        self._judge(frame)
        for one in [*self._refused][before:]:
            if self._is_doubtful(one):
                del self._refused[one]
                self._failed[frame.node] = frame.below_failed

    def _is_doubtful(self, refusal: Refusal) -> bool:
        """Whether a refusal rests on a model of a file that is patched."""
        if refusal.target is None:
            return False
        graph = self._graph.graph
        package = graph.source.package(refusal.target.package_id)
        return why_doubtful(package, graph.node(refusal.target), refusal.location) is not None

    def _judge(self, frame: _Frame) -> None:
        """Notes what is refused of a node, and whether it, or something below it, is."""
        node = frame.node
        if frame.below_failed:
            frame.refused = self._named.refused(node, frame.refused)
            stops = frame.stops and not is_setting(self._graph, node)
            frame.stops = bool(frame.refused) or stops
        if node in self._incompatible and self._compatibility_is_first:
            self._note(frame.refused)
            self._failed[node] = bool(frame.refused) or frame.below_failed
            return
        if self._incompatible and any(
            edge.target in self._incompatible for edge in built(self._graph, node)
        ):
            self._incompatible.add(node)
        if frame.stops and self._packages.errors(node.label.package_id):
            self._failed[node] = True
            return
        missing, checked, is_group_failing = self._of_dependencies(node, frame.stops)
        stopped = frame.stops or frame.below_failed or is_group_failing or bool(missing)
        is_incompatible = node in self._incompatible
        if is_incompatible and self._compatibility_is_first:
            checked = []
        else:
            checked += self._implementations.refused_of_attributes(node)
        if node.configuration is not None and node.configuration.is_on("allow_analysis_failures"):
            # Bazel: AnalysisFailureInfo. The rule is there all the same, for a test to look at.
            self._note((*frame.refused, *missing))
            self._failed[node] = stopped
            return
        if not checked and not is_incompatible:
            checked = [] if stopped else self._of_carried(node)
            checked = checked or self._implementations.refused(node)
            checked = checked or self._cc_toolchains.refused_of_suite(node)
        if not (stopped or checked) and (self._environments or self._names_environments(node)):
            checked = self._looks_at_environments().refused(node)
        self._note((*frame.refused, *missing, *(_as_also(checked) if stopped else checked)))
        failed = self._failed[node] = stopped or bool(checked)
        if not failed and not is_incompatible:
            self._note(self._implementations.refused_of_outputs(node))

    def _of_dependencies(
        self, node: ConfiguredNode, stops: bool
    ) -> tuple[list[Refusal], list[Refusal], bool]:
        """What is refused of what a node depends on: what keeps Bazel from going on with the node,
        what it finds when it does; and whether a package group fails. `stops`: it comes no further
        than to the node's conditions."""
        missing, checked = self._dependencies.refused(node)
        of_groups, is_group_failing = self._groups.of_rule(node.label)
        of_toolchain, later = self._cc_toolchains.refused(node)
        checked = checked + later
        if stops:
            return _as_also(of_groups + of_toolchain + missing), checked, is_group_failing
        missing = of_groups + of_toolchain + self._implicit.absent(node) + missing
        private = self._implicit.private(node)
        if private:
            checked += self._dependencies.refused_of_defaults(node, private)
            refusal = self._groups.not_allowlisted(node.label, private)
            checked += () if refusal is None else (refusal,)
        return missing, checked, is_group_failing

    def _of_carried(self, node: ConfiguredNode) -> list[Refusal]:
        """What is refused of the aspects that a rule's attributes carry to what it depends on."""
        rule_class = self._graph.graph.shape(node.label).rule_class
        if rule_class is None or not CARRIES_ASPECTS[rule_class]:
            return []
        place = self._graph.graph.location(node.label)
        cause = RefusalCause(f"{node.label} is a {rule_class.name} rule, which carries it", place)
        refused = self._aspects.refused_below(node, self._failed)
        return [replace(one, causes=(*one.causes, cause)) for one in refused]

    def _cycle(self, path: dict[ConfiguredNode, None], first: ConfiguredNode) -> bool:
        """Notes the cycle that leads back to `first`; whether Bazel refuses it."""
        nodes = list(path)
        around = nodes[nodes.index(first) :]
        key = frozenset(node.label for node in around)
        if key in self._cycles:
            return self._cycles[key]
        from bazelscope.analysis.refusals.cycles import cycle_refusal

        refusal = cycle_refusal(self._graph, around)
        self._cycles[key] = refusal is not None
        if refusal is not None:
            self._note([refusal])
        return refusal is not None


def _as_also(refused: list[Refusal]) -> list[Refusal]:
    """Returns refusals as what Bazel would come to next."""
    return [replace(one, also=True) for one in refused]


@dataclass(slots=True)
class _Frame:
    """A node on the way down: what Bazel looks at next from it, what it refuses before it gets
    there, and whether it comes no further."""

    node: ConfiguredNode
    children: Iterator[ConfiguredNode]
    refused: list[Refusal]
    stops: bool
    below_failed: bool = False
