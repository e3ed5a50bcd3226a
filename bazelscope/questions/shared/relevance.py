"""Which warnings of the rc files concern a question about one flag, config or line.

Errors concern every question, for Bazel would stop at them; so do files that were not read, for
the answer may lack what they set. Another warning concerns an answer if it is about a line that
the answer shows, or names what was asked about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from bazelscope.base.errors import Diagnostic, Severity
from bazelscope.base.source import Location
from bazelscope.questions.flag.answer import ConfigsAnswer, FlagAnswer
from bazelscope.questions.shared.option_answers import OptionSetting

if TYPE_CHECKING:
    from bazelscope.questions.why.answer import Link, WhyAnswer

_NOT_READ = frozenset({"import-limit", "rc-file-not-read"})


def concerning_flag(answer: FlagAnswer) -> tuple[Diagnostic, ...]:
    """The warnings that concern one flag."""
    places = [place for ranked in answer.settings for place in _places(ranked.setting)]
    member = f"={answer.define}" if answer.define else ""
    return _concerning(answer.diagnostics, places, f"`--{answer.asked}{member}")


def concerning_configs(answer: ConfigsAnswer) -> tuple[Diagnostic, ...]:
    """The warnings that concern one config and those it names; all of them if all are asked for."""
    if answer.asked is None:
        return answer.diagnostics
    lines = [
        line.location
        for config in answer.configs
        for section in config.sections
        for line in section.lines
    ]
    return _concerning(answer.diagnostics, lines, f"`{answer.asked}`")


def concerning_why(answer: WhyAnswer) -> tuple[Diagnostic, ...]:
    """The warnings that concern a chain of causes."""
    causes = [link for fact in answer.facts for link in fact.causes]
    return _concerning(answer.diagnostics, _links(causes), answer.asked)


def _places(setting: OptionSetting) -> Iterator[Location]:
    for place in (setting.place, *(cause.place for cause in setting.because_of)):
        if place.location is not None:
            yield place.location


def _links(links: Iterable[Link]) -> Iterator[Location]:
    for link in links:
        if link.location is not None:
            yield link.location
        yield from _links(link.causes)


def _concerning(
    diagnostics: tuple[Diagnostic, ...], places: Iterable[Location], name: str
) -> tuple[Diagnostic, ...]:
    lines = {(place.path, place.line) for place in places}
    return tuple(
        found
        for found in diagnostics
        if found.severity is Severity.ERROR
        or found.span is None
        or found.code in _NOT_READ
        or name in found.message
        or any(
            (span.path, span.line) in lines
            for span in (found.span, *(note.span for note in found.notes))
            if span is not None
        )
    )
