"""Why one target depends on another: the answer to `path`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import islice
from typing import TypeVar

from bazelscope.analysis.conditions.atoms import FlagRequirement
from bazelscope.analysis.conditions.configured_edges import Taken
from bazelscope.analysis.names.short_names import (
    AmbiguousName,
    Endpoints,
    NoSuchName,
    candidates,
    is_full_label,
)
from bazelscope.analysis.paths.configured_paths import (
    ConfiguredPaths,
    find_configured_path,
    follow,
    list_configured_paths,
)
from bazelscope.analysis.paths.dependence import Alternative
from bazelscope.analysis.paths.path_finder import Path, PathFinder, Paths, leading_edges
from bazelscope.analysis.paths.reach import Reach
from bazelscope.analysis.paths.routes import Route
from bazelscope.base.errors import LabelError
from bazelscope.base.label import MAIN_ROOT, Label, PatternKind, TargetPattern, parse_pattern
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.bazel.encoded_values import decode_label
from bazelscope.questions.path.answer import (
    ListedPath,
    PathAnswer,
    PathFlags,
    PathsAnswer,
    RouteAnswer,
    Tried,
)
from bazelscope.questions.path.path_maker import PathMaker
from bazelscope.questions.path.repositories_on_path import which_repositories
from bazelscope.questions.shared.completeness import how_complete
from bazelscope.questions.shared.conditions.condition_finder import ConditionFinder
from bazelscope.questions.shared.conditions.flag_conditions import TOO_MANY, FlagCondition
from bazelscope.questions.shared.conditions.flag_trials import FlagTrials
from bazelscope.questions.shared.conditions.loaded_sets import configs_that_load_others
from bazelscope.questions.shared.endpoint_answers import NameAnswer, PathOutcome
from bazelscope.questions.shared.endpoints import unnamed, unresolved, which_targets
from bazelscope.questions.shared.envelope import Envelope
from bazelscope.questions.shared.missing_dependencies import missing_below
from bazelscope.questions.shared.world import World

_MOST_TRIED = 24
_TRIED = {Taken.YES: Tried.CONFIRMED, Taken.UNKNOWN: Tried.UNCERTAIN, Taken.NO: Tried.REFUTED}

_A = TypeVar("_A", PathAnswer, PathsAnswer)


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
    return _answered(world, envelope, asked, PathAnswer, _Search.one)


def list_paths(world: World, envelope: Envelope, asked: PathQuestion, most: int) -> PathsAnswer:
    """Every path between two names, shortest first, at most `most` of them."""
    return _answered(
        world, envelope, asked, PathsAnswer, lambda search, answer: search.every(answer, most)
    )


def _answered(
    world: World,
    envelope: Envelope,
    asked: PathQuestion,
    make: type[_A],
    search: Callable[[_Search, _A], _A],
) -> _A:
    """An answer about paths: what the names mean, what the `search` comes to, and what stands
    around it."""
    ends, source, target, outcome = which_targets(world, *asked.names, asked.configured)
    if ends is None:
        # Most answers have no use for it.
        from bazelscope.questions.shared.unknown_below import unknown_below_group

        target, hidden = unknown_below_group(world, source, target)
        closed = unnamed(world, envelope, *asked.names)
        return make(closed, source, target, outcome, asked.configured, unknown_below=hidden)
    both = (ends.start, ends.end)
    route, told = which_route(world, both, asked.avoid, asked.via, asked.through)
    answer = make(envelope, source, target, PathOutcome.NO_PATH, asked.configured, route=told)
    if told.problems:
        is_ambiguous = bool(told.problems[0].candidates)
        outcome = PathOutcome.NAME_AMBIGUOUS if is_ambiguous else PathOutcome.NAME_UNKNOWN
        answer = replace(answer, outcome=outcome)
    else:
        answer = search(_Search(world, ends, route, asked), answer)
    hidden = None
    if answer.may_have_others:
        from bazelscope.questions.shared.unknown_below import unknown_below

        hidden = unknown_below(world, *both, route, asked.configured)
    on_way = answer.labels
    labels = on_way or both
    missing = missing_below(world, ends.start, asked.configured)
    # Of a single path that is not there, the ends are told.
    repositories = which_repositories(world, labels if make is PathAnswer else on_way)
    aside = world.packages_aside(ends.start)
    closed = envelope.closed(
        how_complete(world.loader, labels, assumed=world.assumed, aside=aside),
        missing,
        world.refusals_where(asked.configured, (ends.start,), labels),
        () if asked.configured else configs_that_load_others(world),
    )
    return replace(answer, envelope=closed, unknown_below=hidden, repositories=repositories)


class _Search:
    """Paths between two targets of one workspace, along one route."""

    def __init__(self, world: World, ends: Endpoints, route: Route, asked: PathQuestion) -> None:
        self._world = world
        self._ends = ends
        self._route = route
        self._asked = asked
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
        answer = replace(answer, outcome=PathOutcome.FOUND, condition=self._condition(reach))
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
        steps, needs = self._maker.configured_steps(path)
        answer = replace(answer, steps=steps, needs=needs, cuts=self._maker.cuts(path))
        if path.exists:
            return replace(answer, outcome=PathOutcome.FOUND)
        condition = self._condition(self._paths.reach())
        return replace(answer, outcome=PathOutcome.CUT, condition=condition)

    def _condition(self, reach: Reach | None) -> FlagCondition:
        """Under which flags there is any path."""
        return TOO_MANY if reach is None else self._finder.of_targets(reach, [self._ends.end])

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
        """The answer with the paths that the flags or, without any, that some flags take, each with
        what these are, and with what no flags can meet."""
        if self._asked.configured:
            return self._every_taken(answer, most)
        listed = self._paths.every(most)
        if not listed.paths and listed.is_complete and not listed.left_out:
            self._use(as_query=True)
            listed = self._paths.every(most)
        answer = replace(
            answer,
            outcome=_outcome(listed),
            paths=tuple(map(self._listed, listed.paths)),
            left_out=tuple(self._finder.edges.clash(*one) for one in listed.left_out),
            more=listed.more,
            is_complete=listed.is_complete,
        )
        if not listed.paths:
            return answer if listed.is_complete else replace(answer, condition=TOO_MANY)
        reach = self._paths.reach()
        if reach is not None and len(listed.paths) > 1:
            edges = self._finder.in_path(reach, [self._ends.end])
            shared, cut = self._finder.edges.deciding(edges)
            answer = replace(answer, shared=shared, cut=cut)
        return replace(answer, condition=self._condition(reach))

    def _every_taken(self, answer: PathsAnswer, most: int) -> PathsAnswer:
        """The answer with the paths that the flags take."""
        ends = self._ends
        graph = self._world.configured
        taken = list_configured_paths(graph, ends.start, ends.end, self._route, most)
        paths = tuple(ListedPath(*self._maker.configured_steps(path)) for path in taken.paths)
        return replace(
            answer,
            outcome=_outcome(taken),
            paths=paths,
            more=taken.more,
            is_complete=taken.is_complete,
        )


def _outcome(listed: Paths | ConfiguredPaths) -> PathOutcome:
    """That there is a path, or may be where there were too many cases to list any."""
    is_found = listed.paths or not listed.is_complete
    return PathOutcome.FOUND if is_found else PathOutcome.NO_PATH


def flags_for(finder: ConditionFinder, path: Path, ways: Sequence[Alternative]) -> PathFlags:
    """Returns the flags that make `path`, of which `ways` are all ways to make it, those with
    the fewest changes first."""
    graph, trials = finder.world.graph, finder.trials
    lines = _lines(trials, ways)
    if not lines:
        # What other targets ask for may serve as another value.
        for label in graph.deps([path.start.label]):
            for keys in graph.select_keys(label):
                for text in keys:
                    finder.dependences.formulas.of_condition(decode_label(text))
        lines = _lines(trials, ways)
    if not lines:
        nearest = ways[0] if ways else ()
        unmet = trials.unmet(nearest)
        met = tuple(word for word in nearest if word.asked not in unmet)
        words = next(trials.lines(met), ())
        return PathFlags(words, unmet=finder.in_words.needs(unmet))
    tried: dict[Taken, tuple[str, ...]] = {}
    for words in lines:
        tried.setdefault(follow(trials.graph(words), path.labels), words)
        if Taken.YES in tried:
            break
    best = next(taken for taken in (Taken.YES, Taken.UNKNOWN, Taken.NO) if taken in tried)
    sources = {}
    for way in ways:
        for source in trials.configs(way):
            if source.config not in sources:
                taken = follow(trials.graph((f"--config={source.config}",)), path.labels)
                sources[source.config] = source if taken is Taken.YES else None
    configs = tuple(source for source in sources.values() if source is not None)
    return PathFlags(tried[best], _TRIED[best], configs)


def _lines(trials: FlagTrials, ways: Iterable[Alternative]) -> list[tuple[str, ...]]:
    every = (words for way in ways for words in trials.lines(way))
    return list(dict.fromkeys(islice(every, _MOST_TRIED)))


def which_route(
    world: World,
    ends: tuple[Label, Label],
    avoid: tuple[str, ...],
    via: tuple[str, ...],
    through: tuple[str, ...],
) -> tuple[Route, RouteAnswer]:
    """What the words of the question mean.

    A name to avoid means every target so named; a name to come by means the one of them
    that lies between the ends.
    """
    problems: list[NameAnswer] = []
    patterns: list[TargetPattern] = []
    for text in avoid:
        meant = _patterns(world, text)
        if isinstance(meant, NameAnswer):
            problems.append(meant)
        else:
            patterns += meant
    stops: list[Label] = []
    for text in via:
        stop = _stop(world, ends, text)
        if isinstance(stop, NameAnswer):
            problems.append(stop)
        else:
            stops.append(stop)
    route = Route(tuple(patterns), tuple(stops), frozenset(through))
    avoided = tuple(pattern.text for pattern in patterns)
    kept = tuple(sorted(route.through))
    return route, RouteAnswer(avoided, route.via, kept, tuple(problems))


def _patterns(world: World, text: str) -> list[TargetPattern] | NameAnswer:
    if is_full_label(text):
        try:
            pattern = parse_pattern(text, MAIN_ROOT, world.loader.table.typed_names)
        except LabelError as error:
            return NameAnswer(text, None, why=str(error))
        if pattern.kind is not PatternKind.TARGET:
            return [pattern]
    targets = candidates(world.loader, text, world.loader.table.typed_names)
    if isinstance(targets, NoSuchName):
        return unresolved(world, targets)
    return [TargetPattern(str(label), label, PatternKind.TARGET) for label in targets]


def _stop(world: World, ends: tuple[Label, Label], text: str) -> Label | NameAnswer:
    targets = candidates(world.loader, text, world.loader.table.typed_names)
    if isinstance(targets, NoSuchName):
        return unresolved(world, targets)
    if len(targets) == 1:
        return targets[0]
    start, end = ends
    reached = world.graph.deps([start])
    between = [one for one in targets if one in reached and end in world.graph.deps([one])]
    if len(between) == 1:
        return between[0]
    ambiguous = AmbiguousName(text, tuple(between) or targets)
    count = len(ambiguous.candidates)
    where = " on the way" if between else ""
    why = f"`{text}` is the name of {count} targets{where}; say which"
    return NameAnswer(text, None, ambiguous.candidates, (), why)
