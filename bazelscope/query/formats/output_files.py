"""The files that a configured target stands for, as far as the files of a workspace tell.

Bazel: `FileProvider.getFilesToBuild`. Source files and declared outputs are known, and what
native rules do that only hand files on. What a rule's implementation declares is not.
"""

from __future__ import annotations

from collections.abc import Iterable

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.conditions.edges import EdgeKind
from bazelscope.analysis.configuration.configuration import Configuration, ConfigurationKind
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.base.label import Label
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.packages.targets import InputFile, OutputFile, PackageGroup, Rule

_WITHOUT_FILES = frozenset(
    {"config_setting", "constraint_setting", "constraint_value", "platform", "toolchain_type"}
)
_HANDED_ON = {"alias": ("actual",), "filegroup": ("srcs",), "sh_library": ("srcs",)}
_SCRIPTS = frozenset({"sh_binary", "sh_test"})
_DIRECTORY_OPTIONS = ("platform_suffix", "cc_output_directory_tag")

Files = tuple[str, ...] | Unknown


class OutputFiles:
    """The files of configured targets, by their paths in the execution root."""

    def __init__(self, graph: ConfiguredGraph) -> None:
        self._graph = graph
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
            return (_source_path(node.label),)
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
        directory = output_directory(node.configuration or self._graph.configuration)
        if isinstance(directory, Unknown):
            return directory
        return tuple(f"{directory}/bin/{_source_path(label)}" for label in labels)


def output_directory(configuration: Configuration) -> str | Unknown:
    """The directory of a configuration's outputs. Those that a transition made are named by a
    hash of its options, which files do not tell. Bazel: `BuildConfiguration.buildMnemonic`."""
    if configuration.kind is ConfigurationKind.HOST:
        return "bazel-out/host"
    options = [configuration.value(name).value for name in _DIRECTORY_OPTIONS]
    if configuration.kind is ConfigurationKind.EXEC or not configuration.is_top:
        detail = "its output directory is named by a hash of Bazel's own"
        return Unknown(Reason.NEEDS_ANALYSIS, f"configuration {configuration.kind.value}", detail)
    if any(options):
        detail = f"{' or '.join(f'--{name}' for name in _DIRECTORY_OPTIONS)} names it"
        return Unknown(Reason.NEEDS_ANALYSIS, "the output directory", detail)
    mode = configuration.value("compilation_mode").value
    return f"bazel-out/{configuration.value('cpu').value}-{mode}"


def _source_path(label: Label) -> str:
    within = (label.package, label.name)
    external = ("external", label.repository) if label.repository else ()
    return "/".join(part for part in (*external, *within) if part)
