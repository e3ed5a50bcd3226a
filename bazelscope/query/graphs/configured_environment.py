"""The configured graph as the functions of `bazel cquery` walk it.

Bazel: `ConfiguredTargetQueryEnvironment`. All patterns of the query together are analysed
first; a pattern then stands for its targets under every configuration that this met.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from typing import TYPE_CHECKING

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.configuration.platform_mappings import NO_MAPPINGS, PlatformMappings
from bazelscope.analysis.graph.aliases import behind_aliases
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.kept_findings import KeptFinding
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.analysis.refusals.refusal import Refusal
from bazelscope.analysis.rules.feature_flags import with_feature_flags
from bazelscope.base.errors import Diagnostic
from bazelscope.base.label import Label, PackageId
from bazelscope.bazel.attribute_types import Attribute
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import PackageGroup, Rule, Target, TargetResult
from bazelscope.query.graphs.configured_attributes import ConfiguredAttributes
from bazelscope.query.graphs.kept_closures import Closure, closure_from, columns_of
from bazelscope.query.graphs.load_order import LoadOrder
from bazelscope.query.graphs.query_dependencies import QueryDependencies
from bazelscope.query.graphs.query_patterns import Named, Patterns
from bazelscope.query.graphs.rule_digests import RuleDigests
from bazelscope.query.graphs.told_once import Doubt, ToldOnce
from bazelscope.query.graphs.unsettled import Unsettled, what_is_unsettled
from bazelscope.query.language.environment import QuerySettings
from bazelscope.query.language.query_parser import QueryError
from bazelscope.query.language.query_syntax import Literal

if TYPE_CHECKING:
    from bazelscope.analysis.refusals.closure import ClosureWalk

_NAMES = {"target": "target", "host": "host", "exec": "exec", "null": "source"}


NO_TEST = "no-test"
"""The code of an error: a test_suite names a rule that is no test."""


class ConfiguredEnvironment:
    """Nodes are targets under a configuration; only chosen branches count."""

    def __init__(
        self,
        loader: Loader,
        settings: QuerySettings,
        configuration: Configuration,
        mappings: PlatformMappings = NO_MAPPINGS,
        patterns: Sequence[Literal] = (),
        which_are_built: Callable[[Sequence[Named]], Sequence[Label]] | None = None,
    ) -> None:
        """`patterns` are those of the whole query, of which all is analysed unless
        `which_are_built` tells otherwise. Raises `QueryError`."""
        _check(settings)
        self.settings = settings
        self.diagnostics: list[Diagnostic] = []
        graph = TargetGraph(
            loader,
            settings.bazel_version,
            implicit=True,
            visibility=settings.nodep_deps,
            condition_visibility=settings.condition_visibility,
            keeper=loader,
        )
        self.graph = with_feature_flags(ConfiguredGraph(graph, configuration, mappings))
        self._loader = loader
        self.sort_key = loader.table.sort_key
        self.load_order = LoadOrder(loader)
        self.rule_digests = RuleDigests(loader, self.load_order, settings.release)
        self._attributes = ConfiguredAttributes(self.graph, self.package, settings.release)
        self._patterns = Patterns(loader, settings, self.diagnostics, is_cquery=True)
        self._successors: Closure = {}
        self._walked: dict[ConfiguredNode, None] = {}
        """The nodes that the query went on from."""
        self._is_shallow = False
        self._told = ToldOnce(self.diagnostics)
        self._dependencies = QueryDependencies(self.graph, settings, self.package, self._told)
        self._analysed: dict[Label, list[ConfiguredNode]] = {}
        self._loaded: set[PackageId] = set()
        """The packages of what was analysed, once they are asked for."""
        self._tops: dict[Label, ConfiguredNode] = {}
        self._analyse(self._labels_to_analyse(patterns, which_are_built))

    def _labels_to_analyse(
        self,
        patterns: Sequence[Literal],
        which_are_built: Callable[[Sequence[Named]], Sequence[Label]] | None,
    ) -> Sequence[Label]:
        found, universe = self._patterns, self.settings.universe
        # The query is about what a universe comes to, whatever its own patterns name.
        expanded: list[tuple[str, Sequence[Label]]]
        expanded = [(text, found.expand_text(text)) for text in universe]
        expanded = expanded or [(one.text, found.analysed(one)) for one in patterns]
        if which_are_built is None:
            return [label for _, labels in expanded for label in labels]
        return which_are_built([one for pattern in expanded for one in found.named(*pattern)])

    def _analyse(self, tops: Sequence[Label]) -> None:
        self._tops = {label: self.graph.top(label) for label in self._tests_for_suites(tops)}
        sound = self._tops
        if self.settings.keep_going:
            # Measured: Bazel goes on without the targets that fail.
            sound = {label: top for label, top in sound.items() if not self._walk.fails(label)}
        closure = self._closure(list(dict.fromkeys(sound.values())))
        for node in closure:
            self._analysed.setdefault(node.label, []).append(node)
        failing = [label for label in self._tops if label not in sound]
        for node in self._named_by_visibility(failing):
            self._analysed.setdefault(node.label, []).append(node)
            self._successors[node] = ()
        for node in self._analysed_before_failing(failing):
            if node not in closure:
                self._analysed.setdefault(node.label, []).append(node)
        if self.settings.implicit_deps and self.settings.tool_deps:
            self._successors.update(closure)

    def _analysed_before_failing(self, failing: Sequence[Label]) -> list[ConfiguredNode]:
        """What is sound below targets that fail only once all below them is analysed: a pattern
        finds it (measured: 4.2.3). What fails before that, for a select() or its toolchains, leads
        to nothing."""
        if not failing:
            return []
        kinds: dict[Label | None, bool] = {}
        for one in self._walk.refusals():
            kinds[one.target] = one.kind.follows_dependencies and kinds.get(one.target, True)
        pending = [self._tops[label] for label in failing]
        seen, sound = set(pending), []
        for node in pending:
            if not self._walk.has_failed(node):
                sound.append(node)
            elif not kinds.get(node.label, True):
                continue
            for target in self._dependencies.all_of(node):
                if target not in seen:
                    seen.add(target)
                    pending.append(target)
        return sound

    def _named_by_visibility(self, failing: Iterable[Label]) -> Iterator[ConfiguredNode]:
        """The aliases for package groups among what fails that `visibility` of another target
        names: answers all the same, without a configuration and what is below them (measured:
        2.1.0 and 4.2.3)."""
        edges_of = self.graph.graph.edges
        aliases = [label for label in failing if self._is_for_group(label)]
        seen_by = {edge.target for label in self._tops if aliases for edge in edges_of(label)}
        for label in aliases:
            if label in seen_by:
                yield ConfiguredNode(label, None)

    def _is_for_group(self, label: Label) -> bool:
        rule = self._loader.target(label)
        if not isinstance(rule, Rule) or rule.rule_class.name != "alias":
            return False
        below = (edge.target for edge in self.graph.graph.edges(label))
        return any(isinstance(self._loader.target(one), PackageGroup) for one in below)

    def _closure(self, tops: Sequence[ConfiguredNode]) -> Closure:
        """All that Bazel analyses for `tops`, if no earlier run has found it. Whatever edges the
        query is to leave out, they are analysed."""
        kind = "implicit" if self.settings.implicit_deps else "explicit"
        kind += "-aspects" if self.settings.include_aspects else ""
        kept = KeptFinding(self.graph, f"closure-{kind}", [n.label for n in tops], "query")
        known = kept.known()
        if known is not None:
            columns, doubts = known
            for doubt in doubts:
                self._told.doubt(Doubt(*doubt))
            return closure_from(self.graph, tops, columns)
        self.graph.load_below(top.label for top in tops)
        closure = self._dependencies.closure(tops)
        doubts = self._told.nothing_but_doubts()
        columns = columns_of(self.graph, tops, closure)
        if doubts is not None and columns is not None:  # What else is told has places.
            kept.keep((columns, [tuple(one) for one in doubts]))
        return closure

    def _tests_for_suites(self, labels: Iterable[Label]) -> Iterator[Label]:
        """The targets that are analysed for others: of a test_suite its tests, where cquery does
        not ask for suites as such."""
        for label in labels:
            if self.settings.release.cquery_takes_every_target or not self._is_suite(label):
                yield label
            else:
                edges = self.graph.graph.edges(label)
                below = [edge.target for edge in edges if edge.target != label]
                self._check_tests(label, below)
                yield from self._tests_for_suites(below)

    def _check_tests(self, suite: Label, tests: Iterable[Label]) -> None:
        """Notes what is named as a test and is a rule that is none."""
        for label in tests:
            rule = self._loader.target(label)
            if isinstance(rule, Rule) and not rule.rule_class.is_test and not self._is_suite(label):
                message = f"expecting a test or a test_suite rule but '{label}' is not one"
                place = f"in test_suite rule '{suite}'"
                self.diagnostics.append(Diagnostic(NO_TEST, f"{place}: {message}"))

    def _is_suite(self, label: Label) -> bool:
        rule = self._loader.target(label)
        return isinstance(rule, Rule) and rule.rule_class.name == "test_suite"

    def refusals(self) -> tuple[Refusal, ...]:
        """What Bazel refuses of the targets that the patterns of the query stand for, and of
        all that they come to."""
        if "_walk" not in self.__dict__:
            from bazelscope.analysis.refusals.kept_refusals import refusals_below

            return refusals_below(self.graph, self._tops)
        for label in self._tops:
            self._walk.visit(label)
        return self._walk.refusals()

    @cached_property
    def _walk(self) -> ClosureWalk:
        from bazelscope.analysis.refusals.closure import ClosureWalk

        return ClosureWalk(self.graph)

    def unsettled(self, answered: Iterable[Label]) -> Unsettled:
        """What is unknown of an answer, and of all that was walked for it so far."""
        walked = [node.label for node in self._walked]
        graph, patterns = self.graph.graph, self._patterns
        named, opened = patterns.expanded(), patterns.opened
        return what_is_unsettled(self._loader, graph, answered, walked, named, opened)

    # ---- What the graph is ----

    def matching(self, literal: Literal) -> Sequence[ConfiguredNode]:
        matches: dict[ConfiguredNode, None] = {}
        for label in self._patterns.expand(literal):
            nodes = self._analysed.get(label)
            if nodes is None:
                if self.settings.universe:
                    self._outside(label, literal)
                    continue
                if not self.settings.release.cquery_takes_every_target:
                    continue
                if self.settings.keep_going and self._walk.fails(label):
                    continue
                nodes = [self.graph.top(label)]
            if not self.settings.release.cquery_finds_every_configuration:
                nodes = [self._nearest_to_target(label, nodes)]
            matches.update(dict.fromkeys(nodes))
        return list(matches)

    def _nearest_to_target(self, label: Label, nodes: Sequence[ConfiguredNode]) -> ConfiguredNode:
        """The one of `nodes`, which have one label, that a pattern stands for where it stands for
        one. Which of several others it is goes by Bazel's hashes: we take the first."""
        top = self._in_target(label)
        if top is not None and top in nodes:
            return top
        return next((node for node in nodes if node.description == "host"), nodes[0])

    def _outside(self, label: Label, literal: Literal) -> None:
        """Tells that a target is not in the universe, if Bazel would not know its package."""
        if not self._loaded:
            self._loaded.update(label.package_id for label in self._analysed)
            for text in self.settings.universe:
                self._loaded.update(self._patterns.packages_of(text))
        if label.package_id in self._loaded:
            return
        message = f"`--universe_scope` does not come to the package `{label.package_id}`"
        diagnostic = Diagnostic("outside-universe", message, literal.span)
        if not self.settings.keep_going:
            raise QueryError(diagnostic)
        self._told.add(label.package_id, diagnostic)

    def prepare(self, nodes: Iterable[ConfiguredNode]) -> None:
        """Does nothing: all that can be asked for was analysed first."""

    prepare_below = prepare

    def load_below(self, starts: Iterable[ConfiguredNode], is_walked: bool = True) -> None:
        """Does nothing, for the same reason."""

    def successors(self, node: ConfiguredNode) -> Sequence[ConfiguredNode]:
        self._walked[node] = None
        successors = self._successors.get(node)
        if self._is_shallow and self.settings.include_aspects:
            self._dependencies.note_chance(node)
        if successors is None:
            successors = self._successors[node] = self._dependencies.of(node)
        return successors

    steps = successors

    def neighbours(self, node: ConfiguredNode) -> Sequence[ConfiguredNode]:
        # Bazel leaves implicit dependencies out on the way forth only.
        self._walked[node] = None
        return [edge.target for edge in self.graph.taken(node)]

    def arriving_otherwise(self, node: ConfiguredNode) -> Iterable[ConfiguredNode]:
        if not self.settings.include_aspects:
            return ()
        return self._dependencies.arriving_through_aspects(node, self._tops.values())

    def show(self, starts: Iterable[ConfiguredNode], depth: int) -> None:
        """Notes that a walk does not go all the way: then it counts who leads to a target."""
        self._is_shallow = True

    def label(self, node: ConfiguredNode) -> Label:
        return node.label

    def target(self, node: ConfiguredNode) -> TargetResult:
        return self.graph.target(node)

    def stands_in_for(self, node: ConfiguredNode) -> Package | None:
        return None

    def package(self, id: PackageId) -> Package | None:
        package = self._loader.package(id)
        return package if isinstance(package, Package) else None

    # ---- Attributes ----

    def attribute(self, node: ConfiguredNode, name: str, root: str = "") -> Attribute | None:
        return self._attributes.of(node, name, root)

    def values(self, node: ConfiguredNode, attribute: str) -> Iterable[object] | None:
        return self._attributes.values(node, attribute)

    def prerequisites(self, node: ConfiguredNode, attribute: str) -> Sequence[ConfiguredNode]:
        if not isinstance(self.graph.target(node), Rule):
            return ()
        node = behind_aliases(self.graph, node)
        rule = self.graph.target(node)
        if not isinstance(rule, Rule):
            return ()
        named = self._attributes.labels(node, attribute)
        if named is None:
            kind = rule.rule_class.name
            message = f"{rule.label} is a {kind}, which has no attribute `{attribute}`"
            raise QueryError(Diagnostic("query-attribute", message))
        # Bazel goes by labels: a target that is depended on in two ways comes in both.
        reached: dict[Label, list[ConfiguredNode]] = {}
        for target in self.successors(node):
            reached.setdefault(target.label, []).append(target)
        return [target for label in named for target in reached.get(label, ())]

    # ---- What has no meaning here ----

    def sees(self) -> Callable[[Target, Package, Iterable[PackageId]], bool]:
        raise _unsupported("`visible`")

    def in_package(self, node: ConfiguredNode) -> Sequence[ConfiguredNode]:
        raise _unsupported("`siblings` and `same_pkg_direct_rdeps`")

    def files(
        self, nodes: Iterable[ConfiguredNode], with_build_files: bool
    ) -> Sequence[ConfiguredNode]:
        raise _unsupported("`buildfiles` and `loadfiles`")

    def packages_loading(self, files: frozenset[str]) -> Sequence[ConfiguredNode]:
        raise _unsupported("`rbuildfiles`")

    def quietly(self) -> AbstractContextManager[None]:
        return nullcontext()

    def universe(self) -> Sequence[ConfiguredNode]:
        return [node for nodes in self._analysed.values() for node in nodes]

    # ---- Configurations ----

    def _in_target(self, label: Label) -> ConfiguredNode | None:
        """The target as the command line has it, which for what was asked for by name is after
        its own transition. Bazel: `TopLevelConfigurations`."""
        top = self._tops.get(label)
        if top is not None:
            return top
        analysed = {node.configuration: node for node in self._analysed.get(label, ())}
        configurations = dict.fromkeys(node.configuration for node in self._tops.values())
        return next((analysed[one] for one in configurations if one in analysed), None)

    def with_configuration(
        self, nodes: Iterable[ConfiguredNode], name: str, literal: Literal
    ) -> Sequence[ConfiguredNode]:
        wanted = _NAMES.get(name)
        if wanted == "host" and not self.settings.release.host_configuration:
            wanted = "exec"
        if wanted is None:
            message = f"there is no configuration `{name}`"
            hint = "`target`, `exec`, `host`, or `null` for files: Bazel's hashes are not known"
            raise QueryError(Diagnostic("query-configuration", message, literal.span, hint=hint))
        configured: dict[ConfiguredNode, None] = {}
        for node in nodes:
            if wanted == "target":
                top = self._in_target(node.label)
                configured.update({top: None} if top is not None else {})
                continue
            candidates = self._analysed.get(node.label) or [node]
            configured.update((other, None) for other in candidates if other.description == wanted)
        if not configured:
            message = f"no target of `{literal.text}` is in the configuration `{name}`"
            raise QueryError(Diagnostic("query-empty", message, literal.span))
        return list(configured)


def _check(settings: QuerySettings) -> None:
    """Raises `QueryError` for options that `query` alone has an ear for."""
    refused = []
    if not settings.nodep_deps:
        refused.append("--nonodep_deps")
    if settings.strict_test_suite:
        refused.append("--strict_test_suite")
    if refused:
        message = f"`cquery` does not support {' and '.join(f'`{name}`' for name in refused)}"
        hint = "`bazelscope query` does"
        raise QueryError(Diagnostic("query-unsupported", message, hint=hint))


def _unsupported(what: str) -> QueryError:
    message = f"{what} cannot be asked of configured targets"
    hint = "`bazelscope query` answers it"
    return QueryError(Diagnostic("query-unsupported", message, hint=hint))
