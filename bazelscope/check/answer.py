"""The answer to `check`: the findings, and how many were not told because somebody said so."""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.base.edits import Fix
from bazelscope.base.errors import Diagnostic, is_of_ours
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.check.finding import Finding, FindingSeverity
from bazelscope.questions.shared.envelope import Answer, ExitCode


@dataclass(frozen=True, slots=True)
class CheckAnswer(Answer):
    """What is wrong or in vain in a workspace.

    `findings` are those told, by place. `ignored` were waived by a comment on their line,
    `known` stand in the baseline. `checked_for` is the release of Bazel that the workspace was
    held against, where that is another than its own; `checked_with` says which releases' options
    stand for it, where it has no table of its own.
    """

    findings: tuple[Finding, ...] = ()
    ignored: int = 0
    known: int = 0
    checked_for: str = ""
    checked_with: str = ""

    @property
    def left_out(self) -> tuple[Diagnostic, ...]:
        """What tells of files that were not read, or not whole, so that findings may be missing."""
        known = self.envelope.completeness
        packages = (*known.packages_in_error, *known.packages_with_warnings)
        told = (one for package in packages for one in package.diagnostics if is_of_ours(one))
        return (*self.envelope.left_out, *told)

    def fixes(self, also_unsafe: bool = False) -> Iterator[Fix]:
        """The likeliest fix of each finding that has one; without `also_unsafe`, those by which no
        build changes."""
        for finding in self.findings:
            if finding.fixes and (also_unsafe or finding.fixes[0].is_safe):
                yield finding.fixes[0]

    @property
    def exit_code(self) -> ExitCode:
        """0 clean, 1 findings, 3 Bazel would refuse something (or, of `--for`, will), or findings
        may be missing."""
        if any(finding.severity is FindingSeverity.ERROR for finding in self.findings):
            return ExitCode.IN_ERROR
        if self.left_out or self.envelope.completeness.cut_short:
            return ExitCode.IN_ERROR
        return ExitCode.NEGATIVE if self.findings else ExitCode.ANSWERED
