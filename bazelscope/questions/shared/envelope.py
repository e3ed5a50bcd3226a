"""What stands around every answer: what was asked about, what Bazel refuses, what is not known.

The envelope of a command line is made once, where the line is read; the question adds what it
met on the way. The exit code follows from it here, and nowhere else.
"""

from __future__ import annotations

import enum
from dataclasses import replace
from typing import ClassVar

from bazelscope.analysis.refusals.refusal import Refusal
from bazelscope.base import budget
from bazelscope.base.errors import Diagnostic, Severity
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.questions.shared.completeness import COMPLETE, Completeness
from bazelscope.questions.shared.named_configs import UndefinedConfig
from bazelscope.questions.shared.relevance import NOT_READ
from bazelscope.questions.shared.setup import Setup


class ExitCode(enum.IntEnum):
    """What the program ends with, and JSON says as `exit_code`."""

    ANSWERED = 0
    NEGATIVE = 1
    """No path, an unknown target, a flag that is not set."""
    UNASKABLE = 2
    """Bazel would refuse the command line or the rc files: it would not look at a target."""
    IN_ERROR = 3
    """Bazel refuses a target, or files are in error or were left out, so that the answer may lack
    something; or the answer is negative, and what cannot be told may hide another."""
    REFUSED = 7
    """Of `query` alone, as Bazel: it refuses something of the question."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """What stands around an answer.

    `undefined_configs` and `line_diagnostics` are what is wrong with the command line and the
    rc files; `diagnostics` what was met on the way to the answer; `refusals` what Bazel refuses
    of the targets that the answer rests on; `not_covered` the configs that load other packages,
    of which the answer says nothing.
    """

    setup: Setup
    undefined_configs: tuple[UndefinedConfig, ...] = ()
    line_diagnostics: tuple[Diagnostic, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    completeness: Completeness = COMPLETE
    not_covered: tuple[str, ...] = ()

    def closed(
        self,
        completeness: Completeness,
        diagnostics: tuple[Diagnostic, ...] = (),
        refusals: tuple[Refusal, ...] = (),
        not_covered: tuple[str, ...] = (),
    ) -> Envelope:
        """Adds to the envelope of a line what a question met on its way: what was cut short until
        now, too, which finding `refusals` may have been."""
        cut_short = tuple(budget.current().reasons)
        return replace(
            self,
            completeness=replace(completeness, cut_short=cut_short),
            diagnostics=diagnostics,
            refusals=refusals,
            not_covered=not_covered,
        )

    @property
    def left_out(self) -> tuple[Diagnostic, ...]:
        """What tells of files and options that were left out: the answer may lack what they set."""
        return tuple(one for one in self.line_diagnostics if one.code in NOT_READ)

    def exit_code(
        self, is_negative: bool = False, is_open: bool = False, is_partial: bool = False
    ) -> ExitCode:
        """Returns what the program ends with. `is_open`: what cannot be told may hide another
        answer than the negative one; `is_partial`: the answer may lack something that the
        envelope does not tell."""
        if self.undefined_configs or has_errors(self.line_diagnostics):
            return ExitCode.UNASKABLE
        left_out = bool(self.left_out)
        if is_negative:
            # A refusal comes first: what is told is what would be.
            is_open = is_open or bool(self.refusals) or left_out
            return ExitCode.IN_ERROR if is_open else ExitCode.NEGATIVE
        known = self.completeness
        in_error = known.packages_in_error or known.cut_short or has_errors(self.diagnostics)
        in_error = in_error or any(has_errors(p.diagnostics) for p in known.packages_with_warnings)
        if is_partial or self.refusals or in_error or left_out:
            return ExitCode.IN_ERROR
        return ExitCode.ANSWERED


@dataclass(frozen=True, slots=True)
class Answer:
    """What the answers to all questions have; a question adds what it found."""

    counts_refusals: ClassVar[bool] = False
    """Whether its text says how many refusals there are, and not which."""

    envelope: Envelope

    @property
    def tells_refusals(self) -> bool:
        """Whether its text says which of the targets that it lists Bazel refuses, and why."""
        return False

    @property
    def is_negative(self) -> bool:
        """Whether there is nothing of what was asked for."""
        return False

    @property
    def is_open(self) -> bool:
        """Whether what cannot be told may hide another answer than the negative one."""
        return False

    @property
    def is_partial(self) -> bool:
        """Whether the answer may lack something that the envelope does not tell."""
        return False

    @property
    def concerning(self) -> tuple[Diagnostic, ...]:
        """What is wrong with the line and concerns this answer."""
        return self.envelope.line_diagnostics

    @property
    def exit_code(self) -> ExitCode:
        """What the program ends with that gives this answer."""
        return self.envelope.exit_code(self.is_negative, self.is_open, self.is_partial)


def has_errors(diagnostics: tuple[Diagnostic, ...]) -> bool:
    """Whether one of them is an error, as opposed to a warning."""
    return any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics)
