"""Doubts that a value carries: decided without knowing in one statement, and used in another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bazelscope.base.source import SourceFile
from bazelscope.starlark.compile.compiler import add_bound
from bazelscope.starlark.syntax import parser
from bazelscope.starlark.syntax import tree as s
from bazelscope.starlark.syntax.file_kind import FileKind


class CarriedDoubts:
    """Goes through the top-level statements of a file that runs, as far as it has run: each is
    looked at once, however often it is asked."""

    def __init__(self, source: SourceFile, kind: FileKind) -> None:
        self._source = source
        self._rest: Iterator[s.Statement] = iter(parser.parse(source, kind).statements)
        self._statement = next(self._rest, None)
        self._of_names: dict[str, object] = {}

    def at(self, line: int, doubts: Mapping[tuple[str, int], object]) -> object:
        """Returns the doubt of the statement on `line`, which is none before the last one asked
        for: its own, or that of one before it which binds a name that it mentions; None if it has
        none. `doubts` are those of the statements, by path and line."""
        while self._statement is not None:
            begin = self._source.location(self._statement.start).line
            doubt = doubts.get((self._source.path, begin)) or self._carried(self._statement)
            if begin >= line:
                return doubt if begin == line else None
            bound: list[str] = []
            add_bound(self._statement, bound)
            for name in bound:
                self._of_names.pop(name, None)
                if doubt is not None:
                    self._of_names[name] = doubt
            self._statement = next(self._rest, None)
        return None

    def _carried(self, statement: s.Statement) -> object:
        """The doubt of a name that a statement reads."""
        read: s.Statement | s.Expression = statement
        if isinstance(statement, s.Assignment) and not statement.operator:
            read = statement.value
        if not self._of_names:
            return None
        names = (node.name for node in s.walk(read) if isinstance(node, s.Name))
        return next((self._of_names[name] for name in names if name in self._of_names), None)
