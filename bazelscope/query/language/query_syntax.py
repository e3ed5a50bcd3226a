"""The syntax tree of a query expression. Every node knows where it stands in the text."""

from __future__ import annotations

import enum
from collections.abc import Iterator

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.source import Span


class Operator(enum.Enum):
    """The set operations; the value is the sign, whichever spelling was used."""

    UNION = "+"
    EXCEPT = "-"
    INTERSECT = "^"


@dataclass(frozen=True, slots=True)
class Literal:
    """A target pattern, or `$name`, the value of a variable."""

    text: str
    span: Span

    def __str__(self) -> str:
        return quoted(self.text)

    @property
    def variable(self) -> str | None:
        """The name behind the `$`; None for a pattern, and `$1` is one."""
        name = self.text[1:]
        is_variable = self.text.startswith("$") and is_variable_name(name)
        return name if is_variable else None


@dataclass(frozen=True, slots=True)
class SetOf:
    """`set(a b c)`: the union of some patterns."""

    words: tuple[Literal, ...]
    span: Span

    def __str__(self) -> str:
        return f"set({' '.join(map(str, self.words))})"


@dataclass(frozen=True, slots=True)
class Let:
    """`let name = value in body`."""

    name: str
    value: Expression
    body: Expression
    span: Span

    def __str__(self) -> str:
        return f"let {self.name} = {self.value} in {self.body}"


@dataclass(frozen=True, slots=True)
class Operation:
    """`left operator right`."""

    operator: Operator
    left: Expression
    right: Expression
    span: Span

    def __str__(self) -> str:
        return f"({self.left} {self.operator.value} {self.right})"


@dataclass(frozen=True, slots=True)
class Word:
    """An argument that is no expression: an attribute, a pattern of kinds, a file."""

    text: str
    span: Span

    def __str__(self) -> str:
        return quoted(self.text)


@dataclass(frozen=True, slots=True)
class Number:
    """An argument that bounds a depth or counts."""

    value: int
    span: Span

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True, slots=True)
class Call:
    """A function and its arguments, each of the type that the function asks for."""

    function: str
    arguments: tuple[Argument, ...]
    span: Span

    def __str__(self) -> str:
        return f"{self.function}({', '.join(map(str, self.arguments))})"


Expression = Literal | SetOf | Let | Operation | Call
Argument = Literal | SetOf | Let | Operation | Call | Word | Number

_VARIABLE = lazy_pattern(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_PLAIN = frozenset("*/@.-_:$~[]")
_KEYWORDS = frozenset({"except", "in", "intersect", "let", "set", "union"})


def is_variable_name(text: str) -> bool:
    """Whether `let` can bind it. Bazel: `LetExpression`."""
    return _VARIABLE.match(text) is not None


def quoted(text: str) -> str:
    """A word as it must be written to be read as that word."""
    plain = all(char.isalnum() or char in _PLAIN for char in text)
    if text and plain and text[0] not in "-*" and text not in _KEYWORDS:
        return text
    return f'"{text}"' if "'" in text else f"'{text}'"


def parts_of(expression: Argument) -> Iterator[Argument]:
    """An expression and all expressions in it, in written order."""
    pending = [expression]
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, SetOf):
            pending.extend(reversed(node.words))
        elif isinstance(node, Let):
            pending.extend((node.body, node.value))
        elif isinstance(node, Operation):
            pending.extend((node.right, node.left))
        elif isinstance(node, Call):
            pending.extend(reversed(node.arguments))


def patterns_of(expression: Argument) -> list[Literal]:
    """The target patterns of an expression, in written order."""
    parts = parts_of(expression)
    return [one for one in parts if isinstance(one, Literal) and one.variable is None]


def functions_of(expression: Argument) -> frozenset[str]:
    """The names of the functions that an expression calls."""
    return frozenset(one.function for one in parts_of(expression) if isinstance(one, Call))
