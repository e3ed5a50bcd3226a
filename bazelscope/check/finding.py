"""One finding: what is wrong or in vain in a workspace, where, why, and which line to change."""

from __future__ import annotations

import enum

from bazelscope.base.edits import Fix
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Span


class FindingSeverity(enum.Enum):
    """How bad a finding is; the value is the wording of JSON and of SARIF."""

    ERROR = "error"
    """Bazel refuses it, or the build that follows fails."""
    WARNING = "warning"
    """Bazel says nothing, and what is written does not do what it says."""
    NOTE = "note"
    """It does what it says, and may be left out or mended."""


@dataclass(frozen=True, slots=True)
class FindingCause:
    """A second place or fact that a finding rests on."""

    message: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding. `code` is in `codes.CODES`; `subject` is what it is about (an option, a
    config, a label), which stays the same when lines move. `span` is None for what stands in
    no file: a word of the command line. `dependents` is how many targets, lines or select()s
    depend on it, where that is counted. `fixes`: each of them would mend it, the likeliest first;
    where there is none, only a person knows what was meant."""

    code: str
    severity: FindingSeverity
    message: str
    subject: str
    span: Span | None = None
    causes: tuple[FindingCause, ...] = ()
    remedy: str = ""
    dependents: int = 0
    fixes: tuple[Fix, ...] = ()

    @property
    def path(self) -> str:
        """The file that it is in; empty for the command line."""
        return self.span.path if self.span is not None else ""
