"""The answer to `configs` as text: one config with all it sets, or every config in brief."""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.questions.configs.answer import ConfigsAnswer, NamedConfig
from bazelscope.questions.shared.text_endpoints import suggestion_rows
from bazelscope.questions.shared.text_envelope import add_head, undefined_config_rows
from bazelscope.render.counting import plural
from bazelscope.render.document import Document, Piece, Row, bad, quiet, row, strong

_LINES_SHOWN = 12


def configs_document(
    answer: ConfigsAnswer, written_to: str | None = None, full: bool = False
) -> Document:
    """One config with all it sets, or every config in brief; what went into a drawing is
    only counted."""
    document = Document()
    setup = answer.envelope.setup
    add_head(document, answer.envelope)
    if answer.undefined is not None:
        rows = list(undefined_config_rows(answer.undefined, setup.command))
        rows += suggestion_rows(f"--config={name}" for name in answer.suggestions)
        document.add(rows)
        return document
    if written_to is not None:
        edges = sum(len(config.pulls_in) for config in answer.configs)
        size = f"{plural(len(answer.configs), 'named config')}, {plural(edges, 'edge')}"
        document.add([row(strong(f"{written_to}: {size}"))])
        return document
    if answer.asked is None:
        count = plural(len(answer.configs), "named config")
        document.add([row(strong(f"{count} in the rc files of {setup.workspace}"))])
    for config in answer.configs:
        is_asked = config.name == answer.asked
        shown = _config_rows(config, full or answer.asked is not None, is_asked)
        document.add(shown, _config_title(config))
    if not answer.configs:
        document.add([row(quiet("No rc file defines a named config."))])
    return document


def _config_title(config: NamedConfig) -> tuple[Piece, ...]:
    commands = ", ".join(config.commands)
    return (strong(f"--config={config.name}"), quiet(f"  for {commands}"))


def _config_rows(config: NamedConfig, full: bool, summaries: bool) -> Iterator[Row]:
    several = len(config.sections) > 1
    told: set[str] = set()
    for section in config.sections:
        lines = section.lines if full else section.lines[:_LINES_SHOWN]
        if several:
            yield row(quiet(f"{section.command}:{config.name}"))
        for line in lines:
            yield row(line.text, aside=line.location.short, indent=int(several))
            if summaries and line.summary and line.summary not in told:
                told.add(line.summary)
                yield row(quiet(line.summary), indent=1 + several)
        if len(lines) < len(section.lines):
            more = plural(len(section.lines) - len(lines), "more line")
            yield row(quiet(f"and {more} (--full)"), indent=int(several))
    for missing in config.missing:
        yield row(bad(f"names --config={missing}, which nothing defines"))
    if config.pulled_in_by:
        yield row(quiet("named by " + ", ".join(f"--config={by}" for by in config.pulled_in_by)))
