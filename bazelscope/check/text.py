"""The answer to `check` as text: each finding with its place, its causes and its remedy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.check.answer import CheckAnswer
from bazelscope.check.finding import Finding, FindingSeverity
from bazelscope.questions.shared.text_envelope import add_head, completeness_rows
from bazelscope.render.counting import plural
from bazelscope.render.document import Document, Piece, Row, bad, name, quiet, row, strong, warning

_MOST_WHOLE = 10
"""Errors and warnings of one code that are told with causes and remedy."""
_MOST_LINES = 6
"""Findings that have a line each, behind the first that says the same."""
_MOST_CAUSES = 4

_LABEL = lazy_pattern(r"'([^']+)'|^(@?\S*//\S+)")


def findings_document(answer: CheckAnswer, full: bool = False) -> Document:
    """Errors, then warnings, then notes, each code's together; of a code with many the first,
    unless `full`. What another Bazel would change keeps its order."""
    document = Document()
    add_head(document, answer.envelope, tells_setup=True)
    if answer.checked_for:
        stand_ins = f" (with the options of {answer.checked_with})" if answer.checked_with else ""
        title = f"Under Bazel {answer.checked_for}{stand_ins}, what most depends on first:"
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
    """Of findings that say the same of another subject, the first tells why and what to do."""
    alike = _alike(group)
    for first, *others in alike if full else alike[:_MOST_WHOLE]:
        document.add(_rows(first, full))
        shown = others if full else others[:_MOST_LINES]
        rows = [row(_in_a_line(one, first), aside=_place(one), indent=2) for one in shown]
        if len(others) > len(shown):
            left = f"and {len(others) - len(shown)} more {first.code} (--full)"
            rows.append(row(quiet(left), indent=2))
        document.add(rows)
    left_out = 0 if full else sum(map(len, alike[_MOST_WHOLE:]))
    if left_out:
        document.add([row(quiet(f"and {left_out} more {group[0].code} (--full)"))])


def _alike(group: list[Finding]) -> list[list[Finding]]:
    """Notes of one code together; errors and warnings only where they say the same."""
    if group[0].severity is FindingSeverity.NOTE and len(group) > 2:
        return [group]
    alike: dict[str, list[Finding]] = {}
    for finding in group:
        alike.setdefault(_said(finding), []).append(finding)
    return list(alike.values())


def _in_a_line(finding: Finding, first: Finding) -> str:
    """Its subject alone, where the message of `first` says the rest; and what to do, where that
    is something else."""
    is_named = _core(finding) in finding.message or finding.subject.startswith(("/", "@"))
    if _said(finding) != _said(first) or not is_named:
        return finding.message
    alike = finding.remedy.replace(_core(finding), "") == first.remedy.replace(_core(first), "")
    return finding.subject if alike else f"{finding.subject} -> {finding.remedy}"


def _said(finding: Finding) -> str:
    """Its message without its subject, which a message may name without the attribute."""
    said = finding.message.replace(_core(finding), "")
    for quoted, first in _LABEL.findall(said):
        if finding.subject.startswith(f"{quoted or first}."):
            said = said.replace(quoted or first, "")
    return said


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
    count = len(list(answer.fixes()))
    if count:
        yield row(quiet(f"{count} can be mended without a change of builds (--format patch)"))
    if answer.findings:
        codes = sorted({finding.code for finding in answer.findings})
        yield row(quiet(f"docs/findings.md explains {', '.join(codes)}"))
