"""Finds what is wrong or in vain in a workspace: the answer to `check`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import field

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.bazel import flag_catalog
from bazelscope.bazel.release import Release
from bazelscope.check.answer import CheckAnswer
from bazelscope.check.codes import CODES
from bazelscope.check.finding import Finding
from bazelscope.check.migration.migration import migration_findings
from bazelscope.check.rc_files.rules import rc_findings_in_tree
from bazelscope.check.refused import absent_files, refused_findings
from bazelscope.check.repositories.definition_rules import definition_findings
from bazelscope.check.repositories.module_rules import module_findings
from bazelscope.check.repositories.variable_rules import variable_findings
from bazelscope.check.selection import Selection, is_waived, without_known
from bazelscope.check.settings import setting_rules
from bazelscope.check.settings.select_rules import select_findings
from bazelscope.check.toolkits.toolkit_rules import toolkit_findings
from bazelscope.check.workspace_facts import WorkspaceFacts
from bazelscope.questions.shared.completeness import how_complete
from bazelscope.questions.shared.envelope import Envelope


@dataclass(frozen=True, slots=True)
class CheckQuestion:
    """Which findings are asked for; `baseline` counts those that are known. With `target`, those
    about the workspace under that Bazel, and no others."""

    selection: Selection = field(default_factory=Selection)
    baseline: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    target: Release | None = None


@dataclass(frozen=True, slots=True)
class _Family:
    """Rules that look at the same, and the codes of what they find."""

    codes: tuple[str, ...]
    rule: Callable[[WorkspaceFacts], Iterable[Finding]]


def _of_rc_files(facts: WorkspaceFacts) -> Iterable[Finding]:
    return rc_findings_in_tree(facts.rc, facts.texts)


FAMILIES = (
    _Family(("BZS001", *(code for code in CODES if code.startswith("BZS1"))), _of_rc_files),
    _Family(("BZS201",), setting_rules.unused_settings),
    _Family(("BZS202",), setting_rules.unused_defines),
    _Family(("BZS203", "BZS204", "BZS205"), select_findings),
    _Family(("BZS206",), setting_rules.cpu_beside_platforms),
    _Family(("BZS301", "BZS302", "BZS303", "BZS304", "BZS305"), definition_findings),
    _Family(("BZS306", "BZS307", "BZS308", "BZS309", "BZS312"), module_findings),
    _Family(("BZS310", "BZS311"), variable_findings),
    _Family(tuple(code for code in CODES if code.startswith("BZS4")), toolkit_findings),
    _Family(("BZS004", "BZS005", "BZS006"), refused_findings),
    _Family(("BZS007",), absent_files),
)
"""All rules about a workspace; those of which no code is asked for do not run."""


def check(facts: WorkspaceFacts, envelope: Envelope, question: CheckQuestion) -> CheckAnswer:
    """What is wrong or in vain in a workspace, by place; or what another Bazel makes of it, by
    how much depends on it."""
    chosen = question.selection
    findings: dict[Finding, None] = {}
    target = question.target
    if target is not None:
        every = migration_findings(facts, target)
        findings.update((one, None) for one in every if chosen.takes(one.code))
    for family in FAMILIES if target is None else ():
        if chosen.takes_any(family.codes):
            findings.update((one, None) for one in family.rule(facts) if chosen.takes(one.code))
    told = [one for one in findings if not is_waived(one, facts.read)]
    new = without_known(told, question.baseline)
    return CheckAnswer(
        envelope.closed(
            how_complete(facts.world.loader, facts.line.whole if facts.line is not None else ())
        ),
        tuple(sorted(new, key=_place) if target is None else new),
        ignored=len(findings) - len(told),
        known=len(told) - len(new),
        checked_for=target.text if target is not None else "",
        checked_with=_stand_ins(target),
    )


def _stand_ins(target: Release | None) -> str:
    """The releases whose options stand for those of another Bazel that has no table."""
    catalog = flag_catalog.load(target.text) if target is not None else None
    return catalog.neighbours if catalog is not None and not catalog.is_exact else ""


def _place(finding: Finding) -> tuple[str, int, int, str, str]:
    span = finding.span
    line, column = (span.line, span.column) if span is not None else (0, 0)
    return (finding.path, line, column, finding.code, finding.message)
