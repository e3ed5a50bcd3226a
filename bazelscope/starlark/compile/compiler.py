"""Compiles a resolved syntax tree to Python code objects, by way of Python's `ast`.

How Starlark maps to Python:

- A Starlark function is a Python function, a global a key of the Python globals, a predeclared
  name a key of `__builtins__`; so calls and names cost what they cost in Python.
- Every operation whose meaning differs is a call of a helper (`operators.HELPERS`). Helpers
  have names that no Starlark name can have (`@add`), and live in the globals of each module.
- A `for` statement locks the list or dict that it runs over (`@begin`) and unlocks it after
  the loop and before a `return` out of it (`@done`); an error unlocks everything. It is no
  `try ... finally`, because Python nests at most 20 of those.
- A function that calls anything runs between `@enter` and `@leave`, which count steps and
  depth and refuse recursion. One that calls nothing can do neither harm, and goes without.
- Each top-level statement stands in `try ... except`, whose handler `@failed` decides whether
  the file goes on.
- Constant lists are one constant of the code object, so a BUILD file's lists cost nothing to
  compile and little to build.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Sequence
from types import CodeType
from typing import Any

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.starlark.compile.emitter import COLUMN_BITS, FILE_PREFIX
from bazelscope.starlark.compile.expressions import OPERATORS, ExpressionCompiler, has_call
from bazelscope.starlark.syntax import tree as s
from bazelscope.starlark.syntax.file_kind import FileKind

_IN_PLACE = {"+": "@iadd", "|": "@ior"}


@dataclass(frozen=True, slots=True)
class Compiled:
    """The code of a file: one code object a chunk, and what its helpers must find."""

    chunks: tuple[CodeType, ...]
    loads: tuple[s.Load, ...]
    statements: tuple[tuple[str, ...], ...]
    """The names that each top-level statement binds, by its number."""
    lines: tuple[int, ...]
    """The lines on which these statements begin."""


def compile_file(file: s.File, shadowing: frozenset[str]) -> Compiled:
    """The code objects of a resolved file; `shadowing` are the globals that hide a predeclared name
    from the first statement on."""
    return Compiler(file, shadowing).run()


class Compiler(ExpressionCompiler):
    """Compiles one file."""

    def __init__(self, file: s.File, shadowing: frozenset[str]) -> None:
        super().__init__(file.source, shadowing)
        self._file = file
        self._loads: list[s.Load] = []
        self._guards = 0
        self._iterated: list[str] = []  # the variables of the loops around, outermost first

    def run(self) -> Compiled:
        chunks: list[CodeType] = []
        bound: list[tuple[str, ...]] = []
        lines: list[int] = []
        for statements in _cut(self._file):
            body: list[ast.stmt] = []
            for statement in statements:
                made = self.statement(statement)
                if not made:
                    continue
                at = self.word(statement.start)
                number = self.constant(len(bound), at)
                failed = self.evaluate(self.helper("@failed", [number], at), at)
                body.append(self.catch(made, failed, at))
                names: list[str] = []
                add_bound(statement, names)
                bound.append(tuple(dict.fromkeys(names)))
                lines.append(at >> COLUMN_BITS)
            name = FILE_PREFIX + self._file.path
            module = ast.Module(body, [])
            chunks.append(compile(module, name, "exec", dont_inherit=True, optimize=0))
        return Compiled(tuple(chunks), tuple(self._loads), tuple(bound), tuple(lines))

    def guard(self, name: str) -> str:
        self._guards += 1
        return f"{self._file.path}\0{self._guards}\0{name}"

    # ---- Statements

    def block(self, statements: Iterable[s.Statement]) -> list[ast.stmt]:
        body: list[ast.stmt] = []
        for statement in statements:
            body += self.statement(statement)
        return body

    def statement(self, node: s.Statement) -> list[ast.stmt]:
        """The Python statements of a Starlark one; none for what does nothing."""
        at = self.word(node.start)
        if isinstance(node, s.ExpressionStatement):
            if isinstance(node.value, s.Literal):
                return []
            return [self.evaluate(self.expression(node.value), at)]
        if isinstance(node, s.Assignment):
            if node.operator:
                return self._augmented(node, at)
            return self.assignment(node.target, self.expression(node.value), self.word(node.at))
        if isinstance(node, s.If):
            return [self._if(node, at)]
        if isinstance(node, s.For):
            return self._for(node, at)
        if isinstance(node, s.Return):
            return self._return(node, at)
        if isinstance(node, s.Def):
            return [self._def(node, at)]
        if isinstance(node, s.Load):
            self._loads.append(node)
            number = self.constant(len(self._loads) - 1, at)
            return [self.evaluate(self.helper("@load", [number], self.word(node.opening)), at)]
        if isinstance(node, s.Break):
            return [ast.Break(lineno=at, col_offset=0)]
        if isinstance(node, s.Continue):
            return [ast.Continue(lineno=at, col_offset=0)]
        return []

    def _return(self, node: s.Return, at: int) -> list[ast.stmt]:
        value = self.expression(node.value) if node.value is not None else None
        body: list[ast.stmt] = []
        if self._iterated and value is not None:
            name = self.temporary()
            body.append(self.assign(self.store(name, at), value, at))
            value = self.load(name, at)
        for iterated in reversed(self._iterated):
            body.append(self.evaluate(self.helper("@done", [self.load(iterated, at)], at), at))
        return [*body, self._returned(value, at)]

    def _returned(self, value: ast.expr | None, at: int) -> ast.stmt:
        return ast.Return(value, lineno=at, col_offset=0)

    def _if(self, node: s.If, at: int) -> ast.stmt:
        return ast.If(
            self.expression(node.condition),
            self.block(node.body) or [self.nothing(at)],
            self.block(node.otherwise),
            lineno=at,
            col_offset=0,
        )

    def assignment(self, target: s.Expression, value: ast.expr, where: int) -> list[ast.stmt]:
        """Statements that assign the Python expression `value` to `target`.

        `where` is the place of its failure: of the `=`, as in Bazel.
        """
        at = self.word(target.start)
        if isinstance(target, (s.Index, s.Dot)):
            # The value is evaluated before the operands of the target.
            name = self.temporary()
            stored = self.store_call(target, self.load(name, at), where)
            return [self.assign(self.store(name, at), value, at), self.evaluate(stored, at)]
        store = self.variables(target)
        if isinstance(target, s.Name):
            assert store is not None
            return [self.assign(store, value, at)]
        assert isinstance(target, (s.TupleExpression, s.ListExpression))
        count = self.constant(len(target.elements), at)
        unpacked = self.helper("@unpack", [value, count], where)
        if store is not None:
            return [self.assign(store, unpacked, at)]
        names = [self.temporary() for _ in target.elements]
        stores = self.tuple_target([self.store(name, at) for name in names], at)
        body = [self.assign(stores, unpacked, at)]
        for name, element in zip(names, target.elements, strict=True):
            body += self.assignment(element, self.load(name, at), where)
        return body

    def _augmented(self, node: s.Assignment, at: int) -> list[ast.stmt]:
        where = self.word(node.at)
        operator = _IN_PLACE.get(node.operator, OPERATORS[node.operator])
        target = node.target
        value = self.expression(node.value)
        if isinstance(target, s.Name):
            old = self.expression(target)
            store = self.store(self.python_name(target.name), at)
            return [self.assign(store, self.helper(operator, [old, value], where), at)]
        # The operands of the target are evaluated once.
        container = self.temporary()
        assert isinstance(target, (s.Index, s.Dot))
        body = [self.assign(self.store(container, at), self.expression(target.object), at)]
        if isinstance(target, s.Index):
            key = self.temporary()
            body.append(self.assign(self.store(key, at), self.expression(target.key), at))
            read, write, place = "@index", "@setindex", self.word(target.opening)
            part = self.load(key, at)
        else:
            read, write, place = "@attr", "@setattr", self.word(target.dot)
            part = self.constant(target.name, at)
        whole = self.load(container, at)
        changed = self.helper(operator, [self.helper(read, [whole, part], place), value], where)
        body.append(self.evaluate(self.helper(write, [whole, part, changed], where), at))
        return body

    def _for(self, node: s.For, at: int) -> list[ast.stmt]:
        where = self.word(node.iterable.start)
        iterated = self.temporary()
        iterable = self.helper("@begin", [self.expression(node.iterable)], where)
        self._iterated.append(iterated)
        body = self.block(node.body)
        self._iterated.pop()
        target = self.variables(node.variables)
        if target is None or not isinstance(node.variables, s.Name):
            element = self.temporary()
            place = self.word(node.variables.start)
            target = self.store(element, place)
            body = self.assignment(node.variables, self.load(element, place), place) + body
        loop = ast.For(
            target,
            self.load(iterated, where),
            body or [self.nothing(at)],
            [],
            lineno=at,
            col_offset=0,
        )
        done = self.evaluate(self.helper("@done", [self.load(iterated, where)], where), at)
        return [self.assign(self.store(iterated, where), iterable, at), loop, done]

    def _def(self, node: s.Def, at: int) -> ast.stmt:
        arguments = self.parameters(node.parameters)
        head = [
            self.assign(self.store(name, at), value, at)
            for name, value in self.adapted(node.parameters)
        ]
        outside, self._iterated = self._iterated, []
        body = self.block(node.body) or [self.nothing(at)]
        self._iterated = outside
        if _may_find_nothing(node.body):
            before = self.temporary()
            decisions = self.helper("@decisions", [], at)
            body.insert(0, self.assign(self.store(before, at), decisions, at))
            given = [self.load(before, at), self.constant(node.name, at)]
            body.append(self._returned(self.helper("@found_nothing", given, at), at))
        if any(has_call(statement) for statement in node.body):
            where = self.word(node.name_start)
            guard = self.constant(self.guard(node.name), where)
            leave = self.evaluate(self.helper("@leave", [guard], where), where)
            body = [
                self.evaluate(self.helper("@enter", [guard], where), where),
                self.finally_(body, leave, where),
            ]
        fields: dict[str, Any] = {"lineno": at, "col_offset": 0, **_FIELDS_OF_FUNCTIONS}
        function: ast.stmt = ast.FunctionDef(
            self.python_name(node.name), arguments, head + body, [], None, **fields
        )
        return function


_FIELDS_OF_FUNCTIONS: dict[str, Any] = {"type_params": []} if sys.version_info >= (3, 12) else {}


def _may_find_nothing(body: Sequence[s.Statement]) -> bool:
    """Whether a function of that body returns a value on some of its ways, and ends without a
    `return` on another."""
    return any(map(_gives_value, body)) and not _returns(body)


def _gives_value(statement: s.Statement) -> bool:
    """Whether a value is returned somewhere in `statement`."""
    if isinstance(statement, s.Return):
        return statement.value is not None
    if isinstance(statement, s.If):
        return any(map(_gives_value, (*statement.body, *statement.otherwise)))
    return isinstance(statement, s.For) and any(map(_gives_value, statement.body))


def _returns(body: Sequence[s.Statement]) -> bool:
    """Whether nothing comes behind `body`, because each of its ways ends in a `return`."""
    last = body[-1] if body else None
    if isinstance(last, s.If):
        return _returns(last.body) and _returns(last.otherwise)
    return isinstance(last, s.Return)


def _cut(file: s.File) -> list[list[s.Statement]]:
    """The chunks of a file: in WORKSPACE, a load after anything else begins a new one."""
    chunks: list[list[s.Statement]] = [[]]
    loading = True
    for statement in file.statements:
        is_load = isinstance(statement, s.Load)
        if file.kind is FileKind.WORKSPACE and is_load and not loading:
            chunks.append([])
        loading = is_load
        chunks[-1].append(statement)
    return chunks


def bound_in_later_chunks(file: s.File, names: frozenset[str]) -> frozenset[str]:
    """Which of the global `names` a chunk of the file mentions before the first one that binds
    them: Bazel resolves each by itself, so that they are the predeclared ones till then."""
    mentioned: set[str] = set()
    later: set[str] = set()
    for statements in _cut(file):
        bound: list[str] = []
        for statement in statements:
            add_bound(statement, bound)
        later |= names & mentioned & set(bound)
        for statement in statements:
            mentioned |= {node.name for node in s.walk(statement) if isinstance(node, s.Name)}
    return frozenset(later)


def add_bound(statement: s.Statement, names: list[str]) -> None:
    """Adds to `names` what `statement` binds at its own level."""
    targets: list[s.Expression] = []
    if isinstance(statement, s.Assignment):
        targets.append(statement.target)
    elif isinstance(statement, s.For):
        targets.append(statement.variables)
        for inner in statement.body:
            add_bound(inner, names)
    elif isinstance(statement, s.If):
        for inner in (*statement.body, *statement.otherwise):
            add_bound(inner, names)
    elif isinstance(statement, s.Def):
        names.append(statement.name)
    elif isinstance(statement, s.Load):
        names.extend(binding.local for binding in statement.bindings)
    while targets:
        target = targets.pop()
        if isinstance(target, s.Name):
            names.append(target.name)
        elif isinstance(target, (s.TupleExpression, s.ListExpression)):
            targets.extend(reversed(target.elements))
