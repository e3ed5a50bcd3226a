"""Writes the tables of the query language's parser: Lark's automaton of `grammars/query.lark`, so
that a run which asks a query needs no Lark.

    python scripts/make_query_tables.py

`tests/unit/query/test_query_tables.py` fails where the grammar says something else by now.
"""

from __future__ import annotations

import json
from typing import Any

from lark.lexer import PatternStr
from lark.parsers.lalr_analysis import Shift

from bazelscope.base import grammars
from bazelscope.query.language.query_tables import PATH


def made() -> dict[str, Any]:
    """The tables, with the states in the order in which they are reached from the first."""
    lark = grammars.build("query")
    table, lexer = lark.parser.parser._parse_table, lark.parser.lexer
    order = [table.start_states["start"]]
    numbers = {order[0]: 0}
    for state in order:
        for _, (action, argument) in sorted(table.states[state].items()):
            if action is Shift and argument not in numbers:
                numbers[argument] = len(order)
                order.append(argument)
    rules: list[Any] = []
    rule_numbers: dict[Any, int] = {}
    actions: list[dict[str, int]] = []
    for state in order:
        row: dict[str, int] = {}
        for symbol, (action, argument) in sorted(table.states[state].items()):
            if action is Shift:
                row[symbol] = numbers[argument]
                continue
            if argument not in rule_numbers:
                rule_numbers[argument] = len(rules)
                rules.append(_rule(argument))
            row[symbol] = ~rule_numbers[argument]
        actions.append(row)
    scanners: list[str] = []
    by_state: list[int] = []
    for state in order:
        # Terminals that stand for words of the language itself are told from words by the text.
        (pattern,) = [one.pattern for one in lexer.lexers[state].scanner._mres]
        if pattern not in scanners:
            scanners.append(pattern)
        by_state.append(scanners.index(pattern))
    keywords = {
        terminal.pattern.value: terminal.name
        for terminal in lark.terminals
        if isinstance(terminal.pattern, PatternStr) and terminal.pattern.value.isalpha()
    }
    return {
        "actions": actions,
        "end": numbers[table.end_states["start"]],
        "ignored": sorted(lark.ignore_tokens),
        "keywords": dict(sorted(keywords.items())),
        "rules": rules,
        "scanner_of_state": by_state,
        "scanners": scanners,
    }


def _rule(rule: Any) -> list[Any]:
    roles = [
        0
        if symbol.is_term and symbol.filter_out
        else 2
        if not symbol.is_term and symbol.name.startswith("_")
        else 1
        for symbol in rule.expansion
    ]
    is_expanded = bool(rule.options.expand1) and not rule.alias
    return [str(rule.origin.name), str(rule.alias or rule.origin.name), is_expanded, roles]


if __name__ == "__main__":
    text = json.dumps(made(), indent=0, sort_keys=True)
    PATH.write_text(text + "\n", "utf-8")
