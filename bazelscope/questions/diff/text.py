"""The answer to `diff` as text: the count first, then options, conditions, branches, targets."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from bazelscope.analysis.conditions.match_result import MatchResult
from bazelscope.base.label import at_sign
from bazelscope.questions.compile.text import origin_place, origin_text
from bazelscope.questions.diff.answer import (
    ConditionDifference,
    DependencyDifference,
    DifferenceAnswer,
    LineAnswer,
    LineDifference,
    OptionDifference,
    SelectDifference,
)
from bazelscope.questions.shared.phrases import (
    edge_term_text,
    listed,
    location_text,
    setting_place,
)
from bazelscope.questions.shared.select_answers import SelectAnswer
from bazelscope.questions.shared.target_answers import RepositoryNeed
from bazelscope.questions.shared.text_endpoints import more_rows, name_rows
from bazelscope.questions.shared.text_envelope import add_foot, add_head
from bazelscope.questions.shared.text_flag_conditions import branch_note
from bazelscope.questions.shared.text_targets import reason_rows, value_rows
from bazelscope.render.counting import plural
from bazelscope.render.document import Document, Piece, Row, bad, good, name, quiet, row, strong

_SHOWN = 12
_REPOSITORIES_SHOWN = 8
_SOURCES_SHOWN = 4


def difference_document(answer: DifferenceAnswer, full: bool = False) -> Document:
    """What the second line changes; `full` lists what is otherwise only counted."""
    document = Document()
    add_head(document, answer.envelope, full=full)
    for target in answer.targets:
        document.add(name_rows(target, full))
    if any(target.label is None for target in answer.targets):
        add_foot(document, answer.envelope, full)
        return document
    document.add(_verdict(answer))
    options = [line for difference in answer.options for line in _option_rows(difference)]
    document.add(options, f"Options that differ: {len(answer.options)}")
    shown = answer.conditions if full else answer.conditions[:_SHOWN]
    rows = [line for difference in shown for line in _condition_rows(difference)]
    rows += more_rows(len(answer.conditions) - len(shown))
    document.add(rows, f"Conditions that differ: {len(answer.conditions)}")
    for select in answer.selects:
        document.add(_select_rows(select, full))
    document.add(
        _dependency_rows(answer.gained, good("+ "), full), _title("more", answer.more, answer.after)
    )
    document.add(
        _dependency_rows(answer.lost, bad("- "), full), _title("fewer", answer.fewer, answer.before)
    )
    for difference in answer.lines:
        document.add(list(_line_rows(difference, full)), _line_title(difference))
    document.add(_repository_rows(answer, full), "External repositories")
    add_foot(document, answer.envelope, full, names=answer.targets)
    return document


def _verdict(answer: DifferenceAnswer) -> Iterator[Row]:
    before, after = _line(answer.before), _line(answer.after)
    if answer.is_same:
        yield row(strong("Nothing differs"), f" between `{before}` and `{after}`.")
        return
    counts = [
        plural(len(answer.options), "option"),
        *([plural(len(answer.conditions), "condition")] if answer.targets else []),
    ]
    text = f"{' and '.join(counts)} differ"
    if answer.targets:
        text += f"; {answer.more:,} more and {answer.fewer:,} fewer of "
        text += f"{answer.after.reached:,} targets"
    yield row(strong(f"{text}."))
    yield row(bad("- "), before)
    yield row(good("+ "), after)


def _line(line: LineAnswer) -> str:
    return " ".join(line.words) or "no flags"


def _title(word: str, count: int, line: LineAnswer) -> str:
    return f"Dependencies: {count} {word}, only with {_line(line)}"


def _option_rows(difference: OptionDifference) -> Iterator[Row]:
    for sign, settings in ((bad("- "), difference.before), (good("+ "), difference.after)):
        for setting in settings:
            yield row(sign, setting.canonical, aside=setting_place(setting))


def _condition_rows(difference: ConditionDifference) -> Iterator[Row]:
    place = location_text(difference.after.location or difference.before.location)
    yield row(str(difference.condition), quiet(f"  {_outcomes(difference)}"), aside=place)
    shown: MatchResult = difference.after
    yield from reason_rows(shown, indent=1)


def _outcomes(difference: ConditionDifference) -> str:
    words = {"holds": "holds", "does-not-hold": "does not hold", "unknown": "cannot be told"}
    return f"{words[difference.before.outcome.value]} -> {words[difference.after.outcome.value]}"


def _select_rows(difference: SelectDifference, full: bool) -> Iterator[Row]:
    text = f"{difference.target}.{difference.after.attribute}"
    yield row(strong(text), " takes another branch", aside=location_text(difference.after.location))
    for sign, select in ((bad("- "), difference.before), (good("+ "), difference.after)):
        yield row(sign, _taken(select), indent=1)
        if select.chosen is not None:
            yield from value_rows(select.chosen, full, indent=2)


def _taken(select: SelectAnswer) -> str:
    if select.chosen is None:
        return f"{select.outcome.value}: {select.detail}"
    return str(select.chosen.condition.condition)


def _dependency_rows(
    differences: tuple[DependencyDifference, ...], sign: Piece, full: bool
) -> Iterator[Row]:
    shown = differences if full else differences[:_SHOWN]
    for difference in shown:
        edge = difference.edge
        brings = f", and {difference.brings - 1} behind it" if difference.brings > 1 else ""
        yield row(
            sign, str(difference.node.label), quiet(f"  {difference.node.shown_kind}{brings}")
        )
        term = edge_term_text(edge)
        parts = [name(edge.attribute or edge.kind), quiet(f" of {edge.source}")]
        if term:
            parts.append(quiet(f" <- {term}"))
        if edge.branch is not None:
            parts.append(quiet(f" {branch_note(edge.branch)}"))
        yield row(*parts, aside=location_text(edge.location), indent=2)
    yield from more_rows(len(differences) - len(shown))


def _line_title(difference: LineDifference) -> str:
    who = "the compiler" if difference.mnemonic == "CppCompile" else "the linker"
    return f"What {who} gets for {difference.target}"


def _line_rows(difference: LineDifference, full: bool) -> Iterator[Row]:
    if difference.mnemonic == "CppCompile":
        most = None if full else _SOURCES_SHOWN
        yield row(quiet(f"for {listed(difference.subjects, most)}"))
    for mark, words in ((bad("- "), difference.removed), (good("+ "), difference.added)):
        groups = groupby(words, lambda one: (origin_text(one.origin), origin_place(one.origin)))
        for (who, place), group in groups:
            texts = [str(one.unknown) if one.unknown is not None else one.text for one in group]
            yield row(mark, " ".join(texts), aside="  ".join(filter(None, (who, place))))


def _repository_rows(answer: DifferenceAnswer, full: bool) -> Iterator[Row]:
    for sign, needs in (
        (bad("- "), answer.repositories_lost),
        (good("+ "), answer.repositories_gained),
    ):
        if needs:
            yield row(sign, _names(needs, full))


def _names(needs: tuple[RepositoryNeed, ...], full: bool) -> str:
    names = [at_sign(need.name) for need in needs]
    return listed(names, None if full else _REPOSITORIES_SHOWN)
