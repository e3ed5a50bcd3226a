"""A rule of Bazel's own under its configuration, as its implementation sees it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from bazelscope.analysis.conditions.configured_edges import ConfiguredEdge, ConfiguredNode, Taken
from bazelscope.analysis.conditions.select_choice import Chosen, resolve_value
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.graph.aliases import behind_aliases
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.target_marks import UNKNOWNS
from bazelscope.analysis.refusals.causes import of_attribute
from bazelscope.analysis.refusals.refusal import Refusal, RefusalKind
from bazelscope.base.label import Label
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import DictValue, RuleClass
from bazelscope.loading.packages.targets import Provenance, Rule

if TYPE_CHECKING:
    from bazelscope.analysis.rules.files import FileValue
    from bazelscope.analysis.rules.implementations import Implementations

_YES = Taken.YES


class Problem(NamedTuple):
    """What an implementation refuses; of the rule as a whole where `attribute` is empty."""

    message: str
    attribute: str = ""
    kind: RefusalKind = RefusalKind.IMPLEMENTATION
    remedy: str = ""


Check = Callable[["ConfiguredRule"], Iterator[Problem]]
"""Yields what is wrong with a rule of the classes that it is for."""


class ConfiguredRule:
    """One rule, its attributes under the configuration of `node`, and what these lead to."""

    def __init__(
        self,
        graph: ConfiguredGraph,
        implementations: Callable[[], Implementations],
        node: ConfiguredNode,
        rule: Rule,
    ) -> None:
        self.graph = graph
        self.node = node
        self.rule = rule
        self.release = graph.configuration.release
        self._implementations = implementations
        self._conditions = graph.conditions(node.configuration)

    @property
    def label(self) -> Label:
        return self.node.label

    @property
    def name(self) -> str:
        """The name of its class."""
        return self.rule.rule_class.name

    @property
    def configuration(self) -> Configuration:
        """The configuration that the rule is built in."""
        return self.graph.configuration_of(self.node)

    def refusal(self, problem: Problem) -> Refusal:
        """Returns a problem of this rule as what Bazel refuses, in its words."""
        kind, attribute = problem.kind, problem.attribute
        return of_attribute(kind, self.rule, attribute, problem.message, problem.remedy)

    # ---- Attributes

    def is_written(self, name: str) -> bool:
        """Whether the BUILD file sets an attribute."""
        return self.rule.given(name) is not None

    def value(self, name: str) -> object:
        """The value of an attribute, its default included; None if the class has none."""
        return resolve_value(self.rule.value(name), self._conditions).value

    def is_on(self, name: str) -> bool:
        """Whether a boolean attribute is on."""
        return self.value(name) in (True, 1)

    def texts(self, name: str) -> tuple[str, ...]:
        """The texts of an attribute that is set; none where a branch of it cannot be told."""
        given = self.rule.attributes.get(name)
        if given is None:
            return ()
        resolved = resolve_value(given.value, self._conditions)
        if not all(isinstance(choice, Chosen) for choice in resolved.choices):
            return ()
        value = resolved.value
        values = value if isinstance(value, tuple) else (value,)
        if isinstance(value, DictValue):
            values = tuple(text for _, text in value.items)
        return tuple(one for one in values if isinstance(one, str))

    def text(self, name: str) -> str | None:
        """The text of an attribute that is set to one; None where it is not, or not known."""
        return next(iter(self.texts(name)), None)

    # ---- What they lead to

    def edges(self, *names: str) -> Iterator[ConfiguredEdge]:
        """The edges to what the attributes `names` may hold; those that are surely not taken are
        left out."""
        return self.graph.edges_of(self.node, *names)

    def targets(self, name: str) -> list[ConfiguredNode] | None:
        """What an attribute holds, in its order, behind aliases; None where nobody can tell."""
        edges = list(self.edges(name))
        if self.may_hold_unknown() or any(edge.taken is not _YES for edge in edges):
            return None
        return [behind_aliases(self.graph, edge.target) for edge in edges]

    def files(self, name: str) -> list[FileValue] | None:
        """The files of all targets in an attribute, each once; None where nobody can tell."""
        listed: dict[FileValue, None] = {}
        targets = self.targets(name)
        for files in [None] if targets is None else map(self.files_of, targets):
            if files is None:
                return None
            listed.update(dict.fromkeys(files))
        return list(listed)

    def least_files(self, name: str) -> int:
        """How many files the targets in an attribute are built to, at least: of a program, that."""
        from bazelscope.analysis.rules.files import FileValue

        surely: set[FileValue] = set()
        for target in self.targets(name) or ():
            made = self._implementations().run(target)
            if isinstance(made, Unknown):
                continue
            if made.has_many_files:
                return 2
            files, program = made.files(), made.default.executable
            if not isinstance(files, Unknown):
                surely.update(files)
            elif isinstance(program, FileValue):
                surely.add(program)
        return len(surely)

    def files_of(self, node: ConfiguredNode) -> tuple[FileValue, ...] | None:
        """The files that a target is built to; None where nobody can tell."""
        files = self._implementations().files(node)
        return None if isinstance(files, Unknown) else files

    def has_many_files(self, node: ConfiguredNode) -> bool:
        """Whether a target is surely built to more than one file, whichever these are."""
        return getattr(self._implementations().run(node), "has_many_files", False)

    def variables_of(self, node: ConfiguredNode) -> frozenset[str] | None:
        """The Make variables that a Starlark rule defines; None where nobody can tell."""
        from bazelscope.analysis.rules.provided import variables_of

        variables = variables_of(self._implementations().run(node))
        return None if variables is None else frozenset(variables)

    def class_of(self, node: ConfiguredNode) -> RuleClass | None:
        """The class of what stands behind a target; None for a file."""
        return self.graph.graph.shape(behind_aliases(self.graph, node).label).rule_class

    def may_hold_unknown(self) -> bool:
        """Whether something in the rule's attributes may be unknown, or left out of a file that a
        repository rule writes with what nobody can tell."""
        if self.graph.graph.is_marked(self.label, UNKNOWNS):
            return True
        package = self.graph.graph.source.package(self.label.package_id)
        is_written_dry = getattr(package, "provenance", None) is Provenance.DRY_RUN
        return is_written_dry and bool(getattr(package, "unknowns", ()))
