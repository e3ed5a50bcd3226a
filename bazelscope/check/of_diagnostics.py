"""Problems that the stages below have met become findings, each under its code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bazelscope.base.edits import Edit, Fix, fixes
from bazelscope.base.errors import Diagnostic, is_of_ours, is_severe
from bazelscope.base.source import ReadSource
from bazelscope.bazel.removed_natives import loaded_from, of_module
from bazelscope.check.codes import CODES
from bazelscope.check.finding import Finding, FindingCause
from bazelscope.check.load_edits import loading

_OF_RC_FILES = {
    "byte-order-mark": "BZS111",
    "comment-swallows-line": "BZS111",
    "config-repeated": "BZS113",
    "dashes-swallow-words": "BZS111",
    "deprecated-option": "BZS105",
    "empty-line": "BZS111",
    "equals-in-section": "BZS111",
    "import-forgiven": "BZS110",
    "missing-command": "BZS111",
    "rc-file-abandoned": "BZS110",
    "rc-file-repeated": "BZS110",
    "undefined-config": "BZS101",
    "unknown-command": "BZS111",
    "value-ignored": "BZS111",
}
"""Problems of rc files by code; what is no error and not here is no finding."""


_OF_FAIL = "do what the text says, which a call of fail() gives"


def of_flags(diagnostics: Iterable[Diagnostic], read: ReadSource) -> Iterator[Finding]:
    """The findings among what is wrong with rc files and a command line; `read` gives the texts
    that they stand in."""
    for problem in diagnostics:
        code = _OF_RC_FILES.get(problem.code, "BZS001" if is_severe(problem) else None)
        if code is not None and not is_of_ours(problem):
            yield of_diagnostic(problem, code, read)


def remedy_of(hint: str) -> str:
    """What to do, where the hint says but which Bazels have an option."""
    return f"delete it ({hint})" if hint.startswith("Bazel has it") else hint


def of_diagnostic(problem: Diagnostic, code: str, read: ReadSource, subject: str = "") -> Finding:
    """One problem as a finding of that code: about `subject`, else known by what it is called.
    `read` gives the text that it stands in."""
    return CODES[code].at(
        problem.span,
        subject or problem.code,
        problem.message,
        remedy_of(problem.hint or (_OF_FAIL if problem.code == "starlark-fail" else "")),
        tuple(FindingCause(note.message, note.span) for note in problem.notes),
        fixes=fixes_of(problem, read),
    )


def fixes_of(problem: Diagnostic, read: ReadSource) -> tuple[Fix, ...]:
    """The fix of a slip of the pen, where the name stands in the text once, or of a name that is
    no native any more; `read` gives the text."""
    slip, span = problem.misspelling, problem.span
    is_name = problem.code == "starlark-name"
    source = read(span.path) if span is not None and (slip is not None or is_name) else None
    if span is None or source is None or span.line != span.end_line:
        return ()
    text = source.line(span.line)[span.column - 1 : span.end_column - 1]
    home = loaded_from(text) if slip is None and is_name else None
    if home is not None:
        return fixes(f"load `{text}` from {of_module(home)}", loading(source, text))
    if slip is not None and text.count(slip.written) == 1:
        start = span.column + text.index(slip.written)
        place = span._replace(column=start, end_column=start + len(slip.written))
        return fixes(f"write `{slip.meant}`", (Edit(place, slip.meant),))
    return ()
