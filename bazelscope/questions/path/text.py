"""The answers to `path` and `graph` as text: the chain, what it needs, where it ends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from bazelscope.base.label import at_sign
from bazelscope.questions.path.answer import (
    Cut,
    PathAnswer,
    PathsAnswer,
    PathStep,
    RepositoryAnswer,
    RouteAnswer,
)
from bazelscope.questions.path.text_needs import add_condition, held_rows
from bazelscope.questions.shared.endpoint_answers import PathOutcome
from bazelscope.questions.shared.nodes import EdgeAnswer
from bazelscope.questions.shared.phrases import (
    content_text,
    edge_term_text,
    location_text,
    made_text,
    wants_texts,
)
from bazelscope.questions.shared.text_endpoints import (
    NOT_COUNTED,
    RESOLUTION_DOES,
    name_rows,
    resolved_path_rows,
    unknown_below_rows,
)
from bazelscope.questions.shared.text_envelope import add_foot, add_head
from bazelscope.questions.shared.text_flag_conditions import (
    HERE,
    branch_parts,
    elsewhere_rows,
    select_place,
)
from bazelscope.render.counting import plural
from bazelscope.render.document import (
    Document,
    Row,
    bad,
    fitting,
    lines_taken,
    name,
    pieces,
    quiet,
    row,
    strong,
    warning,
)

_SAYS_WHERE_FROM = frozenset({"urls", "url", "remote", "path", "build_file", "commit", "tag"})


_LONG = 8
"""In a path of more steps each has one line; what made its target is told by `--full`."""


_MOST_LINES = 40
_ONE_LINE_EACH, _FOLDED, _WITHOUT_PLACES, _WITHOUT_STEPS = 1, 2, 3, 4
"""How brief the steps of an answer are: of each a line; those that hang on no flag folded; places
left out that would take a line of their own; of a path that is cut, no steps."""
_LEAST_FOLDED = 3


def path_document(answer: PathAnswer, full: bool = False, around: int = 0) -> Document:
    """One path, or why there is none; `around`: how many lines stand before and below it."""
    if full:
        return _document(answer, full, 0)
    is_short = answer.outcome is PathOutcome.CUT or len(answer.steps) > _LONG
    least = _ONE_LINE_EACH if is_short else 0
    return fitting(
        lambda more: _document(answer, full, least + more),
        _MOST_LINES - around,
        _WITHOUT_STEPS - least,
    )


def _document(answer: PathAnswer, full: bool, brevity: int) -> Document:
    """The answer, with steps so brief."""
    document = Document()
    for asked in (answer.source, answer.target):
        document.add(name_rows(asked, full))
    document.add(route_problem_rows(answer.route, full))
    add_head(document, answer.envelope, full=full)
    if answer.outcome in (PathOutcome.NO_PATH, PathOutcome.CUT):
        document.add(no_path_rows(answer))
    is_cut = answer.outcome is PathOutcome.CUT
    shows_path = not is_cut or brevity < _WITHOUT_STEPS
    cuts = [list(_cut_rows(cut, is_whole=answer.condition is None)) for cut in answer.cuts]
    if not shows_path:
        told = f"The path that is cut has {plural(len(answer.steps) - 1, 'step')} (--full)"
        cuts[-1:] = [[*chain.from_iterable(cuts[-1:]), row(quiet(told))]]
    for rows in cuts:
        document.add(rows)
    if answer.condition is not None and is_cut:
        add_condition(document, answer, answer.condition, full, shows_path)
    if shows_path:
        steps = (
            _short_step_rows(answer.steps, brevity) if brevity else _step_rows(answer.steps, full)
        )
        document.add(steps, "The path that is cut" if is_cut else ())
    is_found = answer.outcome is PathOutcome.FOUND
    hidden = list(unknown_below_rows(answer.source, answer.unknown_below, full, other=is_found))
    document.add(() if is_found else hidden)
    if answer.condition is not None and is_found:
        add_condition(document, answer, answer.condition, full)
    elif answer.outcome is PathOutcome.FOUND:
        document.add(held_rows(answer), (strong("These flags take it, because of:"),))
    for repository in answer.repositories if full or not is_cut else ():
        add_repository(document, repository, full)
    document.add(hidden if is_found and answer.condition is not None else ())
    add_foot(document, answer.envelope, full, names=(answer.source, answer.target))
    return document


def route_problem_rows(route: RouteAnswer, full: bool) -> Iterator[Row]:
    """The names of `--avoid` and `--via` that mean nothing, or too much."""
    for problem in route.problems:
        yield from name_rows(problem, full)


def no_path_rows(answer: PathAnswer | PathsAnswer) -> Iterator[Row]:
    """That there is no path, and what was asked of one."""
    source, target = answer.source.label, answer.target.label
    if isinstance(answer, PathAnswer) and answer.resolved_path:
        told = f"No dependency that is written leads from {source} to {target}"
        yield row(strong(f"{told}; {RESOLUTION_DOES}:"))
        yield from resolved_path_rows(answer.resolved_path)
        return
    text = f"No path {'is known ' if answer.unknown_below else ''}from {source} to {target}"
    how = _route_text(answer.route)
    if how:
        text += f" {how}"
    is_listed = isinstance(answer, PathsAnswer)  # Of these, only what the flags take is looked at.
    if answer.configured and (answer.outcome is PathOutcome.CUT or is_listed):
        text += " under these flags"
    else:
        text += ", through any branch" if not how else ""
        text += f" {HERE}" if answer.envelope.not_covered else ""
    yield row(strong(f"{text}."))
    yield from elsewhere_rows(answer.envelope.not_covered)
    if is_listed:
        yield row(quiet(NOT_COUNTED))
    if how:
        yield row(quiet("Without --avoid, --via and --through-attr there may be one."))


def _route_text(route: RouteAnswer) -> str:
    parts = []
    if route.avoid:
        parts.append(f"that avoids {', '.join(route.avoid)}")
    if route.via:
        parts.append(f"by way of {', then '.join(map(str, route.via))}")
    if route.through:
        parts.append(f"through {', '.join(route.through)} alone")
    return " ".join(parts)


def _cut_rows(cut: Cut, is_whole: bool) -> Iterator[Row]:
    """Where a path is cut; `is_whole`: nothing else says what it would take."""
    edge = cut.edge
    yield row(
        bad("cut at "),
        str(edge.source),
        quiet(f" {edge.attribute} -> "),
        str(edge.target),
        aside=location_text(edge.location),
    )
    if is_whole and edge.branch is not None:
        yield row(f"needs {edge.branch.condition}", indent=1)
    if is_whole and cut.condition is not None:
        if cut.condition.unknown is not None:
            yield row(warning("cannot be told: "), str(cut.condition.unknown), indent=2)
        for text in wants_texts(cut.condition):
            yield row(text, indent=2)
    if cut.chosen is not None:
        yield row(f"these flags take {cut.chosen.condition} instead", indent=1)
    if is_whole:
        for need in cut.fixes:
            if need.configs:
                configs = ", ".join(f"--config={source.config}" for source in need.configs)
                yield row(quiet(f"{need.text} is set by {configs}"), indent=1)


def _step_rows(steps: tuple[PathStep, ...], full: bool) -> Iterator[Row]:
    for step in steps:
        yield row(strong(str(step.node.label)), aside=made_text(step.node, full))
        if step.node.unknown is not None:
            yield row(warning(f"unknown: {step.node.unknown}"), indent=1)
        if step.edge is not None:
            yield from _edge_rows(step.edge, full)


def _short_step_rows(steps: tuple[PathStep, ...], brevity: int) -> Iterator[Row]:
    """A line for each target, with the edge that leads on."""
    folded: list[Row] = []
    for number, step in enumerate(steps):
        rows = list(_short_rows(step, brevity))
        if brevity >= _FOLDED and 0 < number < len(steps) - 1 and _is_sure(step):
            folded += rows
            continue
        yield from _folded_rows(folded)
        folded = []
        yield from rows


def _is_sure(step: PathStep) -> bool:
    """That a step hangs on no flag, and on nothing unknown."""
    edge = step.edge
    if edge is None or step.node.unknown is not None:
        return False
    return edge.branch is None and edge.is_known


def _folded_rows(rows: list[Row]) -> Iterator[Row]:
    """Steps that hang on no flag: how many, where they are several."""
    if len(rows) < _LEAST_FOLDED:
        yield from rows
    else:
        yield row(quiet(f"{len(rows)} more steps, whatever the flags (--full)"), indent=1)


def _short_rows(step: PathStep, brevity: int) -> Iterator[Row]:
    label = strong(str(step.node.label))
    if step.edge is None:
        yield row(label, aside=made_text(step.node, full=False))
        return
    edge_row, *others = _edge_rows(step.edge, full=False)
    first = replace(edge_row, parts=pieces((label, "  ", *edge_row.parts)), indent=0)
    is_long = sum(lines_taken([first], base=0)) > 1
    yield replace(first, aside=()) if brevity >= _WITHOUT_PLACES and is_long else first
    yield from (replace(other, indent=1) for other in others)


def _edge_rows(edge: EdgeAnswer, full: bool) -> Iterator[Row]:
    parts = [name(edge.attribute or edge.kind)]
    term = edge_term_text(edge, full)
    if term:
        parts.append(quiet(f" <- {term}"))
    if edge.kind == "implicit":
        parts.append(quiet(" (implicit)"))
    if edge.kind == "assumed":
        parts.append(warning(" (assumed: nothing tells what this rule is)"))
    if edge.uncertain is not None:
        parts.append(warning(f" (cannot be told: {edge.uncertain})"))
    if edge.is_tool:
        parts.append(quiet(" (for the execution platform)"))
    yield row(*parts, aside=location_text(edge.location), indent=1)
    if edge.branch is not None:
        # In brief the line that asks for the select() is enough: that is the one to edit.
        place = select_place(edge.branch) if full else ""
        yield row(*branch_parts(edge.branch), aside=place, indent=2)


def add_repository(document: Document, repository: RepositoryAnswer, full: bool) -> None:
    """Appends an external repository on a path: where it is defined, from where it is fetched;
    `full`: all that its definition says. Why its content is unknown is told once."""
    unknown = repository.unknown
    why = (unknown.detail or unknown.reason.value) if unknown is not None else ""
    told = "" if why and document.says(why) else why
    document.add(_repository_rows(repository, told, full))


def _repository_rows(repository: RepositoryAnswer, why: str, full: bool) -> Iterator[Row]:
    yield row(
        strong(at_sign(repository.name)),
        f" is {repository.rule}()" if repository.rule else " is not defined here",
        quiet(f", content: {content_text(repository.provenance, why)}"),
        aside=location_text(repository.edited_at or repository.location),
    )
    for fact in repository.facts:
        if full:
            for value in fact.values:
                yield row(name(fact.name), f" {value}", indent=1)
        elif fact.name in _SAYS_WHERE_FROM:
            more = len(fact.values) - 1
            also = f" and {plural(more, 'other address', 'other addresses')}" if more else ""
            yield row(name(fact.name), f" {fact.values[-1]}", quiet(also), indent=1)
