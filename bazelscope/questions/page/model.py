"""What the page knows: targets and edges with the formulas that take them, the variables of
these, and how the words of a command line set them. Frozen, and free of any wording."""

from __future__ import annotations

from collections.abc import Mapping

from bazelscope.analysis.conditions.atoms import FlagRequirement
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.source import CallStack, Location
from bazelscope.base.unknown import Unknown
from bazelscope.flags.flag_values import FlagInstance
from bazelscope.loading.origins.term import Term
from bazelscope.loading.repositories.repository_facts import RepositoryFacts
from bazelscope.questions.configs.answer import NamedConfig
from bazelscope.questions.shared.envelope import Envelope

OTHER = -1
"""The number of a value that no condition asks for."""
NOT_KNOWN = -2
"""The number of a value that nobody can tell."""


class Way(NamedTuple):
    """How an edge is taken by its source in the configuration `scope`: where `formula` holds,
    and to its target in the configuration `target`."""

    scope: int
    formula: int
    target: int


class PageEdge(NamedTuple):
    """An edge; of a select(), `condition` is the key of its branch (None: no select())."""

    target: Label
    attribute: str
    kind: str
    is_tool: bool
    ways: tuple[Way, ...]
    condition: Label | None = None
    select_at: Location | None = None


class PageBranch(NamedTuple):
    """A branch of a select(), the formula under which it is taken, and what it holds."""

    condition: Label
    is_default: bool
    formula: int
    values: tuple[object, ...]


class PagePart(NamedTuple):
    """A part of an attribute's value: plain `values` or the branches of a select(), made by
    `term`."""

    values: tuple[object, ...]
    branches: tuple[PageBranch, ...] = ()
    location: Location | None = None
    term: Term | None = None
    refused: int = 0


class PageAttribute(NamedTuple):
    name: str
    parts: tuple[PagePart, ...]


@dataclass(frozen=True, slots=True)
class PageTarget:
    """A target, or a label that is none (`problem`), or whose target is `unknown`.

    `refused` and `lacking` are, by scope, where Bazel refuses a select() of it, and where the
    platform lacks what it asks for.
    """

    label: Label
    kind: str
    location: Location | None = None
    call_stack: CallStack = ()
    provenance: str = ""
    unknown: Unknown | None = None
    problem: str = ""
    edges: tuple[PageEdge, ...] = ()
    refused: tuple[tuple[int, int], ...] = ()
    lacking: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class PageLoad:
    """What one set of flags that count for loading leads to. Of all but the first load,
    `targets` are those that differ from it."""

    host: str
    words: tuple[str, ...]
    environment: Mapping[str, str]
    """Variables that repository rules read, as far as lines differ in them."""
    others: tuple[str, ...]
    """Words that count for loading in another way."""
    targets: Mapping[Label, PageTarget]
    attributes: Mapping[Label, tuple[PageAttribute, ...]]
    starts: tuple[tuple[Label, int], ...]
    repositories: tuple[RepositoryFacts, ...] = ()


@dataclass(frozen=True, slots=True)
class PageVariable:
    """What formulas look at: values of one option, flag or constraint setting, by number; or
    what nobody can tell, of which `subjects` are the values."""

    values: tuple[FlagRequirement, ...]
    unknown: Unknown | None = None
    subjects: tuple[str, ...] = ()
    is_closed: bool = False
    is_label: bool = False
    """Whether its values are targets: of another one than these the page has none."""


@dataclass(frozen=True, slots=True)
class DiagramNode:
    """If `variable` has its value number `value` then node `yes` counts, else `no`. 0 is false
    and 1 is true."""

    variable: int
    value: int
    yes: int
    no: int


@dataclass(frozen=True, slots=True)
class PageWords:
    """One word of a command line, with its value where that is a word of its own.

    `sets` are the variables that it gives a value, `resets` those whose value in the rc files it
    takes away, as it does with the instances number `drops`; `platform` the options among those
    that decide the platform; `environment` and `loads_otherwise` what counts for loading.
    `problem`: what Bazel has against the word.
    """

    words: tuple[str, ...]
    instances: tuple[FlagInstance, ...] = ()
    sets: tuple[tuple[int, int], ...] = ()
    resets: tuple[tuple[int, int], ...] = ()
    drops: tuple[int, ...] = ()
    platform: tuple[tuple[str, str], ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    loads_otherwise: bool = False
    problem: str = ""


@dataclass(frozen=True, slots=True)
class PageBase:
    """The rc files alone, on one host: what each variable is there, and what the words of a
    command line change. `platform_values` are what variables are by the values of the options
    that decide the platform."""

    host: str
    instances: tuple[FlagInstance, ...]
    values: tuple[int, ...]
    platform: tuple[tuple[str, str], ...]
    environment: Mapping[str, str]
    words: tuple[PageWords, ...]
    platform_values: Mapping[tuple[str, ...], tuple[tuple[int, int], ...]]
    problem: str = ""


class Reason(NamedTuple):
    """One way in which a formula holds: tests (variable, value) and whether they do."""

    literals: tuple[tuple[int, int, bool], ...]


@dataclass(frozen=True, slots=True)
class PageModel:
    """All of it. `nodes` begin behind the two constants; `numbers` says of each formula which of
    them it begins with. `alternatives` tells of a formula when it holds, in the fewest words;
    `arrivals` of a target under which flags it is needed."""

    envelope: Envelope
    given: tuple[tuple[str, ...], ...]
    against: tuple[tuple[str, ...], ...] | None
    starts: tuple[Label, ...]
    scopes: tuple[str, ...]
    variables: tuple[PageVariable, ...]
    nodes: tuple[DiagramNode, ...]
    numbers: Mapping[int, int]
    alternatives: Mapping[int, tuple[Reason, ...]]
    arrivals: Mapping[Label, int]
    loads: tuple[PageLoad, ...]
    bases: tuple[PageBase, ...]
    configs: tuple[NamedConfig, ...]
    accumulating: frozenset[str]
    """Options that hold several values."""
    left_out: tuple[str, ...] = ()
