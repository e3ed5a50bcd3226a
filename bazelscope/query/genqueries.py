"""What is wrong with the question of a `genquery`, which may ask only within its scope.

Asked is what surely is so: the options, the syntax, and the targets that the question names.
Bazel: `GenQuery`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.graph.configured_graph import AskedByRule
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.base.errors import LabelError
from bazelscope.base.label import MAIN_ROOT, Label, PatternKind, TargetPattern, parse_pattern
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Absent
from bazelscope.query.formats.format_names import format_names
from bazelscope.query.language.query_parser import QueryError, parse
from bazelscope.query.language.query_syntax import (
    Argument,
    Call,
    Let,
    Literal,
    Operation,
    patterns_of,
)
from bazelscope.query.language.signatures import Command

_REFUSED = frozenset(
    {
        *("experimental_graphless_query", "keep_going", "noorder_results", "order_output"),
        *("order_results", "universe_scope"),
    }
)
_OUTPUT = "output"


def problem_of_genquery(
    graph: TargetGraph, configuration: Configuration, asked: AskedByRule
) -> str | None:
    """Says what Bazel refuses of a question; None if nothing is known to be wrong."""
    problem = _of_options(configuration, asked.options)
    if problem is not None:
        return problem
    try:
        expression = parse(asked.expression, Command.QUERY, configuration.bazel_version)
    except QueryError as error:
        return f"query syntax error: {error.diagnostic.message}"
    unbound = next(_unbound(expression, frozenset()), None)
    if unbound is not None:
        kind, hint = "query", ""
        if unbound is not expression:
            kind, hint = "subquery", " (did you want to use --keep_going?)"
        text = f'Evaluation of {kind} "{unbound}" failed{hint}'
        return f"query failed: {text}: undefined variable '{unbound.text[1:]}'"
    whole = TargetGraph(graph.source, configuration.bazel_version, implicit=True)
    within = whole.deps(asked.scope)
    is_whole = not any(map(whole.is_open, within))
    for literal in patterns_of(expression):
        problem = _of_pattern(whole, literal, within if is_whole else None, asked)
        if problem is not None:
            return f"query failed: {problem}"
    return None


def _of_options(configuration: Configuration, options: Sequence[str]) -> str | None:
    """What is wrong with the options of a question, of which one may have its value in the next
    word."""
    catalog, formats = configuration.catalog, format_names(Command.QUERY, configuration.release)
    others: list[str] = []
    words = iter(options)
    for text in words:
        if text == "--" or not text.startswith("-"):
            others += words if text == "--" else [text]
            continue
        name, equals, value = text[2:].partition("=")
        definition = catalog.find(name)
        if not text.startswith("--"):
            definition = catalog.find_abbreviation(text[1:])
            name = definition.name if definition is not None else name
        if name in _REFUSED:
            return f"option --{name} is not allowed"
        if definition is None:
            if not catalog.is_exact or (name.startswith("no") and catalog.find(name[2:])):
                continue
            return f"error while parsing query options: Unrecognized option: {text}"
        if definition.takes_value and not equals:
            equals, value = "=", next(words, "")
        if name == _OUTPUT and equals and value not in formats:
            return f"Invalid output format '{value}'"
    if others:
        return f"error while parsing query options: Unrecognized arguments: {' '.join(others)}"
    return None


def _unbound(expression: Argument, bound: frozenset[str]) -> Iterator[Literal]:
    """The variables of an expression that no `let` around them binds, in written order."""
    if isinstance(expression, Literal):
        if expression.variable is not None and expression.variable not in bound:
            yield expression
    elif isinstance(expression, Let):
        yield from _unbound(expression.value, bound)
        yield from _unbound(expression.body, bound | {expression.name})
    elif isinstance(expression, Operation):
        yield from _unbound(expression.left, bound)
        yield from _unbound(expression.right, bound)
    elif isinstance(expression, Call):
        for argument in expression.arguments:
            yield from _unbound(argument, bound)


def _of_pattern(
    graph: TargetGraph, literal: Literal, within: dict[Label, int] | None, asked: AskedByRule
) -> str | None:
    """What is wrong with a pattern; `within` is all that the question may see, if that is known."""
    text = literal.text
    if not text.startswith(("//", "@")) and ":" not in text:
        return f"couldn't determine target from filename '{text}'"
    try:
        pattern = parse_pattern(text, MAIN_ROOT, graph.source.context.mapping_of(""))
    except LabelError as error:
        return str(error)
    if pattern.recursive:
        return f"recursive target patterns are not permitted: '{text}'"
    labels = [pattern.label]
    if pattern.kind is not PatternKind.TARGET:
        labels = _all_of(graph, pattern)
    else:
        absent = graph.node(pattern.label)
        if isinstance(absent, Absent):
            return absent.message
    if not asked.is_strict or within is None:
        return None
    for label in labels:
        if label not in within:
            return f"Evaluation failed: target '{label}' is not within the scope of the query"
    return None


def _all_of(graph: TargetGraph, pattern: TargetPattern) -> list[Label]:
    """The targets that `:all` or `:*` surely stands for."""
    id = pattern.label.package_id
    package = graph.source.package(id)
    if not isinstance(package, Package):
        return []
    rules_only = pattern.kind is PatternKind.ALL_RULES
    return [
        Label(*id, name)
        for name in package.targets
        if not rules_only or package.targets.is_rule(name)
    ]
