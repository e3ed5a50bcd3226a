"""Parses Starlark text into the tree of `syntax.py`.

The automaton is Lark's (`parse_tables.py`), the loop is ours. It skips chains of reductions that
change nothing (an operand is a primary is a factor is a product ...): where such a chain ends
depends only on the state below, the rule, and the next token, so it is looked up, not walked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from bazelscope.base import budget
from bazelscope.base.errors import Diagnostic, LimitError, StarlarkError, fault
from bazelscope.base.source import SourceFile, Span
from bazelscope.starlark.syntax import parse_tables
from bazelscope.starlark.syntax.file_kind import FileKind
from bazelscope.starlark.syntax.lexer import Lexer, Tokens
from bazelscope.starlark.syntax.parse_tables import Tables
from bazelscope.starlark.syntax.tree import File, Statement
from bazelscope.starlark.syntax.tree_builder import TreeBuilder


def parse(source: SourceFile, kind: FileKind) -> File:
    """The syntax tree of `source`; StarlarkError at the first thing that is no Starlark."""
    if not _sharing:
        return File(source, kind, prepare().parse(source))
    path, text, made = _sharing[-1]
    if path != source.path or text != source.text:
        try:
            made = prepare().parse(source)
        except LimitError:
            raise
        except StarlarkError as error:
            made = error
        _sharing[-1] = source.path, source.text, made
    if isinstance(made, StarlarkError):
        raise made.with_traceback(None)
    return File(source, kind, made)


@contextmanager
def sharing_tree() -> Iterator[None]:
    """Inside, the text that was parsed last is not parsed again: an editor has one text looked at
    by several who know nothing of one another."""
    _sharing.append(("", None, ()))
    try:
        yield
    finally:
        _sharing.pop()


_sharing: list[tuple[str, str | None, tuple[Statement, ...] | StarlarkError]] = []
"""Path, text and what became of it, for each `sharing_tree` that is entered."""
_parsers: list[Parser] = []
_Reduction = tuple[Callable[[list[Any]], Any], int, int]
_NOTHING = SourceFile("", ""), Tokens([], [], [])
_BLOCK = 4096
"""After so many tokens the budget is looked at."""


def prepare() -> Parser:
    """The parser of the grammar, made at the first call."""
    if not _parsers:
        _parsers.append(Parser(parse_tables.load()))
    return _parsers[0]


class Parser:
    """Built once from the tables; `parse` reads one file."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._lexer = Lexer(tables)
        self._builders: list[tuple[TreeBuilder, list[_Reduction]]] = []
        """Those that no thread builds with."""
        # _shortcuts[state][origin] maps the next token to the state at the end of the chain.
        self._shortcuts: list[dict[int, dict[int, int]]] = [{} for _ in tables.gotos]

    def parse(self, source: SourceFile) -> tuple[Statement, ...]:
        try:
            return self._parse(source, self._lexer.tokens(source))
        except LimitError:
            raise
        except StarlarkError:
            # What is wrong is told by each token.
            return self._parse(source, self._lexer.tokens(source, with_lists=False))

    def _parse(self, source: SourceFile, tokens: Tokens) -> tuple[Statement, ...]:
        tables = self._tables
        try:
            builder, reductions = self._builders.pop()
        except IndexError:
            builder, reductions = self._builder()
        builder.begin(source, tokens)
        actions = tables.actions
        shortcuts = self._shortcuts
        state = tables.start
        states = [state]
        values: list[Any] = []
        push_state, push_value = states.append, values.append
        accept = tables.accept
        kinds = tokens.kinds
        index = 0
        try:
            for first in range(0, len(kinds), _BLOCK):
                spent = budget.current().spent_on_files()
                if spent is not None:
                    raise LimitError(
                        Diagnostic(budget.LIMIT, spent, self._at(source, tokens, first))
                    )
                for index in range(first, min(first + _BLOCK, len(kinds))):
                    kind = kinds[index]
                    while True:
                        action = actions[state].get(kind)
                        if action is None:
                            if state == accept:
                                break
                            self._fail(source, tokens, index, state)
                        if action >= 0:
                            state = action
                            push_state(state)
                            push_value(index)
                            break
                        build, length, origin = reductions[~action]
                        if length == 1:
                            value = build(values[-1:])
                            values[-1] = value
                            states.pop()
                        elif length:
                            value = build(values[-length:])
                            del values[-length:], states[-length:]
                            push_value(value)
                        else:
                            push_value(build([]))
                        below = states[-1]
                        try:
                            state = shortcuts[below][origin][kind]
                        except KeyError:
                            state = self._shortcut(below, origin, kind)
                        push_state(state)
        except StarlarkError:
            raise
        except Exception as error:
            problem = fault(error, self._at(source, tokens, index))
            raise StarlarkError(problem) from error
        finally:
            builder.begin(*_NOTHING)
            self._builders.append((builder, reductions))
        result: tuple[Statement, ...] = values[0]
        return result

    def _builder(self) -> tuple[TreeBuilder, list[_Reduction]]:
        builder = TreeBuilder()
        reductions = [
            (builder.method(production), production.length, production.origin)
            for production in self._tables.productions
        ]
        return builder, reductions

    def _shortcut(self, below: int, origin: int, kind: int) -> int:
        """Where a chain of transparent reductions ends, remembered for the next time."""
        tables = self._tables
        state = tables.gotos[below][origin]
        while True:
            action = tables.actions[state].get(kind, 0)
            if action >= 0:
                break
            production = tables.productions[~action]
            if not production.transparent:
                break
            state = tables.gotos[below][production.origin]
        self._shortcuts[below].setdefault(origin, {})[kind] = state
        return state

    @staticmethod
    def _at(source: SourceFile, tokens: Tokens, index: int) -> Span:
        start = tokens.starts[index]
        return source.span(start, start + len(tokens.texts[index]))

    def _fail(self, source: SourceFile, tokens: Tokens, index: int, state: int) -> NoReturn:
        from bazelscope.starlark.syntax.syntax_errors import explain

        diagnostic: Diagnostic = explain(source, tokens, index, self._tables, state)
        raise StarlarkError(diagnostic)
