"""What `tests()` expands: test rules, and test_suites to the tests that they stand for.

Bazel: `TestsFunction`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic

from bazelscope.analysis.graph.dependency_edges import IMPLICIT_TESTS, TEST_SUITE
from bazelscope.base.errors import Diagnostic
from bazelscope.base.memoized import memoized
from bazelscope.loading.packages.tags import tag_filter
from bazelscope.loading.packages.targets import Rule
from bazelscope.query.language.environment import Environment, N, rule_class_of
from bazelscope.query.language.query_parser import QueryError
from bazelscope.query.language.query_syntax import Call


def tests_of(environment: Environment[N], nodes: Iterable[N], call: Call) -> dict[N, None]:
    """The tests among `nodes`, and those that its test_suites stand for. Raises `QueryError` for
    what else stands in a suite, if asked to."""
    suites = _Suites(environment, call)
    tests: dict[N, None] = {}
    for node in nodes:
        if suites.is_test(node):
            tests[node] = None
        elif suites.is_suite(node):
            tests.update(suites.tests(node))
    return tests


class _Suites(Generic[N]):
    """What test_suites stand for, each found once."""

    def __init__(self, environment: Environment[N], call: Call) -> None:
        self._environment = environment
        self._call = call
        self._known: dict[N, dict[N, None]] = {}

    def is_test(self, node: N) -> bool:
        rule_class = rule_class_of(self._environment.target(node))
        return rule_class is not None and rule_class.is_test

    def is_suite(self, node: N) -> bool:
        target = self._environment.target(node)
        return isinstance(target, Rule) and target.rule_class.name == TEST_SUITE

    def tests(self, suite: N) -> dict[N, None]:
        """A suite's own tests and those of suites in it, less what its tags leave out."""
        known = self._known
        if suite in known:
            return known[suite]
        # Not by recursion: suites may stand in one another a thousand deep.
        around: list[tuple[N, Iterator[N], dict[N, None]]] = []
        entered: N | None = suite
        while True:
            if entered is not None:
                known[entered] = {}  # As a suite sees it that stands in itself.
                around.append((entered, self._members(entered), {}))
            suite, members, tests = around[-1]
            entered = None
            for member in members:
                if self.is_test(member):
                    tests[member] = None
                elif member in known:
                    tests.update(known[member])
                else:
                    entered = member
                    break
            else:
                known[suite] = self._chosen(suite, tests)
                around.pop()
                if not around:
                    return known[suite]
                around[-1][2].update(known[suite])

    def _members(self, suite: N) -> Iterator[N]:
        """The tests and suites that stand in a suite."""
        environment = self._environment
        for attribute in ("tests", IMPLICIT_TESTS):
            for node in environment.prerequisites(suite, attribute):
                if self.is_test(node) or self.is_suite(node):
                    yield node
                elif environment.settings.strict_test_suite:
                    message = (
                        f"`{environment.label(node)}`, in the tests of the test_suite"
                        f" `{environment.label(suite)}`, is neither a test nor a test_suite"
                    )
                    told = Diagnostic("query-test-suite", message, self._call.span)
                    if not environment.settings.keep_going:
                        raise QueryError(told)
                    environment.diagnostics.append(told)

    def _chosen(self, suite: N, tests: dict[N, None]) -> dict[N, None]:
        """Those of the tests that a suite's tags do not leave out."""
        asked = tag_filter(self._strings(suite, "tags"))
        if not any(asked):
            return tests
        return {node: None for node in tests if asked.takes(self._tags_of(node))}

    @memoized
    def _tags_of(self, node: N) -> set[str]:
        tags = set(self._strings(node, "tags"))
        for value in self._environment.values(node, "size") or ():
            if isinstance(value, str):
                tags.add(value or "medium")
        return tags

    def _strings(self, node: N, attribute: str) -> list[str]:
        values = self._environment.values(node, attribute) or ()
        return [
            text
            for value in values
            if isinstance(value, tuple)
            for text in value
            if isinstance(text, str)
        ]
