"""Builds the nodes of Python's `ast` that the compiler emits, each with its place.

Line numbers hold line and column, `line << 11 | column`; see `stack.py`, which reads them.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from bazelscope.base.source import SourceFile

FILE_PREFIX = "starlark!"
"""What the file name of every Starlark code object begins with; Python's own never does."""

COLUMN_BITS = 11
MAX_COLUMN = (1 << COLUMN_BITS) - 1
MAX_LINE = (1 << 31 - COLUMN_BITS) - 1

LOAD, STORE = ast.Load(), ast.Store()


def mangle(name: str, shadowing: frozenset[str]) -> str:
    """The Python name of the Starlark name `name`.

    A global that shadows a predeclared name, and any name that could mean something to
    Python itself (`__builtins__`), get a `$` before them: reading such a global before its
    assignment then fails, as it must, instead of finding the predeclared one.
    """
    return "$" + name if name in shadowing or name.startswith("__") else name


def demangle(name: str) -> str:
    """The Starlark name of a Python name that `mangle` made."""
    return name[1:] if name.startswith("$") else name


class Emitter:
    """Node constructors for one file. `at` is always a packed place, from `word`."""

    def __init__(self, source: SourceFile, shadowing: frozenset[str]) -> None:
        self.shadowing = shadowing
        self._temporaries = 0
        self._line_starts = source.line_starts
        self._lines = min(len(self._line_starts), MAX_LINE)

    def word(self, offset: int) -> int:
        """The line number that Python is told: the line and the column of `offset`."""
        starts = self._line_starts
        line = bisect_right(starts, offset, 0, self._lines)
        column = offset - starts[line - 1] + 1
        return line << COLUMN_BITS | (column if column < MAX_COLUMN else MAX_COLUMN)

    def python_name(self, name: str) -> str:
        return mangle(name, self.shadowing)

    def temporary(self) -> str:
        """A fresh variable, of a name that no Starlark name can be."""
        self._temporaries += 1
        return f"@{self._temporaries}"

    # ---- Expressions

    def load(self, name: str, at: int) -> ast.expr:
        return ast.Name(name, LOAD, lineno=at, col_offset=0)

    def store(self, name: str, at: int) -> ast.expr:
        return ast.Name(name, STORE, lineno=at, col_offset=0)

    def constant(self, value: Any, at: int) -> ast.expr:
        return ast.Constant(value, lineno=at, col_offset=0)

    def tuple(self, parts: Sequence[ast.expr], at: int) -> ast.expr:
        return ast.Tuple([*parts], LOAD, lineno=at, col_offset=0)

    def tuple_target(self, parts: Sequence[ast.expr], at: int) -> ast.expr:
        return ast.Tuple([*parts], STORE, lineno=at, col_offset=0)

    def call(
        self, function: ast.expr, positional: list[ast.expr], keywords: list[ast.keyword], at: int
    ) -> ast.expr:
        return ast.Call(function, positional, keywords, lineno=at, col_offset=0)

    def helper(self, name: str, arguments: list[ast.expr], at: int) -> ast.expr:
        """A call of one of `operators.HELPERS`."""
        return self.call(self.load(name, at), arguments, [], at)

    def starred(self, value: ast.expr, at: int) -> ast.expr:
        return ast.Starred(value, LOAD, lineno=at, col_offset=0)

    def keyword(self, name: str | None, value: ast.expr, at: int) -> ast.keyword:
        return ast.keyword(name, value, lineno=at, col_offset=0)

    def argument(self, name: str, at: int) -> ast.arg:
        return ast.arg(name, None, lineno=at, col_offset=0)

    def boolean(self, word: str, parts: list[ast.expr], at: int) -> ast.expr:
        return ast.BoolOp(ast.And() if word == "and" else ast.Or(), parts, lineno=at, col_offset=0)

    # ---- Statements

    def assign(self, target: ast.expr, value: ast.expr, at: int) -> ast.stmt:
        return ast.Assign([target], value, lineno=at, col_offset=0)

    def evaluate(self, value: ast.expr, at: int) -> ast.stmt:
        return ast.Expr(value, lineno=at, col_offset=0)

    def nothing(self, at: int) -> ast.stmt:
        return ast.Pass(lineno=at, col_offset=0)

    def finally_(self, body: list[ast.stmt], last: ast.stmt, at: int) -> ast.stmt:
        return ast.Try(body, [], [], [last], lineno=at, col_offset=0)

    def catch(self, body: list[ast.stmt], handler: ast.stmt, at: int) -> ast.stmt:
        caught = ast.ExceptHandler(None, None, [handler], lineno=at, col_offset=0)
        return ast.Try(body, [caught], [], [], lineno=at, col_offset=0)
