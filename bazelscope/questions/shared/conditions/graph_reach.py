"""What a target reaches, with the condition of each target, in the packages that flags load."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field
from functools import cached_property, partial

from bazelscope.analysis.conditions.diagrams import FALSE, Diagrams, TooLargeError
from bazelscope.analysis.conditions.edges import Edge
from bazelscope.analysis.conditions.formula_variables import Atoms
from bazelscope.analysis.conditions.formulas import Formulas
from bazelscope.analysis.paths.edges_of_flags import Closures
from bazelscope.analysis.paths.kept_reach import (
    KIND,
    LEFT_OUT,
    Others,
    ReachSummary,
    keep_others,
    keep_summary,
    kept_others,
    kept_summary,
    on,
    rests_on,
    summary,
)
from bazelscope.analysis.paths.reach import DISTINCT, Reaches, Step
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.flags.flag_values import flags_digest
from bazelscope.kept.pack import checksum
from bazelscope.questions.shared.conditions.flag_conditions import NotLoaded
from bazelscope.questions.shared.conditions.loaded_sets import LoadedSets
from bazelscope.questions.shared.world import World

Wanted = Callable[[ReachSummary], Iterable[Label]]
"""Chooses among what is reached."""


@dataclass(eq=False)
class GraphReach:
    """What a target reaches in the packages of one world, and which of that is wanted."""

    open_world: Callable[[], World]
    reached: ReachSummary
    start: Label
    wanted: tuple[Label, ...]
    leading: Callable[[], Reaches]
    """Makes the graph of the edges that lead to one of these."""

    @property
    def world(self) -> World:
        """The packages, which few questions need besides what is reached in them."""
        return self.open_world()

    @cached_property
    def reaches(self) -> Reaches:
        """The edges that lead to what is wanted, which few questions need."""
        return self.leading()

    def between(self) -> list[Step]:
        """Every edge that lies on a path to what is wanted which some flags take."""
        return self.reaches.between(self.reaches.of(self.start), self.wanted)

    def formula(self, diagrams: Diagrams) -> int:
        """Where one of the targets that are wanted is reached."""
        arrival = self.reached.arrival
        return diagrams.any(arrival.get(str(label), FALSE) for label in self.wanted)


@dataclass(slots=True)
class ReachFinder:
    """Finds what targets reach in the packages of `world`, those of the line, and in those that
    other flags load; what is found is kept for the next run."""

    world: World
    as_query: bool = False
    atoms: Atoms | None = None
    """Those of other formulas, which those found here can then be compared with."""
    formulas: Formulas = field(init=False)
    """Those of the line's packages; the formulas of other packages share their atoms."""
    _may_share_host: bool = field(init=False)
    _reached: ReachSummary = field(init=False)
    _rests_on: bytes | None = None

    def __post_init__(self) -> None:
        world, option = self.world, DISTINCT.removeprefix("--")
        is_set = option in world.flags.values or bool(world.option_values(option))
        self._may_share_host = is_set
        self.formulas = world.formulas(self.atoms)

    def edges(
        self, world: World | None = None, allowed: Callable[[Edge], bool] | None = None
    ) -> Reaches:
        """The edges in the packages of a world that are `allowed`, with their conditions."""
        world = world or self.world
        return Reaches(
            world.graph,
            self._formulas_in(world),
            may_share_host=self._may_share_host,
            allowed=allowed,
            as_query=self.as_query,
        )

    def graph(self, start: Label, wanted: Wanted) -> GraphReach | None:
        """What `start` reaches in the packages of the line, and which of the targets there are
        `wanted`; None if there are too many cases."""
        reached = self.summary(start)
        if reached is None:
            return None
        return self._graph_in(lambda: self.world, reached, start, wanted)

    def summary(self, start: Label) -> ReachSummary | None:
        """What `start` reaches in the packages of the line; None if there are too many cases."""
        try:
            self._reached, self._rests_on = self._reached_here(start)
        except TooLargeError:
            return None
        return self._reached

    def others(self, start: Label, loaded: LoadedSets, wanted: Wanted) -> list[GraphReach]:
        """What `start` reaches in the packages that other flags load. Sets of packages that come
        out the same are looked at once; those that cannot be are left out."""
        same, summaries = self._kept_others(start, loaded) or self._found_others(start, loaded)
        first: dict[int, int] = {}
        for number, own in enumerate(same):
            if first.setdefault(own, number) != number:
                loaded.same(number, first[own])
        left_out = [number for number, own in enumerate(same) if own == LEFT_OUT]
        loaded.leave_out(left_out, NotLoaded.TOO_MANY)
        reached = [on(self._reached, one) for one in summaries]
        return [
            self._graph_in(partial(loaded.world, number), reached[own], start, wanted)
            for number, own in enumerate(own for own in same if own != LEFT_OUT)
            if number
        ]

    def _reached_here(self, start: Label) -> tuple[ReachSummary, bytes | None]:
        """What `start` reaches in the line's own packages, and a hash of what that rests on."""
        atoms, loader, key = self.formulas.atoms, self.world.loader, self._key(start)
        kept = kept_summary(loader, atoms, key)
        if kept is not None:
            return kept, rests_on(loader, key)
        world = self.world
        world.graph.deps([start])  # Loads packages on all cores.
        reaches = self.edges(world)
        reach = reaches.of(start)
        reached = summary(reaches, reach, reaches.incompatible(reach))
        keep_summary(loader, atoms, key, reached)
        return reached, rests_on(loader)

    def _key(self, start: Label) -> tuple[str, ...]:
        named = checksum(repr(self.world.named_targets()).encode()).hex()
        return (str(start), str(self._may_share_host), flags_digest(self.world.flags), named)

    def _kept_others(self, start: Label, loaded: LoadedSets) -> Others | None:
        """What an earlier run found out about all sets, without loading one of them."""
        entries, state = self.world.loader.parts.results.of(KIND, "analysis"), self._state(loaded)
        if entries is None or state is None:
            return None
        key = ("others", *self._key(start))
        return kept_others(
            entries, self.formulas.atoms, key, state, self.world.loader.parts.stamps.holds
        )

    def _state(self, loaded: LoadedSets) -> bytes | None:
        """A hash of all that what is reached in other sets rests on, but for the files that only
        these are made from; None if it cannot be told."""
        world = self.world.loader.parts.world_digest()
        if self._rests_on is None or world is None:
            return None
        return checksum(repr((self._rests_on, world, loaded.told())).encode())

    def _found_others(self, start: Label, loaded: LoadedSets) -> Others:
        from bazelscope.questions.shared.conditions.other_reaches import OtherReaches

        finder = OtherReaches(start, loaded, self.edges, self._reached)
        same, summaries, files = finder.all()
        base = self.world.loader
        entries, state = base.parts.results.of(KIND, "analysis"), self._state(loaded)
        if entries is not None and state is not None and files is not None:
            key = ("others", *self._key(start))
            keep_others(entries, self.formulas.atoms, key, state, (same, summaries), files)
        return same, summaries

    def _formulas_in(self, world: World) -> Formulas:
        return self.formulas if world is self.world else world.formulas(self.formulas.atoms)

    def _graph_in(
        self, open_world: Callable[[], World], reached: ReachSummary, start: Label, wanted: Wanted
    ) -> GraphReach:
        ends = tuple(wanted(reached))

        def leading() -> Reaches:
            world = open_world()
            if reached.label_settings:  # Transitions may have given them other values.
                return self.edges(world)
            first = world.graph.arrivals(start)
            closures = Closures(world.graph, self._formulas_in(world), first)
            return self.edges(world, closures.leading(ends))

        return GraphReach(open_world, reached, start, ends, leading)
