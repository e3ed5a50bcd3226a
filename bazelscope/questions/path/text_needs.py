"""What a path needs, as text: the flags, the configs that set them, what may not hold."""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.analysis.paths.clashes import ClashKind
from bazelscope.questions.path.answer import ClashAnswer, ListedPath, PathAnswer, PathFlags, Tried
from bazelscope.questions.shared.endpoint_answers import PathOutcome
from bazelscope.questions.shared.flag_conditions import (
    FlagCombination,
    FlagCondition,
    Now,
    Verdict,
)
from bazelscope.questions.shared.nodes import OptionNeed
from bazelscope.questions.shared.phrases import location_text, setting_place
from bazelscope.questions.shared.text_flag_conditions import (
    condition_rows,
    config_rows,
    conflict_rows,
    now_rows,
    one_of,
    words_of,
)
from bazelscope.render.counting import plural
from bazelscope.render.document import Document, Part, Row, good, quiet, row, strong, warning

_FORBIDDEN_SHOWN = 3


def add_condition(
    document: Document, answer: PathAnswer, condition: FlagCondition, full: bool
) -> None:
    """Appends under which flags there is a path, this one or another, and what is so now."""
    if condition.verdict is Verdict.ALWAYS:
        document.add([row(strong("Always, whatever the flags."))])
    elif condition.verdict is Verdict.NEVER:
        needed = (row(need.text, aside=location_text(need.location)) for need in answer.needs)
        document.add(needed, (strong("No flags take any path there. This one would take:"),))
    else:
        told = condition.exceptions if condition.tells_exceptions else condition.alternatives
        before = "Always, unless" if condition.tells_exceptions else "Only with"
        if len(told) == 1:
            title = (strong(f"{before} "), *map(strong, words_of(told[0])), strong(":"))
            single = tuple(_single_rows(answer, told[0], full))
            document.add(single or [row(*title)], title if single else ())
        else:
            rows = condition_rows(condition, full)
            document.add(rows, (strong(f"{before} one of these:"),))
    needs = " ".join(need.text for need in answer.needs)
    if len(condition.alternatives) > 1 and needs and not condition.tells_exceptions:
        document.add([row(quiet(f"The path above is the one with {needs}."))])
    is_told = (
        answer.outcome is PathOutcome.FOUND
        and len(condition.alternatives) == 1
        and condition.now is Now.NO
    )
    if not is_told or any(not word.is_so for word in condition.alternatives[0].words):
        document.add(now_rows(condition))
    document.add(conflict_rows(condition, full), "Bazel refuses")


def add_whole_condition(document: Document, condition: FlagCondition, full: bool) -> None:
    """Appends under which flags there is any of several paths."""
    if condition.verdict is Verdict.ALWAYS:
        document.add([row(strong("There is a path whatever the flags."))])
    elif condition.verdict is Verdict.SOMETIMES:
        told = condition.exceptions if condition.tells_exceptions else condition.alternatives
        before = (
            "There is a path always, unless"
            if condition.tells_exceptions
            else ("There is a path only with")
        )
        title = f"{before}{one_of(told)}:"
        document.add(condition_rows(condition, full), (strong(title),))
        document.add(now_rows(condition))


def _single_rows(answer: PathAnswer, told: FlagCombination, full: bool) -> Iterator[Row]:
    """The configs that set the words of one combination."""
    is_unless = answer.condition is not None and answer.condition.tells_exceptions
    flags = answer.flags
    whole = {source.config for source in flags.configs} if flags else set()
    if len(told.words) != 1:
        yield from config_rows(told, full, indent=0)
        return
    for source in told.configs:
        through = f", through {', '.join(source.through)}" if source.through else ""
        is_enough = flags is None or not told.words[0].is_so or source.config in whole
        spoils = "" if is_enough else ", but not with what else it sets"
        yield row(f"--config={source.config}{through}{spoils}", aside=source.location.short)
    need = told.words[0].need
    if not told.configs and told.words[0].is_so and need.text.startswith("--") and not is_unless:
        yield row(quiet("no named config sets it"))
    elif not told.configs:
        yield row(quiet(f"asked for by {need.setting}"), aside=location_text(need.location))


def need_title(answer: PathAnswer) -> tuple[Part, ...]:
    """What a path takes, in a line."""
    if answer.clash is not None:
        return (warning("No configuration takes this path: it needs options that clash"),)
    missing = " ".join(need.text for need in answer.needs if not need.holds)
    if missing:
        return (strong(f"Only with {missing}:"),)
    if answer.needs:
        if answer.configured:
            return (strong("These flags take it, because of:"),)
        return (strong("No flag has to be added, because of:"),)
    return (strong("Under every configuration, except for:"),)


def need_rows(answer: PathAnswer, full: bool) -> Iterator[Row]:
    """What a path takes, one need after the other, and flags that were tried."""
    if answer.clash is not None:
        yield row(clash_text(answer.clash))
    missing = [need for need in answer.needs if not need.holds]
    flags = answer.flags
    whole = {source.config for source in flags.configs} if flags else set()
    if flags is not None and len(missing) > 1:
        yield from _config_rows(flags)
    for need in missing:
        several = len(missing) > 1
        if several:
            yield row(need.text, aside=location_text(need.location))
        for source in need.configs:
            through = f", through {', '.join(source.through)}" if source.through else ""
            is_enough = several or flags is None or source.config in whole
            spoils = "" if is_enough else ", but not with what else it sets"
            yield row(
                f"--config={source.config}{through}{spoils}",
                aside=source.location.short,
                indent=int(several),
            )
        if not need.configs and need.text.startswith("--"):
            yield row(quiet("no named config sets it"), indent=int(several))
    for need in answer.needs:
        if need.holds:
            place = setting_place(need.set_by) if need.set_by else "default"
            yield row(need.text, quiet(" is in force"), aside=place)
    yield from _forbidden_rows(answer, full)
    if flags is not None:
        yield from tried_rows(flags, [need.text for need in missing])


def _config_rows(flags: PathFlags) -> Iterator[Row]:
    for source in flags.configs:
        through = f", through {', '.join(source.through)}" if source.through else ""
        yield row(
            good(f"--config={source.config}{through}"),
            quiet(" sets all of it"),
            aside=source.location.short,
        )


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


def _forbidden_rows(answer: PathAnswer | ListedPath, full: bool) -> Iterator[Row]:
    texts = forbidden_texts(answer)
    shown = texts if full else texts[:_FORBIDDEN_SHOWN]
    for text in shown:
        yield row(quiet(f"and not {text}"))
    if len(shown) < len(texts):
        more = plural(len(texts) - len(shown), "other combination")
        yield row(quiet(f"nor {more} (--full lists all)"))


def forbidden_texts(answer: PathAnswer | ListedPath) -> list[str]:
    """The combinations that may not hold beside what a path needs."""
    needed = {need.text for need in answer.needs}
    texts = []
    for combination in answer.forbids:
        # What the path needs anyway is part of many combinations; the rest tells them apart.
        others = [need.text for need in combination if need.text not in needed]
        texts.append(" with ".join(others or [need.text for need in combination]))
    return list(dict.fromkeys(texts))


def clash_text(clash: ClashAnswer) -> str:
    """Why no flags make a path: `--cpu=arm against --cpu=k8`."""
    texts = [need.text for need in clash.needs]
    if clash.kind is ClashKind.TWO_VALUES:
        return " against ".join(texts)
    if clash.kind is ClashKind.NEVER_TAKEN:
        return f"the branch {clash.condition} of a select() is never taken"
    if clash.kind is ClashKind.FIXED:
        return f"{_joined(clash.needs)}, which tools of the build never have"
    return f"{_joined(clash.needs)}, which other branches on the way rule out"


def _joined(needs: tuple[OptionNeed, ...]) -> str:
    return " with ".join(need.text for need in needs)
