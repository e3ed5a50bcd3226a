"""The answer to `affected` as a value: the targets whose inputs differ, and why."""

from __future__ import annotations

import enum

from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.questions.shared.envelope import Answer

NOT_THERE = "not there"
"""What a file is in the state that does not have it."""


class CauseKind(enum.Enum):
    """What differs in a target itself."""

    FILE = "file"
    ATTRIBUTE = "attribute"
    BRANCH = "branch"
    RULE = "rule"
    """Its rule class, a file of the rule's implementation, or the repository that the rule is of
    where that cannot be read."""
    MACRO = "macro"
    """The macro call that makes it has another name."""
    PACKAGE = "package"
    TOOLCHAIN = "toolchain"
    FLAG = "flag"
    REPOSITORY = "repository"
    NEW = "new"
    GONE = "gone"
    """What others still depend on."""
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Cause:
    """One difference: of `subject` (a file, an attribute, a condition, an option), from
    `before` to `after`, as far as that can be said in a line, and where it stands."""

    kind: CauseKind
    subject: str
    before: str | None = None
    after: str | None = None
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class AffectedTarget:
    """A target whose configured inputs differ. `way` leads from it to the target that differs
    itself, both included, by the fewest dependencies; `causes` are what differs there.
    `is_refused`: Bazel refuses to build it, as it is in the later state."""

    label: Label
    kind: str
    is_test: bool
    way: tuple[Label, ...]
    causes: tuple[Cause, ...]
    is_refused: bool = False


@dataclass(frozen=True, slots=True)
class AffectedAnswer(Answer):
    """What `until` changes, compared with `since`: `targets` are rules of the patterns asked
    about, those with the shortest way to a cause first. `total` is how many rules there are;
    `gone` are rules that `until` no longer has, `skipped` those among the affected that cannot
    be built under the flags (`target_compatible_with`). `changed_files` are paths."""

    since: str
    until: str
    targets: tuple[AffectedTarget, ...]
    total: int
    changed_files: tuple[str, ...] = ()
    gone: tuple[Label, ...] = ()
    skipped: tuple[Label, ...] = ()
    in_error: tuple[str, ...] = ()
    """Packages that `until` has in error and `since` has not, so that the answer may lack targets
    of theirs."""
    refusals_of_changes_only: bool = False
    """So much lies below the targets that what Bazel refuses was looked for only in what differs
    and in what depends on that directly."""

    @property
    def is_partial(self) -> bool:
        return bool(self.in_error or self.envelope.diagnostics)

    @property
    def labels(self) -> tuple[Label, ...]:
        """The affected targets, in the order of their labels."""
        return tuple(sorted(target.label for target in self.targets))
