"""Targets, their selects and conditions as text: the choice first, then why."""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.explain.conditions import (
    ConditionAnswer,
    IncompatibleAnswer,
    Outcome,
    SelectAnswer,
    SelectBranch,
    SelectOutcome,
    TargetAnswer,
)
from bazelscope.render.document import (
    Document,
    Row,
    bad,
    good,
    name,
    pieces,
    quiet,
    row,
    strong,
    warning,
)
from bazelscope.render.phrases import (
    location_text,
    macro_text,
    plural,
    select_term_text,
    setting_place,
    wants_text,
)

_VALUES_SHOWN = 6
_OTHERS_SHOWN = 6


def add_target(document: Document, target: TargetAnswer, full: bool) -> None:
    """Appends one target: what it is, then each of its selects."""
    if target.node is None:
        document.add(_problem_rows(target))
        return
    title = pieces((strong(str(target.node.label)), "  ", quiet(macro_text(target.node))))
    rows = [found for select in target.selects for found in select_rows(select, full)]
    document.add(rows or [row(quiet("no select() in its attributes"))], title)


def _problem_rows(target: TargetAnswer) -> Iterator[Row]:
    yield row(bad("error:"), " ", strong(target.problem))
    if target.suggestions:
        yield row("did you mean ", ", ".join(target.suggestions), "?", indent=1)


def select_rows(select: SelectAnswer, full: bool) -> Iterator[Row]:
    """One select(): which branch is taken, what it gives, why, and why not the others."""
    term = select_term_text(select)
    place = location_text(select.location)
    if term != "select()" and select.term is not None and select.term.location:
        place = f"{select.term.location.short}, select() at {place}"
    yield row(name(select.attribute), f" = {term}", aside=place)
    chosen = select.chosen
    if chosen is None:
        yield undecided_row(select, indent=1)
    else:
        yield row(good("takes"), " ", strong(str(chosen.condition.condition)), indent=1)
        yield from value_rows(chosen, full, indent=2)
        if not chosen.is_default:
            yield from reason_rows(chosen.condition, indent=2)
    others = [branch for branch in select.branches if not branch.is_chosen]
    shown = others if full else others[:_OTHERS_SHOWN]
    for branch in shown:
        if not branch.is_default:
            yield from _other_rows(branch)
    if len(shown) < len(others):
        yield row(
            quiet(f"and {plural(len(others) - len(shown), 'branch', 'branches')} more"), indent=1
        )


def incompatible_rows(found: IncompatibleAnswer) -> Iterator[Row]:
    """Why a target cannot be built for the platform of these flags."""
    last = found.chain[-1]
    yield row(bad("incompatible: "), str(last), aside=location_text(found.location))
    for entry in found.missing:
        yield row(wants_text(entry), indent=1)
    if len(found.chain) > 1:
        chain = " -> ".join(str(label) for label in found.chain)
        yield row(quiet(f"needed by {chain}"), indent=1)


def undecided_row(select: SelectAnswer, indent: int = 0) -> Row:
    """Why a select() takes no branch."""
    words = {
        SelectOutcome.AMBIGUOUS: bad("ambiguous:"),
        SelectOutcome.NO_BRANCH: bad("no branch:"),
        SelectOutcome.UNKNOWN: warning("cannot be told:"),
    }
    word = words.get(select.outcome, warning("undecided:"))
    return row(word, " ", select.detail, indent=indent)


def value_rows(branch: SelectBranch, full: bool, indent: int) -> Iterator[Row]:
    """What a branch gives, one row for each element."""
    if not branch.values:
        yield row(quiet("gives nothing"), indent=indent)
        return
    shown = branch.values if full else branch.values[:_VALUES_SHOWN]
    for value in shown:
        yield row(value, indent=indent)
    if len(shown) < len(branch.values):
        yield row(quiet(f"and {len(branch.values) - len(shown)} more"), indent=indent)


def _other_rows(branch: SelectBranch) -> Iterator[Row]:
    condition = branch.condition
    if condition.outcome is Outcome.HOLDS:
        winners = ", ".join(str(winner) for winner in branch.beaten_by)
        reason = f"holds, but {winners or 'another'} is more specific"
    elif condition.unknown is not None:
        reason = f"cannot be told: {condition.unknown}"
    else:
        reason = "; ".join(wants_text(entry) for entry in condition.unmet) or "does not hold"
    yield row(quiet("not "), str(condition.condition), quiet(f": {reason}"), indent=1)


def condition_rows(condition: ConditionAnswer) -> Iterator[Row]:
    """One condition, with the place of its config_setting, and why it holds or not."""
    yield row(str(condition.condition), aside=location_text(condition.location))
    if condition.setting != condition.condition:
        yield row(quiet(f"is {condition.setting}"), indent=1)
    yield from reason_rows(condition, indent=1)


def reason_rows(condition: ConditionAnswer, indent: int) -> Iterator[Row]:
    """Why a condition holds, or does not, entry by entry."""
    if condition.unknown is not None:
        yield row(warning("cannot be told: "), str(condition.unknown), indent=indent)
    elif condition.outcome is Outcome.HOLDS:
        for entry in condition.requirements:
            place = setting_place(entry.set_by) if entry.set_by else "default"
            yield row(quiet(f"{entry.what}={entry.wanted}"), aside=place, indent=indent)
    else:
        for entry in condition.unmet:
            yield row(quiet(wants_text(entry)), indent=indent)
