"""The files that a configured target stands for, as far as the files of a workspace tell.

Bazel: `FileProvider.getFilesToBuild`. Source files and declared outputs are known, and what
native rules do that only hand files on. What a rule's implementation declares is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.conditions.edges import EdgeKind
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.output_directories import output_directory
from bazelscope.base.label import Label
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.packages.targets import InputFile, OutputFile, PackageGroup, Rule

_WITHOUT_FILES = frozenset(
    {"config_setting", "constraint_setting", "constraint_value", "platform", "toolchain_type"}
)
_HANDED_ON = {"alias": ("actual",), "filegroup": ("srcs",), "sh_library": ("srcs",)}
_SCRIPTS = frozenset({"sh_binary", "sh_test"})

Files = tuple[str, ...] | Unknown


class OutputFiles:
    """The files of configured targets, by their paths in the execution root."""

    def __init__(
        self,
        graph: ConfiguredGraph,
        directory: Callable[[Configuration], str | Unknown] | None = None,
    ) -> None:
        """`directory` names the directory of a configuration's outputs, also where Bazel names
        it by a hash that nobody can tell."""
        self._graph = graph
        self._directory = directory or output_directory
        self._known: dict[ConfiguredNode, Files] = {}

    def of(self, node: ConfiguredNode) -> Files:
        """The paths in Bazel's order, or why they cannot be told."""
        found = self._known.get(node)
        if found is None:
            # A cycle is an error that others report.
            self._known[node] = ()
            found = self._known[node] = self._find(node)
        return found

    def _find(self, node: ConfiguredNode) -> Files:
        target = self._graph.target(node)
        if isinstance(target, InputFile):
            return (source_path(node.label),)
        if isinstance(target, PackageGroup):
            return ()
        if isinstance(target, OutputFile):
            return self._made(node, [node.label])
        if not isinstance(target, Rule):
            return Unknown(Reason.NEEDS_ANALYSIS, str(node.label), "it is not known what it is")
        name = target.rule_class.name
        if not target.rule_class.defined_at:
            if name in _WITHOUT_FILES:
                return ()
            if name == "genrule":
                value = target.attributes["outs"].value
                outs = value if isinstance(value, tuple) else ()
                return self._made(node, [label for label in outs if isinstance(label, Label)])
            if name in _HANDED_ON and not self._is_given(target, "output_group"):
                return self._of_attributes(node, _HANDED_ON[name])
            if name in _SCRIPTS:
                sources = self._of_attributes(node, ("srcs",))
                program = self._made(node, [node.label])
                if isinstance(sources, Unknown):
                    return sources
                return program if isinstance(program, Unknown) else (*sources, *program)
        detail = f"what {target.kind} builds is for its implementation to say"
        return Unknown(Reason.NEEDS_ANALYSIS, str(node.label), detail, target.location)

    def _is_given(self, rule: Rule, name: str) -> bool:
        attribute = rule.attributes.get(name)
        return attribute is not None and attribute.value not in (None, "")

    def _of_attributes(self, node: ConfiguredNode, names: Iterable[str]) -> Files:
        found: dict[str, None] = {}
        for name in names:
            for edge in self._graph.taken(node):
                if edge.edge.attribute != name or edge.edge.kind is EdgeKind.CONDITION:
                    continue
                if edge.unknown is not None:
                    return edge.unknown
                files = self.of(edge.target)
                if isinstance(files, Unknown):
                    return files
                found.update(dict.fromkeys(files))
        return tuple(found)

    def _made(self, node: ConfiguredNode, labels: Iterable[Label]) -> Files:
        own = node.configuration or self._graph.configuration
        directory = self._directory(own)
        if isinstance(directory, Unknown):
            return directory
        folder = "genfiles" if own.release.cc_has_genfiles else "bin"
        return tuple(f"{directory}/{folder}/{source_path(label)}" for label in labels)


def source_path(label: Label) -> str:
    """The path of a source file in the execution root."""
    within = (label.package, label.name)
    external = ("external", label.repository) if label.repository else ()
    return "/".join(part for part in (*external, *within) if part)
