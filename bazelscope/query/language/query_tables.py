"""Parses a query by the automaton that Lark makes of `grammars/query.lark`, without Lark.

To import Lark and to make its parser takes longer than most queries take to be answered, so the
automaton is in `query_tables.json`, which `scripts/make_query_tables.py` writes. What it cannot
read, Lark is asked about, which says what it expected there.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

PATH = Path(__file__).with_suffix(".json")
_WORD, _END = "WORD", "$END"


class Token(str):
    """A word of the query, with its kind and place, as Lark's tokens have them."""

    type: str
    start_pos: int
    end_pos: int


class Tree:
    """A rule of the grammar and what it is made of, as Lark's trees are."""

    def __init__(self, data: str, children: list[Any]) -> None:
        self.data = data
        self.children = children


@cache
def _tables() -> dict[str, Any]:
    tables: dict[str, Any] = json.loads(PATH.read_text("utf-8"))
    return tables


@cache
def _scanner(number: int) -> re.Pattern[str]:
    return re.compile(_tables()["scanners"][number])


def parse(text: str) -> Tree | None:
    """The tree of a query; None where it is none."""
    tables = _tables()
    actions, scanner_of, ignored = tables["actions"], tables["scanner_of_state"], tables["ignored"]
    states: list[int] = [0]
    parts: list[Any] = []
    at = 0
    while True:
        row = actions[states[-1]]
        if at == len(text):
            kind, token = _END, Token()
        else:
            match = _scanner(scanner_of[states[-1]]).match(text, at)
            if match is None or match.end() == at:
                return None
            at = match.end()
            kind = str(match.lastgroup)
            if kind in ignored:
                continue
            token = Token(match[0])
            if kind == _WORD and tables["keywords"].get(token) in row:
                kind = tables["keywords"][token]
            token.type, token.start_pos, token.end_pos = kind, match.start(), at
        while True:
            action = actions[states[-1]].get(kind)
            if action is None:
                return None
            if action >= 0:
                states.append(action)
                parts.append(token)
                break
            _reduce(tables["rules"][~action], states, parts)
            if kind == _END and states[-1] == tables["end"]:
                return parts[-1] if isinstance(parts[-1], Tree) else None


def _reduce(rule: tuple[str, str, bool, list[int]], states: list[int], parts: list[Any]) -> None:
    """Puts the last parts together by a rule: its name, that of its tree, whether a single part
    stands for it, and of each symbol whether it is left out, kept, or a list of parts."""
    origin, name, is_expanded, roles = rule
    children: list[Any] = []
    if roles:
        for role, part in zip(roles, parts[-len(roles) :], strict=True):
            if role == 1:
                children.append(part)
            elif role == 2:
                children.extend(part.children)
        del states[-len(roles) :]
        del parts[-len(roles) :]
    is_single = is_expanded and len(children) == 1
    parts.append(children[0] if is_single else Tree(name, children))
    states.append(_tables()["actions"][states[-1]][origin])
