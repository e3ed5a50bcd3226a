"""Edges and shapes of targets, kept for the next run, one piece a package.

A piece has the targets that were asked about so far, and rests on all that there is to know of its
package.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterator, Sequence
from itertools import product
from operator import le

from bazelscope.analysis.conditions.edges import Edge, EdgeKind
from bazelscope.analysis.graph.edge_columns import Piece, PieceWriter, select_keys, shape_number
from bazelscope.analysis.graph.target_marks import marks_of
from bazelscope.base.label import Label, PackageId
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.encoded_targets import TargetData
from bazelscope.loading.packages.package import Package

_KIND = "edges"
_DIGEST = "digest"

_KNOWN = 1 << 15
"""Beside the marks of a target: it was asked about."""
_MODES = tuple(map("".join, product("01", repeat=3)))
"""Which edges graphs have: implicit ones, those to package groups, of config_settings too."""
_KINDS = (EdgeKind.IMPLICIT, EdgeKind.PACKAGE_GROUP)
"""What the first two of these are about."""
_OF_ANY = Label("", "", "")
"""A source of edges that nobody looks at."""


def _modes_with(mode: str) -> Iterator[tuple[str, frozenset[EdgeKind]]]:
    """Yields the modes whose graphs have all edges of one, that one first, and of which kinds they
    have more."""
    for other in sorted(_MODES, key=lambda one: one != mode):
        has_all = all(map(le, mode[:2], other)) and (mode[1] == "0" or mode[2] == other[2])
        if has_all:
            kinds = zip(_KINDS, mode[:2], other[:2], strict=True)
            yield other, frozenset([kind for kind, own, others in kinds if own != others])


class KeptEdges:
    """The pieces of one kind of graph: `mode` says which of its edges there are."""

    def __init__(self, source: Loader, mode: str) -> None:
        self._source = source
        self._mode = mode
        self._modes = tuple(_modes_with(mode))
        self._pack = source.parts.results.of(_KIND, "analysis")
        self._pieces: dict[PackageId, Piece | None] = {}
        self._digests: dict[PackageId, bytes] = {}
        self._fresh: dict[PackageId, tuple[Package, dict[str, Sequence[Edge]]]] = {}
        self._marks: dict[PackageId, dict[str, int]] = {}
        """Of targets that are in no piece."""
        if self._pack is not None:
            source.parts.results.before_saving(self._put)

    def piece(self, package: Package) -> Piece | None:
        """What was kept of a package; None if nothing is."""
        id = package.id
        if id not in self._pieces:
            self._pieces[id] = self._read(package)
        return self._pieces[id]

    def _read(self, package: Package) -> Piece | None:
        pack, id = self._pack, package.id
        digest = self._source.package_digest(id) if pack is not None else None
        if pack is None or digest is None:
            return None
        self._digests[id] = digest
        for mode, more in self._modes:
            content = pack.get((mode, *id), lambda on: on == (_DIGEST, digest))
            if content is not None:
                return self._piece_of(package, content, without=more)
        return None

    @staticmethod
    def _piece_of(
        package: Package, content: bytes, without: Collection[EdgeKind] = ()
    ) -> Piece | None:
        try:
            return Piece(package.targets, content, without)
        except (ValueError, EOFError, TypeError, zlib.error):
            return None  # Written by another Python.

    def note(self, package: Package, name: str, edges: Sequence[Edge]) -> None:
        """Takes note of the edges of a target that is in no piece."""
        id = package.id
        piece = self._pieces.get(id)
        if id in self._digests and (piece is None or piece.number(name) is None):
            self._fresh.setdefault(id, (package, {}))[1][name] = edges

    def marks(self, package: Package, name: str, target: TargetData) -> int:
        """The marks of a target that is in no piece: they are asked for again to be kept."""
        known = self._marks.get(package.id)
        if known is None:
            known = self._marks[package.id] = self._marks_in_other_modes(package)
        if name not in known:
            known[name] = marks_of(package, target)
        return known[name]

    def _marks_in_other_modes(self, package: Package) -> dict[str, int]:
        """The marks that graphs with other edges have kept: they are the same in each."""
        known: dict[str, int] = {}
        pack, digest = self._pack, self._digests.get(package.id)
        if pack is None or digest is None:
            return known
        for mode in _MODES:
            key = (mode, *package.id)
            if mode != self._mode and pack.has(key, lambda on: on == (_DIGEST, digest)):
                content = pack.get(key)
                piece = None if content is None else self._piece_of(package, content)
                if piece is not None:
                    marked = zip(piece.names, piece.marks, strict=True)
                    known.update({name: mark & ~_KNOWN for name, mark in marked if mark})
        return known

    def _put(self) -> None:
        """Hands over what is new, with what was kept of the same packages."""
        fresh, self._fresh = self._fresh, {}
        for id, (package, edges) in fresh.items():
            digest = self._digests[id]
            content = self._encoded(package, self._pieces[id], edges)
            if self._pack is not None and content is not None:
                self._pack.put((self._mode, *id), content, ((_DIGEST, digest),))

    def _encoded(
        self, package: Package, piece: Piece | None, fresh: dict[str, Sequence[Edge]]
    ) -> bytes | None:
        """A piece with the edges of more targets; None where there are too many, or one hangs on
        what cannot be written."""
        targets, numbers = package.targets, package.targets.numbers
        writer = PieceWriter(len(numbers))
        for name, number in numbers.items():
            known = piece.number(name) if piece is not None else None
            if piece is not None and known is not None:
                edges = piece.edges(_OF_ANY, known)
                keys = piece.select_keys(known)
                writer.add(number, piece.marks[known], piece.shapes[known], edges, keys)
            elif name in fresh:
                target = targets.encoded(name)
                shape = None if target is None else shape_number(target, numbers)
                if target is not None and shape is not None:
                    keys = select_keys(target)
                    marks = _KNOWN | self.marks(package, name, target)
                    writer.add(number, marks, shape, fresh[name], keys)
            writer.bounds.append(len(writer.ends))
        try:
            return writer.written()
        except ValueError:
            return None
