"""The answers to `flag` and `configs` as text."""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.questions.flag.answer import ConfigsAnswer, FlagAnswer, NamedConfig, RankedSetting
from bazelscope.questions.shared.option_answers import canonical_text
from bazelscope.questions.shared.phrases import setting_place
from bazelscope.questions.shared.text_setup import setup_text, undefined_config_rows
from bazelscope.render.counting import plural
from bazelscope.render.document import (
    Document,
    Piece,
    Row,
    bad,
    good,
    quiet,
    row,
    strong,
)

_LINES_SHOWN = 12


def flag_document(answer: FlagAnswer) -> Document:
    """The value of one flag, then every instance in precedence order."""
    document = Document()
    document.add(_flag_verdict(answer))
    winners = [ranked for ranked in answer.settings if ranked.counts]
    losers = [ranked for ranked in answer.settings if not ranked.counts]
    document.add(_ranked_rows(winners), "Set by")
    document.add(_ranked_rows(losers[::-1]), "Over")
    undefined = [
        found
        for config in answer.undefined_configs
        for found in undefined_config_rows(config, answer.setup.command)
    ]
    document.add(undefined)
    document.add(_facts_rows(answer))
    return document


def _flag_verdict(answer: FlagAnswer) -> Iterator[Row]:
    yield row(quiet(setup_text(answer.setup)))
    flag = answer.facts.name if answer.facts else answer.asked
    if answer.facts is None and not answer.settings:
        yield row(
            bad("error:"), " ", strong(f"Bazel {answer.setup.table_version} has no flag `{flag}`")
        )
        if answer.known_in:
            yield row(f"known to Bazel {', '.join(answer.known_in)}", indent=1)
        if answer.suggestions:
            names = ", ".join(f"--{name}" for name in answer.suggestions)
            yield row(f"did you mean {names}?", indent=1)
        return
    shown = f"{flag}={answer.define}" if answer.define else flag
    if not answer.values and answer.is_set:
        yield row(strong(f"--{shown}"), " is taken from the environment")
    elif not answer.values:
        yield row(strong(f"--{shown}"), " is not set, and has no default")
    elif answer.define:
        for value in answer.values:
            yield row(strong(f"--{shown}={value}"))
    else:
        for value in answer.values:
            note = (" ", quiet("(default)")) if answer.is_default else ()
            yield row(strong(canonical_text(flag, value)), *note)


def _ranked_rows(settings: list[RankedSetting]) -> Iterator[Row]:
    for ranked in settings:
        setting = ranked.setting
        mark = good("+ ") if ranked.counts else quiet("- ")
        yield row(mark, setting.written, aside=setting_place(setting))


def _facts_rows(answer: FlagAnswer) -> Iterator[Row]:
    facts = answer.facts
    if facts is None:
        return
    text = f"--{facts.name}"
    if facts.abbreviation:
        text += f" (-{facts.abbreviation})"
    text += f" takes {facts.type or 'a value'}"
    if facts.default:
        text += f", default `{facts.default}`"
    if facts.last_of_a_name:
        text += "; the last of each name counts"
    elif facts.accumulates:
        text += "; every instance counts"
    yield row(quiet(text + f"; Bazel {answer.setup.table_version}."))


def configs_document(
    answer: ConfigsAnswer, written_to: str | None = None, full: bool = False
) -> Document:
    """One config with all it sets, or every config in brief; what went into a drawing is
    only counted."""
    document = Document()
    if answer.undefined is not None:
        rows = list(undefined_config_rows(answer.undefined, answer.setup.command))
        if answer.suggestions:
            names = ", ".join(f"--config={name}" for name in answer.suggestions)
            rows.append(row(f"did you mean {names}?", indent=1))
        document.add(rows)
        return document
    if written_to is not None:
        edges = sum(len(config.pulls_in) for config in answer.configs)
        size = f"{plural(len(answer.configs), 'named config')}, {plural(edges, 'edge')}"
        document.add([row(strong(f"{written_to}: {size}"))])
        return document
    if answer.asked is None:
        count = plural(len(answer.configs), "named config")
        document.add([row(strong(f"{count} in the rc files of {answer.setup.workspace}"))])
    for config in answer.configs:
        document.add(_config_rows(config, full or answer.asked is not None), _config_title(config))
    if not answer.configs:
        document.add([row(quiet("No rc file defines a named config."))])
    return document


def _config_title(config: NamedConfig) -> tuple[Piece, ...]:
    commands = ", ".join(config.commands)
    return (strong(f"--config={config.name}"), quiet(f"  for {commands}"))


def _config_rows(config: NamedConfig, full: bool) -> Iterator[Row]:
    several = len(config.sections) > 1
    for section in config.sections:
        lines = section.lines if full else section.lines[:_LINES_SHOWN]
        if several:
            yield row(quiet(f"{section.command}:{config.name}"))
        for line in lines:
            yield row(line.text, aside=line.location.short, indent=int(several))
        if len(lines) < len(section.lines):
            more = plural(len(section.lines) - len(lines), "more line")
            yield row(quiet(f"and {more} (--full)"), indent=int(several))
    for missing in config.missing:
        yield row(bad(f"names --config={missing}, which nothing defines"))
    if config.pulled_in_by:
        yield row(quiet("named by " + ", ".join(f"--config={by}" for by in config.pulled_in_by)))
