"""Under which flags a target reaches others, kept for the next run without its graph.

What was found rests on the packages that were loaded for it, each with all it was made from; a
run that finds these as they were needs to decode none of them.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from bazelscope.analysis.conditions.atoms import FlagRequirement
from bazelscope.analysis.conditions.diagrams import FALSE, TRUE
from bazelscope.analysis.conditions.formulas import Atoms
from bazelscope.analysis.graph.packages_as_inputs import (
    PackagesAsInputs,
    package_holds,
    package_inputs,
)
from bazelscope.analysis.paths.reach import Reach, Reaches
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.encoded_values import decode_label, decode_unknown, encode_unknown
from bazelscope.kept.pack import Key, Pack

KIND = "reach"


class ReachSource(PackagesAsInputs, Protocol):
    """Who has the packages, and keeps what is found out about them."""

    def kept(self, kind: str, code: str) -> Pack | None:
        """Where results of the package `code` of bazelscope are kept, if they are."""


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


def summary(reaches: Reaches, reach: Reach) -> ReachSummary:
    """What there is to keep of a reach."""
    diagrams = reaches.formulas.diagrams
    arrival: dict[str, int] = {}
    for state, formula in reach.arrival.items():
        text = str(state.label)
        arrival[text] = diagrams.either(arrival.get(text, FALSE), formula)
    return ReachSummary(
        arrival,
        reach.refused,
        tuple(reach.refused_at),
        reaches.incompatible(reach),
        tuple(reaches.label_settings),
    )


def kept_summary(source: ReachSource, atoms: Atoms, key: Key) -> ReachSummary | None:
    """What an earlier run found, if all that it rests on is as it was."""
    entries = source.kept(KIND, "analysis")
    if entries is None:
        return None
    content = entries.get(key, lambda item: package_holds(source, item))
    if content is None:
        return None
    try:
        return _decoded(atoms, marshal.loads(content))
    except (ValueError, EOFError, TypeError, IndexError):
        return None  # Written by another Python.


def keep_summary(source: ReachSource, atoms: Atoms, key: Key, found: ReachSummary) -> bool:
    """Keeps what was found for the next run, unless something that it rests on cannot be;
    returns whether it did."""
    entries = source.kept(KIND, "analysis")
    if entries is None:
        return False
    inputs = package_inputs(source)
    if inputs is None:
        return False
    entries.put(key, marshal.dumps(_encoded(atoms, found)), inputs)
    return True


def _encoded(atoms: Atoms, found: ReachSummary) -> tuple[Any, ...]:
    numbers = {FALSE: FALSE, TRUE: TRUE}
    nodes: list[tuple[int, int, int, int]] = []
    for formula in (*found.arrival.values(), found.refused, found.incompatible):
        _add(atoms, formula, numbers, nodes)
    used = {variable for variable, _, _, _ in nodes}
    variables = {
        number: (atoms.name(number), tuple(map(_asked, tests)))
        for number, tests in enumerate(atoms.by_variable())
        if number in used
    }
    return (
        variables,
        nodes,
        {text: numbers[formula] for text, formula in found.arrival.items()},
        (numbers[found.refused], numbers[found.incompatible]),
        tuple(map(str, found.refused_at)),
        tuple(map(str, found.label_settings)),
    )


def _add(
    atoms: Atoms,
    formula: int,
    numbers: dict[int, int],
    nodes: list[tuple[int, int, int, int]],
) -> None:
    """Adds the nodes of a formula, each behind those it leads to."""
    stack = [formula]
    while stack:
        node = stack[-1]
        if node in numbers:
            stack.pop()
            continue
        test, yes, no = atoms.diagrams.branches(node)
        below = [one for one in (yes, no) if one not in numbers]
        if below:
            stack += below
            continue
        numbers[node] = len(nodes) + 2
        nodes.append((*test, numbers[yes], numbers[no]))


def _decoded(atoms: Atoms, data: tuple[Any, ...]) -> ReachSummary:
    variables, nodes, arrival, (refused, incompatible), refused_at, label_settings = data
    tests: dict[tuple[int, int], int] = {}
    for number, (name, asked) in variables.items():
        for value, one in enumerate(asked):
            need = _need(one)
            tests[number, value] = (
                atoms.of_unknown(name, need)
                if isinstance(need, Unknown)
                else atoms.of_requirement(need)
            )
    formulas = [FALSE, TRUE]
    for variable, value, yes, no in nodes:
        test = tests[variable, value]
        formulas.append(atoms.diagrams.choice(test, formulas[yes], formulas[no]))
    return ReachSummary(
        {text: formulas[number] for text, number in arrival.items()},
        formulas[refused],
        tuple(map(decode_label, refused_at)),
        formulas[incompatible],
        tuple(map(decode_label, label_settings)),
    )


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
    )


def _need(data: tuple[Any, ...]) -> FlagRequirement | Unknown:
    if len(data) == 1:
        return decode_unknown(data[0])
    what, wanted, setting, place, *rest = data
    location = None if place is None else Location(*place)
    return FlagRequirement(what, wanted, decode_label(setting), location, *rest)
