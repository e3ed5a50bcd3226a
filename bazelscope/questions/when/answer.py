"""The answer to `when`."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from bazelscope.base.label import Label
from bazelscope.base.unknown import Unknown
from bazelscope.questions.shared.endpoint_answers import NameAnswer, UnknownBelow
from bazelscope.questions.shared.envelope import Answer
from bazelscope.questions.shared.nodes import ConfigSource, EdgeAnswer, OptionNeed


class Verdict(enum.Enum):
    """Under how many of the flags something is so."""

    ALWAYS = "always"
    NEVER = "never"
    SOMETIMES = "sometimes"
    TOO_MANY = "too-many"
    """There are more cases than could be told apart."""
    NAME_UNKNOWN = "name-unknown"


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
class FlagCombination:
    """Words that hold together, and the named configs each of which sets all of them that have
    to be set."""

    words: tuple[FlagWord, ...]
    configs: tuple[ConfigSource, ...] = ()


@dataclass(frozen=True, slots=True)
class AddedWords:
    """Words to add to the command line; they were tried."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WhenAnswer(Answer):
    """Under which flags `source` depends on `target`, or, without a target, can be built.

    `alternatives` are all ways to make it so, the shortest first, `exceptions` all ways to keep
    it from being so; both are complete unless `is_complete` is false, and mind nothing that
    Bazel refuses: of the same flags, `conflicts`. `fixed` are flags that the command line sets
    and that are taken as they are. `now` says whether it is so under the command line and the
    rc files, `making` the fewest words that make it so, `ending` those that end it (None: none
    were found, or none are needed).

    `shared` are the edges that all paths take, `cut` the fewest without which there is none.
    """

    source: NameAnswer
    target: NameAnswer | None
    verdict: Verdict
    now: Now = Now.UNKNOWN
    alternatives: tuple[FlagCombination, ...] = ()
    exceptions: tuple[FlagCombination, ...] = ()
    conflicts: tuple[FlagCombination, ...] = ()
    is_complete: bool = True
    fixed: tuple[OptionNeed, ...] = ()
    making: AddedWords | None = None
    ending: AddedWords | None = None
    shared: tuple[EdgeAnswer, ...] = ()
    cut: tuple[EdgeAnswer, ...] = ()
    refused_targets: tuple[Label, ...] = ()
    has_chain: bool = False
    """Whether there is a chain of dependencies, be it one that no flags take."""
    unknown_below: UnknownBelow | None = None

    @property
    def is_negative(self) -> bool:
        return self.verdict in (Verdict.NEVER, Verdict.NAME_UNKNOWN)

    @property
    def is_open(self) -> bool:
        return self.unknown_below is not None

    @property
    def is_partial(self) -> bool:
        return self.verdict is Verdict.TOO_MANY or not self.is_complete

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        """What the answer hangs on that nobody can tell."""
        found = {
            word.unknown: None
            for one in (*self.alternatives, *self.exceptions)
            for word in one.words
            if word.unknown is not None
        }
        return tuple(found)
