"""The answer to `flag` as text: the value, who set it, and what that beat."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from bazelscope.bazel.option_history import OptionChange, lifetime
from bazelscope.bazel.release import known_releases
from bazelscope.flags.flag_values import canonical_text
from bazelscope.questions.flag.answer import FlagAnswer, FlagFacts, RankedSetting
from bazelscope.questions.shared.phrases import setting_place
from bazelscope.questions.shared.text_endpoints import problem_rows, suggestion_rows
from bazelscope.questions.shared.text_envelope import head_blocks, setup_text
from bazelscope.questions.shared.text_option_effects import rows_of_effects, strip_text
from bazelscope.render.document import Document, Row, good, quiet, row, strong, warning

_CONFIG = "config="


def flag_document(answer: FlagAnswer) -> Document:
    """The value of one flag, then every instance in precedence order."""
    document = Document()
    document.add(_flag_verdict(answer))
    winners = [ranked for ranked in answer.settings if ranked.counts]
    losers = [ranked for ranked in answer.settings if not ranked.counts]
    document.add(_ranked_rows(winners), "Set by")
    over = "Over" if answer.unknown is None else "Over these, unless each value counts"
    document.add(_ranked_rows(losers[::-1]), over)
    document.add(chain.from_iterable(head_blocks(answer.envelope)))
    effects = list(rows_of_effects(answer.compiler))
    if answer.strips is not None:
        effects.append(row(strip_text(answer.strips, answer.mode)))
    document.add(effects, "For the compiler and the linker" if effects else "")
    document.add(_facts_rows(answer))
    return document


def _flag_verdict(answer: FlagAnswer) -> Iterator[Row]:
    setup = answer.envelope.setup
    yield row(quiet(setup_text(setup)))
    flag = answer.facts.name if answer.facts else answer.asked
    if answer.unknown is not None:
        for value in answer.values:
            yield row(strong(canonical_text(flag, value)))
        text = "nothing is known of this flag but what sets it"
        if not answer.settings:
            text = f"nothing sets `{flag}`, and whether it is a flag cannot be told"
        yield row(warning(f"{text}: {answer.unknown}"))
        yield from suggestion_rows(f"--{name}" for name in answer.suggestions)
        return
    if answer.facts is None and not answer.settings:
        problem = f"Bazel {setup.bazel_version} has no flag `{flag}`"
        if flag.startswith(("//", "@")):
            problem = f"`{flag}` is no flag: no build setting of that label is known"
        yield from problem_rows(problem)
        if answer.known_in:
            yield row(f"Bazel has it {lifetime(flag)}", indent=1)
        for name in answer.suggestions:
            if name.startswith(_CONFIG):
                config = name.removeprefix(_CONFIG)
                told = f"`bazelscope configs {config}` tells what it sets"
                yield row(f"`{config}` is a config: {told}", indent=1)
        near = (name for name in answer.suggestions if not name.startswith(_CONFIG))
        yield from suggestion_rows(f"--{name}" for name in near)
        return
    shown = f"{flag}={answer.define}" if answer.define else flag
    if not answer.values and answer.is_set:
        yield row(strong(f"--{shown}"), " is taken from the environment")
    elif not answer.values:
        yield row(strong(f"--{shown}"), " is not set, and has no default")
        yield from suggestion_rows(f"--{name}" for name in answer.suggestions)
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
        yield row(mark, setting.text, aside=setting_place(setting))


def _facts_rows(answer: FlagAnswer) -> Iterator[Row]:
    facts = answer.facts
    if facts is None:
        return
    if facts.summary:
        yield row(facts.summary)
    text = f"--{facts.name}"
    if facts.abbreviation:
        text += f" (-{facts.abbreviation})"
    text += f" takes {'no value' if facts.type == 'void' else facts.type or 'a value'}"
    if facts.default:
        text += f", default `{facts.default}`"
    if facts.last_of_a_name:
        text += "; the last of each name counts"
    elif facts.accumulates:
        text += "; every instance counts"
    if facts.scope:
        text += f"; its scope is {facts.scope}"
    if facts.reaches_tools is False:
        text += "; tools have its default"
    place = facts.declared_at.short if facts.declared_at is not None else ""
    yield row(quiet(text + "."), aside=place)
    yield from _history_rows(facts, answer.envelope.setup.bazel_version)


def _history_rows(facts: FlagFacts, version: str) -> Iterator[Row]:
    """Since when, until when, and what it was called; nothing for what every release has alike."""
    if not facts.is_certain:
        yield row(f"Whether Bazel {version} has it is not known here.")
    shown = [_change_text(change) for change in facts.changes]
    if facts.former_names:
        names = ", ".join(f"--{name}" for name in facts.former_names)
        shown.append(f"also called {names}")
    if shown:
        is_new = bool(facts.changes) and facts.changes[0].what == "added"
        begun = "" if is_new else f"known since {known_releases()[0]}; "
        yield row(quiet(f"History: {begun}{'; '.join(shown)}."))


def _change_text(change: OptionChange) -> str:
    release, after = change.release, change.after
    texts = {
        "added": f"new in {release} (not in {after})",
        "removed": f"gone in {release} (last in {after})",
        "undocumented": f"hidden or gone in {release} (documented last in {after})",
        "gone": f"gone for certain in {release}",
        "renamed": f"called --{change.now} since {release}",
        "type": f"takes {change.now} since {release} (before: {change.before})",
        "default": f"default `{change.now}` since {release} (before: `{change.before}`)",
        "repeats": f"since {release} "
        + ("every instance counts" if change.now == "true" else "the last instance counts"),
        "deprecated": f"deprecated in {release}" + (f": {change.now}" if change.now else ""),
    }
    return texts[change.what]
