"""The answer to `when` as text: the condition, what holds now, what makes and what ends it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bazelscope.questions.shared.conditions.flag_conditions import (
    FlagCondition,
    LoadedValues,
    NotLoaded,
    OtherPackages,
    Verdict,
)
from bazelscope.questions.shared.loading_flags import ENVIRONMENT_OPTIONS
from bazelscope.questions.shared.phrases import listed
from bazelscope.questions.shared.text_endpoints import (
    RESOLUTION_DOES,
    name_rows,
    resolved_path_rows,
    unknown_below_rows,
)
from bazelscope.questions.shared.text_envelope import add_foot, add_head
from bazelscope.questions.shared.text_flag_conditions import (
    AS_TAKEN_FOR_GRANTED,
    add_clash,
    add_condition_facts,
    add_deciding,
    condition_rows,
    how_so,
)
from bazelscope.questions.when.answer import WhenAnswer
from bazelscope.render.document import Document, Row, pieces, quiet, row, strong

_NAMES_SHOWN = 4
_WHY_NOT = {
    NotLoaded.NOT_ASKED: "without --loads all are",
    NotLoaded.TOO_MANY: "too many cases for one question",
    NotLoaded.OTHERWISE: "",
}
_READ_BY_RULES = tuple(f"--{option}=" for option in ENVIRONMENT_OPTIONS)


def when_document(answer: WhenAnswer, full: bool = False) -> Document:
    """Under which flags it is so, then what holds now and what would change it."""
    document = Document()
    add_head(document, answer.envelope)
    condition = answer.condition
    for asked in (answer.source, answer.target):
        # Of a group that is never met the answer itself says so.
        if asked is not None and (condition is None or asked.label is not None):
            document.add(name_rows(asked, full))
    if condition is not None:
        title = row(strong(_title(answer, condition, full)))
        if condition.alternatives and condition.verdict is not Verdict.ALWAYS:
            document.add(condition_rows(condition, full), pieces(title.parts))
        elif answer.clash is not None:
            add_clash(document, answer.clash, _title(answer, condition, full))
        else:
            document.add([title, *resolved_path_rows(answer.resolved_path)])
        add_condition_facts(document, condition, full)
        document.add(packages_rows(answer.packages, full))
    only_here = answer.packages is not None and bool(answer.packages.loaded)
    add_deciding(document, answer.shared, answer.cut, only_here=only_here)
    has_path = condition is not None and condition.verdict is not Verdict.NEVER
    hidden = unknown_below_rows(answer.source, answer.unknown_below, full, other=has_path)
    document.add(hidden)
    add_foot(document, answer.envelope, full, names=(answer.source, answer.target))
    return document


def packages_rows(packages: OtherPackages | None, full: bool) -> Iterator[Row]:
    """Which packages it holds for, where configs load others, and for which nobody looked."""
    if packages is None:
        return
    if packages.loaded:
        told = _configs(packages.loaded, full)
        yield row(quiet(f"Also loaded, since repositories differ: the packages of {told}."))
    for why, reason in _WHY_NOT.items():
        some = tuple(one for one in packages.unloaded if one.why is why)
        if some:
            load = "loads" if len(some) == 1 else "load"
            told = f"what {_configs(some, full)} {load}"
            yield row(quiet(f"Not looked at: {told} ({reason or _first_option(some)})."))
    if packages.variables:
        names = _some(packages.variables, full)
        yield row(quiet(f"Not known: what other values of {names} load."))
    if packages.label_settings:
        names = _some([str(label) for label in packages.label_settings], full)
        yield row(quiet(f"Not known: what other values of {names} stand for."))


def _first_option(values: Sequence[LoadedValues]) -> str:
    """Tells what else than repository rules read the first of some configs changes."""
    options = [text for text in values[0].values if not text.startswith(_READ_BY_RULES)]
    who = "it" if len(values) == 1 else f"--config={values[0].configs[0]}"
    return f"{who} sets {options[0].partition('=')[0]}"


def _configs(values: tuple[LoadedValues, ...], full: bool) -> str:
    return _some([f"--config={name}" for one in values for name in one.configs[:1]], full)


def _some(names: Sequence[str], full: bool) -> str:
    return listed(names, None if full else _NAMES_SHOWN, "")


def _subject(answer: WhenAnswer) -> tuple[str, str]:
    """What it is about, and what is said of it where it is so."""
    source = str(answer.source.label)
    if answer.target is None:
        return source, "can be built"
    members = answer.target.members
    is_one = answer.target.label is not None and len(members) < 2
    return source, f"needs {answer.target.label if is_one else answer.target.asked}"


def _title(answer: WhenAnswer, condition: FlagCondition, full: bool) -> str:
    source, so = _subject(answer)
    if condition.verdict is Verdict.ALWAYS:
        other = "other " if condition.fixed else ""
        is_known = all(edge.is_known for edge in answer.shared)
        granted = "" if is_known else f", {AS_TAKEN_FOR_GRANTED}"
        return f"{source} {so} always, whatever the {other}flags{granted}."
    if condition.verdict is Verdict.TOO_MANY:
        if condition.alternatives:
            return (
                f"There are too many cases to say when {source} {so}. It does with, among others:"
            )
        return f"There are too many cases to say when {source} {so}."
    if condition.verdict is Verdict.NEVER:
        if answer.target is None:
            return f"{source} can never be built: Bazel refuses it whatever the flags."
        known = "that is known " if answer.unknown_below is not None else ""
        told = f"is not known to {so.replace('needs', 'need', 1)}" if known else f"never {so}"
        if answer.resolved_path:
            return f"{source} {told} by dependencies that are written; {RESOLUTION_DOES}:"
        if not answer.has_chain:
            return f"{source} {told}: no chain of dependencies {known}leads there."
        return f"{source} {told}: it needs branches of select()s that no flags take together"
    return f"{source} {so} {how_so(condition, full)}:"
