"""Options as an answer shows them: what was written, where, because of what, and what it beat."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from bazelscope.base.source import Location
from bazelscope.flags.flag_values import (
    Define,
    FlagInstance,
    FlagValue,
    FromCommandLine,
    FromDefault,
    FromRc,
    Origin,
    ResolvedFlags,
)


class PlaceKind(enum.Enum):
    COMMAND_LINE = "command-line"
    RC_FILE = "rc-file"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Place:
    """Where something was written. `section` is the rc line's first word (`build:mkl`),
    `word` the position on the command line, counted from 1."""

    kind: PlaceKind
    location: Location | None = None
    section: str | None = None
    word: int | None = None


@dataclass(frozen=True, slots=True)
class Cause:
    """What an option was expanded from: `--config=mkl`, and where that stands."""

    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class OptionSetting:
    """One occurrence of an option. `text` is canonical (`--compilation_mode=opt`),
    `written` what stands in the file (`-c opt`); `because_of` leads from the outermost
    cause to the innermost."""

    name: str
    value: str | None
    text: str
    written: str
    place: Place
    because_of: tuple[Cause, ...] = ()


@dataclass(frozen=True, slots=True)
class OptionAnswer:
    """The final value of one option: the settings that count, and those that they beat."""

    name: str
    values: tuple[str, ...]
    set_by: tuple[OptionSetting, ...]
    overridden: tuple[OptionSetting, ...] = ()


@dataclass(frozen=True, slots=True)
class DefineAnswer:
    """One `--define` in force, and the settings of the same name that it beat."""

    name: str
    value: str
    set_by: OptionSetting
    overridden: tuple[OptionSetting, ...] = ()


def place_of(origin: Origin) -> Place:
    """Where an instance with this origin stands."""
    if isinstance(origin, FromRc):
        return Place(PlaceKind.RC_FILE, origin.span.start, section=origin.section)
    if isinstance(origin, FromCommandLine):
        return Place(PlaceKind.COMMAND_LINE, word=origin.index + 1)
    assert isinstance(origin, FromDefault)
    return Place(PlaceKind.DEFAULT)


def setting_of(instance: FlagInstance) -> OptionSetting:
    """The instance as an answer shows it."""
    return OptionSetting(
        name=instance.name,
        value=instance.value,
        text=canonical_text(instance.name, instance.value),
        written=instance.text,
        place=place_of(instance.origin),
        because_of=tuple(
            Cause(cause.text, place_of(cause.origin)) for cause in instance.chain[:-1]
        ),
    )


def canonical_text(name: str, value: str | None) -> str:
    """An option with its value as one word: `--compilation_mode=opt`."""
    return f"--{name}" if value is None else f"--{name}={value}"


def option_of(value: FlagValue) -> OptionAnswer:
    """The final value of a flag as an answer shows it."""
    return OptionAnswer(
        name=value.name,
        values=value.values,
        set_by=tuple(setting_of(instance) for instance in value.instances),
        overridden=tuple(setting_of(instance) for instance in value.overridden),
    )


def define_of(define: Define) -> DefineAnswer:
    """A define in force as an answer shows it."""
    return DefineAnswer(
        name=define.name,
        value=define.value,
        set_by=setting_of(define.instance),
        overridden=tuple(setting_of(instance) for instance in define.overridden),
    )


def which_options(flags: ResolvedFlags) -> tuple[OptionAnswer, ...]:
    """Every option that was set, by name; `--config` and `--define` have answers of their own."""
    ordinary = (value for name, value in flags.values.items() if name not in ("config", "define"))
    return tuple(option_of(value) for value in sorted(ordinary, key=lambda value: value.name))


def which_starlark_flags(flags: ResolvedFlags) -> tuple[OptionAnswer, ...]:
    """Every build setting that was set by label, by label."""
    return tuple(option_of(value) for _, value in sorted(flags.starlark_flags.items()))


def which_defines(flags: ResolvedFlags) -> tuple[DefineAnswer, ...]:
    """Every define in force, by name."""
    return tuple(define_of(define) for _, define in sorted(flags.defines.items()))
