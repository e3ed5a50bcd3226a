"""The flags that a platform itself sets: `platform(flags = [...])`, and those of its parents.

Since Bazel 8. They replace what the command line says, as the lines of `platform_mappings` do; a
platform that has flags makes no use of that file. Bazel: `PlatformRule`, `ParsedFlagsValue`,
`BuildConfigurationKeyProducer`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bazelscope.analysis.configuration.platform_mappings import MappedFlag, mapped_flag
from bazelscope.analysis.configuration.platforms import follow_aliases, labels_of
from bazelscope.analysis.configuration.target_source import TargetSource
from bazelscope.base.label import Label
from bazelscope.base.source import Span
from bazelscope.base.unknown import Unknown
from bazelscope.loading.packages.targets import Rule

_DEEPEST = 64


class PlatformFlags:
    """Tells of each platform which flags it sets. `names_in` gives the names by which files of
    a repository know others: that of the platform says what its labels mean."""

    def __init__(self, source: TargetSource, names_in: Callable[[str], Mapping[str, str]]) -> None:
        self._source = source
        self._names_in = names_in
        self._known: dict[Label, tuple[MappedFlag, ...]] = {}

    def __call__(self, platform: Label) -> tuple[MappedFlag, ...]:
        """The flags of a platform, those of its parents before its own."""
        if platform.repository == "bazel_tools":
            return ()  # Bazel's own platforms, the default host's among them, set none.
        if platform not in self._known:
            self._known[platform] = self._flags(platform, 0)
        return self._known[platform]

    def _flags(self, platform: Label, depth: int) -> tuple[MappedFlag, ...]:
        label = follow_aliases(self._source, platform)
        rule = self._source.target(label) if not isinstance(label, Unknown) else None
        if not isinstance(rule, Rule) or rule.rule_class.name != "platform" or depth > _DEEPEST:
            return ()
        inherited = [
            flag for parent in labels_of(rule, "parents") for flag in self._flags(parent, depth + 1)
        ]
        attribute = rule.attribute("flags")
        texts = attribute.value if attribute is not None else ()
        if not isinstance(texts, tuple):
            return tuple(inherited)
        place = rule.location
        span = Span(place.path, place.line, place.column, place.line, place.column + 1)
        names = self._names_in(rule.label.repository) if texts else {}
        own = [
            mapped_flag(text, span, names, rule.label.package_id)
            for text in texts
            if isinstance(text, str) and text.startswith("--")
        ]
        return (*inherited, *own)
