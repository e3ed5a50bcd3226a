"""What stands at a position of a Starlark file.

Only the top-level statement around the position is parsed, so an error elsewhere in the file
does no harm. A statement that does not parse itself has its words looked at as text.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.source import Location, SourceFile, Span
from bazelscope.editor.pointed import (
    AttributeAt,
    LabelAt,
    LoadAt,
    NameAt,
    Pointed,
    SelectKeyAt,
    SymbolAt,
    TargetNameAt,
)
from bazelscope.loading.origins.syntax_pieces import Piece, SyntaxPieces
from bazelscope.starlark.syntax import tree

_SELECTS = frozenset({"select", "with_or", "if_set"})
"""Functions whose first argument has conditions as its keys: Bazel's, and those of skylib's
`selects`."""
_STRING = lazy_pattern(r"""(["'])([^"'\n]*)\1""")
_WORD = lazy_pattern(r"[A-Za-z_]\w*")


def pieces_of(source: SourceFile) -> SyntaxPieces:
    """The top-level statements of one text."""
    return SyntaxPieces(lambda path: source)


def pointed_at(source: SourceFile, offset: int, pieces: SyntaxPieces) -> Pointed | None:
    """What stands at `offset` of the text; None where there is nothing to tell of."""
    place = source.location(offset)
    piece = pieces.at(source.path, place.line)
    if piece is None:
        return _as_text(source, place)
    around = _nodes_around(piece, piece.file.source.offset(place))
    return _of_nodes(piece, around) if around else None


def _nodes_around(piece: Piece, offset: int) -> list[tree.Node]:
    """The nodes that have the offset in them, or end at it, outermost first."""
    nodes: list[tree.Node] = []
    node: tree.Node | None = piece.statement
    while node is not None:
        nodes.append(node)
        inner = [n for n in tree.children(node) if n.start <= offset <= n.end]
        node = inner[-1] if inner else None
    return nodes


def _of_nodes(piece: Piece, around: Sequence[tree.Node]) -> Pointed | None:
    node = around[-1]
    span = piece.file.span(node)
    if isinstance(node, tree.Literal):
        return _of_string(piece, around, node, span)
    if isinstance(node, tree.Name):
        above = around[-2] if len(around) > 1 else None
        if isinstance(above, tree.Call) and above.function is node:
            return NameAt(span, node.name, piece.location(above.opening))
        return NameAt(span, node.name)
    if isinstance(node, tree.Binding):
        load = around[-2]
        assert isinstance(load, tree.Load)
        return SymbolAt(span, node.exported, str(load.module.value))
    if isinstance(node, tree.Argument) and node.form == "=":
        call = around[-2]
        if isinstance(call, tree.Call):
            end = node.start + len(node.name)
            at = piece.file.source.span(node.start, end)
            return AttributeAt(at, node.name, _function(call), piece.location(call.opening))
    if isinstance(node, tree.Def):
        end = node.name_start + len(node.name)
        return NameAt(piece.file.source.span(node.name_start, end), node.name)
    if isinstance(node, tree.Call) and isinstance(node.function, tree.Name):
        at = piece.file.span(node.function)
        return NameAt(at, node.function.name, piece.location(node.opening))
    return None


def _of_string(
    piece: Piece, around: Sequence[tree.Node], node: tree.Literal, span: Span
) -> Pointed | None:
    text = node.value
    if not isinstance(text, str):
        return None
    above = around[-2] if len(around) > 1 else None
    if isinstance(above, tree.Load):
        return LoadAt(span, text)
    outer, attribute = _argument_around(around)
    call = piece.location(outer.opening) if outer is not None else None
    if outer is not None and attribute == "name" and around[-2] in outer.arguments:
        return TargetNameAt(span, text, piece.location(outer.opening))
    if isinstance(above, tree.Entry) and above.key is node:
        select = _select_around(around)
        if select is not None:
            return SelectKeyAt(span, text, piece.location(select.opening), attribute, call)
    return LabelAt(span, text, attribute, call)


def _argument_around(around: Sequence[tree.Node]) -> tuple[tree.Call | None, str]:
    """The outermost call that the last of the nodes is in an argument of, and its name."""
    for call, argument in pairwise(around):
        is_named = isinstance(argument, tree.Argument) and argument.form == "="
        if isinstance(call, tree.Call) and is_named and isinstance(argument, tree.Argument):
            return call, argument.name
    return None, ""


def _select_around(around: Sequence[tree.Node]) -> tree.Call | None:
    """The select() whose dict the last of the nodes is a key of."""
    for call in reversed(around[:-2]):
        if isinstance(call, tree.Call):
            return call if _function(call).rpartition(".")[2] in _SELECTS else None
    return None


def _function(call: tree.Call) -> str:
    """The name of what is called, with what it is a member of: `selects.with_or`."""
    function: tree.Expression = call.function
    names: list[str] = []
    while isinstance(function, tree.Dot):
        names.append(function.name)
        function = function.object
    if isinstance(function, tree.Name):
        names.append(function.name)
    return ".".join(reversed(names))


def _as_text(source: SourceFile, place: Location) -> Pointed | None:
    """What the words of a line look like that is part of no statement that parses."""
    line = source.line(place.line)
    column = place.column - 1
    start = source.line_starts[place.line - 1]
    for match in _STRING.finditer(line):
        if match.start() <= column <= match.end():
            span = source.span(start + match.start(), start + match.end())
            is_load = line.lstrip().startswith("load(") and match[2].endswith((".bzl", ".scl"))
            return LoadAt(span, match[2]) if is_load else LabelAt(span, match[2])
    for match in _WORD.finditer(line):
        if match.start() <= column <= match.end():
            return NameAt(source.span(start + match.start(), start + match.end()), match[0])
    return None
