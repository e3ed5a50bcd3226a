"""The flags that a platform itself sets: `platform(flags = [...])`, and those of its parents.

Since Bazel 8. They replace what the command line says, as the lines of `platform_mappings` do; a
platform that has flags makes no use of that file. Bazel: `PlatformRule`, `ParsedFlagsValue`,
`BuildConfigurationKeyProducer`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.configuration.platform_mappings import MappedFlag, mapped_flag
from bazelscope.analysis.configuration.platforms import labels_of, parents_first
from bazelscope.analysis.configuration.target_source import TargetSource
from bazelscope.base.errors import Diagnostic, LabelError
from bazelscope.base.label import Label
from bazelscope.base.unknown import Unknown
from bazelscope.loading.packages.targets import Rule


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
            for label, rule in parents_first(self._source, platform):
                if label not in self._known:
                    self._known[label] = () if isinstance(rule, Unknown) else self._flags(rule)
        return self._known[platform]

    def _flags(self, rule: Rule) -> tuple[MappedFlag, ...]:
        # A platform has one parent, if any.
        parents = labels_of(rule, "parents")[:1]
        inherited = [flag for parent in parents for flag in self._known.get(parent, ())]
        texts = rule.value("flags", ())
        if not isinstance(texts, tuple):
            return tuple(inherited)
        place = rule.location
        names = self._names_in(rule.label.repository) if texts else {}
        own = [
            mapped_flag(text, place.span, names, rule.label.package_id)
            for text in texts
            if isinstance(text, str) and text.startswith("--")
        ]
        return (*inherited, *own)


def unknown_options(own_flags: PlatformFlags, configuration: Configuration) -> Iterator[Diagnostic]:
    """Yields what Bazel says of the first native option among the flags of the target platform
    that it does not have. Bazel: `ParsedFlagsFunction`, read from its sources."""
    chosen = (configuration.value("platforms").value or "").partition(",")[0]
    try:
        platform = configuration.label(chosen)
    except LabelError:
        return
    find = configuration.catalog.find
    for flag in own_flags(platform):
        is_native = flag.label is None and not flag.name.startswith(("/", "@"))
        if is_native and find(flag.name) is None and find(f"no{flag.name}") is None:
            message = f"Unrecognized option: --{flag.name}={flag.value}"
            yield Diagnostic("unknown-option", message, flag.span)
            return
