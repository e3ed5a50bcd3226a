"""Under which flags a target reaches others, kept for the next run without its graph.

What was found rests on the packages that were loaded for it, each with all it was made from; a
run that finds these as they were needs to decode none of them.
"""

from __future__ import annotations

import marshal
from collections import ChainMap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from bazelscope.analysis.conditions.atoms import FlagRequirement
from bazelscope.analysis.conditions.diagrams import FALSE, TRUE
from bazelscope.analysis.conditions.formula_variables import Atoms
from bazelscope.analysis.graph.packages_as_inputs import (
    package_holds,
    package_inputs,
)
from bazelscope.analysis.paths.reach import Reach, Reaches
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.encoded_values import decode_label, decode_unknown, encode_unknown
from bazelscope.kept.pack import Input, Key, Pack, checksum
from bazelscope.loading.loader import Loader

_Kept = TypeVar("_Kept")
KIND = "reach"
_STATE = "state"
LEFT_OUT = -1


@dataclass(frozen=True, slots=True)
class ReachSummary:
    """Under which flags each target is reached, by its label; under which Bazel refuses one of
    them, and which; under which one is incompatible with the platform. `label_settings` are
    those on the way, of which not every value is known."""

    arrival: Mapping[str, int]
    refused: int
    refused_at: tuple[Label, ...]
    incompatible: int
    label_settings: tuple[Label, ...] = ()

    def labels(self) -> Iterable[Label]:
        """Every target that some flags reach."""
        return map(decode_label, self.arrival)


Others = tuple[Sequence[int], list[ReachSummary]]
"""By set of packages which of the summaries is its own, or `LEFT_OUT`; the summaries,
each beside that of the line."""


def summary(reaches: Reaches, reach: Reach, incompatible: int) -> ReachSummary:
    """What there is to keep of a reach."""
    diagrams = reaches.formulas.diagrams
    arrival: dict[str, int] = {}
    for state, formula in reach.arrival.items():
        text = str(state.label)
        arrival[text] = diagrams.either(arrival.get(text, FALSE), formula)
    return ReachSummary(
        arrival, reach.refused, tuple(reach.refused_at), incompatible, tuple(reaches.label_settings)
    )


def rests_on(source: Loader, key: Key | None = None) -> bytes | None:
    """A hash of the packages that a kept summary rests on, or, without a key, of all that were
    loaded; None if it cannot be told."""
    entries = source.parts.results.of(KIND, "analysis")
    kept = entries.inputs(key) if entries is not None and key is not None else None
    inputs = kept if key is not None else package_inputs(source)
    return None if inputs is None else checksum(repr(inputs).encode())


def keep_others(
    entries: Pack, atoms: Atoms, key: Key, state: bytes, others: Others, files: Iterable[Input]
) -> None:
    """Keeps what was found in the packages that other values load: it rests on the `state` of
    all else, and on files."""
    same, summaries = others
    content = marshal.dumps((tuple(same), _encoded(atoms, summaries)))
    entries.put(key, content, ((_STATE, state), *files))


def kept_others(
    entries: Pack, atoms: Atoms, key: Key, state: bytes, holds: Callable[[Input], bool]
) -> Others | None:
    """What an earlier run found there, if the state and the files are as they were."""
    content = entries.get(
        key, lambda input: input[1] == state if input[0] == _STATE else holds(input)
    )
    return _read(content, lambda kept: (kept[0], _decoded(atoms, kept[1])))


def beside(summary: ReachSummary, base: ReachSummary) -> ReachSummary:
    """A summary that has only what differs from another one."""
    arrival = {text: FALSE for text in base.arrival if text not in summary.arrival}
    for text, formula in summary.arrival.items():
        if base.arrival.get(text) != formula:
            arrival[text] = formula
    return replace(summary, arrival=arrival)


def on(base: ReachSummary, other: ReachSummary) -> ReachSummary:
    """A whole summary from what differs from another one."""
    return replace(other, arrival=ChainMap(dict(other.arrival), dict(base.arrival)))


def kept_summary(source: Loader, atoms: Atoms, key: Key) -> ReachSummary | None:
    """What an earlier run found, if all that it rests on is as it was."""
    entries = source.parts.results.of(KIND, "analysis")
    if entries is None:
        return None
    content = entries.get(key, lambda input: package_holds(source, input))
    return _read(content, lambda kept: _decoded(atoms, kept)[0])


def keep_summary(source: Loader, atoms: Atoms, key: Key, summary: ReachSummary) -> bool:
    """Keeps what was found for the next run, unless something that it rests on cannot be;
    returns whether it did."""
    entries = source.parts.results.of(KIND, "analysis")
    if entries is None:
        return False
    inputs = package_inputs(source)
    if inputs is None:
        return False
    entries.put(key, marshal.dumps(_encoded(atoms, [summary])), inputs)
    return True


def _read(content: bytes | None, decode: Callable[[Any], _Kept]) -> _Kept | None:
    try:
        return None if content is None else decode(marshal.loads(content))
    except (ValueError, EOFError, TypeError, IndexError):
        return None  # Written by another Python.


def _encoded(atoms: Atoms, summaries: Sequence[ReachSummary]) -> tuple[Any, ...]:
    table, numbers = atoms.diagrams.table(
        formula
        for summary in summaries
        for formula in (*summary.arrival.values(), summary.refused, summary.incompatible)
    )
    nodes = [(*test, yes, no) for test, yes, no in table]
    used = {test.variable for test, _, _ in table}
    variables = {
        number: (atoms.names(number), tuple(map(_asked, tests)))
        for number, tests in enumerate(atoms.by_variable())
        if number in used
    }
    rows = [
        (
            {text: numbers[formula] for text, formula in summary.arrival.items()},
            (numbers[summary.refused], numbers[summary.incompatible]),
            tuple(map(str, summary.refused_at)),
            tuple(map(str, summary.label_settings)),
        )
        for summary in summaries
    ]
    return variables, nodes, rows


def _decoded(atoms: Atoms, data: tuple[Any, ...]) -> list[ReachSummary]:
    variables, nodes, rows = data
    tests: dict[tuple[int, int], int] = {}
    for number, (names, asked) in variables.items():
        for value, one in enumerate(asked):
            need = _need(one)
            tests[number, value] = (
                atoms.of_unknown(names[value + 1], need, names[0])
                if isinstance(need, Unknown)
                else atoms.of_requirement(need)
            )
    formulas = [FALSE, TRUE]
    for variable, value, yes, no in nodes:
        test = tests[variable, value]
        formulas.append(atoms.diagrams.choice(test, formulas[yes], formulas[no]))
    return [
        ReachSummary(
            {text: formulas[number] for text, number in arrival.items()},
            formulas[refused],
            tuple(map(decode_label, refused_at)),
            formulas[incompatible],
            tuple(map(decode_label, label_settings)),
        )
        for arrival, (refused, incompatible), refused_at, label_settings in rows
    ]


def _asked(asked: FlagRequirement | Unknown) -> tuple[Any, ...]:
    if isinstance(asked, Unknown):
        return (encode_unknown(asked),)
    return (
        asked.what,
        asked.wanted,
        str(asked.setting),
        None if asked.location is None else tuple(asked.location),
        asked.accumulates,
        asked.is_constraint,
        asked.is_settable,
        asked.of_exec,
        asked.domain,
        asked.is_provided,
    )


def _need(data: tuple[Any, ...]) -> FlagRequirement | Unknown:
    if len(data) == 1:
        return decode_unknown(data[0])
    what, wanted, setting, place, *rest = data
    location = None if place is None else Location(*place)
    return FlagRequirement(what, wanted, decode_label(setting), location, *rest)
