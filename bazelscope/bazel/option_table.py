"""The table of all releases' options: read at once, decoded where somebody asks.

`options.jsonl`, which `scripts/make_flag_catalog.py` makes, has a line of what all options
share, then a line for each name: the states that it went through, each with the number of the
release where it began. A state is `[release]` (the name is gone), `[release, other name]`, or
`[release, type, default, bits, commands, abbreviation, expansion, deprecation]`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from bazelscope.base.memoized import memoized

_TABLE = Path(__file__).with_name("options.jsonl")
NEGATABLE, REPEATS, TAKES_VALUE, HIDDEN, PERHAPS = 1, 2, 4, 8, 16
"""Bits of a state. `PERHAPS`: documentation, which leaves out what is hidden, is all there is."""

State = list[Any]


class OptionTable:
    """The decoded first line of the table, and its other lines as text."""

    def __init__(self, text: str) -> None:
        head, _, rest = text.partition("\n")
        shared: Mapping[str, Any] = json.loads(head)
        self.releases: tuple[str, ...] = tuple(shared["releases"])
        self.documented: list[bool] = shared["documented"]
        self.types: list[list[Any]] = shared["types"]
        self.command_sets: list[list[str]] = shared["command_sets"]
        self.requires: Mapping[str, list[str]] = shared["requires"]
        self.abbreviations: Mapping[str, list[str]] = shared["abbreviations"]
        self._shared = shared
        self._lines = dict(line.split("\t", 1) for line in rest.splitlines())

    def commands(self, position: int) -> Sequence[str]:
        """The commands of one release."""
        names: list[str] = self._shared["commands"][self._shared["shared"][position][0]]
        return names

    def inherits(self, position: int) -> Mapping[str, Sequence[str]]:
        """By command of one release, the commands whose options it takes."""
        names: dict[str, list[str]] = self._shared["inherits"][self._shared["shared"][position][1]]
        return names

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that any release has, sorted."""
        return tuple(self._lines)

    @memoized
    def history(self, name: str) -> list[State]:
        """The states of a name, oldest first; none for a name that no release has."""
        line = self._lines.get(name)
        return json.loads(line) if line is not None else []

    def state(self, name: str, position: int) -> State | None:
        """The state of a name in one release; None where the release does not have it."""
        last = None
        for state in self.history(name):
            if state[0] > position:
                break
            last = state
        return last if last is not None and len(last) > 1 else None


@lru_cache(maxsize=1)
def option_table() -> OptionTable:
    return OptionTable(_TABLE.read_text(encoding="utf-8"))


def is_doubtful(state: Sequence[Any]) -> bool:
    """Whether the release of a state that is no gap perhaps does not have the name."""
    if isinstance(state[1], str):
        return len(state) > 2
    return bool(state[3] & PERHAPS)


def meaning(state: Sequence[Any]) -> object:
    """What two states of a name differ by that changes how the option is read: its type,
    arity and expansion, neither its default nor its commands."""
    if len(state) < 4:
        return state[1:]
    kind, _, values = option_table().types[state[1]]
    return kind, values, state[3] & ~(HIDDEN | PERHAPS), state[5:7]
