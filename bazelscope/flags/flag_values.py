"""Flag instances, their origins, and the values that result from them.

A `FlagInstance` is one occurrence of an option, after `--config` and the like are
expanded. A `FlagValue` is what Bazel ends up with for that option: the instances that
count, and those that they beat. Bazel: `OptionInstanceOrigin`, `OptionValueDescription`.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

from bazelscope.base.errors import Diagnostic
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location, Span
from bazelscope.bazel.release import Release
from bazelscope.kept.kept_files import name_of

PROJECT_SECTION = "project "
"""How the section of a project file's flags begins: the name of a buildable unit follows."""


@dataclass(frozen=True, slots=True)
class FromRc:
    """Written in an rc file: `section` is its first word as written (`build:mkl`); or in a file
    that sets options for others, of which the section says what (`project NAME`)."""

    span: Span
    section: str

    @property
    def is_of_project(self) -> bool:
        """Whether it stands in PROJECT.scl."""
        return self.section.startswith(PROJECT_SECTION)

    @property
    def command(self) -> str:
        return self.section.partition(":")[0]

    @property
    def config(self) -> str | None:
        """The named config that the line belongs to, or None for a plain line."""
        _, colon, config = self.section.partition(":")
        return config if colon else None


@dataclass(frozen=True, slots=True)
class FromCommandLine:
    """Written on the command line: `index` counts its words from 0."""

    index: int


@dataclass(frozen=True, slots=True)
class FromDefault:
    """Not written anywhere: the default of this Bazel version."""

    bazel_version: str


Origin = FromRc | FromCommandLine | FromDefault


def span_of(origin: Origin) -> Span | None:
    """The words of an rc file that an origin is."""
    return origin.span if isinstance(origin, FromRc) else None


def location_of(origin: Origin) -> Location | None:
    """Where in an rc file something stands; None for the command line and defaults."""
    return origin.span.start if isinstance(origin, FromRc) else None


def canonical_text(name: str, value: str | None) -> str:
    """An option with its value as one word: `--compilation_mode=opt`."""
    return f"--{name}" if value is None else f"--{name}={value}"


@dataclass(frozen=True, slots=True)
class FlagInstance:
    """One occurrence of a flag, in effect order.

    `name` is canonical: the long name without dashes (`compilation_mode`, not `c`), or
    for a Starlark flag its label (`//pkg:flag`). `value` is the text of the value as
    Bazel's parser sees it (`opt`; `1` and `0` for a boolean given without `=`); None for
    an option that takes none. `text` is what was written (`-c opt`, `--nokeep_going`).
    `expanded_from` is the instance that this one is part of the expansion of
    (`--config=mkl`, an expansion flag); `precedence` orders instances, later ones winning.
    """

    name: str
    value: str | None
    text: str
    origin: Origin
    precedence: tuple[int, ...]
    expanded_from: FlagInstance | None = None

    @property
    def chain(self) -> tuple[FlagInstance, ...]:
        """This instance and everything it was expanded from, outermost first."""
        chain: list[FlagInstance] = []
        instance: FlagInstance | None = self
        while instance is not None:
            chain.append(instance)
            instance = instance.expanded_from
        return tuple(reversed(chain))

    @property
    def location(self) -> Location | None:
        """Where it stands in an rc file; None for the command line and defaults."""
        return location_of(self.origin)

    @property
    def span(self) -> Span | None:
        """The words of an rc file that it is; None for the command line and defaults."""
        return span_of(self.origin)

    @property
    def canonical(self) -> str:
        """The option with its value as one word: `--compilation_mode=opt`."""
        return canonical_text(self.name, self.value)

    @property
    def typed_word(self) -> int | None:
        """The word of the command line that it comes from in the end, counted from 0; None
        for what comes from a line of an rc file or a default."""
        origin = self.chain[0].origin
        return origin.index if isinstance(origin, FromCommandLine) else None


@dataclass(frozen=True, slots=True)
class FlagValue:
    """The final value of one flag.

    For a flag that takes one value, `instances` is the winner alone (empty when the
    default holds) and `overridden` are the losers, lowest precedence first. For a flag
    that accumulates, `instances` are all that count, in order. `values` are their
    values, or the default's (`()` when an accumulating flag has none).
    """

    name: str
    values: tuple[str, ...]
    instances: tuple[FlagInstance, ...]
    overridden: tuple[FlagInstance, ...] = ()

    @property
    def is_default(self) -> bool:
        return not self.instances

    @property
    def value(self) -> str | None:
        """The value of a flag that takes one value; None where it has no default."""
        return self.values[-1] if self.values else None

    @property
    def each(self) -> tuple[tuple[str, FlagInstance | None], ...]:
        """The values, each with the instance that gives it; None for one of Bazel's own."""
        waiting = list(self.instances)
        return tuple(
            (text, waiting.pop(0) if waiting and waiting[0].value == text else None)
            for text in self.values
        )

    @property
    def set_by(self) -> FlagInstance | None:
        """The instance that decides the value; None for a default."""
        return self.instances[-1] if self.instances else None


@dataclass(frozen=True, slots=True)
class Define:
    """One `--define=NAME=VALUE` in force, and the instances of that name it beat."""

    name: str
    value: str
    instance: FlagInstance
    overridden: tuple[FlagInstance, ...] = ()


class RcStatus(enum.Enum):
    READ = "read"
    NOT_FOUND = "not-found"
    """A `try-import` that found nothing, or one of the default places without a file."""
    UNREADABLE = "unreadable"
    SKIPPED = "skipped"
    """Not read because a startup option says so, or because it was read already."""


@dataclass(frozen=True, slots=True)
class RcFile:
    """An rc file that was looked for; `imported_at` is None for the search order's own. `detail`
    says why it was not read; nothing of a file that need not be there."""

    path: str
    status: RcStatus
    imported_at: Span | None = None
    detail: str = ""

    @property
    def why(self) -> str:
        """What `detail` adds to the status."""
        return "" if self.status is RcStatus.NOT_FOUND else self.detail


@dataclass(frozen=True, slots=True)
class ConfigSection:
    """The lines of one `command:config` section of one rc file, in order."""

    command: str
    config: str
    words: tuple[tuple[str, Span], ...]


@dataclass(frozen=True, slots=True)
class ConfigExpansion:
    """One `--config=NAME` where it was expanded.

    `children` holds, in the order in which Bazel applies them, the instances that the
    definition sets and the expansions of the configs that it names. `defined_at` are the
    section lines that took part.
    """

    name: str
    instance: FlagInstance
    defined_at: tuple[Span, ...]
    children: tuple[FlagInstance | ConfigExpansion, ...]


def every_expansion(expansions: Iterable[ConfigExpansion]) -> Iterator[ConfigExpansion]:
    """The expansions and all those in them, the outer ones first."""
    waiting = list(expansions)
    for one in waiting:
        yield one
        waiting += [child for child in one.children if isinstance(child, ConfigExpansion)]


@dataclass(frozen=True, slots=True)
class TargetArgument:
    """A word of the command line (or of an rc line) that is a target pattern."""

    text: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class ResolvedFlags:
    """Everything that rc files and a command line amount to, for one Bazel command.

    `instances` are the effective options in Bazel's order; `values` has an entry for every
    option that was set at least once, keyed by canonical name. `undefined_configs` are
    `--config` instances that no rc file defines for this command; Bazel stops there,
    bazelscope reports and goes on.
    """

    command: str
    bazel_version: str
    host: str
    rc_files: tuple[RcFile, ...]
    instances: tuple[FlagInstance, ...]
    values: Mapping[str, FlagValue]
    defines: Mapping[str, Define]
    configs: tuple[ConfigExpansion, ...]
    undefined_configs: tuple[FlagInstance, ...]
    targets: tuple[TargetArgument, ...]
    startup_options: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    """Errors that Bazel would stop at, and warnings; by place."""
    starlark_flags: Mapping[str, FlagValue] = field(default_factory=dict)
    """Build settings set by label, as written (`//pkg:flag`, `@repo//pkg:flag`)."""
    parsed: tuple[FlagInstance, ...] = ()
    """Every option of the rc lines and the command line, also those that are beaten and those
    that only stand for others, in the order in which they take effect."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """The client's environment, of which Bazel shows some to the rule that finds a compiler."""
    settings: Mapping[Label, FlagValue] | None = None
    """Build settings by label, each once however it is spelt; None before packages are loaded."""

    @property
    def release(self) -> Release:
        return Release.of(self.bazel_version)


def flags_digest(flags: ResolvedFlags) -> str:
    """A short text that differs where options or build settings have other values."""
    values = sorted((name, value.values) for name, value in flags.values.items())
    settings = sorted((name, value.values) for name, value in flags.starlark_flags.items())
    return name_of((flags.bazel_version, flags.host, values, settings))


def origins_digest(flags: ResolvedFlags) -> str:
    """A short text that differs where an option comes from another line or word."""
    return name_of(
        [(one.text, [str(of.origin) for of in one.chain], one.precedence) for one in flags.parsed]
    )
