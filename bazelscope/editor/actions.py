"""What an editor offers to do about the problems on some lines: fixes, and comments that waive."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bazelscope.base.edits import Edit, Fix, compatible
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import SourceFile, Span
from bazelscope.check.finding import Finding, FindingSeverity
from bazelscope.check.of_diagnostics import fixes_of
from bazelscope.editor.problems import Problem, problems
from bazelscope.editor.state import EditorState


@dataclass(frozen=True, slots=True)
class Action:
    """What may be done about `problem`, or, where that is None, about all of a file at once.
    `is_preferred` for the fix that is likeliest to be wanted."""

    title: str
    edits: tuple[Edit, ...]
    problem: Problem | None
    is_preferred: bool = False


def actions(state: EditorState, source: SourceFile, first: int, last: int) -> Iterator[Action]:
    """Returns what may be done about the problems on the lines `first` to `last` of a text, and
    about all that can be mended safely in it."""
    found = {one: _fixes(one, source) for one in problems(state, source.path)}
    for problem, proposed in found.items():
        span = problem.span
        if span is None or not (span.line <= last and first <= span.end_line):
            continue
        for fix in proposed:
            yield Action(fix.title, fix.edits, problem, is_preferred=len(proposed) == 1)
        # What Bazel refuses is not mended by a comment.
        if isinstance(problem, Finding) and problem.severity is not FindingSeverity.ERROR:
            yield from _waiving(source, problem)
    edits = _safe_edits(found.values())
    if edits:
        yield Action("Make all safe fixes of bazelscope", edits, None)


def _fixes(problem: Problem, source: SourceFile) -> tuple[Fix, ...]:
    return problem.fixes if isinstance(problem, Finding) else fixes_of(problem, lambda _: source)


def _safe_edits(proposed: Iterable[tuple[Fix, ...]]) -> tuple[Edit, ...]:
    safe = (fixes[0] for fixes in proposed if fixes and fixes[0].is_safe)
    return tuple(edit for edits in compatible(safe).values() for edit in edits)


def _waiving(source: SourceFile, finding: Finding) -> Iterator[Action]:
    """The comment on the line of a finding that has it not told; none on a line that goes on."""
    span = finding.span
    line = source.line(span.line) if span is not None else "\\"
    if span is not None and not line.endswith("\\"):
        end = len(line) + 1
        comment = Edit(
            Span(span.path, span.line, end, span.line, end),
            f"  # bazelscope: ignore[{finding.code}]",
        )
        yield Action(f"Ignore {finding.code} here by a comment", (comment,), finding)
