"""Why one target depends on another: the path to show, or every path, and what each takes.

The one path to show needs the fewest changes of what is in force, then has the fewest
conditional edges, then the fewest edges. All paths come shortest first. The formulas of a
path's edges are put together as it grows: where no flags are left that take all of them, it is
no path; it is left out of the list, and shown only where there is no other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

from bazelscope.analysis.conditions.diagrams import FALSE, TRUE, TooLargeError
from bazelscope.analysis.conditions.edges import Edge
from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.analysis.paths.clashes import Clash, why_none
from bazelscope.analysis.paths.edges_of_flags import Closures
from bazelscope.analysis.paths.reach import Reach, Reaches, State, Step
from bazelscope.analysis.paths.routes import FREE_ROUTE, Route, RoutedEdges
from bazelscope.analysis.paths.shortest_steps import Taken, plain_steps, shortest_steps
from bazelscope.analysis.paths.transition_scopes import TOP
from bazelscope.analysis.paths.witnesses import Witnesses
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.named_tuple import NamedTuple


@dataclass(frozen=True, slots=True)
class Path:
    """A path from `start`. `formula` says under which flags there is one over these targets;
    if under none, `clash` says why."""

    start: State
    steps: tuple[Step, ...]
    formula: int
    clash: Clash | None = None

    @property
    def labels(self) -> tuple[Label, ...]:
        return (self.start.label, *(step.target.label for step in self.steps))

    @property
    def states(self) -> tuple[State, ...]:
        """The targets in their configurations, from the first one on."""
        return (self.start, *(step.target for step in self.steps))


@dataclass(frozen=True, slots=True)
class Paths:
    """Paths between two targets, shortest first.

    `left_out` are contradictions with the number of paths that each rules out (None where
    cycles keep that from being counted). `more` is the number of paths that were not
    looked at, contradictory ones among them, None if it cannot be told; `is_complete`
    says that there are none.
    """

    paths: tuple[Path, ...] = ()
    left_out: tuple[tuple[Clash, int | None], ...] = ()
    more: int | None = 0
    is_complete: bool = True


class Place(NamedTuple):
    """A target on a path, and how many of the route's `via` lie behind."""

    label: Label
    done: int


class PathSpace:
    """The unconfigured graph along one route, as `SimplePaths` walks it."""

    def __init__(self, reaches: Reaches, source: Label, target: Label, route: Route) -> None:
        self.route = route
        self.target = target
        self.start = Place(source, route.behind(source, 0))
        self._reaches = reaches

    def successors(self, place: Place) -> Iterator[tuple[Place, int]]:
        weights: dict[Place, int] = {}
        if place.label == self.target:
            return iter(())
        for edge in self._reaches.edges(State(place.label, TOP)):
            after = Place(edge.target, self.route.behind(edge.target, place.done))
            weights[after] = min(int(edge.branch is not None), weights.get(after, 1))
        return iter(weights.items())

    def is_end(self, place: Place) -> bool:
        return place.label == self.target and place.done == self.route.length

    def site(self, place: Place) -> Label:
        return place.label


class _Prefix(NamedTuple):
    """Under which flags each configuration of a prefix's last target is reached, and the steps
    that lead from one of its targets to the next."""

    arrival: dict[State, int]
    steps: tuple[tuple[tuple[State, Step], ...], ...] = ()


@dataclass(eq=False)
class PathFinder:
    """Searches for paths between two targets along one route.

    `reaches` may be without the edges that lead to no end; `conditions` say what is in force.
    """

    _reaches: Reaches
    _conditions: Conditions
    _source: Label
    _target: Label
    _route: Route = FREE_ROUTE

    def __post_init__(self) -> None:
        self._diagrams = self._reaches.formulas.diagrams
        self.start = self._reaches.start(self._source)
        self.witnesses = Witnesses(self._reaches.formulas.atoms, self._conditions)

    def reach(self) -> Reach | None:
        """What the source reaches along the route, as far as that decides whether it reaches the
        target; None if there are too many cases."""
        try:
            return self._always() or self._reaches.of(self._source, self._route.via)
        except TooLargeError:
            return None

    def _always(self) -> Reach | None:
        """As `reach`, where one way is always taken and nothing is refused as things are: then the
        formulas of all others come to nothing."""
        if self._route != FREE_ROUTE:
            return None
        taken = self.witnesses.taken({})
        steps = plain_steps(self._reaches, self.start, {self._target}, taken)
        if steps is None or any(step.formula != TRUE for step in steps):
            return None
        if self._reaches.may_be_refused(self._conditions):
            return None
        end = steps[-1].target if steps else self.start
        return Reach(self.start, {self.start: TRUE, end: TRUE}, {}, FALSE)

    def best(self, reach: Reach | None) -> Path | None:
        """The path to show; None if none leads from the source to the target that way."""
        try:
            path = self._nearest(reach) if reach is not None else None
        except TooLargeError:
            reach = path = None
        if path is not None:
            return path
        if self._route.via:
            # Where targets depend on each other, the shortest way to one of `via` may bar the way.
            listed = self.every(1, can_be_best=False).paths
            if listed:
                return listed[0]
        if reach is None:
            steps = self._shortest(self.witnesses.taken({}))
            if steps is not None:
                return self._path(steps)
        chain = self._shortest(lambda formula: True)
        return None if chain is None else self._path(chain)

    def _nearest(self, reach: Reach) -> Path | None:
        """The path that changes the fewest flags; None if no flags take any."""
        whole = self._reaches.labels(reach, [self._target])
        accepted = self._diagrams.without(whole, reach.refused)
        candidates: list[tuple[tuple[int, int], int, tuple[Step, ...]]] = []
        nearest = self.witnesses.nearest(accepted if accepted != FALSE else whole)
        for number, assignment in enumerate(nearest):
            steps = self._shortest(self.witnesses.taken(assignment))
            if steps is not None:
                weight = sum(step.edge.branch is not None for step in steps), len(steps)
                candidates.append((weight, number, steps))
        for _, _, steps in sorted(candidates, key=lambda one: one[:2]):
            path = self._path(steps)
            if not self._route.via or len(set(path.labels)) == len(path.labels):
                return path
        return None

    def every(self, most: int = 10, can_be_best: bool = True) -> Paths:
        """The shortest paths that some flags take, at most so many."""
        from bazelscope.analysis.paths.simple_paths import SimplePaths

        space = PathSpace(self._reaches, self._source, self._target, self._route)
        walks = SimplePaths(space, space.start)
        left_out: dict[Clash, int | None] = {}

        def extend(prefix: _Prefix, place: Place, after: Place) -> _Prefix | None:
            longer = self._extended(prefix, after.label)
            if longer.arrival:
                return longer
            clash = why_none(self._reaches, self._chain(longer, lambda formula: True))
            if clash is not None:
                ruled_out, before = walks.completions(after), left_out.get(clash, 0)
                is_known = ruled_out is not None and before is not None
                left_out[clash] = (before or 0) + (ruled_out or 0) if is_known else None
            return None

        paths: list[Path] = []
        with suppress(TooLargeError):
            for _, prefix in walks.shortest(most, _Prefix({self.start: TRUE}), extend):
                paths.append(self._listed(prefix))
        is_complete = walks.is_complete
        if not paths and is_complete and can_be_best:
            # A path may come by one target twice, in two configurations.
            best = self.best(self.reach())
            if best is not None and best.clash is None:
                return Paths((best,), is_complete=False, more=None)
        reasons = tuple(sorted(left_out.items(), key=lambda one: (-(one[1] or 0), str(one[0]))))
        total, gone = walks.total, [count for _, count in reasons]
        more: int | None = None
        if is_complete:
            more = 0
        elif total is not None:
            more = total - len(paths) - sum(count or 0 for count in gone)
        return Paths(tuple(paths), reasons, more, is_complete)

    def _extended(self, prefix: _Prefix, label: Label) -> _Prefix:
        """A prefix with one more target; without arrivals if no flags lead there."""
        arrival: dict[State, int] = {}
        steps: list[tuple[State, Step]] = []
        for state, here in prefix.arrival.items():
            for step in self._reaches.steps(state):
                if step.target.label != label:
                    continue
                steps.append((state, step))
                reached = self._diagrams.both(here, step.formula)
                if reached != FALSE:
                    before = arrival.get(step.target, FALSE)
                    arrival[step.target] = self._diagrams.either(before, reached)
        return _Prefix(arrival, (*prefix.steps, tuple(steps)))

    def _listed(self, prefix: _Prefix) -> Path:
        """The path of a whole prefix: of parallel edges those that need the fewest changes."""
        formula = self._diagrams.any(prefix.arrival.values())
        (nearest,) = self.witnesses.nearest(formula, 1)
        return Path(self.start, self._chain(prefix, self.witnesses.taken(nearest)), formula)

    def _chain(self, prefix: _Prefix, is_taken: Taken) -> tuple[Step, ...]:
        """Steps of a prefix, one after the other, that are taken; unconditional ones first."""
        chains: dict[State, tuple[Step, ...]] = {self.start: ()}
        for layer in prefix.steps:
            longer: dict[State, tuple[Step, ...]] = {}
            for state, step in sorted(layer, key=lambda one: one[1].formula != TRUE):
                if state in chains and is_taken(step.formula):
                    longer.setdefault(step.target, (*chains[state], step))
            chains = longer
        return next(iter(chains.values()), ())

    def _path(self, steps: tuple[Step, ...]) -> Path:
        prefix = _Prefix({self.start: TRUE})
        try:
            for step in steps:
                prefix = self._extended(prefix, step.target.label)
            formula = self._diagrams.any(prefix.arrival.values())
        except TooLargeError:
            return Path(self.start, steps, TRUE)
        clash = why_none(self._reaches, steps) if formula == FALSE else None
        return Path(self.start, steps, formula, clash)

    def _shortest(self, is_taken: Taken) -> tuple[Step, ...] | None:
        return shortest_steps(self._reaches, self.start, {self._target}, is_taken, self._route)


def leading_edges(
    graph: TargetGraph, closures: Closures, source: Label, target: Label, route: Route = FREE_ROUTE
) -> Callable[[Edge], bool]:
    """Tells the edges that lie on some way from `source`, whose `closures` are given, to `target`
    that the route allows."""
    leading = closures.leading([target])
    if not route.avoid and not route.through:
        return leading
    routed = RoutedEdges(graph, route, source, target)
    return lambda edge: leading(edge) and routed.allows(edge)
