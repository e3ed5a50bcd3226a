"""Which options a Bazel version has: names, types, arity, defaults, commands, expansions.

The tables come from `scripts/make_flag_catalog.py`. A version between two tables takes the
nearest one of its major version, or else older; `Catalog.table_version` says which.
"""

from __future__ import annotations

import enum
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from bazelscope.base.nearest import nearest
from bazelscope.bazel.release import Behaviour, Version

_TABLES = Path(__file__).parent / "flag_tables"
_NEGATABLE, _REPEATS, _TAKES_VALUE, _HIDDEN = 1, 2, 4, 8
_EVERY_COMMAND = "*"

STARTUP = "startup"
"""The pseudo command of the options that stand before the command."""


class FlagKind(enum.Enum):
    """The type of an option's value, as far as Bazel's own help tells it."""

    BOOLEAN = "boolean"
    TRISTATE = "tristate"
    VOID = "void"
    """Takes no value; stands for its expansion."""
    STRING = "string"
    INTEGER = "integer"
    LONG = "long"
    DOUBLE = "double"
    ENUM = "enum"
    ASSIGNMENT = "assignment"
    """`name=value`"""
    OPTIONAL_ASSIGNMENT = "optional-assignment"
    """`name=value` or `name`"""
    FLAG_ALIAS = "flag-alias"
    LABEL = "label"
    LIST = "list"
    """Values separated by commas."""
    PATH = "path"
    DURATION = "duration"
    RANGE = "range"
    """An integer between the two `enum_values`."""
    RESOURCE = "resource"
    """An integer, or one of `enum_values` and perhaps a factor (`HOST_CPUS*.5`)."""
    RUNS = "runs"
    """A positive integer, or `REGEX@INTEGER`."""
    ATTEMPTS = "attempts"
    """An integer up to 10, `default`, or `REGEX@` and one of those."""
    OTHER = "other"
    UNKNOWN = "unknown"
    """An option that Bazel hides from its help."""


@dataclass(frozen=True, slots=True)
class FlagDefinition:
    """One option of one Bazel version.

    `default` is None where there is none, or where Bazel computes it. `commands` are the
    commands that declare it (`*`: all). `expansion` are the words that it stands for, and
    `requires` those that come with it. `hidden`: not in Bazel's help.
    """

    name: str
    kind: FlagKind
    type_text: str
    enum_values: tuple[str, ...]
    default: str | None
    repeats: bool
    negatable: bool
    takes_value: bool
    abbreviation: str | None
    commands: frozenset[str]
    expansion: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    hidden: bool = False
    bazel_version: str = ""
    """The version whose table this comes from."""

    @property
    def is_expansion(self) -> bool:
        return self.kind is FlagKind.VOID


class Catalog:
    """The options of one Bazel version. Get one from `load`.

    For a version between two tables, an option that only `newer`, the catalog of the next
    newer table, has may have come between them; it counts as known, and its definition's
    `bazel_version` says where it comes from.
    """

    def __init__(
        self, version: str, table: Mapping[str, Any], newer: Catalog | None = None
    ) -> None:
        self._newer = newer
        self.bazel_version = version
        self.table_version: str = table["bazel"]
        self.documented_only: bool = table["documented_only"]
        """True if the table comes from documentation, which leaves hidden options out."""
        parsed = Version.parse(version)
        assert parsed is not None
        self.version = parsed
        self.behaviour = Behaviour.of(parsed)
        self._rows: Mapping[str, list[Any]] = table["flags"]
        self._types: list[list[Any]] = table["types"]
        self._command_sets = [frozenset(names) for names in table["command_sets"]]
        self._inherits: Mapping[str, list[str]] = table["inherits"]
        self._former: Mapping[str, str] = table["former_names"]
        self._requires: Mapping[str, list[str]] = table["requires"]
        self.commands = frozenset(table["commands"])
        self._definitions: dict[str, FlagDefinition] = {}
        self._chains: dict[str, tuple[str, ...]] = {}
        self._abbreviations: dict[str, str] | None = None

    @property
    def neighbours(self) -> str:
        """The versions whose tables stand for this one, for a sentence."""
        if self._newer is None:
            return f"Bazel {self.table_version}"
        return f"Bazel {self.table_version} and {self._newer.table_version}"

    @property
    def is_exact(self) -> bool:
        """False if the options are those of an older version than the one asked for."""
        table = Version.parse(self.table_version)
        return table is not None and table[:3] == self.version[:3]

    def command_chain(self, command: str) -> tuple[str, ...]:
        """The commands whose rc lines `command` takes: its ancestors, then itself."""
        chain = self._chains.get(command)
        if chain is None:
            names: list[str] = []
            for base in self._inherits.get(command, ()):
                names += self.command_chain(base)
            chain = self._chains[command] = (*names, command)
        return chain

    def find(self, name: str, command: str | None = None) -> FlagDefinition | None:
        """The option of that long name (no dashes, former names too), if `command` has it.

        Options before the command have the command `startup`; without `command` any
        option will do.
        """
        definition = self._definitions.get(name)
        if definition is None:
            row = self._rows.get(name)
            if row is None:
                current = self._former.get(name)
                if current is not None:
                    return self.find(current, command)
                return None if self._newer is None else self._newer.find(name, command)
            definition = self._definitions[name] = self._define(name, row)
        if command is None or self.applies(definition, command):
            return definition
        return None

    def applies(self, definition: FlagDefinition, command: str) -> bool:
        """Whether `command` takes the option."""
        if command == STARTUP:
            return STARTUP in definition.commands
        if _EVERY_COMMAND in definition.commands:
            return True
        return any(name in definition.commands for name in self.command_chain(command))

    def by_abbreviation(self, letter: str, command: str) -> FlagDefinition | None:
        """The option that `-letter` stands for."""
        definition = self.find_abbreviation(letter)
        if definition is not None and self.applies(definition, command):
            return definition
        return None

    def find_abbreviation(self, letter: str) -> FlagDefinition | None:
        """The option of any command that `-letter` stands for."""
        if self._abbreviations is None:
            self._abbreviations = {
                row[4]: name for name, row in self._rows.items() if len(row) > 4 and row[4]
            }
        name = self._abbreviations.get(letter)
        return None if name is None else self.find(name)

    def names(self, command: str | None = None) -> tuple[str, ...]:
        """Every long name that `command` takes, sorted."""
        if command is None:
            return tuple(self._rows)
        return tuple(name for name in self._rows if self.find(name, command) is not None)

    def definitions(self, command: str | None = None) -> tuple[FlagDefinition, ...]:
        """Every option that `command` takes, by name."""
        found = (self.find(name, command) for name in self._rows)
        return tuple(definition for definition in found if definition is not None)

    def assumed(self, text: str) -> FlagDefinition | None:
        """A stand-in for an option that this version may have, although no table says so.

        `text` is the word as written. Between two tables options come and go again; one
        that neither table has, that no other version has, and that is not near any that
        this one has, cannot be called unknown. Nor can one that is experimental, or that the
        release before had, where the table comes from documentation: Bazel hides options
        that do nothing any more. The answer is None where it can.
        """
        if not text.startswith("--") or (self.is_exact and not self.documented_only):
            return None
        name, equals, _ = text[2:].partition("=")
        if self.known_elsewhere(name):
            return self._grown_up(name) or self._left_out(name)
        if self.known_elsewhere(name.removeprefix("no")):
            found = None if equals else self._left_out(name.removeprefix("no"))
            return found if found is not None and found.negatable else None
        experimental = name.startswith(("experimental_", "incompatible_"))
        if not experimental and (self._newer is None or self.nearest(name)):
            return None
        return FlagDefinition(
            name=name,
            kind=FlagKind.UNKNOWN,
            type_text="",
            enum_values=(),
            default=None,
            repeats=False,
            negatable=not equals,
            takes_value=bool(equals),
            abbreviation=None,
            commands=frozenset({_EVERY_COMMAND}),
            hidden=True,
        )

    def _left_out(self, name: str) -> FlagDefinition | None:
        """The option of an earlier table that comes from documentation, if this one does, too.
        The first of them has what its release hid, so what came before and is not there is gone.
        """
        if not self.documented_only or self.find(name) is not None:
            return None
        documented: list[str] = _index()["documented"]
        earlier = documented[: documented.index(self.table_version)]
        for version in reversed(earlier):
            found = load(version).find(name)
            if found is not None:
                return found
        return None

    def _grown_up(self, name: str) -> FlagDefinition | None:
        """The option that an experimental one of older releases may have become: Bazel keeps
        the old name for a while, and no reference page says it."""
        grown = name.removeprefix("experimental_")
        return self.find(grown) if self.documented_only and grown != name else None

    def nearest(self, name: str, command: str | None = None, limit: int = 3) -> tuple[str, ...]:
        """Names of this version that `name` may be a slip of the pen for, best first."""
        candidates = list(self.names(command))
        if name.startswith("no"):
            definitions = (self.find(candidate) for candidate in list(candidates))
            candidates += [f"no{d.name}" for d in definitions if d is not None and d.negatable]
        return nearest(name, candidates, limit)

    def known_elsewhere(self, name: str) -> tuple[str, ...]:
        """The other versions with a table that have the option, oldest first."""
        index = _index()
        mask: int = index["names"].get(name, 0)
        return tuple(
            version
            for position, version in enumerate(index["versions"])
            if mask >> position & 1 and version != self.table_version
        )

    def definition_elsewhere(self, name: str) -> FlagDefinition | None:
        """The option as another version has it, the newest of those before anything else."""
        versions = self.known_elsewhere(name)
        return load(versions[-1]).find(name) if versions else None

    def _define(self, name: str, row: list[Any]) -> FlagDefinition:
        kind, type_text, values = self._types[row[0]]
        bits: int = row[2]
        return FlagDefinition(
            name=name,
            kind=FlagKind(kind),
            type_text=type_text,
            enum_values=tuple(values),
            default=row[1],
            repeats=bool(bits & _REPEATS),
            negatable=bool(bits & _NEGATABLE),
            takes_value=bool(bits & _TAKES_VALUE),
            abbreviation=row[4] if len(row) > 4 else None,
            commands=self._command_sets[row[3]],
            expansion=tuple(row[5]) if len(row) > 5 else (),
            requires=tuple(self._requires.get(name, ())),
            hidden=bool(bits & _HIDDEN),
            bazel_version=self.table_version,
        )


@lru_cache(maxsize=1)
def _index() -> Mapping[str, Any]:
    index: Mapping[str, Any] = json.loads((_TABLES / "index.json").read_text(encoding="utf-8"))
    return index


@lru_cache(maxsize=1)
def table_versions() -> tuple[str, ...]:
    """The versions that have a table of their own, oldest first."""
    versions = [path.stem for path in _TABLES.glob("*.json") if path.stem != "index"]
    return tuple(sorted(versions, key=lambda text: Version.parse(text) or Version(0, 0, 0)))


def table_for(version: Version) -> str:
    """The table for a version: the nearest that is not newer, else the oldest; but rather one
    of the same major version, since that is where options come and go."""
    tables = [(parsed, name) for name in table_versions() if (parsed := Version.parse(name))]
    related = [table for table in tables if table[0][0] == version[0]] or tables
    older = [name for parsed, name in related if parsed[:3] <= version[:3]]
    return older[-1] if older else related[0][1]


@lru_cache(maxsize=8)
def load(version: str | None = None) -> Catalog:
    """The catalog of a Bazel version, by default of the newest one that has a table.

    A text that is no version (`latest`) also gets the newest.
    """
    parsed = Version.parse(version) if version is not None else None
    if parsed is None:
        version = table_versions()[-1]
        parsed = Version.parse(version)
        assert parsed is not None
    name = table_for(parsed)
    table = json.loads((_TABLES / f"{name}.json").read_text(encoding="utf-8"))
    newer = None
    position = table_versions().index(name) + 1
    own = Version.parse(name)
    if own is not None and own[:3] < parsed[:3] and position < len(table_versions()):
        newer = load(table_versions()[position])
    return Catalog(str(version), table, newer)
