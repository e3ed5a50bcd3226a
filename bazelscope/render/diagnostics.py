"""Diagnostics as text: the message, the line it is about with carets, notes, stack, hint."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from bazelscope.base.errors import Diagnostic, Severity
from bazelscope.base.source import SourceFile, Span
from bazelscope.render.counting import plural
from bazelscope.render.document import (
    Document,
    Row,
    bad,
    display_width,
    name,
    quiet,
    row,
    strong,
    verbatim,
    warning,
)

ReadSource = Callable[[str], SourceFile | None]
"""Gives the text behind a path that users see; None where there is no such file."""

_WIDEST_EXCERPT = 160
_MEANT = "did you mean "
"""How the one hint begins that a warning of one line has, too."""
_KEPT_BEFORE_CARET = 60


UNTOLD = frozenset({"try-import-not-found", "config-expanded-again"})
"""What no text tells: a file that is imported if it is there need not be there, and a config that
is expanded twice changes nothing if it adds nothing."""
TOLD_IN_THE_ANSWER = frozenset({"undefined-config"}) | UNTOLD
"""Problems of flags that the text of every answer about flags tells in its own place."""


def is_only_in_full(diagnostic: Diagnostic) -> bool:
    """Whether `--full` alone tells it, and `check`: an option of an rc file that Bazel most likely
    has, and a line that says nothing."""
    if diagnostic.code == "empty-line":
        return True
    return diagnostic.code == "unverified-option" and diagnostic.span is not None


def no_source(path: str) -> SourceFile | None:
    """A `ReadSource` that knows no file: excerpts are left out."""
    return None


_MOST_OF_A_KIND = 20
_MOST_WARNINGS_OF_A_KIND = 3
_MOST_NOTES = 4


def add_diagnostics(
    document: Document,
    diagnostics: Iterable[Diagnostic],
    read: ReadSource = no_source,
    full: bool = False,
) -> None:
    """Appends one block for each error, and one for warnings that follow one another; those
    that say the same of the same place, seen through different calls, are one. Of many of one
    kind the first few are shown, for a file that is none of its kind at all is wrong in every
    line; `full` shows all."""
    shown: Counter[str] = Counter()
    more = 0
    grouped: dict[tuple[str, str, Span | None], list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        key = (diagnostic.code, diagnostic.message, diagnostic.span)
        grouped.setdefault(key, []).append(diagnostic)
    lines: list[Row] = []
    for first, *others in grouped.values():
        shown[first.code] += 1
        is_line = first.severity is not Severity.ERROR and not full
        most = _MOST_WARNINGS_OF_A_KIND if is_line else _MOST_OF_A_KIND
        if shown[first.code] > most and not full:
            more += 1
            continue
        rows = list(diagnostic_rows(first, read, full))
        if others:
            rows.append(row(quiet(f"and the same {len(others)} more times"), indent=1))
        if is_line:
            lines += rows
            if first.hint and first.hint.startswith(_MEANT):
                lines.append(row(first.hint, indent=1))
            continue
        document.add(lines)
        lines = []
        document.add(rows)
        if first.hint:
            document.add([row(strong("hint:"), " ", first.hint)])
    if more:
        lines.append(row(quiet(f"and {more} more like these (--full shows all)")))
    document.add(lines)


def diagnostic_rows(diagnostic: Diagnostic, read: ReadSource, full: bool) -> Iterator[Row]:
    """One diagnostic without its hint, which stands apart; `full`: with all of its notes, for
    hundreds of targets may ask for the one that is missing."""
    is_error = diagnostic.severity is Severity.ERROR
    if not is_error and not full:
        # What is no error is told in one line.
        place = diagnostic.span.start.short if diagnostic.span else ""
        untold = len(diagnostic.notes)
        rest = quiet(f" ({plural(untold, 'more note')}: --full)") if untold else ""
        yield row(warning("warning:"), " ", diagnostic.message, rest, aside=place)
        return
    word = bad("error:") if is_error else warning("warning:")
    yield row(word, " ", strong(diagnostic.message))
    if diagnostic.span:
        yield from _excerpt(diagnostic.span, read, underline_error=is_error)
    shown = {diagnostic.span}
    notes = diagnostic.notes if full else diagnostic.notes[:_MOST_NOTES]
    for note in notes:
        yield row(name("note:"), " ", note.message, indent=1)
        if note.span and note.span not in shown:
            shown.add(note.span)
            yield from _excerpt(note.span, read, underline_error=False)
    if len(notes) < len(diagnostic.notes):
        more = plural(len(diagnostic.notes) - len(notes), "more note")
        yield row(quiet(f"and {more} (--full shows all)"), indent=1)
    if diagnostic.call_stack:
        yield row(quiet("called from, outermost first:"), indent=1)
    for frame in diagnostic.call_stack:
        yield row(str(frame.location), aside=f"in {frame.function}", indent=2)


def _excerpt(span: Span, read: ReadSource, underline_error: bool) -> Iterator[Row]:
    yield row(quiet("-->"), " ", name(str(span)), indent=1)
    source = read(span.path)
    if source is None:
        return
    raw = source.line(span.line)
    if not raw.strip():
        return
    last = span.end_column if span.end_line == span.line else len(raw) + 1
    text, start, end = _crop(raw, span.column - 1, max(last - 1, span.column))
    lead = display_width(text[:start])
    carets = "^" * max(display_width(text[start:end]), 1)
    number = str(span.line)
    margin = " " * len(number)
    mark = bad(carets) if underline_error else name(carets)
    yield verbatim(quiet(f"{margin} |"), indent=1)
    yield verbatim(quiet(f"{number} | "), text, indent=1)
    yield verbatim(quiet(f"{margin} | "), " " * lead, mark, indent=1)


def _crop(raw: str, start: int, end: int) -> tuple[str, int, int]:
    """`raw` with tabs and control characters made visible as one column each, cut to a
    width that can be read around the range `start:end`, and that range in it."""
    text = "".join(c if c.isprintable() else " " if c == "\t" else "\ufffd" for c in raw)
    start = min(start, len(text))
    end = max(min(end, len(text)), start)
    if len(text) <= _WIDEST_EXCERPT:
        return text, start, end
    cut = max(0, start - _KEPT_BEFORE_CARET)
    piece = text[cut : cut + _WIDEST_EXCERPT]
    before = "..." if cut else ""
    after = "..." if cut + _WIDEST_EXCERPT < len(text) else ""
    shift = len(before) - cut
    return before + piece + after, start + shift, min(end - cut, len(piece)) + len(before)
