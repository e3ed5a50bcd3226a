"""Chains of causes: what a fact of an explanation comes from, each link with its place.

A `Fact` is something that an explanation prints and that has a name: a flag, a condition,
an attribute, a dependency, a repository. Its causes are a tree, outermost last: a value is
set by an rc line, that by `--config=mkl`, that by the command line.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from bazelscope.analysis.conditions.match_result import MatchResult, Outcome, Requirement
from bazelscope.base.errors import Diagnostic
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.flags.flag_values import (
    FlagInstance,
    FromCommandLine,
    FromRc,
    Origin,
    RcFile,
    location_of,
)
from bazelscope.questions.shared.endpoint_answers import NameAnswer
from bazelscope.questions.shared.envelope import Answer
from bazelscope.questions.shared.relevance import concerning
from bazelscope.questions.shared.select_answers import SelectAnswer, SelectOutcome


class Relation(enum.Enum):
    """How a cause bears on what stands above it."""

    SET_BY = "set-by"
    EXPANDED_FROM = "expanded-from"
    IMPORTED = "imported"
    OVER = "over"
    DEFAULT = "default"
    PROVIDED = "provided"
    ASKED_BY = "asked-by"
    MEETS = "meets"
    WANTS = "wants"
    UNKNOWN = "unknown"
    ALIAS_OF = "alias-of"
    TAKES = "takes"
    NOT_TAKEN = "not-taken"
    GIVES = "gives"
    TERM = "term"
    DEFINED = "defined"
    CALLED = "called"
    INSIDE = "inside"
    JOINED_BY = "joined-by"
    LOADED = "loaded"
    STEP = "step"
    SHADOWS = "shadows"
    CONTENT = "content"
    READ_BY = "read-by"
    SETS = "sets"
    MAY_DEFINE = "may-define"
    MAKES = "makes"
    USED_BY = "used-by"
    MENTIONED = "mentioned"
    CHOSEN_BY = "chosen-by"
    KNOWN_TO = "known-to"
    NOT_KNOWN_TO = "not-known-to"
    MAY_SET = "may-set"
    HOLDS_WITH = "holds-with"
    """Words more on the line have a condition hold; it was tried."""


@dataclass(frozen=True, slots=True)
class Link:
    """One link. `text` is what it is (`--config=mkl`, a label, a call), `detail` what there
    is to say of it (`is not set`, `build:mkl`), `causes` what it comes from itself."""

    relation: Relation
    text: str
    location: Location | None = None
    detail: str = ""
    causes: tuple[Link, ...] = ()


class FactKind(enum.Enum):
    FLAG = "flag"
    DEFINE = "define"
    CONFIG = "config"
    VARIABLE = "variable"
    RC_LINE = "rc-line"
    RC_FILE = "rc-file"
    BAZEL = "bazel"
    CAPABILITY = "cuda-capability"
    CONSTRAINT = "constraint"
    CONDITION = "condition"
    TARGET = "target"
    ATTRIBUTE = "attribute"
    DEPENDENCY = "dependency"
    REPOSITORY = "repository"
    DEFINITION = "definition"
    """A rule, function or target that the workspace's files define."""
    MENTION = "mention"
    """A name of the workspace's files that is no flag, target or repository."""


NOT_IN_FORCE = "not in force"
"""The value of what rc files or a question name and no flag of the line has, or its beginning."""


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that an explanation says, and its whole chain of causes. `value` is the
    answer in short: a flag's value, `holds`, where a repository's content is found."""

    kind: FactKind
    name: str
    value: str
    location: Location | None = None
    causes: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class WhyAnswer(Answer):
    """The facts that `asked`, a name or a line of an explanation, is about, in a build of the
    targets `names`.

    Without any, `suggestions` are the nearest names of facts.
    """

    counts_refusals: ClassVar[bool] = True

    asked: str
    facts: tuple[Fact, ...]
    suggestions: tuple[str, ...] = ()
    names: tuple[NameAnswer, ...] = ()

    @property
    def is_negative(self) -> bool:
        return not self.facts

    @property
    def concerning(self) -> tuple[Diagnostic, ...]:
        shown = places_of(cause for fact in self.facts for cause in fact.causes)
        return concerning(self.envelope.line_diagnostics, shown, self.asked)


def places_of(causes: Iterable[Link]) -> Iterator[Location]:
    """Every place that causes stand at, however far in."""
    for cause in causes:
        if cause.location is not None:
            yield cause.location
        yield from places_of(cause.causes)


def cause_of_setting(
    setting: FlagInstance, rc_files: Sequence[RcFile], relation: Relation = Relation.SET_BY
) -> Link:
    """Who set an option: the line, what that was expanded from, and how the file came in."""
    inner: tuple[Link, ...] = ()
    for cause in setting.chain:
        causes = (*inner, *_imports(cause.origin, rc_files))
        how = relation if cause is setting else Relation.EXPANDED_FROM
        inner = (Link(how, cause.text, cause.location, detail_of(cause.origin), causes),)
    return inner[0]


def detail_of(origin: Origin) -> str:
    """The section of an rc line, or which word of the command line it is."""
    if isinstance(origin, FromRc):
        return origin.section
    if isinstance(origin, FromCommandLine):
        return f"command line, word {origin.index + 1}"
    return "default"


def _imports(origin: Origin, rc_files: Sequence[RcFile]) -> tuple[Link, ...]:
    """The line that imports the rc file of an rc line, if one does."""
    location = location_of(origin)
    if location is None:
        return ()
    for rc_file in rc_files:
        if rc_file.path == location.path and rc_file.imported_at is not None:
            return (Link(Relation.IMPORTED, rc_file.path, rc_file.imported_at.start),)
    return ()


def cause_of_requirement(
    entry: Requirement, rc_files: Sequence[RcFile], holds: bool = False
) -> Link:
    """One entry of a config_setting: that it is met, or what is in force instead."""
    text = f"{entry.what}={entry.wanted}"
    if entry.set_by is not None:
        inner: tuple[Link, ...] = (cause_of_setting(entry.set_by, rc_files),)
    elif entry.got is not None:
        how = Relation.DEFAULT if entry.provided_by is None else Relation.PROVIDED
        inner = (Link(how, f"{entry.what}={entry.got}", entry.provided_by),)
    else:
        inner = ()
    if holds:
        return Link(Relation.MEETS, text, causes=inner)
    got = "is not set" if entry.got is None else f"is {entry.got or 'empty'}"
    return Link(Relation.WANTS, text, detail=got, causes=inner)


def causes_of_condition(condition: MatchResult, rc_files: Sequence[RcFile]) -> tuple[Link, ...]:
    """Why a condition holds, or not, entry by entry; those that decide first."""
    causes: list[Link] = []
    if condition.setting != condition.condition:
        causes.append(Link(Relation.ALIAS_OF, str(condition.setting), condition.location))
    if condition.unknown is not None:
        unknown = condition.unknown
        causes.append(Link(Relation.UNKNOWN, str(unknown), unknown.location))
    holds = condition.outcome is Outcome.HOLDS
    entries = condition.entries if holds else condition.unmet
    causes += [cause_of_requirement(entry, rc_files, holds) for entry in entries]
    return tuple(causes)


def cause_of_select(select: SelectAnswer, rc_files: Sequence[RcFile]) -> Link:
    """One select(): the branch that it takes and why, and why not each other one."""
    text = select.call.text if select.call is not None else "select()"
    place = select.call.location if select.call is not None else select.location
    causes: list[Link] = []
    if select.location is not None and select.location != place:
        causes.append(Link(Relation.DEFINED, "select()", select.location))
    chosen = select.chosen
    if chosen is not None:
        why = causes_of_condition(chosen.condition, rc_files) if not chosen.is_default else ()
        gives = tuple(Link(Relation.GIVES, value) for value in chosen.values)
        condition = chosen.condition
        causes.append(
            Link(
                Relation.TAKES, str(condition.condition), condition.location, causes=(*why, *gives)
            )
        )
    elif select.outcome is not SelectOutcome.CHOSEN:
        causes.append(Link(Relation.UNKNOWN, select.detail))
    for branch in select.branches:
        if branch.is_chosen or branch.is_default:
            continue
        detail = branch.how_it_holds if branch.condition.outcome is Outcome.HOLDS else ""
        causes.append(
            Link(
                Relation.NOT_TAKEN,
                str(branch.condition.condition),
                branch.condition.location,
                detail,
                causes_of_condition(branch.condition, rc_files) if not detail else (),
            )
        )
    return Link(Relation.TERM, text, place, causes=tuple(causes))


def merged(causes: Iterable[Link]) -> tuple[Link, ...]:
    """The causes without repetitions, in order."""
    return tuple(dict.fromkeys(causes))
