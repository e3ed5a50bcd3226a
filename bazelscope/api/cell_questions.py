"""The questions of `matrix` under one line, each in a few words with its details."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from bazelscope.api.questions import ConfiguredWorkspace
from bazelscope.api.within_limits import within_limits
from bazelscope.base import budget
from bazelscope.questions.matrix.answer import NO_FLAG, UNKNOWN_NAME, MatrixQuestion
from bazelscope.questions.matrix.find import CellResult
from bazelscope.questions.shared.endpoint_answers import NameAnswer
from bazelscope.questions.shared.phrases import listed, origin_text, wants_text
from bazelscope.render.counting import plural

if TYPE_CHECKING:
    from bazelscope.questions.matrix.closures import Closures

_Arguments = tuple[str, ...]


@within_limits
def ask(
    line: ConfiguredWorkspace, question: MatrixQuestion, arguments: _Arguments, closures: Closures
) -> CellResult:
    """What the question comes to under the line alone; `closures` are those of lines with the
    same packages. Raises `UsageError`."""
    if question in _BUILDING:
        line.take_question(line.line.words, arguments[:1])
        if line.errors_of_flags:  # The project of the target may refuse the line.
            return CellResult("refused", (), line.errors_of_flags[0].message)
    result = _QUESTIONS[question](line, arguments, closures)
    spent = budget.current().spent_on_files()
    # What could not be loaded any more, no cell may call absent.
    return result if spent is None else CellResult("error", (), spent)


def _needs(line: ConfiguredWorkspace, names: _Arguments, closures: Closures) -> CellResult:
    from bazelscope.questions.shared.endpoint_answers import may_be_there
    from bazelscope.questions.shared.endpoints import which_targets
    from bazelscope.questions.shared.unknown_below import any_unknown

    source, target = names
    ends, start, end, _ = which_targets(line.world, source, target, True)
    if ends is None:
        return _nothing(start if start.is_settled and start.label is None else end)
    closure = closures.of(line.world, ends.start)
    if ends.end in closure.first_named_by:
        return CellResult("yes", tuple(map(str, closure.way(ends.end))))
    if ends.end not in closure.absent:
        is_hidden = any_unknown(line.world, closure.first_named_by, ends.end)
        closure.absent[ends.end] = is_hidden or may_be_there(start, end)
    return CellResult("no known path" if closure.absent[ends.end] else "no")


def _holds(line: ConfiguredWorkspace, names: _Arguments, closures: Closures) -> CellResult:
    from bazelscope.analysis.conditions.match_result import UnknownMatch

    world = line.world
    target = closures.named(world, names[0])
    if target.label is None:
        return _nothing(target)
    match = world.conditions.match(target.label)
    if isinstance(match, UnknownMatch):
        return CellResult("unknown", (str(match.unknown),))
    told = [
        f"{one.what}={one.wanted}  {origin_text(one)}" if one.holds else wants_text(one)
        for one in match.requirements
    ]
    return CellResult("holds" if match.outcome.value == "holds" else "no", tuple(told))


def _nothing(name: NameAnswer) -> CellResult:
    """What comes of a cell where a name means no target, or several."""
    told = name.why or f"no target is named `{name.asked}`"
    if name.candidates:
        told += f": {listed([*map(str, name.candidates)], 3, '')}"
    if name.suggestions:
        told += f"; did you mean {', '.join(name.suggestions)}?"
    return CellResult(UNKNOWN_NAME, (), told)


def _flag(line: ConfiguredWorkspace, names: _Arguments, closures: Closures) -> CellResult:
    answer = line.flag(names[0].lstrip("-"))
    if answer.facts is None and answer.define is None:
        if answer.known_in:
            return CellResult(NO_FLAG)
        return CellResult(NO_FLAG, (), f"Bazel has no flag `{names[0]}`")
    counting = [ranked.setting for ranked in answer.settings if ranked.counts]
    places = [f"{one.canonical}  {one.location.short if one.location else ''}" for one in counting]
    value = " ".join(answer.values) or "not set"
    return CellResult(value, tuple(place.strip() for place in places))


def _check(line: ConfiguredWorkspace, names: _Arguments, closures: Closures) -> CellResult:
    findings = line.check().findings
    told = tuple(
        f"{one.code} {one.path}:{one.span.line if one.span else 0} {one.message}"
        for one in findings
    )
    return CellResult(plural(len(findings), "finding") if findings else "clean", told)


def _refused(line: ConfiguredWorkspace, names: _Arguments, closures: Closures) -> CellResult:
    refusals = line.refusals(*names)
    told = [
        f"{one.target or ''} {one.location.short if one.location else ''} {one.message}".strip()
        for one in refusals
    ]
    return CellResult(f"refused ({len(refusals)})" if refusals else "no", tuple(told))


def _size(line: ConfiguredWorkspace, names: _Arguments, closures: Closures) -> CellResult:
    target = closures.named(line.world, names[0])
    if target.label is None:
        return _nothing(target)
    labels = tuple(map(str, sorted(closures.of(line.world, target.label).first_named_by)))
    return CellResult(plural(len(labels), "target"), labels)


_BUILDING = (MatrixQuestion.NEEDS, MatrixQuestion.REFUSED, MatrixQuestion.SIZE)
_QUESTIONS: Mapping[
    MatrixQuestion, Callable[[ConfiguredWorkspace, _Arguments, Closures], CellResult]
] = {
    MatrixQuestion.NEEDS: _needs,
    MatrixQuestion.HOLDS: _holds,
    MatrixQuestion.FLAG: _flag,
    MatrixQuestion.CHECK: _check,
    MatrixQuestion.REFUSED: _refused,
    MatrixQuestion.SIZE: _size,
}
