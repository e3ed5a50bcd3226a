"""What a target reaches in each set of packages that flags load, without loading all of each.

Most sets differ in few packages from another one: what such a set has beside that one is looked
at while that one is in memory. One that differs more is loaded as a whole.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import field

from bazelscope.analysis.conditions.diagrams import TooLargeError
from bazelscope.analysis.paths.kept_reach import LEFT_OUT, ReachSummary, beside, summary
from bazelscope.analysis.paths.reach import Reaches
from bazelscope.analysis.paths.reach_beside import KnownReach
from bazelscope.base import budget, phases
from bazelscope.base.label import Label, PackageId
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.kept.pack import Input
from bazelscope.loading.loader import Loader
from bazelscope.loading.shared_packages import (
    PartRests,
    Rests,
    files_of,
    made_otherwise,
    rests_as_told,
    rests_on,
    would_make,
)
from bazelscope.questions.shared.conditions.loaded_sets import LoadedSets
from bazelscope.questions.shared.world import World

_FEW = 20
"""Packages in which a set may differ from another one to be looked at beside it."""


@dataclass(slots=True)
class _Set:
    """A set that is in memory as a whole: its packages, and those beside it that were looked at,
    by the packages that differ."""

    known: KnownReach
    rests: PartRests
    beside: dict[frozenset[PackageId], list[tuple[Rests, int]]]


@dataclass(slots=True)
class OtherReaches:
    """Finds what `start` reaches in all sets that were `loaded`, of which the first is the
    line's own, where that is `reached`; `edges` makes the graph of a set."""

    start: Label
    loaded: LoadedSets
    edges: Callable[[World], Reaches]
    reached: ReachSummary
    summaries: list[ReachSummary] = field(init=False)
    _own: dict[int, int] = field(init=False)
    _files: set[Input] | None = field(default_factory=set)

    def __post_init__(self) -> None:
        self.summaries = [beside(self.reached, self.reached)]
        self._own = {0: 0}

    def all(self) -> tuple[list[int], list[ReachSummary], set[Input] | None]:
        """By set which of the summaries is its own, or `LEFT_OUT`; the summaries, each beside that
        of the line; and the files that the sets are made from, None if that cannot be told."""
        left = list(range(1, len(self.loaded.sets)))
        with phases.phase("looking at what configs load"):
            here: _Set | None = self._whole(0) if left else None
            # What is collected below is of other sets only, unless somebody has frozen what his
            # process holds: nobody can thaw ours alone.
            freezes = gc.get_freeze_count() == 0
            if freezes:
                gc.collect()
                gc.freeze()
            try:
                while left and budget.current().spent_on_files() is None:
                    if here is not None:
                        left = [number for number in left if not self._is_beside(here, number)]
                    if not left:
                        break
                    number = left.pop(0)
                    here = None
                    gc.collect()  # Packages and their graph refer to each other: now or too late.
                    here = self._whole(number)
                    self._close(number)
            finally:
                if freezes:
                    gc.unfreeze()
        same = [self._own.get(number, LEFT_OUT) for number in range(len(self.loaded.sets))]
        return same, self.summaries, self._files

    def _whole(self, number: int) -> _Set | None:
        """Loads all of a set; None where there are too many cases."""
        world = self.loaded.sets[number].world
        if number:
            world.loader.prepare(self.loaded.sets[0].world.loader.loaded_packages())
        else:
            world.graph.deps([self.start])  # An earlier run may have kept what is reached.
        reaches = self.edges(world)
        try:
            known = KnownReach(reaches, reaches.of(self.start))
        except TooLargeError:
            self._own.setdefault(number, LEFT_OUT)
            return None
        if number:
            self._add(number, summary(reaches, known.reach, known.incompatible))
        loader = world.loader
        loader.save()
        loader.leave()
        rests = rests_as_told(loader)
        self._note(loader, rests_on(loader))
        return _Set(known, rests, {frozenset(): [((), self._own[number])]})

    def _is_beside(self, here: _Set, number: int) -> bool:
        """Looks at a set if it differs in few packages from one that is there."""
        world = self.loaded.sets[number].world
        loader = world.loader
        changed = frozenset(made_otherwise(loader, here.rests))
        if len(changed) > _FEW:
            return False
        alike = here.beside.setdefault(changed, [])
        own = next((own for rests, own in alike if would_make(loader, rests)), None)
        if own is not None:
            self._own[number] = own
            self._close(number)
            return True
        reaches = self.edges(world)
        try:
            reached = here.known.beside(reaches, changed)
        except TooLargeError:
            return False
        if reached is None:
            return False
        self._add(number, summary(reaches, *reached))
        loader.save()
        loader.leave()
        rests = rests_on(loader)
        self._note(loader, rests)
        if rests is not None:
            alike.append((rests, self._own[number]))
        self._close(number)
        return True

    def _add(self, number: int, reached: ReachSummary) -> None:
        self._own[number] = len(self.summaries)
        self.summaries.append(beside(reached, self.reached))

    def _close(self, number: int) -> None:
        """Leaves nothing of a set in memory but what others take from it."""
        phases.count(len(self._own) - 1, len(self.loaded.sets) - 1)
        self.loaded.put_down(number)

    def _note(self, loader: Loader, rests: Rests | None) -> None:
        """Takes note of the files that packages were made from."""
        more = files_of(loader, rests) if rests is not None else None
        self._files = None if self._files is None or more is None else self._files | more
