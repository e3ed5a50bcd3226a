"""The answer to `explain --why` as text: the fact, then its causes, each further in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from bazelscope.questions.shared.phrases import begun, content_text, location_text, more_text
from bazelscope.questions.shared.text_endpoints import namesake_rows, problem_rows
from bazelscope.questions.shared.text_envelope import add_foot, add_head
from bazelscope.questions.why.answer import (
    NOT_IN_FORCE,
    Fact,
    FactKind,
    Link,
    Relation,
    WhyAnswer,
)
from bazelscope.render.counting import plural
from bazelscope.render.document import (
    Document,
    Line,
    Part,
    Row,
    bad,
    fitting,
    good,
    lines_taken,
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
_CALLS = frozenset({Relation.DEFINED, Relation.CALLED, Relation.INSIDE})
_READERS = frozenset({Relation.ASKED_BY, Relation.READ_BY})
_EDITED = frozenset({Relation.TERM, Relation.SET_BY, Relation.OVER, Relation.USED_BY})
_OF_TAKEN = frozenset({Relation.TAKES, Relation.GIVES, Relation.UNKNOWN})
_LONGEST_TEXT = 110
_MOST_LINES = 15
_NO_CAUSES, _FEW_STEPS, _ONE_FACT, _FEW_CALLS = 2, 3, 4, 5
_BRIEFEST = _FEW_CALLS
_LONGEST_IN_BRIEF = 60
_STEPS_SHOWN = 4
_WORTH_A_LINE = 2

_WORDS = {
    Relation.SET_BY: "set by",
    Relation.EXPANDED_FROM: "because of",
    Relation.IMPORTED: "from the imported",
    Relation.OVER: "over",
    Relation.DEFAULT: "default",
    Relation.PROVIDED: "its implementation says",
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
    Relation.CONTENT: "from",
    Relation.READ_BY: "read by the rule of",
    Relation.SETS: "sets",
    Relation.MAY_DEFINE: "may be defined by",
    Relation.MAKES: "makes",
    Relation.USED_BY: "used by",
    Relation.MENTIONED: "has it:",
    Relation.CHOSEN_BY: "chosen by",
    Relation.KNOWN_TO: "known to",
    Relation.NOT_KNOWN_TO: "not known to",
    Relation.MAY_SET: "would be set by",
    Relation.HOLDS_WITH: "would hold with",
}

_OUTCOMES = {"does-not-hold": "does not hold"}
_NEGATIVE = frozenset({"does-not-hold", "unknown", "undefined", "cut off by the flags", "not set"})


def why_document(answer: WhyAnswer, full: bool = False, around: int = 0) -> Document:
    """Each fact that the name is about, with the whole chain of its causes; `around`: how many
    lines stand before and below it."""
    if full:
        return _document(answer, full, 0)
    most = _MOST_LINES - around
    return fitting(lambda brevity: _document(answer, full, brevity), most, _BRIEFEST)


def _document(answer: WhyAnswer, full: bool, brevity: int) -> Document:
    """The answer, so brief."""
    document = Document()
    add_head(document, answer.envelope, tells_setup=True, full=full)
    # The causes may name no target: which one is meant is said all the same.
    document.add(line for name in answer.names for line in namesake_rows(name, full))
    if not answer.facts:
        problem = f"nothing in this build mentions `{answer.asked}`"
        document.add(problem_rows(problem, answer.suggestions))
    shown = begun(answer.facts, _FACTS_SHOWN, full)
    shown = shown[:1] if brevity >= _ONE_FACT else shown
    rest = len(answer.facts) - len(shown)
    for number, fact in enumerate(shown):
        is_whole = full or not number or fact.kind is FactKind.MENTION
        causes = [one for one in fact.causes if not _is_told_of_repository(fact, one)]
        causes = causes if is_whole else [replace(cause, causes=()) for cause in causes[:1]]
        causes = causes if full else _defined_once(causes)
        rows = list(_cause_rows(_brief(causes, brevity), full, 0, brevity >= _FEW_STEPS))
        if not rows and fact.kind is FactKind.RC_LINE:
            document.add([Row(_title(fact))])
            continue
        if not rows:
            rows = [row(quiet(_without_causes(answer, fact)))]
        if brevity >= _FEW_CALLS and rest:
            rows.append(row(quiet(_more_facts(rest))))
        document.add(rows, _title(fact, brevity >= _ONE_FACT))
    if rest and brevity < _FEW_CALLS:
        document.add([row(quiet(_more_facts(rest)))])
    add_foot(document, answer.envelope, full, told_setup=True)
    return document


def _more_facts(count: int) -> str:
    return f"{count} more of that name (--full)"


def _without_causes(answer: WhyAnswer, fact: Fact) -> str:
    """What is said of a fact that nothing is known to lead to."""
    if fact.kind is not FactKind.DEFINITION:
        return "no cause"
    if not answer.names:
        return "no target is on the line: name one to see what it has of this"
    if fact.name.startswith(("//", "@")):
        return "nothing in this build comes to it"
    return "no call of it is known to be for these targets; calls in .bzl files are not followed"


def _brief(causes: Sequence[Link], brevity: int) -> list[Link]:
    """The causes; `brevity`: calls shortened, and of each step between two targets its nearest
    cause, then none, then only the first steps and the last one; in the end the outermost of the
    calls alone that something is made inside of."""
    if not brevity:
        return list(causes)
    shortened = []
    for cause in _brief_terms(causes, brevity):
        if cause.relation in _CALLS:
            cause = replace(cause, text=_shortened(cause.text, _LONGEST_IN_BRIEF))
            if brevity >= _FEW_CALLS:
                cause = replace(cause, causes=_outermost(cause.causes, Relation.INSIDE, "call"))
        elif cause.relation is Relation.SET_BY and brevity >= _ONE_FACT:
            configs = _outermost(cause.causes, Relation.EXPANDED_FROM, "config")
            cause = replace(cause, causes=configs)
        inner: Sequence[Link] = _brief(cause.causes, brevity)
        if cause.relation is Relation.STEP:
            terms = [one for one in inner if one.relation is Relation.TERM][:1]
            inner = [replace(one, causes=()) for one in terms if brevity < _NO_CAUSES]
        shortened.append(replace(cause, causes=tuple(inner)))
    if brevity < _FEW_STEPS:
        return shortened
    return _few_steps(shortened, _STEPS_SHOWN - (brevity >= _ONE_FACT) - (brevity >= _FEW_CALLS))


def _brief_terms(causes: Sequence[Link], brevity: int) -> list[Link]:
    """The terms of a value: those that give nothing are counted, the others say in one line what
    they give; then without the branches that are not taken, and in the end few of them."""
    terms = [one for one in causes if one.relation is Relation.TERM]
    giving = [one for one in terms if _given(one)]
    if not giving and brevity >= _NO_CAUSES:
        return [_without_wants(one) for one in causes]
    if len(terms) < _WORTH_A_LINE or not giving:
        return list(causes)
    most = _STEPS_SHOWN - (brevity >= _ONE_FACT) - (brevity >= _FEW_CALLS)
    kept = begun(giving, most, brevity < _ONE_FACT)
    counts = [f"{plural(len(giving) - len(kept), 'more term')}"] if len(kept) < len(giving) else []
    if len(giving) < len(terms):
        counts.append(f"{plural(len(terms) - len(giving), 'term')} without a value here")
    rest = [Link(Relation.TERM, f"{' and '.join(counts)} (--full)")] if counts else []
    others = [one for one in causes if one.relation is not Relation.TERM]
    return [*(_brief_term(one, brevity) for one in kept), *rest, *others]


def _without_wants(term: Link) -> Link:
    """A term that names the branches that it does not take, and no more."""
    branches = [
        replace(one, causes=()) if one.relation is Relation.NOT_TAKEN else one
        for one in term.causes
    ]
    return replace(term, causes=tuple(branches)) if term.relation is Relation.TERM else term


def _given(term: Link) -> list[str]:
    """What a term gives, by itself or by the branch that it takes."""
    return [
        one.text
        for link in (term, *term.causes)
        for one in link.causes
        if one.relation is Relation.GIVES
    ]


def _brief_term(term: Link, brevity: int) -> Link:
    if brevity >= _ONE_FACT:
        taken = [one for one in term.causes if one.relation is Relation.TAKES]
        bare = tuple(replace(one, causes=()) for one in taken)
        given = _given(term)
        what = given[0] if len(given) == 1 else plural(len(given), "value")
        return replace(term, detail=f"gives {what}", causes=bare)
    causes = [one for one in term.causes if brevity < _NO_CAUSES or one.relation in _OF_TAKEN]
    return _given_at_once(replace(term, causes=tuple(map(_given_at_once, causes))))


def _given_at_once(cause: Link) -> Link:
    """A term or a branch with all that it gives in one line."""
    texts = [one.text for one in cause.causes if one.relation is Relation.GIVES]
    if len(texts) < _WORTH_A_LINE:
        return cause
    others = [one for one in cause.causes if one.relation is not Relation.GIVES]
    return replace(cause, causes=(Link(Relation.GIVES, _listed(texts)), *others))


def _listed(texts: Sequence[str]) -> str:
    """The first of them in one line, and how many more there are."""
    shown = list(texts[:1])
    for text in texts[1:]:
        if len(", ".join((*shown, text))) > _LONGEST_IN_BRIEF:
            break
        shown.append(text)
    more = len(texts) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def _outermost(causes: Sequence[Link], relation: Relation, what: str) -> tuple[Link, ...]:
    """The call, or the config, that a chain of them leads out to, in place of them all."""
    inner, between = tuple(causes), 0
    while len(inner) == 1 and inner[0].relation is relation and inner[0].causes:
        inner, between = inner[0].causes, between + 1
    if between < _WORTH_A_LINE or len(inner) != 1:
        return tuple(causes)
    return (replace(inner[0], text=f"{inner[0].text}, {plural(between, what)} between"),)


def _without_long_place(one: Row) -> Row:
    """A row without its place, if that would take a line of its own."""
    return replace(one, aside=()) if lines_taken([one]) > [1] else one


def _few_steps(causes: list[Link], most: int) -> list[Link]:
    """The causes with the first steps and the last one alone."""
    steps = [one for one in causes if one.relation is Relation.STEP]
    left_out = len(steps) - most
    if left_out < _WORTH_A_LINE:
        return causes
    gone = steps[most - 1 : -1]
    told = Link(Relation.STEP, f"{left_out} more targets (--full)")
    kept = [one for one in causes if one not in gone]
    kept.insert(kept.index(steps[-1]), told)
    return kept


def _defined_once(causes: Sequence[Link]) -> list[Link]:
    """The causes, with the lines that define one thing told as the first of them."""
    defined = [one for one in causes if one.relation is Relation.DEFINED]
    if len(defined) <= _WORTH_A_LINE or len({one.text for one in defined}) > 1:
        return list(causes)
    first = replace(defined[0], text=f"{defined[0].text}, in {len(defined)} lines")
    return [first if one is defined[0] else one for one in causes if one not in defined[1:]]


def _title(fact: Fact, is_brief: bool = False) -> Line:
    """What it is about; `is_brief`: without a place that would take a line of its own, if the
    line that defines it has the same."""
    value = _OUTCOMES.get(fact.value, fact.value)
    if fact.kind is FactKind.REPOSITORY:
        value = content_text(
            value, next((one.text for one in fact.causes if _is_told_of_repository(fact, one)), "")
        )
    is_negative = fact.value in _NEGATIVE or fact.value.startswith(NOT_IN_FORCE)
    style = bad if is_negative else good
    parts: list[Part] = [strong(fact.name)]
    if fact.kind in _WITH_VALUE and not is_negative:
        parts += [strong(f"={value}"), quiet(f"  {_KINDS[fact.kind]}")]
    else:
        parts += [quiet(f"  {_KINDS[fact.kind]}: "), style(value)]
    title = pieces([*parts, quiet(f"  {place}") if (place := location_text(fact.location)) else ""])
    defined = [one.location for one in fact.causes if one.relation is Relation.DEFINED]
    is_told = is_brief and fact.location in defined
    return pieces(parts) if is_told and lines_taken([Row(title)]) > [1] else title


def _is_told_of_repository(fact: Fact, cause: Link) -> bool:
    """That the title of a repository says a cause already."""
    return fact.kind is FactKind.REPOSITORY and cause.relation is Relation.UNKNOWN


_WITH_VALUE = frozenset({FactKind.FLAG, FactKind.DEFINE, FactKind.VARIABLE})


_KINDS = {
    FactKind.FLAG: "option",
    FactKind.DEFINE: "define",
    FactKind.CONFIG: "config",
    FactKind.VARIABLE: "variable for actions or repositories",
    FactKind.RC_LINE: "line",
    FactKind.RC_FILE: "rc file",
    FactKind.BAZEL: "version",
    FactKind.CAPABILITY: "CUDA compute capability",
    FactKind.CONSTRAINT: "constraint of the platform",
    FactKind.CONDITION: "condition",
    FactKind.TARGET: "target",
    FactKind.ATTRIBUTE: "attribute",
    FactKind.DEPENDENCY: "dependency",
    FactKind.REPOSITORY: "repository",
    FactKind.DEFINITION: "defined",
    FactKind.MENTION: "in the workspace's files",
}


def _cause_rows(causes: Sequence[Link], full: bool, indent: int, is_brief: bool) -> Iterator[Row]:
    """Causes of one kind stand together; of many, some are shown. `is_brief`: without places that
    would take lines of their own, but for those that one may want to edit."""
    for relation, group in groupby(causes, key=lambda cause: cause.relation):
        causes_of_group = list(group)
        alike = causes_of_group if full else _addresses(causes_of_group)
        most = _READERS_SHOWN if relation in _READERS else _SHOWN
        shown = begun(alike, most, full or relation is Relation.STEP)
        for cause in shown:
            one = _row(cause, full, indent)
            keeps = not is_brief or relation in _EDITED
            yield one if keeps else _without_long_place(one)
            yield from _cause_rows(cause.causes, full, indent + 1, is_brief)
        if len(shown) < len(alike):
            yield row(quiet(more_text(len(alike) - len(shown)).strip()), indent=indent)


def _addresses(causes: list[Link]) -> list[Link]:
    """The causes, of several addresses of one archive the last: mirrors stand before it."""
    urls = [one for one in causes if one.relation is Relation.CONTENT and "://" in one.text]
    if len(urls) < _WORTH_A_LINE:
        return causes
    others = plural(len(urls) - 1, "other address", "other addresses")
    last = replace(urls[-1], detail=f"and {others}")
    return [last, *(one for one in causes if one not in urls)]


def _row(cause: Link, full: bool, indent: int) -> Row:
    word = _WORDS[cause.relation]
    if cause.relation is Relation.CONTENT and "://" not in cause.text:
        word = "BUILD file"
    style = warning if cause.relation in (Relation.UNKNOWN, Relation.WANTS) else quiet
    text = cause.text
    if not full and len(text) > _LONGEST_TEXT and cause.relation is not Relation.UNKNOWN:
        text = _shortened(text, _LONGEST_TEXT)
    detail = _OUTCOMES.get(cause.detail, cause.detail)
    note = quiet(f"  {detail}") if detail else ""
    return row(style(word), " ", text, note, aside=location_text(cause.location), indent=indent)


def _shortened(text: str, most: int) -> str:
    """A text that ends at a word, and says so."""
    if len(text) <= most:
        return text
    start = text[: most - 4].rpartition(" ")[0].removesuffix(" ...")
    return f"{start} ..." if start else text
