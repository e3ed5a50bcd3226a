"""Turns option facts of Bazel releases into the one table that bazelscope ships.

    python scripts/make_flag_catalog.py FOLDER [--output FILE]
    python scripts/make_flag_catalog.py --add VERSION.json

The second form needs nothing but the facts of one release that is newer than all of the table:
`{"bazel": VERSION, "flags": {NAME: {"type", "default", "multiple", "negatable", "abbreviation",
"requires_value", "commands", "expands_to"}}}`, and `"command_inherits": {COMMAND: [COMMAND]}` if
they are read off the reference page. What such a page leaves out stays as it was.

`FOLDER` holds one `VERSION.json` per release, as asked of the binaries (`help COMMAND
--long`, `help flags-as-proto`) or read off the command-line reference. What neither of
those says (former names, implicit requirements, which command inherits from which in old
releases) stands in `flag_catalog_facts.json` beside this script; and what a release accepts
although its command-line reference leaves it out, in `flag_catalog_hidden.json`. The latter
rests on the `help flags-as-proto` of 7.1.0 and the `build_options` of a bare workspace in
9.2.0, as others have published them, and on Bazel's `BazelRulesModule` of early 2026, where
options that do nothing any more are kept; one that a release had before and another has
after is taken to be there in between. What `--all_incompatible_changes` expands to, and which
options are deprecated, was asked of `canonicalize-flags --show_warnings` of 0.24.1, 2.1.0 and
4.2.3. The table is rewritten whole, and is the same for the same input.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scripts.option_facts import (
    add_doubtful,
    classify,
    commands_of,
    former_names,
    inherits_of,
    is_documented,
    options_of,
    version_key,
    with_measured,
)

FACTS = Path(__file__).with_name("flag_catalog_facts.json")
HIDDEN_OPTIONS = Path(__file__).with_name("flag_catalog_hidden.json")
TABLE = Path(__file__).parent.parent / "bazelscope" / "bazel" / "options.jsonl"
NEGATABLE, REPEATS, TAKES_VALUE, HIDDEN, PERHAPS = 1, 2, 4, 8, 16


class Interner:
    """Numbers equal values in order of first use."""

    def __init__(self, values: Sequence[Any] = ()) -> None:
        self.values: list[Any] = list(values)
        self._numbers = {json.dumps(value): number for number, value in enumerate(values)}

    def number(self, value: Any) -> int:
        key = json.dumps(value)
        if key not in self._numbers:
            self._numbers[key] = len(self.values)
            self.values.append(value)
        return self._numbers[key]


class Commands:
    """The commands of one release, and which take another's options."""

    def __init__(self, names: Sequence[str], inherits: Mapping[str, Sequence[str]]) -> None:
        self._names = set(names)
        self._inherits = inherits

    def _with_heirs(self, commands: set[str]) -> set[str]:
        found = set(commands)
        while True:
            more = {c for c, bases in self._inherits.items() if found & set(bases)} - found
            if not more:
                return found
            found |= more

    def shortest(self, commands: Sequence[str]) -> list[str]:
        """The commands that declare an option of these commands: without those that inherit
        it, and `*` if all take it."""
        given = {"*" if name == "common" else name for name in commands}
        startup = given & {"startup"}
        given -= startup
        if "*" in given:
            return ["*", *startup]
        asked = self._names & self._with_heirs(given)
        if self._names - {"mobile-install"} <= asked:
            return ["*", *startup]
        for name in sorted(given):
            fewer = given - {name}
            if fewer and self._names & self._with_heirs(fewer) == asked:
                given = fewer
        return sorted(given | startup)


def row_of(
    position: int, fact: Mapping[str, Any], types: Interner, sets: Interner, commands: Commands
) -> list[Any]:
    """One state of an option in the table, from the release of that number on."""
    bits = (
        (NEGATABLE if fact["negatable"] else 0)
        | (REPEATS if fact["multiple"] else 0)
        | (TAKES_VALUE if fact["requires_value"] else 0)
        | (HIDDEN if fact["type"] is None else 0)
        | (PERHAPS if fact["perhaps"] else 0)
    )
    row: list[Any] = [
        position,
        types.number(classify(fact["type"])),
        fact["default"],
        bits,
        sets.number(commands.shortest(fact["commands"])),
        fact["abbreviation"],
        fact["expands_to"] or None,
        fact["deprecated"],
    ]
    while row[-1] is None:
        row.pop()
    return row


def make_table(
    releases: Mapping[str, Mapping[str, Any]],
    facts: Mapping[str, Any],
    hidden: Mapping[str, Any],
) -> str:
    """The text of the table: a line of what all options share, then a line for each name."""
    versions = sorted(releases, key=version_key)
    options = {v: options_of(v, releases, facts, hidden) for v in versions}
    add_doubtful(versions, releases, options)
    types, sets, command_lists, inheritance = Interner(), Interner(), Interner(), Interner()
    histories: dict[str, list[list[Any]]] = {}
    shared: list[tuple[int, int]] = []
    for position, version in enumerate(versions):
        release = releases[version]
        names = commands_of(version, release, facts)
        inherits = inherits_of(version, release, facts, names)
        shared.append((command_lists.number(names), inheritance.number(inherits)))
        commands = Commands(names, inherits)
        states = {
            name: row_of(position, fact, types, sets, commands)
            for name, fact in options[version].items()
        }
        for old, new in former_names(version, options[version], releases, facts).items():
            if old not in states or states[old][3] & PERHAPS:
                states[old] = [position, new]
        if is_documented(release):
            for name in [n for n in histories if n.startswith("experimental_")]:
                # Bazel keeps the old name of what grew up for a while, and no page says it.
                grown = name.removeprefix("experimental_")
                doubtful = name not in states or (
                    len(states[name]) > 3 and states[name][3] & PERHAPS
                )
                if doubtful and grown in states and len(states[grown]) > 3:
                    states[name] = [position, grown, 1]
        for name in histories.keys() | states.keys():
            history = histories.setdefault(name, [])
            state = states.get(name, [position])
            if (history[-1] if history else [0])[1:] != state[1:]:
                history.append(state)
    head = {
        "releases": versions,
        "documented": [is_documented(releases[v]) for v in versions],
        "commands": command_lists.values,
        "inherits": inheritance.values,
        "shared": shared,
        "types": types.values,
        "command_sets": sets.values,
        "requires": facts["implicit_requirements"],
    }
    return text_of(head, histories)


def with_release(table: str, release: Mapping[str, Any], facts: Mapping[str, Any]) -> str:
    """The table with one more release behind its newest. What the reference page of the release
    leaves out, or tells less of than was known, stays as it was in the release before."""
    first, *lines = table.splitlines()
    head = json.loads(first)
    version, position = release["bazel"], len(head["releases"])
    if version_key(version) <= version_key(head["releases"][-1]):
        raise SystemExit(f"{version} is not newer than {head['releases'][-1]}: make the table anew")
    types, sets = Interner(head["types"]), Interner(head["command_sets"])
    command_lists, inheritance = Interner(head["commands"]), Interner(head["inherits"])
    names = commands_of(version, release, facts)
    inherits = inherits_of(version, release, facts, names)
    commands = Commands(names, inherits)
    histories = {name: json.loads(states) for name, states in (s.split("\t", 1) for s in lines)}
    documented = is_documented(release)
    for name in histories.keys() | release["flags"].keys():
        history = histories.setdefault(name, [])
        last = history[-1][1:] if history else []
        state = []
        if name in release["flags"]:
            fact = {**release["flags"][name], "deprecated": None, "perhaps": False}
            state = row_of(position, fact, types, sets, commands)[1:]
            if documented and len(last) > 2:
                state = at_least_as_told(state, last, types)
        elif documented and stays(name, last, release["flags"], histories):
            state = last
        elif documented and name.removeprefix("experimental_") in release["flags"] and last:
            state = [name.removeprefix("experimental_"), 1]
        if last != state:
            history.append([position, *state])
    head["releases"].append(version)
    head["documented"].append(documented)
    head["shared"].append((command_lists.number(names), inheritance.number(inherits)))
    head |= {"commands": command_lists.values, "inherits": inheritance.values}
    head |= {"types": types.values, "command_sets": sets.values}
    return text_of(head, histories)


def at_least_as_told(state: list[Any], last: Sequence[Any], types: Interner) -> list[Any]:
    """A state off a reference page, which calls all a boolean that can be written as a switch,
    and does not tell every expansion, as the release before has it where that says more."""
    kind, before = types.values[state[0]][0], types.values[last[0]][0]
    if kind == "boolean" and before not in ("boolean", "unknown"):
        state = [last[0], *state[1:]]
    if kind == "void" and len(state) < 6 and len(last) > 5:
        state = [*state, *last[len(state) : 6]]
    return state


def stays(
    name: str,
    last: Sequence[Any],
    flags: Mapping[str, Any],
    histories: Mapping[str, Sequence[Sequence[Any]]],
) -> bool:
    """Whether a release has a name that its reference page leaves out, as the one before does: it
    is hidden or doubtful, has a colon, or is another name of an option that the release has."""
    if last and isinstance(last[0], str):
        other = histories[last[0]][-1][1:] if last[0] in histories else ()
        return last[0] in flags or stays(last[0], other, flags, histories)
    return len(last) > 2 and bool(":" in name or last[2] & (HIDDEN | PERHAPS))


def text_of(head: Mapping[str, Any], histories: Mapping[str, list[list[Any]]]) -> str:
    """The table: a line of what all options share, then one for each name."""
    head = {**head, "abbreviations": abbreviations(histories)}
    lines = [json.dumps(head, separators=(",", ":"))]
    for name, history in sorted(histories.items()):
        lines.append(f"{name}\t{json.dumps(history, separators=(',', ':'))}")
    return "\n".join(lines) + "\n"


def abbreviations(histories: Mapping[str, list[list[Any]]]) -> dict[str, list[str]]:
    """By letter, the options that it has stood for in any release."""
    found: dict[str, set[str]] = {}
    for name, history in histories.items():
        for state in history:
            if len(state) > 5 and state[5]:
                found.setdefault(state[5], set()).add(name)
    return {letter: sorted(names) for letter, names in sorted(found.items())}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("source", type=Path, help="folder of VERSION.json; with --add, one")
    parser.add_argument("--add", action="store_true", help="to the table as it is")
    parser.add_argument("--output", type=Path, default=TABLE, help="the table")
    arguments = parser.parse_args()
    facts = json.loads(FACTS.read_text(encoding="utf-8"))
    if arguments.add:
        release = json.loads(arguments.source.read_text(encoding="utf-8"))
        text = with_release(TABLE.read_text(encoding="utf-8"), release, facts)
    else:
        hidden = json.loads(HIDDEN_OPTIONS.read_text(encoding="utf-8"))
        releases = {
            path.stem: json.loads(path.read_text(encoding="utf-8"))
            for path in arguments.source.glob("*.json")
        }
        text = make_table(releases, with_measured(releases, facts), hidden)
    arguments.output.write_text(text, encoding="utf-8")
    count = len(json.loads(text.partition("\n")[0])["releases"])
    print(f"{count} releases, {text.count(chr(10)) - 1} names, {len(text)} bytes")


if __name__ == "__main__":
    main()
