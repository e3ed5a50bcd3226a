"""The files that a configured target stands for, as far as the files of a workspace tell.

Bazel: `FileProvider.getFilesToBuild`.
"""

from __future__ import annotations

from collections.abc import Callable

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.output_directories import output_directory
from bazelscope.analysis.rules.implementations import Implementations
from bazelscope.base.unknown import Unknown, all_known
from bazelscope.loading.packages.targets import EnvironmentGroup, PackageGroup

Files = tuple[str, ...] | Unknown


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
