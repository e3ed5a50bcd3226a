"""The `platform_mappings` file: which flags a platform stands for, and the reverse.

With `--platforms` given, the flags listed for that platform are set. Without it, the
first entry of the `flags:` section whose flags all hold chooses the platform.
Bazel: `PlatformMappingFunction`, `PlatformMappingValue.map`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from bazelscope.analysis.configuration.flag_types import ValueTypeError, parse_value
from bazelscope.base.errors import Diagnostic, LabelError
from bazelscope.base.label import MAIN_ROOT, Label, PackageId, parse_label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import SourceFile, Span
from bazelscope.flags.flag_values import FlagInstance, FlagValue, FromRc

if TYPE_CHECKING:
    from bazelscope.analysis.configuration.configuration import Configuration

DEFAULT_PATH = "platform_mappings"
_SECTIONS = ("platforms:", "flags:")
_AFTER_THE_LINE = (sys.maxsize,)
"""The precedence of what a platform sets: it replaces what the command line says."""


@dataclass(frozen=True, slots=True)
class MappedFlag:
    """One `--name=value` line of the file, or flag of a platform; `label` is that of a build
    setting. `section` is what says it."""

    name: str
    value: str
    span: Span
    label: Label | None = None
    section: str = "platform_mappings"


@dataclass(frozen=True, slots=True)
class FlagMapping:
    """Flags that, when all hold, choose `platform`."""

    flags: tuple[MappedFlag, ...]
    platform: Label
    span: Span


@dataclass(frozen=True, slots=True)
class PlatformMappings:
    """One file: `platforms` to their flags, and `flags` in the order in which they are tried.

    `own_flags` tells which flags a platform sets itself, where this Bazel looks at those.
    """

    platforms: Mapping[Label, tuple[MappedFlag, ...]]
    flags: tuple[FlagMapping, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    own_flags: Callable[[Label], tuple[MappedFlag, ...]] | None = None


NO_MAPPINGS = PlatformMappings({}, ())


def parse(source: SourceFile) -> PlatformMappings:
    """The mappings in a file's text; what Bazel would refuse is in `diagnostics`."""
    platforms: dict[Label, tuple[MappedFlag, ...]] = {}
    mappings: list[FlagMapping] = []
    problems: list[Diagnostic] = []
    section = ""
    flags: list[MappedFlag] = []
    platform: Label | None = None
    for number, line in enumerate(source.text.splitlines(), start=1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        column = len(line) - len(line.lstrip()) + 1
        span = Span(source.path, number, column, number, column + len(text))
        if text in _SECTIONS:
            section, flags, platform = text, [], None
        elif not section:
            problems.append(_problem(f"expected `platforms:` or `flags:`, got `{text}`", span))
        elif text.startswith("--"):
            flag = mapped_flag(text, span)
            if section == "platforms:" and platform is not None:
                platforms[platform] = (*platforms[platform], flag)
            elif section == "flags:":
                flags.append(flag)
            else:
                problems.append(_problem(f"expected a platform's label before `{text}`", span))
        else:
            try:
                platform = parse_label(text, MAIN_ROOT)
            except LabelError as error:
                problems.append(_problem(str(error), span))
                continue
            if section == "platforms:":
                platforms[platform] = ()
            elif flags:
                mappings.append(FlagMapping(tuple(flags), platform, span))
                flags = []
            else:
                problems.append(_problem(f"expected flags before `{text}`", span))
    return PlatformMappings(platforms, tuple(mappings), tuple(problems))


def mapped_flag(
    text: str,
    span: Span,
    names: Mapping[str, str] = MappingProxyType({}),
    package: PackageId | None = None,
) -> MappedFlag:
    """The flag `--name=value`, `--name` or `--noname`. With a `package` it is a platform's, whose
    labels are as its repository knows them."""
    name, equals, value = text[2:].partition("=")
    if not equals and name.startswith("no"):
        name, value = name[2:], "0"
    value = value if equals or value else "1"
    label: Label | None = None
    if name.startswith(("/", "@")):
        try:
            label = parse_label(name, package or MAIN_ROOT, names)
        except LabelError:
            label = None
    section = "platform_mappings" if package is None else "platform"
    return MappedFlag(name, value, span, label, section)


def apply(configuration: Configuration, mappings: PlatformMappings) -> Configuration:
    """The configuration after the mappings; itself where none applies.

    Without `--platforms`, flags choose a platform, or else it is the host's; then the flags
    of that platform are set, too: 4.2.3 maps what it has mapped once more.
    """
    own_flags = mappings.own_flags
    if not mappings.platforms and not mappings.flags and own_flags is None:
        return configuration
    changes: dict[str, FlagValue] = {}
    chosen = configuration.value("platforms").value
    if not chosen:
        for mapping in mappings.flags:
            if all(_holds(configuration, flag) for flag in mapping.flags):
                platform = MappedFlag("platforms", str(mapping.platform), mapping.span)
                cause = _cause(configuration.value(flag.name) for flag in mapping.flags)
                changes["platforms"] = _value(configuration, platform, cause)
                chosen = platform.value
                break
        else:
            chosen = configuration.value("host_platform").value
    try:
        label = configuration.label((chosen or "").split(",")[0])
    except LabelError:
        return configuration  # Matching reports it.
    cause = _cause([changes.get("platforms") or configuration.value("platforms")])
    flags = own_flags(label) if own_flags is not None else ()
    settings: dict[Label, FlagValue] = {}
    for flag in flags or mappings.platforms.get(label, ()):
        if flag.label is not None:
            settings[flag.label] = _value(configuration, flag, cause, settings.get(flag.label))
        else:
            changes[flag.name] = _value(configuration, flag, cause, changes.get(flag.name))
    if not changes and not settings:
        return configuration
    return configuration.with_changes(changes, settings)


def _cause(values: Iterable[FlagValue]) -> FlagInstance | None:
    """Who is to blame for a mapping that all these flags choose: who set the last of them."""
    instances = [instance for value in values for instance in value.instances]
    return max(instances, key=lambda instance: instance.precedence, default=None)


def _value(
    configuration: Configuration,
    flag: MappedFlag,
    cause: FlagInstance | None,
    mapped: FlagValue | None = None,
) -> FlagValue:
    """The value of a flag or build setting after one line; `mapped` is what the lines before made
    of it.

    Even of a flag that accumulates nothing else is left. Bazel: `BuildOptions.applyParsingResult`.
    """
    if flag.label is not None:
        before = configuration.starlark_value(flag.label)
    else:
        before = configuration.value(flag.name)
        definition = configuration.definition(flag.name)
        if definition is None or not definition.repeats:
            mapped = None
    text = f"--{flag.name}={flag.value}"
    origin = FromRc(flag.span, flag.section)
    instance = FlagInstance(flag.name, flag.value, text, origin, _AFTER_THE_LINE, cause)
    return FlagValue(
        flag.name,
        (*(mapped.values if mapped else ()), flag.value),
        (*(mapped.instances if mapped else ()), instance),
        before.instances if before else (),
    )


def _holds(configuration: Configuration, flag: MappedFlag) -> bool:
    value = configuration.value(flag.name)
    definition = configuration.definition(flag.name)
    if definition is None or not value.values:
        return False
    if definition.repeats:
        # Up to 4.2.3 a list is compared with one of its elements. Bazel: `BuildOptions.matches`.
        return configuration.release.mappings_look_into_lists and flag.value in value.values
    try:
        wanted = parse_value(definition, flag.value)
        return parse_value(definition, value.values[-1]).key == wanted.key
    except ValueTypeError:
        return False


def _problem(message: str, span: Span) -> Diagnostic:
    return Diagnostic("invalid-platform-mappings", message, span)
