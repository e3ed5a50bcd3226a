"""Doubts that a value carries: decided without knowing in one statement, and used in another."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping

from bazelscope.base.source import SourceFile
from bazelscope.starlark.compile.compiler import add_bound
from bazelscope.starlark.syntax import parser
from bazelscope.starlark.syntax import tree as s
from bazelscope.starlark.syntax.file_kind import FileKind

DoubtOfName = Callable[[str], object]
"""Tells the doubt of what a file binds to a name; None if there is none."""


class CarriedDoubts:
    """Goes through the top-level statements of a file that runs, as far as it has run: each is
    looked at once, however often it is asked."""

    def __init__(self, source: SourceFile, kind: FileKind) -> None:
        self._source = source
        self._rest: Iterator[s.Statement] = iter(parser.parse(source, kind).statements)
        self._statement = next(self._rest, None)
        self._of_names: dict[str, object] = {}

    def at(
        self, line: int, doubts: Mapping[tuple[str, int], object], loads: Mapping[str, DoubtOfName]
    ) -> object:
        """Returns the doubt of the statement on `line`, which is none before the last one asked
        for: its own, or that of one before it which binds a name that it mentions; None if it has
        none. `doubts` are those of the statements, by path and line; `loads` tell those that other
        files have of what is loaded of them, by the names it has here."""
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
            changed = None if doubt is None else _changed(self._statement)
            if changed is not None:
                self._of_names[changed] = doubt
            if isinstance(self._statement, s.Load):
                self._of_names.update(_of_loads(self._statement, loads))
            self._statement = next(self._rest, None)
        return None

    def of_name(
        self,
        name: str,
        doubts: Mapping[tuple[str, int], object],
        loads: Mapping[str, DoubtOfName],
    ) -> object:
        """Returns the doubt of what a name is bound to at the end of the file; None if none."""
        self.at(sys.maxsize, doubts, loads)
        return self._of_names.get(name)

    def _carried(self, statement: s.Statement) -> object:
        """The doubt of a name that a statement reads."""
        read: s.Statement | s.Expression = statement
        if isinstance(statement, s.Assignment) and not statement.operator:
            read = statement.value
        if not self._of_names:
            return None
        names = (node.name for node in s.walk(read) if isinstance(node, s.Name))
        return next((self._of_names[name] for name in names if name in self._of_names), None)


def _of_loads(statement: s.Load, loads: Mapping[str, DoubtOfName]) -> Iterator[tuple[str, object]]:
    """The doubts of the names that a load statement binds."""
    for binding in statement.bindings:
        told = loads.get(binding.local)
        doubt = None if told is None else told(binding.exported)
        if doubt is not None:
            yield binding.local, doubt


def _changed(statement: s.Statement) -> str | None:
    """The name of what a statement changes without binding it: `d.update(x)`, `d["a"] = x`."""
    part: object = statement.target if isinstance(statement, s.Assignment) else None
    if isinstance(statement, s.ExpressionStatement) and isinstance(statement.value, s.Call):
        part = statement.value.function
    if isinstance(part, s.Name):  # A function that is called, or a name that is bound.
        return None
    while isinstance(part, (s.Dot, s.Index)):
        part = part.object
    return part.name if isinstance(part, s.Name) else None
