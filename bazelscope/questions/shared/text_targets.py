"""Targets, what made them, their selects and what they give, as text: the choice, then why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from bazelscope.analysis.conditions.match_result import MatchResult, Outcome
from bazelscope.questions.shared.phrases import (
    argument_texts,
    begun,
    location_text,
    more_text,
    origin_text,
    select_term_text,
    setting_place,
    term_text,
    wants_text,
    wants_texts,
)
from bazelscope.questions.shared.select_answers import (
    IncompatibleAnswer,
    SelectAnswer,
    SelectBranch,
    SelectOutcome,
)
from bazelscope.questions.shared.target_answers import (
    AttributeAnswer,
    CallAnswer,
    DependencyGroup,
    PointedAt,
    TargetAnswer,
)
from bazelscope.questions.shared.text_endpoints import more_rows, problem_rows, suggestion_rows
from bazelscope.render.counting import plural
from bazelscope.render.document import (
    Document,
    Row,
    bad,
    good,
    lines_taken,
    name,
    pieces,
    quiet,
    row,
    strong,
    warning,
)

_VALUES_SHOWN = 6
_OTHERS_SHOWN = 6
_ELEMENTS_SHOWN = 3
_GROUPS_SHOWN = 12
_LINES = (
    (16, 5, 7), (14, 5, 5), (12, 4, 4), (9, 4, 3), (6, 3, 3), (4, 3, 3), (4, 3, 3), (3, 1, 1),
)  # fmt: skip
"""Of selects, attributes and dependencies, so many lines where an answer is brief: the less, the
more else it tells."""
BRIEFEST = len(_LINES) - 1


def add_target(
    document: Document,
    target: TargetAnswer,
    full: bool,
    tells_selects: bool = True,
    brevity: int | None = None,
) -> None:
    """Appends one target: what it is and what made it, each of its selects, then what its
    attributes hold and give. `tells_selects`: that there are none is worth a word; `brevity`:
    only the first rows of each of that, the fewer the briefer."""
    if target.node is None:
        document.add(problem_rows(target.problem, target.suggestions))
        return
    title = pieces((strong(str(target.node.label)), "  ", quiet(target.node.shown_kind)))
    rows = list(_origin_rows(target, full))
    if target.built_for is not None:
        rows.insert(
            0, row("built for ", name(str(target.built_for)), quiet(" (--compile_one_dependency)"))
        )
    if target.points_at is not None:
        rows += _pointed_rows(target.points_at)
    if target.incompatible is not None:
        rows += incompatible_rows(target.incompatible)
    lines = None if brevity is None else _LINES[brevity]
    # What is told first is what flags brought about, not what is so without them.
    told = target.selects if lines is None else sorted(target.selects, key=_takes_default)
    selects = [line for select in told for line in select_rows(select, full)]
    rows += begun_rows(selects, lines[0], "selects") if lines else selects
    if not target.selects and tells_selects and target.node.unknown is None:
        rows.append(row(quiet("no select() in its attributes")))
    attributes, depends = _attribute_rows(target.attributes, full), _dependency_rows(target, full)
    rows += begun_rows([*attributes], lines[1], "attributes") if lines else attributes
    rows += begun_rows([*depends], lines[2], "deps") if lines else depends
    document.add(rows, title)


def _takes_default(select: SelectAnswer) -> bool:
    return select.chosen is not None and select.chosen.is_default


def _pointed_rows(pointed: PointedAt) -> Iterator[Row]:
    """What a label_flag stands for, and what sets it."""
    if pointed.label is None:
        yield row(warning(pointed.problem))
    else:
        yield row("points at ", strong(str(pointed.label)))
    if pointed.set_by is None:
        yield row(quiet("its default: no flag sets it"), indent=1)
    else:
        yield row("set by ", pointed.set_by.text, aside=setting_place(pointed.set_by), indent=1)


def begun_rows(rows: list[Row], most: int, section: str) -> list[Row]:
    """The rows of the first lines, and how to see the others."""
    ends = list(accumulate(lines_taken(rows)))
    if not ends or ends[-1] <= most + 1:
        return rows
    fitting = sum(end <= most for end in ends)
    left = ends[-1] - ends[fitting - 1] if fitting else ends[-1]
    rest = quiet(f"and {left} more lines (--sections {section})")
    return [*rows[:fitting], row(rest, indent=1)]


def _origin_rows(target: TargetAnswer, full: bool) -> Iterator[Row]:
    """The calls that made a target, outermost first; where it stands if nothing did."""
    node = target.node
    assert node is not None
    if node.unknown is not None:
        yield row(warning(f"cannot be told: {node.unknown}"))
    yield from suggestion_rows(target.suggestions)
    if not target.calls and node.location is not None:
        yield row(quiet("declared"), aside=location_text(node.location))
    for depth, call in enumerate(target.calls):
        yield _call_row(call, full, depth)


def _call_row(call: CallAnswer, full: bool, indent: int) -> Row:
    """Writes a call with its arguments as written, and its place."""
    arguments = ", ".join(argument_texts(call.arguments, full)) if call.is_readable else "..."
    return row(name(call.function), f"({arguments})", aside=call.location.short, indent=indent)


def _attribute_rows(attributes: Sequence[AttributeAnswer], full: bool) -> Iterator[Row]:
    if not attributes:
        return
    yield row(quiet("attributes, after select()"))
    for attribute in attributes:
        texts = [value.text for value in attribute.values]
        shown = begun(texts, _ELEMENTS_SHOWN, full)
        listed = ", ".join(shown) or "nothing"
        more = more_text(len(texts) - len(shown))
        yield row(name(attribute.name), f" = {listed}", quiet(more), indent=1)
        if attribute.undecided:
            lacking = plural(attribute.undecided, "select()")
            yield row(warning(f"and what {lacking} would give"), indent=2)


def _dependency_rows(target: TargetAnswer, full: bool) -> Iterator[Row]:
    groups = target.dependencies
    if groups:
        distinct = {dependency.label for group in groups for dependency in group.dependencies}
        conditions = {
            branch.condition.condition
            for select in target.selects
            for branch in select.branches
            if not branch.is_default
        }
        # `deps` and `cquery` count these, too.
        keys = plural(len(conditions - distinct), "key of a select()", "keys of select()s")
        more = f", and on {keys}" if conditions - distinct else ""
        yield row(quiet(f"depends directly on {plural(len(distinct), 'target')}{more}"))
        absent = {one.label for group in groups for one in group.dependencies if one.is_absent}
        if absent:
            files = plural(len(absent), "source file")
            told = f"{files} of these {'is' if len(absent) == 1 else 'are'} not there"
            yield row(bad(told), ": an action that reads one fails", indent=1)
    shown = begun(groups, _GROUPS_SHOWN, full)
    for group in shown:
        yield from _group_rows(group, full)
    if len(shown) < len(groups):
        hidden = len(groups) - len(shown)
        yield row(quiet(f"and {plural(hidden, 'piece')} more (--full)"), indent=1)
    for attribute in target.hidden:
        yield row(warning("and unknown ones: "), f"{attribute.attribute}: {attribute.unknown}")


def _group_rows(group: DependencyGroup, full: bool) -> Iterator[Row]:
    parts = [name(group.attribute)]
    term = term_text(group.term, group.select_at) if group.term is not None else ""
    if term:
        parts.append(quiet(f" <- {term}"))
    if group.branch is not None:
        parts.append(quiet(f", branch {group.branch}"))
    yield row(*parts, aside=location_text(group.location), indent=1)
    dependencies = sorted(group.dependencies, key=lambda one: not one.is_absent)
    shown = begun(dependencies, _VALUES_SHOWN, full)
    for dependency in shown:
        notes = f"  {dependency.kind}"
        if dependency.configuration in ("exec", "host"):
            notes += ", for the execution platform"
        absent = (bad(", not there"),) if dependency.is_absent else ()
        yield row(str(dependency.label), quiet(notes), *absent, indent=2)
        if dependency.uncertain is not None:
            yield row(warning(f"cannot be told: {dependency.uncertain}"), indent=3)
        if dependency.unknown is not None:
            yield row(warning(f"unknown: {dependency.unknown}"), indent=3)
    yield from more_rows(len(dependencies) - len(shown), indent=2)


def select_rows(select: SelectAnswer, full: bool) -> Iterator[Row]:
    """Says which branch of a select() is taken, what it gives, why, and why not the others."""
    term, place = term_and_place(select)
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
    shown = begun(others, _OTHERS_SHOWN, full)
    for branch in shown:
        if not branch.is_default:
            condition = branch.condition
            if condition.outcome is Outcome.HOLDS:
                reason = branch.how_it_holds
            elif condition.unknown is not None:
                reason = f"cannot be told: {condition.unknown}"
            else:
                reason = "; ".join(wants_texts(condition)) or "does not hold"
            yield row(quiet("not "), str(condition.condition), quiet(f": {reason}"), indent=1)
    if len(shown) < len(others):
        yield row(
            quiet(f"and {plural(len(others) - len(shown), 'branch', 'branches')} more"), indent=1
        )


def term_and_place(select: SelectAnswer) -> tuple[str, str]:
    """The call that made a select(), or `select()` itself, and where they stand."""
    term, place = select_term_text(select), location_text(select.location)
    if term != "select()" and select.term is not None and select.term.location:
        place = f"{select.term.location.short}, select() at {place}"
    return term, place


def incompatible_rows(incompatible: IncompatibleAnswer) -> Iterator[Row]:
    """Says why a target cannot be built for the platform of these flags."""
    last = incompatible.chain[-1]
    yield row(bad("incompatible: "), str(last), aside=location_text(incompatible.location))
    for entry in incompatible.missing:
        yield row(wants_text(entry), indent=1)
    if len(incompatible.chain) > 1:
        chain = " -> ".join(str(label) for label in incompatible.chain)
        yield row(quiet(f"needed by {chain}"), indent=1)


def undecided_row(select: SelectAnswer, indent: int = 0) -> Row:
    """Says why a select() takes no branch."""
    words = {
        SelectOutcome.AMBIGUOUS: bad("ambiguous:"),
        SelectOutcome.NO_BRANCH: bad("no branch:"),
        SelectOutcome.UNKNOWN: warning("cannot be told:"),
    }
    word = words.get(select.outcome, warning("undecided:"))
    return row(word, " ", select.detail, indent=indent)


def value_rows(branch: SelectBranch, full: bool, indent: int) -> Iterator[Row]:
    """Lists what a branch gives, one row for each element."""
    if not branch.values:
        yield row(quiet("gives nothing"), indent=indent)
        return
    shown = begun(branch.values, _VALUES_SHOWN, full)
    for value in shown:
        yield row(value, indent=indent)
    yield from more_rows(len(branch.values) - len(shown), "", indent)


def condition_rows(conditions: Iterable[MatchResult]) -> Iterator[Row]:
    """Conditions, each with the place of its config_setting, and why they hold or not: once
    for those that do for the same reason, which then stand together."""
    groups: dict[tuple[Row, ...], list[MatchResult]] = {}
    for condition in conditions:
        groups.setdefault(tuple(reason_rows(condition, indent=1)), []).append(condition)
    for reasons, members in groups.items():
        for condition in members:
            yield row(str(condition.condition), aside=location_text(condition.location))
            if condition.setting != condition.condition:
                yield row(quiet(f"is {condition.setting}"), indent=1)
        for reason in reasons:
            each = (quiet("each: "),) if len(members) > 1 else ()
            yield replace(reason, parts=pieces((*each, *reason.parts)))


def reason_rows(condition: MatchResult, indent: int) -> Iterator[Row]:
    """Says why a condition holds, or does not, entry by entry."""
    if condition.unknown is not None:
        unknown = condition.unknown
        is_named = unknown.subject in (str(condition.condition), str(condition.setting))
        why = unknown.detail or unknown.reason.value if is_named else str(unknown)
        yield row(warning("cannot be told: "), why, indent=indent)
    elif condition.outcome is Outcome.HOLDS:
        for entry in condition.entries:
            place = origin_text(entry)
            yield row(quiet(f"{entry.what}={entry.wanted}"), aside=place, indent=indent)
    else:
        for text in wants_texts(condition):
            yield row(quiet(text), indent=indent)
