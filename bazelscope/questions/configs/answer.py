"""The answer to `configs [NAME]` as a value."""

from __future__ import annotations

from bazelscope.base.errors import Diagnostic
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.questions.shared.envelope import Answer
from bazelscope.questions.shared.named_configs import UndefinedConfig
from bazelscope.questions.shared.relevance import concerning


@dataclass(frozen=True, slots=True)
class ConfigLine:
    """One option in the definition of a config, and its place. `summary` is a sentence on what
    the option does; empty where there is none."""

    text: str
    location: Location
    summary: str = ""


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
class ConfigsAnswer(Answer):
    """The named configs of a workspace, or the one that was asked for and all it leads to."""

    asked: str | None
    configs: tuple[NamedConfig, ...]
    suggestions: tuple[str, ...] = ()
    undefined: UndefinedConfig | None = None

    def named(self, name: str) -> NamedConfig | None:
        return next((config for config in self.configs if config.name == name), None)

    @property
    def is_negative(self) -> bool:
        return self.undefined is not None

    @property
    def concerning(self) -> tuple[Diagnostic, ...]:
        if self.asked is None:
            return self.envelope.line_diagnostics
        sections = (section for config in self.configs for section in config.sections)
        shown = (line.location for section in sections for line in section.lines)
        return concerning(self.envelope.line_diagnostics, shown, f"`{self.asked}`")
