"""The answers to `flag NAME` and `configs [NAME]` as values."""

from __future__ import annotations

from dataclasses import dataclass

from bazelscope.base.errors import Diagnostic
from bazelscope.base.source import Location
from bazelscope.questions.shared.config_trees import UndefinedConfig
from bazelscope.questions.shared.option_answers import OptionSetting
from bazelscope.questions.shared.setup import Setup


@dataclass(frozen=True, slots=True)
class FlagFacts:
    """What the flag table of this Bazel version says about one flag."""

    name: str
    abbreviation: str | None
    type: str
    default: str | None
    accumulates: bool
    last_of_a_name: bool
    """Whether of two instances with the same name (`NAME=VALUE`) only the later one counts."""
    commands: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RankedSetting:
    """One occurrence of a flag; `counts` says whether it is part of the final value."""

    setting: OptionSetting
    counts: bool


@dataclass(frozen=True, slots=True)
class FlagAnswer:
    """Who set a flag, in precedence order (the first was applied first), and the result.

    `define` is the name within `--define` (or `--repo_env`, `--action_env`) that was asked
    for, if any. `facts` is None for
    a flag that this Bazel does not have; then `suggestions` are the nearest names and
    `known_in` the versions that have it. `values` is empty where nothing is set and the
    table gives no default.
    """

    setup: Setup
    asked: str
    facts: FlagFacts | None
    values: tuple[str, ...]
    settings: tuple[RankedSetting, ...]
    is_default: bool
    define: str | None = None
    suggestions: tuple[str, ...] = ()
    known_in: tuple[str, ...] = ()
    undefined_configs: tuple[UndefinedConfig, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def is_set(self) -> bool:
        return any(ranked.counts for ranked in self.settings)


@dataclass(frozen=True, slots=True)
class ConfigLine:
    """One option in the definition of a config, and its place."""

    text: str
    location: Location


@dataclass(frozen=True, slots=True)
class ConfigSectionAnswer:
    """What one command reads for a config: `build:mkl`."""

    command: str
    lines: tuple[ConfigLine, ...]


@dataclass(frozen=True, slots=True)
class NamedConfig:
    """One named config: what it sets for which command, which configs it pulls in, and
    which name it. `missing` are configs that it names and nothing defines."""

    name: str
    sections: tuple[ConfigSectionAnswer, ...]
    pulls_in: tuple[str, ...]
    pulled_in_by: tuple[str, ...]
    missing: tuple[str, ...] = ()

    @property
    def commands(self) -> tuple[str, ...]:
        return tuple(section.command for section in self.sections)


@dataclass(frozen=True, slots=True)
class ConfigsAnswer:
    """The named configs of a workspace, or the one that was asked for and all it leads to."""

    setup: Setup
    asked: str | None
    configs: tuple[NamedConfig, ...]
    suggestions: tuple[str, ...] = ()
    undefined: UndefinedConfig | None = None
    diagnostics: tuple[Diagnostic, ...] = ()

    def named(self, name: str) -> NamedConfig | None:
        return next((config for config in self.configs if config.name == name), None)
