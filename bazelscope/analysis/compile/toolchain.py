"""A C++ toolchain as Bazel sees it: features with sets of flags. Bazel: `CcToolchainFeatures`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Literal

from bazelscope.analysis.compile.words import FromBazel, Word, WordOrigin
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.base.unknown import Reason, Unknown

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
COMPILE_ACTIONS = frozenset(
    {
        *(C_COMPILE, CPP_COMPILE, ASSEMBLE, PREPROCESS_ASSEMBLE, LINKSTAMP_COMPILE, "lto-backend"),
        *("c++-header-parsing", "c++-module-compile", "c++-module-codegen"),
    }
)
"""Actions that every target asks for, whether it has any of them."""
ALL_COMPILE = frozenset({C_COMPILE, CPP_COMPILE, ASSEMBLE, PREPROCESS_ASSEMBLE, LINKSTAMP_COMPILE})
PREPROCESSING = ALL_COMPILE - {ASSEMBLE}
ALL_LINK = frozenset({LINK_EXECUTABLE, LINK_DYNAMIC, LINK_NODEPS_DYNAMIC})
ALL_ACTIONS = ALL_COMPILE | ALL_LINK | {LINK_STATIC}

LINKING_MODES = {"MOSTLY_STATIC": "static_linking_mode", "DYNAMIC": "dynamic_linking_mode"}
"""How a program is linked: what a CROSSTOOL file calls it, and the feature for it."""

NEEDS_PIC = "needsPic"
"""What a CROSSTOOL file has for `supports_pic`; no `--features` switches it off."""

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


def hole(unknown: Unknown, origin: WordOrigin | None = None) -> FlagGroup:
    """The group in the place of flags that cannot be told."""
    return FlagGroup(("...",), origin=origin, unknown=unknown)


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
    variables: tuple[VariableSet, ...] = ()
    is_own: bool = False
    """Whether a toolchain of the workspace's own has it; else Bazel has added it."""


@dataclass(frozen=True, slots=True)
class VariableSet:
    """Variables of the environment of some actions, values with `%{variables}` in them. Bazel:
    `env_set`."""

    actions: frozenset[Action]
    entries: tuple[tuple[str, str], ...]
    with_features: tuple[WithFeatures, ...] = ()


@dataclass(frozen=True, slots=True)
class Tool:
    """A program for an action, where one of `with_features` holds."""

    path: str
    with_features: tuple[WithFeatures, ...] = ()
    unknown: Unknown | None = None
    """Why its path cannot be told."""


@dataclass(frozen=True, slots=True)
class ActionConfig:
    """What a toolchain says of one action: `feature` has the action's name, the flags that come
    before those of all features, and what it implies; `tools` are tried in order."""

    feature: Feature
    tools: tuple[Tool, ...]


@dataclass(frozen=True, slots=True)
class FileNames:
    """How a toolchain names what it makes. Bazel: `artifact_name_pattern`."""

    object: str = ".o"
    archive_prefix: str = "lib"
    archive: str = ".a"
    archive_always: str = ".lo"
    program: str = ""
    library_prefix: str = "lib"
    library: str = ".so"

    @classmethod
    def of(cls, given: Mapping[str, tuple[str, str]]) -> FileNames:
        """Bazel's own names, but for the prefixes and extensions that a toolchain gives."""
        usual = cls()
        archive = given.get("static_library", (usual.archive_prefix, usual.archive))
        always = given.get("alwayslink_static_library", ("", usual.archive_always))
        library = given.get("dynamic_library", (usual.library_prefix, usual.library))
        return cls(
            given.get("object_file", ("", usual.object))[1],
            archive[0],
            archive[1],
            always[1],
            given.get("executable", ("", usual.program))[1],
            library[0],
            library[1],
        )


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
    actions: tuple[ActionConfig, ...] = ()
    """What it says of actions; empty for one whose tools are the three above."""
    location: Location | None = None
    """Where its flags are written, for one of a workspace's own."""
    sysroot: str = ""
    names: FileNames = FileNames()
    make_variables: Mapping[str, str] = field(default_factory=dict)
    identifier: str = "local"
    """What linkstamps call it; empty where that cannot be told."""

    def tool(self, action: Action, enabled: frozenset[str]) -> Word:
        """The program of an action. Bazel: `ActionConfig.getTool`."""
        kind = _PROGRAMS.get(action, "linker")
        origin = FromBazel(kind)
        if self.actions and action not in enabled:
            detail = f"Expected action_config for '{action}' to be configured"
            return Word("...", origin, Unknown(Reason.FAILED, self.name, detail, self.location))
        config = next((one for one in self.actions if one.feature.name == action), None)
        if config is None:
            path = {"compiler": self.compile_tool, "archiver": self.archive_tool}
            return Word(path.get(kind, self.link_tool), origin)
        for tool in config.tools:
            if counts(tool.with_features, enabled):
                return Word(tool.path, origin, tool.unknown)
        detail = f"{self.name} has none for these features"
        return Word("...", origin, Unknown(Reason.FAILED, f"the tool for {action}", detail))


_PROGRAMS = {**dict.fromkeys(COMPILE_ACTIONS, "compiler"), LINK_STATIC: "archiver"}


def counts(wanted: tuple[WithFeatures, ...], enabled: frozenset[str]) -> bool:
    """Whether one of the sets of features holds, or there are none."""
    return not wanted or any(
        one.features <= enabled and not one.not_features & enabled for one in wanted
    )


def when_of(wanted: Iterable[WithFeatures]) -> str:
    """How an answer says under what a set of flags counts: `opt`, `opt without lto`."""
    texts = []
    for one in wanted:
        parts = [" and ".join(sorted(one.features))] if one.features else []
        parts += [f"without {' and '.join(sorted(one.not_features))}"] if one.not_features else []
        texts.append(" ".join(parts))
    return " or ".join(text for text in texts if text)


def group(*flags: str, origin: WordOrigin | None = None) -> FlagGroup:
    """Plain flags."""
    return FlagGroup(flags, origin=origin)


def if_available(variable: str, *flags: str) -> FlagGroup:
    """Flags for a variable that may not be there."""
    return FlagGroup(flags, guards=(Guard("available", variable),))


def for_each(variable: str, *flags: str) -> FlagGroup:
    """Flags for each element of a list that may not be there."""
    return FlagGroup(flags, iterate_over=variable, guards=(Guard("available", variable),))
