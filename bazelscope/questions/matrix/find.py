"""Which cells of a matrix agree, and what the others have instead."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from bazelscope.base.errors import Diagnostic, UsageError
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.nearest import did_you_mean
from bazelscope.bazel.hosts import SYSTEMS, Host
from bazelscope.questions.matrix.answer import (
    Axis,
    CellGroup,
    MatrixAnswer,
    MatrixCell,
    MatrixQuestion,
)
from bazelscope.questions.shared.envelope import Envelope

AXES = ("configs", "hosts", "versions")
MOST_CELLS = 10_000
ARGUMENTS = {
    MatrixQuestion.NEEDS: ("A", "B"),
    MatrixQuestion.HOLDS: ("SETTING",),
    MatrixQuestion.FLAG: ("FLAG",),
    MatrixQuestion.CHECK: (),
    MatrixQuestion.REFUSED: ("TARGET",),
    MatrixQuestion.SIZE: ("TARGET",),
}


@dataclass(frozen=True, slots=True)
class CellResult:
    """What came of one cell; see `MatrixCell`. `details` are in an order of their own."""

    outcome: str
    details: tuple[str, ...] = ()
    problem: str = ""
    refused: str | None = None


def axes_of(texts: Sequence[str]) -> tuple[Axis, ...]:
    """The axes that `NAME=VALUE,VALUE...` name. Raises `UsageError`."""
    axes: dict[str, Axis] = {}
    for text in texts:
        name, equals, values = text.partition("=")
        if name not in AXES:
            raise _bad(f"there is no axis `{name}`", did_you_mean(name, AXES) or _axes())
        if not equals:
            raise _bad(f"the axis `{name}` has no values", f"write {name}=FIRST,SECOND")
        if name in axes:
            raise _bad(f"the axis `{name}` is given twice", "join the values with commas")
        wrong = [one.strip() for one in values.split(",") if one.strip()]
        wrong = [one for one in wrong if name == "hosts" and not Host.is_known(one)]
        if wrong:
            hint = did_you_mean(wrong[0], SYSTEMS) or f"the hosts are {', '.join(SYSTEMS)}"
            raise _bad(f"there is no host `{wrong[0]}`", hint)
        axes[name] = Axis(name, tuple(dict.fromkeys(one.strip() for one in values.split(","))))
    if not axes:
        raise _bad("there is nothing to go over", _axes())
    return tuple(axes.values())


def coordinates(axes: Sequence[Axis]) -> list[tuple[str, ...]]:
    """The value on each axis of every cell, row by row. Raises `UsageError` for too many."""
    count = 1
    for axis in axes:
        count *= len(axis.values)
    if count > MOST_CELLS:
        raise _bad(f"{count} cells are too many; {MOST_CELLS} is the most", None)
    return list(itertools.product(*(axis.values for axis in axes)))


def question_of(words: Sequence[str]) -> tuple[MatrixQuestion, tuple[str, ...]]:
    """The question that a line begins with, and its arguments. Raises `UsageError`."""
    names = [question.value for question in MatrixQuestion]
    if not words or words[0] not in names:
        said = f"there is no question `{words[0]}`" if words else "give a question"
        hint = did_you_mean(words[0], names) if words else None
        raise _bad(said, hint or f"the questions are {', '.join(names)}")
    question = MatrixQuestion(words[0])
    wanted, given = ARGUMENTS[question], tuple(words[1:])
    if question is not MatrixQuestion.CHECK and len(given) != len(wanted):
        raise _bad(
            f"`{question.value}` takes {' '.join(wanted)}",
            f"bazelscope matrix {question.value} {' '.join(wanted)} --over configs=a,b",
        )
    return question, given


def folded(
    envelope: Envelope,
    question: MatrixQuestion,
    arguments: tuple[str, ...],
    axes: tuple[Axis, ...],
    places: Sequence[tuple[str, ...]],
    results: Sequence[CellResult],
    notes: tuple[str, ...] = (),
) -> MatrixAnswer:
    """The answer that the results of all cells amount to: those that agree, together."""
    members: dict[CellResult, list[int]] = {}
    for number, result in enumerate(results):
        members.setdefault(result, []).append(number)
    # What the others are compared with is an answer, and no problem, if there is any.
    ordered = sorted(
        members.items(), key=lambda pair: (bool(pair[0].problem), -len(pair[1]), pair[1][0])
    )
    numbers: dict[int, int] = {}
    groups: list[CellGroup] = []
    first = ordered[0][0]
    known = set(first.details)
    for index, (result, alike) in enumerate(ordered):
        numbers.update(dict.fromkeys(alike, index))
        own = set(result.details)
        # What has no answer has neither more nor fewer than one.
        is_compared = index > 0 and not result.problem
        groups.append(
            CellGroup(
                result.outcome,
                described([places[cell] for cell in alike], axes),
                len(alike),
                result.details if index == 0 else (),
                tuple(one for one in result.details if is_compared and one not in known),
                tuple(one for one in first.details if is_compared and one not in own),
            )
        )
    cells = tuple(
        MatrixCell(place, result.outcome, numbers[number], result.problem, result.refused)
        for number, (place, result) in enumerate(zip(places, results, strict=True))
    )
    return MatrixAnswer(envelope, question, arguments, axes, cells, tuple(groups), notes)


def described(cells: Sequence[tuple[str, ...]], axes: Sequence[Axis]) -> str:
    """Which cells those are, in the fewest words: `cuda on linux`, `mkl, opt`."""
    if not axes or not cells:
        return ""
    values = [tuple(v for v in axis.values if any(cell[i] == v for cell in cells))
              for i, axis in enumerate(axes)]  # fmt: skip
    size = 1
    for shown in values:
        size *= len(shown)
    if size == len(cells):
        parts = [
            (axis.name, ", ".join(shown_value(axis.name, one) for one in shown))
            for axis, shown in zip(axes, values, strict=True)
            if len(shown) < len(axis.values)
        ]
        return _joined(parts)
    by_first: dict[tuple[tuple[str, ...], ...], list[str]] = {}
    for value in values[0]:
        rest = tuple(cell[1:] for cell in cells if cell[0] == value)
        by_first.setdefault(rest, []).append(value)
    told = []
    for rest, firsts in by_first.items():
        names = ", ".join(shown_value(axes[0].name, one) for one in firsts)
        below = described(rest, axes[1:])
        told.append(_joined([(axes[0].name, names), *([("", below)] if below else [])]))
    return "; ".join(told)


_BETWEEN = {"configs": "", "hosts": "on ", "versions": "with Bazel ", "": ""}


def _joined(parts: Sequence[tuple[str, str]]) -> str:
    return " ".join(f"{_BETWEEN[name]}{text}" for name, text in parts)


def shown_value(axis: str, value: str) -> str:
    """A value of an axis as readers see it."""
    return value or ("no config" if axis == "configs" else "the default")


def _axes() -> str:
    return "the axes are configs=, hosts= and versions=: --over configs=mkl,cuda,opt+mkl"


def _bad(message: str, hint: str | None) -> UsageError:
    return UsageError(Diagnostic("matrix", message, hint=hint))
