"""The symbols of a file, as an editor lists them."""

from __future__ import annotations

import enum
from collections.abc import Iterator

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import SourceFile, Span
from bazelscope.editor.file_kinds import TextKind, kind_of
from bazelscope.editor.state import EditorState
from bazelscope.flags.rcfile import parse as parse_rc
from bazelscope.loading.origins.syntax_pieces import Piece
from bazelscope.starlark.syntax import tree


class SymbolKind(enum.Enum):
    TARGET = "target"
    FUNCTION = "function"
    VARIABLE = "variable"
    LOAD = "load"
    SECTION = "section"


@dataclass(frozen=True, slots=True)
class Symbol:
    """One symbol: `span` is all of it, `name_span` its name; `detail` what makes it."""

    name: str
    kind: SymbolKind
    span: Span
    name_span: Span
    detail: str = ""


def outline(state: EditorState, source: SourceFile) -> tuple[Symbol, ...]:
    """The targets, functions, variables and loads of a Starlark file, or the sections of an rc
    file, in written order. A statement that does not parse is left out."""
    kind = kind_of(source.path)
    if kind is TextKind.RC:
        return tuple(_sections(source))
    if kind.starlark is None:
        return ()
    symbols = (_symbol(piece) for piece in state.pieces(source).every(source.path))
    return tuple(symbol for symbol in symbols if symbol is not None)


def _sections(source: SourceFile) -> Iterator[Symbol]:
    for line in parse_rc(source):
        words = " ".join(word.text for word in line.words[1:])
        yield Symbol(line.head.text, SymbolKind.SECTION, line.span, line.head.span, words)


def _symbol(piece: Piece) -> Symbol | None:
    statement = piece.statement
    span = piece.file.span(statement)
    if isinstance(statement, tree.Def):
        start = statement.name_start
        name_span = piece.file.source.span(start, start + len(statement.name))
        return Symbol(statement.name, SymbolKind.FUNCTION, span, name_span)
    if isinstance(statement, tree.Assignment) and isinstance(statement.target, tree.Name):
        name_span = piece.file.span(statement.target)
        return Symbol(statement.target.name, SymbolKind.VARIABLE, span, name_span)
    if isinstance(statement, tree.Load):
        name_span = piece.file.span(statement.module)
        return Symbol(str(statement.module.value), SymbolKind.LOAD, span, name_span)
    if isinstance(statement, tree.ExpressionStatement) and isinstance(statement.value, tree.Call):
        return _target(piece, statement.value, span)
    return None


def _target(piece: Piece, call: tree.Call, span: Span) -> Symbol | None:
    for argument in call.arguments:
        value = argument.value
        if argument.name == "name" and isinstance(value, tree.Literal):
            function = piece.text(call.function)
            name_span = piece.file.span(value)
            return Symbol(str(value.value), SymbolKind.TARGET, span, name_span, function)
    return None
