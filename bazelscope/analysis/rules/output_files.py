"""The files that a configured target stands for, as far as the files of a workspace tell.

Bazel: `FileProvider.getFilesToBuild`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.output_directories import output_directory
from bazelscope.analysis.rules.files import FileValue
from bazelscope.analysis.rules.implementations import Implementations
from bazelscope.analysis.rules.native import files_of_group
from bazelscope.base.unknown import Unknown, all_known
from bazelscope.loading.packages.targets import EnvironmentGroup, PackageGroup

Files = tuple[str, ...] | Unknown
DEFAULT = "default"
"""The output group of the files that a target is built to."""


class OutputFiles:
    """The files of configured targets, by their paths in the execution root."""

    def __init__(
        self,
        graph: ConfiguredGraph,
        directory: Callable[[Configuration], str | Unknown] = output_directory,
    ) -> None:
        """`directory` names the directory of a configuration's outputs, also where Bazel names
        it by a hash that nobody can tell."""
        self._graph = graph
        self._implementations = Implementations(graph, directory)

    def of(self, node: ConfiguredNode) -> Files:
        """The paths in Bazel's order, or why they cannot be told."""
        if isinstance(self._graph.target(node), PackageGroup | EnvironmentGroup):
            return ()
        files = self._implementations.files(node)
        return files if isinstance(files, Unknown) else all_known(file.path for file in files)

    def in_groups(self, node: ConfiguredNode, groups: Iterable[str], with_sources: bool) -> Files:
        """The paths of what a build of output groups announces, or why they cannot be told; with
        source files, or without. Groups come by name, and are hidden if it begins with `_`. Bazel:
        `TopLevelArtifactHelper.getAllArtifactsToBuild`."""
        if isinstance(self._graph.target(node), PackageGroup | EnvironmentGroup):
            return ()
        found: dict[FileValue, None] = {}
        for group in sorted(name for name in groups if not name.startswith("_")):
            made = self._implementations.run(node)
            if group == DEFAULT or isinstance(made, Unknown) or made.failure is not None:
                files = self._implementations.files(node)
            else:
                files = files_of_group(made, group)
            if isinstance(files, Unknown):
                return files
            found.update(dict.fromkeys(files))
        return all_known(file.path for file in found if with_sources or not file.is_source)
