"""The answer to `path --all-paths` as text: the paths, shortest first, and what is not shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bazelscope.questions.path.answer import ListedPath, PathsAnswer
from bazelscope.questions.path.text import (
    no_path_rows,
    repository_rows,
    route_problem_rows,
)
from bazelscope.questions.path.text_needs import add_whole_condition, tried_rows
from bazelscope.questions.shared.conditions.flag_conditions import FlagCondition, Verdict
from bazelscope.questions.shared.endpoint_answers import PathOutcome
from bazelscope.questions.shared.phrases import location_text
from bazelscope.questions.shared.text_endpoints import name_rows, unknown_below_rows
from bazelscope.questions.shared.text_envelope import add_foot, add_head
from bazelscope.questions.shared.text_flag_conditions import (
    HERE,
    add_deciding,
    branch_parts,
    clash_text,
    condition_rows,
    how_so,
    select_place,
    words_of,
)
from bazelscope.render.counting import count_text, plural
from bazelscope.render.document import Document, Part, Row, good, name, quiet, row, strong, warning

_LEFT_OUT_SHOWN = 5
"""Counts from here on are rounded in text: nobody reads their digits."""


def paths_document(answer: PathsAnswer, full: bool = False) -> Document:
    """Several paths, or why there is none."""
    document = Document()
    for asked in (answer.source, answer.target):
        document.add(name_rows(asked, full))
    document.add(route_problem_rows(answer.route, full))
    add_head(document, answer.envelope)
    if answer.outcome is PathOutcome.NO_PATH:
        document.add(no_path_rows(answer))
    elif answer.outcome is PathOutcome.FOUND:
        document.add([row(*_head(answer))])
        if answer.condition is not None:
            is_known = any(map(_is_known, answer.paths))
            add_whole_condition(document, answer.condition, full, is_known)
        only_here = bool(answer.envelope.not_covered)
        add_deciding(document, answer.shared, answer.cut, only_here=only_here)
    for number, path in enumerate(answer.paths, start=1):
        title = f"Path {number}, {plural(len(path.steps) - 1, 'edge')}"
        document.add(_path_rows(path, full), (strong(title),))
    document.add(_left_out_rows(answer, full))
    document.add(unknown_below_rows(answer.source, answer.unknown_below, full))
    for repository in answer.repositories:
        document.add(repository_rows(repository, full))
    add_foot(document, answer.envelope, full, names=(answer.source, answer.target))
    return document


def _head(answer: PathsAnswer) -> Iterator[Part]:
    shown = len(answer.paths)
    if not shown and not answer.is_complete:
        yield warning("There are too many cases to list any path.")
        return
    if answer.is_complete:
        yield strong(f"{plural(shown, 'path')}, shortest first")
        if answer.unknown_below is not None:
            yield "; no others are known." if shown > 1 else "; no other is known."
        else:
            where = f" {HERE}" if answer.envelope.not_covered else ""
            yield f"; there {'are no others' if shown > 1 else 'is no other'}{where}."
        return
    yield strong(f"{plural(shown, 'path')}, shortest first")
    if answer.more is None:
        yield "; there are more than that (--max-paths)."
    else:
        yield f"; {count_text(answer.more)} more were not looked at (--max-paths)."


def _condition_rows(condition: FlagCondition, full: bool) -> Iterator[Row]:
    """Under which flags a path is there."""
    if condition.verdict is not Verdict.SOMETIMES:
        return
    before = how_so(condition, full)
    if len(condition.told) == 1:
        yield row(quiet(f"{before} "), *words_of(condition.told[0]), indent=1)
        return
    yield row(quiet(before), indent=1)
    yield from (replace(one, indent=one.indent + 2) for one in condition_rows(condition, full))


def _is_known(path: ListedPath) -> bool:
    return all(step.edge is None or step.edge.is_known for step in path.steps)


def _path_rows(path: ListedPath, full: bool) -> Iterator[Row]:
    for index, step in enumerate(path.steps):
        if index == 0:
            yield row(str(step.node.label), indent=1)
        edge = step.edge
        if edge is None:
            continue
        tool = quiet(" (for the execution platform)") if edge.is_tool else ""
        uncertain = f" (cannot be told: {edge.uncertain})" if edge.uncertain else ""
        yield row(
            name(edge.attribute or edge.kind),
            " -> ",
            str(edge.target),
            tool,
            warning(uncertain) if uncertain else "",
            aside=location_text(edge.location),
            indent=2,
        )
        if edge.branch is not None:
            yield row(*branch_parts(edge.branch), aside=select_place(edge.branch), indent=3)
    if path.condition is not None:
        yield from _condition_rows(path.condition, full)
    if path.flags is None:
        return
    configs = [good(f"--config={source.config}") for source in path.flags.configs]
    if configs:
        rest = [part for one in configs[1:] for part in (" or ", one)]
        yield row(quiet("set by "), configs[0], *rest, indent=1)
    missing = [need.text for need in path.needs if not need.holds]
    yield from (replace(one, indent=1) for one in tried_rows(path.flags, missing))


def _left_out_rows(answer: PathsAnswer, full: bool) -> Iterator[Row]:
    shown = answer.left_out if full else answer.left_out[:_LEFT_OUT_SHOWN]
    if shown:
        yield row(strong("Left out, because no flags make them:"))
    for clash in shown:
        count = "some" if clash.paths is None else count_text(clash.paths)
        yield row(
            f"{count} {'path' if clash.paths == 1 else 'paths'}: {clash_text(clash)}", indent=1
        )
    if len(shown) < len(answer.left_out):
        more = plural(len(answer.left_out) - len(shown), "other reason")
        yield row(quiet(f"and {more} (--full lists all)"), indent=1)
