"""The checks of Bazel's own rules, by the name of their class."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.target_marks import LOOKED_AT
from bazelscope.analysis.refusals.causes import of_attribute
from bazelscope.analysis.refusals.native_rules import cc, general
from bazelscope.analysis.refusals.native_rules.configured_rule import Check, ConfiguredRule
from bazelscope.analysis.refusals.native_rules.loaded_rules import wanted_languages
from bazelscope.analysis.refusals.native_rules.texts import unexpanded
from bazelscope.analysis.refusals.refusal import Refusal, RefusalKind
from bazelscope.base.label import Label
from bazelscope.bazel.encoded_values import joined_texts
from bazelscope.bazel.native_texts import expanded_attributes
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Rule

if TYPE_CHECKING:
    from bazelscope.analysis.rules.implementations import Implementations

_CHECKS: Mapping[str, Check] = {**general.CHECKS, **cc.CHECKS}
_PROTOS = frozenset({"cc_proto_library", "proto_library"})
_PLATFORMS = frozenset({"alias", "constraint_setting", "platform", "toolchain"})
_PYTHON = frozenset({"py_binary", "py_library", "py_runtime", "py_test"})
_IN_LANGUAGES = _PLATFORMS | _PROTOS | _PYTHON
_ALIAS = "alias"
_REMOVES_CONSTRAINTS = "incompatible_use_platforms_repo_for_constraints"
_ODD = frozenset("$'\"\\")
"""What an option may have that is no plain word."""


def _check_of(name: str) -> Check | None:
    """Returns the check of a rule class. Those of some languages are imported where a tree has a
    rule of them, which many have not."""
    if name in _PROTOS:
        from bazelscope.analysis.refusals.native_rules import protos

        return protos.CHECKS[name]
    if name in _PLATFORMS:
        from bazelscope.analysis.refusals.native_rules import platforms

        return platforms.CHECKS[name]
    if name in _PYTHON:
        from bazelscope.analysis.refusals.native_rules import python

        return python.CHECKS[name]
    return _CHECKS.get(name)


class NativeRuleChecks:
    """The checks, over one configured graph."""

    def __init__(
        self, graph: ConfiguredGraph, implementations: Callable[[], Implementations]
    ) -> None:
        self._graph = graph
        self._implementations = implementations
        self._release = graph.configuration.release
        self._wanted = wanted_languages(graph.configuration)

    def refused(self, node: ConfiguredNode, name: str) -> list[Refusal]:
        """What the implementation of a native rule of class `name` refuses."""
        language = self._wanted.get(name)
        if language is None and not self._has_to_be_read(node, name):
            return []
        rule = self._graph.graph.node(node.label)
        if not isinstance(rule, Rule):
            return []
        message = language.refusal(rule) if language is not None else None
        if message is not None:
            return [of_attribute(RefusalKind.IMPLEMENTATION, rule, "", message)]
        configured = ConfiguredRule(self._graph, self._implementations, node, rule)
        check = _check_of(name)
        problems = list(check(configured)) if check is not None else []
        if not problems or name in cc.MANY:
            problems += unexpanded(configured)
        return [configured.refusal(problem) for problem in problems]

    def refused_of_test(self, node: ConfiguredNode) -> list[Refusal]:
        """What is refused of a test, whatever rule it is of."""
        is_checked = self._release.checks_shard_count
        return self._of_marked(node, general.of_test) if is_checked else []

    def refused_of_program(self, node: ConfiguredNode) -> list[Refusal]:
        """What is refused of a Starlark rule's words for its program, which `args` holds."""
        return self._of_marked(node, unexpanded, stand_ins=False)

    def _of_marked(
        self, node: ConfiguredNode, check: Check, stand_ins: bool = True
    ) -> list[Refusal]:
        """What a check finds in a rule that was given something which has to be looked at."""
        if not self._graph.graph.is_marked(node.label, LOOKED_AT):
            return []
        rule = self._graph.graph.node(node.label)
        if not isinstance(rule, Rule) or (rule.is_stand_in and not stand_ins):
            return []
        configured = ConfiguredRule(self._graph, self._implementations, node, rule)
        return [configured.refusal(problem) for problem in check(configured)]

    def _has_to_be_read(self, node: ConfiguredNode, name: str) -> bool:
        """Whether something may be wrong with a rule of class `name`; looked up without decoding
        it: most rules were given nothing that has to be looked at."""
        if name == _ALIAS:
            return self._is_removed(node)
        if name not in cc.MANY and (name in _CHECKS or name in _IN_LANGUAGES):
            return True
        if name not in cc.MANY and not expanded_attributes(name, self._release):
            return False
        return (
            self._graph.graph.is_marked(node.label, LOOKED_AT)
            or self._has_odd_default(node.label)
            or (name in cc.MANY and cc.may_have_odd_sources(self._graph, node))
        )

    def _is_removed(self, node: ConfiguredNode) -> bool:
        """Whether an alias stands for a constraint that `@platforms` has in its place. Bazel:
        `Alias.create`."""
        label = node.label
        if label.repository != "bazel_tools" or not label.package.startswith("platforms"):
            return False
        return self._graph.configuration_of(node).is_on(_REMOVES_CONSTRAINTS)

    def _has_odd_default(self, label: Label) -> bool:
        """Whether the options that a package has for its rules may hold what is refused."""
        package = self._graph.graph.source.package(label.package_id)
        return isinstance(package, Package) and not _ODD.isdisjoint(
            joined_texts(package.default_copts)
        )
