"""Targets below which nothing is in a cycle and nothing names environments: most of every tree.

What a walk over all edges has found of each target it came by is kept for the next run, with the
packages that this rests on; a walk from another target goes no further than to those. So a
question about a target that nobody has asked for before looks as far as one about the whole tree,
and reads next to nothing again.
"""

from __future__ import annotations

import marshal
from collections.abc import Collection, Iterable, Iterator

from bazelscope.analysis.graph.kept_edges import KeepsResults
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.base import budget
from bazelscope.base.graph_walk import distances
from bazelscope.base.label import Label, PackageId

_KIND = "plain"
_ENVIRONMENT = "environment"
"""The class of rules by which it is known that somebody names environments."""
_MOST_WALKS = 16
"""How many walks are kept; what the oldest has found is found again."""


def packages_of_plain(graph: TargetGraph, start: Label) -> Collection[PackageId] | None:
    """Every package that `start` reaches, itself among them, if nothing there is in a cycle or an
    environment, whatever the flags; None where something is, or where nothing can be kept."""
    keeper = graph.keeper
    pack = keeper.kept(_KIND, "analysis") if keeper is not None else None
    if keeper is None or pack is None:
        return None
    key = tuple(map(str, (graph.implicit, graph.visibility, graph.condition_visibility)))
    content = pack.get(key)
    before: list[bytes] = [] if content is None else marshal.loads(content)
    kept = _Kept([_Walk(one, keeper) for one in before])
    known = kept.below(start)
    if known is not None:
        return known
    cuts = budget.current().cuts
    below = _walked(graph, start, kept)
    written = _written(keeper, below) if budget.current().cuts == cuts else None
    if written is not None:
        pack.put(key, marshal.dumps([written, *before[: _MOST_WALKS - 1]]))
    return below.get(start)


class _Walk:
    """What one walk has found: by package and name, on which packages it rests that a target is
    plain. These are bits, the packages' numbers."""

    def __init__(self, content: bytes, keeper: KeepsResults) -> None:
        self._keeper = keeper
        self._ids: tuple[tuple[str, str], ...]
        self._digests: tuple[bytes, ...]
        self._of_package: dict[tuple[str, str], bytes]
        self._ids, self._digests, self._of_package = marshal.loads(content)
        self._names: dict[tuple[str, str], dict[str, bytes]] = {}
        self._is_as_it_was: dict[int, bool] = {}
        self._below: dict[bytes, frozenset[PackageId] | None] = {}

    def below(self, label: Label) -> frozenset[PackageId] | None:
        """The packages that a target reaches, if it is plain and they are as they were."""
        id = (label.repository, label.package)
        names = self._names.get(id)
        if names is None:
            content = self._of_package.get(id)
            names = self._names[id] = {} if content is None else marshal.loads(content)
        bits = names.get(label.name)
        if bits is None:
            return None
        if bits not in self._below:
            numbers = [*_numbers(bits)]
            holds = all(map(self._holds, numbers))
            packages = frozenset(PackageId(*self._ids[one]) for one in numbers)
            self._below[bits] = packages if holds else None
        return self._below[bits]

    def _holds(self, number: int) -> bool:
        holds = self._is_as_it_was.get(number)
        if holds is None:
            digest = self._keeper.inputs_digest(PackageId(*self._ids[number]))
            holds = self._is_as_it_was[number] = digest == self._digests[number]
        return holds


class _Kept:
    """What all walks have found, the latest first."""

    def __init__(self, walks: list[_Walk]) -> None:
        self._walks = walks

    def below(self, label: Label) -> frozenset[PackageId] | None:
        for walk in self._walks:
            packages = walk.below(label)
            if packages is not None:
                return packages
        return None


def _walked(graph: TargetGraph, start: Label, kept: _Kept) -> dict[Label, frozenset[PackageId]]:
    """The plain ones of all targets between `start` and what is known to be plain, each with the
    packages that it reaches."""
    known: dict[Label, frozenset[PackageId]] = {}

    def unknown(labels: Iterable[Label]) -> list[Label]:
        left = []
        for label in labels:
            packages = kept.below(label)
            if packages is None:
                left.append(label)
            else:
                known[label] = packages
        return left

    def following(label: Label) -> Collection[Label]:
        return () if label in known else graph.targets(label)

    reached = distances(
        (start,), following, None, lambda level: graph.prepare_below(unknown(level))
    )
    above: dict[Label, list[Label]] = {}
    waiting: dict[Label, int] = {}
    for label in reached:
        if label not in known:
            targets = {*graph.targets(label)}
            waiting[label] = len(targets)
            for target in targets:
                above.setdefault(target, []).append(label)
    plain = dict(known)
    ready = [*known, *(label for label, count in waiting.items() if not count)]
    same: dict[frozenset[PackageId], frozenset[PackageId]] = {}
    for label in ready:
        if label not in known:
            rule_class = graph.shape(label).rule_class
            if rule_class is not None and rule_class.name == _ENVIRONMENT:
                continue
            packages = frozenset({label.package_id}).union(
                *{plain[target] for target in graph.targets(label)}
            )
            plain[label] = same.setdefault(packages, packages)
        for source in above.get(label, ()):
            waiting[source] -= 1
            if not waiting[source]:
                ready.append(source)
    return {label: plain[label] for label in waiting if label in plain}


def _written(keeper: KeepsResults, below: dict[Label, frozenset[PackageId]]) -> bytes | None:
    """A walk as it is kept; None where a package cannot be compared, or nothing was found."""
    ids = sorted({id for packages in {*below.values()} for id in packages})
    digests = tuple(keeper.inputs_digest(id) for id in ids)
    if not below or None in digests:
        return None
    numbers = {id: number for number, id in enumerate(ids)}
    bits = {packages: _bits(numbers[id] for id in packages) for packages in {*below.values()}}
    of_package: dict[tuple[str, str], dict[str, bytes]] = {}
    for label, packages in below.items():
        id = (label.repository, label.package)
        of_package.setdefault(id, {})[label.name] = bits[packages]
    names = {id: marshal.dumps(one) for id, one in of_package.items()}
    return marshal.dumps((tuple(map(tuple, ids)), digests, names))


def _bits(numbers: Iterable[int]) -> bytes:
    bits = sum(1 << number for number in numbers)
    return bits.to_bytes((bits.bit_length() + 7) // 8, "little")


def _numbers(bits: bytes) -> Iterator[int]:
    for place, byte in enumerate(bits):
        if byte:
            for bit in range(8):
                if byte >> bit & 1:
                    yield 8 * place + bit
