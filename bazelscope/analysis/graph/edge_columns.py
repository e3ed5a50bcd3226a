"""Edges and shapes of the targets of one package as columns: read without its targets, and written.

Most targets of a graph are passed through: a walk asks what they lead to, and under which branches
of which select(). So a piece has what a walk needs, and the package itself is not even unpacked.
"""

from __future__ import annotations

import marshal
import zlib
from array import array
from collections.abc import Collection, Sequence
from itertools import accumulate, compress
from typing import Any

from bazelscope.analysis.conditions.edges import ChosenBranch, Edge, EdgeKind
from bazelscope.base.label import Label
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.bazel.attribute_types import Branch, RuleClass, Selector, SelectorList
from bazelscope.bazel.encoded_values import (
    decode_label,
    decode_stack,
    decode_value,
    encode_value,
    selects_in,
)
from bazelscope.loading.cache.diagnostic_codec import encode_stack
from bazelscope.loading.packages.encoded_targets import (
    OUTPUT,
    RULE,
    TargetData,
    class_number,
    explicit_values,
    generating_rule,
    shape_of,
)
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.package_data import LazyTargets

_MOST = 1 << 16
"""So many kinds of edges, and branches that they hang on, a piece can have."""
_FILE, _OUTPUT = -1, -2
"""Shapes that are no number of a rule class; a generated file has `_OUTPUT` less the number of
the target that generates it."""


class TargetShape(NamedTuple):
    """What a graph has to know of a target, or of what is none."""

    rule_class: RuleClass | None = None
    generating_rule: Label | None = None
    """Of a generated file."""
    has_configuration: bool = True
    """Not so for source files and package groups."""
    is_target: bool = True

    @property
    def class_name(self) -> str:
        """The name of a rule's class; empty for what is no rule."""
        return self.rule_class.name if self.rule_class is not None else ""


FILE, NO_TARGET = TargetShape(has_configuration=False), TargetShape(is_target=False)


class Link(NamedTuple):
    """What is kept of an edge besides its ends: what made it, and whether it leads to a tool."""

    attribute: str
    kind: EdgeKind
    is_tool: bool


_new = tuple.__new__
"""Makes tens of thousands of named tuples in half the time."""
_Row = tuple[str, str, bool]
_links: dict[_Row, Link] = {}
"""Links by what is kept of them: thousands of pieces have a few dozen."""


def _link(row: _Row) -> Link:
    name, kind, tool = row
    link = _links[row] = Link(name, EdgeKind(kind), tool)
    return link


def shape_from(package: Package, label: Label, target: TargetData) -> TargetShape:
    """Returns the shape of a target of a package."""
    shape = shape_of(target)
    if shape == RULE:
        return TargetShape(package.targets.class_of(target))
    if shape == OUTPUT:
        return TargetShape(generating_rule=label.sibling(generating_rule(target)))
    return FILE


Keys = tuple[tuple[str, ...], ...]
"""The conditions of each select() of a target, as texts."""
_Select = tuple[tuple[tuple[str, Any], ...], str, tuple[tuple[str, str, int, int], ...]]
"""A select(): conditions with values, what it says where none holds, where it was called."""


class _Columns(NamedTuple):
    """A piece as it is written: of target `n`, the edges `bounds[n]` to `bounds[n + 1]`. An edge
    hangs on the branch `hangs - 1`: a select(), the place of a branch in it, and on what that hangs
    itself."""

    marks: bytes
    shapes: bytes
    bounds: bytes
    ends: bytes
    links: bytes
    hangs: bytes
    texts: tuple[str, ...]
    table: tuple[_Row, ...]
    branches: tuple[tuple[int, int, int], ...]
    selects: tuple[_Select, ...]
    keys: dict[int, Keys]


class Piece:
    """What was kept of one package."""

    __slots__ = ("_branches", "_chosen_ends", "_kinds", "_labels", "_selectors", "_stored",
                 "_targets", "bounds", "ends", "hangs", "links", "marks", "names", "numbers",
                 "shapes", "table", "texts")  # fmt: skip

    def __init__(
        self, targets: LazyTargets, content: bytes, without: Collection[EdgeKind] = ()
    ) -> None:
        """Leaves out the edges of kinds to do `without`. Raises `ValueError` and the like where the
        content is none of a piece."""
        stored = self._stored = _Columns(*marshal.loads(_unpacked(content)))
        self._targets = targets
        self.names = tuple(targets.numbers)
        self.numbers = targets.numbers
        self.marks = memoryview(stored.marks).cast("H")
        self.shapes = array("i", stored.shapes)
        self.bounds = array("I", stored.bounds)
        self.ends = array("I", stored.ends)
        self.links = array("H", stored.links)
        self.hangs = array("H", stored.hangs)
        self.texts = stored.texts
        self.table = [_links.get(row) or _link(row) for row in stored.table]
        if without:
            self._leave_out(without)
        self._labels: list[Label] | None = None
        self._chosen_ends: tuple[Collection[str], dict[int, Label]] = (), {}
        self._kinds: dict[int, TargetShape] = {}
        self._selectors: dict[int, Selector] = {}
        self._branches: dict[int, ChosenBranch | None] = {0: None}

    def _leave_out(self, kinds: Collection[EdgeKind]) -> None:
        is_wanted = [link.kind not in kinds for link in self.table]
        if not all(is_wanted):
            stays = [is_wanted[link] for link in self.links]
            places = list(accumulate(stays, initial=0))
            self.bounds = array("I", [places[bound] for bound in self.bounds])
            self.ends = array("I", compress(self.ends, stays))
            self.links = array("H", compress(self.links, stays))
            self.hangs = array("H", compress(self.hangs, stays))

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

    def edges(self, label: Label, number: int) -> tuple[Edge, ...]:
        """The edges of a target."""
        first, last = self.bounds[number], self.bounds[number + 1]
        branches = map(self._branch, self.hangs[first:last])
        rows = zip(self.targets(number), self.links_of(number), branches, strict=True)
        return tuple(
            [_new(Edge, (label, end, name, kind, on, tool)) for end, (name, kind, tool), on in rows]
        )

    def edges_to(self, label: Label, number: int, above: Collection[str]) -> list[Edge]:
        """Those of the edges of a target that lead to one of `above`, by the text of its label."""
        if self._chosen_ends[0] is not above:
            texts = enumerate(self.texts)
            chosen = {end: decode_label(text) for end, text in texts if text in above}
            self._chosen_ends = above, chosen
        targets, ends, table = self._chosen_ends[1], self.ends, self.table
        edges: list[Edge] = []
        for at in range(self.bounds[number], self.bounds[number + 1]):
            end = targets.get(ends[at])
            if end is not None:
                name, kind, tool = table[self.links[at]]
                on = self._branch(self.hangs[at])
                edges.append(_new(Edge, (label, end, name, kind, on, tool)))
        return edges

    def _branch(self, hang: int) -> ChosenBranch | None:
        """The branch that an edge hangs on, if it does."""
        branches = self._branches
        if hang not in branches:
            select, place, under = self._stored.branches[hang - 1]
            selector = self._selector(select)
            branch = ChosenBranch(selector, selector.branches[place], self._branch(under))
            branches[hang] = branch
        return branches[hang]

    def _selector(self, number: int) -> Selector:
        known = self._selectors.get(number)
        if known is None:
            branches, no_match_error, stack = self._stored.selects[number]
            known = self._selectors[number] = Selector(
                tuple(
                    [Branch(decode_label(text), decode_value(value)) for text, value in branches]
                ),
                no_match_error,
                decode_stack(stack),
            )
        return known

    def shape(self, label: Label, number: int) -> TargetShape:
        """What there is to know of a target."""
        shape = self.shapes[number]
        if shape >= 0:
            known = self._kinds.get(shape)
            if known is None:
                known = self._kinds[shape] = TargetShape(self._targets.class_numbered(shape))
            return known
        if shape == _FILE:
            return FILE
        return TargetShape(generating_rule=label.sibling(self.names[_OUTPUT - shape]))

    def select_keys(self, number: int) -> Keys:
        """The conditions of each select() that is written into a rule."""
        return self._stored.keys.get(number, ())


class PieceWriter:
    """Columns that grow by the targets of one package, in their order."""

    def __init__(self, count: int) -> None:
        self._marks, self._shapes = array("H", bytes(2 * count)), array("i", bytes(4 * count))
        self.bounds, self.ends = array("I", [0]), array("I")
        self._links: list[int] = []
        self._hangs: list[int] = []
        self._texts: dict[str, int] = {}
        self._numbers: dict[Label, int] = {}
        """Those of the texts, by what they are the labels of."""
        self._table: dict[_Row, int] = {}
        self._branches: dict[tuple[int, int, int], int] = {}
        self._selects: list[_Select] = []
        self._keys: dict[int, Keys] = {}

    def add(self, number: int, marks: int, shape: int, edges: Sequence[Edge], keys: Keys) -> None:
        """Adds a target with its edges."""
        self._marks[number], self._shapes[number] = marks, shape
        if keys:
            self._keys[number] = keys
        selects: dict[int, tuple[int, dict[int, int]]] = {}
        texts, table, number_of = self._texts, self._table, self._numbers
        for _, end, name, kind, branch, is_tool in edges:
            to = number_of.get(end)
            if to is None:
                to = number_of[end] = texts.setdefault(str(end), len(texts))
            self.ends.append(to)
            # `value` would take a call.
            self._links.append(table.setdefault((name, kind._value_, is_tool), len(table)))
            self._hangs.append(0 if branch is None else self._branch(branch, selects))

    def _branch(self, chosen: ChosenBranch, selects: dict[int, tuple[int, dict[int, int]]]) -> int:
        """The number of a branch; `selects` are the numbers of the target's own, and where their
        branches stand, both by identity."""
        selector = chosen.selector
        if id(selector) not in selects:
            places = {id(branch): place for place, branch in enumerate(selector.branches)}
            selects[id(selector)] = len(self._selects), places
            branches = [(str(one.condition), _plain(one.value)) for one in selector.branches]
            stack = encode_stack(selector.call_stack)
            self._selects.append((tuple(branches), selector.no_match_error, stack))
        number, places = selects[id(selector)]
        place = places[id(chosen.branch)]
        under = self._branch(chosen.under, selects) if chosen.under else 0
        return self._branches.setdefault((number, place, under), len(self._branches)) + 1

    def written(self) -> bytes:
        """The columns as bytes. Raises `ValueError`."""
        if max(len(self._table), len(self._branches) + 1) > _MOST:
            raise ValueError("too many kinds of edges")
        columns = _Columns(
            self._marks.tobytes(),
            self._shapes.tobytes(),
            self.bounds.tobytes(),
            self.ends.tobytes(),
            array("H", self._links).tobytes(),
            array("H", self._hangs).tobytes(),
            tuple(self._texts),
            tuple(self._table),
            tuple(self._branches),
            tuple(self._selects),
            self._keys,
        )
        return _packed(marshal.dumps(tuple(columns)))


_SMALL = 8192
"""To compress what is smaller saves little, and to expand it takes longer than to read it."""
_IS_PACKED, _IS_PLAIN = b"z", b"p"


def _packed(content: bytes) -> bytes:
    if len(content) < _SMALL:
        return _IS_PLAIN + content
    return _IS_PACKED + zlib.compress(content, 1)


def _unpacked(content: bytes) -> bytes:
    """What was packed. Raises `zlib.error`."""
    return content[1:] if content[:1] == _IS_PLAIN else zlib.decompress(content[1:])


def _plain(value: object) -> object:
    """What a branch holds, encoded; if that is a select() itself, what tells it from others."""
    if isinstance(value, SelectorList):
        return tuple([_plain(part) for part in value.parts])
    if isinstance(value, Selector):
        return tuple([(str(one.condition), _plain(one.value)) for one in value.branches])
    return encode_value(value)


def shape_number(target: TargetData, numbers: dict[str, int]) -> int | None:
    """Returns the number of the shape of a target in a piece; None for a file of no rule there."""
    shape = shape_of(target)
    if shape == RULE:
        return class_number(target)
    if shape != OUTPUT:
        return _FILE
    maker = numbers.get(generating_rule(target))
    return None if maker is None else _OUTPUT - maker


def select_keys(target: TargetData) -> Keys:
    """Returns the conditions of each select() that is written into a rule, without decoding it."""
    if shape_of(target) != RULE:
        return ()
    return tuple(
        [
            tuple([condition for condition, _ in branches])
            for _, value in explicit_values(target)
            for branches in selects_in(value)
        ]
    )
