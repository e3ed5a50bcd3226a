"""The answers to `path` and `graph` as values."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from bazelscope.analysis.paths.clashes import ClashKind
from bazelscope.base.errors import Diagnostic
from bazelscope.base.label import Label
from bazelscope.base.source import CallStack, Location
from bazelscope.base.unknown import Unknown
from bazelscope.questions.shared.completeness import COMPLETE, Completeness
from bazelscope.questions.shared.condition_answers import ConditionAnswer
from bazelscope.questions.shared.config_trees import UndefinedConfig
from bazelscope.questions.shared.nodes import ConfigSource, EdgeAnswer, NodeAnswer, OptionNeed
from bazelscope.questions.shared.setup import Setup


@dataclass(frozen=True, slots=True)
class NameAnswer:
    """A name as it was asked for, and the target that it was taken for (None: for none,
    or the other name's failure left it open, then `is_settled` is false). `candidates`
    are other targets of that name, `suggestions` the nearest names where there is none.
    `why` says why there is none. `members`: the name is a repository's or a pattern, and
    these targets of it are meant, of which `label` is the first."""

    asked: str
    label: Label | None
    candidates: tuple[Label, ...] = ()
    suggestions: tuple[str, ...] = ()
    why: str = ""
    is_settled: bool = True
    members: tuple[Label, ...] = ()


class PathOutcome(enum.Enum):
    FOUND = "found"
    NO_PATH = "no-path"
    CUT = "cut-by-conditions"
    """There is a path through other branches than those that these flags choose."""
    NAME_UNKNOWN = "name-unknown"
    NAME_AMBIGUOUS = "name-ambiguous"


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
    condition: ConditionAnswer | None
    chosen: ConditionAnswer | None = None
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


@dataclass(frozen=True, slots=True)
class ClashAnswer:
    """Why no flags make some paths. `needs` exclude each other, or are ruled out by another
    branch of a select() on the way; `condition` is a branch that is never taken. `paths`
    counts the paths (None: they cannot be counted)."""

    kind: ClashKind
    needs: tuple[OptionNeed, ...] = ()
    condition: Label | None = None
    paths: int | None = None


@dataclass(frozen=True, slots=True)
class UntoldTarget:
    """A target of which nobody can tell what it is, or what one `attribute` of it holds
    (`""`: nothing of it is known). `asked_by` is a target that names it, at `location`."""

    label: Label
    unknown: Unknown
    attribute: str = ""
    asked_by: Label | None = None
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class UntoldBelow:
    """How many targets that a path could go by cannot be told, and the `first` few, the
    nearest first: where no path is known, any of them may lead to one."""

    total: int
    first: tuple[UntoldTarget, ...]


@dataclass(frozen=True, slots=True)
class PathAnswer:
    """Why one target depends on another.

    `configured` tells whether only the branches that the flags choose counted. `needs`
    are the options that all branches on the path ask for together, and `forbids` the
    combinations of which none may hold as a whole; needs that exclude each other are the
    `contradiction`, and `clash` says how. `flags` would make the path exist. After a cut,
    `steps` are the best path that was cut, `cuts` where. `untold`: there is no path that is
    known, but there may be one.
    """

    setup: Setup
    source: NameAnswer
    target: NameAnswer
    outcome: PathOutcome
    configured: bool
    steps: tuple[PathStep, ...] = ()
    needs: tuple[OptionNeed, ...] = ()
    forbids: tuple[tuple[OptionNeed, ...], ...] = ()
    contradiction: tuple[OptionNeed, ...] = ()
    cuts: tuple[Cut, ...] = ()
    undefined_configs: tuple[UndefinedConfig, ...] = ()
    repositories: tuple[RepositoryAnswer, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    completeness: Completeness = COMPLETE
    route: RouteAnswer = ANY_ROUTE
    flags: PathFlags | None = None
    clash: ClashAnswer | None = None
    untold: UntoldBelow | None = None


@dataclass(frozen=True, slots=True)
class ListedPath:
    """One of several paths; its members are those of a single path's answer."""

    steps: tuple[PathStep, ...]
    needs: tuple[OptionNeed, ...] = ()
    forbids: tuple[tuple[OptionNeed, ...], ...] = ()
    flags: PathFlags | None = None


@dataclass(frozen=True, slots=True)
class PathsAnswer:
    """Every path between two targets, shortest first, as far as they were asked for.

    `more` counts the paths that were not looked at, contradictory ones among them (None:
    more than could be counted); `is_complete` says that there are none. `left_out` are the
    paths that no flags make, by reason. `untold`: there may be more than are known.
    """

    setup: Setup
    source: NameAnswer
    target: NameAnswer
    outcome: PathOutcome
    configured: bool
    route: RouteAnswer = ANY_ROUTE
    paths: tuple[ListedPath, ...] = ()
    left_out: tuple[ClashAnswer, ...] = ()
    more: int | None = 0
    is_complete: bool = True
    undefined_configs: tuple[UndefinedConfig, ...] = ()
    repositories: tuple[RepositoryAnswer, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    completeness: Completeness = COMPLETE
    untold: UntoldBelow | None = None


class Collapse(enum.Enum):
    """What stands for one node of a graph."""

    NOTHING = "target"
    PACKAGE = "package"
    REPOSITORY = "repository"


@dataclass(frozen=True, slots=True)
class GroupAnswer:
    """The targets of one package or repository in a collapsed graph. `name` is
    `//core`, `@eigen//`, or `@eigen`; `location` is what defines the repository, or the
    first of the targets. `holds_end`: one of the two targets asked about is among them."""

    name: str
    repository: str
    targets: int
    location: Location | None = None
    holds_end: bool = False


@dataclass(frozen=True, slots=True)
class GroupLink:
    """The edges from one group to another: how many, how many of them hang on a select(),
    how many are for the execution platform, and the first few."""

    source: str
    target: str
    edges: int
    conditional: int = 0
    tools: int = 0
    examples: tuple[EdgeAnswer, ...] = ()


@dataclass(frozen=True, slots=True)
class GraphAnswer:
    """The targets and edges between two targets, or below one. In a collapsed graph there
    are `groups` and `links` instead. `hidden_nodes` counts what was left out because there
    is more than asked for, `hidden_levels` the targets that are further away than asked.
    `untold`: no path is known, but there may be one."""

    setup: Setup
    source: NameAnswer
    target: NameAnswer | None
    outcome: PathOutcome
    configured: bool
    nodes: tuple[NodeAnswer, ...] = ()
    edges: tuple[EdgeAnswer, ...] = ()
    hidden_nodes: int = 0
    diagnostics: tuple[Diagnostic, ...] = ()
    completeness: Completeness = COMPLETE
    collapse: Collapse = Collapse.NOTHING
    groups: tuple[GroupAnswer, ...] = ()
    links: tuple[GroupLink, ...] = ()
    hidden_levels: int = 0
    undefined_configs: tuple[UndefinedConfig, ...] = ()
    untold: UntoldBelow | None = None

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to draw."""
        return not self.nodes and not self.groups
