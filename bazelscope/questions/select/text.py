"""The answer to `select` as text: the branch taken, then each condition in written order."""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.analysis.conditions.match_result import Outcome
from bazelscope.questions.select.answer import BranchWays, SelectsAnswer, SelectWays, Way
from bazelscope.questions.shared.phrases import (
    location_text,
    macro_text,
    origin_text,
    wants_texts,
)
from bazelscope.questions.shared.select_answers import SelectBranch
from bazelscope.questions.shared.text_endpoints import name_rows
from bazelscope.questions.shared.text_envelope import add_foot, add_head
from bazelscope.questions.shared.text_flag_conditions import on_one_platform
from bazelscope.questions.shared.text_targets import (
    incompatible_rows,
    term_and_place,
    undecided_row,
    value_rows,
)
from bazelscope.render.document import Document, Row, bad, good, pieces, quiet, row, strong, warning


def selects_document(answer: SelectsAnswer, full: bool = False) -> Document:
    """Every select() that was asked about, or why there is none."""
    document = Document()
    document.add(name_rows(answer.target, full))
    add_head(document, answer.envelope)
    if answer.node is not None:
        title = pieces((strong(str(answer.node.label)), "  ", quiet(macro_text(answer.node))))
        if answer.problem:
            document.add([row(warning(answer.problem))], title)
        elif answer.node.unknown is not None:
            document.add([row(warning(f"unknown: {answer.node.unknown}"))], title)
        else:
            document.add([row(quiet(_count_text(answer)))], title)
    if answer.incompatible is not None:
        document.add(incompatible_rows(answer.incompatible))
    for one in answer.selects:
        heading = f"{one.select.attribute} = {'  '.join(term_and_place(one.select))}"
        document.add(_select_rows(one, full), pieces((heading,)))
    add_foot(document, answer.envelope, full, names=(answer.target,))
    return document


def _count_text(answer: SelectsAnswer) -> str:
    count = len(answer.selects)
    where = f" in `{answer.attribute}`" if answer.attribute else ""
    return f"{count} select(){'s' if count != 1 else ''}{where}"


def _select_rows(one: SelectWays, full: bool) -> Iterator[Row]:
    select = one.select
    chosen = select.chosen
    if chosen is None:
        yield undecided_row(select)
    else:
        yield row(good("takes "), strong(str(chosen.condition.condition)))
        yield from value_rows(chosen, full, indent=1)
    ways = {other.condition: other for other in one.others}
    for branch in select.branches:
        if branch.is_chosen and branch.is_default:
            continue
        yield from _branch_rows(branch, ways.get(branch.condition.condition), full)
    for separation in one.separations:
        entries = " and ".join(separation.entries)
        yield row(quiet(f"{separation.condition} would win if it asked for {entries}, too"))


def _branch_rows(branch: SelectBranch, ways: BranchWays | None, full: bool) -> Iterator[Row]:
    condition = branch.condition
    place = location_text(condition.location)
    label = str(condition.condition)
    if branch.is_default:
        yield row(quiet("default "), label)
    elif condition.outcome is Outcome.HOLDS:
        word = good("match   ") if branch.is_chosen else warning("match   ")
        yield row(word, label, aside=place)
        for entry in condition.entries:
            origin = origin_text(entry)
            yield row(quiet(f"{entry.what}={entry.wanted}"), aside=origin, indent=2)
        for winner in branch.beaten_by:
            yield row(f"beaten by {winner}, which asks for all of this and more", indent=2)
    elif condition.unknown is not None:
        yield row(warning("unknown "), label, aside=place)
        yield row(str(condition.unknown), indent=2)
    else:
        yield row(bad("no      "), label, aside=place)
        for text in wants_texts(condition):
            yield row(text, indent=2)
    if full and not branch.is_chosen:
        yield from (row(quiet("gives "), value, indent=2) for value in branch.values)
    if ways is not None:
        yield from _way_rows(ways)


def _way_rows(ways: BranchWays) -> Iterator[Row]:
    if ways.ways:
        for way in ways.ways:
            aside = way.location.short if way.location else ""
            yield row(quiet("taken "), _way_text(way), aside=aside, indent=2)
        return
    if not ways.is_tried:
        yield row(quiet("nothing was tried: the select() has too many branches"), indent=2)
        return
    missing = " and ".join(on_one_platform(need.text for need in ways.needs))
    if ways.is_contradictory:
        why = f"it needs {missing}" if missing else "its conditions exclude each other"
        yield row(quiet(f"no flags take it: {why}"), indent=2)
        return
    obstacles = ", ".join(str(label) for label in ways.obstacles)
    if missing:
        yield row(quiet(f"needs {missing}"), indent=2)
    if obstacles:
        yield row(quiet(f"only where {obstacles} does not hold"), indent=2)


def _way_text(way: Way) -> str:
    words, without = " ".join(way.words), " ".join(way.without)
    if not words:
        return f"without {without}"
    through = f", through {', '.join(way.through)}" if way.through else ""
    instead = f" instead of {without}" if without else ""
    return f"with {words}{instead}{through}"
