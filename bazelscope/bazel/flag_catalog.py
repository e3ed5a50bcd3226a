"""Which options a Bazel version has: names, types, arity, defaults, commands, expansions.

A version between two releases of the table has for certain what both have; what one of them
has, it has perhaps.
"""

from __future__ import annotations

import enum
from dataclasses import replace
from functools import cached_property, lru_cache

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.memoized import memoized
from bazelscope.base.nearest import nearest
from bazelscope.bazel.option_table import (
    HIDDEN,
    NEGATABLE,
    REPEATS,
    TAKES_VALUE,
    State,
    is_doubtful,
    meaning,
    option_table,
)
from bazelscope.bazel.release import Release, known_releases, newest_release

_EVERY_COMMAND = "*"
_HIDDEN_KNOWN = (7, 0, 0)
"""From this release on, the table has the options that documentation leaves out."""
_OPTION = 4
"""The length of a state of the table from which on it is an option, not a gap or a name."""

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


_LABEL_LISTS = frozenset(
    {
        *("android_platforms", "apple_platforms", "experimental_action_listener", "platforms"),
        *("plugin", "target_environment"),
    }
)
"""Bazel: `CoreOptionConverters.LabelListConverter`. Asked of 2.1.0 and 4.2.3."""


@dataclass(frozen=True, slots=True)
class FlagDefinition:
    """One option of one Bazel version.

    `default` is None where there is none, or where Bazel computes it. `commands` are the
    commands that take it (`*`: all). `expansion` are the words that it stands for, and
    `requires` those that come with it. `hidden`: not in Bazel's help. `deprecated` is what
    Bazel says to use instead, perhaps nothing; None if it does not warn, or if that is not
    known. `is_certain` is False where this Bazel perhaps does not have it.
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
    deprecated: str | None = None
    is_certain: bool = True
    bazel_version: str = ""
    """The release of the table that this comes from."""

    @property
    def is_expansion(self) -> bool:
        return self.kind is FlagKind.VOID

    @property
    def splits_at_commas(self) -> bool:
        """Whether one text is a list. Bazel's help calls lists of labels a label."""
        return self.kind is FlagKind.LIST or self.name in _LABEL_LISTS


class Catalog:
    """The options of one Bazel version. Get one from `load`."""

    def __init__(self, release: Release, position: int, neighbour: int | None) -> None:
        """`position`: the release of the table that stands for the version; `neighbour`: the
        release on its other side, if it is between two."""
        self._table = option_table()
        self._position, self._neighbour = position, neighbour
        self.release = release
        self.table_version = self._table.releases[position]
        self.documented_only = self._table.documented[position]
        """True if the facts come from documentation, which leaves hidden options out."""
        self.commands = frozenset(self._table.commands(position))
        own, asked = known_releases()[position].numbers, release.numbers
        self._has_all_of_table = (
            neighbour is None or own[:2] == asked[:2] or (own[0] == asked[0] and own <= asked)
        )
        self._definitions: dict[str, FlagDefinition | None] = {}

    @property
    def bazel_version(self) -> str:
        """The release as its user wrote it."""
        return self.release.text

    @property
    def neighbours(self) -> str:
        """The releases whose options stand for this version's, for a sentence."""
        if self._neighbour is None:
            return f"Bazel {self.table_version}"
        other = self._table.releases[self._neighbour]
        first, second = sorted((self.table_version, other), key=Release.of)
        return f"Bazel {first} and {second}"

    @property
    def is_exact(self) -> bool:
        """False if the options are those of another release than the one asked for."""
        return known_releases()[self._position].numbers[:2] == self.release.numbers[:2]

    @memoized
    def command_chain(self, command: str) -> tuple[str, ...]:
        """The commands whose rc lines `command` takes: its ancestors, then itself."""
        names: list[str] = []
        for base in self._table.inherits(self._position).get(command, ()):
            names += self.command_chain(base)
        return (*names, command)

    def find(self, name: str, command: str | None = None) -> FlagDefinition | None:
        """The option of that long name (no dashes, former names too), if `command` has it.

        Options before the command have the command `startup`; without `command` any
        option will do. What this version has perhaps is found, too: see `is_certain`.
        """
        try:
            definition = self._definitions[name]
        except KeyError:
            definition = self._definitions[name] = self._find(name)
        if definition is None or command is None or self.applies(definition, command):
            return definition
        return None

    def _find(self, name: str) -> FlagDefinition | None:
        table, position, neighbour = self._table, self._position, self._neighbour
        state = table.state(name, position)
        other = table.state(name, neighbour) if neighbour is not None else None
        if state is None:
            if other is None or neighbour is None:
                return self._find_hidden(name)
            definition = definition_in(name, other, neighbour)
            return None if definition is None else replace(definition, is_certain=False)
        if isinstance(state[1], str):
            current = self.find(state[1])
            if current is None or not is_doubtful(state):
                return current
            return replace(current, is_certain=False)
        definition = definition_in(name, state, position)
        if definition is not None and other is None and not self._has_all_of_table:
            definition = replace(definition, is_certain=False)
        return definition

    def _find_hidden(self, name: str) -> FlagDefinition | None:
        """An option that the next release to have it hides, where only documentation tells what
        this one has: it is perhaps hidden here, too."""
        if not self.documented_only or self.release.numbers >= _HIDDEN_KNOWN:
            return None
        for state in self._table.history(name):
            if state[0] > self._position:
                is_former = len(state) > 1 and isinstance(state[1], str)
                own = self._table.state(state[1], state[0]) if is_former else state
                if own is None or len(own) < _OPTION or not own[3] & HIDDEN:
                    return None
                definition = definition_in(name, state, state[0])
                return None if definition is None else replace(definition, is_certain=False)
        return None

    def differs_between_neighbours(self, name: str) -> bool:
        """Whether a version between two releases may read the option other than it is found:
        with another type, arity or expansion."""
        if self._neighbour is None or self._has_all_of_table:
            return False
        state = self._table.state(name, self._position)
        other = self._table.state(name, self._neighbour)
        if state is None or other is None:
            return False
        return meaning(state) != meaning(other)

    def applies(self, definition: FlagDefinition, command: str) -> bool:
        """Whether `command` takes the option."""
        if command == STARTUP:
            return STARTUP in definition.commands
        return _EVERY_COMMAND in definition.commands or command in definition.commands

    def by_abbreviation(self, letter: str, command: str) -> FlagDefinition | None:
        """The option that `-letter` stands for."""
        definition = self.find_abbreviation(letter)
        if definition is not None and self.applies(definition, command):
            return definition
        return None

    def find_abbreviation(self, letter: str) -> FlagDefinition | None:
        """The option of any command that `-letter` stands for."""
        for name in self._table.abbreviations.get(letter, ()):
            definition = self.find(name)
            if definition is not None and definition.abbreviation == letter:
                return definition
        return None

    @cached_property
    def _own(self) -> tuple[FlagDefinition, ...]:
        definitions: list[FlagDefinition] = []
        for name in self._table.names:
            state = self._table.state(name, self._position)
            if state is not None and not isinstance(state[1], str) and not is_doubtful(state):
                definition = self.find(name)
                assert definition is not None
                definitions.append(definition)
        return tuple(definitions)

    def names(self, command: str | None = None) -> tuple[str, ...]:
        """Every long name that `command` takes, sorted."""
        return tuple(definition.name for definition in self.definitions(command))

    def definitions(self, command: str | None = None) -> tuple[FlagDefinition, ...]:
        """Every option that `command` takes, by name; between two releases, as the one has
        them that stands for this version."""
        if command is None:
            return self._own
        return tuple(d for d in self._own if self.applies(d, command))

    def assumed(self, text: str) -> FlagDefinition | None:
        """A stand-in for an option that no release of the table has, but this one may.

        `text` is the word as written. Documentation leaves out experiments, and between two
        releases options come and go again: one that is not near any that this version has
        cannot be called unknown. None if it can.
        """
        if not text.startswith("--") or (self.is_exact and not self.documented_only):
            return None
        name, equals, _ = text[2:].partition("=")
        if self._table.history(name) or self._table.history(name.removeprefix("no")):
            return None
        experimental = name.startswith(("experimental_", "incompatible_"))
        if not experimental and (self._is_near_table or self.nearest(name)):
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
            is_certain=False,
        )

    @property
    def _is_near_table(self) -> bool:
        """Whether no release is between this version and the one of the table but patches."""
        return self._neighbour is None or self.is_exact

    def nearest(self, name: str, command: str | None = None, limit: int = 3) -> tuple[str, ...]:
        """Names of this version that `name` may be a slip of the pen for, best first."""
        candidates = list(self.names(command))
        if name.startswith("no"):
            definitions = (self.find(candidate) for candidate in list(candidates))
            candidates += [f"no{d.name}" for d in definitions if d is not None and d.negatable]
        return nearest(name, candidates, limit)

    def known_elsewhere(self, name: str) -> tuple[str, ...]:
        """The other releases of the table that have the name for certain, oldest first."""
        return tuple(
            release
            for position, release in enumerate(self._table.releases)
            if position != self._position
            and (state := self._table.state(name, position)) is not None
            and not is_doubtful(state)
        )

    def definition_elsewhere(self, name: str) -> FlagDefinition | None:
        """The option as the newest release that has it does."""
        releases = self.known_elsewhere(name)
        return load(releases[-1]).find(name) if releases else None


def definition_in(name: str, state: State, position: int) -> FlagDefinition | None:
    """The option that a state of the table is, as the release of that number has it."""
    table = option_table()
    certain = not is_doubtful(state)
    if isinstance(state[1], str):
        current = table.state(state[1], position)
        definition = None if current is None else definition_in(state[1], current, position)
        return (
            definition if definition is None or certain else replace(definition, is_certain=False)
        )
    _, type_number, default, bits, commands, *rest = state
    kind, type_text, values = table.types[type_number]
    abbreviation, expansion, deprecated = [*rest, None, None, None][:3]
    release = table.releases[position]
    return FlagDefinition(
        name=name,
        kind=FlagKind(kind),
        type_text=type_text,
        enum_values=tuple(values),
        default=default,
        repeats=bool(bits & REPEATS),
        negatable=bool(bits & NEGATABLE),
        takes_value=bool(bits & TAKES_VALUE),
        abbreviation=abbreviation,
        commands=_commands(commands, position),
        expansion=tuple(expansion or ()),
        requires=tuple(table.requires.get(name, ())),
        hidden=bool(bits & HIDDEN),
        deprecated=deprecated,
        is_certain=certain,
        bazel_version=release,
    )


@lru_cache(maxsize=256)
def _commands(number: int, position: int) -> frozenset[str]:
    """The commands of a set of the table, and in that release those that inherit from them."""
    table = option_table()
    commands = set(table.command_sets[number])
    inherits = table.inherits(position)
    while more := {c for c, bases in inherits.items() if not commands.isdisjoint(bases)} - commands:
        commands |= more
    return frozenset(commands)


@lru_cache(maxsize=32)
def load(version: str | None = None) -> Catalog:
    """The catalog of a Bazel version, by default of the newest release of the table.

    A text that is no version also gets the newest.
    """
    release = (Release.read(version) if version is not None else None) or newest_release()
    known, own = [one.numbers for one in known_releases()], release.numbers
    newest_before = [position for position, numbers in enumerate(known) if numbers <= own]
    position = newest_before[-1] if newest_before else 0
    if known[position] == own or not newest_before or position + 1 == len(known):
        return Catalog(release, position, None)
    neighbour = position + 1
    if known[position][0] != own[0] == known[neighbour][0]:
        # Options come and go with major versions.
        position, neighbour = neighbour, position
    return Catalog(release, position, neighbour)
