"""Syntax trees of single top-level statements, for looking up where something stands.

An answer asks about a few calls and definitions in files of thousands of lines, whose whole
parsing would take longer than everything else. So a file is cut where a line begins a new
top-level statement, and only the piece in question is parsed; where that cut is wrong (a
line of a long string may look like one) the whole file is parsed after all.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

from bazelscope import starlark
from bazelscope.base.errors import StarlarkError
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.memoized import memoized
from bazelscope.base.source import Location, SourceFile
from bazelscope.base.unknown import without_pieces
from bazelscope.starlark.syntax import tree

_BEGINS = lazy_pattern(r"^(?![\s#)\]}\"']|else\b|elif\b)", re.MULTILINE)

_LOAD = lazy_pattern(r"^load\s*\(", re.MULTILINE)

Read = Callable[[str], SourceFile | None]

_MAXIMUM_TEXT = 60


class Piece:
    """A top-level statement and the text that its offsets point into. What is looked up in
    it is listed once: one macro makes hundreds of rules."""

    def __init__(self, file: tree.File, statement: tree.Statement) -> None:
        self.file = file
        self.statement = statement
        self._assigned: dict[int, Mapping[str, Sequence[tree.Expression]]] = {}
        self._asked_once: Location | None = None

    def call_at(self, location: Location) -> tree.Call | None:
        """The call whose parenthesis stands there, as call stacks say it."""
        if self._asked_once is not None:
            return self._calls.get(location)
        self._asked_once = location
        return self._call_around(location) or self._calls.get(location)

    def _call_around(self, location: Location) -> tree.Call | None:
        """Finds that call by way of what stands around it alone: to ask for one takes no list."""
        source = self.file.source
        place = location.line - source.first_line
        if source.path != location.path or not 0 <= place < len(source.line_starts):
            return None
        offset = source.offset(location)
        pending: list[tree.Node] = [self.statement]
        while pending:
            node = pending.pop()
            if isinstance(node, tree.Call) and node.opening == offset:
                return node
            pending += (one for one in tree.children(node) if one.start <= offset < one.end)
        return None

    def function_around(self, node: tree.Node) -> tree.Def | None:
        """The innermost function that has `node` in it."""
        around = [one for one in self._functions if one.start <= node.start < one.end]
        return around[-1] if around else None

    def assigned_in(self, function: tree.Def) -> Mapping[str, Sequence[tree.Expression]]:
        """What is assigned to each name in a function of this piece, in written order; for the
        variables of a loop, what it goes through."""
        values = self._assigned.get(function.start)
        if values is None:
            values = self._assigned[function.start] = _assigned(function)
        return values

    @cached_property
    def _calls(self) -> Mapping[Location, tree.Call]:
        nodes = tree.walk(self.statement)
        return {self.location(n.opening): n for n in nodes if isinstance(n, tree.Call)}

    @cached_property
    def _functions(self) -> Sequence[tree.Def]:
        return [node for node in tree.walk(self.statement) if isinstance(node, tree.Def)]

    def location(self, offset: int) -> Location:
        return self.file.location(offset)

    def text(self, node: tree.Node) -> str:
        return without_pieces(self.file.text(node))


class SyntaxPieces:
    """Finds top-level statements by line or by the name that they define."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._source: SourceFile | None = None

    def at(self, path: str, line: int) -> Piece | None:
        """The top-level statement of a file that `line` belongs to."""
        if self._source_of(path) is None:
            return None
        position = bisect_right(self._starts_of(path)[0], line) - 1
        for piece in self._parse_at(path, position) if position >= 0 else ():
            if _covers(piece, line):
                return piece
        return next((piece for piece in self._all(path) if _covers(piece, line)), None)

    def call_at(self, location: Location) -> tree.Call | None:
        """The call whose parenthesis stands at a place. Of a function of a thousand lines the
        statement there alone is parsed."""
        for piece in self._statement_at(location.path, location.line):
            call = piece.call_at(location)
            if call is not None:
                return call
        around = self.at(location.path, location.line)
        return around.call_at(location) if around is not None else None

    @memoized
    def _statement_at(self, path: str, line: int) -> tuple[Piece, ...]:
        """The statement that begins on a line in a block; empty where none parses."""
        source = self._source_of(path)
        row = line - 1
        if source is None or row >= len(source.line_starts):
            return ()
        begin, text = source.line_starts[row], source.text
        end_of_line = text.find("\n", begin)
        indent = len(text[begin:end_of_line]) - len(text[begin:end_of_line].lstrip())
        if not indent or end_of_line < 0:
            return ()  # A piece of its own.
        later = re.compile(rf"^[ \t]{{0,{indent}}}(?![\s#)\]}}])", re.MULTILINE)
        found = later.search(text, end_of_line + 1)
        block = text[begin : found.start() if found else len(text)]
        return self._parse(SourceFile(path, f"if 1:\n{block}\n", row))

    def begin_of_call(self, location: Location) -> Location:
        """Where the call begins whose parenthesis stands at a place; any other place as it is."""
        piece = self.at(location.path, location.line)
        call = piece.call_at(location) if piece is not None else None
        return location if piece is None or call is None else piece.location(call.start)

    def every(self, path: str) -> tuple[Piece, ...]:
        """All top-level statements of a file, but for those that do not parse."""
        if self._source_of(path) is None:
            return ()
        whole = self._all(path)
        if whole:
            return whole
        cut = range(len(self._starts_of(path)[0]))
        parsed = (self._parse_at(path, position) for position in cut)
        return tuple(pieces[0] for pieces in parsed if pieces)

    def loads(self, path: str) -> tuple[tree.Load, ...]:
        """The load statements of a file."""
        return tuple(load for load, _ in self.placed_loads(path))

    def placed_loads(self, path: str) -> tuple[tuple[tree.Load, tree.File], ...]:
        """The load statements of a file, each with the text that its offsets point into."""
        has_source = self._source_of(path) is not None
        pieces = dict.fromkeys(self._loads_of(path).values() if has_source else ())
        return tuple((p.statement, p.file) for p in pieces if isinstance(p.statement, tree.Load))

    @memoized
    def definition(self, path: str, name: str) -> Piece | None:
        """The last top-level statement that assigns, defines or loads `name`."""
        source = self._source_of(path)
        if source is None:
            return None
        text = source.text
        escaped = re.escape(name)
        simple = re.compile(rf"^(?:def\s+{escaped}\s*\(|{escaped}\s*=[^=])", re.MULTILINE)
        candidates = [match.start() for match in simple.finditer(text)]
        for offset in reversed(candidates):
            piece = self.at(path, source.location(offset).line)
            if piece is not None and name in _bound_names(piece.statement):
                return piece
        loaded = self._loads_of(path).get(name)
        if loaded is not None:
            return loaded
        if f"\n{name}" in text or text.startswith(name):
            for piece in reversed(self._all(path)):
                if name in _bound_names(piece.statement):
                    return piece
        return None

    @memoized
    def _loads_of(self, path: str) -> dict[str, Piece]:
        """The load statements of a file by the names that they bind."""
        source = self._there(path)
        loads: dict[str, Piece] = {}
        for match in _LOAD.finditer(source.text):
            piece = self.at(path, source.location(match.start()).line)
            if piece is not None and isinstance(piece.statement, tree.Load):
                loads.update(dict.fromkeys(_bound_names(piece.statement), piece))
        return loads

    def _source_of(self, path: str) -> SourceFile | None:
        """A file's text. The last one is held, for many of its pieces are asked for in a row."""
        if self._source is None or self._source.path != path:
            self._source = self._read(path)
        return self._source

    def _there(self, path: str) -> SourceFile:
        """The text of a file that is there."""
        source = self._source_of(path)
        assert source is not None
        return source

    @memoized
    def _starts_of(self, path: str) -> tuple[list[int], list[int]]:
        """The lines on which the pieces of a file begin, and their offsets."""
        source = self._there(path)
        text, lines = source.text, list[int]()
        offsets = [match.start() for match in _BEGINS.finditer(text)]
        line, before = 1, 0
        for offset in offsets:
            line += text.count("\n", before, offset)
            before = offset
            lines.append(line)
        return lines, offsets

    @memoized
    def _parse_at(self, path: str, position: int) -> tuple[Piece, ...]:
        """The statements from one cut to the next; empty where the text does not parse alone."""
        source = self._there(path)
        lines, offsets = self._starts_of(path)
        end = offsets[position + 1] if position + 1 < len(offsets) else len(source.text)
        text = f"{source.text[offsets[position] : end]}\n"
        return self._parse(SourceFile(path, text, lines[position]))

    @memoized
    def _all(self, path: str) -> tuple[Piece, ...]:
        return self._parse(self._there(path))

    def _parse(self, source: SourceFile) -> tuple[Piece, ...]:
        # Every dialect's statements are allowed: what does not belong was reported elsewhere.
        try:
            file = starlark.parse(source, starlark.FileKind.BZL)
        except StarlarkError:
            return ()
        return tuple(Piece(file, statement) for statement in file.statements)


def _assigned(function: tree.Def) -> Mapping[str, Sequence[tree.Expression]]:
    values: dict[str, list[tree.Expression]] = {}
    for node in tree.walk(function):
        if isinstance(node, tree.Assignment):
            target, value = node.target, node.value
        elif isinstance(node, tree.For):
            target, value = node.variables, node.iterable
        else:
            continue
        for name in dict.fromkeys(assigned_names(target)):
            values.setdefault(name, []).append(value)
    return values


def assigned_names(target: tree.Expression) -> Iterator[str]:
    """The names that an assignment to `target` binds."""
    if isinstance(target, tree.Name):
        yield target.name
    elif isinstance(target, tree.ListExpression | tree.TupleExpression):
        for element in target.elements:
            yield from assigned_names(element)


def _covers(piece: Piece, line: int) -> bool:
    statement = piece.statement
    first = piece.location(statement.start).line
    return first <= line <= piece.location(max(statement.start, statement.end - 1)).line


def _bound_names(statement: tree.Statement) -> set[str]:
    if isinstance(statement, tree.Def):
        return {statement.name}
    if isinstance(statement, tree.Assignment):
        return {node.name for node in tree.walk(statement.target) if isinstance(node, tree.Name)}
    if isinstance(statement, tree.Load):
        return {binding.local for binding in statement.bindings}
    if isinstance(statement, tree.If | tree.For):
        names: set[str] = set()
        for inner in (*statement.body, *getattr(statement, "otherwise", ())):
            names |= _bound_names(inner)
        return names
    return set()


@dataclass(frozen=True, slots=True)
class Scope:
    """Where an expression stands: its statement, and the frame of `stack` that runs it
    (-1: no frame; then `arguments` hold what its parameters were called with)."""

    piece: Piece
    function: tree.Def | None
    frame: int
    call: tree.Call | None = None
    caller: Scope | None = None


def shortened(node: tree.Expression, piece: Piece) -> str:
    """The expression's text on one line; a call with long arguments as `f(...)`."""
    text = " ".join(piece.text(node).split())
    if len(text) <= _MAXIMUM_TEXT:
        return text
    if isinstance(node, tree.Call):
        return f"{' '.join(piece.text(node.function).split())}(...)"
    return text[: _MAXIMUM_TEXT - 3] + "..."


def parameter_of(function: tree.Def | None, name: str) -> tree.Parameter | None:
    """The parameter of that name, if the function has one."""
    if function is None:
        return None
    return next((parameter for parameter in function.parameters if parameter.name == name), None)


def place_of(scope: Scope | None) -> Location | None:
    """Where the name of a scope's function stands."""
    if scope is None or scope.function is None:
        return None
    return scope.piece.location(scope.function.name_start)
