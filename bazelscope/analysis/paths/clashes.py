"""Requirements of a path that exclude each other, so that no flags can make it."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from bazelscope.analysis.conditions.atoms import FlagRequirement
from bazelscope.base.label import Label


class ClashKind(enum.Enum):
    """Why no flags can make a path."""

    TWO_VALUES = "two-values"
    """One flag, or one constraint setting, would need two values."""
    RULED_OUT = "ruled-out"
    """What one branch needs makes a select() on the path take another branch."""
    NEVER_TAKEN = "never-taken"
    """A branch on the path is not taken under any flags."""
    FIXED = "fixed-for-exec"
    """Bazel fixes an option of the execution platform to another value."""


@dataclass(frozen=True, slots=True)
class Clash:
    """Requirements that exclude each other. `condition`: the branch that is never taken."""

    kind: ClashKind
    needs: tuple[FlagRequirement, ...] = ()
    condition: Label | None = None
