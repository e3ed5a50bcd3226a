"""The answer to `check` as text: each finding with its place, its causes and its remedy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

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

_MOST_OF_A_CODE = 20
_MOST_CAUSES = 4


def findings_document(answer: CheckAnswer, full: bool = False) -> Document:
    """Every finding; of many with one code the first twenty, unless `full`."""
    document = Document()
    add_head(document, answer.envelope)
    if answer.checked_for:
        title = f"Under Bazel {answer.checked_for}, what most depends on first:"
        document.add([row(strong(title))])
    shown: Counter[str] = Counter()
    for finding in answer.findings:
        shown[finding.code] += 1
        if full or shown[finding.code] <= _MOST_OF_A_CODE:
            document.add(_rows(finding, full))
    document.add(_more_rows(shown, full))
    document.add(_sum_rows(answer))
    document.add(completeness_rows(answer.envelope.completeness, full))
    return document


def _rows(finding: Finding, full: bool) -> Iterator[Row]:
    span = finding.span
    place = (
        f"{span.path}:{span.line}"
        if span is not None
        else "command line"
        if not finding.code.startswith("BZS5")
        else "everywhere"
    )
    yield row(name(place), "  ", _word(finding.severity), " ", quiet(finding.code))
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


def _more_rows(shown: Counter[str], full: bool) -> Iterator[Row]:
    for code, count in sorted(shown.items()) if not full else ():
        if count > _MOST_OF_A_CODE:
            yield row(quiet(f"and {count - _MOST_OF_A_CODE} more {code} (--full shows all)"))


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
