"""Evaluates a query expression over an environment.

Results are ordered sets (dictionaries without values), in the order of discovery; `order`
puts them into Bazel's. Bazel: the `QueryFunction` classes and `QueryUtil`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Generic

import regex

from bazelscope.base import budget
from bazelscope.base.budget import BudgetError
from bazelscope.base.errors import Diagnostic
from bazelscope.base.graph_walk import distances, find_way
from bazelscope.base.java_regex import PatternError, to_python
from bazelscope.base.label import PackageId
from bazelscope.bazel.attribute_types import AttributeType
from bazelscope.loading.packages.targets import (
    EnvironmentGroup,
    InputFile,
    OutputFile,
    PackageGroup,
    Rule,
)
from bazelscope.query.language.attribute_values import attribute_of, searchable
from bazelscope.query.language.environment import Environment, N, rule_class_of
from bazelscope.query.language.query_parser import QueryError
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
    is_variable_name,
)
from bazelscope.query.language.tests_of import tests_of

_TARGETS = (Rule, InputFile, OutputFile, PackageGroup, EnvironmentGroup)
Nodes = dict[N, None]
_FULL_SCAN = 20
"""From this depth on Bazel loads all there is below. Bazel: `MAX_DEPTH_FULL_SCAN_LIMIT`."""


class Evaluator(Generic[N]):
    """Evaluates expressions over one environment."""

    def __init__(self, environment: Environment[N]) -> None:
        self.environment = environment
        self._functions: Mapping[str, Callable[[Call, Mapping[str, Nodes[N]]], Nodes[N]]] = {
            "allpaths": self._allpaths,
            "allrdeps": self._allrdeps,
            "attr": self._attr,
            "buildfiles": self._buildfiles,
            "config": self._config,
            "deps": self._deps,
            "executables": self._executables,
            "filter": self._filter,
            "kind": self._kind,
            "labels": self._labels,
            "loadfiles": self._loadfiles,
            "rbuildfiles": self._rbuildfiles,
            "rdeps": self._rdeps,
            "same_pkg_direct_rdeps": self._same_pkg_direct_rdeps,
            "siblings": self._siblings,
            "some": self._some,
            "somepath": self._somepath,
            "tests": self._tests,
            "visible": self._visible,
        }

    def evaluate(
        self, expression: Argument, bindings: Mapping[str, Nodes[N]] | None = None
    ) -> Nodes[N]:
        """The nodes that an expression stands for. Raises `QueryError` and `BudgetError`."""
        budget.current().check_now()
        bound = bindings or {}
        if isinstance(expression, Literal):
            return self._literal(expression, bound)
        if isinstance(expression, SetOf):
            nodes: Nodes[N] = {}
            for word in expression.words:
                nodes.update(self._literal(word, bound))
            return nodes
        if isinstance(expression, Let):
            if not is_variable_name(expression.name):
                message = f"`{expression.name}` is no name of a variable"
                raise QueryError(Diagnostic("query-variable", message, expression.span))
            value = self.evaluate(expression.value, bound)
            return self.evaluate(expression.body, {**bound, expression.name: value})
        if isinstance(expression, Operation):
            return self._operation(expression, bound)
        assert isinstance(expression, Call)
        return self._functions[expression.function](expression, bound)

    def _literal(self, literal: Literal, bound: Mapping[str, Nodes[N]]) -> Nodes[N]:
        name = literal.variable
        if name is None:
            return dict.fromkeys(self.environment.matching(literal))
        if name not in bound:
            known = ", ".join(f"`${known}`" for known in bound)
            hint = f"bound here: {known}" if known else f"bind it: `let {name} = EXPR in EXPR`"
            raise QueryError(
                Diagnostic(
                    "query-variable", f"undefined variable `{name}`", literal.span, hint=hint
                )
            )
        return bound[name]

    def _operation(self, expression: Operation, bound: Mapping[str, Nodes[N]]) -> Nodes[N]:
        # Long chains lean to the left: no recursion along them.
        links: list[Operation] = []
        first: Expression = expression
        while isinstance(first, Operation):
            links.append(first)
            first = first.left
        result = dict(self.evaluate(first, bound))
        for link in reversed(links):
            right = self.evaluate(link.right, bound)
            if link.operator is Operator.UNION:
                result.update(right)
            elif link.operator is Operator.EXCEPT:
                result = {node: None for node in result if node not in right}
            else:
                result = {node: None for node in result if node in right}
        return result

    # ---- Walking ----

    def _closure(self, starts: Iterable[N], depth: int | None = None) -> dict[N, int]:
        environment, first = self.environment, dict.fromkeys(starts)
        if depth is None or depth >= _FULL_SCAN:
            environment.load_below(first)
        if depth is None:
            return distances(first, environment.successors, None, environment.prepare_below)
        environment.show(first, depth)
        return distances(first, environment.steps, depth, environment.prepare)

    def _reverse(
        self, universe: Iterable[N], starts: Iterable[N], depth: int | None = None
    ) -> Nodes[N]:
        return self._arriving(self._closure(universe), starts, depth)

    def _arriving(self, reached: Collection[N], starts: Iterable[N], depth: int | None) -> Nodes[N]:
        """What leads to `starts` among the nodes `reached`."""
        arriving: dict[N, list[N]] = {}
        for node in reached:
            for target in self.environment.neighbours(node):
                arriving.setdefault(target, []).append(node)
        otherwise = self.environment.arriving_otherwise

        def next_to(node: N) -> list[N]:
            others = [one for one in otherwise(node) if one in reached]
            return [*arriving.get(node, ()), *others]

        ends = [node for node in starts if node in reached]
        return dict.fromkeys(distances(ends, next_to, depth))

    def _deps(self, call: Call, bound: Mapping[str, Nodes[N]]) -> Nodes[N]:
        starts = self.evaluate(call.arguments[0], bound)
        depth = _number(call, 1)
        if depth is not None and depth < 0:
            return {}
        return dict.fromkeys(self._closure(starts, depth))

    def _rdeps(self, call: Call, bound: Mapping[str, Nodes[N]]) -> Nodes[N]:
        universe = self.evaluate(call.arguments[0], bound)
        starts = self.evaluate(call.arguments[1], bound)
        depth = _number(call, 2)
        dependents = self._reverse(universe, starts, depth)
        if depth is not None and depth >= 0 and self.environment.settings.is_sky:
            # Bazel: `RdepsBoundedVisitor` asks of what it comes to, not of where it begins.
            return {**starts, **dependents}
        return dependents

    def _allrdeps(self, call: Call, bound: Mapping[str, Nodes[N]]) -> Nodes[N]:
        starts = self.evaluate(call.arguments[0], bound)
        with self.environment.quietly():
            dependents = self._arriving(self.environment.universe(), starts, _number(call, 1))
        # What the universe does not reach is there all the same.
        return {**starts, **dependents}

    def _allpaths(self, call: Call, bound: Mapping[str, Nodes[N]]) -> Nodes[N]:
        sources = self.evaluate(call.arguments[0], bound)
        return self._reverse(sources, self.evaluate(call.arguments[1], bound))

    def _somepath(self, call: Call, bound: Mapping[str, Nodes[N]]) -> Nodes[N]:
        sources = self.evaluate(call.arguments[0], bound)
        goals = self.evaluate(call.arguments[1], bound)
        self.environment.load_below(sources, is_walked=False)
        way = find_way(sources, self.environment.successors, goals.__contains__)
        return dict.fromkeys(way)

    def _same_pkg_direct_rdeps(self, call: Call, bound: Mapping[str, Nodes[N]]) -> Nodes[N]:
        siblings: Nodes[N] = {}
        nodes = self.evaluate(call.arguments[0], bound)
        is_sky = self.environment.settings.is_sky
        known = self.environment.universe() if is_sky else None
        for node in nodes:
            for sibling in self.environment.in_package(node):
                if known is not None and sibling not in known:
                    continue
                if sibling not in siblings and node in self.environment.successors(sibling):
                    siblings[sibling] = None
        return siblings

    # ---- Choosing ----

    def _some(self, call: Call, bound: Mapping[str, Nodes[N]]) -> Nodes[N]:
        nodes = self.evaluate(call.arguments[0], bound)
        if not nodes:
            raise QueryError(
                Diagnostic("query-empty", "`some` is given nothing to choose from", call.span)
            )
        count = _number(call, 1) or 1
        return dict.fromkeys(list(nodes)[:count])

    def _filter(self, call: Call, bound: Mapping[str, Nodes[N]]) -> Nodes[N]:
        pattern = compile_pattern("filter", _word(call, 0))
        label = self.environment.label
        nodes = self.evaluate(call.arguments[1], bound)
        return {node: None for node in nodes if pattern.search(str(label(node)))}

    def _kind(self, call: Call, bound: Mapping[str, Nodes[N]]) -> Nodes[N]:
        pattern = compile_pattern("kind", _word(call, 0))
        nodes: Nodes[N] = {}
        for node in self.evaluate(call.arguments[1], bound):
            target = self.environment.target(node)
            if isinstance(target, _TARGETS) and pattern.search(target.kind):
                nodes[node] = None
        return nodes

    def _attr(self, call: Call, bound: Mapping[str, Nodes[N]]) -> Nodes[N]:
        name = _word(call, 0).text
        pattern = compile_pattern("attr", _word(call, 1))
        nodes: Nodes[N] = {}
        for node in self.evaluate(call.arguments[2], bound):
            values = self.environment.values(node, name)
            if values is None:
                continue
            rule, release = self.environment.target(node), self.environment.settings.release
            attribute = attribute_of(rule, name, None, release) if isinstance(rule, Rule) else None
            kind = attribute.type if attribute is not None else AttributeType.UNKNOWN
            texts = (searchable(value, kind) for value in values)
            if any(text is not None and pattern.search(text) for text in texts):
                nodes[node] = None
        return nodes

    def _executables(self, call: Call, bound: Mapping[str, Nodes[N]]) -> Nodes[N]:
        executables: Nodes[N] = {}
        for node in self.evaluate(call.arguments[0], bound):
            kind = rule_class_of(self.environment.target(node))
            if kind is not None and kind.is_executable and not kind.is_test:
                executables[node] = None
        return executables

    def _config(self, call: Call, bound: Mapping[str, Nodes[N]]) -> Nodes[N]:
        word = _word(call, 1)
        nodes = self.evaluate(call.arguments[0], bound)
        place = Literal(str(call.arguments[0]), word.span)
        return dict.fromkeys(self.environment.with_configuration(nodes, word.text, place))

    def _visible(self, call: Call, bound: Mapping[str, Nodes[N]]) -> Nodes[N]:
        environment = self.environment
        sees = environment.sees()
        readers: dict[PackageId, None] = dict.fromkeys(
            environment.label(node).package_id for node in self.evaluate(call.arguments[0], bound)
        )
        by_label = {}
        visible: Nodes[N] = {}
        for node in self.evaluate(call.arguments[1], bound):
            target, label = environment.target(node), environment.label(node)
            package = environment.package(label.package_id)
            if not isinstance(target, _TARGETS) or package is None:
                continue
            if label not in by_label:
                by_label[label] = sees(target, package, readers)
            if by_label[label]:
                visible[node] = None
        return visible

    # ---- Leading elsewhere ----

    def _labels(self, call: Call, bound: Mapping[str, Nodes[N]]) -> Nodes[N]:
        name = _word(call, 0).text
        targets: Nodes[N] = {}
        for node in self.evaluate(call.arguments[1], bound):
            targets.update(dict.fromkeys(self.environment.prerequisites(node, name)))
        return targets

    def _tests(self, call: Call, bound: Mapping[str, Nodes[N]]) -> Nodes[N]:
        return tests_of(self.environment, self.evaluate(call.arguments[0], bound), call)

    def _siblings(self, call: Call, bound: Mapping[str, Nodes[N]]) -> Nodes[N]:
        siblings: Nodes[N] = {}
        packages: set[PackageId] = set()
        for node in self.evaluate(call.arguments[0], bound):
            id = self.environment.label(node).package_id
            if id not in packages:
                packages.add(id)
                siblings.update(dict.fromkeys(self.environment.in_package(node)))
        return siblings

    def _buildfiles(self, call: Call, bound: Mapping[str, Nodes[N]]) -> Nodes[N]:
        nodes = self.evaluate(call.arguments[0], bound)
        return dict.fromkeys(self.environment.files(nodes, True))

    def _loadfiles(self, call: Call, bound: Mapping[str, Nodes[N]]) -> Nodes[N]:
        nodes = self.evaluate(call.arguments[0], bound)
        return dict.fromkeys(self.environment.files(nodes, False))

    def _rbuildfiles(self, call: Call, bound: Mapping[str, Nodes[N]]) -> Nodes[N]:
        files = frozenset(word.text for word in call.arguments if isinstance(word, Word))
        return dict.fromkeys(self.environment.packages_loading(files))


def _word(call: Call, index: int) -> Word:
    word = call.arguments[index]
    assert isinstance(word, Word)
    return word


def _number(call: Call, index: int) -> int | None:
    if index >= len(call.arguments):
        return None
    number = call.arguments[index]
    assert isinstance(number, Number)
    return number.value


class Pattern:
    """A pattern of a query; all of its searches together may take as long as a file may."""

    def __init__(self, word: Word, translated: str) -> None:
        self._word = word
        self._compiled = regex.compile(translated, regex.ASCII)
        self._left = budget.current().limits.file_seconds

    def search(self, text: str) -> bool:
        """Whether the pattern is found in a text. Raises `BudgetError`."""
        if self._left is None:
            return self._compiled.search(text) is not None
        began = time.monotonic()
        try:
            match = self._compiled.search(text, timeout=max(self._left, 0.01))
        except TimeoutError:
            message = f"`{self._word.text}` takes too long to be looked for in `{text[:60]}`"
            hint = "--max-seconds gives a pattern a fifteenth of what it says"
            raise BudgetError(
                Diagnostic(budget.LIMIT, message, self._word.span, (), hint)
            ) from None
        self._left -= time.monotonic() - began
        return match is not None


def compile_pattern(function: str, word: Word) -> Pattern:
    """The pattern of a word. Raises `QueryError` for one that is none."""
    try:
        return Pattern(word, to_python(word.text))
    except (PatternError, regex.error, OverflowError, RecursionError) as error:
        message = f"`{word.text}` is no regular expression that `{function}` can use: {error}"
        raise QueryError(Diagnostic("query-pattern", message, word.span)) from error
