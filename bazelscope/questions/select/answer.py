"""The answers to `select` and `settings` as values."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from bazelscope.base.errors import Diagnostic
from bazelscope.base.label import Label
from bazelscope.base.source import Location
from bazelscope.questions.path.answer import NameAnswer
from bazelscope.questions.shared.completeness import COMPLETE, Completeness
from bazelscope.questions.shared.condition_answers import (
    ConditionAnswer,
    IncompatibleAnswer,
    SelectAnswer,
)
from bazelscope.questions.shared.config_trees import UndefinedConfig
from bazelscope.questions.shared.nodes import NodeAnswer, OptionNeed
from bazelscope.questions.shared.setup import Setup


class WayKind(enum.Enum):
    CONFIG = "named-config"
    FLAGS = "flags"
    LESS = "less"


@dataclass(frozen=True, slots=True)
class Way:
    """A change of the command line under which the branch is taken: it was tried.

    `words` are to be added, `without` to be left out. `location` is the line that a named
    config sets the deciding flag in, `through` the configs between.
    """

    kind: WayKind
    words: tuple[str, ...]
    without: tuple[str, ...] = ()
    location: Location | None = None
    through: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BranchWays:
    """How a branch that is not taken would be.

    `ways` are changes that were tried and do it; where there are none, `needs` are what its
    condition asks for and is not in force, and `obstacles` the conditions whose branches
    win instead of it, or that may not hold beside it.
    """

    condition: Label
    ways: tuple[Way, ...]
    needs: tuple[OptionNeed, ...] = ()
    obstacles: tuple[Label, ...] = ()
    is_contradictory: bool = False
    """Whether no flags at all can have it taken, as far as can be told."""
    is_tried: bool = True
    """Changes are tried for the first branches of a select(), however many it has."""


@dataclass(frozen=True, slots=True)
class Separation:
    """For an ambiguous select(): what `condition` would have to ask for besides, to be more
    specific than every other one that holds."""

    condition: Label
    entries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SelectWays:
    """One select() and, for each branch that is not taken, what would take it."""

    select: SelectAnswer
    others: tuple[BranchWays, ...]
    separations: tuple[Separation, ...] = ()


@dataclass(frozen=True, slots=True)
class SelectsAnswer:
    """Every select() of one target, or of its attribute `attribute`.

    `problem` says why there is none to show, although the target is known.
    """

    setup: Setup
    target: NameAnswer
    attribute: str | None
    node: NodeAnswer | None = None
    selects: tuple[SelectWays, ...] = ()
    incompatible: IncompatibleAnswer | None = None
    problem: str = ""
    undefined_configs: tuple[UndefinedConfig, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    completeness: Completeness = COMPLETE


@dataclass(frozen=True, slots=True)
class SettingAnswer:
    """A condition of the workspace: whether it holds, and what turns on it.

    `kind` is `config_setting`, or `group` for an alias whose target is a select().
    `selects` counts the select()s that have it as a key, under its own name or an
    alias's, in `targets` many targets of the workspace.
    """

    kind: str
    condition: ConditionAnswer
    location: Location | None
    selects: int
    targets: int


@dataclass(frozen=True, slots=True)
class SettingsAnswer:
    """Every config_setting of the workspace, or those that `pattern` is about.

    `elsewhere` counts the select() keys that are no condition of the workspace's own
    packages, where no pattern was given.
    """

    setup: Setup
    pattern: str | None
    settings: tuple[SettingAnswer, ...]
    elsewhere: int = 0
    problem: str = ""
    suggestions: tuple[str, ...] = ()
    undefined_configs: tuple[UndefinedConfig, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    completeness: Completeness = COMPLETE
