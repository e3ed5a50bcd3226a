"""Finds what some starts reach, by numbers: most targets of a graph are passed through, of most
packages an earlier run has kept the edges, and to make a label of each text takes longer than all
else that a walk does."""

from __future__ import annotations

import marshal
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate, chain
from typing import NamedTuple, Protocol, cast

from bazelscope.analysis.graph.arrivals import Arrivals, Searched, packed, unpacked
from bazelscope.analysis.graph.edge_columns import Keys, Piece
from bazelscope.analysis.graph.target_marks import UNKNOWNS
from bazelscope.base import budget
from bazelscope.base.label import Label, PackageId
from bazelscope.bazel.attribute_types import Configured, RuleClass
from bazelscope.bazel.encoded_values import decode_label
from bazelscope.loading.loader import Loader

Facts = tuple[str, Keys, bool, bool]
"""Of a target its class, the conditions of its select()s, whether something of it may be unknown,
whether it has a transition."""


class Known(Protocol):
    """What is known of the edges of some targets, by their places: `ends[bounds[n]:bounds[n + 1]]`
    are those of one, as places among `texts`; `met` are the numbers of these in this search, as far
    as it has met them."""

    @property
    def bounds(self) -> Sequence[int]: ...
    @property
    def ends(self) -> Sequence[int]: ...
    @property
    def texts(self) -> Sequence[str]: ...
    @property
    def met(self) -> list[int | None]: ...
    def place(self, text: str, name: str) -> int | None:
        """The place of a target; None of one that is not known."""

    def facts(self, text: str, place: int) -> Facts: ...


class _OfPiece:
    """What an earlier run has kept of one package."""

    __slots__ = ("_by_shape", "_facts_of", "_piece", "bounds", "ends", "met", "texts")

    def __init__(self, piece: Piece, facts_of: _FactsOf) -> None:
        self._piece, self._facts_of = piece, facts_of
        self.bounds, self.ends, self.texts = piece.bounds, piece.ends, piece.texts
        self.met: list[int | None] = [None] * len(piece.texts)
        self._by_shape: dict[int, tuple[str, bool]] = {}

    def place(self, text: str, name: str) -> int | None:
        return self._piece.number(name)

    def facts(self, text: str, place: int) -> Facts:
        piece = self._piece
        shape = piece.shapes[place]
        known = self._by_shape.get(shape)
        if known is None:
            rule_class = piece.shape(decode_label(text), place).rule_class
            known = self._by_shape[shape] = self._facts_of.of_class(rule_class)
        is_open = bool(piece.marks[place] & UNKNOWNS)
        return known[0], piece.select_keys(place), is_open, known[1]


class FormerSearch:
    """What an earlier search found, from the same start or another one, of packages that are as
    they were."""

    def __init__(
        self,
        graph: Searched,
        keeper: Loader,
        kept: Arrivals,
        leading: tuple[array[int], array[int]],
        digests: Mapping[PackageId, bytes],
        missing: Iterable[str],
    ) -> None:
        """`digests` are those of all packages that the search came by, `missing` the labels that
        it followed in vain."""
        self.bounds, self.ends = leading
        self.texts = kept.texts
        self.met: list[int | None] = [None] * len(kept.texts)
        self._taken = 0
        """Of so many numbers of this search `met` has all."""
        self._graph, self._keeper, self._kept = graph, keeper, kept
        self._digests = {str(id): (id, digest) for id, digest in digests.items()}
        self._counts = keeper.same.kept_as(digests)
        self._numbers = {text: number for number, text in enumerate(kept.texts)}
        self._in_vain = frozenset(missing)
        self._missing = frozenset(map(self._numbers.pop, self._in_vain))
        self._open, self._crossing = frozenset(kept.open), frozenset(kept.crossing)

    def is_at_hand(self, package: str) -> bool:
        """Whether a package is as it was, and takes no evaluation."""
        of = self._digests.get(package)
        return of is not None and (of[0] in self._counts or self._keeper.same.is_kept_as(*of))

    def known(self, package: str) -> Known | None:
        """What is known of the targets of a package, which counts as loaded from now on; None
        where it is not as it was."""
        of = self._digests.get(package)
        if of is None:
            return None
        counts = self._counts.get(of[0])
        if counts is not None:
            self._keeper.same.take_as_loaded(of[0], counts)
            return self
        return self if self._keeper.same.is_same(*of, self._are_met) else None

    def _are_met(self, labels: Iterable[str]) -> bool:
        return any(label in self._numbers or label in self._in_vain for label in labels)

    def place(self, text: str, name: str) -> int | None:
        number = self._numbers.get(text)
        if number is not None and self._graph.implicit:
            # What aspects need hangs on other packages.
            rule_class = self._graph.shape(decode_label(text)).rule_class
            if rule_class is not None and rule_class.aspect_attributes:
                return None
        return number

    def facts(self, text: str, place: int) -> Facts:
        kept = self._kept
        kind, keys = kept.kinds[kept.kind_of[place]], kept.keys[kept.keys_of[place]]
        return kind, keys, place in self._open, place in self._crossing

    def places(self, texts: Sequence[str], first: int) -> list[int] | None:
        """The places of the targets numbered from `first` on; None where one is not known. `texts`
        are those of all numbers so far."""
        if self._graph.implicit:
            return None
        numbers, met = self._numbers, self.met
        for number, text in enumerate(texts[self._taken :], self._taken):
            place = numbers.get(text)
            if place is not None:
                met[place] = number
        self._taken = len(texts)
        places = list(map(numbers.get, texts[first:]))
        return None if None in places else cast(list[int], places)

    def give(self, places: Sequence[int], columns: _Columns, texts: list[str]) -> list[int] | None:
        """Hands over what is known of a whole level, without a step for each edge: to the columns,
        and to `texts` what it leads to first. Returns the places of that as `places` does."""
        bounds, ends, kept, first, met = self.bounds, self.ends, self._kept, columns.count, self.met
        rows = [ends[bounds[place] : bounds[place + 1]] for place in places]
        leading = list(chain.from_iterable(rows))
        fresh = list(dict.fromkeys([end for end in leading if met[end] is None]))
        for number, end in enumerate(fresh, len(texts)):
            met[end] = number
        texts += map(self.texts.__getitem__, fresh)
        self._taken = len(texts)
        columns.add_edges(map(len, rows), cast(Iterable[int], map(met.__getitem__, leading)))
        of, kinds, keys = columns, kept.kinds, kept.keys
        of.kind_of.extend(_translated(places, kept.kind_of, lambda one: of.kind(kinds[one])))
        of.keys_of.extend(_translated(places, kept.keys_of, lambda one: of.key(keys[one])))
        for into, marked in ((of.open, self._open), (of.crossing, self._crossing)):
            if marked:
                into.extend([n for n, place in enumerate(places, first) if place in marked])
        return fresh if self._missing.isdisjoint(fresh) else None


def _translated(
    places: Iterable[int], column: Sequence[int], number: Callable[[int], int]
) -> Iterable[int]:
    """What a column has at some places, by other numbers: each is asked for when it is met."""
    found = list(map(column.__getitem__, places))
    numbers = {one: number(one) for one in dict.fromkeys(found)}
    return map(numbers.__getitem__, found)


class Found(NamedTuple):
    """What a search found: the packages that it came by in their order, and the labels that it
    followed in vain. `leading` has the bounds and the ends of what each target leads to, in order,
    each once."""

    arrivals: Arrivals
    leading: tuple[array[int], array[int]]
    packages: tuple[PackageId, ...]
    missing: tuple[str, ...]


_MANY = 400
"""Of so many packages it takes longer to read each than all that an earlier search found."""
_MANY_TARGETS = 4000
"""So many, in however few packages, take longer one by one than in whole levels."""


def search(
    graph: Searched, starts: Iterable[Label], former: Callable[[], FormerSearch | None]
) -> Found:
    """Finds what arrives at whatever `starts` reach, nearest first. Packages are loaded in the
    order of the search. A `former` search is asked for where there are many."""
    texts = list(dict.fromkeys(map(str, starts)))
    numbers = {text: number for number, text in enumerate(texts)}
    passed: dict[str, Known | None] = {}
    packages: list[PackageId] = []
    missing: list[str] = []
    levels: list[int] = []
    columns, facts_of = _Columns(), _FactsOf(graph)
    earlier: FormerSearch | None = None
    is_asked = False
    limits = budget.current()
    places: list[int] | None = None

    def number_of(text: str) -> int:
        number = numbers.setdefault(text, len(texts))
        if number == len(texts):
            texts.append(text)
        return number

    def known_of(text: str, package: str) -> Known | None:
        if package not in passed:
            label = decode_label(text)
            packages.append(label.package_id)
            known: Known | None = earlier.known(package) if earlier is not None else None
            if known is None:
                piece = graph.piece(label)
                known = None if piece is None else _OfPiece(piece, facts_of)
            passed[package] = known
        return passed[package]

    while columns.count < len(texts):
        level = texts[columns.count :]
        levels.append(len(level))
        names = [text.partition(":")[0] for text in level]
        new = {text: name for text, name in zip(level, names, strict=True) if name not in passed}
        is_many = len(passed) + len(set(new.values())) >= _MANY or len(texts) >= _MANY_TARGETS
        if not is_asked and is_many:
            earlier, is_asked = former(), True
            if earlier is not None:
                passed = {name: earlier.known(name) or known for name, known in passed.items()}
        away = new
        if earlier is not None:
            away = {text: name for text, name in new.items() if not earlier.is_at_hand(name)}
        if away:
            graph.prepare_below([decode_label(text) for text in away])
        elif earlier is not None:
            limits.check_now()
            for text, name in new.items():
                known_of(text, name)
            if places is None:
                places = earlier.places(texts, columns.count)
            if places is not None and all(passed[name] is earlier for name in set(names)):
                places = earlier.give(places, columns, texts)
                continue
        places = None
        numbers.update(zip(texts[len(numbers) :], range(len(numbers), len(texts)), strict=True))
        for text, name in zip(level, names, strict=True):
            limits.check()
            known = known_of(text, name)
            place = None if known is None else known.place(text, text[len(name) + 1 :])
            if known is None or place is None:
                label = decode_label(text)
                targets = [number_of(str(target)) for target in graph.targets(label)]
                columns.add(targets, facts_of(label))
                if not graph.has(label):
                    missing.append(text)
                continue
            met, targets = known.met, []
            for end in known.ends[known.bounds[place] : known.bounds[place + 1]]:
                number = met[end]
                if number is None:
                    number = met[end] = number_of(known.texts[end])
                targets.append(number)
            columns.add(targets, known.facts(text, place))
    leading = columns.bounds, columns.ends
    return Found(columns.arrivals(texts, levels), leading, tuple(packages), tuple(missing))


class _Columns:
    """What a search finds of each target, in their order."""

    def __init__(self) -> None:
        self.bounds, self.ends = array("I", [0]), array("I")
        self._kinds: dict[str, int] = {}
        self._keys: dict[Keys, int] = {(): 0}
        self.kind_of, self.keys_of = array("I"), array("I")
        self.open, self.crossing = array("I"), array("I")

    @property
    def count(self) -> int:
        """Of how many targets something was added."""
        return len(self.kind_of)

    def kind(self, name: str) -> int:
        """The number of a rule class."""
        return self._kinds.setdefault(name, len(self._kinds))

    def key(self, keys: Keys) -> int:
        """The number of the conditions of a target's select()s."""
        return self._keys.setdefault(keys, len(self._keys))

    def add(self, targets: Iterable[int], facts: Facts) -> None:
        """Adds a target with what it leads to."""
        kind, keys, is_open, crosses = facts
        if is_open:
            self.open.append(self.count)
        if crosses:
            self.crossing.append(self.count)
        self.kind_of.append(self.kind(kind))
        self.keys_of.append(self.key(keys))
        self.ends.extend(dict.fromkeys(targets))
        self.bounds.append(len(self.ends))

    def add_edges(self, counts: Iterable[int], ends: Iterable[int]) -> None:
        """Adds what many targets lead to, and to how many each of them."""
        bounds = accumulate(counts, initial=self.bounds.pop())
        self.bounds.extend(bounds)
        self.ends.extend(ends)

    def arrivals(self, texts: Sequence[str], levels: Iterable[int]) -> Arrivals:
        """What was added, turned round: who leads to each, in the order of the search."""
        arriving: list[list[int]] = [[] for _ in texts]
        bounds, ends = self.bounds, self.ends
        for number in range(len(texts)):
            for end in ends[bounds[number] : bounds[number + 1]]:
                arriving[end].append(number)
        return Arrivals(
            tuple(texts),
            array("I", accumulate(map(len, arriving), initial=0)),
            array("I", chain.from_iterable(arriving)),
            tuple(levels),
            tuple(self._kinds),
            self.kind_of,
            self.open,
            tuple(self._keys),
            self.keys_of,
            self.crossing,
        )


class _FactsOf:
    """Tells the facts of the targets of a graph; each rule class is looked at once."""

    def __init__(self, graph: Searched) -> None:
        self._graph = graph
        self._known: dict[int, tuple[RuleClass | None, tuple[str, bool]]] = {}

    def __call__(self, label: Label) -> Facts:
        graph = self._graph
        kind, crosses = self.of_class(graph.shape(label).rule_class)
        return kind, graph.select_keys(label), graph.is_open(label), crosses

    def of_class(self, rule_class: RuleClass | None) -> tuple[str, bool]:
        """The name of a rule class, and whether its rules have a transition."""
        known = self._known.get(id(rule_class))
        if known is None:
            name = rule_class.name if rule_class else ""
            known = self._known[id(rule_class)] = rule_class, (name, _crosses(rule_class))
        return known[1]


def write_leading(leading: Iterable[array[int]], digest: bytes) -> bytes:
    """What each target leads to, as it is kept beside the arrivals of that digest."""
    return digest + marshal.dumps(tuple(map(packed, leading)))


def read_leading(written: bytes, digest: bytes) -> tuple[array[int], array[int]] | None:
    """What `write_leading` wrote, if it was beside the arrivals of that digest."""
    if not written.startswith(digest):
        return None
    bounds, ends = map(unpacked, marshal.loads(written[len(digest) :]))
    return bounds, ends


def _crosses(rule_class: RuleClass | None) -> bool:
    """Whether rules of a class have a transition, or an attribute that has one."""
    return rule_class is not None and (
        rule_class.transition is not None
        or any(one.configured is Configured.TRANSITION for one in rule_class.attributes.values())
    )
