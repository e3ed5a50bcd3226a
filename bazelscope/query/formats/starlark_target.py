"""What the program of `cquery --output=starlark` works on: `target`, `build_options`,
`providers`.

Bazel: `StarlarkOutputFormatterCallback`. What a target has comes from the implementation of its
rule, which is run dry; asking for what that does not tell is an error that says why.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from bazelscope import starlark
from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.graph.aliases import behind_aliases
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.rules.implementations import Implementations
from bazelscope.analysis.rules.provided import Implemented, TargetValue, name_of, not_modelled
from bazelscope.base.label import Label
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.release import Release
from bazelscope.loading.evaluation.rules.rule_transitions import ModuleSource
from bazelscope.loading.evaluation.values.label_value import LabelValue
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue
from bazelscope.loading.packages.targets import (
    EnvironmentGroup,
    InputFile,
    OutputFile,
    PackageGroup,
)
from bazelscope.query.formats.build_options import build_options


class QueryTarget(starlark.Value):
    """One configured target of the answer."""

    starlark_type: ClassVar[str] = "Target"
    __slots__ = ("node", "scope")

    def __init__(self, node: ConfiguredNode, scope: CquerySymbols) -> None:
        self.node = node
        self.scope = scope

    def get_attr(self, name: str) -> object:
        if name == "label":
            return self.scope.label(self.behind.label)
        return self._value.get_attr(name)

    def attr_names(self) -> Iterable[str]:
        return self._value.attr_names()

    def index(self, key: object) -> object:
        return self._value.index(key)

    def contains(self, key: object) -> object:
        return self._value.contains(key)

    @property
    def _value(self) -> TargetValue:
        return self.scope.value(self.behind)

    @property
    def behind(self) -> ConfiguredNode:
        """The target that an alias stands for. Bazel: `AliasConfiguredTarget.getLabel`."""
        return behind_aliases(self.scope.graph, self.node)

    def to_repr(self) -> str:
        target, behind = self.scope.graph.target(self.node), self.behind
        if behind != self.node:
            return f"<alias target {self.node.label} of {behind.label}>"
        if isinstance(target, InputFile):
            return f"<input file target {self.node.label}>"
        if isinstance(target, OutputFile):
            return f"<output file target {self.node.label}>"
        if isinstance(target, PackageGroup | EnvironmentGroup):
            return f"<unknown target {self.node.label}>"
        return f"<target {self.node.label}>"


class CquerySymbols:
    """The names that a program finds beside Starlark's own, for one configured graph."""

    def __init__(self, graph: ConfiguredGraph, source: ModuleSource) -> None:
        self.graph = graph
        self._source = source
        self._implementations = Implementations(graph)
        self._options: dict[object, object] = {}

    @property
    def names(self) -> dict[str, object]:
        return {
            "build_options": starlark.Builtin("build_options", self.build_options),
            "providers": starlark.Builtin("providers", self.providers),
        }

    def label(self, label: Label) -> LabelValue:
        return self._source.context.label_value(label)

    def implemented(self, node: ConfiguredNode) -> Implemented:
        """What a target provides; an error that says why that cannot be told."""
        implemented = self._implementations.run(node)
        if isinstance(implemented, Unknown):
            raise starlark.EvaluationError(f"{implemented.subject}: {implemented.detail}")
        if implemented.failure is not None:
            raise starlark.EvaluationError(f"{node.label} fails: {implemented.failure.message}")
        return implemented

    def value(self, node: ConfiguredNode) -> TargetValue:
        """A target as the implementations of rules see it."""
        return TargetValue(self._source.context, self.implemented(node))

    def build_options(self, target: object) -> object:
        """The options of a target's configuration; None for a file, which has none."""
        node = _node("build_options", target)
        # An alias for a file has the configuration that it was built in.
        configuration = behind_aliases(self.graph, node).configuration or node.configuration
        if configuration is None:
            return None
        options = self._options.get(configuration)
        if options is None:
            conditions = self.graph.conditions(configuration)
            options = self._options[configuration] = build_options(conditions, self._source)
        return options

    def providers(self, target: object) -> object:
        """The providers of a target by name; None for aliases and package groups, which have
        none in Bazel either. Names and order as 4.2.3 has them."""
        node = _node("providers", target)
        is_alias = behind_aliases(self.graph, node) != node
        own_target = self.graph.target(node)
        if is_alias or isinstance(own_target, PackageGroup | EnvironmentGroup):
            return None
        if not self.graph.configuration.release.names_providers_as_measured:
            measured = Release.names_providers_as_measured.series
            raise starlark.EvaluationError(
                f"`providers(target)` is known of Bazel {measured} alone"
            )
        implemented = self.implemented(node)
        if implemented.others is not None:
            raise starlark.EvaluationError(f"`providers(target)`: {implemented.others}")
        held = {name_of(key): one for key, one in implemented.providers.items()}
        groups = held.pop(_GROUPS, None)
        besides = {name: self._of_bazel(implemented, name) for name in _OF_ALL}
        if isinstance(own_target, InputFile | OutputFile):
            own = {name: self._of_bazel(implemented, name) for name in _OF_FILES}
            return starlark.Dict({**own, **besides, **held})
        last = {} if groups is None else {_GROUPS: groups}
        return starlark.Dict({**held, **implemented.legacy, **besides, **last})

    def _of_bazel(self, implemented: Implemented, name: str) -> object:
        unknown = not_modelled(f"{implemented.label}: {name}")
        return UnknownValue(unknown, name, self._source.context)


_OF_FILES = ("VisibilityProvider", "LicensesProvider")
_OF_ALL = ("FileProvider", "FilesToRunProvider")
_GROUPS = "OutputGroupInfo"


def _node(function: str, target: object) -> ConfiguredNode:
    if not isinstance(target, QueryTarget):
        raise starlark.EvaluationError(starlark.wrong_type(function, "target", target, "Target"))
    return target.node
