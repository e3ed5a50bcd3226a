"""Finds what some starts reach, by numbers: most targets of a graph are passed through, of most
packages an earlier run has kept the edges, and to make a label of each text takes longer than all
else that a walk does."""

from __future__ import annotations

import marshal
import zlib
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate, chain
from typing import NamedTuple, Protocol

from bazelscope.analysis.graph.arrivals import Arrivals, Searched
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
        self._graph, self._keeper, self._kept = graph, keeper, kept
        self._digests = {str(id): (id, digest) for id, digest in digests.items()}
        self._counts = keeper.kept_as(digests)
        self._numbers = {text: number for number, text in enumerate(kept.texts)}
        for text in missing:
            del self._numbers[text]
        self._open, self._crossing = frozenset(kept.open), frozenset(kept.crossing)

    def is_at_hand(self, package: str) -> bool:
        """Whether a package is as it was, and takes no evaluation."""
        of = self._digests.get(package)
        return of is not None and (of[0] in self._counts or self._keeper.is_kept_as(*of))

    def known(self, package: str) -> Known | None:
        """What is known of the targets of a package, which counts as loaded from now on; None
        where it is not as it was."""
        of = self._digests.get(package)
        if of is None:
            return None
        counts = self._counts.get(of[0])
        if counts is not None:
            self._keeper.take_as_loaded(of[0], counts)
            return self
        return self if self._keeper.is_same(*of) else None

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


class Found(NamedTuple):
    """What a search found: the packages that it came by in their order, and the labels that it
    followed in vain. `leading` has of each target those that it leads to, in order."""

    arrivals: Arrivals
    leading: Sequence[Sequence[int]]
    packages: tuple[PackageId, ...]
    missing: tuple[str, ...]


_MANY = 400
"""Of so many packages it takes longer to read each than all that an earlier search found."""


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
    leading: list[Sequence[int]] = []
    levels: list[int] = []
    facts, facts_of = list[Facts](), _FactsOf(graph)
    earlier: FormerSearch | None = None
    is_asked = False
    check = budget.current().check

    def number_of(text: str) -> int:
        number = numbers.setdefault(text, len(texts))
        if number == len(texts):
            texts.append(text)
        return number

    def known_of(label: Label, package: str) -> Known | None:
        known = earlier.known(package) if earlier is not None else None
        if known is not None:
            return known
        piece = graph.piece(label)
        return None if piece is None else _OfPiece(piece, facts_of)

    while len(leading) < len(texts):
        level = texts[len(leading) :]
        levels.append(len(level))
        names = [text.partition(":")[0] for text in level]
        new = {text: name for text, name in zip(level, names, strict=True) if name not in passed}
        if not is_asked and len(passed) + len(set(new.values())) >= _MANY:
            earlier, is_asked = former(), True
        if earlier is not None:
            new = {text: name for text, name in new.items() if not earlier.is_at_hand(name)}
        if new:
            graph.prepare_below([decode_label(text) for text in new])
        for text, name in zip(level, names, strict=True):
            check()
            if name not in passed:
                label = decode_label(text)
                passed[name] = known_of(label, name)
                packages.append(label.package_id)
            known = passed[name]
            place = None if known is None else known.place(text, text[len(name) + 1 :])
            if known is None or place is None:
                label = decode_label(text)
                leading.append([number_of(str(target)) for target in graph.targets(label)])
                facts.append(facts_of(label))
                if not graph.has(label):
                    missing.append(text)
                continue
            met, targets = known.met, list[int]()
            for end in known.ends[known.bounds[place] : known.bounds[place + 1]]:
                number = met[end]
                if number is None:
                    number = met[end] = number_of(known.texts[end])
                targets.append(number)
            leading.append(targets)
            facts.append(known.facts(text, place))
    arrivals = _columns(tuple(texts), leading, levels, facts)
    return Found(arrivals, leading, tuple(packages), tuple(missing))


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


def write_leading(leading: Iterable[Sequence[int]], digest: bytes) -> bytes:
    """What each target leads to, as it is kept beside the arrivals of that digest."""
    bounds, ends = array("I", [0]), array("I")
    for targets in leading:
        ends.extend(targets)
        bounds.append(len(ends))
    return digest + zlib.compress(marshal.dumps((bounds.tobytes(), ends.tobytes())), 1)


def read_leading(written: bytes, digest: bytes) -> tuple[array[int], array[int]] | None:
    """What `write_leading` wrote, if it was beside the arrivals of that digest."""
    if not written.startswith(digest):
        return None
    bounds, ends = marshal.loads(zlib.decompress(written[len(digest) :]))
    return array("I", bounds), array("I", ends)


def _columns(
    texts: tuple[str, ...],
    leading: Iterable[Iterable[int]],
    levels: Iterable[int],
    facts: Iterable[Facts],
) -> Arrivals:
    """What was found, turned round: who leads to each, in the order of the search, each once."""
    arriving: list[list[int]] = [[] for _ in texts]
    for number, targets in enumerate(leading):
        for target in targets:
            before = arriving[target]
            if not before or before[-1] != number:
                before.append(number)
    sources = array("I", chain.from_iterable(arriving))
    bounds = array("I", accumulate(map(len, arriving), initial=0))
    kinds: dict[str, int] = {}
    keys: dict[Keys, int] = {(): 0}
    kind_of, keys_of, unknown, crossing = array("I"), array("I"), array("I"), array("I")
    for number, (kind, own_keys, is_open, crosses) in enumerate(facts):
        kind_of.append(kinds.setdefault(kind, len(kinds)))
        keys_of.append(keys.setdefault(own_keys, len(keys)))
        if is_open:
            unknown.append(number)
        if crosses:
            crossing.append(number)
    columns = bounds, sources, tuple(levels), tuple(kinds), kind_of, unknown, tuple(keys), keys_of
    return Arrivals(texts, *columns, crossing)


def _crosses(rule_class: RuleClass | None) -> bool:
    """Whether rules of a class have a transition, or an attribute that has one."""
    return rule_class is not None and (
        rule_class.transition is not None
        or any(one.configured is Configured.TRANSITION for one in rule_class.attributes.values())
    )
