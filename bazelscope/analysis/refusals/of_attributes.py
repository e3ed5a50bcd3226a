"""Targets that an attribute of a native rule does not take: of another rule class or file type,
without the provider that it wants, or with other files than it wants.

Bazel: `RuleContext.Builder.validateDirectPrerequisite`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from typing import TYPE_CHECKING

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode, Taken
from bazelscope.analysis.conditions.edges import EdgeKind
from bazelscope.analysis.graph.aliases import (
    behind_aliases,
    described,
    is_stand_in,
    listed,
    misplaced_file,
)
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.target_marks import HAS_ENVIRONMENTS, LOOKED_AT
from bazelscope.analysis.refusals.causes import meaning_of
from bazelscope.analysis.refusals.refusal import Refusal, RefusalKind
from bazelscope.base.label import Label
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import RuleClass
from bazelscope.bazel.native_prerequisites import OF_EVERY_RULE, NativePrerequisites
from bazelscope.bazel.native_prerequisites import Taken as TakenThere
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.package_data import OF_ENVIRONMENTS
from bazelscope.loading.packages.targets import InputFile, OutputFile
from bazelscope.loading.packages.unknown_declarations import declares_unknown

if TYPE_CHECKING:
    from bazelscope.analysis.rules.implementations import Implementations

_YES = Taken.YES
_ATTRIBUTE = EdgeKind.ATTRIBUTE
_PROVIDED = {"proto_library": "ProtoInfo"}
"""What rules provide that were not tried, for they need what Bazel would download."""


class _Problem(NamedTuple):
    """What is wrong with a target in an attribute; `absent`: it is not there."""

    kind: RefusalKind
    message: str
    absent: Label | None = None


_OF_EVERY_RULE = (LOOKED_AT, HAS_ENVIRONMENTS)
"""Of targets that are given something in attributes that all rules have."""


class AttributeChecks:
    """The checks, over one configured graph."""

    def __init__(
        self,
        graph: ConfiguredGraph,
        implementations: Callable[[], Implementations],
        incompatible: Container[ConfiguredNode],
    ) -> None:
        self._graph = graph
        self._incompatible = incompatible
        self._implementations = implementations
        self._native = NativePrerequisites(graph.configuration.release)
        self._taken: dict[tuple[int, ConfiguredNode], _Problem | None] = {}
        """By what an attribute takes, and by a target there: what is wrong with that."""

    def refused(self, node: ConfiguredNode, rule_class: RuleClass) -> Iterator[Refusal]:
        """What is wrong with what a native rule is given, or any rule in attributes that all
        have."""
        attributes: Mapping[str, TakenThere] = {}
        if not rule_class.defined_at:
            attributes = self._native.of(rule_class.name)
        if any(self._graph.graph.is_marked(node.label, mark) for mark in _OF_EVERY_RULE):
            attributes = {**OF_EVERY_RULE, **attributes}
        if not attributes:
            return
        for edge in self._graph.built(node):
            if edge.taken is not _YES:
                continue
            if edge.edge.kind is not _ATTRIBUTE and edge.edge.attribute not in OF_ENVIRONMENTS:
                continue
            if edge.target in self._incompatible:
                continue
            taken = attributes.get(edge.edge.attribute)
            if taken is None:
                continue
            key = (id(taken), edge.target)
            if key not in self._taken:
                self._taken[key] = self._problem(taken, edge.target)
            problem = self._taken[key]
            if problem is None:
                continue
            kind, message, absent = problem
            attribute = edge.edge.attribute
            source = self._graph.graph.source
            yield Refusal(
                kind,
                f"in {attribute} attribute of {rule_class.name} rule {node.label}: "
                + message.format(rule=rule_class.name, attribute=attribute),
                node.label,
                attribute,
                self._graph.graph.location(node.label),
                remedy=meaning_of(absent, source) if absent is not None else "",
                dependency=absent,
            )

    def _problem(self, taken: TakenThere, node: ConfiguredNode) -> _Problem | None:
        problem = self._looked_at(taken, node)
        return None if problem is not None and is_stand_in(self._graph, node) else problem

    def _looked_at(self, taken: TakenThere, node: ConfiguredNode) -> _Problem | None:
        behind = behind_aliases(self._graph, node)
        shape = self._graph.graph.shape(behind.label)
        if shape.rule_class is None:
            return self._of_file(taken, behind.label, node)
        rule_class = shape.rule_class
        if not rule_class.is_known:
            return None
        if taken.rules is not None and not self._is_taken(taken, behind, rule_class):
            names = " or ".join(f"'{name}'" for name in taken.providers)
            lacks = f"'{behind.label}' does not have mandatory providers: {names}"
            if not taken.listed:
                return _Problem(RefusalKind.MISSING_PROVIDER, _plain(lacks))
            expected = listed(taken.listed)
            what = described(self._graph, node, f"{rule_class.name} rule")
            message = f"{what} is misplaced here (expected {expected})"
            message = _plain(f"{message} and {lacks}" if names else message)
            return _Problem(RefusalKind.MISPLACED, message)
        if taken.is_single or taken.asks_files:
            return self._of_files(taken, behind)
        return None

    def _of_file(self, taken: TakenThere, label: Label, node: ConfiguredNode) -> _Problem | None:
        target = self._graph.graph.node(label)
        if not isinstance(target, InputFile | OutputFile) or taken.takes_file(label.name):
            return None
        if isinstance(target, InputFile) and not target.is_exported:
            package = self._graph.graph.source.package(label.package_id)
            if isinstance(package, Package) and declares_unknown(package):
                return None
        message, absent = misplaced_file(self._graph, node, target.kind, taken.endings or ())
        return _Problem(RefusalKind.MISPLACED, _plain(message), absent)

    def _is_taken(self, taken: TakenThere, node: ConfiguredNode, rule_class: RuleClass) -> bool:
        """Whether the class or a provider of a rule is taken, as far as that can be told."""
        assert taken.rules is not None
        if rule_class.name in taken.rules:
            return True
        if not taken.providers:
            return False
        if not rule_class.defined_at:
            provided = _PROVIDED.get(rule_class.name)
            if provided is not None:
                return provided in taken.providers
            return rule_class.name not in self._native.tried
        result = self._implementations().run(node)
        if isinstance(result, Unknown) or result.failure is not None or result.others is not None:
            return True
        named = {getattr(key, "name", key) for key in result.providers}
        return any(one in named or one in result.legacy for one in taken.providers)

    def _of_files(self, taken: TakenThere, node: ConfiguredNode) -> _Problem | None:
        from bazelscope.analysis.rules.prerequisites import produces
        from bazelscope.analysis.rules.provided import Implemented

        result = self._implementations().run(node)
        if not isinstance(result, Implemented) or result.failure is not None:
            return None
        files = result.files()
        if taken.is_single and not isinstance(files, Unknown) and len(files) != 1:
            message = _plain(f"'{node.label}' must produce a single file")
            return _Problem(RefusalKind.MISPLACED, message)
        if not taken.asks_files or produces(result, taken.takes_file, taken.endings or ()):
            return None
        expected = _plain(listed(taken.endings or ()))
        return _Problem(
            RefusalKind.MISPLACED,
            (
                f"{_plain(repr(str(node.label)))} does not produce any {{rule}} {{attribute}} files"
                f" (expected {expected})"
            ),
        )


def _plain(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
