"""What the names in a question were taken for, and what may hide a path, as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bazelscope.base.label import Label
from bazelscope.questions.shared.endpoint_answers import NameAnswer, UnknownBelow
from bazelscope.questions.shared.phrases import begun_list, location_text
from bazelscope.render.counting import plural
from bazelscope.render.document import USUAL_WIDTH, Row, bad, quiet, row, strong, warning

LISTS_ALL = " (--full lists all)"
_CANDIDATES_SHOWN = 20
_OTHERS_SHOWN = 1
_UNKNOWN_SHOWN = 2


def more_rows(count: int, how: str = " (--full)", indent: int = 0) -> Iterator[Row]:
    """Says how many of a list are not shown, and `how` they are seen; nothing of none."""
    if count > 0:
        yield row(quiet(f"and {count} more{how}"), indent=indent)


def problem_rows(problem: str, suggestions: Iterable[str] = ()) -> Iterator[Row]:
    """Says why a question has no answer, and what was perhaps meant."""
    yield row(bad("error:"), " ", strong(problem))
    yield from suggestion_rows(suggestions)


def suggestion_rows(suggestions: Iterable[str]) -> Iterator[Row]:
    """Says what was perhaps meant, if anything is near."""
    if near := ", ".join(suggestions):
        yield row(f"did you mean {near}?", indent=1)


def name_rows(asked: NameAnswer, full: bool) -> Iterator[Row]:
    """Says why a name means no target, or that nothing known defines its repository."""
    if asked.label is not None and asked.suggestions:
        nothing = f"nothing that is known defines a repository `@{asked.label.repository}`"
        yield row(warning("warning:"), " ", strong(nothing))
        yield from suggestion_rows(asked.suggestions)
    if asked.label is not None or not asked.is_settled:
        return
    yield from problem_rows(asked.why or f"no target is named `{asked.asked}`")
    if asked.label is None:
        shown = asked.candidates if full else asked.candidates[:_CANDIDATES_SHOWN]
        for label in shown:
            yield row(str(label), indent=1)
        yield from more_rows(len(asked.candidates) - len(shown), LISTS_ALL, indent=1)
        yield from suggestion_rows(asked.suggestions)


def namesake_rows(asked: NameAnswer, full: bool) -> Iterator[Row]:
    """Names the other targets that a short name could have meant, in one line."""
    if asked.label is not None and asked.candidates:
        others = begun_list([str(one) for one in asked.candidates], _OTHERS_SHOWN, full, "")
        text = f"using {asked.label} (also called `{asked.asked}`: {others})"
        if len(text) > USUAL_WIDTH and not full:
            text = (
                f"using {asked.label} ({len(asked.candidates)} more called `{asked.asked}`, --full)"
            )
        yield row(quiet(text))


def unknown_below_rows(
    start: NameAnswer, unknown_below: UnknownBelow | None, full: bool, other: bool = False
) -> Iterator[Row]:
    """What below `start` cannot be told, and may hide a path from the answer: in brief how many,
    and the nearest. `other`: a path is known, it would be another, and one line is enough."""
    if unknown_below is None:
        return
    count = plural(unknown_below.total, "target")
    verb, which = ("is", "it") if unknown_below.total == 1 else ("are", "one of them")
    path = "another path" if other else "a path"
    text = f"{count} below {start.label} {verb} not wholly known; {path} might go through {which}"
    if (other or unknown_below.total > _UNKNOWN_SHOWN) and not full:
        yield row(warning(f"{text} (--full)"))
        return
    yield row(warning(f"{text}:"))
    for dependency in unknown_below.first:
        what, label = dependency.attribute, dependency.label
        asks = ""
        if dependency.asked_by is not None and not what:
            asks = f"  of {dependency.asked_by}"
        place = dependency.unknown.location if what else dependency.location
        named = f"{what} of {label}" if what else str(label)
        yield row(named, quiet(asks), aside=location_text(place), indent=1)
        yield row(quiet(f"unknown: {dependency.unknown}"), indent=2)
    told = {dependency.label for dependency in unknown_below.first}
    yield from more_rows(unknown_below.total - len(told), "", indent=1)


RESOLUTION_DOES = "under these flags a toolchain, platform or aspect leads there"
NOT_COUNTED = "Not counted: toolchains, platforms and aspects that Bazel resolves (cquery has them)"
"""Stands where nothing is said to depend, of answers that know written dependencies alone."""


def resolved_path_rows(labels: Iterable[Label]) -> Iterator[Row]:
    """The targets of a path that only the analysis of Bazel makes, in its order."""
    for label in labels:
        yield row(str(label), indent=1)
