"""Edges and shapes of targets, kept for the next run as columns, one piece a package.

Most targets of a graph are passed through: a walk asks what they lead to, and nothing else. So
each piece has what a walk needs, and the package itself is not even unpacked. A piece has the
targets that were asked about so far, and rests on all that there is to know of its package.
"""

from __future__ import annotations

import marshal
import zlib
from array import array
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple, Protocol

from bazelscope.analysis.conditions.edges import Edge, EdgeKind
from bazelscope.analysis.conditions.visibility import PUBLIC
from bazelscope.analysis.graph.packages_as_inputs import PackagesAsInputs
from bazelscope.base.label import Label, PackageId
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import RuleClass
from bazelscope.bazel.encoded_values import (
    Encoded,
    decode_label,
    holds_unknown,
    mentions,
    selects_in,
)
from bazelscope.kept.pack import Pack
from bazelscope.loading.packages.encoded_targets import (
    OUTPUT,
    RULE,
    TargetData,
    class_number,
    computed_values,
    explicit_values,
    generating_rule,
    shape_of,
)
from bazelscope.loading.packages.package import Package, PackageResult
from bazelscope.loading.packages.package_data import LazyTargets

_KIND = "edges"
_PUBLIC_TEXT = str(PUBLIC)
_DIGEST = "digest"

_KNOWN, _BRANCHES, _SELECTS, _UNKNOWNS, _VISIBILITY, _TEMPLATES = 1, 2, 4, 8, 16, 32
_TEST_ONLY, _PUBLIC = 64, 128
"""Of a target: it was asked about; one of its edges hangs on a branch; it has a select(); it may
hold a value that nobody can tell; its own `visibility` is written; it has a text with a `$`; it is
`testonly`; it, or its package for it, says that everybody may see it."""
_FILE, _OUTPUT = -1, -2
"""Shapes that are no number of a rule class; a generated file has `_OUTPUT` less the number of
the target that generates it."""


class KeepsResults(PackagesAsInputs, Protocol):
    """Who keeps what is found out about packages, and what packages together amount to: the
    loader."""

    def package_digest(self, package: PackageId) -> bytes | None: ...
    def world_digest(self) -> bytes | None: ...
    def asked_in_vain(self) -> Collection[Label]: ...
    def asked_registrations(self) -> Collection[tuple[str, tuple[str, ...]]]: ...
    def registered(self, what: str, extra: tuple[str, ...], /) -> tuple[Label | Unknown, ...]: ...
    def package(self, id: PackageId, /) -> PackageResult: ...
    def kept(self, kind: str, code: str) -> Pack | None: ...
    def before_saving(self, call: Callable[[], None]) -> None: ...


class TargetShape(NamedTuple):
    """What a graph has to know of a target, or of what is none."""

    rule_class: RuleClass | None = None
    generating_rule: Label | None = None
    """Of a generated file."""
    has_configuration: bool = True
    """Not so for source files and package groups."""
    is_target: bool = True


FILE, NO_TARGET = TargetShape(has_configuration=False), TargetShape(is_target=False)


class Link(NamedTuple):
    """What is kept of an edge besides its ends: what made it, and whether it leads to a tool."""

    attribute: str
    kind: EdgeKind
    is_tool: bool


def shape_from(package: Package, label: Label, target: TargetData) -> TargetShape:
    """Returns the shape of a target of a package."""
    shape = shape_of(target)
    if shape == RULE:
        return TargetShape(package.targets.class_of(target))
    if shape == OUTPUT:
        return TargetShape(generating_rule=label.sibling(generating_rule(target)))
    return FILE


def may_hold_unknowns(targets: LazyTargets, target: TargetData) -> bool:
    """Returns whether something of a target may be unknown: to look at its attributes is dear,
    and few rules have any."""
    if shape_of(target) != RULE:
        return False
    toolchains = targets.class_of(target).toolchains
    return holds_unknown(_values(target)) or any(isinstance(one, Unknown) for one in toolchains)


def has_selects(target: TargetData) -> bool:
    """Returns whether a rule was written with a select(), or loading has worked one out for it."""
    return shape_of(target) == RULE and any(
        True for value in _values(target) for _ in selects_in(value)
    )


def has_templates(target: TargetData) -> bool:
    """Returns whether a rule was given a text with a `$`, which Bazel may have to expand."""
    return shape_of(target) == RULE and any(mentions(value, "$") for value in _values(target))


def _values(rule: TargetData) -> Iterator[Encoded]:
    for part in (explicit_values(rule), computed_values(rule)):
        for _, value in part:
            yield value


def is_test_only(targets: LazyTargets, target: TargetData) -> bool:
    """Returns whether a rule is written as `testonly`, or its package is."""
    if shape_of(target) != RULE:
        return False
    for name, value in explicit_values(target):
        if name == "testonly":
            return value is True or value == 1
    return bool(targets.inherited(target).get("testonly"))


def is_written_public(package: Package, target: TargetData) -> bool:
    """Returns whether a rule says that everybody may see it, or its package says so for it."""
    if shape_of(target) != RULE:
        return False
    for attribute, value in explicit_values(target):
        if attribute == "visibility":
            return type(value) is tuple and _PUBLIC_TEXT in value
    return PUBLIC in package.default_visibility


def writes_visibility(target: TargetData) -> bool:
    """Returns whether `visibility` is written for a rule itself."""
    return shape_of(target) == RULE and any(
        name == "visibility" for name, _ in explicit_values(target)
    )


class Piece:
    """What was kept of one package: of target `n`, the edges `bounds[n]` to `bounds[n + 1]`."""

    __slots__ = ("_labels", "_targets", "bounds", "ends", "links", "marks", "names", "numbers",
                 "shapes", "table", "texts")  # fmt: skip

    def __init__(self, targets: LazyTargets, content: bytes) -> None:
        """Raises `ValueError` and the like where the content is none of a piece."""
        marks, shapes, bounds, ends, links, texts, table = marshal.loads(zlib.decompress(content))
        self._targets = targets
        self.names = tuple(targets)
        self.numbers = {name: number for number, name in enumerate(self.names)}
        self.marks: bytes = marks
        self.shapes = array("i", shapes)
        self.bounds = array("I", bounds)
        self.ends = array("I", ends)
        self.links = array("H", links)
        self.texts: tuple[str, ...] = texts
        self.table = tuple([Link(name, EdgeKind(kind), tool) for name, kind, tool in table])
        self._labels: list[Label] | None = None

    def number(self, name: str) -> int | None:
        """The number of a target that was asked about before."""
        number = self.numbers.get(name)
        return number if number is not None and self.marks[number] else None

    def targets(self, number: int) -> list[Label]:
        """What the edges of a target lead to, in their order."""
        labels = self._labels
        if labels is None:
            labels = self._labels = [decode_label(text) for text in self.texts]
        bounds = self.bounds
        return [labels[end] for end in self.ends[bounds[number] : bounds[number + 1]]]

    def links_of(self, number: int) -> list[Link]:
        """What the edges of a target are besides that."""
        table, bounds = self.table, self.bounds
        return [table[link] for link in self.links[bounds[number] : bounds[number + 1]]]

    def edges(self, label: Label, number: int) -> tuple[Edge, ...] | None:
        """The edges of a target; None where branches, which are not kept, belong to them."""
        if self.marks[number] & _BRANCHES:
            return None
        pairs = zip(self.targets(number), self.links_of(number), strict=True)
        return tuple(
            [Edge(label, end, name, kind, None, tool) for end, (name, kind, tool) in pairs]
        )

    def shape(self, label: Label, number: int) -> TargetShape:
        """What there is to know of a target."""
        shape = self.shapes[number]
        if shape >= 0:
            return TargetShape(self._targets.class_numbered(shape))
        if shape == _FILE:
            return FILE
        return TargetShape(generating_rule=label.sibling(self.names[_OUTPUT - shape]))

    def has_selects(self, number: int) -> bool:
        """Whether a target has a select()."""
        return bool(self.marks[number] & _SELECTS)

    def may_hold_unknowns(self, number: int) -> bool:
        """Whether something of a target may be unknown."""
        return bool(self.marks[number] & _UNKNOWNS)

    def has_templates(self, number: int) -> bool:
        """Whether a target has a text with a `$`."""
        return bool(self.marks[number] & _TEMPLATES)

    def is_test_only(self, number: int) -> bool:
        """Whether a rule is `testonly`."""
        return bool(self.marks[number] & _TEST_ONLY)

    def is_written_public(self, number: int) -> bool:
        """Whether a rule says that everybody may see it, or its package says so for it."""
        return bool(self.marks[number] & _PUBLIC)

    def has_visibility(self, number: int) -> bool:
        """Whether `visibility` is written for a rule itself."""
        return bool(self.marks[number] & _VISIBILITY)


class KeptEdges:
    """The pieces of one kind of graph: `mode` says which of its edges there are."""

    def __init__(self, source: KeepsResults, mode: str) -> None:
        self._source = source
        self._mode = mode
        self._pack = source.kept(_KIND, "analysis")
        self._pieces: dict[PackageId, Piece | None] = {}
        self._digests: dict[PackageId, bytes] = {}
        self._fresh: dict[PackageId, tuple[Package, dict[str, Sequence[Edge]]]] = {}
        if self._pack is not None:
            source.before_saving(self._put)

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
        content = pack.get((self._mode, *id), lambda rests_on: rests_on == (_DIGEST, digest))
        try:
            return None if content is None else Piece(package.targets, content)
        except (ValueError, EOFError, TypeError, zlib.error):
            return None  # Written by another Python.

    def note(self, package: Package, name: str, edges: Sequence[Edge]) -> None:
        """Takes note of the edges of a target that is in no piece."""
        id = package.id
        piece = self._pieces.get(id)
        if id in self._digests and (piece is None or piece.number(name) is None):
            self._fresh.setdefault(id, (package, {}))[1][name] = edges

    def _put(self) -> None:
        """Hands over what is new, with what was kept of the same packages."""
        fresh, self._fresh = self._fresh, {}
        for id, (package, edges) in fresh.items():
            digest = self._digests[id]
            content = _encoded(package, self._pieces[id], edges)
            if self._pack is not None and content is not None:
                self._pack.put((self._mode, *id), content, ((_DIGEST, digest),))


def _encoded(
    package: Package, piece: Piece | None, fresh: dict[str, Sequence[Edge]]
) -> bytes | None:
    """A piece with the edges of more targets; None where there are too many."""
    targets = package.targets
    numbers = {name: number for number, name in enumerate(targets)}
    marks, shapes = bytearray(len(numbers)), array("i", bytes(4 * len(numbers)))
    bounds, ends, links = array("I", [0]), array("I"), array("H")
    texts: dict[str, int] = {}
    table: dict[tuple[str, str, bool], int] = {}
    for name, number in numbers.items():
        known = piece.number(name) if piece is not None else None
        if piece is not None and known is not None:
            marks[number], shapes[number] = piece.marks[known], piece.shapes[known]
            rows = list(zip(piece.targets(known), piece.links_of(known), strict=True))
        elif name in fresh:
            target = targets.encoded(name)
            shape = None if target is None else _shape_number(target, numbers)
            if target is None or shape is None:
                bounds.append(len(ends))
                continue
            marks[number], shapes[number] = _marks(package, target, fresh[name]), shape
            rows = [(e.target, Link(e.attribute, e.kind, e.is_tool)) for e in fresh[name]]
        else:
            bounds.append(len(ends))
            continue
        for end, link in rows:
            ends.append(texts.setdefault(str(end), len(texts)))
            key = (link.attribute, link.kind.value, link.is_tool)
            links.append(table.setdefault(key, len(table)))
            if len(table) == 1 << 16:
                return None
        bounds.append(len(ends))
    columns = (bytes(marks), *(column.tobytes() for column in (shapes, bounds, ends, links)))
    return zlib.compress(marshal.dumps((*columns, tuple(texts), tuple(table))), 1)


def _shape_number(target: TargetData, numbers: dict[str, int]) -> int | None:
    shape = shape_of(target)
    if shape == RULE:
        return class_number(target)
    if shape != OUTPUT:
        return _FILE
    maker = numbers.get(generating_rule(target))
    return None if maker is None else _OUTPUT - maker


def _marks(package: Package, target: TargetData, edges: Sequence[Edge]) -> int:
    marks = _KNOWN
    if any(edge.branch is not None for edge in edges):
        marks |= _BRANCHES
    if has_selects(target):
        marks |= _SELECTS
    if has_templates(target):
        marks |= _TEMPLATES
    if writes_visibility(target):
        marks |= _VISIBILITY
    if is_test_only(package.targets, target):
        marks |= _TEST_ONLY
    if is_written_public(package, target):
        marks |= _PUBLIC
    return marks | (_UNKNOWNS if may_hold_unknowns(package.targets, target) else 0)
