"""What arrives at each target that some starts reach: their closure, turned round."""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import compress
from typing import Protocol

from bazelscope.analysis.conditions.edges import Edge
from bazelscope.analysis.graph.edge_columns import Keys, Piece, TargetShape
from bazelscope.base.graph_walk import distances
from bazelscope.base.label import Label, PackageId
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.bazel.encoded_values import decode_label


class Searched(Protocol):
    """A graph that can be searched."""

    implicit: bool

    def targets(self, label: Label) -> Sequence[Label]: ...
    def piece(self, label: Label) -> Piece | None: ...
    def has(self, label: Label) -> bool: ...
    def shape(self, label: Label) -> TargetShape: ...
    def is_open(self, label: Label) -> bool: ...
    def select_keys(self, label: Label) -> Keys: ...
    def prepare_below(self, labels: Collection[Label]) -> bool: ...


class Above(NamedTuple):
    """A target that leads to another one: its number, how far away it is, and the number of the
    next target on the way."""

    number: int
    distance: int
    following: int


_FEW = 3
"""So many are found sooner by looking for each through all texts than in a table of these."""


@dataclass(frozen=True, slots=True)
class Arrivals:
    """All targets that some starts reach, by number, nearest first, and who has an edge to each:
    of target `n`, `sources[bounds[n]:bounds[n + 1]]`, in the order of the search. `levels` says how
    many there are of each distance; `kinds` are rule classes, "" of what is no rule, and `kind_of`
    has the place of each target's own; `keys` and `keys_of` are the conditions of select()s
    likewise, of which the first are those of what has none. `open` are those of which something may
    be unknown, `crossing` those that have a transition, themselves or to what they lead to."""

    texts: tuple[str, ...]
    bounds: array[int]
    sources: array[int]
    levels: tuple[int, ...]
    kinds: tuple[str, ...]
    kind_of: array[int]
    open: array[int]
    keys: tuple[Keys, ...]
    keys_of: array[int]
    crossing: array[int]

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

    def leading(self, ends: Mapping[str, int]) -> dict[str, int]:
        """How far at least each target that leads to one of `ends` is, and these themselves:
        of each of them it is said how far it is."""
        known = self._among(ends)
        later: dict[int, list[int]] = {}
        for text, number in known.items():
            later.setdefault(ends[text], []).append(number)
        bounds, sources = self.bounds, self.sources
        far, reached = [-1] * len(self.texts), list[int]()
        distance = min(later, default=0)
        while later:
            following = later.setdefault(distance + 1, [])
            for number in later.pop(distance, ()):
                if far[number] < 0:
                    far[number] = distance
                    reached.append(number)
                    following += sources[bounds[number] : bounds[number + 1]]
            if not following:
                del later[distance + 1]
            distance += 1
        texts = self.texts
        return {texts[number]: far[number] for number in reached}

    def _among(self, ends: Collection[str]) -> dict[str, int]:
        """The numbers of those of `ends` that are reached."""
        if len(ends) <= _FEW:
            return {text: self.texts.index(text) for text in ends if text in self.texts}
        return {text: number for number, text in enumerate(self.texts) if text in ends}

    def first_source(self, label: Label) -> Label | None:
        """The target by whose edge a search first comes to one; None of where it starts."""
        number = self.texts.index(str(label))
        return self.label(self.arriving(number)[0]) if number else None

    def arriving(self, number: int) -> Sequence[int]:
        """The numbers of the targets that have an edge to one."""
        return self.sources[self.bounds[number] : self.bounds[number + 1]]


class EdgesTo:
    """Tells the edges that lead to one of some targets. `far` has these by label, and over how
    many edges at least they lead to where the edges shall lead in the end. `below` has all that
    leads anywhere."""

    def __init__(self, far: Mapping[str, int], below: Iterable[Arrivals]) -> None:
        self.far = far
        self.below = tuple(below)

    @cached_property
    def labels(self) -> frozenset[Label]:
        """The targets."""
        return frozenset(map(decode_label, self.far))

    @cached_property
    def crosses(self) -> bool:
        """Whether a target has a transition, itself or to what it leads to."""
        return any(one.texts[number] in self.far for one in self.below for number in one.crossing)

    @cached_property
    def conditions(self) -> frozenset[tuple[str, ...]]:
        """The conditions of every select() of one of the targets."""
        found: set[tuple[str, ...]] = set()
        for one in self.below:
            # Most have no select(): their place is 0.
            places, texts = compress(one.keys_of, one.keys_of), compress(one.texts, one.keys_of)
            on_way = compress(places, map(self.far.__contains__, texts))
            found.update(*[one.keys[place] for place in set(on_way)])
        return frozenset(found)

    def __call__(self, edge: Edge) -> bool:
        return edge.target in self.labels


Packed = tuple[bytes, bytes]
"""A column as it is kept: the first byte of each number, and the others, compressed. The first is
as good as random: to compress it takes longer than all else, and saves little."""


def packed(numbers: array[int]) -> Packed:
    """Returns an array of type `I` as it is kept."""
    content = numbers.tobytes()
    return content[::4], zlib.compress(content[1::4] + content[2::4] + content[3::4], 1)


def unpacked(kept: Packed) -> array[int]:
    """Returns the numbers that were `packed`. Raises `zlib.error`."""
    first, others = kept[0], zlib.decompress(kept[1])
    count = len(first)
    content = bytearray(4 * count)
    content[::4] = first
    for place in range(3):
        content[place + 1 :: 4] = others[place * count : place * count + count]
    return array("I", bytes(content))
