"""The tests that a test_suite stands for, where it is asked for by itself.

Bazel: `TestsForTargetPatternFunction`, `TestsInSuiteFunction`.
"""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode, Taken
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.dependency_edges import IMPLICIT_TESTS, TEST_SUITE
from bazelscope.analysis.refusals.refusal import Refusal, RefusalKind
from bazelscope.base.label import Label
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.loading.packages.tags import TagFilter, tag_filter
from bazelscope.loading.packages.targets import InputFile, OutputFile, PackageGroup, Rule


class Expanded(NamedTuple):
    """A suite that was come by, or a test that is left of all: `is_test` says which. Of a suite,
    `no_tests` are those of its `tests` that are neither tests nor suites, aliases of such, too."""

    label: Label
    is_test: bool
    no_tests: tuple[Label, ...] = ()


def is_test_suite(graph: ConfiguredGraph, label: Label) -> bool:
    """Whether a target is a test_suite."""
    return graph.graph.shape(label).class_name == TEST_SUITE


def stands_for_tests(graph: ConfiguredGraph, node: ConfiguredNode) -> bool:
    """Whether a target is a suite that is its tests where it is asked for by itself."""
    expands = graph.configuration_of(node).is_on("expand_test_suites")
    return expands and is_test_suite(graph, node.label)


def expanded(graph: ConfiguredGraph, suite: Label) -> Iterator[Expanded]:
    """The suite and those in it, and the tests that the tags of none of them leave out."""
    pending: list[tuple[Label, frozenset[TagFilter]]] = [(suite, frozenset())]
    seen = set(pending)
    while pending:
        label, asked = pending.pop()
        rule = graph.graph.node(label)
        if not isinstance(rule, Rule):
            continue
        if rule.rule_class.name != TEST_SUITE:
            tags = {*rule.texts("tags"), rule.text("size") or "medium"}
            if all(one.takes(tags) for one in asked):
                yield Expanded(label, True)
            continue
        no_tests: list[Label] = []
        asked |= {tag_filter(filter(None, rule.texts("tags")))}
        for target in _members(graph, graph.top(label)):
            kind = graph.graph.shape(target.label).rule_class
            member = (target.label, asked)
            is_one = kind is not None and (kind.is_test or kind.name == TEST_SUITE)
            if is_one and member not in seen:
                seen.add(member)
                pending.append(member)
            if not is_one and _is_known(graph, target.label):
                no_tests.append(target.label)
        yield Expanded(label, False, tuple(no_tests))


def of_no_test(graph: ConfiguredGraph, suite: Label, member: Label) -> Refusal:
    """The refusal of a suite that is asked for, for one of its `tests`."""
    return Refusal(
        RefusalKind.MISPLACED,
        f"in test_suite rule '{suite}': expecting a test or a test_suite rule but '{member}' is"
        " not one",
        suite,
        "tests",
        graph.graph.location(suite),
    )


def cycle_of_suites(graph: ConfiguredGraph, suite: Label) -> list[ConfiguredNode]:
    """Suites that lead to one another, if the suite leads to some; each to the next, the last to
    the first."""
    frames = [(graph.top(suite), _members(graph, graph.top(suite)))]
    left: set[ConfiguredNode] = set()
    while frames:
        for member in frames[-1][1]:
            path = [node for node, _ in frames]
            if member in path:
                return path[path.index(member) :]
            if member not in left and is_test_suite(graph, member.label):
                frames.append((member, _members(graph, member)))
                break
        else:
            left.add(frames.pop()[0])
    return []


def _members(graph: ConfiguredGraph, suite: ConfiguredNode) -> Iterator[ConfiguredNode]:
    """What a suite says its tests are."""
    for edge in graph.edges(suite):
        if edge.edge.attribute in ("tests", IMPLICIT_TESTS) and edge.taken is Taken.YES:
            yield edge.target


def _is_known(graph: ConfiguredGraph, label: Label) -> bool:
    """Whether it can be told what a target is."""
    target = graph.graph.node(label)
    if isinstance(target, Rule):
        return target.rule_class.is_known and not target.is_stand_in
    return isinstance(target, InputFile | OutputFile | PackageGroup)
