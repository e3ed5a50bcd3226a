"""What another process finds of implementations while this one looks at all else that Bazel may
refuse: most trees are sound, and then nothing but that has to be told.

The other process walks as this one does, so that what is asked for next is known by then. It ends
at the first target that may not be sound: who asks looks at that one, and at all that come after
it, by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Sized
from contextlib import suppress

from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.refusals.closure import ASPECTS, ClosureWalk, Frame
from bazelscope.analysis.refusals.sound_ahead import Name, Names, SoundAhead, Told
from bazelscope.base import budget
from bazelscope.base.label import Label
from bazelscope.loading.loader import Loader

_WORTH_A_PROCESS = 1000
"""To begin one that has all this in memory takes as long as to look at a hundred targets."""
_TOGETHER = 64
"""So many targets are told of at once."""


def judged_ahead(graph: ConfiguredGraph, tops: Sequence[Label]) -> SoundAhead | None:
    """Begins to look at the implementations of what is below `tops`, which is loaded; None where
    nobody can, or there is little to look at."""
    keeper = graph.graph.keeper
    if keeper is None or len(graph.expanded) < _WORTH_A_PROCESS:
        return None
    if graph.configuration.value(ASPECTS).values:
        return None  # They run on targets that had to be run by who asks.
    names = Names(graph)

    def work(tell: Callable[[list[_Found]], None]) -> None:
        walk = _ImplementationsWalk(graph, keeper, names, tell)
        with suppress(_NotSoundError):
            for label in tops:
                walk.visit(label)
        walk.flush()

    process = keeper.ahead(work)
    return None if process is None else SoundAhead(process, names)


_Found = tuple[Name, str]
"""A target, and what is told of it."""


class _NotSoundError(Exception):
    """A target may be refused."""


class _ImplementationsWalk(ClosureWalk):
    """The walk of the other process, as if all else were sound."""

    def __init__(
        self,
        graph: ConfiguredGraph,
        keeper: Loader,
        names: Names,
        tell: Callable[[list[_Found]], None],
    ) -> None:
        super().__init__(graph)
        self._keeper = keeper
        self._names = names
        self._tell = tell
        self._cuts = budget.current().cuts
        self._found: list[_Found] = []

    def flush(self) -> None:
        """Tells what is not told yet."""
        self._tell(self._found)
        self._found = []

    def _judge(self, frame: Frame) -> None:
        node = frame.node
        before = self._asked()
        if (
            frame.stops
            or frame.below_failed
            or self._incompatible
            or self._implementations.refused_of_attributes(node)
            or self._of_carried(node)
            or (self._implementations.is_written(node) and self._implementations.refused(node))
        ):
            raise _NotSoundError
        asked = self._asked()
        conflicts = self._implementations.refused_of_outputs(node)
        if conflicts or self._asked() != asked or budget.current().cuts != self._cuts:
            raise _NotSoundError
        self._failed[node] = False
        told = Told.SOUND if asked == before else Told.ASKS
        self._found.append((self._names.of(node), told.value))
        if len(self._found) == _TOGETHER:
            self.flush()

    def _asked(self) -> tuple[int, ...]:
        """How much was asked for so far of what an answer tells, or is made from."""
        account, nodes = self._keeper.account, self._graph.nodes
        asked: tuple[Sized, ...]
        asked = (account.packages, account.looked_up, account.missed, account.untold)
        asked += (account.registrations, self._graph.graph.absent, nodes.assumed())
        return tuple([len(one) for one in asked])
