"""Who has an edge to each target: the graph turned round, worked out once and kept.

To find what depends on one target takes the edges of all, so what was found is kept for the
next run. It rests on nothing but the packages that a search from its starts comes by, in their
order: those are loaded and compared, which spares reading their edges. Where some have changed,
only theirs are read.
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
from bazelscope.base import budget
from bazelscope.base.graph_walk import distances
from bazelscope.base.label import Label, PackageId
from bazelscope.bazel.attribute_types import Configured, RuleClass
from bazelscope.bazel.encoded_values import decode_label
from bazelscope.kept.pack import Input, Key, Pack
from bazelscope.loading.cache.file_stamps import answer_digest
from bazelscope.loading.loader import Loader
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
    keeper: Loader | None

    @property
    def source(self) -> TargetSource: ...
    def edges(self, label: Label) -> Sequence[object]: ...
    def targets(self, label: Label) -> Sequence[Label]: ...
    def shape(self, label: Label) -> TargetShape: ...
    def is_open(self, label: Label) -> bool: ...
    def select_keys(self, label: Label) -> Keys: ...
    def prepare_below(self, labels: Collection[Label]) -> bool: ...


def arrivals(graph: Walked, start: Label) -> Arrivals:
    """What arrives at whatever `start` reaches. All packages on the way are loaded afterwards, and
    missing targets asked for."""
    return _kept(graph, str(start), lambda: (start,), None)


def all_arrivals(graph: Walked, source: Loader) -> Arrivals:
    """What arrives at whatever the workspace's own targets reach, by which edges."""
    return _kept(graph, "", lambda: _own_targets(graph.source, source), source)


def _kept(
    graph: Walked, name: str, starts: Callable[[], Iterable[Label]], every: Loader | None
) -> Arrivals:
    keeper = graph.keeper
    entries = keeper.kept(_KIND, "analysis") if keeper is not None else None
    if entries is None or keeper is None:
        return _found(graph, starts())
    modes = (graph.implicit, graph.visibility, graph.condition_visibility)
    key = (name, *map(str, modes))
    kept = _read(entries, key)
    inputs = entries.inputs(key) or ()
    if kept is not None and _still(keeper, inputs, every):
        _ask_in_vain(graph, inputs)
        return kept
    entries.drop(key)
    cuts = budget.current().cuts
    if kept is None or every is not None:
        arrivals_there = _found(graph, starts())
    else:
        arrivals_there = _Former(graph, keeper, kept, inputs).found_again()
    now = _inputs(keeper, arrivals_there, every)
    if now is not None and budget.current().cuts == cuts:
        entries.put(key, _written(arrivals_there), now)
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


def _still(keeper: Loader, inputs: tuple[Input, ...], every: Loader | None) -> bool:
    """Whether a search would find what was kept. Packages are loaded in the order in which a search
    comes by them, and none that it would not."""
    keeper.look_at([PackageId(*input[1:3]) for input in inputs if input[0] == _PACKAGE])
    for input in inputs:
        if input[0] == _PACKAGE:
            if keeper.package_digest(PackageId(input[1], input[2])) != input[3]:
                return False
        elif input[0] == _OWN and (every is None or _own(every) != input):
            return False
    return True


class _Former:
    """What an earlier search from one start found, where some packages have changed since: of all
    others, no edges are read. A target is known by its number then, or by a greater one."""

    def __init__(
        self, graph: Walked, keeper: Loader, kept: Arrivals, inputs: Iterable[Input]
    ) -> None:
        self._graph = graph
        self._keeper = keeper
        self._kept = kept
        self._digests = {PackageId(*i[1:3]): i[3] for i in inputs if i[0] == _PACKAGE}
        self._missing = {input[1] for input in inputs if input[0] == _MISSING}
        """What is asked for again: it is remembered what was asked for in vain."""
        self._texts = list(kept.texts)
        self._numbers = {text: number for number, text in enumerate(kept.texts)}
        self._following: list[list[int]] = [[] for _ in kept.texts]
        for number in range(len(kept.texts)):
            for source in kept.arriving(number):
                self._following[source].append(number)
        self._is_same: dict[str, bool] = {}
        """By package."""

    def found_again(self) -> Arrivals:
        """What a search finds now. It loads packages in the same order as any."""
        kept, account = self._kept, budget.current()
        numbers, leading, levels, level = {0: 0}, [], [], [0]
        while level:
            levels.append(len(level))
            new = [decode_label(self._texts[one]) for one in level if one >= len(kept.texts)]
            if new:
                self._graph.prepare_below(new)
            following: list[int] = []
            for one in level:
                account.check()
                targets = self._targets(one, numbers)
                leading.append(targets)
                for target in targets:
                    if target not in numbers:
                        numbers[target] = len(numbers)
                        following.append(target)
            level = following
        arriving: list[list[int]] = [[] for _ in numbers]
        for number, targets in enumerate(leading):
            for target in targets:
                arriving[numbers[target]].append(number)
        texts = tuple([self._texts[one] for one in numbers])
        return _columns(texts, arriving, levels, self._facts(numbers))

    def _targets(self, one: int, met: Collection[int]) -> Sequence[int]:
        """What a target leads to, each once, in the order of its edges, of which only those count
        whose targets are not `met` yet."""
        if self._is_as_it_was(one):
            targets, kept = self._following[one], self._kept
            # Whom the search met there first, it has numbered in that order.
            if all(to in met or kept.sources[kept.bounds[to]] == one for to in targets):
                return targets
        found = map(str, self._graph.targets(decode_label(self._texts[one])))
        return [self._number(text) for text in dict.fromkeys(found)]

    def _number(self, text: str) -> int:
        number = self._numbers.setdefault(text, len(self._texts))
        if number == len(self._texts):
            self._texts.append(text)
        return number

    def _is_as_it_was(self, one: int) -> bool:
        """Whether a target has the edges that it had: its package decides, but for aspects."""
        text = self._texts[one]
        name = text.partition(":")[0]
        is_same = self._is_same.get(name)
        if is_same is None:
            id = decode_label(text).package_id
            digest = self._keeper.package_digest(id)
            is_same = digest is not None and digest == self._digests.get(id)
            self._is_same[name] = is_same
        if not is_same or one >= len(self._kept.texts) or text in self._missing:
            return False
        if not self._graph.implicit:
            return True
        rule_class = self._graph.shape(decode_label(text)).rule_class
        return rule_class is None or not rule_class.aspect_attributes

    def _facts(self, numbers: Iterable[int]) -> Iterator[_Facts]:
        kept, facts = self._kept, _facts_in(self._graph)
        unknown, crossing = frozenset(kept.open), frozenset(kept.crossing)
        for one in numbers:
            if one < len(kept.texts) and self._is_same[self._texts[one].partition(":")[0]]:
                kind, keys = kept.kinds[kept.kind_of[one]], kept.keys[kept.keys_of[one]]
                yield kind, keys, one in unknown, one in crossing
            else:
                yield facts(decode_label(self._texts[one]))


def _ask_in_vain(graph: Walked, inputs: Iterable[Input]) -> None:
    """Asks for what was missing: it is remembered what was asked for in vain."""
    for input in inputs:
        if input[0] == _MISSING:
            graph.edges(decode_label(input[1]))


def _own_targets(source: TargetSource, every: Loader) -> Iterator[Label]:
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
    levels = Counter(reached.values()).values()
    return _columns(tuple(map(str, numbers)), arriving, levels, map(_facts_in(graph), numbers))


_Facts = tuple[str, Keys, bool, bool]
"""Of a target its class, the conditions of its select()s, whether something of it may be unknown,
whether it has a transition."""


def _facts_in(graph: Walked) -> Callable[[Label], _Facts]:
    """Tells the facts of targets."""
    crosses: dict[int, tuple[RuleClass | None, bool]] = {}

    def facts(label: Label) -> _Facts:
        rule_class = graph.shape(label).rule_class
        if id(rule_class) not in crosses:
            crosses[id(rule_class)] = rule_class, _crosses(rule_class)
        kind = rule_class.name if rule_class else ""
        return kind, graph.select_keys(label), graph.is_open(label), crosses[id(rule_class)][1]

    return facts


def _columns(
    texts: tuple[str, ...],
    arriving: Iterable[Sequence[int]],
    levels: Iterable[int],
    facts: Iterable[_Facts],
) -> Arrivals:
    """What was found, as it is kept."""
    bounds, sources = array("I", [0]), array("I")
    for before in arriving:
        sources.extend(before)
        bounds.append(len(sources))
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


def _inputs(
    source: Loader, arrivals_there: Arrivals, every: Loader | None
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


def _own(every: Loader) -> Input:
    return (_OWN, answer_digest(every.packages()))
