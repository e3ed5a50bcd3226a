"""What became of an option from release to release: since when, until when, renamed, changed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.bazel.flag_catalog import FlagDefinition, definition_in
from bazelscope.bazel.option_table import State, is_doubtful, option_table


@dataclass(frozen=True, slots=True)
class OptionChange:
    """One change of an option.

    `release` is the first known one where it shows, `after` the known one before. `what` is
    `added`, `removed`, `undocumented` (hidden or removed), `gone` (after that, for certain),
    `renamed`, `type`, `default`, `repeats` or `deprecated`; `before` and `now` are what
    changed: types, defaults, the new name, what to use instead.
    """

    release: str
    after: str
    what: str
    before: str = ""
    now: str = ""


def changes(name: str) -> tuple[OptionChange, ...]:
    """How an option came, changed and went, oldest first; that the oldest known release has it
    is no change. Empty for a name that no release has."""
    table = option_table()
    told: list[OptionChange] = []
    states = table.history(name)
    if states and states[0][0] > 0:
        states = [[0], *states]
    for old, new in pairwise(states):
        release, after = table.releases[new[0]], table.releases[new[0] - 1]
        for what, before, now in _differences(name, old, new):
            told.append(OptionChange(release, after, what, before, now))
    return tuple(told)


def _differences(name: str, old: State, new: State) -> Iterator[tuple[str, str, str]]:
    if len(new) == 1:
        yield "gone" if len(old) > 1 and is_doubtful(old) else "removed", "", ""
    elif isinstance(new[1], str):
        if old[1:2] != new[1:2] and not is_doubtful(new):
            yield "renamed", name, new[1]
    elif len(old) == 1:
        if not is_doubtful(new):
            yield "added", "", ""
    elif is_doubtful(new) and not is_doubtful(old):
        yield "undocumented", "", ""
    elif not isinstance(old[1], str) and not is_doubtful(new):
        before, now = definition_in(name, old, old[0]), definition_in(name, new, new[0])
        if before is not None and now is not None:
            yield from _changed(before, now)


def _changed(before: FlagDefinition, now: FlagDefinition) -> Iterator[tuple[str, str, str]]:
    # What documentation leaves out is no change: a type, a default that Bazel computes.
    both_told = not (before.hidden or now.hidden)
    told = both_told and before.type_text and now.type_text
    if told and (before.kind, before.enum_values) != (now.kind, now.enum_values):
        yield "type", before.type_text, now.type_text
    defaults = before.default is not None and now.default is not None
    if both_told and defaults and before.default != now.default:
        yield "default", str(before.default), str(now.default)
    if before.repeats != now.repeats:
        yield "repeats", str(before.repeats).lower(), str(now.repeats).lower()
    if now.deprecated is not None and before.deprecated is None:
        yield "deprecated", "", now.deprecated


def former_names(name: str) -> tuple[str, ...]:
    """The other names that some release takes for the option, sorted."""
    table = option_table()
    return tuple(
        other
        for other in table.names
        if any(len(state) == 2 and state[1] == name for state in table.history(other))
    )


def lifetime(name: str) -> str:
    """Which releases have the name for certain, as the end of a sentence: `since 6.0.0`,
    `up to 6.5.0`, `from 0.26.1 to 4.2.3`; empty for a name that none has."""
    releases = option_table().releases
    has = [
        (state := option_table().state(name, position)) is not None and not is_doubtful(state)
        for position in range(len(releases))
    ]
    parts: list[str] = []
    start: int | None = None
    for position, present in enumerate([*has, False]):
        if present and start is None:
            start = position
        elif not present and start is not None:
            first, last = releases[start], releases[position - 1]
            if position == len(releases):
                parts.append(f"since {first}" if start else "in every known release")
            elif first == last and start:
                parts.append(f"in {first}")
            else:
                parts.append(f"from {first} to {last}" if start else f"up to {last}")
            start = None
    return ", and ".join(parts)


def oldest_definition(name: str) -> FlagDefinition | None:
    """The option as the first release has it that has one of that name; None if none has."""
    for state in option_table().history(name):
        if len(state) > 3:
            return definition_in(name, state, state[0])
    return None
