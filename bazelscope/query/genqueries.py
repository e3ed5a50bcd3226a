"""What is wrong with the question of a `genquery`, which may ask only within its scope.

Asked is what surely is so: the options, the syntax, and the targets that the question names.
Bazel: `GenQuery`.
"""

from __future__ import annotations

from collections.abc import Sequence

from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.graph.configured_graph import AskedByRule
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.base.errors import LabelError
from bazelscope.base.label import MAIN_ROOT, Label, PatternKind, TargetPattern, parse_pattern
from bazelscope.bazel.flag_catalog import Catalog
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Absent
from bazelscope.query.formats.format_names import format_names
from bazelscope.query.language.query_parser import QueryError, parse
from bazelscope.query.language.query_syntax import Literal, patterns_of
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
    problem = _of_options(configuration.catalog, asked.options)
    if problem is not None:
        return problem
    try:
        expression = parse(asked.expression, Command.QUERY, configuration.bazel_version)
    except QueryError as error:
        return f"query syntax error: {error.diagnostic.message}"
    whole = TargetGraph(graph.source, configuration.bazel_version, implicit=True)
    within = whole.deps(asked.scope)
    is_whole = not any(map(whole.is_open, within))
    for literal in patterns_of(expression):
        problem = _of_pattern(whole, literal, within if is_whole else None, asked)
        if problem is not None:
            return problem
    return None


def _of_options(catalog: Catalog, options: Sequence[str]) -> str | None:
    for text in options:
        if not text.startswith("--"):
            continue  # The value of the one before, or short.
        name, equals, value = text[2:].partition("=")
        if name in _REFUSED:
            return f"option --{name} is not allowed"
        if catalog.is_exact and catalog.find(name) is None:
            if name.startswith("no") and catalog.find(name[2:]) is not None:
                continue
            return f"error while parsing query options: Unrecognized option: {text}"
        if name == _OUTPUT and equals and value not in format_names(Command.QUERY):
            return f"Invalid output format '{value}'"
    return None


def _of_pattern(
    graph: TargetGraph, literal: Literal, within: dict[Label, int] | None, asked: AskedByRule
) -> str | None:
    """What is wrong with a pattern; `within` is all that the question may see, if that is known."""
    text = literal.text
    if not text.startswith(("//", "@", ":")):
        return None
    try:
        pattern = parse_pattern(text, MAIN_ROOT, graph.source.context.mapping_of(""))
    except LabelError as error:
        return f"query failed: {error}"
    if pattern.recursive:
        return f"query failed: couldn't determine target from pattern '{text}'"
    labels = [pattern.label]
    if pattern.kind is not PatternKind.TARGET:
        labels = _all_of(graph, pattern)
    elif isinstance(graph.node(pattern.label), Absent):
        return f"query failed: no such target '{pattern.label}'"
    if not asked.is_strict or within is None:
        return None
    for label in labels:
        if label not in within:
            return f"query failed: target '{label}' is not within the scope of the query"
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
