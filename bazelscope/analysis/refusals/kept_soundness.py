"""That nothing is refused below some targets under some flags, kept for the next run.

To see it, every target is looked at with all its dependencies: most of the time of many a question,
and most trees are sound. Where something is refused it is looked for anew, so that what is told of
it is never old. It rests on every package that was loaded, WORKSPACE, and what was registered.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterable, Sequence
from dataclasses import replace

from bazelscope.analysis.configuration.toolchain_flags import compiler_environment
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.kept_edges import KeepsResults
from bazelscope.analysis.graph.packages_as_inputs import package_holds, package_inputs
from bazelscope.base import budget
from bazelscope.base.label import Label, PackageId
from bazelscope.flags.flag_values import flags_digest
from bazelscope.kept.pack import Input, name_of
from bazelscope.loading.cache.file_stamps import answer_digest

_KIND = "sound"
_WORLD, _REGISTERED = ":world", ":registered"
"""Kinds of inputs, which no repository is called; others are packages."""


class KeptSoundness:
    """What an earlier run has found sound below `labels`, and what this one finds."""

    def __init__(self, graph: ConfiguredGraph, labels: Iterable[Label]) -> None:
        self._graph = graph
        self._keeper = graph.graph.keeper
        self._pack = self._keeper.kept(_KIND, "analysis") if self._keeper is not None else None
        if self._keeper is not None and self._pack is not None:
            # What was asked for before decides what the walk asks for besides.
            self._before = _asked(graph, self._keeper)
            self._key = (*_key(graph), *map(str, labels), name_of(self._before))

    def is_known(self) -> bool:
        """Whether an earlier run has found all of it sound; asks for what that one asked for."""
        keeper, pack = self._keeper, self._pack
        if keeper is None or pack is None:
            return False
        content = pack.get(self._key, lambda item: _holds(keeper, item))
        if content is None:
            return False
        for id in marshal.loads(content):
            keeper.package(PackageId(*id))
        return True

    def keep(self) -> None:
        """Keeps that this run has found all of it sound, unless a limit cut something short."""
        keeper, pack = self._keeper, self._pack
        if keeper is None or pack is None or budget.current().cuts:
            return
        packages, *others = self._before
        packages_now, *others_now = _asked(self._graph, keeper)
        inputs, world = package_inputs(keeper), keeper.world_digest()
        if others_now != others or inputs is None or world is None:
            return
        registered = [
            (_REGISTERED, *asked, answer_digest(keeper.registered(*asked)))
            for asked in sorted(keeper.asked_registrations())
        ]
        known = frozenset(packages)
        added = [id for id in packages_now if id not in known]
        pack.put(self._key, marshal.dumps(added), ((_WORLD, world), *registered, *inputs))


def _key(graph: ConfiguredGraph) -> tuple[str, ...]:
    """What decides, besides packages: the flags, what a compiler is looked for by, and which
    edges the graph has."""
    configuration, edges = graph.configuration, graph.graph
    modes = (edges.implicit, edges.visibility, edges.condition_visibility)
    limits = budget.current().limits.configurations
    seen = sorted(compiler_environment(configuration).items())
    mappings = replace(graph.mappings, own_flags=None)
    flags = flags_digest(configuration.flags)
    return (flags, name_of((configuration.key, modes, limits, seen, mappings)))


def _asked(graph: ConfiguredGraph, keeper: KeepsResults) -> tuple[Sequence[object], ...]:
    """What was asked for so far, and answers tell of: packages, targets in vain, assumptions."""
    packages = sorted(map(tuple, keeper.loaded_packages()))
    return packages, sorted(map(str, keeper.asked_in_vain())), graph.assumed()


def _holds(keeper: KeepsResults, item: Input) -> bool:
    if item[0] == _WORLD:
        return bool(keeper.world_digest() == item[1])
    if item[0] == _REGISTERED:
        _, what, extra, digest = item
        return bool(answer_digest(keeper.registered(what, extra)) == digest)
    return package_holds(keeper, item)
