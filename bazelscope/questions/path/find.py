"""Why one target depends on another: the answer to `path`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bazelscope.analysis.conditions.edges import Edge
from bazelscope.analysis.names.short_names import Endpoints
from bazelscope.analysis.paths.configured_paths import find_configured_path, list_configured_paths
from bazelscope.analysis.paths.routes import Route, RoutedEdges
from bazelscope.analysis.refusals.refusal import Refusal
from bazelscope.base.label import Label
from bazelscope.questions.path.answer import ListedPath, PathAnswer, PathsAnswer, RouteAnswer
from bazelscope.questions.path.asked_route import which_route
from bazelscope.questions.path.flag_trial import FlagTrial
from bazelscope.questions.path.path_maker import PathMaker
from bazelscope.questions.path.repositories_on_path import which_repositories
from bazelscope.questions.shared.completeness import how_complete
from bazelscope.questions.shared.condition_finder import ConditionFinder
from bazelscope.questions.shared.endpoint_answers import NameAnswer, PathOutcome, UnknownBelow
from bazelscope.questions.shared.endpoints import labels_of, which_targets
from bazelscope.questions.shared.envelope import Envelope
from bazelscope.questions.shared.flag_conditions import FlagCondition, Verdict
from bazelscope.questions.shared.missing_dependencies import missing_below
from bazelscope.questions.shared.world import ResolveWords, World


@dataclass(frozen=True, slots=True)
class PathQuestion:
    """What is asked about paths: two names, the route between them, and whether only the
    branches count that the flags choose. `words` is the command line."""

    names: tuple[str, str]
    configured: bool = False
    avoid: tuple[str, ...] = ()
    via: tuple[str, ...] = ()
    through: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


def find_path(
    world: World,
    envelope: Envelope,
    asked: PathQuestion,
    resolve_words: ResolveWords | None = None,
) -> PathAnswer:
    """Why the first of the two names depends on the second.

    Where every branch counts, the answer says what each needs, and which flags would do;
    `resolve_words` gives the flags of another command line, so that they can be tried
    (without it, nothing is proposed).
    """
    ends, source, target, outcome = which_targets(world, *asked.names, asked.configured)
    if ends is None:
        target, unknown_below = _unknown_below_group(world, source, target)
        return PathAnswer(
            envelope.closed(how_complete(world.loader, labels_of(*asked.names))),
            source, target, outcome, asked.configured, unknown_below=unknown_below,
        )  # fmt: skip
    route, route_answer = _route(world, ends, asked)
    answer = PathAnswer(
        envelope, source, target, PathOutcome.NO_PATH, asked.configured, route=route_answer
    )
    if route_answer.problems:
        answer = replace(answer, outcome=_outcome_of(route_answer.problems))
    elif asked.configured:
        answer = _with_taken_path(answer, world, ends, route)
    else:
        trial = FlagTrial(world, asked.words, resolve_words) if resolve_words is not None else None
        answer = _with_any_path(answer, world, ends, route, trial)
        if answer.outcome is PathOutcome.FOUND and answer.clash is None:
            condition = _condition(world, ends, route, asked.words, resolve_words)
            answer = replace(answer, condition=condition)
    labels = [step.node.label for step in answer.steps] or [ends.start, ends.end]
    hidden = None
    if answer.outcome in (PathOutcome.NO_PATH, PathOutcome.CUT):
        hidden = _unknown_below(world, ends, route, asked.configured)
    missing = missing_below(world, ends.start, asked.configured)
    repositories = which_repositories(world, labels)
    return replace(
        answer,
        envelope=envelope.closed(
            how_complete(world.loader, labels, assumed=world.assumed),
            missing,
            _refused(world, asked, labels),
        ),
        unknown_below=hidden,
        repositories=repositories,
    )


def _refused(world: World, asked: PathQuestion, labels: Sequence[Label]) -> tuple[Refusal, ...]:
    """What Bazel refuses of the targets on the way."""
    if not asked.configured:
        return world.refusals_of_loading(labels)
    return world.refusals_of(map(world.configured.top, labels))


def _with_taken_path(answer: PathAnswer, world: World, ends: Endpoints, route: Route) -> PathAnswer:
    """The answer with the path that the flags take, or with the nearest that they cut."""
    path = find_configured_path(world.configured, ends.start, ends.end, route)
    if path is None:
        return answer
    maker = PathMaker(world)
    steps, needs = maker.configured_steps(path)
    answer = replace(answer, steps=steps, needs=needs, cuts=maker.cuts(path))
    if path.exists:
        return replace(answer, outcome=PathOutcome.FOUND)
    condition = _condition(world, ends, route, (), None)
    return replace(answer, outcome=PathOutcome.CUT, condition=condition)


def _condition(
    world: World,
    ends: Endpoints,
    route: Route,
    words: tuple[str, ...],
    resolve_words: ResolveWords | None,
) -> FlagCondition | None:
    """Under which flags there is a path of that route; None for one by way of other targets,
    or where there are too many cases."""
    if route.via:
        return None
    leading = world.graph.rdeps([ends.start], [ends.end])
    routed = RoutedEdges(world.graph, route, ends.start, ends.end)

    def allowed(edge: Edge) -> bool:
        return edge.target in leading and routed.allows(edge)

    finder = ConditionFinder(world, words, resolve_words, free=True, allowed=allowed)
    reach = finder.reach(ends.start)
    if reach is None:
        return None
    condition = finder.of_targets(reach, [ends.end])
    return None if condition.verdict is Verdict.TOO_MANY else condition


def _with_any_path(
    answer: PathAnswer, world: World, ends: Endpoints, route: Route, trial: FlagTrial | None
) -> PathAnswer:
    """The answer with a path that some flags take, and what they are."""
    maker = PathMaker(world)
    path = maker.finder.find(ends.start, ends.end, route)
    if path is None:
        return answer
    return replace(
        answer,
        outcome=PathOutcome.FOUND,
        steps=maker.steps(path),
        needs=maker.needs(path.needs),
        forbids=maker.combinations(path),
        contradiction=maker.needs(path.contradiction),
        clash=maker.clash(path.clash) if path.clash else None,
        flags=trial.flags_for(path, maker.finder) if trial and path.clash is None else None,
    )


def list_paths(
    world: World,
    envelope: Envelope,
    asked: PathQuestion,
    resolve_words: ResolveWords,
    most: int,
) -> PathsAnswer:
    """Every path between two names, shortest first, at most `most` of them."""
    ends, source, target, outcome = which_targets(world, *asked.names, asked.configured)
    if ends is None:
        target, unknown_below = _unknown_below_group(world, source, target)
        return PathsAnswer(
            envelope.closed(how_complete(world.loader, labels_of(*asked.names))),
            source, target, outcome, asked.configured, unknown_below=unknown_below,
        )  # fmt: skip
    route, route_answer = _route(world, ends, asked)
    answer = PathsAnswer(envelope, source, target, outcome, asked.configured, route_answer)
    if route_answer.problems:
        answer = replace(answer, outcome=_outcome_of(route_answer.problems))
    elif asked.configured:
        answer = _with_taken_paths(answer, world, ends, route, most)
    else:
        trial = FlagTrial(world, asked.words, resolve_words)
        answer = _with_all_paths(answer, world, ends, route, trial, most)
        if answer.paths:
            condition = _condition(world, ends, route, asked.words, resolve_words)
            answer = replace(answer, condition=condition)
    if not answer.paths and not route_answer.problems and answer.is_complete:
        answer = replace(answer, outcome=PathOutcome.NO_PATH)
    labels = list(dict.fromkeys(step.node.label for path in answer.paths for step in path.steps))
    hidden = None
    if answer.is_complete and not route_answer.problems:
        hidden = _unknown_below(world, ends, route, asked.configured)
    missing = missing_below(world, ends.start, asked.configured)
    repositories = which_repositories(world, labels)
    completeness = how_complete(world.loader, labels or [ends.start, ends.end])
    return replace(
        answer,
        envelope=envelope.closed(
            completeness, missing, _refused(world, asked, labels or [ends.start, ends.end])
        ),
        unknown_below=hidden,
        repositories=repositories,
    )


def _with_taken_paths(
    answer: PathsAnswer, world: World, ends: Endpoints, route: Route, most: int
) -> PathsAnswer:
    """The answer with the paths that the flags take."""
    maker = PathMaker(world)
    taken = list_configured_paths(world.configured, ends.start, ends.end, route, most)
    paths = tuple(ListedPath(*maker.configured_steps(path)) for path in taken.paths)
    return replace(answer, paths=paths, more=taken.more, is_complete=taken.is_complete)


def _with_all_paths(
    answer: PathsAnswer, world: World, ends: Endpoints, route: Route, trial: FlagTrial, most: int
) -> PathsAnswer:
    """The answer with the paths that some flags take, each with what they are, and with what
    no flags can meet."""
    maker = PathMaker(world)
    listed = maker.finder.every(ends.start, ends.end, route, most)
    paths = tuple(
        ListedPath(
            maker.steps(path),
            maker.needs(path.needs),
            maker.combinations(path),
            trial.flags_for(path, maker.finder),
        )
        for path in listed.paths
    )
    return replace(
        answer,
        paths=paths,
        left_out=tuple(maker.clash(clash, count) for clash, count in listed.left_out),
        more=listed.more,
        is_complete=listed.is_complete,
    )


def _unknown_below(
    world: World, ends: Endpoints, route: Route, configured: bool
) -> UnknownBelow | None:
    """What may hide a path between the ends."""
    from bazelscope.questions.shared.unknown_below import unknown_below

    return unknown_below(world, ends.start, ends.end, route, configured)


def _unknown_below_group(
    world: World, source: NameAnswer, target: NameAnswer
) -> tuple[NameAnswer, UnknownBelow | None]:
    from bazelscope.questions.shared.unknown_below import unknown_below_group

    return unknown_below_group(world, source, target)


def _route(world: World, ends: Endpoints, asked: PathQuestion) -> tuple[Route, RouteAnswer]:
    both = (ends.start, ends.end)
    return which_route(world, both, asked.avoid, asked.via, asked.through)


def _outcome_of(problems: tuple[NameAnswer, ...]) -> PathOutcome:
    first = problems[0]
    return PathOutcome.NAME_AMBIGUOUS if first.candidates else PathOutcome.NAME_UNKNOWN
