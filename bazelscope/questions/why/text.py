"""The answer to `explain --why` as text: the fact, then its causes, each further in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from bazelscope.questions.shared.phrases import begun, location_text, more_text
from bazelscope.questions.shared.text_envelope import add_foot, add_head
from bazelscope.questions.why.answer import Fact, FactKind, Link, Relation, WhyAnswer
from bazelscope.render.document import (
    Document,
    Line,
    Part,
    Row,
    bad,
    good,
    pieces,
    quiet,
    row,
    strong,
    warning,
)

_SHOWN = 6
_READERS_SHOWN = 2
_FACTS_SHOWN = 3
"""Of several facts of one name the first has all of its causes, the others their nearest."""
_READERS = frozenset({Relation.ASKED_BY, Relation.READ_BY})
_LONGEST_TEXT = 110

_WORDS = {
    Relation.SET_BY: "set by",
    Relation.EXPANDED_FROM: "because of",
    Relation.IMPORTED: "from the imported",
    Relation.OVER: "over",
    Relation.DEFAULT: "default",
    Relation.ASKED_BY: "asked for by",
    Relation.MEETS: "because",
    Relation.WANTS: "wants",
    Relation.UNKNOWN: "cannot be told:",
    Relation.ALIAS_OF: "alias of",
    Relation.TAKES: "takes branch",
    Relation.NOT_TAKEN: "not",
    Relation.GIVES: "gives",
    Relation.TERM: "from",
    Relation.DEFINED: "defined",
    Relation.CALLED: "made by",
    Relation.INSIDE: "inside",
    Relation.JOINED_BY: "needed as",
    Relation.LOADED: "loaded:",
    Relation.STEP: "through",
    Relation.SHADOWS: "instead of",
    Relation.CONTENT: "content",
    Relation.READ_BY: "read by the rule of",
    Relation.SETS: "sets",
    Relation.MAY_DEFINE: "may be defined by",
    Relation.MAKES: "makes",
    Relation.MENTIONED: "has it:",
}

_OUTCOMES = {"does-not-hold": "does not hold"}
_NEGATIVE = frozenset({"does-not-hold", "unknown", "undefined", "cut off by the flags", "not set"})


def why_document(answer: WhyAnswer, full: bool = False) -> Document:
    """Each fact that the name is about, with the whole chain of its causes."""
    document = Document()
    add_head(document, answer.envelope, tells_setup=True)
    if not answer.facts:
        document.add(_nothing(answer))
    shown = begun(answer.facts, _FACTS_SHOWN, full)
    for number, fact in enumerate(shown):
        is_whole = full or not number or fact.kind is FactKind.MENTION
        causes = fact.causes if is_whole else _first_cause(fact.causes)
        rows = list(_cause_rows(causes, full, 0))
        if not rows:
            is_file = fact.kind is FactKind.DEFINITION
            rows = [row(quiet("nothing in this build comes to it" if is_file else "no cause"))]
        document.add(rows, _title(fact))
    if len(shown) < len(answer.facts):
        document.add([row(quiet(more_text(len(answer.facts) - len(shown)).strip()))])
    add_foot(document, answer.envelope, full, told_setup=True)
    return document


def _nothing(answer: WhyAnswer) -> Iterator[Row]:
    yield row(bad("error:"), " ", strong(f"nothing in this build mentions `{answer.asked}`"))
    if answer.suggestions:
        yield row("did you mean ", ", ".join(answer.suggestions), "?", indent=1)


def _first_cause(causes: Sequence[Link]) -> list[Link]:
    return [replace(cause, causes=()) for cause in causes[:1]]


def _title(fact: Fact) -> Line:
    value = _OUTCOMES.get(fact.value, fact.value)
    style = bad if fact.value in _NEGATIVE else good
    parts: list[Part] = [strong(fact.name)]
    if fact.kind in _WITH_VALUE and fact.value not in _NEGATIVE:
        parts += [strong(f"={value}"), quiet(f"  {_KINDS[fact.kind]}")]
    else:
        parts += [quiet(f"  {_KINDS[fact.kind]}: "), style(value)]
    place = location_text(fact.location)
    return pieces([*parts, quiet(f"  {place}") if place else ""])


_WITH_VALUE = frozenset({FactKind.FLAG, FactKind.DEFINE, FactKind.VARIABLE})


_KINDS = {
    FactKind.FLAG: "option",
    FactKind.DEFINE: "define",
    FactKind.CONFIG: "config",
    FactKind.VARIABLE: "variable for actions or repositories",
    FactKind.RC_LINE: "line",
    FactKind.RC_FILE: "rc file",
    FactKind.BAZEL: "version",
    FactKind.CONSTRAINT: "constraint of the platform",
    FactKind.CONDITION: "condition",
    FactKind.TARGET: "target",
    FactKind.ATTRIBUTE: "attribute",
    FactKind.DEPENDENCY: "dependency",
    FactKind.REPOSITORY: "repository",
    FactKind.DEFINITION: "defined",
    FactKind.MENTION: "in the workspace's files",
}


def _cause_rows(causes: Sequence[Link], full: bool, indent: int) -> Iterator[Row]:
    """Causes of one kind stand together; of many, some are shown."""
    for relation, group in groupby(causes, key=lambda cause: cause.relation):
        alike = list(group)
        most = _READERS_SHOWN if relation in _READERS else _SHOWN
        shown = begun(alike, most, full or relation is Relation.STEP)
        for cause in shown:
            yield _row(cause, full, indent)
            yield from _cause_rows(cause.causes, full, indent + 1)
        if len(shown) < len(alike):
            yield row(quiet(more_text(len(alike) - len(shown)).strip()), indent=indent)


def _row(cause: Link, full: bool, indent: int) -> Row:
    word = _WORDS[cause.relation]
    style = warning if cause.relation in (Relation.UNKNOWN, Relation.WANTS) else quiet
    text = cause.text
    if not full and len(text) > _LONGEST_TEXT and cause.relation is not Relation.UNKNOWN:
        start = text[: _LONGEST_TEXT - 4].rpartition(" ")[0]
        text = f"{start} ..." if start else text
    detail = _OUTCOMES.get(cause.detail, cause.detail)
    note = quiet(f"  {detail}") if detail else ""
    return row(style(word), " ", text, note, aside=location_text(cause.location), indent=indent)
