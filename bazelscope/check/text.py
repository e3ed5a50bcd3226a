"""The answer to `check` as text: each finding with its place, its causes and its remedy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from bazelscope.check.answer import CheckAnswer
from bazelscope.check.finding import Finding, FindingSeverity
from bazelscope.questions.shared.text_envelope import add_head, completeness_rows
from bazelscope.render.counting import plural
from bazelscope.render.document import (
    Document,
    Piece,
    Row,
    bad,
    name,
    quiet,
    row,
    strong,
    warning,
)

_MOST_WHOLE = 10
"""Errors and warnings of one code that are told with causes and remedy."""
_MOST_LINES = 6
"""Notes of one code that have a line each, behind the first."""
_MOST_CAUSES = 4


def findings_document(answer: CheckAnswer, full: bool = False) -> Document:
    """Errors, then warnings, then notes, each code's together; of a code with many the first,
    unless `full`. What another Bazel would change keeps its order."""
    document = Document()
    add_head(document, answer.envelope)
    if answer.checked_for:
        title = f"Under Bazel {answer.checked_for}, what most depends on first:"
        document.add([row(strong(title))])
    for group in _groups(answer):
        _add_group(document, group, full)
    document.add(_sum_rows(answer))
    document.add(completeness_rows(answer.envelope.completeness, full))
    return document


def _groups(answer: CheckAnswer) -> Iterable[list[Finding]]:
    """The findings of one severity and code together, in the order of the first of each."""
    order = {severity: place for place, severity in enumerate(FindingSeverity)}
    groups: dict[tuple[FindingSeverity, str], list[Finding]] = {}
    for finding in answer.findings:
        groups.setdefault((finding.severity, finding.code), []).append(finding)
    if answer.checked_for:
        return groups.values()
    return [groups[key] for key in sorted(groups, key=lambda key: order[key[0]])]


def _add_group(document: Document, group: list[Finding], full: bool) -> None:
    """Notes of one code say the same of another subject: the first tells why and what to do."""
    is_note = group[0].severity is FindingSeverity.NOTE
    whole = 1 if is_note and len(group) > 2 else len(group) if full else _MOST_WHOLE
    for finding in group[:whole]:
        document.add(_rows(finding, full))
    others = group[whole:]
    lines = others if full else others[:_MOST_LINES] if is_note else []
    rows = [row(_in_a_line(one, group[0]), aside=_place(one), indent=2) for one in lines]
    if len(others) > len(lines):
        left = f"{len(others) - len(lines)} more {group[0].code} (--full)"
        rows.append(row(quiet(f"and {left}"), indent=2 if lines else 0))
    document.add(rows)


def _in_a_line(finding: Finding, first: Finding) -> str:
    """Its subject alone, where the message of `first` says the rest."""
    said, known = (one.message.replace(_core(one), "") for one in (finding, first))
    return finding.subject if said == known else finding.message


def _core(finding: Finding) -> str:
    return finding.subject.rpartition(" ")[2].lstrip("@")


def _place(finding: Finding) -> str:
    span = finding.span
    if span is not None:
        return f"{span.path}:{span.line}"
    return "everywhere" if finding.code.startswith("BZS5") else "command line"


def _rows(finding: Finding, full: bool) -> Iterator[Row]:
    yield row(name(_place(finding)), "  ", _word(finding.severity), " ", quiet(finding.code))
    yield row(strong(finding.message), indent=1)
    causes = finding.causes if full else finding.causes[:_MOST_CAUSES]
    for cause in causes:
        aside = f"{cause.span.path}:{cause.span.line}" if cause.span is not None else ""
        yield row(cause.message, aside=aside, indent=2)
    if len(causes) < len(finding.causes):
        yield row(quiet(f"and {len(finding.causes) - len(causes)} more (--full)"), indent=2)
    if finding.remedy:
        yield row("-> ", finding.remedy, indent=1)


def _word(severity: FindingSeverity) -> Piece:
    style = {FindingSeverity.ERROR: bad, FindingSeverity.WARNING: warning}.get(severity, quiet)
    return style(severity.value)


def _sum_rows(answer: CheckAnswer) -> Iterator[Row]:
    counts = Counter(finding.severity for finding in answer.findings)
    parts = [
        plural(counts[severity], severity.value) for severity in FindingSeverity if counts[severity]
    ]
    text = ", ".join(parts) or "No findings"
    if answer.ignored:
        text += f"; {answer.ignored} ignored by comments"
    if answer.known:
        text += f"; {answer.known} in the baseline"
    yield row(strong(text + "."))
    if answer.findings:
        codes = sorted({finding.code for finding in answer.findings})
        yield row(quiet(f"docs/findings.md explains {', '.join(codes)}"))
