"""What there is to tell of a place: frozen types, for `find` modules to make and `wording` to put
into words."""

from __future__ import annotations

import enum

from bazelscope.analysis.conditions.match_result import MatchResult
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.flags.flag_values import FlagInstance
from bazelscope.loading.modules.module_graph import ModuleKey
from bazelscope.questions.configs.answer import NamedConfig
from bazelscope.questions.flag.answer import FlagFacts
from bazelscope.questions.shared.conditions.holding import WordsThatDo


class Standing(enum.Enum):
    """What became of an option where it is written."""

    COUNTS = "counts"
    ADDS = "adds"
    """It is one of several values that all count."""
    BEATEN = "beaten"
    NOT_ASKED_FOR = "not-asked-for"
    """Its config is not on the command line, or its section is of another command."""
    UNKNOWN_OPTION = "unknown-option"


@dataclass(frozen=True, slots=True)
class OptionFacts:
    """An option in an rc file or on the line of a script.

    `written` is the word; `option` is None where this Bazel has no such option, with the
    `nearest` names that it has and the releases that have it. `instance` is what was made of
    the word under the command line; `beaten_by` what beat it, `beats` what it beats.
    `configs` are the words any of which brings the line, of `command`.
    """

    written: str
    option: FlagFacts | None
    standing: Standing
    command: str
    instance: FlagInstance | None = None
    beaten_by: FlagInstance | None = None
    beats: tuple[FlagInstance, ...] = ()
    configs: tuple[str, ...] = ()
    nearest: tuple[str, ...] = ()
    known_in: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    """What is in force."""


@dataclass(frozen=True, slots=True)
class ConfigFacts:
    """A named config, None with the `nearest` names where nothing defines it, and whether the
    command line has it."""

    name: str
    config: NamedConfig | None
    is_in_force: bool
    nearest: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ConditionFacts:
    """A condition: whether it holds under the command line and why, what would have it hold, and
    how many select()s turn on it (None: not counted yet). `chosen` says, of a key of one
    select(), in which targets its branch is taken and in which not."""

    match: MatchResult
    ways: tuple[WordsThatDo, ...] = ()
    selects: int | None = None
    chosen: tuple[BranchFacts, ...] = ()
    can_hold: bool = True


@dataclass(frozen=True, slots=True)
class BranchFacts:
    """What a target makes of a key of one of its select()s."""

    target: Label
    attribute: str
    is_taken: bool
    taken_instead: Label | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class TargetFacts:
    """A target: what it is, where and by which calls it was made. `problem` is why there is none,
    in Bazel's words, or why that cannot be told."""

    label: Label
    kind: str = ""
    made_by: str = ""
    location: Location | None = None
    dependencies: int | None = None
    """How many targets it depends on directly under the flags."""
    condition: ConditionFacts | None = None
    problem: str = ""
    nearest: tuple[str, ...] = ()
    is_unknown: bool = False


@dataclass(frozen=True, slots=True)
class ModuleFacts:
    """A `.bzl` file, and the names that it defines for others."""

    label: Label
    path: str | None
    names: tuple[str, ...]
    says: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class SymbolFacts:
    """A function, a rule or a value of a `.bzl` file, or one that Bazel brings."""

    name: str
    signature: str
    location: Location | None
    says: str = ""
    """The first paragraph of its docstring."""


@dataclass(frozen=True, slots=True)
class MadeTarget:
    """A target that a call makes."""

    label: Label
    kind: str


@dataclass(frozen=True, slots=True)
class CallFacts:
    """A call in a BUILD file: what is called, and which targets it makes."""

    symbol: SymbolFacts | None
    name: str
    makes: tuple[MadeTarget, ...]
    is_native: bool = False


@dataclass(frozen=True, slots=True)
class AttributeFacts:
    """An attribute of a rule class: what it takes and what it is by default."""

    name: str
    rule: str
    type: str
    is_mandatory: bool
    default: str = ""


@dataclass(frozen=True, slots=True)
class DependencyFacts:
    """A `bazel_dep`: the version that is built in place of what is `written`, None where it only
    takes part in the choice or cannot be had, and who asks for that."""

    name: str
    written: str
    chosen: ModuleKey | None
    is_certain: bool
    override: str
    """The call that says where the module comes from, or which version it is."""
    askers: tuple[str, ...]
    repository: str
    """By what name its files are called; empty if by none."""
    canonical: str
    newest: str
    """The highest version of the central registry at a `date` that was not taken back."""
    date: str
    yanked: str


@dataclass(frozen=True, slots=True)
class ImportFacts:
    """A file that an rc line imports: where, and what became of it."""

    path: str
    status: str


Facts = (
    OptionFacts
    | ConfigFacts
    | ConditionFacts
    | TargetFacts
    | ModuleFacts
    | SymbolFacts
    | CallFacts
    | AttributeFacts
    | DependencyFacts
    | ImportFacts
)
