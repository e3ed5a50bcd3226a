"""Turns option facts of Bazel releases into the tables that bazelscope ships.

    python scripts/make_flag_catalog.py --source FOLDER [--output FOLDER]

`FOLDER` holds one `VERSION.json` per release, as asked of the binaries (`help COMMAND
--long`, `help flags-as-proto`) or read off the command-line reference. What neither of
those says (former names, implicit requirements, which command inherits from which in old
releases) stands in `flag_catalog_facts.json` beside this script; and what a release accepts
although its command-line reference leaves it out, in `flag_catalog_hidden.json`. The latter
rests on the `help flags-as-proto` of 7.1.0 and the `build_options` of a bare workspace in
9.2.0, as others have published them, and on Bazel's `BazelRulesModule` of early 2026, where
options that do nothing any more are kept; one that a release had before and another has
after is taken to be there in between. The tables are rewritten whole, and are the same for
the same input.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FACTS = Path(__file__).with_name("flag_catalog_facts.json")
HIDDEN_OPTIONS = Path(__file__).with_name("flag_catalog_hidden.json")
TABLES = Path(__file__).parent.parent / "bazelscope" / "flags" / "tables"

NEGATABLE, REPEATS, TAKES_VALUE, HIDDEN = 1, 2, 4, 8

_WORD = r"[A-Za-z0-9_][A-Za-z0-9_/.+-]*"
_ENUM = re.compile(rf"^({_WORD})((?:, {_WORD})*) or ({_WORD})$")

_KINDS = {
    "a boolean": "boolean",
    "a tri-state (auto, yes, no)": "tristate",
    "void": "void",
    "a string": "string",
    "an integer": "integer",
    "a long integer": "long",
    "a double": "double",
    "a 'name=value' assignment": "assignment",
    "a 'name=value' flag alias": "flag-alias",
    "a 'name=value' assignment with an optional value part": "optional-assignment",
    "a build target label": "label",
    "a label": "label",
    "comma-separated list of options": "list",
    "comma-separated set of options": "list",
    "a path": "path",
    "path": "path",
    "An immutable length of time.": "duration",
    "a positive integer or test_regex@runs. This flag may be passed more than once": "runs",
    'a positive integer, the string "default", or test_regex@attempts. '
    "This flag may be passed more than once": "attempts",
}
_RANGES = (
    re.compile(r"an integer in (?P<least>\d+|\(-\d+\))-(?P<most>\d+) range"),
    re.compile(r"(?P<least>\d+) <= an integer <= (?P<most>\d+)"),
    re.compile(r"an integer, >= (?P<least>\d+)"),
)
_RESOURCE = re.compile(r'an integer, or (?:a keyword \()?"(?:auto|HOST_CPUS|HOST_RAM)"')
_SHORT_NAMES = {"runs": "a number of runs", "attempts": "a number of attempts"}


def version_key(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def actual_type(
    name: str, version: str, fact: Mapping[str, Any], releases: Mapping[str, Mapping[str, Any]]
) -> str | None:
    """The type of an option; what the reference page calls a boolean may be something else.

    The page says so of everything that can be written as a switch, tristates and some
    enumerations included. Binaries tell their own options' types rightly; the newest that
    knows the option is asked.
    """
    stated: str | None = fact["type"]
    if stated != "a boolean" or "command_inherits" not in releases[version]:
        return stated
    asked = [v for v in releases if "command_inherits" not in releases[v]]
    for other in sorted(asked, key=version_key, reverse=True):
        known = releases[other]["flags"].get(name)
        if known is not None and known["type"] not in (None, "a boolean"):
            return str(known["type"])
    if fact["default"] == "auto":
        return "a tri-state (auto, yes, no)"
    if fact["default"] not in ("true", "false", None):
        return "a switch, or one of several words"
    return stated


def classify(type_text: str | None) -> list[Any]:
    """The entry of the table's `types` for one option: `[kind, text, enum values]`."""
    if type_text is None:
        return ["unknown", "", []]
    kind = _KINDS.get(type_text)
    if kind is not None:
        return [kind, _SHORT_NAMES.get(kind, type_text), []]
    for pattern in _RANGES:
        match = pattern.fullmatch(type_text)
        if match is not None:
            bounds = match.groupdict()
            least = bounds["least"].strip("()")
            return ["range", type_text, [least, bounds.get("most", "2147483647")]]
    if _RESOURCE.match(type_text):
        keywords = [k for k in ("auto", "HOST_CPUS", "HOST_RAM") if f'"{k}"' in type_text]
        return ["resource", "an amount of a resource", keywords]
    match = _ENUM.match(type_text)
    if match is not None:
        middle = [word.strip() for word in match.group(2).split(",") if word.strip()]
        return ["enum", type_text, [match.group(1), *middle, match.group(3)]]
    # Longer descriptions are Bazel's help text rather than the name of a type.
    return ["other", type_text if len(type_text) <= 60 else "", []]


class Interner:
    """Numbers equal values in order of first use."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._numbers: dict[str, int] = {}

    def number(self, value: Any) -> int:
        key = json.dumps(value)
        if key not in self._numbers:
            self._numbers[key] = len(self.values)
            self.values.append(value)
        return self._numbers[key]


def missing_expansion(
    name: str, version: str, releases: Mapping[str, Mapping[str, Any]]
) -> list[str]:
    """The expansion of `name` in the nearest later release that says it.

    The reference page of some releases leaves expansions out. A later release's is taken
    only as far as it names options that this release has.
    """
    known = releases[version]["flags"]
    for other in sorted(releases, key=version_key):
        if version_key(other) <= version_key(version):
            continue
        expansion = releases[other]["flags"].get(name, {}).get("expands_to") or []
        if expansion and all(option_of(word, known) or is_internal(word) for word in expansion):
            return list(expansion)
    return []


def option_of(word: str, known: Mapping[str, Any]) -> str | None:
    """The option of `known` that a word of an expansion names."""
    name = word.removeprefix("--").partition("=")[0]
    for candidate in (name, name.removeprefix("no")):
        if candidate in known:
            return candidate
    return None


def is_internal(word: str) -> bool:
    """Whether a word names an option that exists only as a part of expansions."""
    return word.startswith("--internal_")


def internal_options(
    flags: Mapping[str, Mapping[str, Any]],
    expansions: Mapping[str, list[str]],
    former: Mapping[str, str],
) -> dict[str, dict[str, Any]]:
    """Stand-ins for the options that expansions name and no documentation lists."""
    found: dict[str, dict[str, Any]] = {}
    for name, expansion in expansions.items():
        for word in expansion:
            if option_of(word, {**flags, **former}) is None:
                option, equals, _ = word.removeprefix("--").partition("=")
                found[option] = {
                    "type": None,
                    "default": None,
                    "multiple": False,
                    "negatable": not equals,
                    "abbreviation": None,
                    "requires_value": bool(equals),
                    "commands": flags[name]["commands"],
                    "expands_to": [],
                }
    return found


def unlisted_options(
    version: str, releases: Mapping[str, Mapping[str, Any]], facts: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """Options that a release has and its reference page leaves out (those with a colon in
    their names, and some undocumented ones), made like an option of a release that was asked."""
    asked = [v for v in releases if "command_inherits" not in releases[v]]
    newest = releases[max(asked, key=version_key)]["flags"]
    unlisted = facts["unlisted"].get(version, {})
    return {name: newest[model] for name, model in unlisted.items()}


def hidden_options(version: str, hidden: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Options that a release has and its reference page leaves out, of
    `flag_catalog_hidden.json`: the commands, what kind of option it is, an abbreviation
    (`-x`) and the default (`=true`), if they are known."""
    found: dict[str, dict[str, Any]] = {}
    for name, (commands, *marks) in hidden["hidden"].get(version, {}).items():
        found[name] = {
            "type": None,
            "default": next((mark[1:] for mark in marks if mark.startswith("=")), None),
            "multiple": "multiple" in marks,
            "negatable": "negatable" in marks,
            "abbreviation": next((mark[1:] for mark in marks if mark.startswith("-")), None),
            "requires_value": "requires_value" in marks,
            "commands": hidden["command_sets"][commands],
            "expands_to": [],
        }
    return found


def former_names(
    version: str,
    known: Mapping[str, Any],
    releases: Mapping[str, Mapping[str, Any]],
    facts: Mapping[str, Any],
) -> dict[str, str]:
    """Former names of options: those that were asked for, or, where a reference page is all
    there is, those of the newest release that was asked and what later sources call `oldName`,
    of options that the release has. Bazel has kept such names ever since."""
    if "command_inherits" not in releases[version]:
        return dict(facts["former_names"].get(version, {}))
    asked = [v for v in releases if "command_inherits" not in releases[v]]
    older = facts["former_names"][max(asked, key=version_key)]
    names = {**older, **facts["renamed"]}
    return {old: new for old, new in sorted(names.items()) if new in known and old not in known}


def make_table(
    version: str,
    releases: Mapping[str, Mapping[str, Any]],
    facts: Mapping[str, Any],
    hidden: Mapping[str, Any],
) -> dict[str, Any]:
    release = releases[version]
    types, commands = Interner(), Interner()
    flags: dict[str, list[Any]] = {}
    borrowed: list[str] = []
    expansions: dict[str, list[str]] = {}
    for name, fact in release["flags"].items():
        expansions[name] = list(fact["expands_to"])
        if fact["type"] == "void" and not expansions[name]:
            expansions[name] = missing_expansion(name, version, releases)
            if expansions[name]:
                borrowed.append(name)
    listed = {
        **hidden_options(version, hidden),
        **unlisted_options(version, releases, facts),
        **release["flags"],
    }
    former = former_names(version, listed, releases, facts)
    known = {**internal_options(release["flags"], expansions, former), **listed}
    for name in sorted(known):
        fact = known[name]
        expansion = expansions.get(name, [])
        bits = (
            (NEGATABLE if fact["negatable"] else 0)
            | (REPEATS if fact["multiple"] else 0)
            | (TAKES_VALUE if fact["requires_value"] else 0)
            | (HIDDEN if fact["type"] is None else 0)
        )
        row: list[Any] = [
            types.number(classify(actual_type(name, version, fact, releases))),
            fact["default"],
            bits,
            commands.number(sorted("*" if c == "common" else c for c in fact["commands"])),
        ]
        if fact["abbreviation"] or expansion:
            row.append(fact["abbreviation"])
        if expansion:
            row.append(expansion)
        flags[name] = row
    inherits = {**release.get("command_inherits", {}), **facts["inherits"][version]}
    table: dict[str, Any] = {
        "bazel": version,
        "documented_only": "command_inherits" in release,
        "inherits": inherits,
        "commands": facts["commands"][version],
        "types": types.values,
        "command_sets": commands.values,
        "former_names": former,
        "requires": facts["implicit_requirements"].get(version, {}),
        "borrowed_expansions": sorted(borrowed),
        "flags": flags,
    }
    return table


def dump(table: Mapping[str, Any]) -> str:
    """JSON with one option per line, so that a regenerated table diffs well."""
    head = {key: value for key, value in table.items() if key != "flags"}
    lines = [
        f"{json.dumps(key)}:{json.dumps(value, separators=(',', ':'))},"
        for key, value in head.items()
    ]
    rows = [
        f"{json.dumps(name)}:{json.dumps(row, separators=(',', ':'))}"
        for name, row in table["flags"].items()
    ]
    return "{" + "\n".join(lines) + '\n"flags":{\n' + ",\n".join(rows) + "\n}}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--source", type=Path, required=True, help="folder of VERSION.json")
    parser.add_argument("--output", type=Path, default=TABLES, help="folder of the tables")
    arguments = parser.parse_args()
    facts = json.loads(FACTS.read_text(encoding="utf-8"))
    hidden = json.loads(HIDDEN_OPTIONS.read_text(encoding="utf-8"))
    releases = {
        path.stem: json.loads(path.read_text(encoding="utf-8"))
        for path in arguments.source.glob("*.json")
    }
    versions = sorted(releases, key=version_key)
    arguments.output.mkdir(parents=True, exist_ok=True)
    names: dict[str, int] = {}
    for position, version in enumerate(versions):
        table = make_table(version, releases, facts, hidden)
        (arguments.output / f"{version}.json").write_text(dump(table), encoding="utf-8")
        for name in (*table["flags"], *table["former_names"]):
            names[name] = names.get(name, 0) | 1 << position
        print(f"{version}: {len(table['flags'])} options")
    documented = [v for v in versions if "command_inherits" in releases[v]]
    index = {"versions": versions, "documented": documented, "names": dict(sorted(names.items()))}
    text = json.dumps(index, separators=(",", ":")).replace(',"', ',\n"')
    (arguments.output / "index.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
