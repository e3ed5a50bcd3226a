"""What questions about packages are answered from: the loader under one command line."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from bazelscope.analysis.conditions import Conditions
from bazelscope.analysis.configuration import Configuration
from bazelscope.analysis.configured import ConfiguredGraph
from bazelscope.analysis.graph import TargetGraph
from bazelscope.explain.needs import ConfigIndex
from bazelscope.flags.catalog import Catalog
from bazelscope.flags.imports import RcFiles
from bazelscope.flags.values import ResolvedFlags

if TYPE_CHECKING:
    from bazelscope.loading.loader import Loader


@dataclass(frozen=True)
class World:
    """A loader, and the flags under which its targets are looked at."""

    loader: Loader
    flags: ResolvedFlags
    rc_files: RcFiles
    catalog: Catalog

    @cached_property
    def configuration(self) -> Configuration:
        """The top-level configuration of the command line."""
        return Configuration.of(self.flags, self.catalog)

    @cached_property
    def graph(self) -> TargetGraph:
        """The graph of every branch. Who may see a target is no dependency here."""
        return TargetGraph(self.loader, self.flags.bazel_version, visibility=False)

    @cached_property
    def configured(self) -> ConfiguredGraph:
        """The graph of the chosen branches."""
        return ConfiguredGraph(self.graph, self.configuration)

    @cached_property
    def conditions(self) -> Conditions:
        """Decides conditions under the command line's configuration."""
        return self.configured.conditions()

    @cached_property
    def configs(self) -> ConfigIndex:
        """Which named config sets what."""
        return ConfigIndex(self.rc_files, self.catalog, self.flags.command)
