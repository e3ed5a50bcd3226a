"""Named configs: what each `--config` expanded to, and who would define one that is missing."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable
from dataclasses import replace

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.nearest import nearest
from bazelscope.base.source import Location, SourceFile
from bazelscope.flags.flag_values import (
    ConfigExpansion,
    FlagInstance,
    Origin,
    RcStatus,
    ResolvedFlags,
)
from bazelscope.flags.rc_search import RcFiles


class DefinerKind(enum.Enum):
    MISSING_RC_FILE = "missing-rc-file"
    """An rc file that is imported where it may be missing, and is."""
    SCRIPT = "script"
    """A file of the workspace's root that writes such a section."""
    OTHER_COMMAND = "other-command"
    """A section of that name, for a command that this one does not read."""


@dataclass(frozen=True, slots=True)
class PossibleDefiner:
    """Something that would define a config if it were there, or were run.

    `text` is the missing file's path, or the section (`build:opt`) that stands at
    `location`; `writes` is the missing rc file that a script names.
    """

    kind: DefinerKind
    text: str
    location: Location | None
    writes: str | None = None


@dataclass(frozen=True, slots=True)
class UndefinedConfig:
    """A `--config` that no rc file defines for this command; Bazel stops there. `origin` is
    None for a name that was asked about and stands nowhere."""

    name: str
    written: str
    origin: Origin | None
    definers: tuple[PossibleDefiner, ...] = ()
    similar: tuple[str, ...] = ()


RootFiles = Callable[[], tuple[SourceFile, ...]]
"""Reads the small text files of the workspace's root that may write rc files."""


def which_configs(flags: ResolvedFlags) -> tuple[ConfigExpansion, ...]:
    """Returns every `--config` that was expanded, in the order of expansion. Build settings have
    values of their own; what sets them stands behind the other children of its config."""
    by_label = [
        instance
        for value in flags.starlark_flags.values()
        for instance in (*value.overridden, *value.instances)
        if instance.expanded_from is not None
    ]
    return tuple(_with_settings(expansion, by_label) for expansion in flags.configs)


def _with_settings(expansion: ConfigExpansion, by_label: list[FlagInstance]) -> ConfigExpansion:
    own = [i for i in by_label if i.expanded_from == expansion.instance]
    children = tuple(
        child if isinstance(child, FlagInstance) else _with_settings(child, by_label)
        for child in expansion.children
    )
    missing = (instance for instance in own if instance not in expansion.children)
    return replace(expansion, children=(*children, *missing))


def undefined_configs(
    flags: ResolvedFlags, rc_files: RcFiles, root_files: RootFiles
) -> tuple[UndefinedConfig, ...]:
    """Returns every `--config` that is not defined, each once, with who would define it."""
    undefined: dict[str, UndefinedConfig] = {}
    for instance in flags.undefined_configs:
        name = instance.value or ""
        if name not in undefined:
            undefined[name] = UndefinedConfig(
                name,
                instance.text,
                instance.origin,
                who_defines(name, flags, root_files, sections_of(name, rc_files)),
                nearest(name, [one for one in defined_configs(rc_files) if one != name]),
            )
    return tuple(undefined.values())


def sections_of(config: str, rc_files: RcFiles) -> tuple[tuple[str, Location], ...]:
    """Returns the sections of that config, for whichever command, and where each begins."""
    return tuple(
        (section, chunks[0].words[0].origin.span.start)
        for section, chunks in rc_files.sections.items()
        if section.partition(":")[2] == config
    )


def defined_configs(rc_files: RcFiles) -> list[str]:
    """Returns the configs that rc files have a section of, for whichever command, sorted."""
    return sorted({name for name in (s.partition(":")[2] for s in rc_files.sections) if name})


_MOST_DEFINERS_OF_A_KIND = 3


def who_defines(
    config: str,
    flags: ResolvedFlags,
    root_files: RootFiles,
    other_sections: tuple[tuple[str, Location], ...] = (),
) -> tuple[PossibleDefiner, ...]:
    """Finds who would define `config`: rc files that are imported but do not exist, files of the
    workspace's root that write such a section, and sections of that name for other
    commands (`other_sections`: the section as written, and where)."""
    missing = [
        (rc_file.path, rc_file.imported_at.start)
        for rc_file in flags.rc_files
        if rc_file.status is RcStatus.NOT_FOUND and rc_file.imported_at is not None
    ]
    read = {rc_file.path for rc_file in flags.rc_files if rc_file.status is RcStatus.READ}
    sources = tuple(source for source in root_files() if source.path not in read)
    section = re.compile(rf"\b(?:always|common|build|test|run):{re.escape(config)}(?![\w.-])")

    scripts = []
    for source in sources:
        match = section.search(source.text)
        if match:
            writes = next((path for path, _ in missing if _base_name(path) in source.text), None)
            place = source.location(match.start())
            scripts.append(PossibleDefiner(DefinerKind.SCRIPT, match.group(), place, writes))
    files = [PossibleDefiner(DefinerKind.MISSING_RC_FILE, path, place) for path, place in missing]
    others = [
        PossibleDefiner(DefinerKind.OTHER_COMMAND, text, place) for text, place in other_sections
    ]
    return tuple(
        definer for kind in (others, scripts, files) for definer in kind[:_MOST_DEFINERS_OF_A_KIND]
    )


def _base_name(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]
