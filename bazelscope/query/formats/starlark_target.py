"""What the program of `cquery --output=starlark` works on: `target`, `build_options`,
`providers`.

Bazel: `StarlarkOutputFormatterCallback`. What a target has comes from the implementation of its
rule, which is run dry; asking for what that does not tell is an error that says why.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import ClassVar

from bazelscope import starlark
from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.graph.aliases import behind_aliases
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.rules.implementations import Implementations
from bazelscope.analysis.rules.provided import Implemented, TargetValue, name_of, not_modelled
from bazelscope.base.label import Label
from bazelscope.base.unknown import Unknown
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.rules.rule_transitions import ModuleSource
from bazelscope.loading.evaluation.values.depsets import depset_of
from bazelscope.loading.evaluation.values.label_value import LabelValue
from bazelscope.loading.evaluation.values.structs import Provider, Struct, struct_of
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
        """All that a program finds by name. Bazel: `StarlarkGlobals.getUtilToplevelsForCquery`."""
        release = self.graph.configuration.release
        names = dict(starlark.universe())
        json = names.pop("json")
        if release.cquery_has_utilities:
            made = {"json": json, "depset": depset_of(release), "struct": struct_of(Struct)}
            names |= {**made, "proto": self._unknown("proto", "it is not modelled")}
        elif release.cquery_may_have_utilities:
            why = f"whether it is there is not known of Bazel {release}"
            names |= {name: self._unknown(name, why) for name in _UTILITIES}
        return {
            **names,
            "build_options": starlark.Builtin("build_options", self.build_options),
            "providers": starlark.Builtin("providers", self.providers),
        }

    def _unknown(self, what: str, why: str) -> UnknownValue:
        return UnknownValue(not_modelled(f"`{what}`", why), what, self._source.context)

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
        none in Bazel either. Names and order as 4.2.3 has them; of later releases those that rules
        in Starlark return are known by themselves."""
        node = _node("providers", target)
        release, behind = self.graph.configuration.release, behind_aliases(self.graph, node)
        own_target = self.graph.target(node)
        is_group = isinstance(own_target, PackageGroup | EnvironmentGroup)
        if is_group or behind != node:
            if release.cquery_may_see_through_aliases and not is_group:
                return self._unknown("providers(target)", f"of an alias in Bazel {release}")
            if is_group or not release.cquery_sees_through_aliases:
                return None
        if not release.names_providers_as_measured:
            return QueryProviders(self.value(behind), self._source.context)
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


class QueryProviders(UnknownValue):
    """What `providers(target)` returns where not all of it is known: it can be asked for what rules
    in Starlark return, and for output groups. Bazel: `toProvidersDictForQuery`."""

    starlark_type: ClassVar[str] = "dict"
    __slots__ = ("_context", "_target")

    def __init__(self, target: TargetValue, context: EvaluationContext) -> None:
        why = f"of Bazel {context.release} those alone are known that rules in Starlark return"
        unknown = not_modelled(str(target.implemented.label), why)
        super().__init__(unknown, "providers(target)", context)
        self._target = target
        self._context = context

    def _found(self, key: object) -> object:
        """The provider of that name; None if there is none, an unknown value if nobody can
        tell."""
        implemented, release = self._target.implemented, self._context.release
        if not isinstance(key, str) or (key == _DEFAULT and not release.has_default_info):
            return None
        if key == _DEFAULT:
            return self._target.default
        own = {self._name_of(one): held for one, held in implemented.providers.items()}
        is_own = key == _GROUPS or ("%" in key and _BUILTINS not in key)
        if is_own and key in own:
            return own[key]
        if is_own and implemented.others is None and not implemented.is_native:
            return None
        return self.derive(key)

    def _name_of(self, key: Hashable) -> str:
        if not isinstance(key, Provider) or key.file is None:
            return name_of(key)
        style = self._context.label_style if key.file.repository else str
        return f"{style(key.file)}%{key.name}"

    def index(self, key: object) -> object:
        found = self._found(key)
        if found is None:
            raise ValueError(f"key {starlark.repr_of(key)} not found in dictionary")
        return found

    def contains(self, key: object) -> object:
        found = self._found(key)
        return found.truth() if isinstance(found, UnknownValue) else found is not None

    def truth(self) -> bool:
        return True  # Every target has files.

    def get_attr(self, name: str) -> object:
        return starlark.Builtin("get", self._get) if name == "get" else super().get_attr(name)

    def _get(self, key: object, default: object = None) -> object:
        found = self._found(key)
        return default if found is None else found


_DEFAULT = "DefaultInfo"
_BUILTINS = "_builtins//"
_UTILITIES = ("depset", "json", "proto", "struct")
_OF_FILES = ("VisibilityProvider", "LicensesProvider")
_OF_ALL = ("FileProvider", "FilesToRunProvider")
_GROUPS = "OutputGroupInfo"


def _node(function: str, target: object) -> ConfiguredNode:
    if not isinstance(target, QueryTarget):
        raise starlark.EvaluationError(starlark.wrong_type(function, "target", target, "Target"))
    return target.node
