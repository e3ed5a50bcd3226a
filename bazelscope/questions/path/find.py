"""Why one target depends on another: the answer to `path`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from bazelscope.analysis.conditions.atoms import FlagRequirement
from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.names.short_names import Endpoints
from bazelscope.analysis.paths.configured_paths import find_configured_path, list_configured_paths
from bazelscope.analysis.paths.path_finder import Path, PathFinder, leading_edges
from bazelscope.analysis.paths.routes import Route
from bazelscope.analysis.refusals.refusal import Refusal
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.questions.path.answer import ListedPath, PathAnswer, PathsAnswer, RouteAnswer
from bazelscope.questions.path.asked_route import which_route
from bazelscope.questions.path.flag_trial import flags_for
from bazelscope.questions.path.path_maker import PathMaker
from bazelscope.questions.path.repositories_on_path import which_repositories
from bazelscope.questions.shared.completeness import how_complete
from bazelscope.questions.shared.conditions.condition_finder import ConditionFinder
from bazelscope.questions.shared.conditions.flag_conditions import TOO_MANY
from bazelscope.questions.shared.conditions.loaded_sets import configs_that_load_others
from bazelscope.questions.shared.endpoint_answers import NameAnswer, PathOutcome, UnknownBelow
from bazelscope.questions.shared.endpoints import labels_of, which_targets
from bazelscope.questions.shared.envelope import Envelope
from bazelscope.questions.shared.missing_dependencies import missing_below
from bazelscope.questions.shared.world import World


@dataclass(frozen=True, slots=True)
class PathQuestion:
    """What is asked about paths: two names, the route between them, and whether only the
    branches count that the flags choose."""

    names: tuple[str, str]
    configured: bool = False
    avoid: tuple[str, ...] = ()
    via: tuple[str, ...] = ()
    through: tuple[str, ...] = ()


def find_path(world: World, envelope: Envelope, asked: PathQuestion) -> PathAnswer:
    """Why the first of the two names depends on the second. Where every branch counts, the answer
    says what each needs, and which flags would do."""
    ends, source, target, outcome = which_targets(world, *asked.names, asked.configured)
    if ends is None:
        # Most answers have no use for it.
        from bazelscope.questions.shared.unknown_below import unknown_below_group

        target, unknown_below = unknown_below_group(world, source, target)
        return PathAnswer(
            envelope.closed(how_complete(world.loader, labels_of(*asked.names))),
            source, target, outcome, asked.configured, unknown_below=unknown_below,
        )  # fmt: skip
    route, route_answer = _route(world, ends, asked)
    answer = PathAnswer(
        envelope, source, target, PathOutcome.NO_PATH, asked.configured, route=route_answer
    )
    nodes: Iterable[ConfiguredNode] = ()
    if route_answer.problems:
        answer = replace(answer, outcome=_outcome_of(route_answer.problems))
    else:
        search = _Search(world, ends, route, asked)
        answer = search.one(answer)
        nodes = search.nodes
    labels = [step.node.label for step in answer.steps] or [ends.start, ends.end]
    hidden = None
    if answer.may_have_others:
        hidden = _unknown_below(world, ends, route, asked.configured)
    missing = missing_below(world, ends.start, asked.configured)
    repositories = which_repositories(world, labels)
    return replace(
        answer,
        envelope=envelope.closed(
            how_complete(
                world.loader,
                labels,
                assumed=world.assumed,
                aside=world.packages_aside(ends.start),
            ),
            missing,
            _refused(world, asked, labels, ends.start, nodes),
            () if asked.configured else configs_that_load_others(world),
        ),
        unknown_below=hidden,
        repositories=repositories,
    )


def _refused(
    world: World,
    asked: PathQuestion,
    labels: Sequence[Label],
    start: Label,
    nodes: Iterable[ConfiguredNode],
) -> tuple[Refusal, ...]:
    """What Bazel refuses of the targets on the way, which flags configure as `nodes`."""
    if not asked.configured:
        return world.refusals_of_loading(labels)
    top = world.configured.top(start)
    return world.refusals_of(dict.fromkeys((top, *nodes)), start)


class _Search:
    """Paths between two targets of one workspace, along one route."""

    def __init__(
        self,
        world: World,
        ends: Endpoints,
        route: Route,
        asked: PathQuestion,
    ) -> None:
        self._world = world
        self._ends = ends
        self._route = route
        self._asked = asked
        self.nodes: dict[ConfiguredNode, None] = {}
        """What is on the ways that the flags take."""
        self._use(as_query=False)

    def _use(self, as_query: bool) -> None:
        world, ends = self._world, self._ends
        allowed = leading_edges(
            world.graph, world.closures(ends.start), ends.start, ends.end, self._route
        )
        self._finder = ConditionFinder(world, True, allowed, as_query)
        self._maker = PathMaker(self._finder)
        self._paths = PathFinder(
            self._finder.reaches, world.conditions, ends.start, ends.end, self._route
        )

    def one(self, answer: PathAnswer) -> PathAnswer:
        """The answer with one path: that the flags take, or that some do."""
        if self._asked.configured:
            return self._taken(answer)
        reach = self._paths.reach()
        if reach is None:
            self._use(as_query=False)  # With room for the formulas of one path.
        path = self._paths.best(reach)
        if path is None:
            # Bazel's configured graph has no edges of aspects, but a build has them.
            self._use(as_query=True)
            reach = self._paths.reach()
            path = self._paths.best(reach)
        if path is None:
            return answer
        condition = TOO_MANY
        if reach is not None:
            condition = self._finder.of_targets(reach, [self._ends.end])
        answer = replace(answer, outcome=PathOutcome.FOUND, condition=condition)
        if path.clash is not None:
            clash = self._finder.edges.clash(path.clash)
            steps = self._maker.steps(path, path.clash.needs)
            return replace(answer, steps=steps, contradiction=clash.needs, clash=clash)
        listed = self._listed(path)
        return replace(
            answer,
            steps=listed.steps,
            needs=listed.needs,
            forbids=listed.forbids,
            flags=listed.flags,
        )

    def _taken(self, answer: PathAnswer) -> PathAnswer:
        """The answer with the path that the flags take, or with the nearest that they cut."""
        path = find_configured_path(
            self._world.configured, self._ends.start, self._ends.end, self._route
        )
        if path is None:
            return answer
        self.nodes.update(dict.fromkeys(path.nodes(self._world.configured)))
        steps, needs = self._maker.configured_steps(path)
        answer = replace(answer, steps=steps, needs=needs, cuts=self._maker.cuts(path))
        if path.exists:
            return replace(answer, outcome=PathOutcome.FOUND)
        reach = self._paths.reach()
        condition = TOO_MANY
        if reach is not None:
            self._finder.tries = False
            condition = self._finder.of_targets(reach, [self._ends.end])
        return replace(answer, outcome=PathOutcome.CUT, condition=condition)

    def _listed(self, path: Path) -> ListedPath:
        """A path with what it takes, and flags that were tried."""
        # The flags that are named make the very steps that are shown, not others beside them.
        own = self._finder.edges.ways_of_steps(path.steps)
        ways = tuple(dict.fromkeys((*own, *self._finder.edges.ways(path.formula))))
        nearest = ways[0] if ways else ()
        wanted = [w.asked for w in nearest if w.is_so and isinstance(w.asked, FlagRequirement)]
        against = [w.asked for w in nearest if not w.is_so and isinstance(w.asked, FlagRequirement)]
        return ListedPath(
            self._maker.steps(path, wanted),
            self._finder.in_words.needs(wanted),
            tuple((need,) for need in self._finder.in_words.needs(against)),
            flags_for(self._finder, path, ways),
            self._finder.of_formula(path.formula),
        )

    def every(self, answer: PathsAnswer, most: int) -> PathsAnswer:
        """The answer with the paths that some flags take, each with what they are, and with what
        no flags can meet."""
        listed = self._paths.every(most)
        if not listed.paths and listed.is_complete and not listed.left_out:
            self._use(as_query=True)
            listed = self._paths.every(most)
        answer = replace(
            answer,
            paths=tuple(map(self._listed, listed.paths)),
            left_out=tuple(self._finder.edges.clash(*one) for one in listed.left_out),
            more=listed.more,
            is_complete=listed.is_complete,
        )
        if not listed.paths:
            return answer if listed.is_complete else replace(answer, condition=TOO_MANY)
        reach = self._paths.reach()
        if reach is None:
            return replace(answer, condition=TOO_MANY)
        ends = [self._ends.end]
        shared, cut = (
            self._finder.edges.deciding(self._finder.in_path(reach, ends))
            if len(listed.paths) > 1
            else ((), ())
        )
        condition = self._finder.of_targets(reach, ends)
        return replace(answer, condition=condition, shared=shared, cut=cut)

    def every_taken(self, answer: PathsAnswer, most: int) -> PathsAnswer:
        """The answer with the paths that the flags take."""
        ends = self._ends
        graph = self._world.configured
        taken = list_configured_paths(graph, ends.start, ends.end, self._route, most)
        for path in taken.paths:
            self.nodes.update(dict.fromkeys(path.nodes(graph)))
        paths = tuple(ListedPath(*self._maker.configured_steps(path)) for path in taken.paths)
        return replace(answer, paths=paths, more=taken.more, is_complete=taken.is_complete)


def list_paths(world: World, envelope: Envelope, asked: PathQuestion, most: int) -> PathsAnswer:
    """Every path between two names, shortest first, at most `most` of them."""
    ends, source, target, outcome = which_targets(world, *asked.names, asked.configured)
    if ends is None:
        # Most answers have no use for it.
        from bazelscope.questions.shared.unknown_below import unknown_below_group

        target, unknown_below = unknown_below_group(world, source, target)
        return PathsAnswer(
            envelope.closed(how_complete(world.loader, labels_of(*asked.names))),
            source, target, outcome, asked.configured, unknown_below=unknown_below,
        )  # fmt: skip
    route, route_answer = _route(world, ends, asked)
    answer = PathsAnswer(envelope, source, target, outcome, asked.configured, route_answer)
    nodes: Iterable[ConfiguredNode] = ()
    if route_answer.problems:
        answer = replace(answer, outcome=_outcome_of(route_answer.problems))
    else:
        search = _Search(world, ends, route, asked)
        answer = (search.every_taken if asked.configured else search.every)(answer, most)
        nodes = search.nodes
    if not answer.paths and not route_answer.problems and answer.is_complete:
        answer = replace(answer, outcome=PathOutcome.NO_PATH)
    labels = list(dict.fromkeys(step.node.label for path in answer.paths for step in path.steps))
    hidden = None
    if answer.is_complete and not route_answer.problems:
        hidden = _unknown_below(world, ends, route, asked.configured)
    missing = missing_below(world, ends.start, asked.configured)
    repositories = which_repositories(world, labels)
    aside = world.packages_aside(ends.start)
    shown = labels or [ends.start, ends.end]
    completeness = how_complete(world.loader, shown, aside=aside)
    return replace(
        answer,
        envelope=envelope.closed(
            completeness,
            missing,
            _refused(world, asked, shown, ends.start, nodes),
            () if asked.configured else configs_that_load_others(world),
        ),
        unknown_below=hidden,
        repositories=repositories,
    )


def _unknown_below(
    world: World, ends: Endpoints, route: Route, configured: bool
) -> UnknownBelow | None:
    """What may hide a path between the ends."""
    from bazelscope.questions.shared.unknown_below import unknown_below

    return unknown_below(world, ends.start, ends.end, route, configured)


def _route(world: World, ends: Endpoints, asked: PathQuestion) -> tuple[Route, RouteAnswer]:
    both = (ends.start, ends.end)
    return which_route(world, both, asked.avoid, asked.via, asked.through)


def _outcome_of(problems: tuple[NameAnswer, ...]) -> PathOutcome:
    first = problems[0]
    return PathOutcome.NAME_AMBIGUOUS if first.candidates else PathOutcome.NAME_UNKNOWN
