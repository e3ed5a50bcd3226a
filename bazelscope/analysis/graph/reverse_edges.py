"""Who has an edge to each target: the graph turned round, worked out once and kept.

To find what depends on one target takes the edges of all, so what was found is kept for the
next run. It rests on nothing but the packages that a search from its starts comes by, in their
order: those are compared, which spares a search. One that is made all the same, from another start
or since some packages have changed, takes from an earlier one what it found of all others.
"""

from __future__ import annotations

import marshal
import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from bazelscope.analysis.configuration.target_source import TargetSource
from bazelscope.analysis.graph.arrivals import Arrivals, Searched, packed, unpacked
from bazelscope.base import budget
from bazelscope.base.label import Label, PackageId
from bazelscope.bazel.encoded_values import decode_label
from bazelscope.kept.pack import Input, Key, Pack, checksum
from bazelscope.loading.cache.file_stamps import answer_digest
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import Package

if TYPE_CHECKING:
    from bazelscope.analysis.graph.arrivals_search import FormerSearch, Found

_OWN, _PACKAGE, _MISSING = "own", "package", "missing"
"""The kinds of inputs: `(_OWN, digest)` the workspace's own packages, `(_PACKAGE, repository,
package, digest)` one package, `(_MISSING, label)` a label that was followed in vain."""

_KIND = "arrivals"
_LEADING = "leading"


class Walked(Searched, Protocol):
    """A graph that can be walked, over packages; `keeper` keeps what is found out."""

    visibility: bool
    condition_visibility: bool
    keeper: Loader | None

    @property
    def source(self) -> TargetSource: ...
    def edges(self, label: Label) -> Sequence[object]: ...


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
    entries = keeper.parts.results.of(_KIND, "analysis") if keeper is not None else None
    if entries is None or keeper is None:
        return _search(graph, starts(), lambda: None).arrivals
    modes = (graph.implicit, graph.visibility, graph.condition_visibility)
    key = (name, *map(str, modes))
    inputs = entries.inputs(key)
    kept = _read(entries, key) if inputs is not None else None
    if inputs is not None and kept is not None and _still(keeper, inputs, every, kept.texts):
        _ask_in_vain(graph, inputs)
        _renew(keeper, entries, key, inputs)
        return kept
    cuts = budget.current().cuts
    found = _search(graph, starts(), lambda: _former(graph, keeper, entries, key))
    now = _inputs(keeper, found, every)
    entries.drop(key)
    if now is not None and budget.current().cuts == cuts:
        from bazelscope.analysis.graph.arrivals_search import write_leading

        content = _written(found.arrivals)
        entries.put(key, content, now)
        entries.put((*key, _LEADING), write_leading(found.leading, checksum(content)))
    return found.arrivals


def _search(
    graph: Walked, starts: Iterable[Label], former: Callable[[], FormerSearch | None]
) -> Found:
    """What a search finds, which most second runs do without."""
    from bazelscope.analysis.graph.arrivals_search import search

    return search(graph, starts, former)


def _former(
    graph: Walked, keeper: Loader, entries: Pack, key: tuple[str, ...]
) -> FormerSearch | None:
    """What an earlier search found, from the same start, or else the one that found most."""
    from bazelscope.analysis.graph.arrivals_search import FormerSearch, read_leading

    sizes = {one: size for one, size in entries.sizes().items() if one[1:] == key[1:]}
    chosen = key if key in sizes else max(sizes, key=sizes.__getitem__, default=key)
    inputs, digest, kept = entries.inputs(chosen), entries.digest(chosen), _read(entries, chosen)
    written = entries.get((*chosen, _LEADING))
    if inputs is None or digest is None or kept is None or written is None:
        return None
    leading = read_leading(written, digest)
    if leading is None:
        return None
    digests = _digests(inputs)
    missing = [input[1] for input in inputs if input[0] == _MISSING]
    return FormerSearch(graph, keeper, kept, leading, digests, missing)


def _written(made: Arrivals) -> bytes:
    parts: list[object] = []
    for name in made.__slots__:
        part = getattr(made, name)
        is_column = isinstance(part, array)
        parts.append(packed(part) if is_column else zlib.compress(marshal.dumps(part), 1))
    return marshal.dumps(parts)


def _read(entries: Pack, key: Key) -> Arrivals | None:
    """What was kept; None where it is damaged."""
    content = entries.get(key)
    if content is None:
        return None
    columns: list[Any] = [
        unpacked(part) if isinstance(part, tuple) else marshal.loads(zlib.decompress(part))
        for part in marshal.loads(content)
    ]
    return Arrivals(*columns)


def _still(
    keeper: Loader, inputs: tuple[Input, ...], every: Loader | None, texts: Iterable[str]
) -> bool:
    """Whether a search would find what was kept: `texts` are the labels that it came by. Packages
    are loaded in the order in which a search comes by them, and none that it would not."""
    for input in inputs:
        if input[0] == _OWN and (every is None or _own(every) != input):
            return False
    if every is not None:  # A new target would be one of the starts.
        return keeper.same.are_same(_digests(inputs))
    met = cache(lambda: frozenset(texts))
    return keeper.same.are_same(_digests(inputs), lambda labels: not met().isdisjoint(labels))


def _renew(keeper: Loader, entries: Pack, key: Key, inputs: tuple[Input, ...]) -> None:
    """Lets what was kept rest on packages as they are now, whose targets stand elsewhere, or of
    which others have changed."""
    changed = keeper.same.compared()
    if not changed:
        return
    now = [
        (*one[:3], changed.get(PackageId(*one[1:3]), one[3])) if one[0] == _PACKAGE else one
        for one in inputs
    ]
    content = entries.get(key)
    if content is not None:
        entries.put(key, content, tuple(now))


def _digests(inputs: Iterable[Input]) -> dict[PackageId, bytes]:
    """The hashes of the packages among what was looked at."""
    new = tuple.__new__  # Of tens of thousands: made so, they take half the time.
    return {new(PackageId, input[1:3]): input[3] for input in inputs if input[0] == _PACKAGE}


def _ask_in_vain(graph: Walked, inputs: Iterable[Input]) -> None:
    """Asks for what was missing: it is remembered what was asked for in vain."""
    for input in inputs:
        if input[0] == _MISSING:
            graph.edges(decode_label(input[1]))


def _own_targets(source: TargetSource, every: Loader) -> Iterator[Label]:
    for id in every.trees.packages():
        package = source.package(id)
        if isinstance(package, Package):
            for name in package.targets:
                yield Label(id.repository, id.package, name)


def _inputs(source: Loader, found: Found, every: Loader | None) -> tuple[Input, ...] | None:
    """What was looked at, in that order; None where something of it cannot be compared."""
    own = () if every is None else every.trees.packages()
    inputs: list[Input] = [] if every is None else [_own(every)]
    for id in dict.fromkeys((*own, *found.packages)):
        digest = source.package_digest(id)
        if digest is None:
            return None
        inputs.append((_PACKAGE, id.repository, id.package, digest))
    return (*inputs, *[(_MISSING, text) for text in found.missing])


def _own(every: Loader) -> Input:
    return (_OWN, answer_digest(every.trees.packages()))
