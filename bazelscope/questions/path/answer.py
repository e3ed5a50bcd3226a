"""The answers to `path` and `path --all-paths` as values."""

from __future__ import annotations

import enum

from bazelscope.analysis.conditions.match_result import MatchResult
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import CallStack, Location
from bazelscope.base.unknown import Unknown
from bazelscope.questions.shared.conditions.flag_conditions import (
    ClashAnswer,
    FlagCondition,
    Verdict,
)
from bazelscope.questions.shared.endpoint_answers import (
    NameAnswer,
    PathOutcome,
    UnknownBelow,
    may_be_there,
)
from bazelscope.questions.shared.envelope import Answer
from bazelscope.questions.shared.nodes import ConfigSource, EdgeAnswer, NodeAnswer, OptionNeed


@dataclass(frozen=True, slots=True)
class PathStep:
    """One target of a path, and the edge that leads on from it (None for the last)."""

    node: NodeAnswer
    edge: EdgeAnswer | None = None


@dataclass(frozen=True, slots=True)
class Cut:
    """The first edge of the best path whose branch these flags do not choose: which
    condition it needs and why that does not hold (`condition` is None for the default
    branch); `chosen` is the condition of the branch that is taken instead."""

    edge: EdgeAnswer
    condition: MatchResult | None
    chosen: MatchResult | None = None
    fixes: tuple[OptionNeed, ...] = ()
    """Options that would make the condition hold, and the configs that set them."""


@dataclass(frozen=True, slots=True)
class RepositoryAnswer:
    """An external repository: the rule that defines it, where, and what it fetches.

    `facts` are attributes worth showing (`urls`, `sha256`, `path`...), as text.
    """

    name: str
    rule: str
    location: Location | None
    call_stack: CallStack
    provenance: str
    facts: tuple[RepositoryFact, ...] = ()
    unknown: Unknown | None = None
    edited_at: Location | None = None
    """The outermost call that says `name =`."""


@dataclass(frozen=True, slots=True)
class RepositoryFact:
    name: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RouteAnswer:
    """What was asked of a path beside its ends: patterns of targets that are not on it,
    targets that it comes by in this order, attributes that its edges keep to. `problems`
    are the names among them that mean no target, or several."""

    avoid: tuple[str, ...] = ()
    via: tuple[Label, ...] = ()
    through: tuple[str, ...] = ()
    problems: tuple[NameAnswer, ...] = ()


ANY_ROUTE = RouteAnswer()


class Tried(enum.Enum):
    """What came of trying flags: the branches on the path, decided under them."""

    CONFIRMED = "confirmed"
    UNCERTAIN = "uncertain"
    """A branch cannot be told."""
    REFUTED = "refuted"
    """They do not make the path."""
    NOT_TRIED = "not-tried"
    """There is nothing to try."""


@dataclass(frozen=True, slots=True)
class PathFlags:
    """What to add to the command line so that a path exists.

    `options` are the fewest flags, none where none are needed; `tried` is what came of
    them. `configs` are the named configs each of which does it alone; all of them were
    tried. `unmet` are the needs for which no flags could be found: a platform that nobody
    declares, another value than the one in force where none is mentioned anywhere.
    """

    options: tuple[str, ...] = ()
    tried: Tried = Tried.NOT_TRIED
    configs: tuple[ConfigSource, ...] = ()
    unmet: tuple[OptionNeed, ...] = ()


class _AboutPaths(Answer):
    """What holds of answers about one path and about all of them."""

    __slots__ = ()

    source: NameAnswer
    target: NameAnswer
    outcome: PathOutcome
    condition: FlagCondition | None
    unknown_below: UnknownBelow | None

    @property
    def every_steps(self) -> tuple[tuple[PathStep, ...], ...]:
        """The steps of each path."""
        # An answer about one path holds its steps, one about all holds paths: each says where.
        raise NotImplementedError

    @property
    def labels(self) -> tuple[Label, ...]:
        """The targets on the paths, each once."""
        return tuple(dict.fromkeys(step.node.label for path in self.every_steps for step in path))

    @property
    def is_negative(self) -> bool:
        return self.outcome is not PathOutcome.FOUND

    @property
    def is_open(self) -> bool:
        return self.unknown_below is not None or may_be_there(self.source, self.target)

    @property
    def is_partial(self) -> bool:
        return self.condition is not None and self.condition.verdict is Verdict.TOO_MANY


@dataclass(frozen=True, slots=True)
class PathAnswer(_AboutPaths):
    """Why one target depends on another.

    `configured` tells whether only the branches that the flags choose counted. `needs`
    are the options that the branches on the path ask for, `forbids` those that must not be so,
    each by itself, in that way to take the path that changes the fewest flags; needs that
    exclude each other are the `contradiction`, and `clash` says how. `flags` would make the path
    exist. After a cut, `steps` are the best path that was cut, `cuts` where. `condition` says
    under which flags there is a path at all, this one or another. `unknown_below`: there may be
    a path that is not known, and that flags take which do not take the known ones.
    `resolved_path`: where no dependency that is written leads there, the targets by which
    what Bazel resolves under these flags does: toolchains, platforms, aspects.
    """

    source: NameAnswer
    target: NameAnswer
    outcome: PathOutcome
    configured: bool
    steps: tuple[PathStep, ...] = ()
    needs: tuple[OptionNeed, ...] = ()
    forbids: tuple[tuple[OptionNeed, ...], ...] = ()
    contradiction: tuple[OptionNeed, ...] = ()
    cuts: tuple[Cut, ...] = ()
    repositories: tuple[RepositoryAnswer, ...] = ()
    route: RouteAnswer = ANY_ROUTE
    flags: PathFlags | None = None
    clash: ClashAnswer | None = None
    condition: FlagCondition | None = None
    unknown_below: UnknownBelow | None = None
    resolved_path: tuple[Label, ...] = ()

    @property
    def every_steps(self) -> tuple[tuple[PathStep, ...], ...]:
        return (self.steps,) if self.steps else ()

    @property
    def is_negative(self) -> bool:
        return self.outcome is not PathOutcome.FOUND and not self.resolved_path

    @property
    def may_have_others(self) -> bool:
        """Whether one path more would make another answer of it."""
        if self.outcome is PathOutcome.FOUND:
            return self.condition is not None and self.condition.may_be_wider
        return self.outcome in (PathOutcome.NO_PATH, PathOutcome.CUT)


@dataclass(frozen=True, slots=True)
class ListedPath:
    """One of several paths; its members are those of a single path's answer. `condition` says
    under which flags this very path is there."""

    steps: tuple[PathStep, ...]
    needs: tuple[OptionNeed, ...] = ()
    forbids: tuple[tuple[OptionNeed, ...], ...] = ()
    flags: PathFlags | None = None
    condition: FlagCondition | None = None


@dataclass(frozen=True, slots=True)
class PathsAnswer(_AboutPaths):
    """Every path between two targets, shortest first, as far as they were asked for.

    `more` counts the paths that were not looked at, contradictory ones among them (None:
    more than could be counted); `is_complete` says that there are none. `left_out` are the
    paths that no flags make, by reason. `condition` says under which flags there is any of them,
    those that are not shown among them; `shared` are the edges that every path takes, `cut` the
    fewest without which there is none. `unknown_below`: there may be more than are known.
    """

    source: NameAnswer
    target: NameAnswer
    outcome: PathOutcome
    configured: bool
    route: RouteAnswer = ANY_ROUTE
    paths: tuple[ListedPath, ...] = ()
    left_out: tuple[ClashAnswer, ...] = ()
    more: int | None = 0
    is_complete: bool = True
    repositories: tuple[RepositoryAnswer, ...] = ()
    condition: FlagCondition | None = None
    shared: tuple[EdgeAnswer, ...] = ()
    cut: tuple[EdgeAnswer, ...] = ()
    unknown_below: UnknownBelow | None = None

    @property
    def every_steps(self) -> tuple[tuple[PathStep, ...], ...]:
        return tuple(path.steps for path in self.paths)

    @property
    def may_have_others(self) -> bool:
        """Whether paths that are not known would belong to it."""
        return self.is_complete and not self.route.problems
