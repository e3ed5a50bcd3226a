"""The answer to `path --all-paths` as text: the paths, shortest first, and what is not shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, takewhile

from bazelscope.base.named_tuple import NamedTuple
from bazelscope.questions.path.answer import ListedPath, PathsAnswer, PathStep
from bazelscope.questions.path.text import add_repository, no_path_rows, route_problem_rows
from bazelscope.questions.path.text_needs import add_whole_condition, tried_rows
from bazelscope.questions.shared.conditions.flag_conditions import FlagCondition, Verdict
from bazelscope.questions.shared.endpoint_answers import PathOutcome
from bazelscope.questions.shared.nodes import EdgeAnswer
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
from bazelscope.render.document import (
    Document,
    Part,
    Row,
    fitting,
    good,
    height,
    lines_taken,
    name,
    quiet,
    row,
    strong,
    warning,
)

_LEFT_OUT_SHOWN = 5
"""Counts from here on are rounded in text: nobody reads their digits."""


_MOST_LINES = 40


def paths_document(answer: PathsAnswer, full: bool = False) -> Document:
    """Several paths, or why there is none. Unless `full`, in few lines: what paths share is told
    once, and the longest are only counted."""
    if full:
        return _document(answer, full)
    whole, count = _document(answer, full), len(answer.paths)
    if count < 2 or height(whole) <= _MOST_LINES:
        return whole
    # Rather no places and flags of each than less than half of the paths.
    ways = [_Fold(n) for n in range(count // 2 + 1)]
    ways += [_Fold(n, is_brief=True) for n in range(count)]
    return fitting(lambda n: _document(answer, full, ways[n]), _MOST_LINES, len(ways) - 1)


class _Fold(NamedTuple):
    """How paths are folded: so many of the last are left out; `is_brief`: places that would take a
    line of their own, and under which flags each path is there, are left out."""

    hidden: int
    is_brief: bool = False


def _document(answer: PathsAnswer, full: bool, fold: _Fold | None = None) -> Document:
    """The answer with whole paths, or with folded ones."""
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
    if fold is None:
        for number, path in enumerate(answer.paths, start=1):
            document.add(_path_rows(path, full), (strong(_title(number, path)),))
    else:
        shown = answer.paths[: len(answer.paths) - fold.hidden]
        rows = (_folded_rows(shown[: number + 1], fold.is_brief) for number in range(len(shown)))
        document.add(chain.from_iterable(rows))
        if fold.hidden:
            document.add([row(quiet(f"{plural(fold.hidden, 'more path')} not shown (--full)"))])
    document.add(_left_out_rows(answer, full))
    document.add(unknown_below_rows(answer.source, answer.unknown_below, full))
    for repository in answer.repositories:
        add_repository(document, repository, full)
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


def _title(number: int, path: ListedPath) -> str:
    return f"Path {number}, {plural(len(path.steps) - 1, 'edge')}"


def _path_rows(path: ListedPath, full: bool) -> Iterator[Row]:
    yield row(str(path.steps[0].node.label), indent=1)
    for step in path.steps:
        if step.edge is None:
            continue
        yield _edge_row(step.edge)
        if step.edge.branch is not None:
            branch = step.edge.branch
            yield row(*branch_parts(branch), aside=select_place(branch), indent=3)
    yield from _flag_rows(path, full)


def _folded_rows(paths: Sequence[ListedPath], is_brief: bool) -> Iterator[Row]:
    """The last of some paths, of which only that is told in which it differs from the others."""
    *others, path = paths
    steps, title = path.steps, strong(_title(len(paths), path))
    begun = [_alike(steps, other.steps) for other in others]
    first = max(begun, default=0)
    ended = [_alike(steps[first:][::-1], other.steps[::-1]) for other in others]
    last = max(ended, default=0)
    own = [step.edge for step in steps[first : len(steps) - last] if step.edge is not None]
    # The last step has no edge: it is the same in all.
    ends = quiet(f", then as path {ended.index(last) + 1}" if last > 1 else "")
    start = quiet(f": as path {begun.index(first) + 1} to " if first else ": ")
    yield row(title, start, str(steps[first].node.label), "" if own else ends)
    known = {_branch_of(step.edge) for other in others for step in other.steps} - {None}
    for edge in own:
        # Of a condition that an earlier path has, its name is enough.
        again = _branch_of(edge) in known
        named = quiet(f" if {_branch_of(edge)}" if again else "")
        one = _edge_row(edge, named, ends if edge is own[-1] else quiet(""))
        yield _beside(one) if others or is_brief else one
        if edge.branch is not None and not again:
            yield row(*branch_parts(edge.branch), indent=3)
    if not is_brief:
        yield from _flag_rows(path, full=False)


def _beside(one: Row) -> Row:
    """A row without its place, where that would take a line of its own."""
    return replace(one, aside=()) if sum(lines_taken([one], base=0)) > 1 else one


def _branch_of(edge: EdgeAnswer | None) -> str | None:
    """The condition of an edge's branch; None where others decide, or none."""
    branch = edge.branch if edge is not None else None
    return None if branch is None or branch.is_default else str(branch.condition)


def _alike(steps: Sequence[PathStep], others: Sequence[PathStep]) -> int:
    """How many steps are the same, from the first on."""
    return sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(steps, others, strict=False))
    )


def _edge_row(edge: EdgeAnswer, *more: Part) -> Row:
    return row(
        name(edge.attribute or edge.kind),
        " -> ",
        str(edge.target),
        quiet(" (for the execution platform)") if edge.is_tool else "",
        warning(f" (cannot be told: {edge.uncertain})") if edge.uncertain else "",
        *more,
        aside=location_text(edge.location),
        indent=2,
    )


def _flag_rows(path: ListedPath, full: bool) -> Iterator[Row]:
    """Under which flags a path is there, and what sets them."""
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
