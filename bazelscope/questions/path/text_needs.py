"""What a path needs, as text: the flags, the configs that set them, what may not hold."""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.questions.path.answer import PathAnswer, PathFlags, Tried
from bazelscope.questions.shared.conditions.flag_conditions import (
    FlagCombination,
    FlagCondition,
    Now,
    Verdict,
)
from bazelscope.questions.shared.endpoint_answers import PathOutcome
from bazelscope.questions.shared.phrases import begun, cause_text, location_text, origin_text
from bazelscope.questions.shared.text_flag_conditions import (
    AS_TAKEN_FOR_GRANTED,
    add_clash,
    condition_rows,
    config_rows,
    conflict_rows,
    how_so,
    needs_text,
    now_rows,
    words_of,
)
from bazelscope.render.counting import plural
from bazelscope.render.document import Document, Row, good, quiet, row, strong, warning

_CONFIGS_SHOWN = 5


def add_condition(
    document: Document,
    answer: PathAnswer,
    condition: FlagCondition,
    full: bool,
    shows_path: bool = True,
) -> None:
    """Appends under which flags there is a path, this one or another, and what is so now.
    `shows_path`: its steps stand in the answer, too."""
    if answer.clash is not None:
        add_clash(document, answer.clash, "No flags take any path there")
        return
    if condition.verdict is Verdict.TOO_MANY:
        document.add([row(warning("There are too many cases to say when there is a path."))])
        document.add(_need_rows(answer), "This one takes")
        return
    if condition.verdict is Verdict.ALWAYS:
        is_known = all(step.edge is None or step.edge.is_known for step in answer.steps)
        granted = "" if is_known else f", {AS_TAKEN_FOR_GRANTED}"
        branches = any(
            step.edge is not None and step.edge.branch is not None for step in answer.steps
        )
        ways = ", this way or another" if branches and shows_path else ""
        document.add([row(strong(f"Always, whatever the flags{ways}{granted}."))])
    elif condition.verdict is Verdict.NEVER:
        document.add([row(strong("No flags take any path there."))])
    else:
        told = condition.told
        before = how_so(condition, full).capitalize()
        if len(told) == 1:
            title = (strong(f"{before} "), *map(strong, words_of(told[0])))
            single = tuple(_single_rows(answer, told[0], full))
            if single:
                document.add(single, (*title, strong(":")))
            else:
                document.add([row(*title, strong("."))])
        else:
            several = condition_rows(condition, full)
            document.add(several, (strong(f"{before}:"),))
    needs = needs_text(answer.needs)
    rows: list[Row] = []
    is_one = shows_path and len(condition.alternatives) > 1
    if is_one and needs and not condition.tells_exceptions:
        rows.append(row(quiet(f"The path shown is the one with {needs}.")))
    is_told = (
        answer.outcome is PathOutcome.FOUND
        and len(condition.alternatives) == 1
        and condition.now is Now.NO
    )
    if not is_told or any(not word.is_so for word in condition.alternatives[0].words):
        rows += now_rows(condition, full)
    document.add((*rows, *conflict_rows(condition, full)))


def add_whole_condition(
    document: Document, condition: FlagCondition, full: bool, is_known: bool
) -> None:
    """Appends under which flags there is any of several paths; `is_known`: of one of them
    nothing was taken for granted."""
    if condition.verdict is Verdict.ALWAYS:
        granted = "" if is_known else f", {AS_TAKEN_FOR_GRANTED}"
        document.add([row(strong(f"There is a path whatever the flags{granted}."))])
    elif condition.verdict is Verdict.SOMETIMES:
        title = f"There is a path {how_so(condition, full)}:"
        document.add(condition_rows(condition, full), (strong(title),))
        document.add(now_rows(condition, full))


def _single_rows(answer: PathAnswer, told: FlagCombination, full: bool) -> Iterator[Row]:
    """The configs that set the words of one combination."""
    is_unless = answer.condition is not None and answer.condition.tells_exceptions
    flags = answer.flags
    whole = {source.config for source in flags.configs} if flags else set()
    if len(told.words) != 1:
        yield from config_rows(told, full, indent=0)
        return
    shown = begun(told.configs, _CONFIGS_SHOWN, full)
    for source in shown:
        through = f", through {', '.join(source.through)}" if source.through else ""
        is_enough = flags is None or not told.words[0].is_so or source.config in whole
        spoils = "" if is_enough else ", but not with what else it sets"
        yield row(f"--config={source.config}{through}{spoils}", aside=source.location.short)
    if len(shown) < len(told.configs):
        more = plural(len(told.configs) - len(shown), "more config")
        yield row(quiet(f"and {more} (--full lists all)"))
    need = told.words[0].need
    if not told.configs and told.words[0].is_so and need.text.startswith("--") and not is_unless:
        yield row(quiet("no named config sets it"))
    elif not told.configs and need.setting is not None:
        yield row(quiet(f"asked for by {need.setting}"), aside=location_text(need.location))


def _need_rows(answer: PathAnswer) -> Iterator[Row]:
    """What the path that is shown takes."""
    for need in answer.needs:
        place = origin_text(need)
        aside = place if need.holds else location_text(need.location)
        yield row(need.text, quiet(" is in force") if need.holds else "", aside=aside)
    for combination in answer.forbids:
        yield row(quiet("and not "), " with ".join(need.text for need in combination))


def held_rows(answer: PathAnswer) -> Iterator[Row]:
    """Which flags hold the branches of a path that is taken."""
    for need in answer.needs:
        if need.holds:
            place = cause_text(need.set_by) if need.set_by else origin_text(need)
            yield row(need.text, quiet(" is in force"), aside=place)


def tried_rows(flags: PathFlags, told: list[str]) -> Iterator[Row]:
    """What came of trying the flags, where that goes beyond the needs that are `told`."""
    for need in flags.unmet:
        if need.text.startswith("--"):
            yield row(warning(f"no value found that could stand for {need.text}"))
        else:
            yield row(warning(f"no platform found for it: {need.wanted}"))
    if flags.unmet or flags.tried is Tried.NOT_TRIED:
        return
    words = " ".join(flags.options)
    if flags.tried is Tried.REFUTED:
        yield row(warning(f"but that is not enough: tried {words or 'without more flags'}"))
    elif flags.tried is Tried.UNCERTAIN:
        yield row(warning("perhaps: a branch on the way cannot be told"))
    elif sorted(flags.options) != sorted(told):
        yield row(quiet("in all: "), good(words))
