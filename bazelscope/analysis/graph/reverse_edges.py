"""Who has an edge to each target: the graph turned round, worked out once and kept.

To find what depends on one target takes the edges of all, so what was found is kept for the
next run. It rests on nothing but the packages that a search from its starts comes by, in their
order: those are loaded and compared, which spares reading their edges.
"""

from __future__ import annotations

import marshal
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from bazelscope.analysis.configuration.target_source import TargetSource
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.base import budget
from bazelscope.base.graph_walk import distances
from bazelscope.base.label import Label, PackageId
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.bazel.encoded_values import decode_label
from bazelscope.kept.pack import Input, Pack
from bazelscope.loading.cache.file_stamps import answer_digest
from bazelscope.loading.packages.package import Package

_OWN, _PACKAGE, _MISSING = "own", "package", "missing"
"""The kinds of inputs: `(_OWN, digest)` the workspace's own packages, `(_PACKAGE, repository,
package, digest)` one package, `(_MISSING, label)` a label that was followed in vain."""

_KIND = "arrivals"


class ArrivalsSource(TargetSource, Protocol):
    """Who has the packages, and keeps what is found out about them."""

    def packages(self, repository: str = "") -> tuple[PackageId, ...]: ...
    def package_digest(self, package: PackageId) -> bytes | None:
        """A hash of all that there is to know of a package; None if it cannot be told."""

    def kept(self, kind: str, code: str) -> Pack | None:
        """Where results of the package `code` of bazelscope are kept, if they are."""


class Above(NamedTuple):
    """A target that leads to another one: its number, how far away it is, and the number of the
    next target on the way."""

    number: int
    distance: int
    following: int


@dataclass(frozen=True, slots=True)
class Arrivals:
    """All targets that some starts reach, by number, and who has an edge to each: of target
    `n`, `sources[bounds[n]:bounds[n + 1]]`, in the order of the search."""

    texts: tuple[str, ...]
    bounds: tuple[int, ...]
    sources: tuple[int, ...]

    def label(self, number: int) -> Label:
        return decode_label(self.texts[number])

    def labels(self) -> Iterator[Label]:
        return map(decode_label, self.texts)

    def numbers(self, labels: Iterable[Label]) -> list[int]:
        """The numbers of those labels that are reached, in the same order."""
        known = {text: number for number, text in enumerate(self.texts)}
        return [known[text] for text in map(str, labels) if text in known]

    def above(self, ends: Sequence[int]) -> list[Above]:
        """Every other target that leads to one of `ends`, nearest first."""
        sources, bounds = self.sources, self.bounds
        following: dict[int, int] = {}

        def above(number: int) -> Sequence[int]:
            arriving = sources[bounds[number] : bounds[number + 1]]
            for source in arriving:
                following.setdefault(source, number)
            return arriving

        found = distances(ends, above)
        return [Above(n, distance, following[n]) for n, distance in found.items() if distance]


def arrivals(graph: TargetGraph, source: ArrivalsSource, start: Label | None) -> Arrivals:
    """What arrives at whatever `start` reaches; None: all targets of the workspace's own
    packages. All packages on the way are loaded afterwards, and missing targets asked for."""
    entries = source.kept(_KIND, "analysis")
    if entries is None:
        return _arrivals(graph, tuple(_starts(source, start)))
    key = (str(start or ""), str(graph.implicit), str(graph.visibility))

    def holds(item: Input) -> bool:
        if item[0] == _PACKAGE:
            digest: bytes = item[3]
            return source.package_digest(PackageId(item[1], item[2])) == digest
        if item[0] == _OWN:
            return _own(source) == item
        graph.node(decode_label(item[1]))  # The source remembers what it was asked for in vain.
        return True

    content = entries.get(key, holds)
    if content is not None:
        return Arrivals(*marshal.loads(zlib.decompress(content)))
    cuts = budget.current().cuts
    found = _arrivals(graph, tuple(_starts(source, start)))
    inputs = _inputs(source, found, start)
    if inputs is not None and budget.current().cuts == cuts:
        data = (found.texts, found.bounds, found.sources)
        entries.put(key, zlib.compress(marshal.dumps(data), 1), inputs)
    return found


def _starts(source: ArrivalsSource, start: Label | None) -> Iterator[Label]:
    if start is not None:
        yield start
        return
    for id in source.packages():
        package = source.package(id)
        if isinstance(package, Package):
            for name in package.targets:
                yield Label(id.repository, id.package, name)


def _arrivals(graph: TargetGraph, starts: Iterable[Label]) -> Arrivals:
    numbers = {label: number for number, label in enumerate(graph.deps(starts))}
    arriving: list[list[int]] = [[] for _ in numbers]
    for label, number in numbers.items():
        for target in graph.targets(label):
            before = arriving[numbers[target]]
            if not before or before[-1] != number:
                before.append(number)
    bounds = [0]
    sources: list[int] = []
    for before in arriving:
        sources += before
        bounds.append(len(sources))
    return Arrivals(tuple(map(str, numbers)), tuple(bounds), tuple(sources))


def _inputs(
    source: ArrivalsSource, found: Arrivals, start: Label | None
) -> tuple[Input, ...] | None:
    """What was looked at, in that order; None where something of it cannot be compared."""
    packages: dict[PackageId, None] = {}
    if start is None:
        packages = dict.fromkeys(source.packages())
    missing: list[Input] = []
    for number in range(len(found.texts)):
        label = found.label(number)
        packages.setdefault(label.package_id)
        package = source.package(label.package_id)
        if not isinstance(package, Package) or label.name not in package.targets:
            missing.append((_MISSING, found.texts[number]))
    inputs: list[Input] = [] if start is not None else [_own(source)]
    for id in packages:
        digest = source.package_digest(id)
        if digest is None:
            return None
        inputs.append((_PACKAGE, id.repository, id.package, digest))
    return (*inputs, *missing)


def _own(source: ArrivalsSource) -> Input:
    return (_OWN, answer_digest(source.packages()))
