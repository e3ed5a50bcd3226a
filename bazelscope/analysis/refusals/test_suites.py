"""The tests that a test_suite stands for, where it is asked for by itself.

Bazel: `TestsForTargetPatternFunction`, `TestsInSuiteFunction`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bazelscope.analysis.conditions.configured_edges import Taken
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.dependency_edges import IMPLICIT_TESTS, TEST_SUITE
from bazelscope.base.label import Label
from bazelscope.loading.packages.targets import InputFile, OutputFile, Rule


class _Tags(NamedTuple):
    """What a suite asks of its tests."""

    wanted: frozenset[str]
    unwanted: frozenset[str]


class Expanded(NamedTuple):
    """A suite that was come by, or a test that is left of all: `is_test` says which. Of a suite,
    `no_tests` are those of its `tests` that are neither tests nor suites, aliases of such, too."""

    label: Label
    is_test: bool
    no_tests: tuple[Label, ...] = ()


def is_test_suite(graph: ConfiguredGraph, label: Label) -> bool:
    """Whether a target is a test_suite."""
    kind = graph.graph.shape(label).rule_class
    return kind is not None and kind.name == TEST_SUITE


def expanded(graph: ConfiguredGraph, suite: Label) -> Iterator[Expanded]:
    """The suite and those in it, and the tests that the tags of none of them leave out."""
    pending: list[tuple[Label, frozenset[_Tags]]] = [(suite, frozenset())]
    seen = set(pending)
    while pending:
        label, asked = pending.pop()
        rule = graph.graph.node(label)
        if not isinstance(rule, Rule):
            continue
        if rule.rule_class.name != TEST_SUITE:
            tags = _strings(rule, "tags") | _strings(rule, "size", "medium")
            if all(one.wanted <= tags and one.unwanted.isdisjoint(tags) for one in asked):
                yield Expanded(label, True)
            continue
        no_tests: list[Label] = []
        asked |= {_asked_by(rule)}
        for edge in graph.edges(graph.top(label)):
            if edge.edge.attribute not in ("tests", IMPLICIT_TESTS) or edge.taken is not Taken.YES:
                continue
            kind = graph.graph.shape(edge.target.label).rule_class
            member = (edge.target.label, asked)
            is_one = kind is not None and (kind.is_test or kind.name == TEST_SUITE)
            if is_one and member not in seen:
                seen.add(member)
                pending.append(member)
            if not is_one and _is_known(graph, edge.target.label):
                no_tests.append(edge.target.label)
        yield Expanded(label, False, tuple(no_tests))


def _is_known(graph: ConfiguredGraph, label: Label) -> bool:
    """Whether it can be told what a target is."""
    target = graph.graph.node(label)
    if isinstance(target, Rule):
        return target.rule_class.is_known and not target.is_stand_in
    return isinstance(target, InputFile | OutputFile)


def _asked_by(suite: Rule) -> _Tags:
    tags = _strings(suite, "tags") - {"manual"}
    unwanted = frozenset(tag for tag in tags if tag.startswith("-"))
    return _Tags(
        frozenset(tag.removeprefix("+") for tag in tags - unwanted),
        frozenset(tag[1:] for tag in unwanted),
    )


def _strings(rule: Rule, attribute: str, default: str = "") -> frozenset[str]:
    given = rule.attributes.get(attribute)
    value = given.value if given is not None else default
    texts = value if isinstance(value, tuple) else (value,)
    return frozenset(text for text in texts if isinstance(text, str) and text)
