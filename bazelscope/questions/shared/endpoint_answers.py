"""What the names in a question were taken for, and whether one target leads to the other."""

from __future__ import annotations

import enum

from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.base.unknown import Unknown


@dataclass(frozen=True, slots=True)
class NameAnswer:
    """A name as it was asked for, and the target that it was taken for (None: for none,
    or the other name's failure left it open, then `is_settled` is false). `candidates`
    are other targets of that name, `suggestions` the nearest names where there is none.
    `why` says why there is none, `unknown` what may have declared it all the same. `members`:
    the name is a repository's or a pattern, and these targets of it are meant, of which `label`
    is the first."""

    asked: str
    label: Label | None
    candidates: tuple[Label, ...] = ()
    suggestions: tuple[str, ...] = ()
    why: str = ""
    is_settled: bool = True
    members: tuple[Label, ...] = ()
    unknown: Unknown | None = None


def may_be_there(*names: NameAnswer | None) -> bool:
    """Whether one of these names stands for nothing known, and may stand for something."""
    return any(name is not None and name.unknown is not None for name in names)


class PathOutcome(enum.Enum):
    FOUND = "found"
    NO_PATH = "no-path"
    CUT = "cut-by-conditions"
    """There is a path through other branches than those that these flags choose."""
    NAME_UNKNOWN = "name-unknown"
    NAME_AMBIGUOUS = "name-ambiguous"


@dataclass(frozen=True, slots=True)
class UnknownDependency:
    """A target of which nobody can tell what it is, or what one `attribute` of it holds
    (`""`: nothing of it is known). `asked_by` is a target that names it, at `location`."""

    label: Label
    unknown: Unknown
    attribute: str = ""
    asked_by: Label | None = None
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class UnknownBelow:
    """How many targets that a path could go by cannot be told, and the `first` few, the
    nearest first: where no path is known, any of them may lead to one."""

    total: int
    first: tuple[UnknownDependency, ...]
