"""Queries are parsed without Lark as Lark parses them."""

from __future__ import annotations

import json
import random
import runpy
from pathlib import Path
from typing import Any

import pytest
from lark.exceptions import UnexpectedInput

from bazelscope.base import grammars
from bazelscope.query.language import query_tables

_SCRIPT = Path(__file__).parents[3] / "scripts" / "make_query_tables.py"
_PIECES = (
    "deps", "(", ")", ",", " ", "//a:b", "+", "-", "^", "union", "except", "intersect", "let",
    "set", "in", "=", "x", "'q r'", '"1"', "3", "@@a+b//c", "//a/...", "$x", "\n", "unionx", "*",
    "let x = //a in ", "set(a b)", "kind(rule, ", "'", "[", "a b",
)  # fmt: skip
_LEAVES = ("//a:b", "'q r'", "set(a 'b')", "set()", "let", "set", "$v", "in", "3")
_FORMS = (
    "{} + {}", "{} union {}", "deps({}, {})", "({})", "x({})", "let v = {} in {}", "{}-{}",
    "{} ^ {}", "{} except {}\t", "{}intersect{}",
)  # fmt: skip


def plain(tree: Any) -> Any:
    if isinstance(tree, str):
        return tree.type, str(tree), tree.start_pos, tree.end_pos  # type: ignore[attr-defined]
    return str(tree.data), [plain(child) for child in tree.children]


def by_lark(text: str) -> Any:
    try:
        return plain(grammars.build("query").parse(text))
    except UnexpectedInput:
        return None


def test_the_tables_are_those_of_the_grammar() -> None:
    made = runpy.run_path(str(_SCRIPT))["made"]()
    told = "the grammar says something else: run scripts/make_query_tables.py"
    assert json.loads(query_tables.PATH.read_text("utf-8")) == made, told


def grown(pick: random.Random, depth: int) -> str:
    """A query that may be one."""
    if depth == 0 or pick.random() < 0.2:
        return pick.choice(_LEAVES)
    form = pick.choice(_FORMS)
    return form.format(*(grown(pick, depth - 1) for _ in range(2)))


@pytest.mark.parametrize("seed", range(20))
def test_trees_are_those_of_lark(seed: int) -> None:
    pick = random.Random(seed)
    read = 0
    for number in range(100):
        if number % 2:
            text = grown(pick, pick.randrange(5))
        else:
            text = "".join(pick.choice(_PIECES) for _ in range(pick.randrange(9)))
        tree = query_tables.parse(text)
        read += tree is not None
        assert (None if tree is None else plain(tree)) == by_lark(text), text
    assert read > 20
