"""The answer to `settings` as a value."""

from __future__ import annotations

from bazelscope.analysis.conditions.match_result import MatchResult
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.questions.shared.envelope import Answer


@dataclass(frozen=True, slots=True)
class SettingAnswer:
    """A condition of the workspace: whether it holds, and what turns on it.

    `kind` is `config_setting`, or `group` for an alias whose target is a select().
    `selects` counts the select()s that have it as a key, under its own name or an
    alias's, in `targets` many targets of the workspace.
    """

    kind: str
    condition: MatchResult
    location: Location | None
    selects: int
    targets: int


@dataclass(frozen=True, slots=True)
class SettingsAnswer(Answer):
    """Every config_setting of the workspace, or those that `pattern` is about.

    `elsewhere` counts the select() keys that are no condition of the workspace's own
    packages, where no pattern was given.
    """

    pattern: str | None
    settings: tuple[SettingAnswer, ...]
    elsewhere: int = 0
    problem: str = ""
    suggestions: tuple[str, ...] = ()

    @property
    def tells_refusals(self) -> bool:
        return len(self.settings) > 1

    @property
    def is_negative(self) -> bool:
        return bool(self.problem)
