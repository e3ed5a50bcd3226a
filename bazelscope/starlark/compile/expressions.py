"""Compiles Starlark expressions to expressions of Python's `ast`."""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from bazelscope.starlark.compile.emitter import Emitter
from bazelscope.starlark.syntax import tree as s

OPERATORS = {
    "+": "@add", "-": "@sub", "*": "@mul", "/": "@div", "//": "@floordiv", "%": "@mod",
    "|": "@or", "&": "@and", "^": "@xor", "<<": "@lshift", ">>": "@rshift",
    "==": "@eq", "!=": "@ne", "<": "@lt", "<=": "@le", ">": "@gt", ">=": "@ge",
    "in": "@in", "not in": "@not_in",
}  # fmt: skip
_UNARY = {"-": "@neg", "+": "@pos", "~": "@invert"}

CONSTANTS = {"None": None, "True": True, "False": False}
"""Names of every dialect that mean the same everywhere; the resolver lets nobody bind them."""

_LONG_CHAIN = 40
"""From how many operators on a sum is compiled as one call instead of nested ones."""


def has_call(node: s.Node) -> bool:
    """Whether evaluating `node` can run code that is not in it."""
    return any(isinstance(part, s.Call) for part in s.walk(node))


class ExpressionCompiler(Emitter):
    """Compiles the expressions of one file. `guard` names each function that needs one."""

    @abstractmethod
    def guard(self, name: str) -> str:
        """A constant that stands for a function while it is active."""

    def expression(self, node: s.Expression) -> ast.expr:
        kind = type(node)
        if kind is s.Name:
            return self._name(node)  # type: ignore[arg-type]
        if kind is s.Literal:
            return self.constant(node.value, self.word(node.start))  # type: ignore[union-attr]
        return _COMPILERS[kind](self, node)

    def _name(self, node: s.Name) -> ast.expr:
        at = self.word(node.start)
        if node.name in CONSTANTS:
            return self.constant(CONSTANTS[node.name], at)
        return self.load(self.python_name(node.name), at)

    # ---- Displays

    @staticmethod
    def _constants(elements: Sequence[s.Expression]) -> tuple[object, ...] | None:
        """The values of `elements`, if all are literals."""
        values: list[object] = []
        for element in elements:
            if type(element) is s.Literal:
                values.append(element.value)
            elif type(element) is s.Name and element.name in CONSTANTS:
                values.append(CONSTANTS[element.name])
            else:
                return None
        return tuple(values)

    def _elements(self, elements: Sequence[s.Expression], at: int) -> ast.expr:
        values = self._constants(elements)
        if values is not None:
            return self.constant(values, at)
        return self.tuple([self.expression(element) for element in elements], at)

    def _list(self, node: s.ListExpression) -> ast.expr:
        at = self.word(node.start)
        content = [self._elements(node.elements, at)] if node.elements else []
        return self.helper("@list", content, at)

    def _tuple(self, node: s.TupleExpression) -> ast.expr:
        return self._elements(node.elements, self.word(node.start))

    def _dict(self, node: s.DictExpression) -> ast.expr:
        at = self.word(node.start)
        keys = {
            entry.key.value
            for entry in node.entries
            if type(entry.key) is s.Literal and type(entry.key.value) is str
        }
        if len(keys) == len(node.entries):  # different strings: nothing can go wrong
            if not keys:
                return self.helper("@dict", [], at)
            display = ast.Dict(
                [self.expression(entry.key) for entry in node.entries],
                [self.expression(entry.value) for entry in node.entries],
                lineno=at,
                col_offset=0,
            )
            return self.helper("@dict", [display], at)
        pairs = [
            self.expression(part) for entry in node.entries for part in (entry.key, entry.value)
        ]
        # As bytes, which Bazel's programs have not: they are no part of what is done.
        colons = b" ".join(b"%d" % self.word(entry.colon) for entry in node.entries)
        return self.helper("@dict_display", [self.tuple(pairs, at), self.constant(colons, at)], at)

    # ---- Suffixes

    def _dot(self, node: s.Dot) -> ast.expr:
        at = self.word(node.dot)
        pair = [self.expression(node.object), self.constant(node.name, at)]
        return self.helper("@attr", pair, at)

    def _call(self, node: s.Call) -> ast.expr:
        at = self.word(node.opening)
        function = self.expression(node.function)
        if not isinstance(function, (ast.Name, ast.Call)):
            # Python warns of `1()` while it compiles; Starlark fails when it runs.
            function = self.helper("@same", [function], at)
        positional: list[ast.expr] = []
        keywords: list[ast.keyword] = []
        for argument in node.arguments:
            part, form = argument.value, argument.form
            # Nothing fails at a literal, so it may stand where the call does.
            if type(part) is s.Literal:
                value = self.constant(part.value, at)
            else:
                value = self.expression(part)
            if form == "=":
                keywords.append(self.keyword(argument.name, value, at))
                continue
            if form == "":
                positional.append(value)
                continue
            where = self.word(argument.start)
            if form == "*":
                rest = self.helper("@args", [value], where)
                positional.append(self.starred(rest, where))
            else:
                keywords.append(self.keyword(None, self.helper("@kwargs", [value], where), where))
        return self.call(function, positional, keywords, at)

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

    # ---- Operators

    def _unary(self, node: s.Unary) -> ast.expr:
        at = self.word(node.start)
        operand = self.expression(node.operand)
        if node.operator == "not":
            return ast.UnaryOp(ast.Not(), operand, lineno=at, col_offset=0)
        if node.operator == "-" and isinstance(operand, ast.Constant):
            value = operand.value
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                return self.constant(-value, at)
        return self.helper(_UNARY[node.operator], [operand], at)

    def _binary(self, node: s.Binary) -> ast.expr:
        spine = s.spine(node)
        result = self.expression(spine[-1].left)
        while spine:
            part = spine.pop()
            run = [part]
            while spine and spine[-1].operator == part.operator:
                run.append(spine.pop())
            if len(run) > _LONG_CHAIN:
                result = self._chain(run, result)
            else:
                for step in run:
                    result = self._operation(step, result, self.expression(step.right))
        return result

    def _chain(self, run: list[s.Binary], first: ast.expr) -> ast.expr:
        """A long sum, too deep for nested calls: one call of a helper with all its terms."""
        at = self.word(run[0].at)
        operator = run[0].operator
        terms = [first, *(self.expression(part.right) for part in run)]
        if operator in ("and", "or"):
            return self.boolean(operator, terms, at)
        return self.helper(
            "@chain", [self.load(OPERATORS[operator], at), self.tuple(terms, at)], at
        )

    def _operation(self, node: s.Binary, left: ast.expr, right: ast.expr) -> ast.expr:
        at = self.word(node.at)
        operator = node.operator
        if operator in ("and", "or"):
            return self.boolean(operator, [left, right], at)
        if operator in ("==", "!=") and isinstance(right, ast.Constant):
            # A string equals only strings, and None only None, in both languages; what a value
            # that nobody knows equals, it says itself.
            plain = type(right.value) is str or right.value is None
            if plain and not isinstance(left, ast.Constant):
                compare: ast.cmpop = ast.Eq() if operator == "==" else ast.NotEq()
                return ast.Compare(left, [compare], [right], lineno=at, col_offset=0)
        return self.helper(OPERATORS[operator], [left, right], at)

    def _conditional(self, node: s.Conditional) -> ast.expr:
        at = self.word(node.start)
        return ast.IfExp(
            self.expression(node.condition),
            self.expression(node.when_true),
            self.expression(node.when_false),
            lineno=at,
            col_offset=0,
        )

    # ---- Functions and comprehensions

    def parameters(self, parameters: Sequence[s.Parameter]) -> ast.arguments:
        """Python's parameters: under their Starlark names, for callers may name them."""
        positional: list[ast.arg] = []
        keyword: list[ast.arg] = []
        defaults: list[ast.expr] = []
        keyword_defaults: list[ast.expr | None] = []
        rest: ast.arg | None = None
        keywords: ast.arg | None = None
        after_star = False
        for parameter in parameters:
            argument = self.argument(parameter.name, self.word(parameter.start))
            default = self.expression(parameter.default) if parameter.default else None
            if parameter.form == "*":
                after_star = True
                rest = argument if parameter.name else None
            elif parameter.form == "**":
                keywords = argument
            elif after_star:
                keyword.append(argument)
                keyword_defaults.append(default)
            else:
                positional.append(argument)
                if default is not None:
                    defaults.append(default)
        return ast.arguments([], positional, rest, keyword, keyword_defaults, keywords, defaults)

    def adapted(self, parameters: Sequence[s.Parameter]) -> list[tuple[str, ast.expr]]:
        """What a function must assign first: (Python name, value).

        Python makes its own dict of `**kwargs`; and a parameter whose name is spelt
        differently elsewhere in the file gets that spelling.
        """
        adapted: list[tuple[str, ast.expr]] = []
        for parameter in parameters:
            name = self.python_name(parameter.name)
            at = self.word(parameter.start)
            if parameter.form == "**":
                value = self.helper("@dict", [self.load(parameter.name, at)], at)
                adapted.append((name, value))
            elif parameter.name and name != parameter.name:
                adapted.append((name, self.load(parameter.name, at)))
        return adapted

    def _lambda(self, node: s.Lambda) -> ast.expr:
        at = self.word(node.start)
        arguments = self.parameters(node.parameters)
        body = self.expression(node.body)
        if has_call(node.body):
            guard = self.constant(self.guard("lambda"), at)
            entered = self.helper("@enter", [guard], at)
            body = self.helper("@leave_lambda", [guard, entered, body], at)
        adapted = self.adapted(node.parameters)
        if adapted:
            inner = [self.argument(name, at) for name, _ in adapted]
            made = ast.Lambda(
                ast.arguments([], inner, None, [], [], None, []), body, lineno=at, col_offset=0
            )
            body = self.call(made, [value for _, value in adapted], [], at)
        return ast.Lambda(arguments, body, lineno=at, col_offset=0)

    def variables(self, node: s.Expression) -> ast.expr | None:
        """The target for loop variables, if they are a name or a flat tuple of names."""
        at = self.word(node.start)
        if isinstance(node, s.Name):
            return self.store(self.python_name(node.name), at)
        if isinstance(node, (s.TupleExpression, s.ListExpression)):
            names = [element for element in node.elements if isinstance(element, s.Name)]
            if len(names) == len(node.elements):
                stores = [
                    self.store(self.python_name(name.name), self.word(name.start)) for name in names
                ]
                return self.tuple_target(stores, at)
        return None

    def _comprehension(self, node: s.Comprehension) -> ast.expr:
        at = self.word(node.start)
        # Only a call can change what the comprehension iterates over; the first operand is
        # evaluated before it begins.
        first = node.clauses[0]
        assert isinstance(first, s.ForClause)
        parts: list[s.Node] = [node.body, *node.clauses[1:], first.variables]
        begin = "@guarded" if any(has_call(part) for part in parts) else "@items"
        generators: list[ast.comprehension] = []
        for clause in node.clauses:
            if isinstance(clause, s.IfClause):
                generators[-1].ifs.append(self.expression(clause.condition))
                continue
            where = self.word(clause.iterable.start)
            iterable = self.helper(begin, [self.expression(clause.iterable)], where)
            generators += self._generators(clause.variables, iterable, where)
        if isinstance(node.body, s.Entry):
            entry = [self.expression(node.body.key), self.expression(node.body.value)]
            pair = self.tuple(entry, self.word(node.body.start))
            pairs = ast.GeneratorExp(pair, generators, lineno=at, col_offset=0)
            return self.helper("@dict_of_pairs", [pairs], at)
        element = self.expression(node.body)
        made = ast.ListComp(element, generators, lineno=at, col_offset=0)
        return self.helper("@list", [made], at)

    def _generators(
        self, variables: s.Expression, iterable: ast.expr, at: int
    ) -> list[ast.comprehension]:
        """The Python clauses for one Starlark `for` clause."""
        target = self.variables(variables)
        if isinstance(variables, s.Name):
            assert target is not None
            return [ast.comprehension(target, iterable, [], 0)]
        if target is not None and isinstance(variables, (s.TupleExpression, s.ListExpression)):
            count = self.constant(len(variables.elements), at)
            unpacked = self.helper("@pairs", [iterable, count], self.word(variables.start))
            return [ast.comprehension(target, unpacked, [], 0)]
        # Targets inside targets, elements of lists: unpacked level by level, `for x in [y]`
        # being how a comprehension assigns.
        element = self.temporary()
        clauses = [ast.comprehension(self.store(element, at), iterable, [], 0)]
        clauses += self._assign_inside(variables, self.load(element, at))
        return clauses

    def _assign_inside(self, target: s.Expression, value: ast.expr) -> list[ast.comprehension]:
        at = self.word(target.start)

        def one(store: ast.expr, source: ast.expr) -> ast.comprehension:
            return ast.comprehension(store, self.tuple([source], at), [], 0)

        if isinstance(target, s.Name):
            return [one(self.store(self.python_name(target.name), at), value)]
        if isinstance(target, (s.TupleExpression, s.ListExpression)):
            names = [self.temporary() for _ in target.elements]
            count = self.constant(len(names), at)
            stores = self.tuple_target([self.store(name, at) for name in names], at)
            clauses = [one(stores, self.helper("@unpack", [value, count], at))]
            for name, element in zip(names, target.elements, strict=True):
                clauses += self._assign_inside(element, self.load(name, at))
            return clauses
        stored = self.store_call(target, value, at)
        return [one(self.store(self.temporary(), at), stored)]

    def store_call(self, target: s.Expression, value: ast.expr, at: int) -> ast.expr:
        """The call of a helper that assigns to `x[i]` or `x.name`."""
        if isinstance(target, s.Index):
            place = [self.expression(target.object), self.expression(target.key)]
            return self.helper("@setindex", [*place, value], at)
        assert isinstance(target, s.Dot)
        place = [self.expression(target.object), self.constant(target.name, at)]
        return self.helper("@setattr", [*place, value], at)


_COMPILERS: dict[Any, Callable[[ExpressionCompiler, Any], ast.expr]] = {
    s.ListExpression: ExpressionCompiler._list,
    s.TupleExpression: ExpressionCompiler._tuple,
    s.DictExpression: ExpressionCompiler._dict,
    s.Dot: ExpressionCompiler._dot,
    s.Call: ExpressionCompiler._call,
    s.Index: ExpressionCompiler._index,
    s.Slice: ExpressionCompiler._slice,
    s.Unary: ExpressionCompiler._unary,
    s.Binary: ExpressionCompiler._binary,
    s.Conditional: ExpressionCompiler._conditional,
    s.Lambda: ExpressionCompiler._lambda,
    s.Comprehension: ExpressionCompiler._comprehension,
}
