"""The answer to `when` as text: the condition, what holds now, what makes and what ends it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bazelscope.questions.shared.nodes import ConfigSource, EdgeAnswer, OptionNeed
from bazelscope.questions.shared.phrases import location_text, setting_place
from bazelscope.questions.shared.text_endpoints import name_rows, unknown_below_rows
from bazelscope.questions.shared.text_envelope import add_foot, add_head
from bazelscope.questions.when.answer import (
    AddedWords,
    FlagCombination,
    FlagWord,
    Now,
    Verdict,
    WhenAnswer,
)
from bazelscope.render.counting import plural
from bazelscope.render.document import (
    Document,
    Part,
    Row,
    good,
    pieces,
    quiet,
    row,
    strong,
    warning,
)

_CONFIGS_SHOWN = 4
_SHOWN = 8
_TARGETS_SHOWN = 3


def when_document(answer: WhenAnswer, full: bool = False) -> Document:
    """Under which flags it is so, then what holds now and what would change it."""
    document = Document()
    add_head(document, answer.envelope)
    if answer.verdict is Verdict.NAME_UNKNOWN:
        document.add(name_rows(answer.source, full))
        document.add(name_rows(answer.target, full) if answer.target else ())
    elif answer.verdict is Verdict.SOMETIMES:
        document.add(_condition_rows(answer, full), pieces((strong(_title(answer)),)))
    else:
        document.add([row(strong(_title(answer)))])
    if answer.fixed:
        told = ", ".join(need.text if need.holds else f"not {need.text}" for need in answer.fixed)
        document.add([row(quiet(f"Taken as the command line says: {told}."))])
    document.add(_now_rows(answer))
    document.add(_conflict_rows(answer, full), "Bazel refuses")
    document.add(_edge_rows(answer.shared), "Every path takes")
    document.add(_edge_rows(answer.cut), "Without these dependencies there would be no path")
    document.add(
        (row(str(unknown), aside=location_text(unknown.location)) for unknown in answer.unknowns),
        "Nobody can tell from the files",
    )
    document.add(unknown_below_rows(answer.source, answer.unknown_below))
    if answer.verdict is not Verdict.NAME_UNKNOWN:
        document.add(_namesake_rows(answer))
    add_foot(document, answer.envelope, full)
    return document


def _namesake_rows(answer: WhenAnswer) -> Iterator[Row]:
    for asked in (answer.source, answer.target):
        if asked is not None and asked.candidates and asked.label is not None:
            others = ", ".join(map(str, asked.candidates[:_TARGETS_SHOWN]))
            yield row(quiet(f"Using {asked.label} (also called {asked.asked}: {others})"))


def _subject(answer: WhenAnswer) -> tuple[str, str]:
    """What it is about, and what is said of it where it is so."""
    source = str(answer.source.label)
    if answer.target is None:
        return source, "can be built"
    members = answer.target.members
    is_one = answer.target.label is not None and len(members) < 2
    return source, f"needs {answer.target.label if is_one else answer.target.asked}"


def _title(answer: WhenAnswer) -> str:
    source, so = _subject(answer)
    if answer.verdict is Verdict.ALWAYS:
        other = "other " if answer.fixed else ""
        return f"{source} {so} always, whatever the {other}flags."
    if answer.verdict is Verdict.TOO_MANY:
        return f"There are too many cases to say when {source} {so}."
    if answer.verdict is Verdict.NEVER:
        if answer.target is None:
            return f"{source} can never be built: Bazel refuses it whatever the flags."
        if not answer.has_chain:
            return f"{source} never {so}: no chain of dependencies leads there."
        return f"{source} never {so}: it would take select()s that no flags take together."
    if _tells_exceptions(answer):
        return f"{source} {so} always, unless{_one_of(answer.exceptions)}:"
    return f"{source} {so} only with{_one_of(answer.alternatives)}:"


def _one_of(alternatives: tuple[FlagCombination, ...]) -> str:
    return " one of these" if len(alternatives) > 1 else ""


def _tells_exceptions(answer: WhenAnswer) -> bool:
    return _length(answer.exceptions) < _length(answer.alternatives)


def _length(alternatives: Iterable[FlagCombination]) -> int:
    return sum(1 + sum(1 if word.is_so else 2 for word in one.words) for one in alternatives)


def _condition_rows(answer: WhenAnswer, full: bool) -> Iterator[Row]:
    told = answer.exceptions if _tells_exceptions(answer) else answer.alternatives
    shown = told if full else told[:_SHOWN]
    for alternative in shown:
        yield row(*_words(alternative), aside=_asked_at(alternative))
        yield from _config_rows(alternative, full)
    if len(shown) < len(told):
        more = plural(len(told) - len(shown), "longer combination")
        yield row(quiet(f"and {more} (--full lists all)"))
    if not answer.is_complete:
        yield row(warning("and more: there are too many combinations to list"))


def _asked_at(alternative: FlagCombination) -> str:
    return location_text(alternative.words[0].need.location) if alternative.words else ""


def _words(alternative: FlagCombination) -> Iterator[Part]:
    """`--define=a=1 and --cpu=k8, unless --define=b=1`."""
    to_set = [word for word in alternative.words if word.is_so]
    against = [word for word in alternative.words if not word.is_so]
    yield " and ".join(map(_word, to_set))
    if against:
        yield quiet(", unless " if to_set else "anything but ")
        yield " or ".join(map(_word, against))


def _word(word: FlagWord) -> str:
    return word.need.text if word.unknown is None else f"{word.need.text} (which is not known)"


def _config_rows(alternative: FlagCombination, full: bool) -> Iterator[Row]:
    if alternative.configs:
        sets = "set by " if len(alternative.words) == 1 else "all set by "
        yield from _sources(sets, alternative.configs, full)
        return
    for word in alternative.words:
        if word.is_so and word.need.configs:
            yield from _sources(f"{word.need.text} is set by ", word.need.configs, full)


def _sources(before: str, sources: tuple[ConfigSource, ...], full: bool) -> Iterator[Row]:
    shown = sources if full else sources[:_CONFIGS_SHOWN]
    names = ", ".join(f"--config={source.config}" for source in shown)
    more = f" and {len(sources) - len(shown)} more" if len(shown) < len(sources) else ""
    places = ", ".join(dict.fromkeys(source.location.short for source in shown))
    yield row(quiet(before), good(names), quiet(more), aside=places, indent=1)


def _now_rows(answer: WhenAnswer) -> Iterator[Row]:
    """Whether it is so now, by whom, and what changes that."""
    if answer.verdict is not Verdict.SOMETIMES:
        return
    if answer.now is Now.REFUSED:
        yield row(warning("Bazel refuses to build it under the flags as they are."))
    elif answer.now is Now.UNKNOWN:
        yield row(warning("Whether it is so now cannot be told."))
    elif answer.now is Now.YES:
        yield row(good("So now"), *_causes(answer.alternatives, answer.exceptions))
    else:
        yield row(strong("Not so now"), *_causes(answer.exceptions, answer.alternatives))
    if answer.making is not None:
        yield row("To make it so, add ", good(_line(answer.making)))
    if answer.ending is not None:
        yield row("To end it, add ", good(_line(answer.ending)))


def _line(line: AddedWords) -> str:
    return " ".join(line.words)


def _causes(
    ways: tuple[FlagCombination, ...], others: tuple[FlagCombination, ...]
) -> Iterator[Part]:
    """Why one of `ways` holds now, and none of `others`: who set the words that decide."""
    holding = [one for one in ways if all(w.need.holds == w.is_so for w in one.words)]
    for alternative in holding[:1]:
        told = [word.need for word in alternative.words]
        yield ": " + ", ".join(_state(need) for need in told)
    if not holding:
        yield "."


def _state(need: OptionNeed) -> str:
    place = f" ({setting_place(need.set_by)})" if need.set_by else ""
    if need.holds:
        return f"{need.text}{place or ' (the default)'}"
    if need.got is None:
        return f"{need.what} is not set"
    return f"{need.what} is {need.got}{place or ' (the default)'}"


def _conflict_rows(answer: WhenAnswer, full: bool) -> Iterator[Row]:
    shown = answer.conflicts if full else answer.conflicts[:_CONFIGS_SHOWN]
    for conflict in shown:
        yield row(*_words(conflict))
    if len(shown) < len(answer.conflicts):
        more = plural(len(answer.conflicts) - len(shown), "other combination")
        yield row(quiet(f"and {more} (--full lists all)"))


def _edge_rows(edges: Iterable[EdgeAnswer]) -> Iterator[Row]:
    for edge in edges:
        attribute = f"  {edge.attribute}" if edge.attribute else ""
        yield row(
            str(edge.source),
            quiet(" -> "),
            str(edge.target),
            quiet(attribute),
            aside=location_text(edge.location),
        )
