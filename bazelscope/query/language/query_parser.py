"""The text of a query to its syntax tree, by the grammar `query.lark`.

The grammar takes any word as a function and any expression as an argument; here each call is
held against the function's signature, as Bazel's parser does while it reads.
Bazel: `QueryParser`, `Lexer`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from bazelscope.base import grammars
from bazelscope.base.errors import AnalysisError, Diagnostic, Note
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.nearest import did_you_mean
from bazelscope.base.source import SourceFile, Span
from bazelscope.bazel.release import Release
from bazelscope.query.language import query_tables
from bazelscope.query.language.query_syntax import (
    Argument,
    Call,
    Expression,
    Let,
    Literal,
    Number,
    Operation,
    Operator,
    SetOf,
    Word,
)
from bazelscope.query.language.signatures import (
    LATER,
    SIGNATURES,
    Command,
    Parameter,
    Signature,
    signature_of,
)

if TYPE_CHECKING:
    from lark import Token, Tree
    from lark.exceptions import UnexpectedInput

SOURCE = "<query>"
"""The path under which the text of a query stands in spans."""

_DEEPEST = 300
"""More nesting than this is no question that a person asks; Bazel's own stack ends too."""

_OPERATORS = {
    "PLUS": Operator.UNION,
    "UNION": Operator.UNION,
    "MINUS": Operator.EXCEPT,
    "EXCEPT": Operator.EXCEPT,
    "CARET": Operator.INTERSECT,
    "INTERSECT": Operator.INTERSECT,
}
_NUMBER = lazy_pattern(r"[+-]?[0-9]+\Z")
_BRACKET = lazy_pattern(r"[\[\]]")
_LARGEST = 2**31 - 1


class QueryError(AnalysisError):
    """A query that Bazel would refuse."""


def query_source(text: str) -> SourceFile:
    """The text of a query as a source, for excerpts."""
    return SourceFile(SOURCE, text)


def parse(text: str, command: Command, bazel_version: str, universe: bool = False) -> Expression:
    """The expression that `text` says. `universe`: functions that take `--universe_scope` are
    there. Raises `QueryError` with a span in `SOURCE`."""
    source = query_source(text)
    reader = _Reader(source, command, bazel_version, universe)
    if _nesting(text) > _DEEPEST:
        raise QueryError(
            Diagnostic("query-syntax", f"the query nests deeper than {_DEEPEST} levels")
        )
    tree: Any = query_tables.parse(text) or _parse_by_lark(text, source)
    return reader.expression(tree.children[0], 0)


def _parse_by_lark(text: str, source: SourceFile) -> Tree[Token]:
    """Parses a query by Lark, which can say what is wrong with it. Raises `QueryError`."""
    from lark.exceptions import UnexpectedInput

    try:
        return grammars.build("query").parse(text)
    except UnexpectedInput as error:
        raise QueryError(_syntax_error(error, source)) from error


def _nesting(text: str) -> int:
    depth = deepest = 0
    for char in text:
        depth += (char == "(") - (char == ")")
        deepest = max(deepest, depth)
    return max(deepest, len(re.findall(r"\blet\b", text)))


class _Reader:
    """Makes the syntax tree out of Lark's."""

    def __init__(
        self, source: SourceFile, command: Command, bazel_version: str, universe: bool
    ) -> None:
        self.source = source
        self.command = command
        self.release = Release.of(bazel_version)
        self.universe = universe

    def expression(self, tree: Tree[Token], depth: int) -> Expression:
        if tree.data == "group":
            return self.expression(tree.children[0], depth + 1)  # type: ignore[arg-type]
        if tree.data == "operation":
            return self._operation(tree, depth)
        if tree.data == "literal":
            return self._literal(tree.children[0])
        if tree.data == "set":
            words = tuple(self._literal(child) for child in tree.children)
            return SetOf(words, self.span(tree))
        if tree.data == "let":
            name, value, body = tree.children
            return Let(
                self._word(name),
                self.expression(value, depth + 1),  # type: ignore[arg-type]
                self.expression(body, depth + 1),  # type: ignore[arg-type]
                self.span(tree),
            )
        return self._call(tree, depth)

    def _operation(self, tree: Tree[Token], depth: int) -> Expression:
        # Long chains lean to the left: no recursion along them.
        links: list[Tree[Token]] = []
        left: Tree[Token] = tree
        while left.data == "operation":
            links.append(left)
            left = left.children[0]  # type: ignore[assignment]
        result = self.expression(left, depth + 1)
        for link in reversed(links):
            operator = _OPERATORS[link.children[1].children[0].type]  # type: ignore[union-attr]
            right = self.expression(link.children[2], depth + 1)  # type: ignore[arg-type]
            result = Operation(operator, result, right, self.span(link))
        return result

    def _call(self, tree: Tree[Token], depth: int) -> Expression:
        name_tree, *given = tree.children
        name = self._word(name_tree)
        signature = self._signature(name, name_tree)
        most = len(given) if signature.repeats else len(signature.parameters)
        if not signature.mandatory <= len(given) <= most:
            message = f"`{name}` takes {_count(signature)}, but {_given(len(given))}"
            place = given[most] if len(given) > most else tree
            raise self.error("query-arguments", message, place, hint=f"write `{signature.shape}`")
        arguments = tuple(
            self._argument(child, signature.parameter(index), signature, depth)
            for index, child in enumerate(given)
        )
        return Call(name, arguments, self.span(tree))

    def _argument(
        self, child: Tree[Token] | Token, parameter: Parameter, signature: Signature, depth: int
    ) -> Argument:
        if parameter is Parameter.EXPRESSION:
            return self.expression(child, depth + 1)  # type: ignore[arg-type]
        if child.data != "literal":  # type: ignore[union-attr]
            message = f"`{signature.name}` takes {parameter.value} here, not an expression"
            hint = f"write `{signature.shape}`; quote a word that holds other characters"
            raise self.error("query-arguments", message, child, hint=hint)
        word = child.children[0]  # type: ignore[union-attr]
        text = self._word(word)
        if parameter is Parameter.WORD:
            return Word(text, self.span(word))
        if not _NUMBER.match(text) or abs(int(text)) > _LARGEST:
            message = f"`{signature.name}` takes {parameter.value} here, not `{text}`"
            raise self.error("query-arguments", message, word, hint=f"write `{signature.shape}`")
        return Number(int(text), self.span(word))

    def _signature(self, name: str, place: Tree[Token] | Token) -> Signature:
        signature = signature_of(name, self.release)
        if signature is None:
            if name in LATER:
                message = f"Bazel {self.release} has no query function `{name}`"
                hint = f"it came with Bazel {LATER[name].first}"
                raise self.error("unknown-query-function", message, place, hint=hint)
            near_hint = did_you_mean(name, self.function_names(), most=3)
            notes = (Note(f"the functions are {', '.join(self.function_names())}"),)
            message = f"there is no query function `{name}`"
            raise self.error("unknown-query-function", message, place, near_hint, notes)
        if self.command not in signature.commands:
            message = f"`{name}` is no function of `{self.command.value}`"
            (other,) = signature.commands
            hint = f"`bazelscope {other.value}` has it"
            raise self.error("unknown-query-function", message, place, hint=hint)
        if signature.needs_universe and self.command is Command.CQUERY:
            message = f"`{name}` is no function of `cquery`"
            raise self.error("unknown-query-function", message, place)
        if signature.needs_universe and not self.universe:
            message = f"`{name}` looks through a universe, and none is given"
            hint = "add `--universe_scope=//... --order_output=no`"
            raise self.error("query-needs-universe", message, place, hint=hint)
        return signature

    def function_names(self) -> list[str]:
        """The functions of this command in this Bazel version."""
        return [
            name
            for name, signature in SIGNATURES.items()
            if self.command in signature.commands
            and signature_of(name, self.release) is not None
            and not (signature.needs_universe and self.command is Command.CQUERY)
        ]

    def _literal(self, word: Tree[Token] | Token) -> Literal:
        text = self._word(word)
        if text[:1] in ("-", "*") and self.release.checks_first_signs:
            message = f"a target pattern cannot begin with `{text[0]}`: `{text}`"
            hint = f"write `:{text}`" if text[0] == "*" else "`EXPR - EXPR` takes targets away"
            raise self.error("query-syntax", message, word, hint=hint)
        return Literal(text, self.span(word))

    def _word(self, tree: Tree[Token] | Token) -> str:
        token = tree.children[0]  # type: ignore[union-attr]
        text = str(token)
        if token.type == "QUOTED":  # type: ignore[union-attr]
            return text[1:-1]
        if _BRACKET.search(text, 1) and not self.release.brackets_in_words:
            first = Release.brackets_in_words.series
            message = f"before Bazel {first}, a word with brackets is quoted: `{text}`"
            raise self.error("query-syntax", message, tree, hint=f"write `'{text}'`")
        if "~" in text[1:] and not self.release.tildes_in_words:
            message = f"before Bazel {Release.tildes_in_words.series}, a word with `~` is quoted"
            raise self.error("query-syntax", f"{message}: `{text}`", tree, hint=f"write `'{text}'`")
        return text

    def span(self, tree: Tree[Token] | Token) -> Span:
        first, last = _token_at(tree, 0), _token_at(tree, -1)
        if first is None or last is None:
            return self.source.span(0, 0)
        return self.source.span(first.start_pos or 0, last.end_pos or 0)

    def error(
        self,
        code: str,
        message: str,
        place: Tree[Token] | Token,
        hint: str | None = None,
        notes: tuple[Note, ...] = (),
    ) -> QueryError:
        return QueryError(Diagnostic(code, message, self.span(place), notes, hint))


def _token_at(tree: Tree[Token] | Token, end: int) -> Token | None:
    """The first or the last token of a tree; None for one without any."""
    while not isinstance(tree, str):
        if not tree.children:
            return None
        tree = tree.children[end]
    return tree


def _count(signature: Signature) -> str:
    least, most = signature.mandatory, len(signature.parameters)
    if signature.repeats:
        return f"{least} arguments or more" if least > 1 else "one argument or more"
    words = "one argument" if most == 1 else f"{most} arguments"
    return words if least == most else f"{least} or {words}"


def _given(count: int) -> str:
    return {0: "none are given", 1: "one is given"}.get(count, f"{count} are given")


_EXPECTED = {
    "WORD": "a target pattern or a function",
    "QUOTED": None,
    "LPAR": "`(`",
    "RPAR": "`)`",
    "COMMA": "`,`",
    "EQUAL": "`=`",
    "IN": "`in`",
    "LET": None,
    "SET": None,
    "PLUS": "an operator (`+`, `-`, `^`)",
    "$END": "the end of the query",
}


def _syntax_error(error: UnexpectedInput, source: SourceFile) -> Diagnostic:
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    problem = grammars.syntax_error(error, source, "query-syntax")
    message = problem.message.replace("end of file", "end of the query")
    accepted: set[str] = set()
    if isinstance(error, UnexpectedToken):
        accepted = set(error.accepts or error.expected)
    elif isinstance(error, UnexpectedCharacters):
        accepted = set(error.allowed or ())
        char = source.text[error.pos_in_stream or 0]
        if char in "'\"":
            return Diagnostic(
                "query-syntax",
                f"a quotation that begins here has no closing `{char}`",
                problem.span,
            )
    words = [word for name, word in _EXPECTED.items() if name in accepted and word]
    hint = f"expected {_listed(words)}" if words else None
    return Diagnostic("query-syntax", message, problem.span, hint=hint)


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
