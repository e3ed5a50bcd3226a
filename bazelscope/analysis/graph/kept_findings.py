"""What a walk below some targets under some flags has found, kept for the next run.

Every target is looked at with all its dependencies: most of the time of many a question. What was
found rests on every package that was loaded, WORKSPACE, and what was registered. Whoever reads it
asks for what the walk asked for, since answers tell of that, too.
"""

from __future__ import annotations

import marshal
import zlib
from collections.abc import Callable, Iterable, Sequence
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
            self._keeper.kept(kind, "analysis", *code) if self._keeper is not None else None
        )
        if self._keeper is not None and self._pack is not None:
            # What was asked for before decides what the walk asks for besides.
            self._before = _asked(graph, self._keeper)
            *names, assumed = self._before
            asked = (*map(sorted, names), assumed)
            self._key = (*_key(graph), *map(str, labels), name_of((asked, told_of)))

    def known(self) -> Any:
        """What an earlier run has found, None if none has; asks for what that one asked for."""
        keeper, pack, graph = self._keeper, self._pack, self._graph
        if keeper is None or pack is None:
            return None
        content = pack.get(self._key, lambda input: _holds(keeper, input))
        if content is None:
            return None
        packages, in_vain, absent, findings = marshal.loads(zlib.decompress(content))
        _ask(graph, keeper, packages, in_vain, absent)
        return findings

    def keep(self, findings: Any, rests_on: Iterable[PackageId] = ()) -> None:
        """Keeps what this run has found, unless a limit cut something short. It `rests_on` these
        packages, too, whether or not this run has loaded them."""
        keeper, pack = self._keeper, self._pack
        if keeper is None or pack is None or budget.current().cuts:
            return
        now = _asked(self._graph, keeper)
        inputs, world = package_inputs(keeper, rests_on), keeper.world_digest()
        if now[-1] != self._before[-1] or inputs is None or world is None:
            return
        registered = [
            (_REGISTERED, *asked, answer_digest(keeper.registered(*asked)))
            for asked in sorted(keeper.asked_registrations())
        ]
        content = zlib.compress(marshal.dumps((*_added(self._before, now), findings)), 1)
        pack.put(self._key, content, ((_WORLD, world), *registered, *inputs))


class FoundAside:
    """What `find` finds in a graph, plain values, in another process while this one goes on."""

    def __init__(self, graph: ConfiguredGraph, find: Callable[[], Any]) -> None:
        self._graph = graph
        keeper = self._keeper = graph.graph.keeper

        def found() -> tuple[Any, ...]:
            assert keeper is not None
            before, registered = _asked(graph, keeper), set(keeper.asked_registrations())
            findings = find()
            now = _asked(graph, keeper)
            rests_on = keeper.packages_rested_on().keys() - keeper.loaded_packages().keys()
            return (
                findings,
                [tuple(id) for id in rests_on],
                [one for one in keeper.asked_registrations() if one not in registered],
                [*map(repr, now[-1])],
                *_added(before, now),
            )

        self._found = keeper.aside(found) if keeper is not None else None

    def take(self) -> tuple[Any, list[PackageId]] | None:
        """Waits for what was found, and asks for what was asked for there. Returns it with the
        packages that it rests on besides; None where it has to be found here."""
        found, self._found = self._found and self._found(), None
        keeper, graph = self._keeper, self._graph
        if found is None or keeper is None:
            return None
        findings, rests_on, registered, assumed, *asked = found
        # What has been taken for granted there alone, nobody could tell here.
        if not set(assumed).issubset(map(repr, graph.nodes.assumed())):
            return None
        _ask(graph, keeper, *asked)
        for one in registered:
            keeper.registered(*one)
        return findings, [PackageId(*id) for id in rests_on]


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
    in_vain, absent = keeper.asked_in_vain(), graph.graph.absent
    return packages, [*map(str, in_vain)], [*map(str, absent)], graph.nodes.assumed()


def _added(before: Sequence[Any], now: Sequence[Any]) -> list[list[Any]]:
    """What was asked for in between, but for assumptions."""
    known = map(frozenset, before[:-1])
    return [[one for one in new if one not in old] for new, old in zip(now, known, strict=False)]


def _ask(
    graph: ConfiguredGraph,
    keeper: Loader,
    packages: Iterable[tuple[str, str]],
    in_vain: Iterable[str],
    absent: Iterable[str],
) -> None:
    """Asks for what a walk has asked for that is not made again."""
    for id in packages:
        keeper.package(PackageId(*id))
    for text in in_vain:
        graph.graph.source.target(decode_label(text))
    for text in absent:
        graph.graph.edges(decode_label(text))


def _holds(keeper: Loader, input: Input) -> bool:
    if input[0] == _WORLD:
        return bool(keeper.world_digest() == input[1])
    if input[0] == _REGISTERED:
        _, what, extra, digest = input
        return bool(answer_digest(keeper.registered(what, extra)) == digest)
    return package_holds(keeper, input)
