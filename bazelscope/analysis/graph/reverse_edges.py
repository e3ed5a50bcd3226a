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
from typing import Protocol

from bazelscope.analysis.configuration.target_source import TargetSource
from bazelscope.analysis.graph.edge_columns import TargetShape
from bazelscope.analysis.graph.kept_edges import KeepsResults
from bazelscope.base import budget
from bazelscope.base.graph_walk import distances
from bazelscope.base.label import Label, PackageId
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.named_tuple import NamedTuple
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
    def prepare_below(self, labels: Collection[Label]) -> bool: ...


class HasPackages(Protocol):
    """Who knows all packages of the workspace."""

    def packages(self, repository: str = "", /) -> tuple[PackageId, ...]: ...


class Above(NamedTuple):
    """A target that leads to another one: its number, how far away it is, and the number of the
    next target on the way."""

    number: int
    distance: int
    following: int


@dataclass(frozen=True, slots=True)
class Arrivals:
    """All targets that some starts reach, by number, nearest first, and who has an edge to each:
    of target `n`, `sources[bounds[n]:bounds[n + 1]]`, in the order of the search. `levels` says how
    many there are of each distance; `kinds` are rule classes, "" of what is no rule, and `kind_of`
    has the place of each target's own. `open` are those of which something may be unknown."""

    texts: tuple[str, ...]
    bounds: array[int]
    sources: array[int]
    levels: tuple[int, ...]
    kinds: tuple[str, ...]
    kind_of: array[int]
    open: array[int]

    def label(self, number: int) -> Label:
        return decode_label(self.texts[number])

    def labels(self) -> Iterator[Label]:
        return map(decode_label, self.texts)

    def distances(self) -> dict[Label, int]:
        """Every target, and how far away it is from the starts."""
        far = [distance for distance, count in enumerate(self.levels) for _ in range(count)]
        return dict(zip(self.labels(), far, strict=True))

    def of_kinds(self, names: Collection[str]) -> list[Label]:
        """The rules of classes of these names, nearest first."""
        wanted = {place for place, name in enumerate(self.kinds) if name in names}
        return [self.label(number) for number, kind in enumerate(self.kind_of) if kind in wanted]

    def ending(self, end: str) -> list[Label]:
        """The targets whose labels end so."""
        return [decode_label(text) for text in self.texts if text.endswith(end)]

    def of_repository(self, name: str) -> list[Label]:
        """The targets of an external repository, nearest first."""
        begin = str(PackageId(name, ""))
        return [decode_label(text) for text in self.texts if text.startswith(begin)]

    def packages(self) -> set[str]:
        """The packages of all targets, as texts."""
        return {text.partition(":")[0] for text in self.texts}

    def among(self, labels: Iterable[Label]) -> list[Label]:
        """Those of `labels` that are reached."""
        return [label for label in labels if str(label) in self.texts]

    def numbers(self, labels: Iterable[Label]) -> list[int]:
        """The numbers of those labels that are reached, in the same order."""
        known = {text: number for number, text in enumerate(self.texts)}
        return [known[text] for text in map(str, labels) if text in known]

    def above(self, ends: Sequence[int]) -> list[Above]:
        """Every other target that leads to one of `ends`, nearest first."""
        following: dict[int, int] = {}

        def above(number: int) -> Sequence[int]:
            arriving = self.arriving(number)
            for source in arriving:
                following.setdefault(source, number)
            return arriving

        by_distance = distances(ends, above)
        return [Above(n, distance, following[n]) for n, distance in by_distance.items() if distance]

    def leading(self, labels: Iterable[Label]) -> frozenset[Label]:
        """Every target that leads to one of `labels`, and these themselves."""
        numbers = distances(self.numbers(labels), self.arriving)
        return frozenset([decode_label(self.texts[number]) for number in numbers])

    def in_cycles(self, labels: Iterable[Label]) -> frozenset[Label]:
        """What may be in a cycle with one of `labels`: nothing, where what leads to them can be
        put in an order."""
        leading = distances(self.numbers(labels), self.arriving)
        left = dict.fromkeys(leading, 0)
        for number in leading:
            for source in self.arriving(number):
                left[source] += 1
        ready = [number for number, count in left.items() if not count]
        for number in ready:
            del left[number]
            for source in self.arriving(number):
                left[source] -= 1
                if not left[source]:
                    ready.append(source)
        return frozenset([self.label(number) for number in left])

    def first_source(self, label: Label) -> Label | None:
        """The target by whose edge a search first comes to one; None of where it starts."""
        number = self.texts.index(str(label))
        return self.label(self.arriving(number)[0]) if number else None

    def arriving(self, number: int) -> Sequence[int]:
        """The numbers of the targets that have an edge to one."""
        return self.sources[self.bounds[number] : self.bounds[number + 1]]


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
    columns = made.bounds.tobytes(), made.sources.tobytes(), made.levels
    data = (made.texts, *columns, made.kinds, made.kind_of.tobytes(), made.open.tobytes())
    return zlib.compress(marshal.dumps(data), 1)


def _read(entries: Pack, key: Key) -> Arrivals | None:
    """What was kept, whether or not it still holds."""
    content = entries.get(key)
    if content is None:
        return None
    texts, bounds, sources, levels, kinds, *last = marshal.loads(zlib.decompress(content))
    kind_of, may_be_unknown = (array("I", column) for column in last)
    columns = array("I", bounds), array("I", sources), levels, kinds, kind_of, may_be_unknown
    return Arrivals(texts, *columns)


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
        self._open = frozenset(kept.open)
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
    for label in numbers:
        rule_class = graph.shape(label).rule_class
        kind_of.append(kinds.setdefault(rule_class.name if rule_class else "", len(kinds)))
    may_be_unknown = array("I", [n for label, n in numbers.items() if graph.is_open(label)])
    columns = bounds, sources, levels, tuple(kinds), kind_of, may_be_unknown
    return Arrivals(tuple(map(str, numbers)), *columns)


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
