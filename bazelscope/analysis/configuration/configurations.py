"""The configurations that one command line leads to, each made once."""

from __future__ import annotations

from collections.abc import Callable

from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.configuration.flag_types import parse_boolean
from bazelscope.analysis.configuration.platform_mappings import PlatformMappings
from bazelscope.analysis.configuration.platform_mappings import apply as apply_mappings
from bazelscope.base.label import Label
from bazelscope.base.memoized import memoized

_DISTINCT = "distinct_host_configuration"


class Configurations:
    """Those of a top-level configuration, its tools' and the transitions' ones among them.

    `mappings` are applied to each that a transition makes; `platform_of` tells the execution
    platform of a rule in a configuration, or of an execution group of it; None for the host's.
    """

    def __init__(
        self,
        top: Configuration,
        mappings: PlatformMappings,
        platform_of: Callable[[Configuration, Label, str], Label | None],
    ) -> None:
        self._top = top
        self._mappings = mappings
        self._platform_of = platform_of
        self._interned: dict[tuple[object, ...], Configuration] = {top.key: top}
        self._host: Configuration | None = None

    @memoized
    def settled(self, configuration: Configuration) -> Configuration:
        """The one object that stands for this configuration, platform mappings applied."""
        if configuration.key in self._interned:
            return self._interned[configuration.key]
        made = apply_mappings(configuration, self._mappings)
        settled = self._interned.setdefault(made.key, made)
        self._interned[configuration.key] = settled
        return settled

    def host_of(self, configuration: Configuration, user: Label) -> Configuration:
        """The configuration of host tools: the only one, made of the top-level one as platform
        mappings left it, or that one itself under `--nodistinct_host_configuration`.
        Bazel: `SkyframeExecutor.createConfigurations`."""
        if not configuration.release.host_configuration:
            return self.exec_of(configuration, user)
        if self._host is None:
            is_distinct = self._top.value(_DISTINCT).value
            if is_distinct is None or parse_boolean(is_distinct):
                self._host = self.settled(self._top.of_host())
            else:
                self._host = self._top
        return self._host

    def exec_of(self, configuration: Configuration, user: Label, group: str = "") -> Configuration:
        """The configuration of tools of the rule `user`: for its execution platform, or that of an
        execution group of it."""
        return self._exec_on(configuration, self._platform_of(configuration, user, group))

    @memoized
    def _exec_on(self, configuration: Configuration, platform: Label | None) -> Configuration:
        made, own_flags = configuration.exec(platform), self._mappings.own_flags
        has_flags = platform is not None and own_flags is not None and own_flags(platform)
        return self.settled(made) if has_flags else made
