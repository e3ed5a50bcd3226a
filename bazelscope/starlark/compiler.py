"""Compiles a resolved syntax tree to Python code objects, by way of Python's `ast`.

How Starlark maps to Python:

- A Starlark function is a Python function, a global a key of the Python globals, a predeclared
  name a key of `__builtins__`; so calls and names cost what they cost in Python.
- Every operation whose meaning differs is a call of a helper (`operators.HELPERS`). Helpers
  have names that no Starlark name can have (`@add`), and live in the globals of each module.
- A global that shadows a predeclared name, and any name that means something to Python
  itself (`__builtins__`), is spelt with a `$` before it: reading it before its assignment
  then fails, as it must, instead of finding the predeclared one.
- Line numbers hold line and column, `line << 11 | column`; see `stack.py`, which reads them.
- Constant lists are one constant of the code object, so a BUILD file's lists cost nothing to
  compile and little to build.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from types import CodeType

from bazelscope.starlark import syntax as s
from bazelscope.starlark.resolver import Resolution

FILE_PREFIX = "starlark!"
"""What the file name of every Starlark code object begins with; Python's own never does."""

COLUMN_BITS = 11
MAX_COLUMN = (1 << COLUMN_BITS) - 1
_LONG_CHAIN = 40

OPERATORS = {
    "+": "@add", "-": "@sub", "*": "@mul", "/": "@div", "//": "@floordiv", "%": "@mod",
    "|": "@or", "&": "@and", "^": "@xor", "<<": "@lshift", ">>": "@rshift",
    "==": "@eq", "!=": "@ne", "<": "@lt", "<=": "@le", ">": "@gt", ">=": "@ge",
    "in": "@in", "not in": "@not_in",
}  # fmt: skip
_UNARY = {"-": "@neg", "+": "@pos", "~": "@invert"}
_IN_PLACE = {"+": "@iadd", "|": "@ior"}

CONSTANTS = {"None": None, "True": True, "False": False}
"""Names of every dialect that mean the same everywhere; the resolver lets nobody bind them."""

_LOAD, _STORE = ast.Load(), ast.Store()


def mangle(name: str, shadowing: frozenset[str]) -> str:
    return "$" + name if name in shadowing or name.startswith("__") else name


def demangle(name: str) -> str:
    return name[1:] if name.startswith("$") else name


@dataclass(slots=True)
class Compiler:
    """Compiles one file; `compile_file` below is the entry."""

    file: s.File
    shadowing: frozenset[str]
    line_starts: list[int]
    loads: list[s.Load] = field(default_factory=list)
    guards: list[str] = field(default_factory=list)
    temporaries: int = 0

    # ---- Building Python nodes

    def word(self, offset: int) -> int:
        """The line number that Python is told: the line and the column of `offset`."""
        line = bisect_right(self.line_starts, offset)
        column = offset - self.line_starts[line - 1] + 1
        return line << COLUMN_BITS | (column if column < MAX_COLUMN else MAX_COLUMN)

    def load(self, name: str, at: int) -> ast.expr:
        return ast.Name(name, _LOAD, lineno=at, col_offset=0, end_lineno=at, end_col_offset=0)

    def store(self, name: str, at: int) -> ast.expr:
        return ast.Name(name, _STORE, lineno=at, col_offset=0, end_lineno=at, end_col_offset=0)

    def constant(self, value: object, at: int) -> ast.expr:
        node = ast.Constant(value, lineno=at, col_offset=0, end_lineno=at, end_col_offset=0)
        return node

    def helper(self, name: str, arguments: list[ast.expr], at: int) -> ast.Call:
        function = self.load(name, at)
        return ast.Call(
            function, arguments, [], lineno=at, col_offset=0, end_lineno=at, end_col_offset=0
        )

    def name(self, name: str) -> str:
        return mangle(name, self.shadowing)

    # ---- Statements

    def block(self, statements: Iterable[s.Statement]) -> list[ast.stmt]:
        body: list[ast.stmt] = []
        for statement in statements:
            body += self.statement(statement)
        return body

    def statement(self, node: s.Statement) -> list[ast.stmt]:
        at = self.word(node.start)
        place = {"lineno": at, "col_offset": 0, "end_lineno": at, "end_col_offset": 0}
        if isinstance(node, s.ExpressionStatement):
            if isinstance(node.value, s.Literal):
                return []
            return [ast.Expr(self.expression(node.value), **place)]
        if isinstance(node, s.Assignment):
            return self.assignment(node, place)
        if isinstance(node, s.If):
            test = self.expression(node.condition)
            body = self.block(node.body) or [ast.Pass(**place)]
            return [ast.If(test, body, self.block(node.otherwise), **place)]
        if isinstance(node, s.For):
            return self.loop(node, place)
        if isinstance(node, s.Return):
            value = self.expression(node.value) if node.value is not None else None
            return [ast.Return(value, **place)]
        if isinstance(node, s.Def):
            return [self.function(node)]
        if isinstance(node, s.Load):
            self.loads.append(node)
            number = self.constant(len(self.loads) - 1, at)
            call = self.helper("@load", [number], self.word(node.opening))
            return [ast.Expr(call, **place)]
        if isinstance(node, s.Break):
            return [ast.Break(**place)]
        if isinstance(node, s.Continue):
            return [ast.Continue(**place)]
        return []

    def target(self, node: s.Expression) -> ast.expr:
        """Where an assignment stores: a name, or a tuple of places."""
        at = self.word(node.start)
        if isinstance(node, s.Name):
            return self.store(self.name(node.name), at)
        assert isinstance(node, (s.TupleExpression, s.ListExpression))
        elements = [self.target(element) for element in node.elements]
        return ast.Tuple(
            elements, _STORE, lineno=at, col_offset=0, end_lineno=at, end_col_offset=0
        )

    def _plain(self, node: s.Expression) -> bool:
        """Whether assigning to `node` stores in names alone, at any depth of one."""
        if isinstance(node, s.Name):
            return True
        if isinstance(node, (s.TupleExpression, s.ListExpression)):
            return all(isinstance(element, s.Name) for element in node.elements)
        return False

    def assign(self, target: s.Expression, value: ast.expr) -> list[ast.stmt]:
        """Statements that assign the Python expression `value` to `target`."""
        at = self.word(target.start)
        place = {"lineno": at, "col_offset": 0, "end_lineno": at, "end_col_offset": 0}
        if isinstance(target, s.Name):
            return [ast.Assign([self.target(target)], value, **place)]
        if isinstance(target, s.Index):
            where = self.word(target.opening)
            container, key = self.expression(target.object), self.expression(target.key)
            # Starlark evaluates the value before the target's operands.
            temporary = self.temporary()
            stored = self.helper("@setindex", [container, key, self.load(temporary, at)], where)
            return [
                ast.Assign([self.store(temporary, at)], value, **place),
                ast.Expr(stored, **place),
            ]
        if isinstance(target, s.Dot):
            where = self.word(target.dot)
            arguments = [self.expression(target.object), self.constant(target.name, at), value]
            return [ast.Expr(self.helper("@setattr", arguments, where), **place)]
        assert isinstance(target, (s.TupleExpression, s.ListExpression))
        count = self.constant(len(target.elements), at)
        unpacked = self.helper("@unpack", [value, count], at)
        if self._plain(target):
            return [ast.Assign([self.target(target)], unpacked, **place)]
        names = [self.temporary() for _ in target.elements]
        places: list[ast.expr] = [self.store(name, at) for name in names]
        whole = ast.Tuple(places, _STORE, **place)
        body: list[ast.stmt] = [ast.Assign([whole], unpacked, **place)]
        for name, element in zip(names, target.elements):
            body += self.assign(element, self.load(name, at))
        return body

    def temporary(self) -> str:
        self.temporaries += 1
        return f"@{self.temporaries}"

    def assignment(self, node: s.Assignment, place: dict[str, int]) -> list[ast.stmt]:
        if not node.operator:
            return self.assign(node.target, self.expression(node.value))
        where = self.word(node.at)
        operator = _IN_PLACE.get(node.operator, OPERATORS[node.operator])
        target = node.target
        value = self.expression(node.value)
        if isinstance(target, s.Name):
            old = self.load(self.name(target.name), self.word(target.start))
            return [
                ast.Assign([self.target(target)], self.helper(operator, [old, value], where), **place)
            ]
        container = self.temporary()
        assert isinstance(target, (s.Index, s.Dot))
        at = self.word(target.start)
        body: list[ast.stmt] = [
            ast.Assign([self.store(container, at)], self.expression(target.object), **place)
        ]
        if isinstance(target, s.Index):
            key = self.temporary()
            opening = self.word(target.opening)
            body.append(ast.Assign([self.store(key, at)], self.expression(target.key), **place))
            pair = [self.load(container, at), self.load(key, at)]
            changed = self.helper(operator, [self.helper("@index", pair, opening), value], where)
            pair = [self.load(container, at), self.load(key, at)]
            body.append(ast.Expr(self.helper("@setindex", [*pair, changed], opening), **place))
        else:
            dot = self.word(target.dot)
            name = self.constant(target.name, at)
            pair = [self.load(container, at), name]
            changed = self.helper(operator, [self.helper("@attr", pair, dot), value], where)
            pair = [self.load(container, at), name]
            body.append(ast.Expr(self.helper("@setattr", [*pair, changed], dot), **place))
        return body

    def loop(self, node: s.For, place: dict[str, int]) -> list[ast.stmt]:
        """`for`, with the iterated list or dict locked against mutation while it runs."""
        at = self.word(node.iterable.start)
        iterated = self.temporary()
        iterable = self.helper("@begin", [self.expression(node.iterable)], at)
        variables = node.variables
        body = self.block(node.body)
        if isinstance(variables, s.Name):
            target = self.target(variables)
        else:
            item = self.temporary()
            where = self.word(variables.start)
            target = self.store(item, where)
            body = self.assign(variables, self.load(item, where)) + body
        loop = ast.For(target, self.load(iterated, at), body or [ast.Pass(**place)], [], **place)
        done = ast.Expr(self.helper("@done", [self.load(iterated, at)], at), **place)
        return [
            ast.Assign([self.store(iterated, at)], iterable, **place),
            ast.Try([loop], [], [], [done], **place),
        ]

    # ---- Functions

    def parameters(self, parameters: Sequence[s.Parameter]) -> tuple[ast.arguments, list[str]]:
        """Python's parameters, and the names that the body must rename first."""
        positional: list[ast.arg] = []
        keyword: list[ast.arg] = []
        defaults: list[ast.expr] = []
        keyword_defaults: list[ast.expr | None] = []
        rest: ast.arg | None = None
        keywords: ast.arg | None = None
        star = False
        renamed: list[str] = []
        for parameter in parameters:
            at = self.word(parameter.start)
            argument = ast.arg(
                parameter.name, None,
                lineno=at, col_offset=0, end_lineno=at, end_col_offset=0,
            )  # fmt: skip
            if parameter.name and self.name(parameter.name) != parameter.name:
                renamed.append(parameter.name)
            default = self.expression(parameter.default) if parameter.default else None
            if parameter.form == "*":
                star = True
                rest = argument if parameter.name else None
            elif parameter.form == "**":
                keywords = argument
            elif star:
                keyword.append(argument)
                keyword_defaults.append(default)
            else:
                positional.append(argument)
                if default is not None:
                    defaults.append(default)
        arguments = ast.arguments(
            [], positional, rest, keyword, keyword_defaults, keywords, defaults  # type: ignore[arg-type]
        )
        return arguments, renamed

    def function(self, node: s.Def) -> ast.stmt:
        at = self.word(node.start)
        place = {"lineno": at, "col_offset": 0, "end_lineno": at, "end_col_offset": 0}
        arguments, renamed = self.parameters(node.parameters)
        head: list[ast.stmt] = []
        for parameter in node.parameters:
            if parameter.form == "**":
                made = self.helper("@dict_of", [self.load(parameter.name, at)], at)
                head.append(ast.Assign([self.store(parameter.name, at)], made, **place))
        for name in renamed:
            value = self.load(name, at)
            head.append(ast.Assign([self.store(self.name(name), at)], value, **place))
        body = self.block(node.body)
        if any(isinstance(inner, s.Call) for part in node.body for inner in s.walk(part)):
            body = self.guarded(node, body, place)
        body = head + (body or [ast.Pass(**place)])
        return ast.FunctionDef(self.name(node.name), arguments, body, [], None, **place)

    def guarded(
        self, node: s.Def, body: list[ast.stmt], place: dict[str, int]
    ) -> list[ast.stmt]:
        """`body` behind a check that the function is not active already, and a step count.

        A function that calls nothing can neither recurse nor multiply work, so it goes
        without.
        """
        at = self.word(node.name_start)
        guard = f"@active{len(self.guards)}"
        self.guards.append(guard)
        name = self.constant(node.name, at)
        enter = ast.Expr(self.helper("@enter", [self.load(guard, at), name], at), **place)
        set_flag = ast.Assign([self.store(guard, at)], self.constant(True, at), **place)
        clear_flag = ast.Assign([self.store(guard, at)], self.constant(False, at), **place)
        return [
            ast.Global([guard], **place),
            enter,
            set_flag,
            ast.Try(body or [ast.Pass(**place)], [], [], [clear_flag], **place),
        ]

    # ---- Expressions

    def expression(self, node: s.Expression) -> ast.expr:
        kind = type(node)
        if kind is s.Name:
            return self._name(node)  # type: ignore[arg-type]
        if kind is s.Literal:
            return self.constant(node.value, self.word(node.start))  # type: ignore[union-attr]
        return _EXPRESSIONS[kind](self, node)

    def _name(self, node: s.Name) -> ast.expr:
        at = self.word(node.start)
        if node.name in CONSTANTS:
            return self.constant(CONSTANTS[node.name], at)
        return self.load(self.name(node.name), at)

    def _constants(self, elements: Sequence[s.Expression]) -> tuple[object, ...] | None:
        """The values of `elements`, if all are strings or integers."""
        values: list[object] = []
        for element in elements:
            if type(element) is s.Literal:
                values.append(element.value)
            elif type(element) is s.Name and element.name in CONSTANTS:
                values.append(CONSTANTS[element.name])
            else:
                return None
        return tuple(values)

    def _list(self, node: s.ListExpression) -> ast.expr:
        at = self.word(node.start)
        return self.helper("@list", [self._elements(node.elements, at)] if node.elements else [], at)

    def _elements(self, elements: Sequence[s.Expression], at: int) -> ast.expr:
        values = self._constants(elements)
        if values is not None:
            return self.constant(values, at)
        parts = [self.expression(element) for element in elements]
        return ast.Tuple(parts, _LOAD, lineno=at, col_offset=0, end_lineno=at, end_col_offset=0)

    def _tuple(self, node: s.TupleExpression) -> ast.expr:
        return self._elements(node.elements, self.word(node.start))

    def _dict(self, node: s.DictExpression) -> ast.expr:
        at = self.word(node.start)
        keys = [entry.key for entry in node.entries]
        literal = [key.value for key in keys if type(key) is s.Literal]
        if all(type(value) is str for value in literal) and len(set(literal)) == len(keys):
            display = ast.Dict(
                [self.expression(key) for key in keys],
                [self.expression(entry.value) for entry in node.entries],
                lineno=at, col_offset=0, end_lineno=at, end_col_offset=0,
            )  # fmt: skip
            return self.helper("@dict", [display] if keys else [], at)
        parts: list[ast.expr] = []
        for entry in node.entries:
            # Java evaluates the value of an entry before its key; so does Python's `[v, k]`.
            parts += [self.expression(entry.key), self.expression(entry.value)]
        whole = ast.Tuple(parts, _LOAD, lineno=at, col_offset=0, end_lineno=at, end_col_offset=0)
        return self.helper("@dict_display", [whole], at)

    def _dot(self, node: s.Dot) -> ast.expr:
        at = self.word(node.dot)
        return self.helper("@attr", [self.expression(node.object), self.constant(node.name, at)], at)

    def _call(self, node: s.Call) -> ast.expr:
        at = self.word(node.opening)
        function = self.expression(node.function)
        if not isinstance(function, (ast.Name, ast.Call)):
            # Python warns of `1()` while it compiles; Starlark fails when it runs.
            function = self.helper("@same", [function], at)
        positional: list[ast.expr] = []
        keywords: list[ast.keyword] = []
        for argument in node.arguments:
            value = self.expression(argument.value)
            form = argument.form
            if form == "":
                positional.append(value)
            elif form == "=":
                word = self.word(argument.start)
                keywords.append(
                    ast.keyword(argument.name, value, lineno=word, col_offset=0,
                                end_lineno=word, end_col_offset=0)
                )  # fmt: skip
            else:
                word = self.word(argument.start)
                place = {"lineno": word, "col_offset": 0, "end_lineno": word, "end_col_offset": 0}
                if form == "*":
                    rest = self.helper("@args", [value], word)
                    positional.append(ast.Starred(rest, _LOAD, **place))
                else:
                    keywords.append(
                        ast.keyword(None, self.helper("@kwargs", [value], word), **place)
                    )
        return ast.Call(
            function, positional, keywords,
            lineno=at, col_offset=0, end_lineno=at, end_col_offset=0,
        )  # fmt: skip

    def _index(self, node: s.Index) -> ast.expr:
        pair = [self.expression(node.object), self.expression(node.key)]
        return self.helper("@index", pair, self.word(node.opening))

    def _slice(self, node: s.Slice) -> ast.expr:
        at = self.word(node.opening)
        parts = [
            self.constant(None, at) if part is None else self.expression(part)
            for part in (node.low, node.high, node.step)
        ]
        return self.helper("@slice", [self.expression(node.object), *parts], at)

    def _unary(self, node: s.Unary) -> ast.expr:
        at = self.word(node.start)
        operand = self.expression(node.operand)
        if node.operator == "not":
            return ast.UnaryOp(
                ast.Not(), operand, lineno=at, col_offset=0, end_lineno=at, end_col_offset=0
            )
        if node.operator == "-" and isinstance(operand, ast.Constant):
            value = operand.value
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                return self.constant(-value, at)
        return self.helper(_UNARY[node.operator], [operand], at)

    def _binary(self, node: s.Binary) -> ast.expr:
        spine: list[s.Binary] = []
        left: s.Expression = node
        while isinstance(left, s.Binary):
            spine.append(left)
            left = left.left
        spine.reverse()
        result = self.expression(left)
        if len(spine) > _LONG_CHAIN and len({part.operator for part in spine}) == 1:
            return self._chain(spine, result)
        for part in spine:
            result = self._operation(part, result, self.expression(part.right))
        return result

    def _chain(self, spine: list[s.Binary], first: ast.expr) -> ast.expr:
        """A long sum, too deep for nested calls: one call of a helper with all its terms."""
        at = self.word(spine[0].at)
        operator = spine[0].operator
        terms = [first, *(self.expression(part.right) for part in spine)]
        place = {"lineno": at, "col_offset": 0, "end_lineno": at, "end_col_offset": 0}
        if operator in ("and", "or"):
            return ast.BoolOp(ast.And() if operator == "and" else ast.Or(), terms, **place)
        operation = self.load(OPERATORS[operator], at)
        return self.helper("@chain", [operation, ast.Tuple(terms, _LOAD, **place)], at)

    def _operation(self, node: s.Binary, left: ast.expr, right: ast.expr) -> ast.expr:
        at = self.word(node.at)
        operator = node.operator
        if operator in ("and", "or"):
            return ast.BoolOp(
                ast.And() if operator == "and" else ast.Or(), [left, right],
                lineno=at, col_offset=0, end_lineno=at, end_col_offset=0,
            )  # fmt: skip
        if operator in ("==", "!=") and self._is_text(right):
            return ast.Compare(
                left, [ast.Eq() if operator == "==" else ast.NotEq()], [right],
                lineno=at, col_offset=0, end_lineno=at, end_col_offset=0,
            )  # fmt: skip
        return self.helper(OPERATORS[operator], [left, right], at)

    @staticmethod
    def _is_text(node: ast.expr) -> bool:
        return isinstance(node, ast.Constant) and type(node.value) is str

    def _conditional(self, node: s.Conditional) -> ast.expr:
        at = self.word(node.start)
        return ast.IfExp(
            self.expression(node.condition),
            self.expression(node.when_true),
            self.expression(node.when_false),
            lineno=at, col_offset=0, end_lineno=at, end_col_offset=0,
        )  # fmt: skip

    def _lambda(self, node: s.Lambda) -> ast.expr:
        at = self.word(node.start)
        place = {"lineno": at, "col_offset": 0, "end_lineno": at, "end_col_offset": 0}
        arguments, renamed = self.parameters(node.parameters)
        body = self.expression(node.body)
        mapped = [parameter.name for parameter in node.parameters if parameter.form == "**"]
        if renamed or mapped:
            outer: list[ast.expr] = []
            inner: list[ast.arg] = []
            for name in dict.fromkeys([*renamed, *mapped]):
                value = self.load(name, at)
                outer.append(self.helper("@dict_of", [value], at) if name in mapped else value)
                inner.append(ast.arg(self.name(name), None, **place))
            parameters = ast.arguments([], inner, None, [], [], None, [])
            body = ast.Call(ast.Lambda(parameters, body, **place), outer, [], **place)
        return ast.Lambda(arguments, body, **place)

    def _comprehension(self, node: s.Comprehension) -> ast.expr:
        at = self.word(node.start)
        place = {"lineno": at, "col_offset": 0, "end_lineno": at, "end_col_offset": 0}
        # Only a call can mutate what the comprehension iterates over.
        calls = sum(isinstance(part, s.Call) for part in s.walk(node)) > sum(
            isinstance(part, s.Call) for part in s.walk(node.clauses[0])
        )
        begin = "@guarded" if calls else "@items"
        generators: list[ast.comprehension] = []
        for clause in node.clauses:
            if isinstance(clause, s.IfClause):
                generators[-1].ifs.append(self.expression(clause.condition))
                continue
            where = self.word(clause.iterable.start)
            iterable = self.helper(begin, [self.expression(clause.iterable)], where)
            variables = clause.variables
            if isinstance(variables, s.Name):
                generators.append(ast.comprehension(self.target(variables), iterable, [], 0))
                continue
            count = len(variables.elements)  # type: ignore[union-attr]
            unpacked = self.helper("@pairs", [iterable, self.constant(count, where)], where)
            generators.append(ast.comprehension(self.target(variables), unpacked, [], 0))
        if isinstance(node.body, s.Entry):
            key = self.helper("@key", [self.expression(node.body.key)], at)
            value = self.expression(node.body.value)
            return self.helper("@dict", [ast.DictComp(key, value, generators, **place)], at)
        made = ast.ListComp(self.expression(node.body), generators, **place)
        return self.helper("@list", [made], at)


_EXPRESSIONS = {
    s.ListExpression: Compiler._list,
    s.TupleExpression: Compiler._tuple,
    s.DictExpression: Compiler._dict,
    s.Dot: Compiler._dot,
    s.Call: Compiler._call,
    s.Index: Compiler._index,
    s.Slice: Compiler._slice,
    s.Unary: Compiler._unary,
    s.Binary: Compiler._binary,
    s.Conditional: Compiler._conditional,
    s.Lambda: Compiler._lambda,
    s.Comprehension: Compiler._comprehension,
}


@dataclass(frozen=True, slots=True)
class Compiled:
    """The code of a file: one code object a chunk, and what its helpers must find."""

    chunks: tuple[CodeType, ...]
    loads: tuple[s.Load, ...]
    guards: tuple[str, ...]
    statements: tuple[tuple[str, ...], ...]
    """The names that each recoverable top-level statement binds, by its number."""


def _line_starts(text: str) -> list[int]:
    starts = [0]
    find = text.find
    position = find("\n")
    while position >= 0:
        starts.append(position + 1)
        position = find("\n", position + 1)
    return starts


def cut(file: s.File) -> list[list[s.Statement]]:
    """The chunks of a file: for WORKSPACE a load after anything else begins a new one."""
    chunks: list[list[s.Statement]] = [[]]
    loading = True
    for statement in file.statements:
        is_load = isinstance(statement, s.Load)
        if file.kind is s.FileKind.WORKSPACE and is_load and not loading:
            chunks.append([])
        loading = is_load
        chunks[-1].append(statement)
    return chunks


def _bound(statement: s.Statement, names: list[str]) -> None:
    """Adds to `names` what `statement` binds at its own level."""
    targets: list[s.Expression] = []
    if isinstance(statement, s.Assignment):
        targets.append(statement.target)
    elif isinstance(statement, s.For):
        targets.append(statement.variables)
        for inner in statement.body:
            _bound(inner, names)
    elif isinstance(statement, s.If):
        for inner in (*statement.body, *statement.otherwise):
            _bound(inner, names)
    elif isinstance(statement, s.Def):
        names.append(statement.name)
    elif isinstance(statement, s.Load):
        names.extend(binding.local for binding in statement.bindings)
    while targets:
        target = targets.pop()
        if isinstance(target, s.Name):
            names.append(target.name)
        elif isinstance(target, (s.TupleExpression, s.ListExpression)):
            targets.extend(target.elements)


def compile_file(
    file: s.File, resolution: Resolution, predeclared: frozenset[str]
) -> Compiled:
    """The code objects of a resolved file."""
    shadowing = (resolution.globals | resolution.loaded) & predeclared
    compiler = Compiler(file, shadowing, _line_starts(file.source.text))
    chunks: list[CodeType] = []
    recoverable: list[tuple[str, ...]] = []
    for statements in cut(file):
        body: list[ast.stmt] = []
        for statement in statements:
            made = compiler.statement(statement)
            if not made or isinstance(statement, s.Pass):
                continue
            at = compiler.word(statement.start)
            place = {"lineno": at, "col_offset": 0, "end_lineno": at, "end_col_offset": 0}
            names: list[str] = []
            _bound(statement, names)
            number = compiler.constant(len(recoverable), at)
            recoverable.append(tuple(dict.fromkeys(names)))
            failed = ast.Expr(compiler.helper("@failed", [number], at), **place)
            handler = ast.ExceptHandler(None, None, [failed], **place)
            body.append(ast.Try(made, [handler], [], [], **place))
        module = ast.Module(body, [])
        chunks.append(
            compile(module, FILE_PREFIX + file.path, "exec", dont_inherit=True, optimize=0)
        )
    return Compiled(
        tuple(chunks), tuple(compiler.loads), tuple(compiler.guards), tuple(recoverable)
    )
