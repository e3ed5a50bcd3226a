"""A C++ toolchain as Bazel sees it: features with sets of flags. Bazel: `CcToolchainFeatures`."""

from __future__ import annotations

from typing import Literal

from bazelscope.analysis.compile.words import WordOrigin
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Unknown

C_COMPILE = "c-compile"
CPP_COMPILE = "c++-compile"
ASSEMBLE = "assemble"
PREPROCESS_ASSEMBLE = "preprocess-assemble"
LINKSTAMP_COMPILE = "linkstamp-compile"
LINK_EXECUTABLE = "c++-link-executable"
LINK_DYNAMIC = "c++-link-dynamic-library"
LINK_NODEPS_DYNAMIC = "c++-link-nodeps-dynamic-library"
LINK_STATIC = "c++-link-static-library"

Action = str
ALL_COMPILE = frozenset({C_COMPILE, CPP_COMPILE, ASSEMBLE, PREPROCESS_ASSEMBLE, LINKSTAMP_COMPILE})
PREPROCESSING = ALL_COMPILE - {ASSEMBLE}
ALL_LINK = frozenset({LINK_EXECUTABLE, LINK_DYNAMIC, LINK_NODEPS_DYNAMIC})

Test = Literal["available", "not available", "true", "false", "equal"]


@dataclass(frozen=True, slots=True)
class Guard:
    """What a group of flags asks of a variable. Bazel: `expand_if_available` and its like."""

    test: Test
    variable: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class FlagGroup:
    """Flags that come together, with `%{variables}` in them, or further groups."""

    flags: tuple[str, ...] = ()
    groups: tuple[FlagGroup, ...] = ()
    iterate_over: str = ""
    guards: tuple[Guard, ...] = ()
    origin: WordOrigin | None = None
    """Who has given the flags, if not the toolchain itself."""
    unknown: Unknown | None = None
    """Why the flags of the group cannot be told."""


@dataclass(frozen=True, slots=True)
class WithFeatures:
    """A set of flags counts where all of `features` and none of `not_features` are enabled."""

    features: frozenset[str] = frozenset()
    not_features: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class FlagSet:
    """Groups of flags for some actions; with `with_features` only under one of these."""

    actions: frozenset[Action]
    groups: tuple[FlagGroup, ...]
    with_features: tuple[WithFeatures, ...] = ()
    when: str = ""


@dataclass(frozen=True, slots=True)
class Feature:
    """A named set of flags that can be asked for, and what it hangs together with."""

    name: str
    flag_sets: tuple[FlagSet, ...] = ()
    enabled: bool = False
    implies: tuple[str, ...] = ()
    requires: tuple[frozenset[str], ...] = ()
    provides: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Toolchain:
    """The features in the order in which they give their flags, and the tools by action.

    `name` says which toolchain it is; `assumed` what of it the machine would tell.
    """

    name: str
    compiler: str
    features: tuple[Feature, ...]
    compile_tool: str
    link_tool: str
    archive_tool: str
    assumed: str = ""
    unknown: Unknown | None = None
    """Why its own flags cannot be told."""


def group(*flags: str, origin: WordOrigin | None = None) -> FlagGroup:
    """Plain flags."""
    return FlagGroup(flags, origin=origin)


def if_available(variable: str, *flags: str) -> FlagGroup:
    """Flags for a variable that may not be there."""
    return FlagGroup(flags, guards=(Guard("available", variable),))


def for_each(variable: str, *flags: str) -> FlagGroup:
    """Flags for each element of a list that may not be there."""
    return FlagGroup(flags, iterate_over=variable, guards=(Guard("available", variable),))
