"""The flags that a platform itself sets: `platform(flags = [...])`, and those of its parents.

Since Bazel 8. They replace what the command line says, as the lines of `platform_mappings` do; a
platform that has flags makes no use of that file. Bazel: `PlatformRule`, `ParsedFlagsValue`,
`BuildConfigurationKeyProducer`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from bazelscope.analysis.configuration.build_settings import is_build_setting, is_flag
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.configuration.platform_mappings import MappedFlag, mapped_flag
from bazelscope.analysis.configuration.platforms import actual_target, parents_first
from bazelscope.analysis.configuration.target_source import TargetSource
from bazelscope.base.errors import Diagnostic, LabelError
from bazelscope.base.label import Label
from bazelscope.base.unknown import Unknown
from bazelscope.loading.packages.targets import Absent, Rule, UnknownResult


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
        parents = rule.labels("parents")[:1]
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

    def problem_of(self, flag: MappedFlag) -> str:
        """What Bazel says of a flag that is to be a build setting and is none; nothing of others,
        and where nobody can tell."""
        if flag.label is None:
            return ""
        if isinstance(self._source.target(flag.label), Absent):
            return f"Error loading option {flag.name}: Failed to load {flag.name}"
        target = actual_target(self._source, flag.label)
        if target is None or isinstance(target, UnknownResult):
            return ""
        if not isinstance(target, Rule):
            return f"Unrecognized option: {flag.name}"
        if not target.rule_class.is_known or is_flag(target):
            return ""
        value = f"={flag.value}" if is_build_setting(target) else ""
        return f"Unrecognized option: {flag.name}{value}"


def unknown_options(own_flags: PlatformFlags, configuration: Configuration) -> Iterator[Diagnostic]:
    """Yields what Bazel says of the first flag of the target platform that there is not: of build
    settings, which it looks up first, then of its own options. Bazel: `ParsedFlagsFunction`,
    `StarlarkOptionsParser`, read from their sources."""
    chosen = (configuration.value("platforms").value or "").partition(",")[0]
    try:
        platform = configuration.label(chosen)
    except LabelError:
        return
    flags = own_flags(platform)
    for flag in flags:
        message = own_flags.problem_of(flag)
        if message:
            yield Diagnostic("unknown-option", message, flag.span)
            return
    find = configuration.catalog.find
    for flag in flags:
        is_native = flag.label is None and not flag.name.startswith(("/", "@"))
        if is_native and find(flag.name) is None and find(f"no{flag.name}") is None:
            message = f"Unrecognized option: --{flag.name}={flag.value}"
            yield Diagnostic("unknown-option", message, flag.span)
            return
