"""What `tests()` expands: test rules, and test_suites to the tests that they stand for.

Bazel: `TestsFunction`.
"""

from __future__ import annotations

from collections.abc import Iterable

from bazelscope.analysis.graph.dependency_edges import IMPLICIT_TESTS, TEST_SUITE
from bazelscope.base.errors import Diagnostic
from bazelscope.loading.packages.targets import Rule
from bazelscope.query.language.environment import Environment, N, rule_class_of
from bazelscope.query.language.query_parser import QueryError
from bazelscope.query.language.query_syntax import Call


def tests_of(environment: Environment[N], nodes: Iterable[N], call: Call) -> dict[N, None]:
    """The tests among `nodes`, and those that its test_suites stand for."""
    known: dict[N, dict[N, None]] = {}
    tests: dict[N, None] = {}
    for node in nodes:
        if _is_test(environment, node):
            tests[node] = None
        elif _is_suite(environment, node):
            tests.update(_of_suite(environment, node, call, known))
    return tests


def _of_suite(
    environment: Environment[N], suite: N, call: Call, known: dict[N, dict[N, None]]
) -> dict[N, None]:
    """A suite's own tests and those of suites in it, less what its tags leave out."""
    if suite in known:
        return known[suite]
    known[suite] = {}
    tests: dict[N, None] = {}
    for attribute in ("tests", IMPLICIT_TESTS):
        for node in environment.prerequisites(suite, attribute):
            if _is_test(environment, node):
                tests[node] = None
            elif _is_suite(environment, node):
                tests.update(_of_suite(environment, node, call, known))
            elif environment.settings.strict_test_suite:
                message = (
                    f"`{environment.label(node)}`, in the tests of the test_suite"
                    f" `{environment.label(suite)}`, is neither a test nor a test_suite"
                )
                told = Diagnostic("query-test-suite", message, call.span)
                if not environment.settings.keep_going:
                    raise QueryError(told)
                environment.diagnostics.append(told)
    required: set[str] = set()
    excluded: set[str] = set()
    for tag in _strings(environment, suite, "tags"):
        if tag.startswith("-"):
            excluded.add(tag[1:])
        elif tag != "manual":
            required.add(tag.removeprefix("+"))
    chosen = {
        node: None
        for node in tests
        if required <= (tags := _tags(environment, node)) and not excluded & tags
    }
    known[suite] = chosen
    return chosen


def _tags(environment: Environment[N], node: N) -> set[str]:
    tags = set(_strings(environment, node, "tags"))
    for value in environment.values(node, "size") or ():
        if isinstance(value, str):
            tags.add(value or "medium")
    return tags


def _strings(environment: Environment[N], node: N, attribute: str) -> list[str]:
    values = environment.values(node, attribute) or ()
    return [
        text
        for value in values
        if isinstance(value, tuple)
        for text in value
        if isinstance(text, str)
    ]


def _is_test(environment: Environment[N], node: N) -> bool:
    rule_class = rule_class_of(environment.target(node))
    return rule_class is not None and rule_class.is_test


def _is_suite(environment: Environment[N], node: N) -> bool:
    target = environment.target(node)
    return isinstance(target, Rule) and target.rule_class.name == TEST_SUITE
