"""Doubts that a value carries: decided without knowing in one statement, and used in another."""

from __future__ import annotations

from collections.abc import Mapping

from bazelscope.base.source import SourceFile
from bazelscope.starlark.compile.compiler import add_bound
from bazelscope.starlark.syntax import parser
from bazelscope.starlark.syntax import tree as s
from bazelscope.starlark.syntax.file_kind import FileKind


def carried_doubt(
    source: SourceFile, kind: FileKind, doubts: Mapping[tuple[str, int], object], line: int
) -> object:
    """Returns the doubt of the top-level statement on `line` of a file that has been run: its own,
    or that of one before it which binds a name that it mentions; None if it has none. `doubts` are
    those of the statements, by path and line."""
    of_names: dict[str, object] = {}
    for statement in parser.parse(source, kind).statements:
        begin = source.location(statement.start).line
        read: s.Statement | s.Expression = statement
        if isinstance(statement, s.Assignment) and not statement.operator:
            read = statement.value
        mentioned = (node.name for node in s.walk(read) if isinstance(node, s.Name))
        carried = (of_names[name] for name in mentioned if name in of_names)
        doubt = doubts.get((source.path, begin)) or next(carried, None)
        if begin == line:
            return doubt
        bound: list[str] = []
        add_bound(statement, bound)
        for name in bound:
            of_names.pop(name, None)
            if doubt is not None:
                of_names[name] = doubt
    return None
