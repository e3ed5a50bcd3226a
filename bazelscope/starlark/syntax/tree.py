"""The syntax tree of a Starlark file: a closed set of immutable nodes with spans.

Nodes are named tuples: immutable, without a `__dict__`, and the cheapest class that Python
can build, which matters at a million nodes a tree. `start` and `end` are offsets into the
text of the file; `File.location` and `File.span` turn them into what people read.
"""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.source import Location, SourceFile, Span
from bazelscope.starlark.syntax.file_kind import FileKind

# ---- Expressions


class Name(NamedTuple):
    start: int
    end: int
    name: str


class Literal(NamedTuple):
    """An integer, float, string or bytes literal; `value` is Python's own value of it."""

    start: int
    end: int
    value: int | float | str | bytes


class ListExpression(NamedTuple):
    start: int
    end: int
    elements: tuple[Expression, ...]


class TupleExpression(NamedTuple):
    start: int
    end: int
    elements: tuple[Expression, ...]


class Entry(NamedTuple):
    """`key: value` in a dict expression; `colon` is the offset of the colon."""

    start: int
    end: int
    key: Expression
    colon: int
    value: Expression


class DictExpression(NamedTuple):
    start: int
    end: int
    entries: tuple[Entry, ...]


class Dot(NamedTuple):
    """`object.name`; `dot` is the offset of the dot."""

    start: int
    end: int
    object: Expression
    dot: int
    name: str


class Argument(NamedTuple):
    """One argument of a call; `form` is "" (positional), "=", "*" or "**"."""

    start: int
    end: int
    form: str
    name: str
    value: Expression


class Call(NamedTuple):
    """`function(arguments)`; `opening` is the offset of the parenthesis, Bazel's place of it."""

    start: int
    end: int
    function: Expression
    opening: int
    arguments: tuple[Argument, ...]


class Index(NamedTuple):
    start: int
    end: int
    object: Expression
    opening: int
    key: Expression


class Slice(NamedTuple):
    start: int
    end: int
    object: Expression
    opening: int
    low: Expression | None
    high: Expression | None
    step: Expression | None


class Unary(NamedTuple):
    """`-x`, `+x`, `~x` or `not x`."""

    start: int
    end: int
    operator: str
    operand: Expression


class Binary(NamedTuple):
    """`left operator right`; `at` is the operator's offset: of `not in`, that of the `in`."""

    start: int
    end: int
    left: Expression
    at: int
    operator: str
    right: Expression


class Conditional(NamedTuple):
    """`when_true if condition else when_false`."""

    start: int
    end: int
    when_true: Expression
    condition: Expression
    when_false: Expression


class Parameter(NamedTuple):
    """One parameter; `form` is "", "=", "*" (with name: rest; without: marker) or "**"."""

    start: int
    end: int
    form: str
    name: str
    default: Expression | None


class Lambda(NamedTuple):
    start: int
    end: int
    parameters: tuple[Parameter, ...]
    body: Expression


class ForClause(NamedTuple):
    start: int
    end: int
    variables: Expression
    iterable: Expression


class IfClause(NamedTuple):
    start: int
    end: int
    condition: Expression


class Comprehension(NamedTuple):
    """A list comprehension, or with an `Entry` as its body, a dict comprehension."""

    start: int
    end: int
    body: Expression | Entry
    clauses: tuple[ForClause | IfClause, ...]


Expression = (
    Name | Literal | ListExpression | TupleExpression | DictExpression | Dot | Call | Index
    | Slice | Unary | Binary | Conditional | Lambda | Comprehension
)  # fmt: skip


# ---- Statements


class ExpressionStatement(NamedTuple):
    start: int
    end: int
    value: Expression


class Assignment(NamedTuple):
    """`target = value`, or with an `operator` (`+=`) an augmented one."""

    start: int
    end: int
    target: Expression
    at: int
    operator: str
    value: Expression


class Def(NamedTuple):
    start: int
    end: int
    name: str
    name_start: int
    parameters: tuple[Parameter, ...]
    body: tuple[Statement, ...]


class If(NamedTuple):
    """`if`; an `elif` is an `If` that stands alone in `otherwise`."""

    start: int
    end: int
    condition: Expression
    body: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


class For(NamedTuple):
    start: int
    end: int
    variables: Expression
    iterable: Expression
    body: tuple[Statement, ...]


class Return(NamedTuple):
    start: int
    end: int
    value: Expression | None


class Break(NamedTuple):
    start: int
    end: int


class Continue(NamedTuple):
    start: int
    end: int


class Pass(NamedTuple):
    start: int
    end: int


class Binding(NamedTuple):
    """One name that a load brings in: under the name `local`, exported as `exported`."""

    start: int
    end: int
    local: str
    exported: str


class Load(NamedTuple):
    """`load("module", ...)`; `opening` is the offset of the parenthesis."""

    start: int
    end: int
    opening: int
    module: Literal
    bindings: tuple[Binding, ...]


Statement = (
    ExpressionStatement | Assignment | Def | If | For | Return | Break | Continue | Pass | Load
)

Node = Expression | Entry | Argument | Parameter | ForClause | IfClause | Binding | Statement


@dataclass(frozen=True)
class File:
    """A parsed file: its source, its kind, and its statements in order."""

    source: SourceFile
    kind: FileKind
    statements: tuple[Statement, ...]

    @property
    def path(self) -> str:
        return self.source.path

    def location(self, offset: int) -> Location:
        """The line and column of an offset that a node carries."""
        return self.source.location(offset)

    def span(self, node: Node) -> Span:
        """The place of `node` in the file."""
        return self.source.span(node.start, node.end)

    def text(self, node: Node) -> str:
        """The source text of `node`."""
        return self.source.text[node.start : node.end]


_NODES = (
    Name, Literal, ListExpression, TupleExpression, Entry, DictExpression, Dot, Argument, Call,
    Index, Slice, Unary, Binary, Conditional, Parameter, Lambda, ForClause, IfClause,
    Comprehension, ExpressionStatement, Assignment, Def, If, For, Return, Break, Continue, Pass,
    Binding, Load,
)  # fmt: skip


def spine(node: Binary) -> list[Binary]:
    """The operations of `a + b - c`, which hang down to the left, from the last one."""
    operations = [node]
    while isinstance(operations[-1].left, Binary):
        operations.append(operations[-1].left)
    return operations


def children(node: Node) -> Iterator[Node]:
    """The nodes directly below `node`, in source order."""
    for field in node:
        if isinstance(field, _NODES):
            yield field
        elif isinstance(field, tuple):
            yield from field


def walk(node: Node) -> Iterator[Node]:
    """`node` and every node below it, outer before inner, in source order."""
    stack: list[Node] = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(tuple(children(current))))
