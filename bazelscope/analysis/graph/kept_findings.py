"""What a walk below some targets under some flags has found, kept for the next run.

Every target is looked at with all its dependencies: most of the time of many a question. What was
found rests on every package that was loaded, WORKSPACE, and what was registered. Whoever reads it
asks for what the walk asked for, since answers tell of that, too.
"""

from __future__ import annotations

import marshal
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from bazelscope.analysis.configuration.toolchain_flags import compiler_environment
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.packages_as_inputs import package_holds, package_inputs
from bazelscope.base import budget
from bazelscope.base.label import Label, PackageId
from bazelscope.bazel.encoded_values import decode_label
from bazelscope.flags.flag_values import flags_digest
from bazelscope.kept.kept_files import name_of
from bazelscope.kept.pack import Input
from bazelscope.loading.cache.file_stamps import answer_digest
from bazelscope.loading.loader import Loader

_WORLD, _REGISTERED = ":world", ":registered"
"""Kinds of inputs, which no repository is called; others are packages."""


class KeptFinding:
    """What an earlier run has found below `labels`, and what this one finds, of one `kind`: plain
    values, written by the packages `code` of bazelscope besides the analysis. `told_of` is what
    else they tell of. To be made before the walk begins."""

    def __init__(
        self,
        graph: ConfiguredGraph,
        kind: str,
        labels: Iterable[Label],
        *code: str,
        told_of: str = "",
    ) -> None:
        self._graph = graph
        self._keeper = graph.graph.keeper
        self._pack = (
            self._keeper.parts.results.of(kind, "analysis", *code)
            if self._keeper is not None
            else None
        )
        if self._keeper is not None and self._pack is not None:
            # What was asked for before decides what the walk asks for besides.
            self._before = _asked(graph, self._keeper)
            *names, assumed = self._before
            asked = (*map(sorted, names), assumed)
            self._key = (*_key(graph), *map(str, labels), name_of((asked, told_of)))

    def known(self) -> Any:
        """What an earlier run has found, None if none has; asks for what that one asked for."""
        keeper, pack, graph = self._keeper, self._pack, self._graph.graph
        if keeper is None or pack is None:
            return None
        content = pack.get(self._key, lambda input: _holds(keeper, input))
        if content is None:
            return None
        packages, in_vain, absent, findings = marshal.loads(zlib.decompress(content))
        for id in packages:
            keeper.package(PackageId(*id))
        for text in in_vain:
            graph.source.target(decode_label(text))
        for text in absent:
            graph.edges(decode_label(text))
        return findings

    def keep(self, findings: Any, rests_on: Iterable[PackageId] = ()) -> None:
        """Keeps what this run has found, unless a limit cut something short. It `rests_on` these
        packages, too, whether or not this run has loaded them."""
        keeper, pack = self._keeper, self._pack
        if keeper is None or pack is None or budget.current().cuts:
            return
        *before, assumed = self._before
        *now, assumed_now = _asked(self._graph, keeper)
        inputs, world = package_inputs(keeper, rests_on), keeper.parts.world_digest()
        if assumed_now != assumed or inputs is None or world is None:
            return
        registered = [
            (_REGISTERED, *asked, answer_digest(keeper.registered(*asked)))
            for asked in sorted(keeper.account.registrations)
        ]
        known = map(frozenset, before)
        added = [
            [one for one in new if one not in old] for new, old in zip(now, known, strict=True)
        ]
        content = zlib.compress(marshal.dumps((*added, findings)), 1)
        pack.put(self._key, content, ((_WORLD, world), *registered, *inputs))


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


def _asked(graph: ConfiguredGraph, keeper: Loader) -> tuple[Sequence[Any], ...]:
    """What was asked for so far, and answers tell of: packages, what is told of no target, what
    is none, and assumptions."""
    packages = [tuple(id) for id in keeper.loaded_packages()]
    in_vain, absent = keeper.account.untold, graph.graph.absent
    return packages, [*map(str, in_vain)], [*map(str, absent)], graph.nodes.assumed()


def _holds(keeper: Loader, input: Input) -> bool:
    if input[0] == _WORLD:
        return bool(keeper.parts.world_digest() == input[1])
    if input[0] == _REGISTERED:
        _, what, extra, digest = input
        return bool(answer_digest(keeper.registered(what, extra)) == digest)
    return package_holds(keeper, input)
