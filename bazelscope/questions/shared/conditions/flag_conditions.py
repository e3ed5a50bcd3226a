"""Under which flags something is so, as answers tell it."""

from __future__ import annotations

import enum
from collections.abc import Iterable

from bazelscope.analysis.paths.clashes import ClashKind
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Unknown
from bazelscope.questions.shared.nodes import ConfigSource, EdgeAnswer, OptionNeed

_SPARES_MUCH = 3
_MOST_WORDS = 6
"""Words of a combination that one reads."""
_FIRST = 5


class Verdict(enum.Enum):
    """Under how many of the flags something is so."""

    ALWAYS = "always"
    NEVER = "never"
    SOMETIMES = "sometimes"
    TOO_MANY = "too-many"
    """There are more cases than could be told apart."""


class Now(enum.Enum):
    """Whether it is so under the command line as it is."""

    YES = "yes"
    NO = "no"
    REFUSED = "refused"
    """Bazel refuses to build the target under these flags."""
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class FlagWord:
    """One flag or platform has a value (`is_so`), or has another one."""

    need: OptionNeed
    is_so: bool = True
    unknown: Unknown | None = None
    """Why nobody can tell whether it has, whatever the flags."""


@dataclass(frozen=True, slots=True)
class AddedWords:
    """Words to add to the command line; they were tried."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FlagCombination:
    """Words that hold together, and the named configs each of which sets all of them that have
    to be set. `line` makes them hold, and under it the configured graph was asked whether it is
    so; None if no such line was found, or none was looked for: of alternatives and exceptions the
    shorter list is told and tried."""

    words: tuple[FlagWord, ...]
    configs: tuple[ConfigSource, ...] = ()
    line: AddedWords | None = None


@dataclass(frozen=True, slots=True)
class FlagCondition:
    """Under which flags something is so.

    `alternatives` are all ways to make it so, the shortest first, `exceptions` all ways to keep
    it from being so; both are complete unless `is_complete` is false, and mind nothing that
    Bazel refuses: of the same flags, `conflicts`. `fixed` are flags that the command line sets
    and that are taken as they are. `now` says whether it is so under the command line and the
    rc files, `making` the fewest words that make it so, `ending` those that end it (None: none
    were found, or none are needed). `changes` are the flags each of which turns that around by
    itself.
    """

    verdict: Verdict
    now: Now = Now.UNKNOWN
    alternatives: tuple[FlagCombination, ...] = ()
    exceptions: tuple[FlagCombination, ...] = ()
    conflicts: tuple[FlagCombination, ...] = ()
    is_complete: bool = True
    fixed: tuple[OptionNeed, ...] = ()
    making: AddedWords | None = None
    ending: AddedWords | None = None
    changes: tuple[FlagWord, ...] = ()

    @property
    def may_be_wider(self) -> bool:
        """Whether it claims that some flags are not enough, which what is unknown may belie."""
        return self.verdict in (Verdict.SOMETIMES, Verdict.NEVER)

    @property
    def is_long(self) -> bool:
        """Whether the first combinations have more words than one reads: `changes` say what is
        near."""
        return any(len(one.words) > _MOST_WORDS for one in self.told[:_FIRST])

    @property
    def tells_exceptions(self) -> bool:
        """Whether it is shorter to say when it is not so, and needs no exception of its own: what
        has to be set for it is no exception, unless that spares much."""
        mine, theirs = _length(self.exceptions), _length(self.alternatives)
        is_plain = all(len({word.is_so for word in one.words}) == 1 for one in self.exceptions)
        has_to_be_set = any(not one.words[0].is_so for one in self.exceptions if one.words)
        is_shorter = mine * (_SPARES_MUCH if has_to_be_set else 1) < theirs
        return is_shorter and is_plain and self.verdict is not Verdict.TOO_MANY

    @property
    def told(self) -> tuple[FlagCombination, ...]:
        """The shorter of the two lists, without what is told by fewer of the same words: only what
        nobody can tell is told alike and is not the same."""
        listed = self.exceptions if self.tells_exceptions else self.alternatives
        if not any(word.unknown is not None for one in listed for word in one.words):
            return listed
        words = {frozenset(one.words): one for one in reversed(listed)}
        return tuple([one for told, one in reversed(words.items()) if not _is_wider(told, words)])

    @property
    def is_tried(self) -> bool:
        """Whether any of the combinations was tried."""
        return any(one.line is not None for one in self.told)

    @property
    def untried(self) -> tuple[FlagCombination, ...]:
        """Those that are told and that no line was found for."""
        return tuple(one for one in self.told if one.line is None)

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        """What it hangs on that nobody can tell."""
        told = {
            word.unknown: None
            for one in (*self.alternatives, *self.exceptions)
            for word in one.words
            if word.unknown is not None
        }
        return tuple(told)


@dataclass(frozen=True, slots=True)
class ClashAnswer:
    """Why no flags make some paths. `needs` exclude each other, or are ruled out by another
    branch of a select() on the way; `condition` is a branch that is never taken. `paths`
    counts the paths (None: they cannot be counted). `edges` ask for what excludes each other."""

    kind: ClashKind
    needs: tuple[OptionNeed, ...] = ()
    condition: Label | None = None
    paths: int | None = None
    edges: tuple[EdgeAnswer, ...] = ()


class NotLoaded(enum.Enum):
    """Why nobody looked at the packages that configs load."""

    NOT_ASKED = "not-asked"
    """More sets than were asked for."""
    OTHERWISE = "otherwise"
    """An option says where files are, or what there is: no repository rule reads it."""
    TOO_MANY = "too-many"
    """There are too many cases, or no time or memory is left for them."""


@dataclass(frozen=True, slots=True)
class LoadedValues:
    """What named configs change of that which loading reads: other packages; and why nobody
    looked at these, if so."""

    configs: tuple[str, ...]
    values: tuple[str, ...]
    why: NotLoaded | None = None


@dataclass(frozen=True, slots=True)
class OtherPackages:
    """Which packages a condition speaks of beside those of the line: `loaded`, and which not:
    `unloaded`, and what other values of `variables` would load. `label_settings` may stand for
    other targets than those it knows."""

    loaded: tuple[LoadedValues, ...] = ()
    unloaded: tuple[LoadedValues, ...] = ()
    variables: tuple[str, ...] = ()
    label_settings: tuple[Label, ...] = ()


TOO_MANY = FlagCondition(Verdict.TOO_MANY)


def _is_wider(told: frozenset[FlagWord], others: Iterable[frozenset[FlagWord]]) -> bool:
    return any(other < told for other in others)


def _length(alternatives: tuple[FlagCombination, ...]) -> int:
    return sum(1 + sum(1 if word.is_so else 2 for word in one.words) for one in alternatives)
