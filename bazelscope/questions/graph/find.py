"""What lies between two targets, or below one: the answer to `graph`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from bazelscope.analysis.conditions.diagrams import TooLargeError
from bazelscope.analysis.conditions.edges import Edge, EdgeKind
from bazelscope.analysis.paths.passable import Passable, passable
from bazelscope.analysis.paths.path_finder import leading_edges
from bazelscope.analysis.paths.transition_scopes import TOP
from bazelscope.analysis.refusals.refusal import Refusal
from bazelscope.base.graph_walk import distances, walk
from bazelscope.base.label import Label, at_sign
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.base.unknown import Unknown
from bazelscope.questions.graph.answer import Collapse, GraphAnswer, GroupAnswer, GroupLink
from bazelscope.questions.shared.completeness import how_complete
from bazelscope.questions.shared.conditions.condition_finder import ConditionFinder
from bazelscope.questions.shared.conditions.edge_words import EdgeWords
from bazelscope.questions.shared.conditions.loaded_sets import configs_that_load_others
from bazelscope.questions.shared.described_edges import describe_edge
from bazelscope.questions.shared.described_targets import describe_node
from bazelscope.questions.shared.endpoint_answers import NameAnswer, PathOutcome
from bazelscope.questions.shared.endpoints import unnamed, which_target, which_targets
from bazelscope.questions.shared.envelope import Envelope
from bazelscope.questions.shared.nodes import EdgeAnswer
from bazelscope.questions.shared.world import World

_EXAMPLES = 3

# Looking up where a label was written reads its file: up to so many edges have that.
_MAX_TERMS = 400


@dataclass(frozen=True, slots=True)
class GraphQuestion:
    """What is to be drawn: what lies between two names, or below one (`target` None).

    `levels` bounds the distance from the source, `max_nodes` what is drawn; `collapse` has
    packages or repositories stand for their targets; None: where those are more than that.
    """

    source: str
    target: str | None = None
    configured: bool = False
    max_nodes: int = 60
    levels: int | None = None
    collapse: Collapse | None = None


@dataclass(frozen=True, slots=True)
class _Leaving:
    """A target that the start reaches: its distance, the edges that leave it, and the reason
    why one may not be taken."""

    distance: int
    edges: Collection[Edge]
    uncertain: Mapping[Edge, Unknown | None]


_Reached = dict[Label, _Leaving]


@dataclass(frozen=True, slots=True)
class _Drawable:
    """What there is to draw. `ways` are the paths that some flags take, None where the flags are
    given or there are too many cases; `never`: as `GraphAnswer` has it; `nodes`: as what each
    target is configured, where flags are given."""

    reached: _Reached
    words: EdgeWords
    ways: Passable | None = None
    never: tuple[Label, ...] | None = ()


def graph_between(world: World, envelope: Envelope, asked: GraphQuestion) -> GraphAnswer:
    """The targets and edges on the paths between two targets, or all that one depends on.
    Of more than `max_nodes` nodes those on the shortest paths are kept."""
    configured = asked.configured
    if asked.target is None:
        start = which_target(world, asked.source)
        if start.label is None:
            outcome = PathOutcome.NAME_AMBIGUOUS if start.candidates else PathOutcome.NAME_UNKNOWN
            closed = unnamed(world, envelope, asked.source)
            return GraphAnswer(closed, start, None, outcome, configured)
        below = (_configured_below if configured else _below)(world, start.label)
        lengths = {label: reached_at.distance for label, reached_at in below.reached.items()}
        return _answer(world, envelope, asked, start, None, below, lengths)
    ends, start, end, outcome = which_targets(world, asked.source, asked.target, configured)
    if ends is None:
        # Most answers have no use for it.
        from bazelscope.questions.shared.unknown_below import unknown_below_group

        end, hidden = unknown_below_group(world, start, end)
        closed = unnamed(world, envelope, asked.source, asked.target)
        return GraphAnswer(closed, start, end, outcome, configured, unknown_below=hidden)
    below = (_configured_below if configured else _below)(world, ends.start, ends.end)
    if ends.end not in below.reached:
        # Most drawings have no use for it.
        from bazelscope.questions.shared.unknown_below import unknown_below

        hidden = unknown_below(world, ends.start, ends.end, configured=configured)
        closed = envelope.closed(
            how_complete(world.loader, [ends.start, ends.end]),
            refusals=_refused(world, asked, start, [ends.start, ends.end]),
            not_covered=() if configured else configs_that_load_others(world),
        )
        never = (ends.end,) if below.never else ()
        return GraphAnswer(
            closed, start, end, PathOutcome.NO_PATH, configured, never=never, unknown_below=hidden
        )
    return _answer(world, envelope, asked, start, end, below, _between(below.reached, ends.end))


def _below(world: World, start: Label, end: Label | None = None) -> _Drawable:
    """What lies on paths that some flags take, to `end` if it is given. The conditions of
    select()s are drawn only where one is on the way to it."""
    graph = world.graph
    leads = _is_no_key if end is None else leading_edges(graph, world.closures(start), start, end)
    finder = ConditionFinder(world, free=True, allowed=leads, as_query=True)
    graph.deps([start])  # Loads packages on all cores.
    try:
        ways = passable(finder.reaches, [start], None if end is None else [end])
    except TooLargeError:
        edges = lambda label: [edge for edge in graph.edges(label) if leads(edge)]  # noqa: E731
        return _Drawable(_nearest(start, edges), finder.edges, None, None)
    reached = _nearest(start, ways.edges)
    return _Drawable(reached, finder.edges, ways, tuple(sorted(ways.never - {start})))


def _configured_below(world: World, start: Label, end: Label | None = None) -> _Drawable:
    """What lies on paths under the flags: by the branches that they take, or may take."""
    graph = world.configured
    edges: dict[Label, dict[Edge, Unknown | None]] = {}
    for node in graph.deps([start]):
        uncertain_edges = edges.setdefault(node.label, {})
        for taken in graph.shown(node):
            uncertain = taken.uncertain
            if uncertain is None or taken.edge not in uncertain_edges:
                uncertain_edges[taken.edge] = uncertain
    counts = _is_no_key if end is None else lambda edge: True
    reached = _nearest(start, lambda label: list(filter(counts, edges[label])), edges)
    words = ConditionFinder(world, free=True).edges
    return _Drawable(reached, words)


def _is_no_key(edge: Edge) -> bool:
    return edge.kind is not EdgeKind.CONDITION


_NO_DOUBTS: Mapping[Edge, Unknown | None] = {}


def _nearest(
    start: Label,
    edges: Callable[[Label], Collection[Edge]],
    uncertain: Mapping[Label, Mapping[Edge, Unknown | None]] | None = None,
) -> _Reached:
    """What edges lead to from the start, nearest first."""
    doubts = uncertain or {}
    return {
        visit.node: _Leaving(visit.distance, edges(visit.node), doubts.get(visit.node, _NO_DOUBTS))
        for visit in walk([start], edges)
    }


def _between(reached: _Reached, end: Label) -> dict[Label, int]:
    """The targets on a path to `end`, each with the length of the shortest path over it."""
    arriving: dict[Label, list[Label]] = {}
    for label, one in reached.items():
        for edge in one.edges:
            arriving.setdefault(edge.target, []).append(label)
    back = distances([end], lambda label: arriving.get(label, ()))
    return {
        label: reached[label].distance + length
        for label, length in back.items()
        if label in reached
    }


def _answer(
    world: World,
    envelope: Envelope,
    asked: GraphQuestion,
    start: NameAnswer,
    end: NameAnswer | None,
    below: _Drawable,
    lengths: dict[Label, int],
) -> GraphAnswer:
    """`lengths` are the targets to draw, each with what it ranks by."""
    levels, reached = asked.levels, below.reached
    near = [one for one in lengths if levels is None or reached[one].distance <= levels]
    ranked = sorted(near, key=lambda label: (lengths[label], reached[label].distance, label))
    collapse = asked.collapse or _collapse_of(ranked, asked.max_nodes)
    is_folded = collapse is not Collapse.NOTHING
    labels = sorted(ranked if is_folded else ranked[: asked.max_nodes])
    answer = GraphAnswer(
        envelope.closed(
            how_complete(world.loader, labels),
            refusals=_refused(world, asked, start, labels),
            not_covered=() if asked.configured else configs_that_load_others(world),
        ),
        start, end, PathOutcome.FOUND, asked.configured,
        collapse=collapse,
        folded=len(ranked) if asked.collapse is None and is_folded else 0,
        hidden_levels=len(lengths) - len(near),
        never=below.never,
    )  # fmt: skip
    edges = _edges_among(reached, labels)
    scopes = below.ways.scopes if below.ways is not None else {}
    named = below.ways.named if below.ways is not None else {}
    always = below.words.always([edge for edge, _ in edges], scopes)
    if is_folded:

        def is_conditional(edge: Edge) -> bool:
            pair = edge.source, edge.target
            return pair not in always if edge.branch is not None else pair in named

        return collapsed(
            world, answer, ranked, [edge for edge, _ in edges], is_conditional, asked.max_nodes
        )
    with_term = len(edges) <= _MAX_TERMS

    def described(edge: Edge, why: Unknown | None) -> EdgeAnswer:
        pair, scope = (edge.source, edge.target), scopes.get(edge.source, TOP)
        one = below.words.described(edge, why, with_term, scope)
        if edge.branch is not None:
            return replace(one, is_always=pair in always)
        return replace(one, needs=below.words.needs(named[pair])) if pair in named else one

    answers = [described(edge, why) for edge, why in edges]
    return replace(
        answer,
        nodes=tuple(describe_node(world, label) for label in labels),
        edges=tuple(sorted(answers, key=_edge_order)),
        hidden_nodes=len(ranked) - len(labels),
    )


def _collapse_of(labels: Collection[Label], most: int) -> Collapse:
    """What is to stand for targets so that there are no more boxes than `most`."""
    if len(labels) <= most:
        return Collapse.NOTHING
    packages = {label.package_id for label in labels}
    if 1 < len(packages) <= most:
        return Collapse.PACKAGE
    repositories = {label.repository for label in labels}
    return Collapse.REPOSITORY if 1 < len(repositories) < len(packages) else Collapse.NOTHING


def _edges_among(reached: _Reached, labels: Iterable[Label]) -> list[tuple[Edge, Unknown | None]]:
    """The edges between the given targets; several that look alike count once."""
    kept = set(labels)
    distinct: dict[tuple[object, ...], tuple[Edge, Unknown | None]] = {}
    for label in sorted(kept):
        uncertain = reached[label].uncertain
        for edge in reached[label].edges:
            if edge.target in kept:
                key = (edge.source, edge.target, edge.attribute, edge.kind, _condition(edge))
                # To look an edge up takes as long as its select() has branches.
                distinct.setdefault(key, (edge, uncertain.get(edge) if uncertain else None))
    return list(distinct.values())


def _condition(edge: Edge) -> Label | None:
    return edge.branch.branch.condition if edge.branch else None


def _edge_order(edge: EdgeAnswer) -> tuple[Label, Label, str, str]:
    condition = str(edge.branch.condition) if edge.branch else ""
    return (edge.source, edge.target, edge.attribute, condition)


def _refused(
    world: World, asked: GraphQuestion, start: NameAnswer, labels: Iterable[Label]
) -> tuple[Refusal, ...]:
    """What Bazel refuses of what the drawing begins at, or, without flags, of the targets drawn."""
    assert start.label is not None
    return world.refusals_where(asked.configured, (start.label,), labels)


def collapsed(
    world: World,
    answer: GraphAnswer,
    labels: Sequence[Label],
    edges: Iterable[Edge],
    is_conditional: Callable[[Edge], bool],
    max_nodes: int,
) -> GraphAnswer:
    """`answer` with groups of `labels`, the most important first, and links for `edges`.

    The groups of the first labels are kept where there are more than `max_nodes`; edges
    within a group are not drawn.
    """
    collapse = answer.collapse
    members: dict[str, list[Label]] = {}
    for label in labels:
        members.setdefault(group_of(label, collapse), []).append(label)
    kept = dict(list(members.items())[:max_nodes])
    ends = {answer.source.label, answer.target.label if answer.target else None}
    groups = tuple(
        GroupAnswer(
            name,
            targets[0].repository,
            len(targets),
            _place(world, targets[0], collapse),
            any(label in ends for label in targets),
        )
        for name, targets in sorted(kept.items())
    )
    return replace(
        answer,
        groups=groups,
        links=tuple(_links(world, edges, is_conditional, kept)),
        hidden_nodes=len(members) - len(kept),
    )


def group_of(label: Label, collapse: Collapse) -> str:
    """The name of the package or repository of a target, as a graph shows it."""
    repository = at_sign(label.repository) if label.repository else ""
    if collapse is Collapse.REPOSITORY:
        return repository or "the workspace"
    return f"{repository}//{label.package}"


def _links(
    world: World,
    edges: Iterable[Edge],
    is_conditional: Callable[[Edge], bool],
    kept: dict[str, list[Label]],
) -> Iterable[GroupLink]:
    names = {label: name for name, labels in kept.items() for label in labels}
    between: dict[tuple[str, str], list[Edge]] = {}
    for edge in edges:
        source, target = names.get(edge.source), names.get(edge.target)
        if source is not None and target is not None and source != target:
            between.setdefault((source, target), []).append(edge)
    for (source, target), group in sorted(between.items()):
        first = sorted(group, key=lambda edge: (edge.source, edge.target, edge.attribute))
        yield GroupLink(
            source,
            target,
            len(group),
            sum(map(is_conditional, group)),
            sum(edge.is_tool for edge in group),
            tuple(describe_edge(world, edge, None, False) for edge in first[:_EXAMPLES]),
        )


def _place(world: World, label: Label, collapse: Collapse) -> Location | None:
    if label.repository and collapse is Collapse.REPOSITORY:
        repository = world.loader.table.get(label.repository)
        definition = repository.definition if repository is not None else None
        return definition.location if definition is not None else None
    target = world.graph.node(label)
    return getattr(target, "location", None)
