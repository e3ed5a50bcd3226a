"""Edits of rc files: a word is written otherwise, or goes with the line that it stands alone on."""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.base.edits import Edit, line_end, lines_above, whole_lines
from bazelscope.base.source import SourceFile, Span
from bazelscope.check.rc_files.rc_facts import RcFacts, RcSection
from bazelscope.flags.rcfile import RcLine


def rewritten(facts: RcFacts, span: Span | None, old: str, new: str) -> Iterator[Edit]:
    """The edit that writes `new` where the words of a span begin with `old`; none where quotes or
    escapes stand between, so that nobody can tell which characters it is."""
    source = _source(facts, span)
    if span is not None and source is not None and _text(source, span).startswith(old):
        yield Edit(span._replace(end_line=span.line, end_column=span.column + len(old)), new)


def with_other_end(facts: RcFacts, span: Span | None, old: str, new: str) -> Iterator[Edit]:
    """The edit that writes `new` where the words of a span end with `old`; none as above."""
    source = _source(facts, span)
    if span is not None and source is not None and _text(source, span).endswith(old):
        start = span.end_column - len(old)
        yield Edit(span._replace(line=span.end_line, column=start), new)


def without(facts: RcFacts, span: Span | None) -> Iterator[Edit]:
    """The edit that takes the words of a span out of their line, which goes with them where no
    others stand on it."""
    words, source = _words_at(facts, span), _source(facts, span)
    if words is None or source is None or span is None:
        return
    line, first, behind = words
    if first == 1 and behind == len(line.words):
        yield Edit(whole_lines(source, line.span.line, line.span.end_line), "")
        return
    before = line.words[first - 1].span
    after = line.words[behind].span if behind < len(line.words) else None
    if before.end_line == span.line or after is None:
        start, end = before[3:], span[3:]
    elif after.line == span.end_line:
        start, end = span[1:3], after[1:3]
    else:
        start, end = (span.line, 1), (after.line, 1)
    yield Edit(Span(span.path, *start, *end), "")


def under_another_command(
    facts: RcFacts, section: RcSection, span: Span | None, command: str
) -> Iterator[Edit]:
    """The edit that has another command read the words of a span; none where others stand on
    their line, too."""
    words = _words_at(facts, span)
    if words is not None and words[1:] == (1, len(words[0].words)):
        yield from rewritten(facts, words[0].head.span, section.command, command)


def line_above(facts: RcFacts, section: RcSection, text: str) -> Iterator[Edit]:
    """The edit that puts a line above the first one of a section."""
    source = _source(facts, section.head)
    if source is not None:
        yield lines_above(source, section.head.line, f"{text}{line_end(source)}")


def _source(facts: RcFacts, span: Span | None) -> SourceFile | None:
    return facts.rc_files.sources.get(span.path) if span is not None else None


def _text(source: SourceFile, span: Span) -> str:
    """The characters of a span that lies on one line."""
    if span.line != span.end_line:
        return ""
    return source.line(span.line)[span.column - 1 : span.end_column - 1]


def _words_at(facts: RcFacts, span: Span | None) -> tuple[RcLine, int, int] | None:
    """The line that the words of a span stand on, the number of the first of them, and that of the
    first word behind them; None where they go on in another line."""
    place = facts.places.get(span.start) if span is not None else None
    if place is None or span is None:
        return None
    line, first = place
    behind = first
    while behind < len(line.words) and line.words[behind].span[3:] <= span[3:]:
        behind += 1
    return (line, first, behind) if line.words[behind - 1].span[3:] == span[3:] else None
