"""What lies between two targets, or below one: the answer to `graph`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from bazelscope.analysis.conditions.edges import Edge, EdgeKind
from bazelscope.analysis.refusals.refusal import Refusal
from bazelscope.base.graph_walk import distances, walk
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Unknown
from bazelscope.questions.graph.answer import Collapse, GraphAnswer
from bazelscope.questions.graph.collapsing import collapsed
from bazelscope.questions.shared.completeness import how_complete
from bazelscope.questions.shared.conditions.condition_finder import ConditionFinder
from bazelscope.questions.shared.conditions.loaded_sets import configs_that_load_others
from bazelscope.questions.shared.described_edges import describe_edge
from bazelscope.questions.shared.described_targets import describe_node
from bazelscope.questions.shared.endpoint_answers import NameAnswer, PathOutcome, UnknownBelow
from bazelscope.questions.shared.endpoints import labels_of, which_target, which_targets
from bazelscope.questions.shared.envelope import Envelope
from bazelscope.questions.shared.nodes import EdgeAnswer
from bazelscope.questions.shared.world import World

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


_CERTAIN: Mapping[Edge, Unknown | None] = {}


@dataclass(frozen=True, slots=True)
class _Leaving:
    """A target that the start reaches: its distance, the edges that leave it, and the reason
    why one may not be taken."""

    distance: int
    edges: Collection[Edge]
    uncertain: Mapping[Edge, Unknown | None]


_Reached = dict[Label, _Leaving]


def graph_between(world: World, envelope: Envelope, asked: GraphQuestion) -> GraphAnswer:
    """The targets and edges on the paths between two targets, or all that one depends on.
    Of more than `max_nodes` nodes those on the shortest paths are kept."""
    configured = asked.configured
    if asked.target is None:
        start = which_target(world, asked.source)
        if start.label is None:
            outcome = PathOutcome.NAME_AMBIGUOUS if start.candidates else PathOutcome.NAME_UNKNOWN
            closed = envelope.closed(how_complete(world.loader, labels_of(asked.source)))
            return GraphAnswer(closed, start, None, outcome, configured)
        reached = _below(world, start.label, configured)
        lengths = {label: reached_at.distance for label, reached_at in reached.items()}
        return _answer(world, envelope, asked, start, None, reached, lengths)
    ends, start, end, outcome = which_targets(world, asked.source, asked.target, configured)
    if ends is None:
        end, hidden = _unknown_below_group(world, start, end)
        closed = envelope.closed(how_complete(world.loader, labels_of(asked.source, asked.target)))
        return GraphAnswer(closed, start, end, outcome, configured, unknown_below=hidden)
    reached = _below(world, ends.start, configured, conditions=True)
    if ends.end not in reached:
        hidden = _unknown_below(world, ends.start, ends.end, configured)
        closed = envelope.closed(how_complete(world.loader, [ends.start, ends.end]))
        return GraphAnswer(
            closed, start, end, PathOutcome.NO_PATH, configured, unknown_below=hidden
        )
    return _answer(world, envelope, asked, start, end, reached, _between(reached, ends.end))


def _unknown_below(world: World, start: Label, end: Label, configured: bool) -> UnknownBelow | None:
    # Most drawings have no use for it.
    from bazelscope.questions.shared.unknown_below import unknown_below

    return unknown_below(world, start, end, configured=configured)


def _unknown_below_group(
    world: World, source: NameAnswer, target: NameAnswer
) -> tuple[NameAnswer, UnknownBelow | None]:
    from bazelscope.questions.shared.unknown_below import unknown_below_group

    return unknown_below_group(world, source, target)


def _below(world: World, start: Label, configured: bool, conditions: bool = False) -> _Reached:
    reached: _Reached = {}
    if configured:
        graph = world.configured
        edges: dict[Label, dict[Edge, Unknown | None]] = {}
        distances: dict[Label, int] = {}
        for node, distance in graph.deps([start]).items():
            distances.setdefault(node.label, distance)
            uncertain_edges = edges.setdefault(node.label, {})
            for taken in graph.shown(node):
                uncertain = taken.uncertain
                if uncertain is None or taken.edge not in uncertain_edges:
                    uncertain_edges[taken.edge] = uncertain
        reached = {
            label: _Leaving(distances[label], edges[label], edges[label]) for label in distances
        }
    else:
        distances = world.graph.deps([start])
        reached = {
            label: _Leaving(distance, world.graph.edges(label), _CERTAIN)
            for label, distance in distances.items()
        }
    if conditions:
        return reached
    return _without_conditions(start, reached)


def _without_conditions(start: Label, reached: _Reached) -> _Reached:
    """What is reached without the conditions of select()s, which are not drawn: what hangs
    on these alone is left out, too."""

    def drawn(label: Label) -> list[Edge]:
        edges = reached[label].edges
        return [e for e in edges if e.kind is not EdgeKind.CONDITION and e.target in reached]

    return {
        visit.node: _Leaving(
            visit.distance,
            [edge for edge in reached[visit.node].edges if edge.kind is not EdgeKind.CONDITION],
            reached[visit.node].uncertain,
        )
        for visit in walk([start], drawn)
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
    reached: _Reached,
    lengths: dict[Label, int],
) -> GraphAnswer:
    """`lengths` are the targets to draw, each with what it ranks by."""
    levels = asked.levels
    near = [one for one in lengths if levels is None or reached[one].distance <= levels]
    ranked = sorted(near, key=lambda label: (lengths[label], reached[label].distance, label))
    collapse = asked.collapse or _collapse_of(ranked, asked.max_nodes)
    answer = GraphAnswer(
        envelope, start, end, PathOutcome.FOUND, asked.configured,
        collapse=collapse,
        folded=len(ranked) if asked.collapse is None and collapse is not Collapse.NOTHING else 0,
        hidden_levels=len(lengths) - len(near),
    )  # fmt: skip
    finder = ConditionFinder(world, (), None, free=True)
    if collapse is not Collapse.NOTHING:
        edges = _edges_among(reached, ranked)
        always = finder.edges.always(edges)
        answers = [
            replace(describe_edge(world, edge, why, False), is_always=_is_always(edge, always))
            for edge, why in edges.items()
        ]
        answer = collapsed(world, answer, ranked, answers, asked.max_nodes)
        labels = sorted(ranked)
        refused = _refused(world, asked.configured, labels)
        closed = envelope.closed(how_complete(world.loader, labels), refusals=refused)
        return replace(answer, envelope=closed)
    kept = sorted(ranked[: asked.max_nodes])
    edges = _edges_among(reached, kept)
    with_term = len(edges) <= _MAX_TERMS
    always = finder.edges.always(edges)
    answers = [
        replace(finder.edges.described(edge, why, with_term), is_always=_is_always(edge, always))
        for edge, why in edges.items()
    ]
    nodes = tuple(describe_node(world, label) for label in kept)
    return replace(
        answer,
        envelope=envelope.closed(
            how_complete(world.loader, kept),
            refusals=_refused(world, asked.configured, kept),
            not_covered=() if asked.configured else configs_that_load_others(world),
        ),
        nodes=nodes,
        edges=tuple(sorted(answers, key=_edge_order)),
        hidden_nodes=len(ranked) - len(kept),
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


def _edges_among(reached: _Reached, labels: Iterable[Label]) -> dict[Edge, Unknown | None]:
    """The edges between the given targets; several that look alike count once."""
    kept = set(labels)
    distinct: dict[tuple[object, ...], tuple[Edge, Unknown | None]] = {}
    for label in sorted(kept):
        for edge in reached[label].edges:
            if edge.target in kept:
                key = (edge.source, edge.target, edge.attribute, edge.kind, _condition(edge))
                distinct.setdefault(key, (edge, reached[label].uncertain.get(edge)))
    return dict(distinct.values())


def _is_always(edge: Edge, always: set[tuple[Label, Label]]) -> bool:
    return edge.branch is not None and (edge.source, edge.target) in always


def _condition(edge: Edge) -> Label | None:
    return edge.branch.branch.condition if edge.branch else None


def _edge_order(edge: EdgeAnswer) -> tuple[Label, Label, str, str]:
    condition = str(edge.branch.condition) if edge.branch else ""
    return (edge.source, edge.target, edge.attribute, condition)


def _refused(world: World, configured: bool, labels: list[Label]) -> tuple[Refusal, ...]:
    """What Bazel refuses of the targets that are drawn."""
    if not configured:
        return world.refusals_of_loading(labels)
    return world.refusals_of([world.configured.top(label) for label in labels])
