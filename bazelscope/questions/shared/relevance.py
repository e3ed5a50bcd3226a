"""Which warnings of the rc files concern a question about one flag, config or line.

Errors concern every question, for Bazel would stop at them; so do files that were not read, for
the answer may lack what they set. Another warning concerns an answer if it is about a line that
the answer shows, or names what was asked about.
"""

from __future__ import annotations

from collections.abc import Iterable

from bazelscope.base.errors import Diagnostic, Severity
from bazelscope.base.source import Location

NOT_READ = frozenset(
    {
        *("config-not-told", "file-not-read", "import-limit", "option-not-applied"),
        "project-not-told",
    }
)
"""Of files and options that were left out: the answer may lack what they set."""


def concerning(
    diagnostics: tuple[Diagnostic, ...], shown: Iterable[Location], name: str
) -> tuple[Diagnostic, ...]:
    """Picks the `diagnostics` that concern an answer: it shows the places `shown`, and the
    question was about `name`, as messages write it."""
    lines = {(place.path, place.line) for place in shown}
    return tuple(
        diagnostic
        for diagnostic in diagnostics
        if diagnostic.severity is Severity.ERROR
        or diagnostic.span is None
        or diagnostic.code in NOT_READ
        or name in diagnostic.message
        or any(
            (span.path, span.line) in lines
            for span in (diagnostic.span, *(note.span for note in diagnostic.notes))
            if span is not None
        )
    )
