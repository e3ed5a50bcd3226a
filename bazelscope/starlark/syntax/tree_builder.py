"""Builds the nodes of `syntax.py`, one method per alternative of the grammar.

A method gets the values of its alternative's symbols in order: a token is its index in the
token lists, anything else is what its own alternative built. `start` and `end` of a node are
those of its first and last symbol.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from bazelscope.base.errors import Diagnostic, StarlarkError
from bazelscope.base.source import SourceFile
from bazelscope.starlark.syntax import literals
from bazelscope.starlark.syntax import tree as s
from bazelscope.starlark.syntax.lexer import Tokens, strings_in
from bazelscope.starlark.syntax.parse_tables import Production

Values = list[Any]
_SliceParts = tuple[Any, Any, Any]
_Statements = tuple[s.Statement, ...]


_new = tuple.__new__
"""Makes a node in a third of the time that its class takes; for those that there are most of."""


class _Group(list[Any]):
    """Several nodes where the grammar has one symbol: statements, arguments, elements."""


def _pass_on(values: Values) -> Any:
    return values[0]


class TreeBuilder:
    """The builder for one file after another."""

    def begin(self, source: SourceFile, tokens: Tokens) -> None:
        """Builds what is in `source` from now on."""
        self._source = source
        self._starts = tokens.starts
        self._texts = tokens.texts

    def method(self, production: Production) -> Callable[[Values], Any]:
        """What builds the value of `production`."""
        if production.transparent:
            return _pass_on
        if production.name != "repetition":
            method: Callable[[Values], Any] = getattr(self, production.name)
            return method
        if production.continues:
            last = production.kept[-1]

            def extend(values: Values) -> Any:
                group = values[0]
                group.append(values[last])
                return group

            return extend
        only = production.kept[-1]

        def begin(values: Values) -> Any:
            return _Group((values[only],))

        return begin

    def _end(self, token: int) -> int:
        return self._starts[token] + len(self._texts[token])

    def _fail(self, start: int, end: int, message: str, hint: str | None = None) -> NoReturn:
        span = self._source.span(start, end)
        raise StarlarkError(Diagnostic("starlark-syntax", message, span, hint=hint))

    # ---- Statements

    def file(self, values: Values) -> _Statements:
        return self._flat(values[0]) if values else ()

    @staticmethod
    def _flat(statements: Values) -> _Statements:
        flat: list[s.Statement] = []
        for statement in statements:
            if type(statement) is _Group:
                flat += statement
            else:
                flat.append(statement)
        return tuple(flat)

    def _separated(self, values: Values) -> _Group:
        group = _Group((values[0],))
        if len(values) > 1 and type(values[1]) is _Group:
            group += values[1]
        return group

    simple_statements = _separated

    def block(self, values: Values) -> _Group:
        return _Group(self._flat(values[2]))

    def expression_statement(self, values: Values) -> s.ExpressionStatement:
        value = values[0]
        return s.ExpressionStatement(value.start, value.end, value)

    def assignment(self, values: Values) -> s.Assignment:
        target, at, value = values
        return s.Assignment(target.start, value.end, target, self._starts[at], "", value)

    def augmented_assignment(self, values: Values) -> s.Assignment:
        target, at, value = values
        operator = self._texts[at][:-1]
        return s.Assignment(target.start, value.end, target, self._starts[at], operator, value)

    def return_statement(self, values: Values) -> s.Return:
        start = self._starts[values[0]]
        if len(values) == 1:
            return s.Return(start, self._end(values[0]), None)
        return s.Return(start, values[1].end, values[1])

    def break_statement(self, values: Values) -> s.Break:
        return s.Break(self._starts[values[0]], self._end(values[0]))

    def continue_statement(self, values: Values) -> s.Continue:
        return s.Continue(self._starts[values[0]], self._end(values[0]))

    def pass_statement(self, values: Values) -> s.Pass:
        return s.Pass(self._starts[values[0]], self._end(values[0]))

    def load_statement(self, values: Values) -> s.Load:
        start, end = self._starts[values[0]], self._end(values[-1])
        arguments: Values = values[2] if len(values) == 4 else []
        if not arguments:
            self._fail(start, end, "load needs the label of a module")
        module = arguments[0]
        if module.form or not self._is_string(module.value):
            message = "the first argument of load must be a string literal"
            self._fail(module.start, module.end, message)
        bindings: list[s.Binding] = []
        for argument in arguments[1:]:
            if argument.form not in ("", "=") or not self._is_string(argument.value):
                message = "the names that load brings in must be string literals"
                hint = 'write "NAME" or LOCAL = "NAME"'
                self._fail(argument.start, argument.end, message, hint)
            exported = argument.value.value
            local = argument.name or exported
            if not exported.isidentifier():
                self._fail(argument.start, argument.end, f'"{exported}" is not a name')
            bindings.append(s.Binding(argument.start, argument.end, local, exported))
        if not bindings:
            self._fail(start, end, "load must bring in at least one name")
        return s.Load(start, end, self._starts[values[1]], module.value, tuple(bindings))

    @staticmethod
    def _is_string(value: s.Expression) -> bool:
        return type(value) is s.Literal and type(value.value) is str

    def def_statement(self, values: Values) -> s.Def:
        name = values[1]
        parameters = values[3] if type(values[3]) is _Group else ()
        body = values[-1]
        return s.Def(
            self._starts[values[0]], body[-1].end, self._texts[name], self._starts[name],
            tuple(parameters), tuple(body),
        )  # fmt: skip

    def if_statement(self, values: Values) -> s.If:
        body = values[3]
        otherwise = values[4] if len(values) == 5 else ()
        end = otherwise[-1].end if otherwise else body[-1].end
        return s.If(self._starts[values[0]], end, values[1], tuple(body), tuple(otherwise))

    def elif_statement(self, values: Values) -> _Group:
        return _Group((self.if_statement(values),))

    def else_suite(self, values: Values) -> _Group:
        group: _Group = values[2]
        return group

    def for_statement(self, values: Values) -> s.For:
        body = values[5]
        start = self._starts[values[0]]
        return s.For(start, body[-1].end, values[1], values[3], tuple(body))

    # ---- Parameters and arguments

    parameters = _separated
    lambda_parameters = _separated
    arguments = _separated

    def annotation(self, values: Values) -> s.Expression:
        expression: s.Expression = values[1]
        return expression

    def required_parameter(self, values: Values) -> s.Parameter:
        name = values[0]
        return s.Parameter(self._starts[name], self._end(name), "", self._texts[name], None)

    def optional_parameter(self, values: Values) -> s.Parameter:
        name, default = values[0], values[-1]
        return s.Parameter(self._starts[name], default.end, "=", self._texts[name], default)

    def keyword_only_marker(self, values: Values) -> s.Parameter:
        return s.Parameter(self._starts[values[0]], self._end(values[0]), "*", "", None)

    def rest_parameter(self, values: Values) -> s.Parameter:
        star, name = values[0], values[1]
        return s.Parameter(self._starts[star], self._end(name), "*", self._texts[name], None)

    def keywords_parameter(self, values: Values) -> s.Parameter:
        stars, name = values[0], values[1]
        return s.Parameter(self._starts[stars], self._end(name), "**", self._texts[name], None)

    def positional_argument(self, values: Values) -> s.Argument:
        value = values[0]
        return _new(s.Argument, (value.start, value.end, "", "", value))

    def keyword_argument(self, values: Values) -> s.Argument:
        name, _, value = values
        return _new(s.Argument, (self._starts[name], value.end, "=", self._texts[name], value))

    def rest_argument(self, values: Values) -> s.Argument:
        return s.Argument(self._starts[values[0]], values[1].end, "*", "", values[1])

    def keywords_argument(self, values: Values) -> s.Argument:
        return s.Argument(self._starts[values[0]], values[1].end, "**", "", values[1])

    # ---- Expressions

    def name(self, values: Values) -> s.Name:
        text = self._texts[values[0]]
        start = self._starts[values[0]]
        return _new(s.Name, (start, start + len(text), text))

    def _literal(self, token: int, read: Callable[[str], Any]) -> s.Literal:
        text = self._texts[token]
        start = self._starts[token]
        try:
            return s.Literal(start, start + len(text), read(text))
        except literals.LiteralError as error:
            at = start + error.offset
            self._fail(at, at + error.length, str(error))

    def string(self, values: Values) -> s.Literal | s.ListExpression:
        text = self._texts[values[0]]
        start = self._starts[values[0]]
        if text[0] == "[":
            elements = [
                _new(s.Literal, (start + element.start(), start + element.end(), element[0][1:-1]))
                for element in strings_in(text)
            ]
            return _new(s.ListExpression, (start, start + len(text), tuple(elements)))
        if "\\" not in text and text[0] == '"' and text[:3] != '"""':
            return _new(s.Literal, (start, start + len(text), text[1:-1]))
        return self._literal(values[0], literals.string)

    def integer(self, values: Values) -> s.Literal:
        return self._literal(values[0], literals.integer)

    def float(self, values: Values) -> s.Literal:
        return self._literal(values[0], literals.floating)

    def bytes(self, values: Values) -> s.Literal:
        return self._literal(values[0], literals.bytes_literal)

    def bare_tuple(self, values: Values) -> s.TupleExpression:
        first, rest = values
        return s.TupleExpression(first.start, rest[-1].end, (first, *rest))

    def empty_tuple(self, values: Values) -> s.TupleExpression:
        return s.TupleExpression(self._starts[values[0]], self._end(values[1]), ())

    def tuple(self, values: Values) -> s.TupleExpression:
        rest = values[2] if type(values[2]) is _Group else ()
        start, end = self._starts[values[0]], self._end(values[-1])
        return s.TupleExpression(start, end, (values[1], *rest))

    def parenthesized(self, values: Values) -> s.Expression:
        inner: s.Expression = values[1]
        if type(inner) is not s.TupleExpression or not inner.elements:
            return inner
        if inner.start == inner.elements[0].start:
            start, end = self._starts[values[0]], self._end(values[2])
            return s.TupleExpression(start, end, inner.elements)
        return inner

    def list(self, values: Values) -> s.ListExpression:
        return s.ListExpression(*self._enclosed(values))

    def entry(self, values: Values) -> s.Entry:
        key, colon, value = values
        return s.Entry(key.start, value.end, key, self._starts[colon], value)

    def dict(self, values: Values) -> s.DictExpression:
        return s.DictExpression(*self._enclosed(values))

    def _enclosed(self, values: Values) -> Any:
        start, end = self._starts[values[0]], self._end(values[-1])
        if len(values) == 2:
            return start, end, ()
        rest = values[2] if type(values[2]) is _Group else ()
        return start, end, (values[1], *rest)

    def list_comprehension(self, values: Values) -> s.Comprehension:
        opening, body, clauses, closing = values
        return s.Comprehension(self._starts[opening], self._end(closing), body, (*clauses,))

    dict_comprehension = list_comprehension

    def for_clause(self, values: Values) -> s.ForClause:
        return s.ForClause(self._starts[values[0]], values[3].end, values[1], values[3])

    def if_clause(self, values: Values) -> s.IfClause:
        return s.IfClause(self._starts[values[0]], values[1].end, values[1])

    def dot(self, values: Values) -> s.Dot:
        target, dot, name = values
        return s.Dot(target.start, self._end(name), target, self._starts[dot], self._texts[name])

    def call(self, values: Values) -> s.Call:
        function = values[0]
        arguments = values[2] if len(values) == 4 else ()
        end = self._end(values[-1])
        place = self._starts[values[1]]
        return _new(s.Call, (function.start, end, function, place, (*arguments,)))

    def index(self, values: Values) -> s.Index:
        target, opening, key, closing = values
        return s.Index(target.start, self._end(closing), target, self._starts[opening], key)

    def slice(self, values: Values) -> s.Slice:
        target, opening, (low, high, step), closing = values
        start, end = target.start, self._end(closing)
        return s.Slice(start, end, target, self._starts[opening], low, high, step)

    def slice_two(self, values: Values) -> _SliceParts:
        parts: list[Any] = [None, None, None]
        position = 0
        for value in values:
            if type(value) is int:
                position += 1
            else:
                parts[position] = value
        return parts[0], parts[1], parts[2]

    slice_three = slice_two

    def unary(self, values: Values) -> s.Unary:
        operator, operand = values
        return s.Unary(self._starts[operator], operand.end, self._texts[operator], operand)

    def binary(self, values: Values) -> s.Binary:
        left, at, right = values
        return s.Binary(left.start, right.end, left, self._starts[at], self._texts[at], right)

    def not_in(self, values: Values) -> s.Binary:
        left, _, at, right = values
        return s.Binary(left.start, right.end, left, self._starts[at], "not in", right)

    def conditional(self, values: Values) -> s.Conditional:
        when_true, _, condition, _, when_false = values
        start, end = when_true.start, when_false.end
        return s.Conditional(start, end, when_true, condition, when_false)

    def lambda_expression(self, values: Values) -> s.Lambda:
        parameters = values[1] if type(values[1]) is _Group else ()
        start, body = self._starts[values[0]], values[-1]
        return s.Lambda(start, body.end, tuple(parameters), body)
