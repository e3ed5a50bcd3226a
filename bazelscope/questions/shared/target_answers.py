"""A target as `explain` shows it: what made it, what its attributes hold, what it joins."""

from __future__ import annotations

from collections.abc import Iterable

from bazelscope.analysis.conditions.edges import UnknownEdges
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.base.unknown import Unknown
from bazelscope.flags.flag_values import FlagInstance
from bazelscope.loading.origins.term import Term
from bazelscope.questions.shared.endpoint_answers import NameAnswer
from bazelscope.questions.shared.nodes import NodeAnswer
from bazelscope.questions.shared.select_answers import IncompatibleAnswer, SelectAnswer


@dataclass(frozen=True, slots=True)
class ArgumentAnswer:
    """One argument of a call as written: `name` is empty for a positional one, `*` or `**`
    for unpacked ones."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class CallAnswer:
    """One call on the way to a target, outermost first: what was called, where, and the
    arguments as the file writes them (`is_readable` is false where its text cannot be had)."""

    function: str
    location: Location
    arguments: tuple[ArgumentAnswer, ...] = ()
    is_readable: bool = True


@dataclass(frozen=True, slots=True)
class AttributeValue:
    """One element of an attribute; `branch` is the condition of the select() branch that
    gives it, if one does."""

    text: str
    branch: Label | None = None


@dataclass(frozen=True, slots=True)
class AttributeAnswer:
    """An attribute that was set, after its select()s. `undecided` counts the select()s that
    take no branch, so that the value may lack something."""

    name: str
    values: tuple[AttributeValue, ...]
    undecided: int = 0


@dataclass(frozen=True, slots=True)
class DirectDependency:
    """A target that another one depends on. `configuration` is `target`, `exec`, `host` or
    `source`; `uncertain` says why it cannot be told whether the flags take it. `is_absent`: it is a
    source file that is not there, so that an action which is to read it fails."""

    label: Label
    kind: str
    configuration: str
    uncertain: Unknown | None = None
    unknown: Unknown | None = None
    is_absent: bool = False


@dataclass(frozen=True, slots=True)
class DependencyGroup:
    """The direct dependencies that one piece of an attribute gives: the `term`
    (`COMMON_PIP_DEPS`, `mkl_deps()`) at `location`, and the branch that these flags take."""

    attribute: str
    dependencies: tuple[DirectDependency, ...]
    term: Term | None = None
    location: Location | None = None
    branch: Label | None = None
    select_at: Location | None = None


@dataclass(frozen=True, slots=True)
class PointedAt:
    """What a `label_flag` or `label_setting` stands for under these flags: `set_by` is what
    sets it, None where it is its default; `problem` is why it stands for nothing."""

    label: Label | None
    set_by: FlagInstance | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class TargetAnswer:
    """A target that was asked for: what it is, the calls that made it, its select()s, its
    attributes after them, and what it depends on directly under these flags; `hidden` are
    attributes that may hold dependencies which the files do not tell. `problem`
    says why there is none to show; `suggestions` are the nearest names then, and `unknown` what
    may have declared it all the same. `points_at` is there of a flag or setting of labels;
    `candidates` are further targets of that name, where a short one was given; `built_for` is the
    file that was given, where the target is built for it (`--compile_one_dependency`)."""

    pattern: str
    node: NodeAnswer | None
    selects: tuple[SelectAnswer, ...] = ()
    problem: str = ""
    suggestions: tuple[str, ...] = ()
    calls: tuple[CallAnswer, ...] = ()
    attributes: tuple[AttributeAnswer, ...] = ()
    dependencies: tuple[DependencyGroup, ...] = ()
    hidden: tuple[UnknownEdges, ...] = ()
    incompatible: IncompatibleAnswer | None = None
    unknown: Unknown | None = None
    points_at: PointedAt | None = None
    candidates: tuple[Label, ...] = ()
    built_for: Label | None = None


def names_of(targets: Iterable[TargetAnswer]) -> tuple[NameAnswer, ...]:
    """What the words that name targets were taken for."""
    return tuple(
        NameAnswer(target.pattern, target.node.label, target.candidates)
        for target in targets
        if target.node is not None
    )


@dataclass(frozen=True, slots=True)
class PatternAnswer:
    """A pattern that stands for many targets (`//...`): how many, or why there are none;
    `is_missing`: it names a package or a directory in which there is nothing; `not_looked_at`:
    what of its directories was left aside."""

    pattern: str
    targets: int
    is_excluded: bool = False
    problem: str = ""
    is_missing: bool = False
    not_looked_at: str = ""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Targets that a command line names and that an option keeps from being built."""

    set_by: FlagInstance
    targets: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class RepositoryNeed:
    """An external repository that targets need under these flags.

    `targets` counts what they depend on in it, `first` is the nearest, which `through`
    names. `files` counts the `.bzl` files of it that their packages load, `loaded_at` is one
    such load. `content` says where its files were looked up.
    """

    name: str
    rule: str
    location: Location | None
    content: str
    targets: int
    first: Label | None = None
    through: Label | None = None
    files: int = 0
    loaded_at: Location | None = None
    unknown: Unknown | None = None
