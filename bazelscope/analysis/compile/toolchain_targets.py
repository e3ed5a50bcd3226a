"""The targets that describe a C++ toolchain of rules_cc's own rules, as they are read: attributes
under a configuration, the targets behind them, and the paths of files and directories."""

from __future__ import annotations

import posixpath
from dataclasses import replace

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.conditions.select_choice import resolve_value
from bazelscope.analysis.graph.aliases import behind_aliases
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.rules.implementations import Implementations
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.packages.targets import Rule, unknown_of


@dataclass(frozen=True, slots=True)
class ToolchainTarget:
    """A target that describes a part of a toolchain."""

    node: ConfiguredNode
    rule: Rule | None
    unknown: Unknown | None
    is_told: bool = True
    """False where nobody can tell which target it is."""

    @property
    def kind(self) -> str:
        """The class of its rule, without the underscore of one behind a macro."""
        return self.rule.rule_class.name.lstrip("_") if self.rule is not None else ""

    @property
    def label(self) -> Label:
        return self.node.label


class ToolchainTargets:
    """Reads such targets of one graph."""

    def __init__(self, graph: ConfiguredGraph, implementations: Implementations) -> None:
        self._graph = graph
        self._implementations = implementations

    def target(self, node: ConfiguredNode) -> ToolchainTarget:
        """The target at a node, behind its aliases."""
        behind = behind_aliases(self._graph, node)
        result = self._graph.target(behind)
        rule = result if isinstance(result, Rule) else None
        return ToolchainTarget(behind, rule, unknown_of(result))

    def plain(self, target: ToolchainTarget, name: str) -> object:
        """The value of an attribute; the attribute's default where it is not given."""
        if target.rule is None:
            return None
        definition = target.rule.rule_class.attributes.get(name)
        default = definition.default if definition is not None else None
        given = target.rule.given(name)
        if given is None:
            return default
        configuration = self._graph.configuration_of(target.node)
        return resolve_value(given, self._graph.conditions(configuration), default).value

    def text(self, target: ToolchainTarget, name: str) -> str:
        """The value of an attribute that is a string; empty if it is none."""
        value = self.plain(target, name)
        return value if isinstance(value, str) else ""

    def labels(self, target: ToolchainTarget, name: str) -> tuple[ToolchainTarget, ...]:
        """The targets of an attribute that holds a label, or several; one that is unknown for
        those that cannot be told."""
        value = self.plain(target, name)
        if isinstance(value, Unknown):
            return (ToolchainTarget(target.node, None, value, is_told=False),)
        labels = (value,) if isinstance(value, Label) else value if isinstance(value, tuple) else ()
        return tuple(self.behind(target, name, one) for one in labels if isinstance(one, Label))

    def behind(self, target: ToolchainTarget, name: str, label: Label) -> ToolchainTarget:
        """The target that a label of an attribute leads to."""
        assert target.rule is not None
        definition = target.rule.rule_class.attributes[name]
        node, doubt = self._graph.nodes.prerequisites(target.node, definition, label)[0]
        return replace(self.target(node), unknown=doubt) if doubt else self.target(node)

    def path(self, target: ToolchainTarget) -> str | Unknown:
        """The path of a file, of a rule's only file, or of a `directory` of bazel_skylib's."""
        if target.kind == "directory":
            return target.label.package_id.source_folder or "."
        if target.kind == "subdirectory":
            for parent in self.labels(target, "parent"):
                above = self.path(parent)
                if isinstance(above, Unknown):
                    return above
                return posixpath.normpath(posixpath.join(above, self.text(target, "path")))
        if target.unknown is not None and not target.is_told:
            return target.unknown
        if target.rule is None:
            # No rule of its package makes it: in a repository that is not here, a file.
            return target.label.source_path
        if target.kind == "cc_tool":
            return next((self.path(one) for one in self.labels(target, "src")), "...")
        files = self._implementations.files(target.node)
        if isinstance(files, Unknown):
            return files
        paths = [one.path for one in files]
        return paths[0] if len(paths) == 1 else self.not_known(target)

    def not_known(self, target: ToolchainTarget) -> Unknown:
        """Why a target says nothing."""
        detail = f"what a {target.kind or 'file'} says of flags is not modelled"
        place = target.rule.location if target.rule is not None else None
        return target.unknown or Unknown(Reason.NOT_MODELLED, str(target.label), detail, place)
