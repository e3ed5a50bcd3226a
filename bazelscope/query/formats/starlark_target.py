"""What the program of `cquery --output=starlark` works on: `target`, `build_options`,
`providers`.

Bazel: `StarlarkOutputFormatterCallback`. A target has its label and, where they can be told,
its files. Whatever else it has in Bazel comes from the implementation of its rule, which is
not run here: asking for it is an error that says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from bazelscope import starlark
from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.graph.aliases import behind_aliases
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.output_files import OutputFiles
from bazelscope.base.label import Label
from bazelscope.base.unknown import Unknown
from bazelscope.loading.evaluation.rules.rule_transitions import ModuleSource
from bazelscope.loading.evaluation.values.label_value import LabelValue
from bazelscope.loading.packages.targets import InputFile, OutputFile, PackageGroup
from bazelscope.query.formats.build_options import build_options

_OF_IMPLEMENTATIONS = (
    "actions", "data_runfiles", "default_runfiles", "files_to_run", "output_groups"
)  # fmt: skip
_NOT_RUN = "comes from the implementation of the rule, which is not run here"


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
        if name == "files":
            return self.scope.files(self.behind)
        if name in _OF_IMPLEMENTATIONS:
            raise starlark.EvaluationError(f"`target.{name}` {_NOT_RUN}")
        raise AttributeError(name)

    def attr_names(self) -> Iterable[str]:
        return ("files", "label")

    def index(self, key: object) -> object:
        raise starlark.EvaluationError(f"a provider of a target {_NOT_RUN}")

    def contains(self, key: object) -> object:
        raise starlark.EvaluationError(f"a provider of a target {_NOT_RUN}")

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
        if isinstance(target, PackageGroup):
            return f"<unknown target {self.node.label}>"
        return f"<target {self.node.label}>"


class TargetFile(starlark.Value):
    """One file of a target."""

    starlark_type: ClassVar[str] = "File"
    __slots__ = ("path",)

    def __init__(self, path: str) -> None:
        self.path = path

    def get_attr(self, name: str) -> object:
        base = self.path.rpartition("/")[2]
        if name == "path":
            return self.path
        if name == "basename":
            return base
        if name == "dirname":
            return self.path.rpartition("/")[0]
        if name == "extension":
            return base.rpartition(".")[2] if "." in base else ""
        if name == "is_source":
            return not self.path.startswith("bazel-out/")
        raise AttributeError(name)

    def attr_names(self) -> Iterable[str]:
        return ("basename", "dirname", "extension", "is_source", "path")


class TargetFiles(starlark.Value):
    """The depset of a target's files."""

    starlark_type: ClassVar[str] = "depset"
    __slots__ = ("paths",)

    def __init__(self, paths: tuple[str, ...]) -> None:
        self.paths = paths

    def get_attr(self, name: str) -> object:
        if name == "to_list":
            return starlark.Builtin("to_list", self._to_list)
        raise AttributeError(name)

    def attr_names(self) -> Iterable[str]:
        return ("to_list",)

    def truth(self) -> bool:
        return bool(self.paths)

    def _to_list(self) -> object:
        return starlark.List([TargetFile(path) for path in self.paths])


class CquerySymbols:
    """The names that a program finds beside Starlark's own, for one configured graph."""

    def __init__(self, graph: ConfiguredGraph, source: ModuleSource) -> None:
        self.graph = graph
        self._source = source
        self._files = OutputFiles(graph)
        self._options: dict[object, object] = {}

    @property
    def names(self) -> dict[str, object]:
        return {
            "build_options": starlark.Builtin("build_options", self.build_options),
            "providers": starlark.Builtin("providers", self.providers),
        }

    def label(self, label: Label) -> LabelValue:
        return self._source.context.label_value(label)

    def files(self, node: ConfiguredNode) -> TargetFiles:
        found = self._files.of(node)
        if isinstance(found, Unknown):
            raise starlark.EvaluationError(f"`target.files`: {found.subject}: {found.detail}")
        return TargetFiles(found)

    def build_options(self, target: object) -> object:
        """The options of a target's configuration; None for a file, which has none."""
        node = _node("build_options", target)
        configuration = behind_aliases(self.graph, node).configuration
        if configuration is None:
            return None
        found = self._options.get(configuration)
        if found is None:
            conditions = self.graph.conditions(configuration)
            found = self._options[configuration] = build_options(conditions, self._source)
        return found

    def providers(self, target: object) -> object:
        """None for what has no providers in Bazel either: aliases and package groups."""
        node = _node("providers", target)
        is_alias = behind_aliases(self.graph, node) != node
        if is_alias or isinstance(self.graph.target(node), PackageGroup):
            return None
        raise starlark.EvaluationError(f"what `providers(target)` tells {_NOT_RUN}")


def _node(function: str, target: object) -> ConfiguredNode:
    if not isinstance(target, QueryTarget):
        kind = starlark.type_of(target)
        raise starlark.EvaluationError(
            f"in call to {function}(), parameter 'target' got value of type '{kind}', want 'Target'"
        )
    return target.node
