"""Who has an edge to each target: the graph turned round, worked out once and kept.

To find what depends on one target takes the edges of all, so what was found is kept for the
next run. It rests on nothing but the packages that a search from its starts comes by, in their
order: those are loaded and compared, which spares reading their edges. Where some have changed,
their edges are read, and often lead where they led.
"""

from __future__ import annotations

import marshal
import zlib
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, Protocol

from bazelscope.analysis.configuration.target_source import TargetSource
from bazelscope.analysis.graph.arrivals import Arrivals
from bazelscope.analysis.graph.edge_columns import Keys, TargetShape
from bazelscope.analysis.graph.kept_edges import KeepsResults
from bazelscope.base import budget
from bazelscope.base.graph_walk import distances
from bazelscope.base.label import Label, PackageId
from bazelscope.bazel.attribute_types import Configured, RuleClass
from bazelscope.bazel.encoded_values import decode_label
from bazelscope.kept.pack import Input, Key, Pack
from bazelscope.loading.cache.file_stamps import answer_digest
from bazelscope.loading.packages.package import Package

_OWN, _PACKAGE, _MISSING = "own", "package", "missing"
"""The kinds of inputs: `(_OWN, digest)` the workspace's own packages, `(_PACKAGE, repository,
package, digest)` one package, `(_MISSING, label)` a label that was followed in vain."""

_KIND = "arrivals"


class Walked(Protocol):
    """A graph that can be walked, over packages; `keeper` keeps what is found out."""

    implicit: bool
    visibility: bool
    condition_visibility: bool
    keeper: KeepsResults | None

    @property
    def source(self) -> TargetSource: ...
    def edges(self, label: Label) -> Sequence[object]: ...
    def targets(self, label: Label) -> Sequence[Label]: ...
    def shape(self, label: Label) -> TargetShape: ...
    def is_open(self, label: Label) -> bool: ...
    def select_keys(self, label: Label) -> Keys: ...
    def prepare_below(self, labels: Collection[Label]) -> bool: ...


class HasPackages(Protocol):
    """Who knows all packages of the workspace."""

    def packages(self, repository: str = "", /) -> tuple[PackageId, ...]: ...


def arrivals(graph: Walked, start: Label) -> Arrivals:
    """What arrives at whatever `start` reaches. All packages on the way are loaded afterwards, and
    missing targets asked for."""
    return _kept(graph, str(start), lambda: (start,), None)


def all_arrivals(graph: Walked, source: HasPackages) -> Arrivals:
    """What arrives at whatever the workspace's own targets reach, by which edges."""
    return _kept(graph, "", lambda: _own_targets(graph.source, source), source)


def _kept(
    graph: Walked,
    name: str,
    starts: Callable[[], Iterable[Label]],
    every: HasPackages | None,
) -> Arrivals:
    keeper = graph.keeper
    entries = keeper.kept(_KIND, "analysis") if keeper is not None else None
    if entries is None or keeper is None:
        return _found(graph, starts())
    modes = (graph.implicit, graph.visibility, graph.condition_visibility)
    key = (name, *map(str, modes))
    kept = _read(entries, key)
    if kept is not None:
        inputs = _still(graph, keeper, kept, entries.inputs(key) or (), every)
        if inputs is not None:
            if inputs != entries.inputs(key):
                entries.put(key, _written(kept), inputs)
            return kept
        entries.drop(key)
    cuts = budget.current().cuts
    arrivals_there = _found(graph, starts())
    inputs = _inputs(keeper, arrivals_there, every)
    if inputs is not None and budget.current().cuts == cuts:
        entries.put(key, _written(arrivals_there), inputs)
    return arrivals_there


def _written(made: Arrivals) -> bytes:
    data = [getattr(made, name) for name in made.__slots__]
    plain = [one.tobytes() if isinstance(one, array) else one for one in data]
    return zlib.compress(marshal.dumps(plain), 1)


def _read(entries: Pack, key: Key) -> Arrivals | None:
    """What was kept, whether or not it still holds."""
    content = entries.get(key)
    if content is None:
        return None
    data: list[Any] = marshal.loads(zlib.decompress(content))
    columns: list[Any] = [array("I", one) if isinstance(one, bytes) else one for one in data]
    return Arrivals(*columns)


def _still(
    graph: Walked,
    keeper: KeepsResults,
    kept: Arrivals,
    inputs: tuple[Input, ...],
    every: HasPackages | None,
) -> tuple[Input, ...] | None:
    """What arrivals that were kept rest on now; None where a search would find others. Packages
    are loaded in the order in which a search comes by them, and none that it would not."""
    keeper.look_at([PackageId(*input[1:3]) for input in inputs if input[0] == _PACKAGE])
    changed: dict[PackageId, Input] = {}
    before: _Before | None = None
    for input in inputs:
        if input[0] == _PACKAGE:
            id = PackageId(input[1], input[2])
            digest = keeper.package_digest(id)
            if digest == input[3]:
                continue
            if every is not None or digest is None:
                return None
            before = before or _Before(kept)
            if not before.is_still(graph, id):
                return None
            changed[id] = (_PACKAGE, *id, digest)
        elif input[0] == _OWN and (every is None or _own(every) != input):
            return None
    if before is not None:
        inputs = before.inputs_now(keeper, inputs, changed)
    _ask_in_vain(graph, inputs)
    return inputs


class _Before:
    """The targets of each package that a search came by, and what each led to."""

    def __init__(self, kept: Arrivals) -> None:
        self._kept = kept
        self._numbers = {text: number for number, text in enumerate(kept.texts)}
        self._open, self._crossing = frozenset(kept.open), frozenset(kept.crossing)
        self._following: list[list[int]] = [[] for _ in kept.texts]
        for number in range(len(kept.texts)):
            for source in kept.arriving(number):
                self._following[source].append(number)
        self._of_package: dict[str, list[int]] = {}
        for number, text in enumerate(kept.texts):
            self._of_package.setdefault(text.partition(":")[0], []).append(number)

    def is_still(self, graph: Walked, package: PackageId) -> bool:
        """Whether a search goes on as it did where it comes by a package: each target there is of
        its class, as well known, and leads to the same targets."""
        kept = self._kept
        for number in self._of_package[str(package)]:
            label = kept.label(number)
            rule_class = graph.shape(label).rule_class
            if kept.kinds[kept.kind_of[number]] != (rule_class.name if rule_class else ""):
                return False
            if graph.is_open(label) != (number in self._open):
                return False
            if graph.select_keys(label) != kept.keys[kept.keys_of[number]]:
                return False
            if _crosses(rule_class) != (number in self._crossing):
                return False
            targets = [self._numbers.get(str(target), -1) for target in graph.targets(label)]
            if sorted(set(targets)) != self._following[number]:
                return False
            # Whom a search meets here first, it numbers in the order of the edges.
            first = [one for one in dict.fromkeys(targets) if kept.arriving(one)[0] == number]
            if first != sorted(first):
                return False
        return True

    def inputs_now(
        self, keeper: KeepsResults, inputs: Iterable[Input], changed: dict[PackageId, Input]
    ) -> tuple[Input, ...]:
        """What the arrivals rest on where packages have changed so that they hold."""
        packages = [
            changed.get(PackageId(*input[1:3]), input) for input in inputs if input[0] == _PACKAGE
        ]
        missing = [
            number
            for input in inputs
            if input[0] == _MISSING
            and decode_label(input[1]).package_id not in changed
            and (number := self._numbers.get(input[1])) is not None
        ]
        for id in changed:
            for number in self._of_package[str(id)]:
                if _is_missing(keeper, self._kept.label(number)):
                    missing.append(number)
        return (*packages, *((_MISSING, self._kept.texts[number]) for number in sorted(missing)))


def _ask_in_vain(graph: Walked, inputs: Iterable[Input]) -> None:
    """Asks for what was missing: it is remembered what was asked for in vain."""
    for input in inputs:
        if input[0] == _MISSING:
            graph.edges(decode_label(input[1]))


def _own_targets(source: TargetSource, every: HasPackages) -> Iterator[Label]:
    for id in every.packages():
        package = source.package(id)
        if isinstance(package, Package):
            for name in package.targets:
                yield Label(id.repository, id.package, name)


def _found(graph: Walked, starts: Iterable[Label]) -> Arrivals:
    reached = distances(starts, graph.targets, None, graph.prepare_below)
    numbers = {label: number for number, label in enumerate(reached)}
    arriving: list[list[int]] = [[] for _ in numbers]
    for label, number in numbers.items():
        for target in graph.targets(label):
            before = arriving[numbers[target]]
            if not before or before[-1] != number:
                before.append(number)
    bounds, sources = array("I", [0]), array("I")
    for before in arriving:
        sources.extend(before)
        bounds.append(len(sources))
    levels = tuple(Counter(reached.values()).values())
    kinds: dict[str, int] = {}
    kind_of = array("I")
    keys: dict[Keys, int] = {(): 0}
    keys_of = array("I")
    crossing = array("I")
    crosses: dict[int, tuple[RuleClass | None, bool]] = {}
    for label, number in numbers.items():
        rule_class = graph.shape(label).rule_class
        if id(rule_class) not in crosses:
            crosses[id(rule_class)] = rule_class, _crosses(rule_class)
        if crosses[id(rule_class)][1]:
            crossing.append(number)
        kind_of.append(kinds.setdefault(rule_class.name if rule_class else "", len(kinds)))
        keys_of.append(keys.setdefault(graph.select_keys(label), len(keys)))
    may_be_unknown = array("I", [n for label, n in numbers.items() if graph.is_open(label)])
    columns = bounds, sources, levels, tuple(kinds), kind_of, may_be_unknown, tuple(keys), keys_of
    return Arrivals(tuple(map(str, numbers)), *columns, crossing)


def _crosses(rule_class: RuleClass | None) -> bool:
    """Whether rules of a class have a transition, or an attribute that has one."""
    return rule_class is not None and (
        rule_class.transition is not None
        or any(one.configured is Configured.TRANSITION for one in rule_class.attributes.values())
    )


def _inputs(
    source: KeepsResults, arrivals_there: Arrivals, every: HasPackages | None
) -> tuple[Input, ...] | None:
    """What was looked at, in that order; None where something of it cannot be compared."""
    packages: dict[PackageId, Collection[str] | None] = {}
    """What each has."""
    if every is not None:
        packages = dict.fromkeys(every.packages())
    missing: list[Input] = []
    for text in arrivals_there.texts:
        label = decode_label(text)
        names = packages.get(label[:2])  # type: ignore[call-overload]
        if names is None:
            id = label.package_id
            package = source.package(id)
            names = packages[id] = package.targets.numbers if isinstance(package, Package) else ()
        if label.name not in names:
            missing.append((_MISSING, text))
    inputs: list[Input] = [] if every is None else [_own(every)]
    for id in packages:
        digest = source.package_digest(id)
        if digest is None:
            return None
        inputs.append((_PACKAGE, id.repository, id.package, digest))
    return (*inputs, *missing)


def _is_missing(source: KeepsResults, label: Label) -> bool:
    package = source.package(label.package_id)
    return not isinstance(package, Package) or label.name not in package.targets


def _own(every: HasPackages) -> Input:
    return (_OWN, answer_digest(every.packages()))
