"""What the files cannot tell, as a value: never a missing edge, never a guess."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable
from typing import TypeVar

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.source import Location

GLOB = "glob()"
"""How the subject begins of what a `glob()` would find."""
BAZELS_OWN = "made by Bazel itself"
"""What is said of the content of a repository that nobody downloads."""


PIECE = lazy_pattern(r"unknown_piece_(\d+)_", re.IGNORECASE)
"""How a part of a text that nobody knows is written in files that are made without programs."""


def without_pieces(text: str, keeps_length: bool = False) -> str:
    """`text` for a reader: `...` for each part that nobody knows, or as many dots as it has
    letters."""
    if "_piece_" not in text and "_PIECE_" not in text:
        return text
    return PIECE.sub(lambda match: "." * len(match[0]) if keeps_length else "...", text)


class Reason(enum.Enum):
    """Why something is unknown; the value is the wording used in JSON."""

    NOT_FETCHED = "repository-not-fetched"
    """The content of an external repository is not on this machine."""
    RUNS_PROGRAM = "repository-rule-runs-program"
    """A repository rule asks a program or the network for it."""
    FILE_MISSING = "file-missing"
    """A file of the workspace itself does not exist."""
    OUTSIDE = "outside-workspace"
    """A symbolic link leads out of the workspace, or of a repository, and is not followed."""
    FAILED = "evaluation-failed"
    """A file, or a part of it, fails when it is evaluated; the diagnostic says how."""
    DEPENDS_ON_UNKNOWN = "depends-on-unknown"
    """It is computed from another unknown value."""
    NEEDS_ANALYSIS = "needs-rule-implementation"
    """Bazel computes it in a rule implementation or in toolchain resolution."""
    NOT_MODELLED = "not-modelled"
    """bazelscope does not model this part of Bazel."""
    LIMIT = "limit-reached"
    """To find it out would take more time or memory than the question may use."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A fact that the files do not settle, why, and where it is needed.

    `subject` names what is unknown for a reader: `@local_config_cuda//cuda:build_defs.bzl`.
    """

    reason: Reason
    subject: str
    detail: str = ""
    location: Location | None = None

    def __str__(self) -> str:
        return f"{self.subject}: {self.detail or self.reason.value}"


_Known = TypeVar("_Known")


def all_known(values: Iterable[_Known | Unknown]) -> tuple[_Known, ...] | Unknown:
    """The values in order; the first that is unknown, if one is."""
    known: list[_Known] = []
    for value in values:
        if isinstance(value, Unknown):
            return value
        known.append(value)
    return tuple(known)


@dataclass(frozen=True, slots=True)
class Count:
    """How many of `total` things of one kind rest on a model that bazelscope ships, and
    of how many nobody can tell anything; of those that are known, `partly` are known in part."""

    what: str
    total: int
    modelled: int = 0
    unknown: int = 0
    partly: int = 0

    @property
    def known(self) -> int:
        return self.total - self.unknown


@dataclass(frozen=True, slots=True)
class UnknownTargetsCount:
    """How many targets of one repository (`""`: the workspace) were looked at and are unknown,
    for one reason."""

    repository: str
    reason: Reason
    count: int
