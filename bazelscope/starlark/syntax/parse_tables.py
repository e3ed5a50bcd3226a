"""The tables that lexer and parser drive: Lark's LALR(1) automaton of `grammars/starlark.lark`.

Lark's own parser loop is general and four times slower than a BUILD file deserves, and to make the
automaton takes it a fifth of a second. So it is in `parse_tables.json`, which
`scripts/make_starlark_tables.py` writes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bazelscope.base.named_tuple import NamedTuple

PATH = Path(__file__).with_suffix(".json")


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


def load() -> Tables:
    """The tables of the Starlark grammar. In the file, mappings are keys and values by turns."""
    plain: dict[str, Any] = json.loads(PATH.read_text("utf-8"))
    rows = {
        name: tuple([dict(zip(row[::2], row[1::2], strict=True)) for row in plain[name]])
        for name in ("actions", "gotos")
    }
    texts = {name: tuple(plain[name]) for name in ("names", "patterns", "groups")}
    productions = tuple(
        [
            Production(name, length, origin, tuple(kept), *flags)
            for name, length, origin, kept, *flags in plain["productions"]
        ]
    )
    return Tables(**{**plain, **rows, **texts, "productions": productions})
