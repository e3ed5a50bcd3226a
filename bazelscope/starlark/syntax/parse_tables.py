"""Turns Lark's analysis of `grammars/starlark.lark` into the tables that lexer and parser drive.

Lark computes the LALR(1) automaton; its own parser loop is general and four times slower than
a BUILD file deserves. `Tables` holds the same automaton as plain dicts of ints, and one regular
expression made of the grammar's terminals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from bazelscope.base import grammars

if TYPE_CHECKING:
    from lark.grammar import Rule

END = "$END"


class Production(NamedTuple):
    """One alternative of a rule: `name` is its alias, or the rule's own name."""

    name: str
    length: int
    origin: int
    kept: tuple[int, ...]
    """Which of its symbols are no punctuation."""
    continues: bool
    """Whether this is the `list: list item` half of a repetition."""
    transparent: bool
    """Whether its value is simply that of its only symbol."""


class Tables(NamedTuple):
    """The automaton: a non-negative action shifts to a state, a negative one reduces `~action`."""

    kinds: dict[str, int]
    names: tuple[str, ...]
    patterns: tuple[str, ...]
    groups: tuple[str, ...]
    keywords: dict[str, int]
    punctuation: dict[str, int]
    start: int
    accept: int
    actions: tuple[dict[int, int], ...]
    gotos: tuple[dict[int, int], ...]
    productions: tuple[Production, ...]


class TablesStore(Protocol):
    """Keeps the tables from one run to the next."""

    def tables(self) -> Tables | None: ...

    def put_tables(self, tables: Tables) -> None: ...


def _production(rule: Rule, origins: dict[str, int]) -> Production:
    name = str(rule.origin.name)
    kept = tuple(
        index
        for index, symbol in enumerate(rule.expansion)
        if not (getattr(symbol, "filter_out", False) or symbol.name.startswith("_"))
        or not symbol.is_term
    )
    repetition = name.startswith("__")
    return Production(
        name="repetition" if repetition else str(rule.alias or name),
        length=len(rule.expansion),
        origin=origins[name],
        kept=kept,
        continues=repetition and bool(kept) and rule.expansion[0].name == name,
        transparent=not rule.alias
        and not repetition
        and len(rule.expansion) == 1
        and bool(rule.options.expand1),
    )


def to_plain(tables: Tables) -> tuple[Any, ...]:
    """The tables as nothing but Python's own types, for a cache."""
    return (*tables[:-1], tuple(map(tuple, tables.productions)))


def from_plain(plain: tuple[Any, ...]) -> Tables:
    """The tables that `to_plain` flattened."""
    productions = tuple(Production(*production) for production in plain[-1])
    return Tables._make((*plain[:-1], productions))


def build() -> Tables:
    """The tables of the Starlark grammar, which takes Lark a fifth of a second."""
    from lark.lexer import PatternStr
    from lark.parsers.lalr_analysis import Shift

    lark = grammars.build("starlark", start="file")
    table = lark.parser.parser._parse_table

    kinds: dict[str, int] = {END: 0}
    keywords: dict[str, int] = {}
    punctuation: dict[str, int] = {}
    regular: list[tuple[int, str, str]] = []
    for terminal in lark.terminals:
        if terminal.name in lark.ignore_tokens:
            continue
        kind = kinds.setdefault(terminal.name, len(kinds))
        pattern = terminal.pattern
        if not isinstance(pattern, PatternStr):
            regular.append((-terminal.priority, terminal.name, pattern.to_regexp()))
        elif pattern.value.isalpha():
            keywords[pattern.value] = kind
        else:
            punctuation[pattern.value] = kind
    for name in ("_NEWLINE", "_INDENT", "_DEDENT"):
        kinds.setdefault(name, len(kinds))
    regular.sort()

    origins: dict[str, int] = {}
    for rule in lark.rules:
        origins.setdefault(str(rule.origin.name), len(origins))
    origins.setdefault("$root_file", len(origins))
    productions: list[Production] = []
    numbers: dict[int, int] = {}
    actions: list[dict[int, int]] = []
    gotos: list[dict[int, int]] = []
    for state in range(len(table.states)):
        row: dict[int, int] = {}
        jumps: dict[int, int] = {}
        for symbol, (action, argument) in table.states[state].items():
            if action is Shift:
                if symbol in kinds:
                    row[kinds[symbol]] = argument
                else:
                    jumps[origins[symbol]] = argument
            else:
                number = numbers.get(id(argument))
                if number is None:
                    number = numbers[id(argument)] = len(productions)
                    productions.append(_production(argument, origins))
                row[kinds[symbol]] = ~number
        actions.append(row)
        gotos.append(jumps)
    symbols = sorted(punctuation, key=lambda text: (-len(text), text))
    return Tables(
        kinds=kinds,
        names=tuple(kinds),
        patterns=tuple(regexp for _, _, regexp in regular),
        groups=tuple(name for _, name, _ in regular),
        keywords=keywords,
        punctuation={text: punctuation[text] for text in symbols},
        start=table.start_states["file"],
        accept=table.end_states["file"],
        actions=tuple(actions),
        gotos=tuple(gotos),
        productions=tuple(productions),
    )
