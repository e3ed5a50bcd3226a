"""Writes the tables of the Starlark parser: Lark's automaton of `grammars/starlark.lark`, so that
no run needs Lark to read a file.

    python scripts/make_starlark_tables.py

`tests/unit/starlark/syntax/test_parse_tables.py` fails where the grammar says something else by
now.
"""

from __future__ import annotations

import json
from typing import Any

from lark.grammar import Rule
from lark.lexer import PatternStr
from lark.parsers.lalr_analysis import Shift

from bazelscope.base import grammars
from bazelscope.starlark.syntax.parse_tables import PATH, Production, Tables


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


def made() -> Tables:
    """The tables, with the states in the order in which they are reached from the first."""
    lark = grammars.build("starlark", start="file")
    table = lark.parser.parser._parse_table

    kinds: dict[str, int] = {"$END": 0}
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
    order = [table.start_states["file"]]
    states = {order[0]: 0}
    for state in order:
        row: dict[int, int] = {}
        jumps: dict[int, int] = {}
        for symbol, (action, argument) in sorted(
            table.states[state].items(), key=lambda item: str(item[0])
        ):
            if action is Shift:
                if argument not in states:
                    states[argument] = len(order)
                    order.append(argument)
                if symbol in kinds:
                    row[kinds[symbol]] = states[argument]
                else:
                    jumps[origins[symbol]] = states[argument]
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
        start=0,
        accept=states[table.end_states["file"]],
        actions=tuple(actions),
        gotos=tuple(gotos),
        productions=tuple(productions),
    )


def to_plain(tables: Tables) -> dict[str, Any]:
    """The tables as JSON has them: of a mapping of numbers, keys and values by turns."""
    plain: dict[str, Any] = tables._asdict()
    for name in ("actions", "gotos"):
        plain[name] = [[one for item in row.items() for one in item] for row in plain[name]]
    plain["productions"] = [list(production) for production in tables.productions]
    return plain


if __name__ == "__main__":
    text = json.dumps(to_plain(made()), separators=(",", ":"))
    PATH.write_text(text.replace("],[", "],\n[") + "\n", "utf-8")
