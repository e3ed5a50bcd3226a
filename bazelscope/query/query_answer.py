"""What a query answers: the targets in Bazel's order, and what may be missing among them."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.graph.aliases import cquery_label
from bazelscope.base.errors import Diagnostic
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.base.unknown import Unknown
from bazelscope.loading.packages.targets import Rule, TargetResult, unknown_of
from bazelscope.query.graphs.unconfigured_environment import TargetEnvironment
from bazelscope.query.graphs.unsettled import SETTLED, Unsettled
from bazelscope.query.language.environment import QuerySettings
from bazelscope.query.language.graph_orders import dependency_order, full_order
from bazelscope.query.language.query_evaluation import Evaluator
from bazelscope.query.language.query_parser import QueryError, parse
from bazelscope.query.language.query_syntax import Call, Expression, patterns_of
from bazelscope.query.language.signatures import Command
from bazelscope.questions.shared.completeness import how_complete
from bazelscope.questions.shared.envelope import Answer, Envelope, ExitCode

if TYPE_CHECKING:
    from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
    from bazelscope.analysis.refusals.refusal import Refusal
    from bazelscope.query.graphs.configured_environment import ConfiguredEnvironment
    from bazelscope.query.graphs.query_patterns import Named
    from bazelscope.questions.shared.world import World


class Order(enum.Enum):
    """`--order_output`: not at all, dependencies last, by version, or alphabetical besides."""

    NO = "no"
    DEPS = "deps"
    AUTO = "auto"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class QueriedTarget:
    """One target of an answer. `configuration` (`target`, `exec`, `host`, `null`) is there for
    `cquery` only. `kind` is None where nobody can tell what the target is, and `unknown` says
    why; `is_assumed`: the kind is that of a rule whose class is only guessed."""

    label: Label
    kind: str | None
    location: Location | None = None
    configuration: str | None = None
    unknown: Unknown | None = None
    is_assumed: bool = False


@dataclass(frozen=True, slots=True)
class QueriedEdge:
    """A dependency between two targets of the answer, by their places in it."""

    source: int
    target: int


_LEFT_OUT = frozenset(
    {
        *("invalid-label", "no-such-package", "no-such-target", "no-targets"),
        *("links-out", "outside-universe", "query-test-suite", "starlark-evaluation"),
        *(
            *("limit-reached", "unknown-files", "unknown-option"),
            *("undeclared-target", "unreadable-directory"),
        ),
    }
)
"""What makes an answer one with something left out."""


def leaves_something_out(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether an answer lacks something for what was met on the way."""
    return any(diagnostic.code in _LEFT_OUT for diagnostic in diagnostics)


@dataclass(frozen=True, slots=True)
class QueryAnswer(Answer):
    """The answer to a query, in the order in which Bazel would list it. `refused` is what Bazel
    ends with where it refuses something of the question; None where it does not."""

    expression: str
    targets: tuple[QueriedTarget, ...]
    edges: tuple[QueriedEdge, ...] = ()
    unsettled: Unsettled = SETTLED
    refused: ExitCode | None = None

    @property
    def is_partial(self) -> bool:
        return self.unsettled.hiding > 0 or leaves_something_out(self.envelope.diagnostics)

    @property
    def exit_code(self) -> ExitCode:
        if self.refused is not None:
            return self.refused
        return self.envelope.exit_code(is_partial=self.is_partial)


@dataclass(frozen=True)
class QueriedTargets:
    """The result of `query`: labels, in order, and the edges shown between them."""

    environment: TargetEnvironment
    nodes: tuple[Label, ...]
    successors: dict[Label, tuple[Label, ...]]
    unsettled: Unsettled

    @property
    def labels(self) -> tuple[Label, ...]:
        return self.nodes

    def described(self) -> list[QueriedTarget]:
        """The targets, as an answer tells them."""
        return [_described(label, self.environment.target(label)) for label in self.nodes]

    def edges(self) -> tuple[QueriedEdge, ...]:
        return _edges(self.nodes, self.successors)


@dataclass(frozen=True)
class QueriedConfigured:
    """The result of `cquery`: configured targets, in order."""

    environment: ConfiguredEnvironment
    nodes: tuple[ConfiguredNode, ...]
    unsettled: Unsettled

    @cached_property
    def successors(self) -> dict[ConfiguredNode, tuple[ConfiguredNode, ...]]:
        """The dependencies between the nodes. Bazel: `GraphOutputFormatterCallback`."""
        chosen = dict.fromkeys(self.nodes)
        successors = self.environment.successors
        return {
            node: tuple([target for target in successors(node) if target in chosen])
            for node in chosen
        }

    @cached_property
    def labels(self) -> tuple[Label, ...]:
        return tuple([cquery_label(self.environment.graph, node) for node in self.nodes])

    def described(self) -> list[QueriedTarget]:
        """The targets, as an answer tells them."""
        return [
            _described(label, self.environment.target(node), node.configuration_name)
            for label, node in zip(self.labels, self.nodes, strict=True)
        ]

    def edges(self) -> tuple[QueriedEdge, ...]:
        return _edges(self.nodes, self.successors)


Queried = QueriedTargets | QueriedConfigured


def _described(
    label: Label, target: TargetResult, configuration: str | None = None
) -> QueriedTarget:
    return QueriedTarget(
        label,
        getattr(target, "kind", None),
        getattr(target, "location", None),
        configuration,
        unknown_of(target),
        isinstance(target, Rule) and not target.rule_class.is_known,
    )


def query(
    world: World,
    text: str,
    settings: QuerySettings,
    order: Order = Order.AUTO,
    needs_graph: bool = False,
) -> QueriedTargets:
    """What `bazel query TEXT` lists. `needs_graph`: what is made of it rests on edges.

    Raises `QueryError` for a question that Bazel would refuse.
    """
    streams = order is Order.NO and not needs_graph
    sky = streams and (bool(settings.universe) or settings.infers_universe)
    expression = parse(text, Command.QUERY, settings.bazel_version, universe=sky)
    universe = settings.universe or tuple(word.text for word in patterns_of(expression))
    settings = replace(settings, universe=universe if sky else (), is_sky=sky)
    environment = TargetEnvironment(world.loader, settings)
    successors = environment.shown.between(Evaluator(environment).evaluate(expression))
    table = world.loader.table
    sort_key = table.sort_key if table.modules is not None else None
    nodes = _ordered(successors, order, expression, settings, needs_graph, sort_key)
    return QueriedTargets(environment, tuple(nodes), successors, environment.unsettled(nodes))


def cquery(world: World, text: str, settings: QuerySettings) -> QueriedConfigured:
    """What `bazel cquery TEXT` lists under the flags of `world`. Raises `QueryError` for a
    question that Bazel would refuse."""
    from bazelscope.query.graphs.configured_environment import ConfiguredEnvironment

    expression = parse(text, Command.CQUERY, settings.bazel_version)
    environment = ConfiguredEnvironment(
        world.loader,
        settings,
        world.configuration,
        world.mappings_of(world.configuration),
        tuple(patterns_of(expression)),
        # A path that some other command asks for is looked for whatever its flags build.
        partial(_which_are_built, world) if world.flags.command == "cquery" else None,
    )
    environment.graph.check_genquery = world.check_genquery
    nodes = tuple(Evaluator(environment).evaluate(expression))
    unsettled = environment.unsettled(node.label for node in nodes)
    return QueriedConfigured(environment, nodes, unsettled)


def _which_are_built(world: World, named: Sequence[Named]) -> Sequence[Label]:
    from bazelscope.questions.shared import built_targets

    each = [built_targets.Named(*one) for one in named]
    return built_targets.which_are_built(world, each).labels


def resolved_path(
    world: World, source: Label, target: Label, settings: QuerySettings
) -> tuple[Label, ...]:
    """Returns the targets of a path under the flags of `world` that takes what Bazel resolves, too:
    toolchains, platforms and aspects; none where it refuses the analysis."""
    try:
        return cquery(world, f"somepath('{source}', '{target}')", settings).labels
    except QueryError:
        return ()


def refusals(world: World, queried: Queried) -> tuple[Refusal, ...]:
    """What Bazel refuses of what a question is about; `query` configures nothing."""
    refused = world.refused_files
    if isinstance(queried, QueriedConfigured):
        refused += queried.environment.refusals()
    return refused


def answer(
    world: World,
    line: Envelope,
    text: str,
    queried: Queried,
    diagnostics: Iterable[Diagnostic] | None = None,
    refused: ExitCode | None = None,
) -> QueryAnswer:
    """The answer to the question `text`, with all there is to tell of each target; `line` is
    the envelope of the command line, `diagnostics` what was met on the way (by default: while
    the query was evaluated); `refused` is what Bazel ends with if it refuses something of it."""
    met = tuple(queried.environment.diagnostics if diagnostics is None else diagnostics)
    envelope = line.closed(
        how_complete(world.loader, queried.labels), met, refusals(world, queried)
    )
    described, edges = tuple(queried.described()), queried.edges()
    return QueryAnswer(envelope, text, described, edges, queried.unsettled, refused)


def _ordered(
    successors: dict[Label, tuple[Label, ...]],
    order: Order,
    expression: Expression,
    settings: QuerySettings,
    needs_graph: bool,
    sort_key: Callable[[Label], Label] | None,
) -> list[Label]:
    if order is Order.NO:
        return list(successors)
    is_path = isinstance(expression, Call) and expression.function == "somepath"
    if order is Order.DEPS or (order is Order.AUTO and is_path):
        return dependency_order(successors)
    if order is Order.AUTO and not needs_graph and settings.is_sorted:
        return sorted(successors, key=sort_key)
    return full_order(successors, key=sort_key or (lambda label: label))


def _edges(
    nodes: Sequence[object],
    successors: dict[Label, tuple[Label, ...]] | dict[ConfiguredNode, tuple[ConfiguredNode, ...]],
) -> tuple[QueriedEdge, ...]:
    place = {node: index for index, node in enumerate(nodes)}
    return tuple(
        QueriedEdge(place[source], place[target])
        for source, targets in successors.items()
        for target in targets
    )
